//! The checker notices every kind of lie in the files of a run.

use std::{
    fs,
    path::{Path, PathBuf},
};

use bookahead_sim::{
    engine::{self, System},
    output::{self, RunInfo},
    request::{BestEffortRequest, Demand},
};

use crate::{fail, folder, lies::assert_lies_noticed, succeed, write_requests};

/// Three jobs on four PEs with slots of 60 s, the third refused.
///
/// ```text
/// 1,0,0,90,600,3    promised 0-120    runs 0-90     on 0-2
/// 2,10,60,60,180,2  promised 120-180  runs 120-180  on 0-1
/// 3,20,60,60,120,3  no room
/// 4,20,60,60,600,1  promised 60-120   runs 60-120   on 3
/// ```
fn run(dir: &Path) -> PathBuf {
    write_requests(
        dir,
        "1,0,0,90,600,3\n2,10,60,60,180,2\n3,20,60,60,120,3\n4,20,60,60,600,1\n",
    );
    succeed(
        dir,
        "replay --requests requests.csv --pes 4 --slots 64 --slot-seconds 60 --policy first-fit --out run",
    );
    dir.join("run")
}

/// A best-effort job with the run time that its user estimates and the real one.
pub fn queue(job_id: u64, arrival: u64, [estimate, run]: [u64; 2], pes: u64) -> Demand {
    Demand::BestEffort(BestEffortRequest {
        job_id,
        arrival,
        pes,
        estimate,
        run,
        ..BestEffortRequest::default()
    })
}

/// Runs these demands, and writes the run to a folder.
pub fn written(dir: &Path, system: System, demands: &[Demand]) -> PathBuf {
    let outcomes = engine::run(&system, demands, &|| {}).unwrap();
    let info = RunInfo {
        system,
        workload: "test".into(),
        seed: 1,
    };
    output::write_run(dir, &info, &outcomes).unwrap();
    dir.to_owned()
}

const JOBS: &str = "jobs.csv";
const METRICS: &str = "metrics.json";

#[test]
fn processing_elements_used_twice_are_noticed() {
    assert_lies_noticed(
        run,
        r"
jobs.csv:
,1.000000,0-2,-1 => ,1.000000,0-1 3,-1
    job 4: uses PE 3 at 60, as job 1 does
// Three jobs at once are two clashes, also where the longest came first.
2,requests.csv,reservation,10,2,60,1,COMPLETED_SUCCESSFULLY,120,60,180 => 2,requests.csv,reservation,10,2,60,1,COMPLETED_SUCCESSFULLY,60,60,120
    job 2: uses PE 0 at 60, as job 1 does
",
    );
}

#[test]
fn the_number_of_processing_elements_is_checked() {
    assert_lies_noticed(
        run,
        r"
jobs.csv:
,0-2,-1 => ,0-1,-1
    job 1: processing elements: found 2, expected 3
,0-2,-1 => ,,-1
    job 1: processing elements: found 0, expected 3
,0-2,-1 => ,0-1 4,-1
    job 1: uses PE 4 of a machine of 4 PEs
,0-2,-1 => ,0-1 1,-1
    job 1: allocated_resources: intervals overlap or are out of order
",
    );
}

#[test]
fn starts_and_ends_that_were_not_promised_are_noticed() {
    assert_lies_noticed(
        run,
        r"
jobs.csv:
COMPLETED_SUCCESSFULLY,60,60,120,40,100 => COMPLETED_SUCCESSFULLY,61,59,120,41,100
    job 4: starts at 61, promised 60
COMPLETED_SUCCESSFULLY,0,90,90,0,90 => COMPLETED_SUCCESSFULLY,0,130,130,0,130
    job 1: is over at 130, promised by 120
COMPLETED_SUCCESSFULLY,0,90, => COMPLETED_SUCCESSFULLY,,90,
    job 1: accepted, but a start or an end is empty
",
    );
}

#[test]
fn promises_outside_the_window_are_noticed() {
    assert_lies_noticed(
        run,
        r"
reservations.csv:
4,20,60,60,600,1,accepted,,60,120, => 4,20,90,60,600,1,accepted,,60,120,
    job 4: promised 60, before its ready time 90
4,20,60,60,600,1 => 4,20,60,60,119,1
    job 4: promised to end at 120, after its deadline 119
,60,120,1.0 => ,61,121,1.0
    job 4: promised 61, which is no edge of a slot of 60 s
accepted,,0,120, => accepted,,0,180,
    job 1: booked length: found 180, expected 120
,120,180,2.000000 => ,120,180,1.000000
    job 2: slowdown: found 1.0, expected 2.000000
",
    );
}

#[test]
fn a_rigid_start_after_the_ready_time_is_noticed() {
    assert_lies_noticed(
        run,
        r#"
metrics.json:
"strategy": "fit" => "strategy": "rigid"
    job 2: rigid start: found 120, expected 60
"#,
    );
}

#[test]
fn times_that_add_up_to_no_number_are_noticed() {
    assert_lies_noticed(
        run,
        r"
reservations.csv:
accepted,,0,120, => accepted,,18446744073709551615,120,
    job 1: starts at 0, promised 18446744073709551615
",
    );
}

#[test]
fn files_that_tell_of_other_requests_are_noticed() {
    assert_lies_noticed(
        run,
        r#"
jobs.csv:
4,requests.csv, => 5,requests.csv,
    job 4: job_id in jobs.csv: found 5, expected 4
reservation,10,2,60, => reservation,11,2,60,
    job 2: submission_time: found 11, expected 10
reservation,10,2,60, => reservation,10,3,60,
    job 2: requested_number_of_resources: found 3, expected 2
reservation,10,2,60, => reservation,10,2,61,
    job 2: requested_time: found 61, expected 60
20,3,60,0,REJECTED => 20,3,60,1,REJECTED
    job 3: success: found true, expected false
20,3,60,0,REJECTED => 20,3,60,0,DONE
    job 3: final_state: found "DONE", expected "REJECTED"
REJECTED,, => REJECTED,60,
    job 3: refused, but cells about a start or a run are not empty
,110,170, => ,111,170,
    job 2: waiting_time: found 111, expected 110
,110,170, => ,110,,
    job 2: turnaround_time: found nothing, expected 170
,2.833333, => ,2.933333,
    job 2: stretch: found 2.933333, expected 2.833333
reservations.csv:
refused,no-room => refused,
    job 3: refused without a reason
600,1,accepted,, => 600,1,accepted,no-room,
    job 4: accepted with a reason for refusal
4,20,60,60,600,1,accepted,,60,120,1.000000\n =>
    jobs.csv has 4 rows, reservations.csv 3
"#,
    );
}

#[test]
fn figures_that_do_not_follow_from_the_tables_are_noticed() {
    assert_lies_noticed(
        run,
        r#"
metrics.json:
"requests": 4, => "requests": 5,
    metrics.json, requests: found 5, expected 4
"accepted": 3, => "accepted": 4,
    metrics.json, accepted: found 4, expected 3
"acceptance_rate": 0.75, => "acceptance_rate": 0.76,
    metrics.json, acceptance_rate: found 0.76, expected 0.75
"average_slowdown": 1.3333333333333333, => "average_slowdown": 1.25,
    metrics.json, average_slowdown: found 1.25, expected 1.3333333333333333
"used_pe_seconds": 450, => "used_pe_seconds": 451,
    metrics.json, used_pe_seconds: found 451, expected 450
"accepted_work_rate": 0. => "accepted_work_rate": 0.9
    metrics.json, accepted_work_rate: found 0.9…
"utilization": 0. => "utilization": 0.9
    metrics.json, utilization: found 0.9…
"booked_utilization": 0. => "booked_utilization": 0.9
    metrics.json, booked_utilization: found 0.9…
"no-room": 1 => "no-room": 1, "too-wide": 2
    metrics.json, refusals: found {"no-room": 1, "too-wide": 2}, expected {"no-room": 1}
"#,
    );
}

#[test]
fn an_unfinished_run_is_noticed() {
    let dir = folder();
    fs::remove_file(run(dir.path()).join(METRICS)).unwrap();
    let told = fail(dir.path(), "check run", 1);
    assert_eq!(told, "error: run: 1 violation\n");
}

#[test]
fn violations_are_listed_and_end_with_status_1() {
    let dir = folder();
    let jobs = run(dir.path()).join(JOBS);
    let text = fs::read_to_string(&jobs).unwrap();
    fs::write(&jobs, text.replace(",0-2,", ",1-2,")).unwrap();
    let output = crate::bookahead()
        .current_dir(dir.path())
        .args(["check", "run"])
        .assert()
        .code(1);
    output
        .stdout("run: 4 requests, 1 violation\n  job 1: processing elements: found 2, expected 3\n")
        .stderr("error: run: 1 violation\n");
}

#[test]
fn of_violations_of_one_kind_the_first_are_listed_and_all_are_counted() {
    let dir = folder();
    let rows: String = (1..=40)
        .map(|job| format!("{job},{job},60,60,6000,1\n"))
        .collect();
    write_requests(dir.path(), &rows);
    let replay = "replay --requests requests.csv --pes 4 --slots 128 --slot-seconds 60 --out run";
    succeed(dir.path(), replay);
    let jobs = dir.path().join("run").join(JOBS);
    let text = fs::read_to_string(&jobs).unwrap();
    let without = |job: &str| -> String {
        let lines = text.lines().filter(|line| !line.starts_with(job));
        lines.map(|line| format!("{line}\n")).collect()
    };
    fs::write(&jobs, without("2,")).unwrap();
    let output = crate::bookahead()
        .current_dir(dir.path())
        .args(["check", "run"])
        .assert()
        .code(1);
    let output = output.get_output();
    let [listed, counted] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    let head = listed.lines().next().unwrap();
    let all: usize = head
        .strip_prefix("run: 40 requests, ")
        .unwrap()
        .strip_suffix(" violations")
        .unwrap()
        .parse()
        .unwrap();
    assert_eq!(counted, format!("error: run: {all} violations\n"));
    assert!(
        listed.contains("\n  jobs.csv has 39 rows, reservations.csv 40\n"),
        "{listed}"
    );
    // Of jobs 2 to 39, each beside the row of the next one.
    let (_, others) = listed
        .split_once("  job 4: job_id in jobs.csv: found 5, expected 4\n")
        .unwrap();
    assert!(
        others.starts_with("  and 35 more of this kind\n"),
        "{listed}"
    );
    let shown = |line: &str| match line.strip_prefix("  and ") {
        Some(more) => more.split(' ').next().unwrap().parse().unwrap(),
        None => 1,
    };
    assert_eq!(
        listed.lines().skip(1).map(shown).sum::<usize>(),
        all,
        "{listed}"
    );
}

#[test]
fn malformed_files_are_bad_input() {
    let dir = folder();
    let jobs = run(dir.path()).join(JOBS);
    let text = fs::read_to_string(&jobs).unwrap();
    fs::write(&jobs, text.replace(",0-2,", ",0-x,")).unwrap();
    assert_eq!(
        fail(dir.path(), "check run", 2),
        "error: run/jobs.csv, line 2, field allocated_resources: found \"0-x\", expected an interval set such as \"0-3 5\"\n"
    );
}

#[test]
fn metrics_that_are_no_text_are_bad_input() {
    let dir = folder();
    let metrics = run(dir.path()).join(METRICS);
    let mut bytes = fs::read(&metrics).unwrap();
    let second_line = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    bytes[second_line] = 0xff;
    fs::write(&metrics, bytes).unwrap();
    for command in ["check run", "report run"] {
        assert_eq!(
            fail(dir.path(), command, 2),
            "error: run/metrics.json, line 2: found the byte 0xff, expected text in UTF-8\n"
        );
    }
}
