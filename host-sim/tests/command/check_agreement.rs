//! The checker compares metrics.json with experiment.json, and with settings.json of a reproduction; what no file tells is listed on the
//! page about results.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use bookahead_sim::check;
use serde_json::{Value, json};

use crate::{
    folder,
    lies::{assert_lies_noticed, assert_noticed},
    succeed,
};

const METRICS: &str = "metrics.json";

fn one(dir: &Path) -> PathBuf {
    succeed(
        dir,
        "simulate --workload poisson --jobs 20 --slots 640 --slot-seconds 30 --seed 7 --policy first-fit --out run",
    );
    dir.join("run")
}

fn demonstration(dir: &Path) -> PathBuf {
    succeed(dir, "--jobs 20 --out run");
    dir.join("run")
}

fn reproduction(dir: &Path) -> PathBuf {
    let job = "1 400 -1 600 8 -1 -1 8 900 -1 1 -1 -1 -1 -1 -1 -1 -1\n";
    let log = format!("; MaxProcs: 512\n; MaxNodes: 64\n{job}");
    fs::write(dir.join("tiny.swf"), log).unwrap();
    succeed(
        dir,
        "reproduce sulistio --workload tiny.swf --quick --out run",
    );
    dir.join("run")
}

#[test]
fn settings_of_another_experiment_are_noticed() {
    assert_lies_noticed(
        one,
        r#"
metrics.json:
"slots": 640 => "slots": 1640
    metrics.json, slots: found 1640, expected 640, as experiment.json says
"pes": 128 => "pes": 228
    metrics.json, pes: found 228, expected 128, as experiment.json says
"slot_seconds": 30 => "slot_seconds": 130
    metrics.json, slot_seconds: found 130, expected 30, as experiment.json says
"seed": 7 => "seed": 17
    metrics.json, seed: found 17, expected 7, as experiment.json says
experiment.json:
"slots": "640" => "slots": "1640"
    metrics.json, slots: found 640, expected 1640, as experiment.json says
"pes": "128" => "pes": "228"
    metrics.json, pes: found 128, expected 228, as experiment.json says
"slot-seconds": "30" => "slot-seconds": "130"
    metrics.json, slot_seconds: found 30, expected 130, as experiment.json says
"seed": 7 => "seed": 17
    metrics.json, seed: found 7, expected 17, as experiment.json says
"#,
    );
    let version = env!("CARGO_PKG_VERSION");
    assert_noticed(
        one,
        METRICS,
        &format!("\"version\": \"{version}\""),
        "\"version\": \"9.9.9\"",
        &format!("metrics.json, version: found 9.9.9, expected {version}, as experiment.json says"),
    );
}

#[test]
fn settings_of_a_demonstration_are_compared_too() {
    assert_lies_noticed(
        demonstration,
        r#"
pe-worst-fit-early/metrics.json:
"slots": 6144 => "slots": 26144
    metrics.json, slots: found 26144, expected 6144, as experiment.json says
"pes": 1024 => "pes": 21024
    metrics.json, pes: found 21024, expected 1024, as experiment.json says
"slot_seconds": 20 => "slot_seconds": 220
    metrics.json, slot_seconds: found 220, expected 20, as experiment.json says
"seed": 1 => "seed": 21
    metrics.json, seed: found 21, expected 1, as experiment.json says
"policy": "pe-worst-fit" => "policy": "pe-best-fit"
    metrics.json, strategy, policy and binding: found pe-best-fit-early, expected pe-worst-fit-early, as experiment.json says
"#,
    );
}

#[test]
fn the_sample_of_a_reproduction_has_its_settings() {
    assert_lies_noticed(
        reproduction,
        r#"
sample/metrics.json:
"slots": 8640 => "slots": 28640
    metrics.json, slots: found 28640, expected 8640, as settings.json says
"pes": 64 => "pes": 264
    metrics.json, pes: found 264, expected 64, as settings.json says
"slot_seconds": 300 => "slot_seconds": 2300
    metrics.json, slot_seconds: found 2300, expected 300, as settings.json says
"seed": 1 => "seed": 21
    metrics.json, seed: found 21, expected 1, as settings.json says
settings.json:
"slots": 8640 => "slots": 28640
    metrics.json, slots: found 8640, expected 28640, as settings.json says
"pes": 64 => "pes": 264
    metrics.json, pes: found 64, expected 264, as settings.json says
"slot_seconds": 300 => "slot_seconds": 2300
    metrics.json, slot_seconds: found 300, expected 2300, as settings.json says
"seed": 1 => "seed": 21
    metrics.json, seed: found 1, expected 21, as settings.json says
experiment.json:
"seed": 1 => "seed": 3
    metrics.json, seed: found 1, expected 3, as experiment.json says
"#,
    );
}

/// Simulations that together have every entry of metrics.json.
const RUNS: [&str; 8] = [
    "--policy first-fit",
    "--policy pe-worst-fit --binding late --reservation-share 0.5 --queue easy --price",
    "--strategy elastic --reservation-share 0.5 --queue fcfs --price",
    "--strategy shift --binding late",
    "--strategy juggle --suggest-max 20 --binding late --flexible-share 0.8",
    "--strategy overlay --binding late --on-late compensate:0.5 --price",
    "--strategy overlay --binding late --sites 2 --redundancy copies:2",
    "--layout layout.toml --relocate --by-node",
];

/// Another value that the entry could have.
fn other(name: &str, value: &Value) -> Value {
    let names: &[&str] = match name.trim_start_matches('/') {
        "policy" => &["pe-best-fit", "duration-best-fit"],
        "binding" => &["early", "late"],
        "strategy" => &["rigid", "elastic"],
        "search" => &["strip-packing", "pareto-front"],
        "offer_order" => &["discovery", "longest"],
        "user" => &["alternatives", "ask-again"],
        "direction" => &["right", "both"],
        "insertion" => &["fewest-moves", "least-shift"],
        "order" => &["edf", "lff"],
        "admission" => &["plain-first", "always"],
        "after_failure" => &["retry", "refuse"],
        "freeze" => &["never", "acceptance"],
        "best_effort" => &["fcfs", "easy"],
        "threshold" => &["0.5", "0.25"],
        "redundancy" => &["copies:2", "copies:1"],
        "on_late" => &["cancel", "compensate:0.25"],
        "prefer" => &["lowest", "pack"],
        "version" => &["9.9.9"],
        _ => &["another"],
    };
    match value {
        Value::String(text) => json!(names.iter().find(|name| *name != text).unwrap()),
        Value::Number(number) if number.is_f64() => json!(number.as_f64().unwrap() + 0.25),
        Value::Number(number) => json!(number.as_u64().unwrap() + 1),
        Value::Bool(is) => json!(!is),
        _ => json!(1),
    }
}

/// The places of all values that are no groups.
fn places(prefix: &str, value: &Value, found: &mut Vec<String>) {
    match value.as_object() {
        Some(group) if !group.is_empty() => group
            .iter()
            .for_each(|(name, value)| places(&format!("{prefix}/{name}"), value, found)),
        _ => found.push(prefix.to_owned()),
    }
}

#[test]
fn the_page_about_results_lists_what_nothing_judges() {
    let page = include_str!("../../../docs/results.md");
    let (_, section) = page.split_once("## What `check` cannot judge\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let first = rows.map(|line| line.split('|').nth(1).unwrap());
    let listed: BTreeSet<&str> = first
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();

    let mut unjudged = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for options in RUNS {
        let dir = folder();
        let layout = "groups = 12\nkinds = { core = 8 }\nlevels = { rack = 4 }\n[partitions]\nall = \"0-11\"\n[[missing]]\ngroups = \"11\"\nkinds = [\"core\"]\n";
        fs::write(dir.path().join("layout.toml"), layout).unwrap();
        succeed(
            dir.path(),
            &format!(
                "simulate --workload poisson --mean-gap 150 --jobs 60 --slot-seconds 60 --slots 2048 {options} --out run"
            ),
        );
        let file = dir.path().join("run/metrics.json");
        let metrics = crate::json(&file);
        let mut all = Vec::new();
        places("", &metrics, &mut all);
        for place in all {
            let mut changed = metrics.clone();
            let value = changed.pointer_mut(&place).unwrap();
            *value = other(&place, value);
            fs::write(&file, changed.to_string()).unwrap();
            let name = place[1..].split('/').next().unwrap().to_owned();
            let is_noticed = match check::folder(&dir.path().join("run")) {
                Ok(runs) => runs.iter().any(|run| !run.violations.is_empty()),
                Err(_) => true,
            };
            if !is_noticed {
                unjudged.insert(name.clone());
            }
            seen.insert(name);
        }
    }
    assert!(seen.len() > 60, "{seen:?}");
    let unjudged: BTreeSet<&str> = unjudged.iter().map(String::as_str).collect();
    assert_eq!(unjudged, listed);
}
