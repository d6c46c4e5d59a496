//! A run that is cut short leaves nothing that looks finished, whatever ends it.

use std::{
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::Duration,
};

use crate::{files, folder};

#[test]
fn an_interrupted_run_does_not_look_finished() {
    for (signal, status) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let dir = folder();
        let run = begun(dir.path(), &["simulate"]);
        let (code, left) = end(run, dir.path(), signal);
        assert_eq!(code, Some(status), "{signal}");
        assert_eq!(left, ["experiment.json"], "{signal}");
        let message = crate::fail(dir.path(), "check run", 1);
        assert_eq!(message, "error: run: 2 violations\n");
    }
}

#[test]
fn a_run_under_nohup_survives_its_terminal() {
    let dir = folder();
    let mut run = begun(dir.path(), &["nohup"]);
    signal(&run, "HUP");
    sleep(Duration::from_millis(300));
    assert_eq!(run.try_wait().unwrap(), None);
    let (code, _) = end(run, dir.path(), "TERM");
    assert_eq!(code, Some(143));
}

/// A run of far more than can be done before a signal, as soon as it has begun.
fn begun(dir: &Path, first: &[&str]) -> Child {
    let program = env!("CARGO_BIN_EXE_bookahead");
    let mut command = match first {
        ["nohup"] => {
            let mut command = Command::new("nohup");
            command.args([program, "simulate"]);
            command
        }
        _ => {
            let mut command = Command::new(program);
            command.args(first);
            command
        }
    };
    let mut child = command
        .current_dir(dir)
        .args([
            "--jobs",
            "300000",
            "--out",
            "run",
            "--policy",
            "first-fit,pe-worst-fit",
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The last folder to be made ready.
    while !dir.join("run/pe-worst-fit-early").exists() {
        assert_eq!(child.try_wait().unwrap(), None, "over before it was ready");
        sleep(Duration::from_millis(10));
    }
    child
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let sent = Command::new("kill")
        .args([&format!("-{name}"), &id])
        .status();
    assert!(sent.unwrap().success());
}

/// Ends it by a signal; gives its exit status and the files that it leaves.
fn end(mut child: Child, dir: &Path, name: &str) -> (Option<i32>, Vec<String>) {
    signal(&child, name);
    let code = child.wait().unwrap().code();
    let left = files(&dir.join("run"));
    (
        code,
        left.keys().map(|file| file.display().to_string()).collect(),
    )
}
