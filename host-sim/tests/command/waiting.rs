//! Requests that wait for room, and queued jobs with windows: what is written of them, which lies are noticed, and what is refused.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    assert_says, cases::assert_refused, fail, files, folder, lies::assert_lies_noticed, succeed,
    told,
};

const REQUESTS: &str = "\
job_id,arrival,ready,duration,deadline,pes,run_time,wait,user
1,0,0,1200,1200,4,600,1,7
2,60,120,600,1500,3,600,1,8
3,120,120,600,1800,2,600,1,7
4,180,180,300,480,1,300,1,8
5,240,600,300,1200,1,300,0,8
6,300,9000,600,9900,4,600,1,9
7,310,310,600,1260,4,600,,9
";

const REPLAY: &str =
    "replay --requests requests.csv --pes 4 --slots 128 --slot-seconds 60 --out run";

fn write(dir: &Path) {
    fs::write(dir.join("requests.csv"), REQUESTS).unwrap();
}

fn made(dir: &Path, options: &str) -> PathBuf {
    write(dir);
    succeed(dir, &format!("{REPLAY} {options}"));
    dir.join("run")
}

fn read(run: &Path, name: &str) -> String {
    fs::read_to_string(run.join(name)).unwrap()
}

const JOBS: &str = "jobs.csv";
const RESERVATIONS: &str = "reservations.csv";
const METRICS: &str = "metrics.json";

fn waits(dir: &Path) -> PathBuf {
    made(dir, "--wait")
}

fn waits_by_size(dir: &Path) -> PathBuf {
    made(dir, "--wait --priority size --binding late")
}

fn queued(dir: &Path) -> PathBuf {
    made(dir, "--queue easy --remove-late")
}

#[test]
fn what_becomes_of_who_waits_is_written_and_told() {
    let dir = folder();
    write(dir.path());
    let said = succeed(dir.path(), &format!("{REPLAY} --wait"));
    let told = "waiting (first-fit, early): 4 waited: 2 were promised a start late, 20 min 30 s after they came on average, \
                and 2 were given up when the latest start had passed\n";
    assert!(said.contains(told), "{said}");
    let run = dir.path().join("run");
    assert_eq!(
        read(&run, RESERVATIONS),
        "\
job_id,arrival,ready,duration,deadline,pes,decision,reason,start,end,slowdown,wait,wait_key,promised_at
1,0,0,1200,1200,4,accepted,,0,1200,1.000000,1,,
2,60,120,600,1500,3,promised-late,no-room,600,1200,1.800000,1,0,600
3,120,120,600,1800,2,accepted,,1200,1800,2.800000,1,,
4,180,180,300,480,1,gave-up,no-room,,,,1,0,
5,240,600,300,1200,1,refused,no-room,,,,0,,
6,300,9000,600,9900,4,promised-late,beyond-horizon,9000,9600,1.000000,1,0,2220
7,310,310,600,1260,4,gave-up,no-room,,,,1,0,
"
    );
    let metrics = read(&run, METRICS);
    for line in [
        "\"accepted\": 4",
        "\"no-room\": 3",
        "\"deadlines_kept\": 4",
        "\"deadlines_missed\": 3",
        "\"kept_pe_seconds\": 7800",
        "\"priority\": \"age\"",
        "\"promised_late\": 2",
        "\"gave_up\": 2",
        "\"promise_delay\": 1230.0",
    ] {
        assert!(metrics.contains(line), "no {line} in {metrics}");
    }
    let report = read(&run, "report.html");
    assert!(
        report
            .contains("Of the requests that found no room, 4 waited: 2 were promised a start late"),
        "{report}"
    );
    assert!(
        report.contains("4 of 7 deadlines were kept (57.1 %)."),
        "{report}"
    );
    assert_eq!(
        succeed(dir.path(), "check run"),
        "run: 7 requests, 0 violations\n"
    );
}

#[test]
fn each_priority_promises_to_another() {
    let dir = folder();
    write(dir.path());
    fs::write(dir.path().join("users.csv"), "user,key\n9,1\n").unwrap();
    fs::write(dir.path().join("jobs.csv"), "key,job_id\n3,2\n2,7\n").unwrap();
    let first = |priority: &str| {
        let options = format!("--wait --priority {priority} --binding late --force");
        succeed(dir.path(), &format!("{REPLAY} {options}"));
        succeed(dir.path(), "check run");
        let rows = read(&dir.path().join("run"), RESERVATIONS);
        let mut late = rows
            .lines()
            .filter(|row| row.contains(",promised-late,no-room,"));
        late.next().unwrap()[..1].to_owned()
    };
    assert_eq!(first("age"), "2");
    assert_eq!(first("size"), "7");
    // Nobody was promised less than users 8 and 9.
    assert_eq!(first("user"), "2");
    assert_eq!(first("users.csv"), "7");
    assert_eq!(first("jobs.csv"), "2");
    // Of another log.
    fs::write(dir.path().join("others.csv"), "user,key\n1009,1\n1008,2\n").unwrap();
    let options = "--wait --priority others.csv --binding late --force";
    assert_says(
        &told(dir.path(), &format!("{REPLAY} {options}")),
        "warning: --priority: 2 keys, none of a user of this workload, so that the file orders nothing\n",
    );
}

#[test]
fn lies_about_who_waits_are_noticed() {
    assert_lies_noticed(
        waits,
        r"
reservations.csv:
1,0,600\n => 1,0,660\n
    job 2: promised late at 660, although at 600 there was room for it at 600
    job 2: promised late at 660, to start before that
1,0,600\n => 1,0,60\n
    job 2: promised late at 60, and arrived at 60
1,0,600\n => 1,0,540\n
    job 2: books 600-1200 on 3 PEs at 540, when 7 of 4 PEs are taken
1,0,600\n => 1,0,630\n
    job 2: promised late at 630, which is no edge of a slot of 60 s
1,0,600\n => 1,0,960\n
    job 2: promised late at 960, when its latest start has passed
1,0,600\n => 1,0,\n
    job 2: promised_at stands beside what is promised late, and nowhere else
promised-late,no-room,600 => accepted,no-room,600
    job 2: wait_key stands beside what waited, and nowhere else
promised-late,no-room,600,1200,1.800000,1,0,600 => accepted,,600,1200,1.800000,1,,
    job 2: books 600-1200 on 3 PEs at 60, when 7 of 4 PEs are taken
promised-late,no-room,600,1200,1.800000 => promised-late,no-room,660,1260,1.900000
    job 2: promised late to start at 660, although it could start at 600
promised-late,beyond-horizon => promised-late,no-room
    job 6: waited for no-room, but the row deserves beyond-horizon
1,0,2220\n => 1,0,2160\n
    job 6: promised late at 2160, and its window can be booked from 2220 on
1,0,2220\n => 1,0,2280\n
    job 6: promised late at 2280, although at 2220 there was room for it at 9000
480,1,gave-up,no-room,,,,1,0, => 480,1,refused,no-room,,,,1,,
    job 4: refused for no-room for good, although it may wait
refused,no-room,,,,0,, => refused,no-room,,,,1,,
    job 5: refused for no-room for good, although it may wait
480,1,gave-up,no-room,,,,1,0, => 480,1,gave-up,no-room,,,,0,0,
    job 4: waited, although it was not to
180,180,300,480,1, => 180,180,300,1200,1,
    job 4: given up, although at 600 there was room for it at 600
1,0,600\n => 1,5,600\n
    job 2: wait_key: found 5, expected 0
",
    );
    assert_lies_noticed(
        waits,
        r#"
metrics.json:
"promised_late": 2 => "promised_late": 3
    metrics.json, promised_late: found 3, expected 2
"gave_up": 2 => "gave_up": 1
    metrics.json, gave_up: found 1, expected 2
"promise_delay": 1230.0 => "promise_delay": 1231.0
    metrics.json, promise_delay: found 1231.0, expected 1230.0
"deadlines_kept": 4 => "deadlines_kept": 5
    metrics.json, deadlines_kept: found 5, expected 4
"deadlines_missed": 3 => "deadlines_missed": 2
    metrics.json, deadlines_missed: found 2, expected 3
"kept_pe_seconds": 7800 => "kept_pe_seconds": 7801
    metrics.json, kept_pe_seconds: found 7801, expected 7800
"priority": "age" => "priority": "luck"
    metrics.json, priority: found "luck", expected age, size, user or file, where each reservation stays where it is
"#,
    );
    assert_lies_noticed(
        waits,
        r#"
metrics.json:
"priority": "age",\n =>
    job 2: waits, although no request does
"#,
    );
}

#[test]
fn who_is_passed_over_by_a_lower_key_is_noticed() {
    // By size, job 7 gets the room that comes free at 600, and job 2 has none.
    let gave_up = "2,60,120,600,1500,3,gave-up,no-room,,,,1,3,";
    let dir = folder();
    let rows = read(&waits_by_size(dir.path()), RESERVATIONS);
    assert!(rows.contains(gave_up), "{rows}");
    assert_lies_noticed(
        waits_by_size,
        r"
reservations.csv:
2,60,120,600,1500,3,gave-up,no-room,,,,1,3, => 2,60,120,600,1500,3,gave-up,no-room,,,,1,5,
    job 2: given up, although at 600 there was room for it at 600
    job 2: wait_key: found 5, expected 3
",
    );
}

fn pulls(dir: &Path) -> PathBuf {
    made(dir, "--wait --pull-forward --binding late")
}

#[test]
fn who_starts_earlier_does_so_before_others_are_promised_room() {
    // At 600 job 1 is over, and job 3 moves there from 1200, so that job 2, which waits, finds no room.
    const MOVES: &str = "moves.csv";
    let moved = "600,3,1200,600,1,pull-forward,1800,1200,2,2";
    let gave_up = "2,60,120,600,1500,3,gave-up,no-room,";
    let dir = folder();
    let run = pulls(dir.path());
    let said = succeed(dir.path(), "check run");
    assert_eq!(said, "run: 7 requests, 0 violations\n");
    for (file, row) in [(MOVES, moved), (RESERVATIONS, gave_up)] {
        let text = read(&run, file);
        assert!(text.contains(row), "no {row} in {text}");
    }
    assert_lies_noticed(
        pulls,
        r#"
moves.csv:
600,3,1200,600,1,pull-forward,1800,1200,2,2 => 660,3,1200,660,1,pull-forward,1800,1260,2,2
    job 2: given up, although at 600 there was room for it at 600
600,3,1200,600,1,pull-forward,1800,1200,2,2 => 600,3,1200,660,1,pull-forward,1800,1260,2,2
    job 3: starts at 600, booked in the end 660-1260 on 2 PEs
metrics.json:
"pull_forward": true => "pull_forward": false
    job 3: starts at 600, promised 1200
"#,
    );
}

#[test]
fn queued_jobs_with_windows_are_written_and_lies_about_them_noticed() {
    let dir = folder();
    let run = queued(dir.path());
    let jobs = read(&run, JOBS);
    for row in [
        ",REJECTED,,,,,,,,-1,ready=180; deadline=480; removed-late\n",
        "6,requests.csv,best-effort,300,4,600,1,COMPLETED_SUCCESSFULLY,9000,600,9600,8700,9300,15.500000,0-3,-1,ready=9000; deadline=9900\n",
    ] {
        assert!(jobs.contains(row), "no {row} in {jobs}");
    }
    let metrics = read(&run, METRICS);
    assert!(metrics.contains("\"deadlines_kept\": 5"), "{metrics}");
    assert!(metrics.contains("\"kept_pe_seconds\": 8100"), "{metrics}");
    assert_eq!(
        succeed(dir.path(), "check run"),
        "run: 0 requests, 7 best-effort jobs, 0 violations\n"
    );
    assert_lies_noticed(
        queued,
        r#"
jobs.csv:
deadline=480; => deadline=1500;
    job 4: is removed, although it could start at 600
ready=9000; => ready=9600;
    job 6: starts at 9000, outside 9600 to 9300 as its window says
ready=120; deadline=1800 => ready=120; deadline=1500
    job 3: starts at 1200, outside 120 to 900 as its window says
deadline=480; removed-late => deadline=480; no-room
    job 4: did not run for "no-room", but the row deserves to run
ready=180; deadline=480; removed-late => removed-late
    job 4: did not run for "removed-late", but the row deserves to run
metrics.json:
"deadlines_kept": 5 => "deadlines_kept": 6
    metrics.json, deadlines_kept: found 6, expected 5
"#,
    );
}

#[test]
fn options_that_do_not_go_together_are_named() {
    let dir = folder();
    write(dir.path());
    fs::write(
        dir.path().join("ranges.csv"),
        "job_id,arrival,ready,duration,deadline,pes,duration_min,op,target\n1,0,0,20,20,2,10,,\n",
    )
    .unwrap();
    fs::write(
        dir.path().join("operations.csv"),
        "job_id,arrival,ready,duration,deadline,pes,op,target\n1,0,0,20,20,2,,\n2,5,,,,,cancel,1\n",
    )
    .unwrap();
    fs::write(
        dir.path().join("holds.csv"),
        "job_id,arrival,ready,duration,deadline,pes,op\n1,0,0,20,20,2,hold\n",
    )
    .unwrap();
    assert_refused(
        r"
--wait --strategy elastic
    --wait: --strategy elastic decides at arrival only; say --strategy fit or rigid
--wait --strategy juggle
    --wait: --strategy juggle decides at arrival only; say --strategy fit or rigid
--wait --strategy overlay --binding late
    --wait: --strategy overlay decides at arrival only; say --strategy fit or rigid
--wait --sites 2
    --wait: requests wait at one site only; leave out --sites
--queue easy --priority size --sites 2
    --priority: jobs of a queue are ordered at one site only; leave out --sites
--wait --mtbf 1000 --mttr 100
    --wait: requests do not wait for processing elements that leave and come back yet; leave out --outages and --mtbf
--priority size
    --priority is only for --wait and --queue
--pull-forward --strategy rigid
    --pull-forward is only for --strategy fit, juggle, shift or juggle-shift
--pull-forward --sites 2
    --pull-forward: reservations start earlier at one site only; leave out --sites
--pull-forward --strategy juggle --replan
    --pull-forward: --replan arranges all anew where something is given back; leave out one of them
--wait --priority none.csv
    --priority none.csv: no such file
--remove-late
    --remove-late: there is no queue; say --queue fcfs, easy or conservative
--queue easy --remove-late --wait
    --remove-late: nobody reserves, so that no request waits; leave out --wait
--queue easy --remove-late --pull-forward
    --remove-late: nobody reserves, so that no reservation starts earlier; leave out --pull-forward
--queue easy --remove-late --strategy juggle
    --remove-late: nobody reserves, so that no strategy or policy is asked; leave out --strategy and --policy
--queue easy --remove-late --policy all
    --remove-late: nobody reserves, so that no strategy or policy is asked; leave out --strategy and --policy
--queue easy --remove-late --sites 2
    --remove-late: jobs with windows are queued at one site only; leave out --sites
",
        |options| fail(dir.path(), &format!("{REPLAY} {options}"), 2),
    );
    assert_refused(
        r"
ranges.csv --wait
    --wait: a request waits for one length and for any PEs of its class, but request 1 has a duration_min; say 0 in its column wait
ranges.csv --queue easy --remove-late
    --remove-late: a job of the queue has one length and takes any PEs of its class, but request 1 has a duration_min
operations.csv --wait
    --wait: nothing is done to reservations where requests wait yet, but row 2 is an operation
operations.csv --queue easy --remove-late
    --remove-late: nobody reserves, but row 2 is an operation on a reservation
holds.csv --wait
    --wait: holds do not wait yet, but job 1 is one
holds.csv --queue easy --remove-late
    --remove-late: nobody reserves, but job 1 is a hold
",
        |options| fail(dir.path(), &REPLAY.replace("requests.csv", options), 2),
    );
    assert!(!dir.path().join("run").exists());
}

/// One job runs while the others come.
const QUEUED: &str = "\
job_id,arrival,ready,duration,deadline,pes,run_time,kind,user
1,0,0,600,0,4,600,best-effort,7
2,10,0,300,0,1,300,best-effort,7
3,20,0,300,0,3,300,best-effort,8
4,30,0,300,0,2,300,best-effort,9
5,40,0,300,0,2,300,best-effort,7
6,50,1800,60,1860,4,60,reservation,8
";

fn ordered(dir: &Path, options: &str) -> PathBuf {
    fs::write(dir.join("requests.csv"), QUEUED).unwrap();
    fs::write(dir.join("keys.csv"), "job_id,key\n5,9\n4,5\n").unwrap();
    succeed(dir, &format!("{REPLAY} {options}"));
    dir.join("run")
}

fn by_size(dir: &Path) -> PathBuf {
    ordered(dir, "--queue fcfs --priority size")
}

fn by_user(dir: &Path) -> PathBuf {
    ordered(dir, "--queue fcfs --priority user")
}

fn by_keys(dir: &Path) -> PathBuf {
    ordered(dir, "--queue fcfs --priority keys.csv")
}

#[test]
fn each_priority_orders_the_queue_and_lies_about_that_are_noticed() {
    let cases = [
        ("fcfs --priority age", [600, 600, 900, 900]),
        ("fcfs --priority size", [1200, 600, 900, 900]),
        ("easy --priority size", [600, 600, 900, 900]),
        ("conservative --priority size", [600, 600, 900, 900]),
        // The reservation counts for user 8, whose job therefore comes after that of user 9.
        ("fcfs --priority user", [900, 900, 600, 1200]),
        ("fcfs --priority keys.csv", [900, 900, 600, 600]),
    ];
    for (options, expected) in cases {
        let dir = folder();
        let run = ordered(dir.path(), &format!("--queue {options}"));
        succeed(dir.path(), "check run");
        let jobs = read(&run, JOBS);
        let starts: Vec<u64> = jobs.lines().skip(2).take(4).map(start).collect();
        assert_eq!(starts, expected, "{options}");
    }
    assert_lies_noticed(
        by_size,
        r"
jobs.csv:
key=3 => key=2
    job 3: key: found 2, expected 3
",
    );
    assert_lies_noticed(
        by_user,
        r"
jobs.csv:
key=4294967291; user=8 => key=4294967295; user=8
    job 3: key: found 4294967295, expected 4294967291
",
    );
    assert_lies_noticed(
        by_keys,
        r#"
jobs.csv:
key=9 => key=0
    job 2: starts at 900, although it could start at 600
metrics.json:
"queue_priority": "file",\n =>
    job 5: key stands in the metadata of what was queued by priority, and nowhere else
"queue_priority": "file" => "queue_priority": "age"
    metrics.json, queue_priority: found "age", expected size, user or file, with a queue at one site
"#,
    );
}

/// The start in a row of jobs.csv.
fn start(row: &str) -> u64 {
    row.split(',').nth(8).unwrap().parse().unwrap()
}

#[test]
fn wrong_cells_are_named() {
    let dir = folder();
    write(dir.path());
    let keys = [
        (
            "user\n1\n",
            "line 1, field key: found no such column in the header",
        ),
        (
            "key\n1\n",
            "line 1: found \"key\", expected the column user or the column job_id",
        ),
        (
            "user,job_id,key\n1,1,1\n",
            "line 2, field user: found \"1\", expected a number in the column user or in the column job_id",
        ),
        (
            "user,key\nx,1\n",
            "line 2, field user: found \"x\", expected a whole number of 0 or more",
        ),
        (
            "job_id,key\n1,-1\n",
            "line 2, field key: found \"-1\", expected a whole number from 0 to 4,294,967,295",
        ),
        (
            "user,key\n1,1\n1,2\n",
            "line 3, field user: found 1 a second time, expected one key for each",
        ),
        (
            "user,job_id,key\n1,,1\n,2,2\n",
            "line 3, field job_id: found keys of users and of jobs, expected one of them",
        ),
    ];
    for (text, expected) in keys {
        fs::write(dir.path().join("keys.csv"), text).unwrap();
        let said = fail(
            dir.path(),
            &format!("{REPLAY} --wait --priority keys.csv"),
            2,
        );
        assert_eq!(said, format!("error: keys.csv, {expected}\n"));
    }
    let wrong = REQUESTS.replace(
        "7,310,310,600,1260,4,600,,9",
        "7,310,310,600,1260,4,600,2,9",
    );
    fs::write(dir.path().join("requests.csv"), wrong).unwrap();
    assert_eq!(
        fail(dir.path(), REPLAY, 2),
        "error: requests.csv, line 8, field wait: found \"2\", expected 1, 0 or an empty cell\n"
    );
}

#[test]
fn equal_options_give_equal_bytes_and_a_sweep_finds_its_keys() {
    let dir = folder();
    let simulate = "simulate --workload poisson --jobs 400 --pes 32 --slot-seconds 60 --slots 4000 --wait --priority user --queue easy \
                    --k-over 1.5-3 --reservation-share 0.5 --arrival-factor 2 --policy first-fit,pe-worst-fit";
    for (threads, out) in [(1, "one"), (3, "three")] {
        succeed(
            dir.path(),
            &format!("{simulate} --threads {threads} --out {out}"),
        );
        succeed(dir.path(), &format!("check {out}"));
    }
    let both = ["one", "three"].map(|out| files(&dir.path().join(out)));
    assert_eq!(both[0], both[1]);
    let plans = dir.path().join("plans");
    fs::create_dir(&plans).unwrap();
    fs::write(plans.join("keys.csv"), "job_id,key\n3,1\n").unwrap();
    fs::write(
        plans.join("plan.toml"),
        "measures = [\"promised_late\", \"deadlines_kept_rate\"]\n[run]\nworkload = \"poisson\"\njobs = 300\npes = 32\nslot_seconds = 60\n\
         k_over = \"1.5-3\"\narrival_factor = 2\nwait = true\npriority = [\"age\", \"keys.csv\"]\n",
    )
    .unwrap();
    succeed(dir.path(), "sweep plans/plan.toml --out swept");
    let samples = read(&dir.path().join("swept"), "samples.csv");
    assert_eq!(samples.lines().count(), 3, "{samples}");
}
