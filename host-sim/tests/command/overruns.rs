//! Jobs of logs that run longer than was requested, and go on by force.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{assert_says, cases::assert_refused, fail, folder, lies::assert_lies_noticed, succeed};

/// Four processors; of eight jobs, each second one runs for twice what it requested.
fn write(dir: &Path) {
    let header = "; MaxProcs: 4\n".to_owned();
    let log = (1..=8).fold(header, |log, job| {
        let (submit, run) = (job * 20, 60 * (1 + job % 2));
        log + &format!("{job} {submit} -1 {run} 2 -1 -1 2 60 -1 1 1 1 -1 1 -1 -1 -1\n")
    });
    fs::write(dir.join("log.swf"), log).unwrap();
}

const SIMULATE: &str = "simulate --workload log.swf --slots 512 --slot-seconds 10 --deadline-factor 9 --book-ahead-factor 0";

/// How many jobs ran for two minutes.
fn twice(jobs: &str) -> usize {
    let times = jobs.lines().map(|row| row.split(',').nth(9));
    times.filter(|time| *time == Some("120")).count()
}

#[test]
fn jobs_of_a_log_take_longer_than_they_book_and_are_checked() {
    let dir = folder();
    write(dir.path());
    let run = |options: &str, out: &str| {
        succeed(
            dir.path(),
            &format!("{SIMULATE} --duration requested {options} --out {out}"),
        );
        succeed(dir.path(), &format!("check {out}"));
        let read = |name: &str| fs::read_to_string(dir.path().join(out).join(name)).unwrap();
        ["metrics.json", "jobs.csv", "reservations.csv"].map(read)
    };
    let [metrics, jobs, _] = run("", "stopped");
    assert!(
        !metrics.contains("overrun") && !metrics.contains("promises"),
        "{metrics}"
    );
    assert_eq!(twice(&jobs), 0, "{jobs}");
    assert!(!dir.path().join("stopped/moves.csv").exists());
    let [metrics, jobs, reservations] = run("--overrun", "longer");
    assert_says(&metrics, "\"overrun\": true,\n  \"promises_broken\": 0,");
    assert_eq!(twice(&jobs), 4, "{jobs}");
    assert_says(&reservations, ",broken_by,broken_at\n");
    let moves = fs::read_to_string(dir.path().join("longer/moves.csv")).unwrap();
    assert!(moves.contains(",1,overrun,"), "{moves}");
    // Whoever says that no job takes longer is found out.
    let file = dir.path().join("longer/metrics.json");
    fs::write(&file, metrics.replace("  \"overrun\": true,\n", "")).unwrap();
    let said = fail(dir.path(), "check longer", 1);
    assert_eq!(said, "error: longer: 17 violations\n");
}

#[test]
fn queued_jobs_of_a_log_that_are_stopped_are_counted_and_marked() {
    let dir = folder();
    write(dir.path());
    let run = |options: &str| {
        let queue = "--reservation-share 0 --queue easy --binding late --duration";
        succeed(
            dir.path(),
            &format!("{SIMULATE} {queue} {options} --out run --force"),
        );
        succeed(dir.path(), "check run");
        let jobs = fs::read_to_string(dir.path().join("run/jobs.csv")).unwrap();
        assert_eq!(twice(&jobs) > 0, options == "run", "{jobs}");
        let stopped = jobs.lines().filter(|row| row.ends_with(",stopped")).count();
        let metrics = crate::json(&dir.path().join("run/metrics.json"));
        (stopped, metrics["best_effort_overran"].as_u64())
    };
    assert_eq!(run("requested"), (4, Some(4)));
    assert_eq!(run("run"), (0, Some(0)));
}

#[test]
fn a_sweep_compares_runs_with_and_without_overruns() {
    let dir = folder();
    write(dir.path());
    let plan = "seed = 1\nreplications = 2\nmeasures = [\"promises_broken\", \"accepted\"]\n[run]\nworkload = \"log.swf\"\nduration = \"requested\"\n\
                slots = 512\nslot_seconds = 10\noverrun = true\nstrategy = [\"fit\", \"rigid\"]\n";
    fs::write(dir.path().join("plan.toml"), plan).unwrap();
    succeed(dir.path(), "sweep plan.toml --out out");
    let samples = fs::read_to_string(dir.path().join("out/samples.csv")).unwrap();
    assert_eq!(samples.lines().count(), 5, "{samples}");
    succeed(dir.path(), "check out");
}

#[test]
fn what_overruns_do_not_go_with_is_named() {
    let dir = folder();
    write(dir.path());
    let message = |options: &str| fail(dir.path(), &format!("{SIMULATE} --overrun {options}"), 2);
    assert!(
        message("")
            .contains("--overrun: every job books what it runs for; say --duration requested")
    );
    assert_refused(
        r"
--strategy elastic
    …--overrun: jobs then take longer than was booked, but --strategy elastic grants some of them less time than they asked for, and they have to end with that; leave out --overrun, or say --strategy fit…
--strategy overlay --binding late
    …--overrun: jobs then take longer than was booked, but --strategy overlay promises starts by how probably others end before their bookings do; leave out --overrun, or say --strategy fit…
--queue easy --reservation-share 0.5
    …leave out --queue…
--sites 2
    …leave out --sites…
--wait
    …leave out --overrun…
",
        |options| message(&format!("--duration requested {options}")),
    );
}

fn overrun(dir: &Path) -> PathBuf {
    let rows =
        "1,0,0,50,50,2,,\n2,0,50,30,200,2,,\n3,0,80,20,100,4,,\n4,40,,90,,,extend-by-force,1\n";
    let header = "job_id,arrival,ready,duration,deadline,pes,op,target\n";
    fs::write(dir.join("requests.csv"), format!("{header}{rows}")).unwrap();
    succeed(
        dir,
        "replay --requests requests.csv --pes 4 --slots 64 --slot-seconds 10 --out run",
    );
    dir.join("run")
}

#[test]
fn who_is_in_the_way_of_a_job_that_takes_longer_is_told_and_checked() {
    let dir = folder();
    let run = overrun(dir.path());
    let read = |name: &str| fs::read_to_string(run.join(name)).unwrap();
    assert_eq!(
        read("moves.csv"),
        "\
time,job_id,old_start,new_start,cause_job_id,cause,old_end,new_end,old_pes,new_pes
40,1,0,0,4,extend-by-force,50,90,2,2
40,2,50,50,1,overrun,80,80,2,2
"
    );
    let reservations = read("reservations.csv");
    let columns = "final_start,fixed_at,broken_by,broken_at\n";
    assert!(reservations.contains(columns), "{reservations}");
    assert!(
        reservations
            .contains("\n3,0,80,20,100,4,accepted,,80,100,1.000000,reserve,,80,80,overrun:1,40\n"),
        "{reservations}"
    );
    assert!(read("jobs.csv").contains(",broken by overrun:1 at 40\n"));
    let metrics = read("metrics.json");
    for line in ["\"promises_broken\": 1", "\"promises_moved\": 0"] {
        assert!(metrics.contains(line), "no {line} in {metrics}");
    }
    assert!(!metrics.contains("outage"), "{metrics}");
    let checked = succeed(dir.path(), "check run");
    assert_eq!(checked, "run: 3 requests, 1 operation, 0 violations\n");
    assert_lies_noticed(
        overrun,
        r#"
metrics.json:
broken": 1 => broken": 0
    metrics.json, promises_broken: found 0, expected 1…
moved": 0 => moved": 1
    metrics.json, promises_moved: found 1, expected 0…
reservations.csv:
overrun:1, => 1,
    job 3: broken_by and broken_at: found…
moves.csv:
1,overrun => 3,overrun
    job 2: moves.csv: moved at 40 by job 3, which is not extended then…
operations.csv:
by-force,1 => by-force,2
    job 4: extends by force what does not run…
"#,
    );
}
