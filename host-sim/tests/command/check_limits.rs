//! A refusal for a limit on moves needs reservations that could have been moved.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    folder,
    lies::{assert_noticed, tampered_with},
    succeed,
};

const RESERVATIONS: &str = "reservations.csv";

/// One that stands in the way of job 3 and has no other start.
const FIXED: &str = "1,0,60,120,180,3,1\n";
/// One that could move, and one that stays in the way all the same.
const MOVABLE: &str = "1,0,60,120,600,3,1\n2,10,60,120,180,1,0\n";
/// Who is refused.
const THIRD: &str = "3,20,60,120,180,4";

/// On four PEs with slots of 60 s.
fn replayed(dir: &Path, others: &str, options: &str) -> PathBuf {
    let header = "job_id,arrival,ready,duration,deadline,pes,flexible\n";
    fs::write(
        dir.join("requests.csv"),
        format!("{header}{others}{THIRD},1\n"),
    )
    .unwrap();
    succeed(
        dir,
        &format!(
            "replay --requests requests.csv --pes 4 --slots 64 --slot-seconds 60 {options} --out run"
        ),
    );
    dir.join("run")
}

fn nobody_can_move(dir: &Path) -> PathBuf {
    replayed(dir, FIXED, "--strategy shift")
}

fn somebody_can_move(dir: &Path) -> PathBuf {
    replayed(dir, MOVABLE, "--strategy shift")
}

fn nobody_is_pushed(dir: &Path) -> PathBuf {
    replayed(dir, MOVABLE, "--strategy shift --depth 0")
}

fn all_arrangements(dir: &Path) -> PathBuf {
    replayed(dir, MOVABLE, "--strategy shift --insertion fewest-moves")
}

fn one_may_move(dir: &Path) -> PathBuf {
    replayed(dir, MOVABLE, "--strategy juggle --move-limit 1")
}

/// What is said where the third is said to be refused for a limit on moves.
#[track_caller]
fn assert_no_reason(make: fn(&Path) -> PathBuf, problem: &str) {
    let [old, new] = ["no-room", "move-limit"].map(|reason| format!("{THIRD},refused,{reason}"));
    let expected = format!("job 3: refused for move-limit, but {problem}");
    assert_noticed(make, RESERVATIONS, &old, &new, &expected);
}

#[test]
fn a_limit_on_moves_is_no_reason_where_too_few_can_move() {
    assert_no_reason(nobody_is_pushed, "at depth 0 nothing is moved");
    let few = |could, needed| {
        format!("so few reservations could be moved: found {could}, expected {needed} or more")
    };
    assert_no_reason(nobody_can_move, &few(0, 1));
    assert_no_reason(all_arrangements, &few(1, 17));
    assert_no_reason(one_may_move, &few(1, 2));
}

#[test]
fn where_one_can_move_slides_may_end_at_a_limit() {
    let violations = tampered_with(
        somebody_can_move,
        RESERVATIONS,
        "refused,no-room",
        "refused,move-limit",
    );
    let about_rows = violations.iter();
    let about_rows = about_rows.filter(|violation| violation.starts_with("job "));
    assert_eq!(about_rows.count(), 0, "{violations:#?}");
}

/// Runs with each kind of limit, some of which are reached.
#[test]
fn nothing_is_wrong_where_limits_are_reached() {
    for options in [
        "--jobs 300 --strategy shift --binding early",
        "--jobs 300 --strategy shift --binding late --move-limit 1",
        "--jobs 120 --strategy shift --insertion fewest-moves --binding late --move-limit 2",
        "--jobs 300 --strategy juggle --binding late --move-limit 2",
        "--jobs 300 --strategy juggle-shift --binding late --move-limit 3",
    ] {
        let dir = folder();
        succeed(
            dir.path(),
            &format!(
                "simulate --umed 8 --arrival-factor 2 --slots 4096 --slot-seconds 60 --k-over 1.2-3 --deadline-factor 0.5 {options} --out run"
            ),
        );
        let rows = fs::read_to_string(dir.path().join("run/reservations.csv")).unwrap();
        assert!(rows.contains("refused,move-limit"), "{options}");
        succeed(dir.path(), "check run");
    }
}
