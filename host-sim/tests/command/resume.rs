//! What is cut short says which command goes on, and that command comes to the bytes of an undisturbed one.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::Duration,
};

use crate::{fail, files, folder, frames, kept, succeed, told};

const REPRODUCE: [&str; 5] = [
    "reproduce",
    "sulistio",
    "--workload",
    "tiny log.swf",
    "--quick",
];

/// Jobs of a node each, close enough to one another to be in each other's way.
fn write_log(dir: &Path) {
    let mut log = "; MaxProcs: 512\n; MaxNodes: 64\n".to_owned();
    for job in 1..=80 {
        let rest = "-1 -1 64 4000 -1 1 -1 -1 -1 -1 -1 -1 -1";
        log.push_str(&format!("{job} {} -1 3600 64 {rest}\n", 400 * job));
    }
    fs::write(dir.join("tiny log.swf"), log).unwrap();
}

fn start(dir: &Path, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_bookahead"))
        .current_dir(dir)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Starts it, and ends it by a signal as soon as so many runs are kept; gives the exit status and the error output.
fn cut_short(dir: &Path, arguments: &[&str], at: usize, signal: &str) -> (Option<i32>, String) {
    let mut child = start(dir, arguments);
    while kept(&dir.join("out")) < at {
        assert_eq!(
            child.try_wait().unwrap(),
            None,
            "over before it was cut short"
        );
        sleep(Duration::from_millis(2));
    }
    let id = child.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status();
    assert!(sent.unwrap().success());
    let ended = child.wait_with_output().unwrap();
    (
        ended.status.code(),
        String::from_utf8(ended.stderr).unwrap(),
    )
}

#[test]
fn a_reproduction_goes_on_where_it_was_cut_short() {
    let dir = folder();
    write_log(dir.path());
    let to = |out| [&REPRODUCE[..], &["--out", out]].concat();
    let program = env!("CARGO_BIN_EXE_bookahead");
    let ended = start(dir.path(), &to("whole")).wait_with_output().unwrap();
    assert!(ended.status.success());
    let mut done = 0;
    for (more, signal) in [(20, "-KILL"), (60, "-INT")] {
        let (code, words) = cut_short(dir.path(), &to("out"), done + more, signal);
        if signal == "-INT" {
            assert_eq!(code, Some(130));
            assert_eq!(
                words,
                format!(
                    "sulistio: {done} samples finished before\ninterrupted: the results are not complete; what is finished is kept, and the same command goes on:\n  {program} \
                     reproduce sulistio --workload 'tiny log.swf' --quick --out out\n"
                )
            );
        }
        let now = kept(&dir.path().join("out"));
        assert!(now >= done + more);
        done = now;
        fail(dir.path(), "check out", 1);
    }
    // A damaged one is made again.
    let runs = dir.path().join("out/runs.bin");
    let mut bytes = fs::read(&runs).unwrap();
    let damaged = &frames(&bytes)[done / 2];
    bytes[damaged.end - 10] ^= 1;
    fs::write(&runs, bytes).unwrap();

    let ended = start(dir.path(), &to("out")).wait_with_output().unwrap();
    let words = String::from_utf8(ended.stderr).unwrap();
    assert!(words.starts_with("sulistio: "), "{words}");
    assert!(words.contains(" samples finished before\n"), "{words}");
    assert!(files(&dir.path().join("out")) == files(&dir.path().join("whole")));
    assert!(!runs.exists());
}

#[test]
fn a_finished_reproduction_is_not_made_again() {
    let dir = folder();
    write_log(dir.path());
    fs::rename(dir.path().join("tiny log.swf"), dir.path().join("log.swf")).unwrap();
    let line = "reproduce sulistio --workload log.swf --quick --out out";
    let said = succeed(dir.path(), line);
    let timing = fs::read(dir.path().join("out/timing.json")).unwrap();
    let again = succeed(dir.path(), line);
    assert_eq!(again, said);
    assert_eq!(
        fs::read(dir.path().join("out/timing.json")).unwrap(),
        timing
    );
    assert!(told(dir.path(), line).contains("sulistio: finished before\n"));
    // Another log under the same name is another experiment.
    let log = fs::read_to_string(dir.path().join("log.swf")).unwrap();
    fs::write(
        dir.path().join("log.swf"),
        log.replace("-1 3600 64", "-1 1800 64"),
    )
    .unwrap();
    let message = fail(dir.path(), line, 2);
    assert!(message.contains("different in log)"), "{message}");
}

#[test]
fn an_interrupted_sweep_says_which_command_goes_on() {
    let dir = folder();
    fs::write(
        dir.path().join("plan.toml"),
        "replications = 40\nmeasures = [\"acceptance_rate\"]\n[run]\njobs = 300\npolicy = [\"first-fit\", \"rigid\"]\n",
    )
    .unwrap();
    let (code, words) = cut_short(
        dir.path(),
        &["sweep", "plan.toml", "-q", "--out", "out"],
        5,
        "-INT",
    );
    assert_eq!(code, Some(130));
    let program = env!("CARGO_BIN_EXE_bookahead");
    assert!(
        words.ends_with(&format!(
            "goes on:\n  {program} sweep plan.toml -q --out out\n"
        )),
        "{words}"
    );
}
