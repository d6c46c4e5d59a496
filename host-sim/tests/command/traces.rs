//! A real log, from the folder that the environment variable `BOOKAHEAD_TRACES` names.

use std::{fs, io::Write, path::PathBuf};

use bookahead_oracle::conservative::{QueuedJob, replay};

use crate::{assert_begins, folder, succeed};

/// The logs' folder, or a word on standard error that a test did not run.
fn traces(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("BOOKAHEAD_TRACES").map(PathBuf::from);
    if folder.is_none() {
        // Straight to the stream: what the macros print is hidden when a test passes.
        let message = format!("SKIPPED {test}: set BOOKAHEAD_TRACES to a folder of logs\n");
        std::io::stderr().write_all(message.as_bytes()).unwrap();
    }
    folder
}

/// Crowded logs with real run times and estimates, and nobody who reserves: every job starts when the plain replay of conservative backfilling starts it.
#[test]
fn jobs_of_real_logs_are_planned_as_a_plain_replay_plans_them() {
    let Some(traces) = traces("jobs_of_real_logs_are_planned_as_a_plain_replay_plans_them") else {
        return;
    };
    const SLOT: u64 = 60;
    for (log, pes) in [
        ("SDSC-SP2-1998-4-filtered.swf.gz", 128),
        ("SDSC-BLUE-2000-4-filtered.swf.gz", 1_152),
    ] {
        let dir = folder();
        let file = traces.join(log);
        succeed(
            dir.path(),
            &format!(
                "simulate --workload {} --jobs 1500 --duration requested --arrival-factor 3 --slot-seconds {SLOT} --slots 131072 --pes {pes} --policy first-fit \
                 --binding late --reservation-share 0 --queue conservative --out planned",
                file.display()
            ),
        );
        let checked = succeed(dir.path(), "check planned");
        assert!(checked.contains(", 0 violations"), "{checked}");
        let jobs = fs::read_to_string(dir.path().join("planned/jobs.csv")).unwrap();
        let mut rows: Vec<[u64; 5]> = jobs
            .lines()
            .skip(1)
            .map(|line| {
                let cells: Vec<&str> = line.split(',').collect();
                [3, 4, 5, 9, 8].map(|column: usize| cells[column].parse().unwrap())
            })
            .collect();
        rows.sort_by_key(|[submitted, ..]| submitted.div_ceil(SLOT));
        let queued: Vec<QueuedJob> = rows
            .iter()
            .map(|[submitted, pes, estimate, ran, _]| QueuedJob {
                submitted: submitted.div_ceil(SLOT),
                estimate: estimate.div_ceil(SLOT),
                runs: ran.div_ceil(SLOT).max(1),
                pes: *pes,
            })
            .collect();
        let starts: Vec<u64> = rows.iter().map(|[.., start]| start / SLOT).collect();
        assert_eq!(replay(pes, &queued), starts, "{log}");
        let waited = queued.iter().zip(&starts);
        let waited = waited
            .filter(|(job, start)| job.submitted < **start)
            .count();
        assert!(waited > 150, "{waited} of {log} had to wait");
    }
}

#[test]
fn a_thousand_jobs_of_a_real_log_keep_their_promises() {
    let Some(traces) = traces("a_thousand_jobs_of_a_real_log_keep_their_promises") else {
        return;
    };
    let log = traces.join("SDSC-SP2-1998-4-filtered.swf.gz");
    let dir = folder();
    succeed(
        dir.path(),
        &format!(
            "simulate --workload {} --jobs 1000 --duration requested --slot-seconds 300 --slots 2016 --policy \
             first-fit,rigid,elastic --binding early,late --reservation-share 0.5 --queue easy --price --out queue",
            log.display()
        ),
    );
    let checked = succeed(dir.path(), "check queue");
    assert_eq!(checked.matches(", 0 violations\n").count(), 6, "{checked}");
    // So crowded that the queue is long, and everybody's estimate wrong.
    succeed(
        dir.path(),
        &format!(
            "simulate --workload {} --jobs 1000 --duration requested --arrival-factor 8 --slot-seconds 300 --slots 2016 --policy \
             first-fit,pe-duration-worst-fit --binding early,late --reservation-share 0.2 --queue easy --out crowd",
            log.display()
        ),
    );
    let checked = succeed(dir.path(), "check crowd");
    assert_eq!(checked.matches(", 0 violations\n").count(), 4, "{checked}");
    // With a layout that is made up: jobs ask node by node, end early, and make room in space for others.
    let layout = include_str!("../../../examples/layouts/sixteen.toml");
    fs::write(dir.path().join("layout.toml"), layout).unwrap();
    succeed(
        dir.path(),
        &format!(
            "simulate --workload {} --jobs 1000 --duration requested --arrival-factor 2 --slot-seconds 300 --slots 4032 --layout layout.toml --by-node \
             --within rack? --prefer lowest,pack,spread,compact:rack --relocate --out nodes",
            log.display()
        ),
    );
    let moves =
        fs::read_to_string(dir.path().join("nodes/first-fit-early-spread/moves.csv")).unwrap();
    assert!(moves.contains(",relocate,"), "{moves}");
    let checked = succeed(dir.path(), "check nodes");
    assert_eq!(checked.matches(", 0 violations\n").count(), 4, "{checked}");
    for duration in ["run", "requested"] {
        let output = succeed(
            dir.path(),
            &format!(
                "simulate --workload {} --jobs 1000 --duration {duration} --slot-seconds 300 --slots 2016 --policy \
                 first-fit,pe-worst-fit --binding early,late --out {duration}",
                log.display()
            ),
        );
        assert_begins(
            &output,
            "SDSC-SP2-1998-4-filtered.swf.gz: 1,000 requests, seed 1; 128 PEs, 2,016 slots of 300 s\n",
        );
        let checked = succeed(dir.path(), &format!("check {duration}"));
        assert_eq!(
            checked.matches(": 1,000 requests, 0 violations\n").count(),
            4,
            "{checked}"
        );
    }
}

/// With early binding, time alone may make room behind the first of a queue: a job that starts later chooses others. Nobody looks then, also where the estimate
/// of a job ends that is over for long.
#[test]
fn a_queue_is_looked_at_where_something_changes() {
    let Some(traces) = traces("a_queue_is_looked_at_where_something_changes") else {
        return;
    };
    let dir = folder();
    let file = traces.join("SDSC-SP2-1998-4-filtered.swf.gz");
    succeed(
        dir.path(),
        &format!(
            "simulate --workload {} --seed 2 --jobs 620 --duration requested --slots 20160 --slot-seconds 60 --reservation-share 0.3 --queue easy --out run",
            file.display()
        ),
    );
    let checked = succeed(dir.path(), "check run");
    assert!(checked.contains(", 0 violations"), "{checked}");
}
