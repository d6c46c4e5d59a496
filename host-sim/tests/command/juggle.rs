//! Juggling as a user starts it: what becomes of flexible reservations, and that the checker notices every kind of lie about it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{assert_says, cases::assert_refused, fail, folder, lies::assert_lies_noticed, succeed};

/// On four PEs with slots of 60 s.
///
/// ```text
/// 1   promised 60-180 on 3 PEs, gives way to 2 and then to 3, to 180-300; its start is fixed at 120
/// 4   is strict
/// 5   is refused at 300, and agrees to 240
/// 6   finds 1 fixed in its way
/// 7   promised 360-600, is over at 420
/// 8   promised 600-660, moves to 420 then
/// ```
const ROWS: &str = "\
job_id,arrival,ready,duration,deadline,pes,flexible,run_time
1,0,60,120,600,3,,
2,10,60,60,180,2,1,
3,20,120,60,240,4,1,
4,30,300,60,600,4,0,
5,40,300,60,360,1,1,45
6,130,180,60,240,2,1,
7,140,360,240,900,4,1,60
8,370,360,60,1000,4,1,
";

const REPLAY: &str = "replay --requests requests.csv --pes 4 --slots 64 --slot-seconds 60 --strategy juggle \
     --freeze share:0.5 --suggest-max 100 --replan --binding late --out run";

fn run(dir: &Path) -> PathBuf {
    fs::write(
        dir.join("requests.csv"),
        ROWS.replace("8,370,360", "8,370,370"),
    )
    .unwrap();
    succeed(dir, REPLAY);
    dir.join("run")
}

const RESERVATIONS: &str = "reservations.csv";
const MOVES: &str = "moves.csv";
const METRICS: &str = "metrics.json";

#[test]
fn every_move_is_told_in_the_files() {
    let dir = folder();
    let run = run(dir.path());
    let read = |name: &str| fs::read_to_string(run.join(name)).unwrap();
    assert_eq!(
        read(MOVES),
        "\
time,job_id,old_start,new_start,cause_job_id,cause,old_end,new_end,old_pes,new_pes
10,1,60,120,2,juggle,180,240,3,3
20,1,120,180,3,juggle,240,300,3,3
420,8,600,420,7,replan,660,480,4,4
"
    );
    assert_eq!(
        read(RESERVATIONS),
        "\
job_id,arrival,ready,duration,deadline,pes,decision,reason,start,end,slowdown,flexible,agreed_ready,agreed_deadline,final_start,fixed_at
1,0,60,120,600,3,accepted,,60,180,2.000000,1,,,180,120
2,10,60,60,180,2,accepted,,60,120,1.000000,1,,,60,60
3,20,120,60,240,4,accepted,,120,180,1.000000,1,,,120,60
4,30,300,60,600,4,accepted,,300,360,1.000000,0,,,300,300
5,40,300,60,360,1,accepted,,240,300,0.000000,1,240,300,240,120
6,130,180,60,240,2,refused,no-room,,,,1,,,,
7,140,360,240,900,4,accepted,,360,600,1.000000,1,,,360,240
8,370,370,60,1000,4,accepted,,600,660,1.833333,1,,,420,420
"
    );
    let agreed = "not before second 300 and over by second 360.\n\
        It was refused there. Another window was suggested to it and agreed on: not before second 240 and over by second 300.\n\
        It was promised second 240 to second 300.\n";
    assert_says(&succeed(dir.path(), "explain run 5"), agreed);
    let metrics = crate::json(&run.join(METRICS));
    let counts = ["moves", "moved", "frozen", "suggested"].map(|name| metrics[name].as_u64());
    assert_eq!(counts, [3, 2, 4, 1].map(Some));
    let checked = succeed(dir.path(), "check run");
    assert!(checked.contains("0 violations"), "{checked}");
    let report = fs::read_to_string(run.join("report.html")).unwrap();
    for words in [
        "2 (3 moves)",
        "<rect class=\"before\"",
        "makes room for job 3, which arrives",
        "job 7 has given something back",
    ] {
        assert!(report.contains(words), "{words}");
    }
}

#[test]
fn moves_that_a_promise_forbids_are_noticed() {
    assert_lies_noticed(
        run,
        r"
moves.csv:
20,1,120,180,3,juggle,240,300,3,3 => 20,1,120,540,3,juggle,240,660,3,3
    job 1: moves.csv: moved at 20 to 540-660 on 3 PEs, outside of 60-600, into the past or to no edge of a slot
420,8,600,420,7,replan,660,480,4,4 => 420,8,600,360,7,replan,660,420,4,4
    job 8: moves.csv: moved at 420 to 360-420 on 4 PEs, outside of 370-1000, into the past or to no edge of a slot
20,1,120,180,3,juggle,240,300,3,3 => 20,1,120,190,3,juggle,240,310,3,3
    job 1: moves.csv: moved at 20 to 190-310 on 3 PEs, outside of 60-600, into the past or to no edge of a slot
20,1,120,180,3,juggle,240,300,3,3 => 20,1,120,240,3,juggle,240,360,3,3
    job 4: books 300-360 on 4 PEs at 30, when 7 of 4 PEs are taken
20,1,120,180,3,juggle,240,300,3,3 => 20,1,120,180,3,juggle,240,300,3,2
    job 1: moves.csv: moved at 20 from 120-240 on 3 PEs to 180-300 on 2 PEs, expected the same elsewhere
420,8,600,420,7,replan,660,480,4,4 => 420,4,300,420,7,replan,360,480,4,4
    job 4: moves.csv: moved at 420, although it is not flexible
420,8,600,420,7,replan,660,480,4,4 => 420,7,360,420,8,replan,600,660,4,4
    job 7: moves.csv: moved at 420, when it is not waiting
420,8,600,420,7,replan,660,480,4,4 => 420,6,600,420,7,replan,660,480,4,4
    job 6: moves.csv: moved at 420, but nothing is booked for it
",
    );
}

#[test]
fn a_limit_that_is_not_set_is_no_reason() {
    assert_lies_noticed(
        run,
        r"
reservations.csv:
refused,no-room => refused,move-limit
    job 6: refused for move-limit, but the row deserves no-room or table-full
refused,no-room => refused,work-limit
    job 6: refused for work-limit, but the row deserves no-room or table-full
",
    );
}

#[test]
fn moves_that_do_not_follow_from_each_other_are_noticed() {
    assert_lies_noticed(
        run,
        r"
moves.csv:
20,1,120,180,3,juggle,240,300,3,3 => 20,1,60,180,3,juggle,180,300,3,3
    job 1: moves.csv: moved at 20 from 60-180 on 3 PEs, but booked was 120-240 on 3 PEs
420,8,600,420,7,replan,660,480,4,4\n =>
    job 8: final_start: found 420, expected 600
10,1,60,120,2, => 30,1,60,120,2,
    job 1: moves.csv: moved at 20, below a row of 30
10,1,60,120,2, => 10,1,60,120,4,
    job 1: moves.csv: moved at 10 because of job 4, which explains no move then
420,8,600,420,7, => 420,8,600,420,,
    job 8: moves.csv: moved at 420 because of nothing, which explains no move then
420,8,600,420,7, => 420,8,600,420,4,
    job 4: moves.csv: others moved at 420 because of it, when it gave nothing back
10,1,60,120,2, => 10,1,60,120,1,
    job 1: moves.csv: moves at 10 because of itself
20,1,120,180,3,juggle,240,300,3,3 => 20,1,120,240,3,juggle,240,360,3,3\n20,1,240,180,3,juggle,360,300,3,3
    job 1: moves.csv: moved twice at 20
",
    );
}

#[test]
fn what_a_reservation_is_told_of_its_start_is_checked() {
    assert_lies_noticed(
        run,
        r#"
metrics.json:
share:0.5 => acceptance
    job 1: moves.csv: moved at 10, although its start is fixed since 0
share:0.5 => lead:120
    job 3: fixed_at: found 60, expected 0
share:0.5 => sometimes
    metrics.json, freeze: found "sometimes", expected when starts become fixed, and nothing but where something is moved
"move_limit": null => "move_limit": 0
    job 1: moves.csv: 1 moves at 10, over the limit
"replan": true => "replan": false
    job 8: moves.csv: moved at 420 by replan, which the settings rule out
"moved": 2 => "moved": 3
    metrics.json, moved: found 3, expected 2
"frozen": 4 => "frozen": 5
    metrics.json, frozen: found 5, expected 4
"suggest_max": 100 => "suggest_max": 99
    job 5: agreed on 240-300 instead of 300-360, which nobody may suggest
reservations.csv:
,1,240,300,240,120 => ,1,240,360,240,120
    job 5: agreed on 240-360 instead of 300-360, which nobody may suggest
,1,240,300,240,120 => ,1,,,240,120
    job 5: promised 240, before its ready time 300
1,,,180,120 => 1,,,180,180
    job 1: fixed_at: found 180, expected 120
1,,,180,120 => 0,,,180,180
    job 1: moves.csv: moved at 10, although it is not flexible
1,,,180,120 => 1,,,120,120
    job 1: final_start: found 120, expected 180
"#,
    );
}

#[test]
fn moves_need_their_file() {
    let dir = folder();
    let run = run(dir.path());
    fs::remove_file(run.join(MOVES)).unwrap();
    let output = fail(dir.path(), "check run", 1);
    assert!(output.contains("violation"), "{output}");
}

#[test]
fn options_of_juggling_are_checked_before_anything_runs() {
    let dir = folder();
    fs::write(dir.path().join("requests.csv"), ROWS).unwrap();
    let start = "replay --requests requests.csv --pes 4 --slots 64 --strategy";
    assert_refused(
        r"
juggle --order soonest
    …[possible values: edf, lff, bjf, fifo, shuffle, revenue]…
juggle --admission never
    …[possible values: plain-first, always]…
juggle --freeze later
    …expected never, acceptance, share:X…
juggle --freeze share:1.5
    …expected never, acceptance, share:X…
juggle --suggest-max 0
    …expected a whole number from 1 to…
juggle --order revenue
    …nothing costs anything; say --price…
fit --move-limit 3
    …--move-limit is only for --strategy juggle…
rigid --replan
    …--replan is only for --strategy juggle…
",
        |options| fail(dir.path(), &format!("{start} {options} --out out"), 2),
    );
    assert!(!dir.path().join("out").exists());
    let bad = ROWS.replace("2,10,60,60,180,2,1,", "2,10,60,60,180,2,yes,");
    fs::write(dir.path().join("requests.csv"), bad).unwrap();
    let message = fail(dir.path(), &format!("{start} juggle"), 2);
    assert_says(
        &message,
        "line 3, field flexible: found \"yes\", expected 1, 0 or an empty cell",
    );
}

#[test]
fn flexible_shares_are_keys_of_a_sweep() {
    let dir = folder();
    let plan = "\
seed = 1
replications = 2
measures = [\"acceptance_rate\", \"moves\"]

[run]
workload = \"poisson\"
jobs = 60
mean_gap = 60
pes = 32
slots = 4096
slot_seconds = 10
strategy = \"juggle\"
order = [\"edf\", \"shuffle\"]
flexible_share = [0.5, 1.0]
interval = 200
freeze = \"lead:600\"
binding = \"late\"
replan = true
";
    fs::write(dir.path().join("plan.toml"), plan).unwrap();
    succeed(dir.path(), "sweep plan.toml --out grid");
    let samples = fs::read_to_string(dir.path().join("grid/samples.csv")).unwrap();
    assert_eq!(samples.lines().count(), 1 + 2 * 2 * 2);
    let header = "order,flexible_share,replication,seed,acceptance_rate,moves";
    assert_eq!(samples.lines().next(), Some(header));
    let moved = |line: &&str| !line.ends_with(",0");
    assert!(
        samples.lines().skip(1).filter(moved).count() > 2,
        "{samples}"
    );
}
