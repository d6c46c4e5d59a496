//! A run that is cut short leaves nothing that looks finished.

use std::{
    process::{Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::{files, folder, succeed};

#[test]
fn an_interrupted_run_does_not_look_finished() {
    let dir = folder();
    succeed(
        dir.path(),
        "simulate --jobs 20 --out run --policy first-fit,pe-worst-fit",
    );
    let run = dir.path().join("run");
    // The last of the old results to be taken away.
    let finished = run.join("pe-worst-fit-early/metrics.json");
    // Far more than can be done before the signal.
    let mut child = Command::new(env!("CARGO_BIN_EXE_bookahead"))
        .current_dir(dir.path())
        .args([
            "simulate",
            "--jobs",
            "2000000",
            "--out",
            "run",
            "--policy",
            "first-fit,pe-worst-fit",
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    while finished.exists() && begin.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(10));
    }
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let left: Vec<String> = files(&run)
        .keys()
        .map(|file| file.display().to_string())
        .collect();
    let whole = |folder| ["jobs.csv", "reservations.csv"].map(|name| format!("{folder}/{name}"));
    assert_eq!(
        left,
        [whole("first-fit-early"), whole("pe-worst-fit-early")].concat()
    );
}
