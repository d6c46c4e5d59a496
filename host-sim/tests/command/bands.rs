//! When jobs of a queue were likely to start: counted, judged, and told of one job.

use std::{fs, path::Path};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::{bookahead, folder, succeed, told};

/// Jobs on 16 PEs that run for a fifth to all of what was estimated, more of them than fit, and a reservation with some of them.
fn requests(jobs: u64, every: u64) -> String {
    let mut draw = ChaCha8Rng::seed_from_u64(5);
    let mut text = "job_id,arrival,ready,duration,deadline,pes,run_time,kind\n".to_owned();
    let mut arrival = 0;
    for job in 1..=jobs {
        arrival += draw.random_range(0..600);
        let estimate = 60 * draw.random_range(5..60);
        let run = estimate * draw.random_range(20..=100) / 100;
        let pes = draw.random_range(1..=8);
        let (ready, deadline, kind) = match job % every {
            0 => (
                arrival + 1_200,
                arrival + 1_200 + 2 * estimate,
                "reservation",
            ),
            _ => (0, 0, "best-effort"),
        };
        text += &format!("{job},{arrival},{ready},{estimate},{deadline},{pes},{run},{kind}\n");
    }
    text
}

/// What `check` lists.
fn violations(dir: &Path) -> String {
    let mut check = bookahead();
    let checked = check
        .current_dir(dir)
        .args(["check", "run"])
        .assert()
        .code(1);
    String::from_utf8(checked.get_output().stdout.clone()).unwrap()
}

#[test]
fn bands_are_counted_judged_and_told() {
    let dir = folder();
    let run = dir.path().join("run");
    fs::write(dir.path().join("requests.csv"), requests(600, 10)).unwrap();
    succeed(
        dir.path(),
        "replay --requests requests.csv --pes 16 --slots 4096 --slot-seconds 60 --queue conservative --quiet --out run",
    );
    succeed(dir.path(), "check run");
    let metrics = fs::read_to_string(run.join("metrics.json")).unwrap();
    let bands = serde_json::from_str::<Value>(&metrics).unwrap()["start_bands"].clone();
    let number = |share: &str, key: &str| bands[share][key].as_f64().unwrap();
    for (share, least, most) in [("50", 0.4, 0.65), ("80", 0.7, 0.9), ("90", 0.82, 1.0)] {
        assert!(number(share, "told") > 100.0, "{bands}");
        let kept = number(share, "kept_rate");
        assert!((least..most).contains(&kept), "{share}: {kept}");
    }
    assert!(number("50", "median_width") < number("80", "median_width"));

    // Each number is judged.
    for share in ["50", "80", "90", "95"] {
        for key in ["told", "kept", "kept_rate", "median_width"] {
            let mut changed: Value = serde_json::from_str(&metrics).unwrap();
            let number = &mut changed["start_bands"][share][key];
            *number = match number.as_u64() {
                Some(count) => (count + 1).into(),
                None => (number.as_f64().unwrap() * 1.01).into(),
            };
            fs::write(run.join("metrics.json"), changed.to_string()).unwrap();
            let told = violations(dir.path());
            let entry = format!("start_bands, {share} in a hundred, {key}: found");
            assert!(told.contains(&entry), "{told}");
        }
    }
    let without = metrics.replace("\"95\": {", "\"96\": {");
    fs::write(run.join("metrics.json"), without).unwrap();
    let told = violations(dir.path());
    assert!(told.contains("start_bands, its shares: found"), "{told}");
    fs::write(run.join("metrics.json"), &metrics).unwrap();

    // Somebody who was planned to wait is told.
    let sentence = "as others had waited, four of five such jobs were to start between second ";
    let told = (500..600).filter(|job| {
        let told = succeed(dir.path(), &format!("explain run {job}"));
        told.contains(sentence)
    });
    assert!(told.take(3).count() == 3);
    // The first one knows of nobody.
    assert!(!succeed(dir.path(), "explain run 1").contains(sentence));
}

/// Jobs that are submitted before they come to the queue come in another order than they are submitted.
#[test]
fn bands_of_jobs_with_windows_agree() {
    let dir = folder();
    fs::write(dir.path().join("requests.csv"), requests(3_000, 2)).unwrap();
    let said = told(
        dir.path(),
        "replay --requests requests.csv --pes 16 --slots 4096 --slot-seconds 60 --queue conservative --remove-late --quiet --out run",
    );
    assert_eq!(said, "");
    succeed(dir.path(), "check run");
}
