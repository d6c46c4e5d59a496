//! `simulate --replications`: several samples of the requests for each system, so that the systems can be told apart.

use std::fs;

use crate::{assert_begins, estimate_of_three, fail, folder, succeed, told};

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
    let refused = fail(
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
        .split_once(
            "differences from first-fit-early, pair by pair, ± half of their 95 % intervals:\n",
        )
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
    let expected = estimate_of_three(&differences);
    assert!((mean - expected[0]).abs() < 1e-4, "{said}");
    assert!((half - expected[1]).abs() < 1e-4, "{said}");
    assert_ne!(expected[0], 0.0);
}

#[test]
fn every_pair_has_its_differences_in_a_file_that_is_checked_and_in_the_report() {
    let dir = folder();
    let options = "simulate --jobs 60 --slot-seconds 60 --slots 4096 --replications 3";
    let three = format!("{options} --policy first-fit,pe-worst-fit,pe-best-fit --out three");
    succeed(dir.path(), &three);
    let file = dir.path().join("three/differences.csv");
    let written = fs::read_to_string(&file).unwrap();
    assert_begins(&written, "first,second,measure,n,mean,ci95\n");
    let sample = |system: &str, measure: &str| -> Vec<f64> {
        let mut samples = csv::Reader::from_path(dir.path().join("three/samples.csv")).unwrap();
        let headers = samples.headers().unwrap().clone();
        let at = headers.iter().position(|name| name == measure).unwrap();
        let rows = samples.records().map(Result::unwrap);
        let rows = rows.filter(|row| &row[0] == system);
        rows.map(|row| row[at].parse().unwrap()).collect()
    };
    let mut pairs = Vec::new();
    let mut table = csv::Reader::from_reader(written.as_bytes());
    for row in table.records().map(Result::unwrap) {
        let [first, second] = [&row[0], &row[1]].map(|system| sample(system, &row[2]));
        let differences: Vec<f64> = first.iter().zip(&second).map(|(a, b)| b - a).collect();
        let [mean, half] = estimate_of_three(&differences);
        assert_eq!(&row[3], "3");
        let [said, ci95]: [f64; 2] = [4, 5].map(|at| row[at].parse().unwrap());
        assert!(
            (said - mean).abs() < 1e-9 && (ci95 - half).abs() < 1e-6,
            "{row:?} {half}"
        );
        if &row[2] == "acceptance_rate" {
            pairs.push(format!("{} {}", &row[0], &row[1]));
        }
    }
    let expected = [
        "first-fit-early pe-worst-fit-early",
        "first-fit-early pe-best-fit-early",
        "pe-worst-fit-early pe-best-fit-early",
    ];
    assert_eq!(pairs, expected);
    let report = fs::read_to_string(dir.path().join("three/report.html")).unwrap();
    assert!(report.contains("Differences, pair by pair"));
    let row = "<th scope=\"row\">pe-worst-fit-early</th><th scope=\"row\">pe-best-fit-early</th>";
    assert!(report.contains(row));
    succeed(dir.path(), "check three");
    fs::write(&file, written.replacen(",3,", ",2,", 1)).unwrap();
    let wrong = fail(dir.path(), "check three", 1);
    assert!(
        wrong.contains("differences.csv is not what the runs come to"),
        "{wrong}"
    );
    // Another experiment has no such file.
    succeed(dir.path(), "simulate --jobs 60 --out three --force");
    assert!(!file.exists());
    // One system differs from nobody.
    succeed(
        dir.path(),
        &format!("{options} --policy first-fit --out three --force"),
    );
    assert!(!file.exists());
    succeed(dir.path(), "check three");
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
