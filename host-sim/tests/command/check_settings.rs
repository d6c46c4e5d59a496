//! The checker notices settings in metrics.json that are missing, impossible, or those of another run.

use std::path::{Path, PathBuf};

use crate::{
    lies::{assert_lies_noticed, assert_noticed, tampered_with},
    succeed,
};

const METRICS: &str = "metrics.json";

/// Four jobs in slots of a minute, some of which reserve.
fn simulated(dir: &Path, strategy: &str) -> PathBuf {
    let jobs = [[60, 60], [120, 300], [60, 60], [60, 60]];
    let record = |(number, [run, requested]): (usize, [u64; 2])| {
        format!(
            "{} {} -1 {run} 2 -1 -1 2 {requested} -1 1 1 1 1 1 -1 -1 -1\n",
            number + 1,
            100 * number
        )
    };
    let log: String = jobs.into_iter().enumerate().map(record).collect();
    std::fs::write(dir.join("tiny.swf"), log).unwrap();
    succeed(
        dir,
        &format!(
            "simulate --workload tiny.swf --pes 4 --slots 640 --slot-seconds 60 --duration requested --reservation-share 0.5 \
             --queue fcfs --price {strategy} --out run"
        ),
    );
    dir.join("run")
}

fn run(dir: &Path) -> PathBuf {
    simulated(dir, "--policy first-fit --binding late")
}

fn elastic(dir: &Path) -> PathBuf {
    simulated(dir, "--policy elastic")
}

#[test]
fn settings_that_are_missing_or_impossible_are_noticed() {
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    for (old, new, problem) in [
        (
            version.as_str(),
            "\"version\": \"new\"",
            "version: found \"new\", expected a version such as 0.1.0",
        ),
        (
            version.as_str(),
            "\"note\": 1",
            "version: found nothing, expected a version such as 0.1.0",
        ),
    ] {
        assert_noticed(run, METRICS, old, new, &format!("metrics.json, {problem}"));
    }
    assert_lies_noticed(
        run,
        r#"
metrics.json:
"workload": "tiny.swf" => "workload": ""
    metrics.json, workload: found "", expected the name of a workload
"workload": "tiny.swf" => "note": 1
    metrics.json, workload: found nothing, expected the name of a workload
"seed": 1 => "note": 1
    metrics.json, seed: found nothing, expected a seed
"policy": "first-fit" => "policy": "best"
    metrics.json, policy: found "best", expected the name of a policy
"policy": "first-fit" => "note": 1
    metrics.json, policy: found nothing, expected the name of a policy
"binding": "late" => "binding": "soon"
    metrics.json, binding: found "soon", expected early, late, or with a policy late-control
"binding": "late" => "note": 1
    metrics.json, binding: found nothing, expected early, late, or with a policy late-control
"slots": 640 => "note": 1
    metrics.json, slots: found nothing, expected 1 to 33554432
"slots": 640 => "slots": 0
    metrics.json, slots: found 0, expected 1 to 33554432
"pes": 4 => "pes": 70000
    metrics.json, pes: found 70000, expected 1 to 65535
"slots": 640 => "slots": 640, "offers": 2
    metrics.json, offers: found 2, expected nothing but with an elastic strategy
"slots": 640 => "slots": 640, "user": "alternatives"
    metrics.json, user: found "alternatives", expected nothing but with an elastic strategy
"#,
    );
}

#[test]
fn options_of_an_elastic_strategy_that_are_missing_or_impossible_are_noticed() {
    assert_lies_noticed(
        elastic,
        r#"
metrics.json:
"search": "strip-packing" => "search": "all"
    metrics.json, search: found "all", expected one of strip-packing, pareto-front
"search": "strip-packing" => "note": 1
    metrics.json, search: found nothing, expected a choice of an elastic strategy
"offer_order": "discovery" => "note": 1
    metrics.json, offer_order: found nothing, expected a choice of an elastic strategy
"offers": 64 => "offers": 2000
    metrics.json, offers: found 2000, expected 1 to 1024
"offers": 64 => "note": 1
    metrics.json, offers: found nothing, expected 1 to 1024
"user": "alternatives" => "user": "me"
    metrics.json, user: found "me", expected one of solution-only, alternatives, ask-again
"user": "alternatives" => "note": 1
    metrics.json, user: found nothing, expected a choice of an elastic strategy
"#,
    );
}

#[test]
fn jobs_of_another_workload_are_noticed() {
    let violations = tampered_with(
        run,
        "metrics.json",
        "\"workload\": \"tiny.swf\"",
        "\"workload\": \"other.swf\"",
    );
    let expected = "job 1: workload_name: found \"tiny.swf\", expected \"other.swf\"";
    assert_eq!(violations[0], expected);
    assert_eq!(violations.len(), 4);
}

#[test]
fn a_horizon_that_promises_reach_beyond_is_noticed() {
    let violations = tampered_with(run, "metrics.json", "\"slots\": 640", "\"slots\": 2");
    let beyond = |violation: &&String| violation.ends_with("must be refused for beyond-horizon");
    assert!(
        violations.iter().any(|violation| beyond(&violation)),
        "{violations:#?}"
    );
    let booked = |violation: &String| violation.contains("when the slots end at");
    assert!(violations.iter().any(booked), "{violations:#?}");
}
