//! Request files with operations: what becomes of them, and that the checker notices every kind of lie about it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    assert_begins, assert_says,
    cases::assert_refused,
    fail, folder,
    lies::{assert_lies_noticed, tampered_with, violations},
    names, succeed, write_requests,
};

/// Every operation, done and not done, on four PEs with slots of 60 s.
///
/// ```text
/// 1   promised 60-180 on 2 PEs, shifted to 300-420, split at 360, gives one back at 330
/// 2   held 60-120 on 2 PEs for 120 s, confirmed
/// 3   promised 180-240 on 4 PEs, narrowed to 3, cancelled before its start
/// 9   promised 420-480 on 1 PE, widened to 2, extended to 540, over at 500
/// 11  second part of 1, goes to 600-660
/// 14  held 480-540, expires at 180
/// 19  promised 660-840 on 3 PEs, shortened to 780, cancelled at 750
/// 23  promised 900-960
/// ```
const ROWS: &str = "\
1,0,60,120,600,2,reserve,,
2,0,60,60,600,2,hold,,120
3,10,60,60,600,4,,0,0
4,20,0,0,0,0,confirm,2,0
5,30,250,,,,shift,1,
6,65,,180,,,extend,2,
7,70,,,,3,narrow,3,
8,80,,,,,cancel,3,
9,90,400,60,500,1,,,
10,95,,,,2,widen,9,
11,100,350,,,,split,1,
12,100,590,,719,,change-window,11,
13,120,,,,,cancel,99,
14,130,480,60,600,1,hold,,60
15,200,,,,,confirm,14,
16,330,,,,1,narrow,1,
17,430,,90,,,extend,9,
18,500,,,,,complete,9,
19,540,660,180,900,3,,,
20,700,,100,,,shorten,19,
21,750,,,,,cancel,19,
22,750,900,,,,shift,19,
23,760,900,60,1000,1,,,
24,770,910,,,,complete,23,
";

const HEADER: &str = "job_id,arrival,ready,duration,deadline,pes,op,target,ttl\n";

const REPLAY: &str = "replay --requests requests.csv --pes 4 --slots 64 --slot-seconds 60 --policy first-fit --out run";

fn run(dir: &Path) -> PathBuf {
    fs::write(dir.join("requests.csv"), format!("{HEADER}{ROWS}")).unwrap();
    succeed(dir, REPLAY);
    dir.join("run")
}

const JOBS: &str = "jobs.csv";
const RESERVATIONS: &str = "reservations.csv";
const OPERATIONS: &str = "operations.csv";
const MOVES: &str = "moves.csv";
const METRICS: &str = "metrics.json";

#[test]
fn every_operation_is_told_in_the_files() {
    let dir = folder();
    let run = run(dir.path());
    let read = |name: &str| fs::read_to_string(run.join(name)).unwrap();
    assert_eq!(
        read(OPERATIONS),
        "\
job_id,time,op,target,decision,reason,ready,duration,deadline,pes
4,20,confirm,2,accepted,,,,,
5,30,shift,1,accepted,,250,,,
6,65,extend,2,refused,no-room,,180,,
7,70,narrow,3,accepted,,,,,3
8,80,cancel,3,accepted,,,,,
10,95,widen,9,accepted,,,,,2
11,100,split,1,accepted,,350,,,
12,100,change-window,11,accepted,,590,,719,
13,120,cancel,99,refused,unknown-target,,,,
15,200,confirm,14,refused,ended-target,,,,
16,330,narrow,1,accepted,,,,,1
17,430,extend,9,accepted,,,90,,
18,500,complete,9,accepted,,,,,
20,700,shorten,19,accepted,,,100,,
21,750,cancel,19,accepted,,,,,
22,750,shift,19,refused,ended-target,900,,,
24,770,complete,23,refused,not-running,910,,,
"
    );
    assert_eq!(
        read(MOVES),
        "\
time,job_id,old_start,new_start,cause_job_id,cause,old_end,new_end,old_pes,new_pes
30,1,60,300,5,shift,180,420,2,2
70,3,180,180,7,narrow,240,240,4,3
95,9,420,420,10,widen,480,480,1,2
100,1,300,300,11,split,420,360,2,2
100,11,,360,11,split,,420,,2
100,11,360,600,12,change-window,420,660,2,2
330,1,300,300,16,narrow,360,360,2,1
430,9,420,420,17,extend,480,540,2,2
700,19,660,660,20,shorten,840,780,3,3
"
    );
    assert_eq!(
        read(RESERVATIONS),
        "\
job_id,arrival,ready,duration,deadline,pes,decision,reason,start,end,slowdown,op,ttl,final_start,fixed_at
1,0,60,120,600,2,accepted,,60,180,3.000000,reserve,,300,300
2,0,60,60,600,2,accepted,,60,120,1.000000,hold,120,60,60
3,10,60,60,600,4,accepted,,180,240,3.000000,reserve,,180,180
9,90,400,60,500,1,accepted,,420,480,1.333333,reserve,,420,420
14,130,480,60,600,1,accepted,,480,540,1.000000,hold,60,480,480
19,540,660,180,900,3,accepted,,660,840,1.000000,reserve,,660,660
23,760,900,60,1000,1,accepted,,900,960,1.000000,reserve,,900,900
"
    );
    let jobs = read(JOBS);
    let jobs: Vec<&str> = jobs.lines().skip(1).collect();
    let ran = "COMPLETED_SUCCESSFULLY";
    assert_eq!(
        jobs,
        [
            format!(
                "1,requests.csv,reservation,0,2,120,1,{ran},300,60,360,300,360,6.000000,0,-1,gave back 1 at 330"
            ),
            format!("2,requests.csv,reservation,0,2,60,1,{ran},60,60,120,60,120,2.000000,2-3,-1,"),
            "3,requests.csv,reservation,10,4,60,0,REJECTED,,,,,,,,-1,cancelled".to_owned(),
            format!(
                "9,requests.csv,reservation,90,1,60,1,{ran},420,80,500,330,410,5.125000,0-1,-1,"
            ),
            format!("11,requests.csv,split,100,2,60,1,{ran},600,60,660,500,560,9.333333,0-1,-1,"),
            "14,requests.csv,reservation,130,1,60,0,REJECTED,,,,,,,,-1,expired".to_owned(),
            format!(
                "19,requests.csv,reservation,540,3,180,1,{ran},660,90,750,120,210,2.333333,0-2,-1,cancelled"
            ),
            format!(
                "23,requests.csv,reservation,760,1,60,1,{ran},900,60,960,140,200,3.333333,0,-1,"
            ),
        ]
    );
    let metrics: serde_json::Value = serde_json::from_str(&read(METRICS)).unwrap();
    assert_eq!(
        (&metrics["requests"], &metrics["accepted"]),
        (&7.into(), &7.into())
    );
    let operations = &metrics["operations"];
    assert_eq!(operations["cancel"]["accepted"], 2);
    assert_eq!(operations["cancel"]["refused"], 1);
    assert_eq!(operations["shorten"]["refused"], 0);
    assert_eq!(operations.as_object().unwrap().len(), 10);
}

#[test]
fn refused_operations_are_counted_with_their_reasons() {
    let dir = folder();
    fs::write(dir.path().join("requests.csv"), format!("{HEADER}{ROWS}")).unwrap();
    let told = succeed(dir.path(), REPLAY);
    let mut lines = told.lines();
    let header = lines.nth(1).unwrap();
    assert_says(header, "  operations done  operations refused");
    let row: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    assert!(row.windows(2).any(|cells| cells == ["12", "5"]), "{row:?}");
    assert_eq!(
        lines.next().unwrap(),
        "operations refused (first-fit, early): 1 cancel as unknown-target, 1 complete as not-running, 1 confirm as ended-target, \
         1 extend as no-room, 1 shift as ended-target"
    );
    let results = dir.path().join("run");
    let metrics = crate::json(&results.join(METRICS));
    assert_eq!(
        metrics["operation_refusals"],
        serde_json::json!({"ended-target": 2, "no-room": 1, "not-running": 1, "unknown-target": 1})
    );
    let html = fs::read_to_string(results.join("report.html")).unwrap();
    for words in [
        "Of 17 operations on reservations, 12 were done and 5 refused.",
        "<h3>Why operations were refused</h3>",
        "<th scope=\"row\">cancel</th><td>unknown-target</td>",
        "<th scope=\"row\">extend</th><td>no-room</td>",
    ] {
        assert!(html.contains(words), "no {words} in the report");
    }
    // The checker counts by itself.
    let noticed = tampered_with(run, METRICS, "\"ended-target\": 2", "\"ended-target\": 3");
    assert!(
        noticed[0].starts_with("metrics.json, operation_refusals: found "),
        "{noticed:?}"
    );
}

#[test]
fn operations_that_were_all_done_are_told_and_nothing_is_said_of_refusals() {
    let dir = folder();
    let rows = "1,0,60,120,600,2,reserve,,\n2,10,0,0,0,0,cancel,1,\n";
    fs::write(dir.path().join("requests.csv"), format!("{HEADER}{rows}")).unwrap();
    let told = succeed(dir.path(), REPLAY);
    assert!(
        told.contains("operations done") && !told.contains("operations refused ("),
        "{told}"
    );
    let html = fs::read_to_string(dir.path().join("run/report.html")).unwrap();
    assert!(html.contains("<h3>Why operations were refused</h3><p>None was refused.</p>"));
    let metrics = fs::read_to_string(dir.path().join("run").join(METRICS)).unwrap();
    assert!(metrics.contains("\"operation_refusals\": {}"), "{metrics}");
}

#[test]
fn moves_of_what_is_not_drawn_have_no_table() {
    let dir = folder();
    let rows = "1,0,60,60,120,2,,,\n2,0,120,60,600,2,,,\n3,10,240,,,,shift,2,\n";
    for (cancels, table) in [("", true), ("4,20,,,,,cancel,2,\n", false)] {
        let text =
            format!("job_id,arrival,ready,duration,deadline,pes,op,target,ttl\n{rows}{cancels}");
        fs::write(dir.path().join("requests.csv"), text).unwrap();
        succeed(
            dir.path(),
            "replay --requests requests.csv --pes 4 --slots 64 --slot-seconds 60 --force --out run",
        );
        succeed(dir.path(), "report run");
        let report = fs::read_to_string(dir.path().join("run/report.html")).unwrap();
        assert_says(&report, r#"<td class="number">1 (1 move)</td>"#);
        for words in [
            "Why reservations of this excerpt were moved",
            "one that was moved since",
        ] {
            assert_eq!(report.contains(words), table, "{words}: {report}");
        }
    }
}

#[test]
fn the_command_tells_and_checks_operations() {
    for binding in ["early", "late"] {
        let dir = folder();
        run(dir.path());
        let told = succeed(dir.path(), &format!("{REPLAY} --force --binding {binding}"));
        assert_begins(
            &told,
            "requests.csv: 7 requests and 17 operations, seed 1; 4 PEs",
        );
        assert_eq!(
            succeed(dir.path(), "check run"),
            "run: 7 requests, 17 operations, 0 violations\n"
        );
        let report = fs::read_to_string(dir.path().join("run/report.html")).unwrap();
        // Where it ran in the end, not where it was promised.
        assert!(report.contains("job 1: PEs 0, from 300 to 360"), "{report}");
        assert_says(&report, "job 11: PEs 0-1, from 600 to 660");
    }
}

#[test]
fn the_example_of_the_page_about_operations_runs() {
    let page = include_str!("../../../docs/replay.md");
    let (_, example) = page.split_once("```csv\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let dir = folder();
    fs::write(dir.path().join("requests.csv"), example).unwrap();
    succeed(dir.path(), REPLAY);
    assert_eq!(
        succeed(dir.path(), "check run"),
        "run: 2 requests, 5 operations, 0 violations\n"
    );
    let operations = fs::read_to_string(dir.path().join("run").join(OPERATIONS)).unwrap();
    assert_eq!(operations.matches(",accepted,").count(), 5, "{operations}");
}

#[test]
fn a_column_of_operations_without_any_changes_no_byte() {
    let dir = folder();
    write_requests(dir.path(), "1,0,60,120,600,2\n2,0,60,60,600,3\n");
    succeed(dir.path(), REPLAY);
    let rows = "1,0,60,120,600,2,reserve,,\n2,0,60,60,600,3,,0,0\n";
    fs::write(dir.path().join("requests.csv"), format!("{HEADER}{rows}")).unwrap();
    succeed(dir.path(), &format!("{REPLAY}-again"));
    let [plain, with] = ["run", "run-again"].map(|name| crate::files(&dir.path().join(name)));
    assert!(plain == with);
    assert_eq!(
        names(&dir.path().join("run")),
        [
            "experiment.json",
            JOBS,
            METRICS,
            "report.html",
            RESERVATIONS,
            "schedule.csv"
        ]
    );
}

#[test]
fn a_run_without_operations_leaves_no_files_of_an_earlier_one() {
    let dir = folder();
    let run = run(dir.path());
    assert!(run.join(MOVES).exists() && run.join(OPERATIONS).exists());
    write_requests(dir.path(), "1,0,60,120,600,2\n");
    succeed(dir.path(), REPLAY);
    assert!(!run.join(MOVES).exists() && !run.join(OPERATIONS).exists());
    succeed(dir.path(), "check run");
}

#[test]
fn wrong_operations_are_bad_input() {
    let dir = folder();
    assert_refused(
        r#"
1,0,0,9,9,1,renew,,\n
    requests.csv, line 2, field op: found "renew", expected reserve, hold, confirm, cancel, complete, shift, extend, shorten, widen, narrow, change-window, split, extend-by-force or an empty cell
1,0,0,9,9,1,,,\n2,0,,,,,cancel,,\n
    requests.csv, line 3, field target: found "", expected the job_id that the operation is about
1,0,0,9,9,1,,,\n2,0,,,,,cancel,-1,\n
    requests.csv, line 3, field target: found "-1", expected the job_id that the operation is about
1,0,0,9,9,1,,,\n2,0,,,,,extend,1,\n
    requests.csv, line 3, field duration: found "", expected a whole number of 0 or more
1,0,0,9,9,1,,,\n2,0,,7,,,shift,1,\n
    requests.csv, line 3, field ready: found "", expected a whole number of 0 or more
1,0,0,9,9,1,,,\n2,0,5,7,,,shift,1,\n
    requests.csv, line 3, field duration: found "7", expected an empty cell or 0, which shift does not use
1,0,0,9,9,1,,,\n2,0,,,,,cancel,1,60\n
    requests.csv, line 3, field ttl: found "60", expected an empty cell or 0, which cancel does not use
1,0,0,9,9,1,,4,\n
    requests.csv, line 2, field target: found "4", expected an empty cell or 0, which reserve does not use
1,0,0,9,9,1,hold,,soon\n
    requests.csv, line 2, field ttl: found "soon", expected a whole number of 0 or more
1,0,0,,9,1,hold,,\n
    requests.csv, line 2, field duration: found "", expected a whole number of 0 or more
1,5,5,9,99,1,,,\n2,4,,,,,cancel,1,\n
    requests.csv, line 3, field arrival: found 4 after 5, expected rows in order of arrival
1,0,0,9,9,1,,,\n1,0,,,,,cancel,1,\n
    requests.csv, line 3, field job_id: found 1 a second time, expected a number of its own for each row
"#,
        |rows| {
            fs::write(dir.path().join("requests.csv"), format!("{HEADER}{rows}")).unwrap();
            fail(dir.path(), REPLAY, 2)
        },
    );
    assert!(!dir.path().join("run").exists());
    fs::write(
        dir.path().join("requests.csv"),
        format!("{HEADER}1,0,,,,,cancel,7,\n"),
    )
    .unwrap();
    assert_eq!(
        fail(dir.path(), REPLAY, 2),
        "error: requests.csv: found operations only, expected at least one request\n"
    );
}

#[test]
fn decisions_that_were_not_taken_are_noticed() {
    assert_lies_noticed(
        run,
        r#"
operations.csv:
6,65,extend,2,refused,no-room => 6,65,extend,2,accepted,
    job 6: extend: moves.csv has 0 rows of it, expected 1
    job 2: books 60-240 on 2 PEs at 65, when 6 of 4 PEs are taken
5,30,shift,1,accepted, => 5,30,shift,1,refused,no-room
    job 1: moves.csv: moved by 5, which is no accepted operation
4,20,confirm,2,accepted, => 4,20,confirm,2,refused,not-held
    job 2: expired in metadata: found false, expected true
8,80,cancel,3,accepted, => 8,80,cancel,3,refused,no-room
    job 3: cancelled in metadata: found true, expected false
13,120,cancel,99,refused,unknown-target => 13,120,cancel,99,accepted,
    job 13: accepted, but there is no job 99 then
13,120,cancel,99,refused,unknown-target => 13,120,cancel,9,refused,unknown-target
    job 13: refused for "unknown-target", but job 9 is alive then
15,200,confirm,14,refused,ended-target => 15,200,confirm,14,accepted,
    job 15: accepted, but job 14 is over then
15,200,confirm,14,refused,ended-target => 15,200,confirm,14,refused,not-held
    job 15: refused for "not-held", but job 14 is over then
24,770,complete,23,refused,not-running => 24,770,complete,23,accepted,
    job 24: completes what does not run
6,65,extend,2,refused,no-room => 6,65,extend,2,refused,
    job 6: refused without a reason
22,750,shift,19,refused,ended-target => 22,690,shift,19,refused,ended-target
    operations.csv is not in order of time
8,80,cancel,3, => 9,80,cancel,3,
    job 9: operates, but its number is that of another row
// A row that was never read.
4,20,confirm,2,accepted,,,,,\n =>
    job 2: never runs, but cells about a start or a run are not empty
"#,
    );
}

#[test]
fn operations_that_ask_for_something_else_are_noticed() {
    assert_lies_noticed(
        run,
        r"
operations.csv:
5,30,shift,1,accepted,,250 => 5,30,shift,1,accepted,,310
    job 5: shift: moves.csv says to 300-420 on 2 PEs, expected 360-480 on 2 PEs
5,30,shift,1,accepted,,250 => 5,30,shift,1,accepted,,540
    job 5: books 540-660 on 2 PEs, outside of 60-600 or not on an edge of a slot
5,30,shift,1,accepted,,250 => 5,30,shift,1,accepted,,10
    job 5: asks for 10, which has passed at 30
10,95,widen,9,accepted,,,,,2 => 10,95,widen,9,accepted,,,,,1
    job 10: widens 420-480 on 1 PE to 1 PE
16,330,narrow,1,accepted,,,,,1 => 16,330,narrow,1,accepted,,,,,2
    job 16: narrows 300-360 on 2 PEs to 2 PEs
17,430,extend,9,accepted,,,90,, => 17,430,extend,9,accepted,,,60,,
    job 17: extends 420-480 on 2 PEs to 60 s
20,700,shorten,19,accepted,,,100,, => 20,700,shorten,19,accepted,,,30,,
    job 20: shorten: moves.csv says to 660-780 on 3 PEs, expected 660-720 on 3 PEs
20,700,shorten,19,accepted,,,100,, => 20,700,shorten,19,accepted,,,200,,
    job 20: shortens 660-840 on 3 PEs to 240 s
11,100,split,1,accepted,,350 => 11,100,split,1,accepted,,420
    job 11: splits 300-420 on 2 PEs at 420
12,100,change-window,11,accepted,,590,,719 => 12,100,change-window,11,accepted,,360,,719
    job 12: moves 360-420 on 2 PEs, which fits into the new window
12,100,change-window,11,accepted,,590,,719 => 12,100,change-window,11,accepted,,610,,719
    job 12: books 600-660 on 2 PEs, outside of 610-719 or not on an edge of a slot
18,500,complete,9,accepted,,,,, => 18,500,complete,9,accepted,,490,,,
    job 18: asks for 490, which has passed at 500
",
    );
}

#[test]
fn moves_that_do_not_follow_from_each_other_are_noticed() {
    assert_lies_noticed(
        run,
        r#"
moves.csv:
30,1,60,300,5,shift,180,420,2,2 => 30,1,0,300,5,shift,120,420,2,2
    job 5: shift: moves.csv says from 0-120 on 2 PEs, but booked was 60-180 on 2 PEs
95,9,420,420,10,widen,480,480,1,2 => 95,9,420,420,10,widen,480,480,2,2
    job 10: widen: moves.csv says from 420-480 on 2 PEs, but booked was 420-480 on 1 PE
430,9,420,420,17,extend,480,540,2,2 => 430,9,420,420,17,extend,480,600,2,2
    job 17: extend: moves.csv says to 420-600 on 2 PEs, expected 420-540 on 2 PEs
700,19,660,660,20,shorten,840,780,3,3 => 700,19,660,660,20,shorten,840,840,3,3
    job 20: shorten: moves.csv says to 660-840 on 3 PEs, expected 660-780 on 3 PEs
100,11,,360,11,split,,420,,2\n =>
    job 11: split: moves.csv has 1 rows of it, expected 2
100,11,,360,11,split,,420,,2\n => 100,11,300,360,11,split,420,420,2,2\n
    job 11: split: moves.csv says from 300-420 on 2 PEs, but booked was nothing
330,1,300,300,16,narrow,360,360,2,1\n => 330,1,300,300,16,narrow,360,360,2,1\n330,2,300,300,16,narrow,360,360,2,1\n
    job 16: narrow: moves.csv has 2 rows of it, expected 1
30,1,60,300,5,shift, => 31,1,60,300,5,shift,
    job 5: time in moves.csv: found 31, expected 30
30,1,60,300,5,shift, => 30,2,60,300,5,shift,
    job 5: job moved in moves.csv: found 2, expected 1
30,1,60,300,5,shift, => 30,1,60,300,5,extend,
    job 5: cause in moves.csv: found "extend", expected "shift"
// A refused operation that changed something.
70,3,180,180,7,narrow,240,240,4,3\n => 65,2,60,60,6,extend,120,240,2,2\n70,3,180,180,7,narrow,240,240,4,3\n
    job 2: moves.csv: moved by 6, which is no accepted operation
100,11,360,600,12,change-window,420,660,2,2 => 100,11,360,640,12,change-window,420,700,2,2
    job 12: books 640-700 on 2 PEs, outside of 590-719 or not on an edge of a slot
100,11,360,600,12,change-window,420,660,2,2\n =>
    job 12: books 360-420 on 2 PEs, outside of 590-719 or not on an edge of a slot
"#,
    );
}

#[test]
fn promises_that_became_something_else_are_noticed() {
    assert_lies_noticed(
        run,
        r#"
reservations.csv:
,3.000000,reserve,,300,300 => ,3.000000,reserve,,360,300
    job 1: final_start: found 360, expected 300
,3.000000,reserve,,300,300 => ,3.000000,reserve,,300,60
    job 1: fixed_at: found 60, expected 300
,3.000000,reserve,,300,300 => ,1.000000,reserve,,300,300
    job 1: slowdown: found 1.0, expected 3.000000
hold,120,60,60 => reserve,,60,60
    job 4: confirms what is not held
,1.000000,reserve,,900,900 => ,1.000000,reserve,60,900,900
    job 23: has a time to live without being held
hold,60,480,480 => hold,600,480,480
    job 15: refused for "ended-target", but job 14 is alive then
2,0,60,60,600,2,accepted,,60,120, => 2,0,60,60,600,3,accepted,,60,120,
    job 2: books 60-120 on 3 PEs at 0, when 5 of 4 PEs are taken
"#,
    );
}

#[test]
fn runs_that_were_not_booked_are_noticed() {
    assert_lies_noticed(
        run,
        r"
jobs.csv:
,300,60,360,300,360,6.000000, => ,60,60,120,60,120,2.000000,
    job 1: starts at 60, booked in the end 300-360 on 1 PE
,660,90,750,120,210,2.333333, => ,660,120,780,120,240,2.000000,
    job 19: is over at 780, stopped at Some(750)
,420,80,500,330,410,5.125000, => ,420,120,540,330,450,3.750000,
    job 9: is over at 540, stopped at Some(500)
,600,60,660,500,560,9.333333, => ,600,120,720,500,620,5.166667,
    job 11: is over at 720, booked in the end 600-660 on 2 PEs
split,100,2,60, => split,100,2,120,
    job 11: requested_time: found 120, expected 60
11,requests.csv,split,100,2,60,1,COMPLETED_SUCCESSFULLY,600,60,660,500,560,9.333333,0-1,-1,\n =>
    jobs.csv has 0 second parts, operations.csv splits 1
3,requests.csv,reservation,10,4,60,0,REJECTED,,,,,,,,-1,cancelled => 3,requests.csv,reservation,10,4,60,0,REJECTED,,,,,,,,-1,
    job 3: cancelled in metadata: found false, expected true
3,requests.csv,reservation,10,4,60,0,REJECTED,,,,,,,,-1,cancelled => 3,requests.csv,reservation,10,4,60,1,COMPLETED_SUCCESSFULLY,180,60,240,170,230,3.833333,0-3,-1,cancelled
    job 3: never runs, but cells about a start or a run are not empty
14,requests.csv,reservation,130,1,60,0,REJECTED,,,,,,,,-1,expired => 14,requests.csv,reservation,130,1,60,0,REJECTED,,,,,,,,-1,cancelled
    job 14: expired in metadata: found false, expected true
gave back 1 at 330 =>
    job 1: gave back (when, how many) [], expected [(330, 1)]
gave back 1 at 330 => gave back 1 at 360
    job 1: gave back (when, how many) [(360, 1)], expected [(330, 1)]
6.000000,0,-1,gave back 1 at 330 => 6.000000,0-1,-1,gave back 1 at 330
    job 1: processing elements: found 2, expected 1
6.000000,0,-1,gave back 1 at 330 => 6.000000,0,-1,gave back 0 at 330
    job 1: uses PE 0 at 300, as job 1 does
6.000000,0,-1,gave back 1 at 330 => 6.000000,0,-1,gave back 4 at 330
    job 1: uses PE 4 of a machine of 4 PEs
",
    );
}

#[test]
fn figures_that_do_not_follow_from_operations_are_noticed() {
    assert_lies_noticed(
        run,
        r#"
metrics.json:
"requests": 7, => "requests": 24,
    metrics.json, requests: found 24, expected 7
"average_slowdown": 1.619047619047619, => "average_slowdown": 1.3333333333333333,
    metrics.json, average_slowdown: found 1.3333333333333333, expected 1.619047619047619
"used_pe_seconds": 820, => "used_pe_seconds": 790,
    metrics.json, used_pe_seconds: found 790, expected 820
"#,
    );
    let violations = tampered_with(
        run,
        METRICS,
        "\"shorten\": {\n      \"accepted\": 1,",
        "\"shorten\": {\n      \"accepted\": 2,",
    );
    assert_eq!(violations.len(), 1, "{violations:?}");
    assert!(violations[0].starts_with("metrics.json, operations: found "));
    let booked = tampered_with(
        run,
        METRICS,
        "\"booked_utilization\": 0.2",
        "\"booked_utilization\": 0.3",
    );
    assert!(booked[0].starts_with("metrics.json, booked_utilization: found 0.3"));
}

#[test]
fn missing_files_of_operations_are_noticed() {
    for name in [OPERATIONS, MOVES] {
        let dir = folder();
        let run = run(dir.path());
        fs::remove_file(run.join(name)).unwrap();
        let violations = violations(&run);
        let expected = format!("{name} is missing, although there are operations");
        assert!(violations.contains(&expected), "{violations:?}");
    }
}

#[test]
fn malformed_files_of_operations_are_bad_input() {
    for (name, old, new, message) in [
        (
            OPERATIONS,
            "5,30,shift",
            "5,30,jump",
            "run/operations.csv, line 3, field op: found \"jump\", expected one of confirm, cancel, complete, shift, extend, \
             shorten, widen, narrow, change-window, split, extend-by-force",
        ),
        (
            OPERATIONS,
            "6,65,extend,2,refused,no-room,,180,,",
            "6,65,extend,2,refused,no-room,,,,",
            "run/operations.csv, line 4, field duration: found \"\", expected a whole number of 0 or more",
        ),
        (
            OPERATIONS,
            "8,80,cancel,3,accepted,,,,,",
            "8,80,cancel,3,accepted,,,60,,",
            "run/operations.csv, line 6, field duration: found \"60\", expected an empty cell",
        ),
        (
            MOVES,
            "100,11,,360,",
            "100,11,360,360,",
            "run/moves.csv, line 6, field old_end: found \"\", expected a whole number of 0 or more",
        ),
        (
            JOBS,
            "gave back 1 at 330",
            "gave back one at 330",
            "run/jobs.csv, line 2, field metadata: found \"gave back one at 330\", expected a part such as \"gave back 2-3 5 at 120\"",
        ),
    ] {
        let dir = folder();
        let file = run(dir.path()).join(name);
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(text.matches(old).count(), 1, "{old}");
        fs::write(&file, text.replace(old, new)).unwrap();
        assert_eq!(
            fail(dir.path(), "check run", 2),
            format!("error: {message}\n")
        );
    }
}

#[test]
fn cells_of_operations_are_read_where_there_is_no_column_op() {
    let dir = folder();
    let rows =
        "job_id,arrival,ready,duration,deadline,pes,ttl\n1,0,50,10,90,4,0\n2,0,50,10,90,4,5\n";
    fs::write(dir.path().join("requests.csv"), rows).unwrap();
    assert_eq!(
        fail(
            dir.path(),
            "replay --requests requests.csv --pes 4 --slots 128",
            2
        ),
        "error: requests.csv, line 3, field ttl: found \"5\", expected an empty cell or 0, which reserve does not use\n"
    );
}
