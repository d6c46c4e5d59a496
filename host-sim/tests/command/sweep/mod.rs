//! Sweeps: plans are checked whole, nothing finished is lost or made twice, and shards come to the same bytes.

mod plans;
mod runs;
mod shards;
mod tables;

use std::{fs, path::Path};

const PLAN: &str = r#"
seed = 3
replications = 3
measures = ["acceptance_rate", "average_slowdown", "refusals.no-room"]

[run]
workload = "lublin"
jobs = 60
umed = [5, 9]
slot_seconds = 120
strategy = ["fit", "rigid"]
binding = ["early", "late"]
"#;

fn write_plan(dir: &Path, plan: &str) {
    fs::write(dir.join("plan.toml"), plan).unwrap();
}

/// A sweep has a page of times, which counts so many runs, with a row for each point of the plan.
fn assert_timed(sweep: &Path, runs: usize) {
    let times = fs::read_to_string(sweep.join("timing.csv")).unwrap();
    assert_eq!(times.lines().count(), 1 + runs);
    let page = fs::read_to_string(sweep.join("timing.html")).unwrap();
    crate::assert_says(&page, &format!(" {runs} runs of 24 were timed"));
    let (_, table) = page.split_once("and what it takes").unwrap();
    assert_eq!(table.matches("<tr>").count(), 1 + 8);
    let report = fs::read_to_string(sweep.join("report.html")).unwrap();
    assert!(report.contains("href=\"timing.html\""));
}

const TINY: &str = "replications = 2\nmeasures = [\"acceptance_rate\"]\n[run]\nworkload = \"poisson\"\njobs = [3, 4]\nslots = 64\nslot_seconds = 600\npes = [2, 4]\n";
