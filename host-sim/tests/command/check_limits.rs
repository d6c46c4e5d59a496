//! A refusal for a limit on moves needs reservations that could have been moved.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{check::assert_noticed, check::tampered_with, folder, succeed};

const RESERVATIONS: &str = "reservations.csv";

/// On four PEs with slots of 60 s: 1 can move or cannot, 2 is refused in any case.
fn replayed(dir: &Path, deadline: u64, options: &str) -> PathBuf {
    let rows = format!("1,0,60,120,{deadline},3,1\n2,10,60,120,180,4,1\n3,10,60,120,180,4,1\n");
    let header = "job_id,arrival,ready,duration,deadline,pes,flexible\n";
    let second = match deadline {
        180 => rows,
        // One that cannot be shifted makes room for nobody.
        _ => rows
            .replace("3,10,60,120,180,4,1", "3,20,60,120,180,4,1")
            .replace("2,10,60,120,180,4,1", "2,10,60,120,180,1,0"),
    };
    fs::write(dir.join("requests.csv"), format!("{header}{second}")).unwrap();
    succeed(
        dir,
        &format!(
            "replay --requests requests.csv --pes 4 --slots 64 --slot-seconds 60 {options} --out run"
        ),
    );
    dir.join("run")
}

fn nobody_can_move(dir: &Path) -> PathBuf {
    replayed(dir, 180, "--strategy shift")
}

fn somebody_can_move(dir: &Path) -> PathBuf {
    replayed(dir, 600, "--strategy shift")
}

fn nobody_is_pushed(dir: &Path) -> PathBuf {
    replayed(dir, 600, "--strategy shift --depth 0")
}

fn all_arrangements(dir: &Path) -> PathBuf {
    replayed(dir, 600, "--strategy shift --insertion fewest-moves")
}

fn one_may_move(dir: &Path) -> PathBuf {
    replayed(dir, 600, "--strategy juggle --move-limit 1")
}

const THIRD: &str = "180,4,refused,no-room";

#[test]
fn a_limit_on_moves_is_no_reason_where_nothing_can_move() {
    let rows: [(fn(&Path) -> PathBuf, &str, u64, u64); 4] = [
        (nobody_can_move, "3,10,60,120,180,4,refused,no-room", 0, 1),
        (nobody_is_pushed, "3,20,60,120,180,4,refused,no-room", 1, 0),
        (all_arrangements, "3,20,60,120,180,4,refused,no-room", 1, 17),
        (one_may_move, "3,20,60,120,180,4,refused,no-room", 1, 2),
    ];
    for (make, row, could, needed) in rows {
        let problem = match needed {
            0 => "job 3: refused for move-limit, but at depth 0 nothing is moved".to_owned(),
            _ => format!(
                "job 3: refused for move-limit, but so few reservations could be moved: found {could}, expected {needed} or more"
            ),
        };
        assert_noticed(
            make,
            RESERVATIONS,
            row,
            &row.replace("no-room", "move-limit"),
            &problem,
        );
    }
}

#[test]
fn where_something_can_move_slides_may_end_at_a_limit() {
    let violations = tampered_with(
        somebody_can_move,
        RESERVATIONS,
        THIRD,
        "180,4,refused,move-limit",
    );
    let about_rows = violations
        .iter()
        .filter(|violation| violation.starts_with("job "));
    assert_eq!(about_rows.count(), 0, "{violations:#?}");
}

/// Runs with each kind of limit, some of which are reached.
#[test]
fn nothing_is_wrong_where_limits_are_reached() {
    for (options, reached) in [
        ("--strategy shift --binding early", true),
        ("--strategy shift --binding late --move-limit 1", true),
        (
            "--strategy shift --insertion fewest-moves --binding late --move-limit 2 --jobs 120",
            true,
        ),
        ("--strategy juggle --binding late --move-limit 2", true),
        (
            "--strategy juggle-shift --binding late --move-limit 3",
            true,
        ),
    ] {
        let dir = folder();
        succeed(
            dir.path(),
            &format!(
                "simulate --umed 8 --arrival-factor 2 --slots 4096 --k-over 1.2-3 --deadline-factor 0.5 {} {options} --out run",
                if options.contains("--jobs") {
                    ""
                } else {
                    "--jobs 300"
                }
            ),
        );
        let rows = fs::read_to_string(dir.path().join("run/reservations.csv")).unwrap();
        assert_eq!(rows.contains("refused,move-limit"), reached, "{options}");
        succeed(dir.path(), "check run");
    }
}
