//! `simulate --replications`: several samples of the requests for each system, so that the systems can be told apart.

use std::fs;

use crate::{assert_begins, folder, succeed, told};

#[test]
fn each_replication_is_what_simulate_says_with_its_seed() {
    let dir = folder();
    let options = "simulate --jobs 60 --slot-seconds 60 --slots 4096 --strategy fit,juggle --policy pe-worst-fit \
                   --flexible-share 0.5 --move-limit 3";
    let said = told(
        dir.path(),
        &format!("{options} --seed 5 --replications 3 --out both"),
    );
    assert_begins(&said, "2 points of 3 replications: 6 runs\n");
    let mut samples = csv::Reader::from_path(dir.path().join("both/samples.csv")).unwrap();
    let header = "system,replication,seed,acceptance_rate,accepted_work_rate,average_slowdown,bounded_slowdown,utilization";
    let names: Vec<&str> = samples.headers().unwrap().iter().collect();
    assert_eq!(names.join(","), header);
    let mut rows = 0;
    for row in samples.records() {
        let row = row.unwrap();
        let run = format!("{options} --seed {} --out one --force --quiet", &row[2]);
        succeed(dir.path(), &run);
        let file = dir.path().join("one").join(&row[0]).join("metrics.json");
        let metrics = fs::read_to_string(file).unwrap();
        for (cell, name) in row.iter().zip(header.split(',')).skip(3) {
            let entry = format!("\n  \"{name}\": {cell},\n");
            assert!(metrics.contains(&entry), "{name} {cell} in {metrics}");
        }
        rows += 1;
    }
    assert_eq!(rows, 6);
    assert_eq!(
        succeed(dir.path(), "check both"),
        "both: a sweep of 6 runs, 0 violations\n"
    );
    // What is finished is not made again, and another workload is another experiment.
    let again = told(
        dir.path(),
        &format!("{options} --seed 5 --replications 3 --out both"),
    );
    assert!(again.contains("6 of them finished before"), "{again}");
    let other = options.replace("--jobs 60", "--jobs 61");
    let refused = crate::fail(
        dir.path(),
        &format!("{other} --replications 3 --out both"),
        2,
    );
    assert!(refused.contains("holds another experiment"), "{refused}");
}

#[test]
fn differences_are_those_of_pairs() {
    let dir = folder();
    let said = succeed(
        dir.path(),
        "simulate --jobs 60 --slot-seconds 60 --slots 4096 --policy first-fit,pe-worst-fit --replications 3 --out pair",
    );
    let (_, table) = said
        .split_once("differences from first-fit-early on the same requests, ± half of their 95 % intervals:\n")
        .unwrap();
    let row = table.lines().nth(1).unwrap();
    let mut shown = row.strip_prefix("pe-worst-fit-early").unwrap().split(" ± ");
    let mean: f64 = shown.next().unwrap().trim().parse().unwrap();
    let half: f64 = shown
        .next()
        .unwrap()
        .split_whitespace()
        .next()
        .unwrap()
        .parse()
        .unwrap();
    let mut samples = csv::Reader::from_path(dir.path().join("pair/samples.csv")).unwrap();
    let rates: Vec<f64> = samples
        .records()
        .map(|row| row.unwrap()[3].parse().unwrap())
        .collect();
    let differences: Vec<f64> = (0..3).map(|at| rates[at + 3] - rates[at]).collect();
    let expected = differences.iter().sum::<f64>() / 3.0;
    let squares = differences.iter().map(|one| (one - expected).powi(2));
    let deviation = (squares.sum::<f64>() / 2.0 / 3.0).sqrt();
    // The quantile of Student's t with two degrees of freedom.
    assert!((mean - expected).abs() < 1e-4, "{said}");
    assert!((half - 4.302_652_729_9 * deviation).abs() < 1e-4, "{said}");
    assert_ne!(expected, 0.0);
}

#[test]
fn what_only_some_systems_have_is_not_compared() {
    let dir = folder();
    let said = succeed(
        dir.path(),
        "simulate --jobs 40 --slot-seconds 60 --slots 4096 --reservation-share 0.5 --queue easy --wait --replications 2 --out queued",
    );
    for measure in ["deadlines_kept_rate", "undated_waiting_time"] {
        assert!(said.contains(measure), "{said}");
    }
    // Which counts jobs with a deadline in other systems.
    assert!(!said.contains("best_effort_waiting_time"), "{said}");
}
