//! One folder holds one experiment, which says what belongs to it.

use std::{
    fs::{self, File},
    path::Path,
    time::Duration,
};

use crate::{assert_begins, assert_says, ends, fail, files, folder, names, succeed, told};

const TWO: &str = "simulate --quiet --jobs 20 --policy first-fit,pe-best-fit --out runs";

#[test]
fn the_manifest_says_what_was_run() {
    let dir = folder();
    succeed(dir.path(), &format!("{TWO} --threads 2"));
    let manifest = crate::json(&dir.path().join("runs/experiment.json"));
    let expected = serde_json::json!({
        "command": "simulate",
        "options": {
            "binding": "early", "jobs": "20", "pes": "1024", "policy": "first-fit,pe-best-fit", "seed": 1, "sites": "1", "slot-seconds": "1",
            "slots": "122880", "workload": "lublin",
        },
        "version": env!("CARGO_PKG_VERSION"),
        "runs": ["first-fit-early", "pe-best-fit-early"],
    });
    assert_eq!(manifest, expected);
    succeed(dir.path(), "simulate --quiet --jobs 20 --out one");
    let text = fs::read_to_string(dir.path().join("one/experiment.json")).unwrap();
    assert!(text.contains("\"runs\": [\n    \".\"\n  ]"), "{text}");
}

#[test]
fn another_experiment_is_refused_or_replaced() {
    let dir = folder();
    succeed(dir.path(), TWO);
    // The same once more is welcome, however its options are spelled.
    succeed(dir.path(), &format!("--seed 1 {TWO} --slots 122880"));
    let other = "simulate --quiet --jobs 20 --out runs";
    assert_eq!(
        fail(dir.path(), other, 2),
        format!(
            "error: runs: holds another experiment (simulate of version {}, different in policy, strategy), which would be lost: say --force to \
             replace it, or another --out\n",
            env!("CARGO_PKG_VERSION")
        )
    );
    fs::write(dir.path().join("runs/first-fit-early/notes.txt"), "mine").unwrap();
    succeed(dir.path(), &format!("{other} --force"));
    assert_eq!(
        names(&dir.path().join("runs")),
        [
            "experiment.json",
            "first-fit-early/notes.txt",
            "jobs.csv",
            "metrics.json",
            "report.html",
            "reservations.csv",
            "schedule.csv"
        ]
    );
}

#[test]
fn what_a_killed_process_left_unfinished_is_cleared() {
    let dir = folder();
    succeed(dir.path(), TWO);
    let whole = names(&dir.path().join("runs"));
    for place in ["runs", "runs/first-fit-early"] {
        let partial = dir.path().join(place).join(".bookahead-abc.partial");
        fs::write(partial, "half").unwrap();
    }
    succeed(dir.path(), TWO);
    assert_eq!(names(&dir.path().join("runs")), whole);
}

#[test]
fn the_default_folder_holds_the_last_experiment() {
    let dir = folder();
    succeed(dir.path(), "simulate --quiet --jobs 20 --policy all");
    succeed(dir.path(), "--quiet --jobs 20");
    succeed(dir.path(), "simulate --quiet --jobs 20");
    assert_eq!(names(&dir.path().join("bookahead-out")).len(), 6);
}

/// An experiment in the default folder; the line that a different one tells of it when it comes.
const FIRST: &str = "simulate --quiet --jobs 20 --slot-seconds 20 --slots 6144";
const SECOND: &str = "simulate --quiet --jobs 30 --slot-seconds 20 --slots 6144";

fn said(became: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "bookahead-out: held another experiment (simulate of version {version}, different in jobs), which {became}\n"
    )
}

#[test]
fn what_is_replaced_is_told_in_a_line() {
    let dir = folder();
    assert_eq!(told(dir.path(), FIRST), "");
    assert_eq!(told(dir.path(), FIRST), "");
    assert_eq!(told(dir.path(), SECOND), said("is replaced"));
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        told(dir.path(), "--quiet --jobs 20"),
        format!(
            "bookahead-out: held another experiment (simulate of version {version}), which is replaced\n"
        )
    );
    succeed(dir.path(), TWO);
    assert_eq!(
        told(
            dir.path(),
            "simulate --quiet --jobs 20 --slot-seconds 20 --slots 6144 --out runs --force"
        ),
        format!(
            "runs: held another experiment (simulate of version {version}, different in policy, slot-seconds, slots, strategy), which is replaced\n"
        )
    );
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
}

#[test]
fn what_took_more_than_a_minute_is_kept() {
    let dir = folder();
    let out = dir.path().join("bookahead-out");
    let recorded = |out: &Path| {
        fs::write(
            out.join("timing.json"),
            "{\"decisions_per_second\": 1.0, \"wall_seconds\": 60.5}\n",
        )
        .unwrap();
    };
    // As a killed sweep has it, which records nothing.
    let begun_before = |out: &Path| {
        let last = fs::metadata(out.join("report.html")).unwrap();
        let before = last.modified().unwrap() - Duration::from_secs(61);
        let file = File::options().write(true).open(out.join("jobs.csv"));
        file.unwrap().set_modified(before).unwrap();
    };
    succeed(dir.path(), FIRST);
    for (number, make_long) in [(1, &recorded as &dyn Fn(&Path)), (2, &begun_before)] {
        make_long(&out);
        let held = files(&out);
        let [_, next] = match number {
            1 => [FIRST, SECOND],
            _ => [SECOND, FIRST],
        };
        let kept = format!("bookahead-out.{number}");
        let since = match number {
            1 => "it took 1 min 1 s",
            _ => "1 min 1 s lie between its first file and its last",
        };
        assert_eq!(
            told(dir.path(), next),
            said(&format!("is kept as {kept}, since {since}"))
        );
        assert!(files(&dir.path().join(&kept)) == held, "{kept}");
        succeed(dir.path(), "check bookahead-out");
        succeed(dir.path(), &format!("check {kept}"));
    }
    // Whoever says --force wants it gone.
    recorded(&out);
    assert_eq!(
        told(dir.path(), &format!("{SECOND} --force")),
        said("is replaced")
    );
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3);
}

#[test]
fn files_of_others_are_kept_with_what_was_there() {
    let dir = folder();
    succeed(
        dir.path(),
        "simulate --quiet --jobs 20 --policy first-fit,rigid",
    );
    let out = dir.path().join("bookahead-out");
    fs::write(out.join("rigid-early/notes.txt"), "mine").unwrap();
    let held = files(&out);
    let line = told(dir.path(), FIRST);
    assert!(
        line.ends_with(
            "which is kept as bookahead-out.1, since rigid-early/notes.txt is no file of it\n"
        ),
        "{line}"
    );
    assert!(files(&dir.path().join("bookahead-out.1")) == held);
    assert_eq!(names(&out).len(), 6);
}

/// What `reproduce all` leaves, as far as names go.
#[test]
fn the_papers_and_the_sweep_beside_them_are_one_experiment() {
    let dir = folder();
    let out = dir.path().join("bookahead-out");
    let manifest = |command: &str, paper: &str, runs: &str| {
        format!(
            "{{\"command\": \"{command}\", \"options\": {{\"paper\": \"{paper}\"}}, \"version\": \"0.1.0\", \"runs\": [\"{runs}\"]}}"
        )
    };
    for (file, text) in [
        ("experiment.json", manifest("reproduce", "all", "li/sample")),
        ("li/experiment.json", manifest("reproduce", "all", "sample")),
        ("li/claims.csv", String::new()),
        ("li/runs.bin", String::new()),
        ("li/sample/jobs.csv", String::new()),
        (
            "strategies/experiment.json",
            "{\"command\": \"sweep\", \"options\": {}, \"version\": \"0.1.0\", \"number_of_runs\": 1, \"plan_hash\": \"0\"}".to_owned(),
        ),
        ("strategies/runs.bin", String::new()),
        ("strategies/samples.csv", String::new()),
    ] {
        let file = out.join(file);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    let line = told(dir.path(), FIRST);
    assert!(
        line.ends_with("(reproduce of version 0.1.0), which is replaced\n"),
        "{line}"
    );
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    assert_eq!(names(&out).len(), 6);
}

#[test]
fn nothing_of_a_replaced_experiment_stays() {
    let dir = folder();
    let copies = "simulate --quiet --workload poisson --jobs 20 --sites 2 --redundancy copies:2 --strategy fit,overlay --binding late";
    succeed(dir.path(), copies);
    assert!(
        dir.path()
            .join("bookahead-out/overlay-late/replicas.csv")
            .exists()
    );
    told(dir.path(), FIRST);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    assert_eq!(names(&dir.path().join("bookahead-out")).len(), 6);
}

#[test]
fn files_of_nobodys_experiment_are_never_overwritten() {
    for place in ["mine", "mine/pe-best-fit-early"] {
        let dir = folder();
        fs::create_dir_all(dir.path().join(place)).unwrap();
        let file = dir.path().join(place).join("jobs.csv");
        fs::write(&file, "mine").unwrap();
        let line = "simulate --quiet --jobs 20 --policy first-fit,pe-best-fit --out mine --force";
        let message = fail(dir.path(), line, 2);
        assert_begins(
            &message,
            &format!("error: {place}/jobs.csv: is there, and no experiment.json in mine says"),
        );
        assert_eq!(fs::read_to_string(file).unwrap(), "mine");
    }
}

#[test]
fn a_manifest_that_names_files_elsewhere_is_refused() {
    let dir = folder();
    succeed(dir.path(), TWO);
    let file = dir.path().join("runs/experiment.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("pe-best-fit-early", "../other")).unwrap();
    for line in ["check runs", "report runs", TWO] {
        assert_eq!(
            fail(dir.path(), line, 2),
            "error: runs/experiment.json, field runs: found \"../other\", expected a name inside the folder\n"
        );
    }
}

#[test]
fn missing_runs_are_named() {
    let dir = folder();
    succeed(dir.path(), TWO);
    let runs = dir.path().join("runs");
    fs::remove_file(runs.join("report.html")).unwrap();
    fs::remove_dir_all(runs.join("pe-best-fit-early")).unwrap();
    assert_eq!(
        fail(dir.path(), "check runs", 1),
        "error: runs: 1 violation\n"
    );
    assert_eq!(
        fail(dir.path(), "report runs", 1),
        "error: runs: not finished, 1 run missing:\n  pe-best-fit-early\nthe same command that began them makes what is missing\n"
    );
    let report = fs::read_to_string(runs.join("report.html")).unwrap();
    assert!(report.contains("Not in the folder, so not in this report: pe-best-fit-early/."));
    // Nothing has been done yet.
    fs::remove_dir_all(runs.join("first-fit-early")).unwrap();
    fail(dir.path(), "check runs", 1);
    fail(dir.path(), "report runs", 1);
}

#[test]
fn an_empty_subfolder_is_no_run_that_passes() {
    let dir = folder();
    succeed(dir.path(), TWO);
    let runs = dir.path().join("runs");
    fs::remove_dir_all(runs.join("pe-best-fit-early")).unwrap();
    fs::create_dir(runs.join("pe-best-fit-early")).unwrap();
    fail(dir.path(), "check runs", 1);
    fs::remove_file(runs.join("experiment.json")).unwrap();
    fail(dir.path(), "check runs", 1);
    fail(dir.path(), "report runs", 1);
}

#[test]
fn runs_of_strangers_are_not_reported() {
    let dir = folder();
    succeed(
        dir.path(),
        "simulate --quiet --jobs 20 --out runs/rigid-early --strategy rigid",
    );
    succeed(dir.path(), TWO);
    let report = fs::read_to_string(dir.path().join("runs/report.html")).unwrap();
    assert!(report.contains("pe-best-fit") && !report.contains("rigid"));
    assert!(!succeed(dir.path(), "check runs").contains("rigid"));
}

#[test]
fn a_reproduction_takes_no_folder_of_another_experiment_and_shows_no_run_of_strangers() {
    let dir = folder();
    succeed(dir.path(), TWO);
    let message = fail(dir.path(), "reproduce li --quick --out runs", 2);
    assert_begins(
        &message,
        "error: runs: holds another experiment (simulate of version ",
    );

    let job = "1 400 -1 600 8 -1 -1 8 900 -1 1 -1 -1 -1 -1 -1 -1 -1\n";
    fs::write(
        dir.path().join("tiny.swf"),
        format!("; MaxProcs: 512\n; MaxNodes: 64\n{job}"),
    )
    .unwrap();
    succeed(
        dir.path(),
        "simulate --quiet --jobs 20 --out out/stranger --strategy rigid",
    );
    succeed(
        dir.path(),
        "reproduce sulistio --workload tiny.swf --quick --out out --quiet",
    );
    let report = fs::read_to_string(dir.path().join("out/report.html")).unwrap();
    assert_says(&report, "1 sample run shown in detail below");
    assert_eq!(succeed(dir.path(), "check out").lines().count(), 1);
}

#[test]
fn results_do_not_go_into_a_file() {
    let dir = folder();
    fs::write(dir.path().join("file"), "mine").unwrap();
    assert_eq!(
        fail(dir.path(), "simulate --jobs 20 --out file", 2),
        "error: file: found a file, expected a folder for results\n"
    );
}

#[test]
fn a_folder_of_experiments_is_checked_one_by_one() {
    let dir = folder();
    succeed(dir.path(), &TWO.replace("--out runs", "--out all/a"));
    let one = "simulate --quiet --jobs 20";
    succeed(dir.path(), &format!("{one} --out all/b"));
    succeed(dir.path(), &format!("{one} --replications 2 --out all/c"));
    fs::create_dir(dir.path().join("all/notes")).unwrap();
    assert_eq!(
        succeed(dir.path(), "check all"),
        "all/a/first-fit-early: 20 requests, 0 violations\nall/a/pe-best-fit-early: 20 requests, 0 violations\n\
         all/b: 20 requests, 0 violations\nall/c: a sweep of 2 runs, 0 violations\n\
         3 folders: 0 with violations, 0 that cannot be judged\n"
    );
    for file in ["all/a/pe-best-fit-early/jobs.csv", "all/b/metrics.json"] {
        fs::remove_file(dir.path().join(file)).unwrap();
    }
    let told = fail(dir.path(), "check all", 1);
    assert_eq!(told, "error: all/a: 1 violation; all/b: 1 violation\n");
    // What cannot be read is no reason not to judge the others.
    fs::write(dir.path().join("all/a/pe-best-fit-early/metrics.json"), "").unwrap();
    let [said, told] = ends(dir.path(), "check all", 1);
    assert_eq!(
        said,
        "all/b: 20 requests, 1 violation\n  metrics.json is missing, so the run is not finished\n\
         all/c: a sweep of 2 runs, 0 violations\n3 folders: 1 with violations, 1 that cannot be judged\n"
    );
    assert_begins(
        &told,
        "error: all/a/pe-best-fit-early/metrics.json, line 1: ",
    );
    assert!(
        told.ends_with("error: all/b: 1 violation; 1 folder cannot be judged\n"),
        "{told}"
    );
}
