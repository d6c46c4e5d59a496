//! What is cut short says which command goes on, and that command comes to the bytes of an undisturbed one.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread::{self, sleep},
    time::Duration,
};

use crate::{assert_says, ends, fail, files, folder, frames, kept, succeed, told};

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

/// Starts it, and ends it by a signal as soon as something is true; gives the exit status and the error output.
pub fn cut_short(
    dir: &Path,
    arguments: &[&str],
    mut when: impl FnMut() -> bool,
    signal: &str,
) -> (Option<i32>, String) {
    let mut child = start(dir, arguments);
    while !when() {
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
        let enough = || kept(&dir.path().join("out")) >= done + more;
        let (code, words) = cut_short(dir.path(), &to("out"), enough, signal);
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
        || kept(&dir.path().join("out")) >= 5,
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

/// What is kept of a run, for each strategy and queue that it can be kept of.
const KEPT: [&str; 24] = [
    "--binding late --gzip",
    "--policy pe-worst-fit --price",
    "--strategy rigid --reservation-share 0.5 --queue fcfs",
    "--strategy elastic --reservation-share 0.5 --queue easy --price --deadline-factor 9",
    "--reservation-share 0.3 --queue easy --wait --pull-forward --binding late",
    "--reservation-share 0.3 --queue easy --wait --priority size --preempt",
    "--reservation-share 0.3 --queue easy --remove-late --binding late",
    "--reservation-share 0.3 --queue conservative --wait --pull-forward",
    "--workload log.swf --duration requested --reservation-share 0.4 --queue conservative --preempt --binding late",
    "--workload log.swf --duration requested --reservation-share 0.4 --queue fcfs --wait --priority keys.csv",
    "--workload log.swf --duration requested --reservation-share 0.4 --queue easy --wait --priority user",
    "--strategy juggle --order revenue --price --replan --flexible-share 0.5",
    "--strategy juggle --order fifo --suggest-max 50 --binding late",
    "--strategy shift",
    "--strategy juggle-shift --freeze lead:600 --binding late",
    "--workload log.swf --duration requested --strategy overlay --threshold adaptive:0.05 --binding late",
    "--sites 2 --reservation-share 0.5 --queue conservative",
    "--sites 2 --strategy elastic --user-policy ask-again --arrival-factor 3",
    "--sites 3 --redundancy copies:2 --reservation-share 0.6 --queue easy --binding late",
    "--sites 2 --redundancy 0.9 --workload log.swf --duration requested --strategy overlay --threshold 0.6 --binding late",
    "--mtbf 2000000 --mttr 14400",
    "--rules rules.toml --binding late",
    "--workload log.swf --duration requested --quota quota.toml",
    "--resources licences.toml --binding late",
];

#[test]
fn a_run_goes_on_from_its_checkpoint() {
    let dir = folder();
    let dir = dir.path();
    let mut log = "; MaxProcs: 64\n".to_owned();
    for job in 1..=400_u32 {
        let (run, pes, user) = (100 + 37 * job % 5_000, 1 + job * job % 40, job % 7);
        let rest = format!("-1 -1 {pes} 6000 -1 1 {user} -1 -1 -1 -1 -1 -1");
        log.push_str(&format!("{job} {} -1 {run} {pes} {rest}\n", 900 * job));
    }
    fs::write(dir.join("log.swf"), log).unwrap();
    let rule = "[[rule]]\nname = \"night\"\nperiod = 86400\nlength = 20000\npes = 9\n";
    fs::write(dir.join("rules.toml"), rule).unwrap();
    let quota =
        "[3]\npes = 30\npe_seconds = 900000\nperiod = 86400\nparent = \"all\"\n[all]\npes = 60\n";
    fs::write(dir.join("quota.toml"), quota).unwrap();
    let licences = "[solver]\nunits = 9\nshare = 0.4\nper_request = 3\n";
    fs::write(dir.join("licences.toml"), licences).unwrap();
    fs::write(dir.join("keys.csv"), "user,key\n1,5\n2,9\n3,9\n5,1\n6,4\n").unwrap();
    let layout = "--workload gpu --layout gpus.toml --prefer spread --relocate --reservation-share 0.5 --queue conservative";
    let gpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/layouts/gpus.toml");
    fs::copy(gpus, dir.join("gpus.toml")).unwrap();
    let kinds: Vec<&str> = KEPT.into_iter().chain([layout]).collect();
    // They wait for the disk most of the time.
    thread::scope(|scope| {
        for first in 0..AT_A_TIME {
            let own = kinds.iter().enumerate().skip(first).step_by(AT_A_TIME);
            scope.spawn(|| own.for_each(|(number, options)| goes_on(dir, number, options)));
        }
    });
}

/// So many kinds of runs are cut short beside one another.
const AT_A_TIME: usize = 4;

/// How a run is cut short, after how many states.
const CUTS: [(&str, usize); 5] = [
    ("-KILL", 3),
    ("-KILL", 60),
    ("-INT", 3),
    ("-KILL", 100),
    ("-TERM", 3),
];

fn goes_on(dir: &Path, number: usize, options: &str) {
    let line = |out: &str, every: &str| {
        format!(
            "simulate --jobs 400 --slots 8192 --slot-seconds 60 -q {options} --out {out} {every}"
        )
    };
    let [whole, out] = ["whole", "out"].map(|name| format!("{name}{number}"));
    succeed(dir, &line(&whole, ""));
    let kept = line(&out, "--checkpoint 0s");
    let kept: Vec<&str> = kept.split_whitespace().collect();
    let written = || {
        let kept = fs::metadata(dir.join(&out).join("checkpoint.bin"));
        kept.and_then(|kept| kept.modified()).ok()
    };
    for (signal, states) in CUTS {
        let (mut seen, mut changes) = (written(), 0);
        let when = || {
            let now = written();
            changes += usize::from(now.is_some() && now != seen);
            seen = now;
            changes > states
        };
        cut_short(dir, &kept, when, signal);
        fail(dir, &format!("check {out}"), 1);
    }
    // How often it is kept makes no other experiment of it.
    let last = line(&out, "--checkpoint 1h").replace(" -q ", " ");
    assert_says(&told(dir, &last), " of 400 jobs had arrived before\n");
    assert_eq!(written(), None);
    let [whole, out] = [whole, out].map(|name| files(&dir.join(name)));
    assert!(out == whole, "{options}");
}

#[test]
fn what_a_run_cannot_go_on_from_is_refused_by_name() {
    let dir = folder();
    let dir = dir.path();
    let line =
        "simulate --workload log.swf --slots 8192 --slot-seconds 60 -q --out out --checkpoint 0s";
    let log = |jobs: u32| {
        let jobs = (1..=jobs).map(|job| {
            let rest = "-1 -1 9 6000 -1 1 2 -1 -1 -1 -1 -1 -1";
            format!("{job} {} -1 3000 9 {rest}\n", 900 * job)
        });
        fs::write(
            dir.join("log.swf"),
            format!("; MaxProcs: 64\n{}", jobs.collect::<String>()),
        )
        .unwrap();
    };
    log(3_000);
    let arguments: Vec<&str> = line.split_whitespace().collect();
    let [kept, table] =
        ["checkpoint.bin", ".bookahead-jobs.csv.partial"].map(|name| dir.join("out").join(name));
    let has_rows = || fs::metadata(&table).is_ok_and(|table| table.len() > 9_000);
    cut_short(dir, &arguments, has_rows, "-KILL");
    // Another log of the same name.
    log(2_999);
    let message = fail(dir, line, 2);
    assert_says(
        &message,
        "out/checkpoint.bin: found a run of other input, or of another version, expected the one that goes on: remove this file, and the run begins anew",
    );
    // As many jobs, of which one that has been met is another one.
    log(3_000);
    let same = fs::read_to_string(dir.join("log.swf")).unwrap();
    fs::write(
        dir.join("log.swf"),
        same.replacen(" 3000 9 ", " 2999 9 ", 1),
    )
    .unwrap();
    assert_says(
        &fail(dir, line, 2),
        "the jobs are not those with which the run began",
    );
    log(3_000);
    // Without the option it would be lost.
    let anew = line.replace("--checkpoint 0s", "");
    assert_says(
        &fail(dir, &anew, 2),
        "out: holds the state of a run that is not finished: say --checkpoint to go on from it, or remove checkpoint.bin there",
    );
    let [said, _] = ends(dir, "check out", 1);
    assert_says(
        &said,
        "this run is not finished: the same command goes on from its checkpoint",
    );
    let bytes = fs::read(&kept).unwrap();
    for at in [0, 5, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        fs::write(&kept, damaged).unwrap();
        assert_says(
            &fail(dir, line, 2),
            "out/checkpoint.bin: found damaged bytes",
        );
    }
    fs::write(&kept, &bytes[..bytes.len() / 2]).unwrap();
    assert_says(
        &fail(dir, line, 2),
        "out/checkpoint.bin: found damaged bytes",
    );
    // Part of what it names is gone.
    fs::write(&kept, &bytes).unwrap();
    fs::write(&table, "job_id").unwrap();
    assert_says(&fail(dir, line, 2), "or not the files that belong to it");
    fs::remove_file(&kept).unwrap();
    succeed(dir, &line.replace("0s", "1h"));
    assert!(!kept.exists() && !table.exists());
    let message = fail(dir, "simulate --jobs 10 --checkpoint soon --out other", 2);
    assert_says(&message, "invalid value 'soon' for '--checkpoint <TIME>'");
}
