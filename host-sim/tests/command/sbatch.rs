//! `sweep --sbatch`: the scripts for Slurm, run by a stand-in that hands the jobs of an array to a shell one after the other.

use std::{env, fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use crate::{assert_says, bookahead, cases::assert_refused, fail, files, folder, succeed};

const PLAN: &str = "seed = 3\nreplications = 2\nmeasures = [\"acceptance_rate\"]\n[run]\nworkload = \"lublin\"\njobs = 60\n\
                    slot_seconds = 60\nslots = 2048\npolicy = [\"first-fit\", \"pe-worst-fit\", \"pe-best-fit\"]\nbinding = [\"early\", \"late\"]\n";

/// An `sbatch` that writes down how it was called and numbers what it is given.
const SBATCH: &str = "#!/bin/sh\necho \"$@\" >> \"$SBATCH_LOG\"\nwc -l < \"$SBATCH_LOG\"\n";

fn scripts(dir: &Path, options: &str) -> String {
    succeed(
        dir,
        &format!("sweep plan.toml --sbatch {options} --out grid"),
    )
}

/// Runs a script as Slurm does, with the number of its job in the array.
fn run(dir: &Path, script: &str, task: Option<usize>) {
    let mut shell = Command::new("sh");
    shell.arg(dir.join(script)).current_dir("/");
    if let Some(task) = task {
        shell.env("SLURM_ARRAY_TASK_ID", task.to_string());
    }
    let done = shell.output().unwrap();
    assert!(done.status.success(), "{script} {task:?}: {done:?}");
}

#[test]
fn the_jobs_come_to_the_bytes_of_one_machine() {
    let dir = folder();
    fs::write(dir.path().join("plan.toml"), PLAN).unwrap();
    succeed(dir.path(), "sweep plan.toml --out whole");
    let said = scripts(dir.path(), "--tasks 4");
    assert_says(&said, "each of 4 jobs asks for 2 min 0 s and ");
    let array = fs::read_to_string(dir.path().join("grid/array.sbatch")).unwrap();
    for line in [
        "#SBATCH --array=1-4",
        "#SBATCH --requeue",
        "#SBATCH --time=2",
    ] {
        assert!(array.lines().any(|one| one == line), "{line} in {array}");
    }
    // Twice, as a job that was requeued, and in any order.
    for task in [3, 1, 3, 4, 2] {
        run(dir.path(), "grid/array.sbatch", Some(task));
    }
    run(dir.path(), "grid/merge.sbatch", None);
    let whole = files(&dir.path().join("whole"));
    let grid = files(&dir.path().join("grid"));
    for (file, bytes) in &whole {
        assert!(grid.get(file) == Some(bytes), "{}", file.display());
    }
    assert_eq!(
        succeed(dir.path(), "check grid"),
        "grid: a sweep of 12 runs, 0 violations\n"
    );
}

#[test]
fn both_jobs_are_handed_in_and_one_waits_for_the_other() {
    let dir = folder();
    fs::write(dir.path().join("plan.toml"), PLAN).unwrap();
    let programs = dir.path().join("bin");
    fs::create_dir(&programs).unwrap();
    let sbatch = programs.join("sbatch");
    fs::write(&sbatch, SBATCH).unwrap();
    fs::set_permissions(&sbatch, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", programs.display(), env::var("PATH").unwrap());
    let log = dir.path().join("log");
    let submit = |path: &str| {
        let mut command = bookahead();
        command.current_dir(dir.path()).env("PATH", path);
        command.env("SBATCH_LOG", &log);
        command.args("sweep plan.toml --sbatch --submit --out grid".split(' '));
        command.output().unwrap()
    };
    let done = submit(&path);
    let said = String::from_utf8(done.stdout).unwrap();
    assert_says(
        &said,
        "submitted: array 1 of 6 jobs, and job 2, which merges into ",
    );
    let grid = dir.path().join("grid").canonicalize().unwrap();
    let grid = grid.display();
    assert_eq!(
        fs::read_to_string(&log).unwrap(),
        format!(
            "--parsable {grid}/array.sbatch\n--parsable --dependency=afterany:1 {grid}/merge.sbatch\n"
        )
    );
    let none = submit("/nowhere");
    assert_eq!(none.status.code(), Some(2));
    let said = String::from_utf8(none.stderr).unwrap();
    assert!(said.contains("sbatch cannot be run"), "{said}");
}

#[test]
fn options_without_effect_are_named() {
    let dir = folder();
    fs::write(dir.path().join("plan.toml"), PLAN).unwrap();
    assert_refused(
        r"
--tasks 2
    …--tasks is only for --sbatch…
--submit
    …--submit is only for --sbatch…
--sbatch --shard 1/2
    …--shard: with --sbatch every job…
--sbatch --tasks 7
    …--tasks 7: the plan has 6 points…
",
        |options| {
            fail(
                dir.path(),
                &format!("sweep plan.toml {options} --out grid"),
                2,
            )
        },
    );
    assert!(!dir.path().join("grid").exists());
    // Another experiment is not lost after hours of computing, but told at once.
    succeed(dir.path(), "simulate --jobs 20 --quiet --out grid");
    let said = fail(dir.path(), "sweep plan.toml --sbatch --out grid", 2);
    assert!(said.contains("holds another experiment"), "{said}");
}
