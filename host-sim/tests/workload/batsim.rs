//! Workloads of Batsim: what is taken of them, and what is said of those that are none.

use std::fs;

use bookahead_sim::{
    error::Result,
    workload::{
        batsim,
        from_swf::{self, DurationFrom, Options},
    },
};

fn jobs(text: &str) -> Result<Vec<(u64, u64, u64, u64)>> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("workload.json");
    fs::write(&file, text).unwrap();
    let options = Options {
        duration_from: DurationFrom::Requested,
        ..Options::default()
    };
    let jobs = from_swf::jobs(&batsim::read(file)?, options)?.jobs;
    Ok(jobs
        .iter()
        .map(|job| (job.id, job.submit as u64, job.run, job.duration))
        .collect())
}

const PROFILES: &str = r#""profiles": {"short": {"type": "delay", "delay": 60.5}, "none": {"type": "delay"},
    "wide": {"type": "parallel_homogeneous", "cpu": 1e9, "com": 0}}"#;

fn workload(entries: &str) -> String {
    format!(r#"{{"nb_res": 8, "jobs": [{entries}], {PROFILES}}}"#)
}

#[test]
fn jobs_are_in_order_of_submission_and_book_their_wall_time() {
    let text = workload(
        r#"{"id": "2", "subtime": 30, "res": 4, "walltime": 90, "profile": "short"},
           {"id": 1, "subtime": 10.5, "res": 1, "profile": "short", "extra": true},
           {"id": 3, "subtime": 40, "res": 1, "walltime": -1, "profile": "short"}"#,
    );
    assert_eq!(
        jobs(&text).unwrap(),
        [(1, 10, 61, 61), (2, 30, 61, 90), (3, 40, 61, 61)]
    );
}

#[test]
fn what_is_no_workload_is_named() {
    let one = |id: &str, subtime: &str, profile: &str| {
        format!(r#"{{"id": {id}, "subtime": {subtime}, "res": 1, "profile": "{profile}"}}"#)
    };
    let good = one("1", "0", "short");
    let cases = [
        (workload(""), "jobs: found none, expected at least one job"),
        (
            workload(&one("\"w0!1\"", "0", "short")),
            "jobs[0].id: found \"w0!1\", expected a whole number",
        ),
        (
            workload(&format!("{good}, {good}")),
            "jobs[1].id: found 1 a second time, expected a number of its own for each job",
        ),
        (
            workload(&one("1", "-5", "short")),
            "jobs[0].subtime: found -5, expected seconds of 0 or more",
        ),
        (
            workload(&one("1", "0", "long")),
            "jobs[0].profile: found \"long\", which is none of the profiles",
        ),
        (
            workload(&one("1", "0", "none")),
            "jobs[0].profile: profile \"none\" has no delay",
        ),
        (
            workload(&one("1", "0", "wide")),
            "jobs[0].profile: profile \"wide\" is of the type \"parallel_homogeneous\", expected \"delay\": others do not say how long a job runs",
        ),
        ("{\n\"jobs\": 3}".to_owned(), "line 2"),
        ("[".to_owned(), "line 1"),
    ];
    for (text, expected) in cases {
        let error = jobs(&text).unwrap_err().to_string();
        assert!(
            error.contains("workload.json") && error.contains(expected),
            "{error}"
        );
    }
}
