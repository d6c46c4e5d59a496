//! Parts of a sweep that are made apart.

use std::fs;

use super::{PLAN, TINY, assert_timed, write_plan};
use crate::{assert_begins, assert_says, fail, files, folder, frames, succeed, told};

#[test]
fn shards_come_to_the_bytes_of_the_whole() {
    let dir = folder();
    write_plan(dir.path(), PLAN);
    succeed(dir.path(), "sweep plan.toml --out whole --threads 2");
    for shard in 1..=3 {
        succeed(
            dir.path(),
            &format!("sweep plan.toml --shard {shard}/3 --out shard-{shard} --threads 1"),
        );
        succeed(dir.path(), &format!("check shard-{shard}"));
    }
    let incomplete = fail(dir.path(), "merge shard-3 shard-1 --out merged", 1);
    assert_begins(
        &incomplete,
        "error: not finished, 9 runs missing:\n  point 1, replication 1 (umed 5, strategy fit, binding late)\n",
    );
    assert!(
        incomplete.ends_with("\nnot among the folders: shard 2/3\n"),
        "{incomplete}"
    );
    assert!(!dir.path().join("merged").exists());
    succeed(dir.path(), "merge shard-3 shard-1 shard-2 --out merged");
    let tree = |name: &str| files(&dir.path().join(name));
    assert!(tree("merged") == tree("whole"));
    assert_timed(&dir.path().join("merged"), 24);
    // What is merged is a sweep like any other.
    let told = told(dir.path(), "sweep plan.toml --out merged");
    assert_begins(
        &told,
        "8 points of 3 replications: 24 runs, 24 of them finished before (the warnings at the end are not about those)\n",
    );
    assert!(tree("merged") == tree("whole"));

    // More shards than points: the last has nothing to do.
    succeed(dir.path(), "sweep plan.toml --shard 9/9 --out empty");
    assert_eq!(
        succeed(dir.path(), "check empty"),
        "empty: a sweep of 0 runs, 0 violations\n"
    );

    write_plan(dir.path(), &PLAN.replace("seed = 3", "seed = 4"));
    succeed(dir.path(), "sweep plan.toml --shard 2/3 --out other");
    let message = fail(dir.path(), "merge shard-1 other shard-3 --out mixed", 2);
    assert_eq!(
        message,
        "error: other: holds another sweep than shard-1, or one of another version\n"
    );
    assert_eq!(
        fail(dir.path(), "merge none --out mixed", 2),
        "error: none: holds no shard of a sweep\n"
    );
    let message = fail(dir.path(), "sweep plan.toml --out whole", 2);
    assert_begins(
        &message,
        "error: whole: holds another experiment (sweep of version ",
    );
    succeed(dir.path(), "sweep plan.toml --out whole --force");
    assert!(tree("merged") != tree("whole"));
}

#[test]
fn what_is_wrong_with_the_runs_of_a_shard_is_named() {
    let dir = folder();
    write_plan(dir.path(), TINY);
    succeed(dir.path(), "sweep plan.toml --out whole");
    succeed(dir.path(), "sweep plan.toml --shard 1/2 --out one");
    succeed(dir.path(), "sweep plan.toml --shard 2/2 --out two");
    let runs = dir.path().join("one/runs.bin");
    let good = fs::read(&runs).unwrap();
    let frames = frames(&good);
    // A run that is there twice, in a file or in two of them.
    fs::write(&runs, [&good[..], &good[frames[0].clone()]].concat()).unwrap();
    succeed(dir.path(), "check one");
    succeed(dir.path(), "merge two one one --out merged");
    assert!(files(&dir.path().join("merged")) == files(&dir.path().join("whole")));

    let mut flipped = good.clone();
    flipped[frames[1].start + 14] ^= 1;
    let foreign = fs::read(dir.path().join("two/runs.bin")).unwrap();
    write_plan(dir.path(), &TINY.replace("[2, 4]", "[2, 5]"));
    succeed(dir.path(), "sweep plan.toml --shard 1/2 --out other");
    write_plan(dir.path(), TINY);
    let other = fs::read(dir.path().join("other/runs.bin")).unwrap();
    let cut = good[..good.len() - 1].to_vec();
    for (bytes, missing, words) in [
        (flipped, 1, "one/runs.bin: damaged from byte "),
        (cut, 1, " bytes are no whole run\n"),
        (
            Vec::new(),
            4,
            "missing:\n  point 0, replication 1 (jobs 3, pes 2)\n",
        ),
        (
            other,
            4,
            "one/runs.bin: begins otherwise than the runs of this plan in this version",
        ),
        (foreign, 4, " does not belong here\n"),
    ] {
        fs::write(&runs, bytes).unwrap();
        let begin = format!("not finished, {missing} run");
        for line in ["check one", "merge one two --out again"] {
            let told = fail(dir.path(), line, 1);
            assert!(
                told.contains(&begin) && told.contains(words),
                "{line}: {told}"
            );
        }
        let told = told(dir.path(), "sweep plan.toml --shard 1/2 --out one");
        let finished = match 4 - missing {
            0 => ": 4 runs\n".to_owned(),
            finished => format!(
                ": 4 runs, {finished} of them finished before (the warnings at the end are not about those)\n"
            ),
        };
        assert_says(&told, &finished.replacen(": ", " has ", 1));
        succeed(dir.path(), "check one");
        succeed(dir.path(), "merge one two --out merged");
        assert!(files(&dir.path().join("merged")) == files(&dir.path().join("whole")));
    }
    fs::remove_file(&runs).unwrap();
    assert!(fail(dir.path(), "check one", 1).contains("not finished, 4 runs missing"));
    fs::create_dir(&runs).unwrap();
    for line in [
        "check one",
        "merge one two --out again",
        "sweep plan.toml --shard 1/2 --out one",
    ] {
        let told = fail(dir.path(), line, 1);
        assert!(told.starts_with("error: one/runs.bin: "), "{line}: {told}");
    }
    assert!(!dir.path().join("again").exists());
}
