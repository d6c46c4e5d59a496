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
    check::{assert_noticed, tampered_with},
    folder, succeed,
};

const METRICS: &str = "metrics.json";
const EXPERIMENT: &str = "experiment.json";

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
    let cases = [
        ("slots", "640", "1640"),
        ("pes", "128", "228"),
        ("slot_seconds", "30", "130"),
        ("seed", "7", "17"),
    ];
    for (entry, value, other) in cases {
        let found = |found: &str, expected: &str| {
            format!(
                "metrics.json, {entry}: found {found}, expected {expected}, as experiment.json says"
            )
        };
        let (old, new) = (
            format!("\"{entry}\": {value}"),
            format!("\"{entry}\": {other}"),
        );
        assert_noticed(one, METRICS, &old, &new, &found(other, value));
        let option = entry.replace('_', "-");
        let quote = if entry == "seed" { "" } else { "\"" };
        let [old, new] = [value, other].map(|value| format!("\"{option}\": {quote}{value}{quote}"));
        assert_noticed(one, EXPERIMENT, &old, &new, &found(value, other));
    }
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
    for (entry, value) in [
        ("slots", "6144"),
        ("pes", "1024"),
        ("slot_seconds", "20"),
        ("seed", "1"),
    ] {
        assert_noticed(
            demonstration,
            "pe-worst-fit-early/metrics.json",
            &format!("\"{entry}\": {value}"),
            &format!("\"{entry}\": 2{value}"),
            &format!(
                "metrics.json, {entry}: found 2{value}, expected {value}, as experiment.json says"
            ),
        );
    }
    assert_noticed(
        demonstration,
        "pe-worst-fit-early/metrics.json",
        "\"policy\": \"pe-worst-fit\"",
        "\"policy\": \"pe-best-fit\"",
        "metrics.json, strategy, policy and binding: found pe-best-fit-early, expected pe-worst-fit-early, as experiment.json says",
    );
}

#[test]
fn the_sample_of_a_reproduction_has_its_settings() {
    assert_eq!(
        tampered_with(reproduction, "settings.json", "\"seed\"", "\"seed\""),
        Vec::<String>::new()
    );
    for (entry, value) in [
        ("slots", "8640"),
        ("pes", "64"),
        ("slot_seconds", "300"),
        ("seed", "1"),
    ] {
        let found = |found: &str, expected: &str| {
            format!(
                "metrics.json, {entry}: found {found}, expected {expected}, as settings.json says"
            )
        };
        let [old, new] =
            [value.to_owned(), format!("2{value}")].map(|value| format!("\"{entry}\": {value}"));
        let other = format!("2{value}");
        assert_noticed(
            reproduction,
            "sample/metrics.json",
            &old,
            &new,
            &found(&other, value),
        );
        assert_noticed(
            reproduction,
            "settings.json",
            &old,
            &new,
            &found(value, &other),
        );
    }
    assert_noticed(
        reproduction,
        EXPERIMENT,
        "\"seed\": 1",
        "\"seed\": 3",
        "metrics.json, seed: found 1, expected 3, as experiment.json says",
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
