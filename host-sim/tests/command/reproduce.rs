//! The reproductions as a user starts them; what they find is tested where they are made.

use std::fs;

use crate::{assert_says, fail, folder, succeed};

/// Jobs of 8 processors each, one after the other; a node of the machine has 8.
fn write_log(dir: &std::path::Path, jobs: u64) {
    let mut log = "; MaxProcs: 512\n; MaxNodes: 64\n".to_owned();
    for job in 1..=jobs {
        let rest = "-1 -1 8 900 -1 1 -1 -1 -1 -1 -1 -1 -1";
        log.push_str(&format!("{job} {} -1 600 8 {rest}\n", 400 * job));
    }
    fs::write(dir.join("tiny.swf"), log).unwrap();
}

#[test]
fn sulistio_runs_on_any_log() {
    let dir = folder();
    write_log(dir.path(), 4);
    let output = succeed(
        dir.path(),
        "reproduce sulistio --workload tiny.swf --quick --out out",
    );
    assert_says(&output, "workload: the first two weeks of tiny.swf\n");
    assert!(
        output.contains("no contradiction in what they wrote\n"),
        "{output}"
    );
    for said in [
        "sulistio: Sulistio, Kim, Buyya (2007), “On incorporating an on-line strip packing algorithm",
        "A quick reproduction: 12 replications of each point",
        "the full experiment takes 20 replications",
        "`bookahead reproduce sulistio --workload tiny.swf` runs the full experiment",
    ] {
        assert!(output.contains(said), "{output}");
    }
    let claims = fs::read_to_string(dir.path().join("out/claims.csv")).unwrap();
    assert_eq!(claims.matches(",sulistio,").count(), 27);
    // Four jobs are no 3200.
    assert!(claims.contains("\"4 submitted, 4 of them simulated\",,fails"));
    let checked = succeed(dir.path(), "check out");
    assert!(checked.contains("0 violations"), "{checked}");
    let report = fs::read_to_string(dir.path().join("out/report.html")).unwrap();
    assert!(
        report.contains("<h1>On incorporating an on-line strip packing algorithm")
            && report.contains("tiny.swf")
    );
    // From the folder alone.
    fs::remove_file(dir.path().join("out/report.html")).unwrap();
    succeed(dir.path(), "report out");
    assert!(fs::read_to_string(dir.path().join("out/report.html")).unwrap() == report);
}

#[test]
fn a_log_that_is_none_is_refused_by_line_and_field() {
    let dir = folder();
    write_log(dir.path(), 2);
    let file = dir.path().join("tiny.swf");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("2 800 -1 600", "2 800 -1 long")).unwrap();
    let message = fail(dir.path(), "reproduce sulistio --workload tiny.swf", 2);
    for word in ["tiny.swf", "line 4", "run time"] {
        assert!(message.contains(word), "{message}");
    }
    assert!(!dir.path().join("bookahead-out").exists());
}

#[test]
fn li_makes_its_own_jobs() {
    let dir = folder();
    let message = fail(dir.path(), "reproduce li --workload tiny.swf", 2);
    assert_says(&message, "--workload is only for netto or sulistio");
}
