//! Jobs of the queue that end for reservations: what is written of them, which lies are noticed, and what is refused.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    cases::assert_refused,
    fail, folder,
    lies::{assert_lies_noticed, violations},
    succeed,
};

const REQUESTS: &str = include_str!("../../../examples/requests/preempting.csv");

const REPLAY: &str =
    "replay --requests requests.csv --pes 4 --slots 128 --slot-seconds 60 --out run";

fn made(dir: &Path) -> PathBuf {
    fs::write(dir.join("requests.csv"), REQUESTS).unwrap();
    succeed(dir, &format!("{REPLAY} --queue easy --preempt"));
    dir.join("run")
}

const MOVES: &str = "moves.csv";
const PIECES: &str = "pieces.csv";

#[test]
fn lies_about_jobs_that_end_for_reservations_are_noticed() {
    assert_lies_noticed(
        made,
        r#"
jobs.csv:
min_run=300 => min_run=301
    job 1: is to end at 300 for a reservation, before 360 when it has run for its minimum
min_run=300;  =>
    job 1: is to end at 300 for a reservation, although it may not be preempted
preempted=1 => preempted=2
    job 1: preempted: found 2, expected 1
pieces.csv:
1,0,300,0-2 => 1,0,300,1-3
    job 2: uses PE 3 at 0, as job 1 does
1,0,300,0-2 => 1,0,300,0-1
    job 1: processing elements: found 2, expected 3
1,0,300,0-2 => 1,0,360,0-2
    job 1: is preempted at 360, where no reservation ended it
1,0,300,0-2 => 1,60,300,0-2
    job 1: is preempted at 300, where no reservation ended it
1,0,300,0-2 => 4,0,300,0-2
    job 4: stands in pieces.csv, and is no job of the queue
moves.csv:
120,1,0,0,4,preempt,1200,300 => 120,1,0,0,5,preempt,1200,300
    job 1: is to end at 300 from 120 on, for which nothing was accepted and nothing left room
120,1,0,0,4,preempt,1200,300 => 120,1,0,0,4,preempt,1140,300
    job 1: its booking is changed at 120, and not from 0-1200 on 3 PEs to another end
120,1,0,0,4,preempt,1200,300 => 120,3,300,300,4,preempt,900,300
    job 3: its booking is changed at 120, when it does not run
jobs.csv:
600,900,240,840 => 600,900,241,840
    job 3: waiting_time: found 241, expected 240
metrics.json:
"preemptions": 1 => "preemptions": 2
    metrics.json, preemptions: found 2, expected 1
"preempted_pe_seconds": 900 => "preempted_pe_seconds": 901
    metrics.json, preempted_pe_seconds: found 901, expected 900
reservations.csv:
4,120,240,600,1500,2,accepted,,300,900 => 4,120,240,600,1500,2,accepted,,360,960
    job 1: is to end at 300 from 120 on, for which nothing was accepted and nothing left room
"#,
    );
}

#[test]
fn a_table_that_is_missing_or_too_many_is_noticed() {
    let dir = folder();
    let run = made(dir.path());
    let pieces = fs::read(run.join(PIECES)).unwrap();
    let only = "pieces.csv is there where jobs end for reservations, and only there";
    fs::remove_file(run.join(PIECES)).unwrap();
    assert_eq!(violations(&run)[0], only);
    succeed(dir.path(), &format!("{REPLAY} --queue easy --force"));
    assert!(!run.join(PIECES).exists() && !run.join(MOVES).exists());
    fs::write(run.join(PIECES), pieces).unwrap();
    assert_eq!(violations(&run)[0], only);
}

#[test]
fn what_does_not_go_with_preemption_is_refused() {
    let dir = folder();
    fs::write(dir.path().join("requests.csv"), REQUESTS).unwrap();
    assert_refused(
        r"
--preempt
    …--preempt: there is no queue…
--queue easy --min-run 60
    …--min-run is only for --preempt…
--queue easy --preempt --min-run -1
    …expected a whole number from 0 to 4,294,967,295…
--queue easy --preempt --remove-late
    …--remove-late: nobody reserves, so that no job makes room; leave out --preempt…
--queue easy --preempt --strategy juggle
    …--preempt: --strategy juggle makes room itself; say --strategy fit, rigid or elastic…
",
        |options| fail(dir.path(), &format!("{REPLAY} {options}"), 2),
    );
    fs::write(
        dir.path().join("requests.csv"),
        REQUESTS.replace("reservation,300,,", "reservation,300,1,"),
    )
    .unwrap();
    let said = fail(dir.path(), &format!("{REPLAY} --queue easy --preempt"), 2);
    let expected = "preemptible: found \"1\", expected an empty cell or 0";
    assert!(said.contains(expected), "{said}");
}
