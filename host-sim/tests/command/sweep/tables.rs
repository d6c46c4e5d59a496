//! What a sweep shows of itself.

use std::{fs, path::Path};

use super::{TINY, write_plan};
use crate::{assert_begins, assert_says, estimate_of_three, folder, succeed, told};

#[test]
fn a_sweep_ends_with_a_table_of_what_it_compares() {
    let dir = folder();
    write_plan(
        dir.path(),
        "replications = 2\nmeasures = [\"acceptance_rate\", \"refusals.no-room\"]\n[run]\nworkload = \"poisson\"\njobs = 60\n\
         policy = [\"first-fit\", \"pe-worst-fit\"]\nslot_seconds = [60, 120]\npes = [64]\n",
    );
    let shown = succeed(dir.path(), "sweep plan.toml --out grid");
    let rows: Vec<Vec<&str>> = shown
        .lines()
        .skip(1)
        .take(5)
        .map(|line| {
            line.split("  ")
                .map(str::trim)
                .filter(|cell| !cell.is_empty())
                .collect()
        })
        .collect();
    assert_begins(&shown, "means over replications, ± half");
    assert_eq!(
        rows[0],
        [
            "slot_seconds",
            "policy",
            "acceptance_rate",
            "refusals.no-room"
        ]
    );
    let points: Vec<_> = rows[1..].iter().map(|row| (row[0], row[1])).collect();
    let policies = ["first-fit", "pe-worst-fit"];
    let expected = ["60", "120"].map(|slot| policies.map(|policy| (slot, policy)));
    assert_eq!(points, expected.concat(), "{shown}");
    assert!(
        rows[1..]
            .iter()
            .all(|row| row.len() == 4 && row[2].contains(" ± ")),
        "{shown}"
    );
    let quiet = succeed(dir.path(), "sweep plan.toml --out grid --quiet");
    assert!(quiet.starts_with("samples: "), "{quiet}");
}

/// Only a strategy that moves somebody counts moves.
#[test]
fn a_cell_is_empty_where_a_point_has_no_such_number() {
    let dir = folder();
    let options = "workload = \"poisson\"\njobs = 60\npes = 16\nslot_seconds = 60\nslots = 4096\nstrategy = [\"fit\", \"juggle\"]\n";
    let plan = format!("replications = 2\nmeasures = [\"moves\"]\n[run]\n{options}");
    write_plan(dir.path(), &plan);
    succeed(dir.path(), "sweep plan.toml --out grid");
    let samples = fs::read_to_string(dir.path().join("grid/samples.csv")).unwrap();
    let cells = samples.lines().skip(1).map(|line| line.rsplit(',').next());
    let has_one: Vec<bool> = cells.map(|cell| cell != Some("")).collect();
    assert_eq!(has_one, [false, false, true, true], "{samples}");
    succeed(dir.path(), "check grid");
}

#[test]
fn nothing_is_said_of_intervals_where_one_replication_has_none() {
    let dir = folder();
    let plan = |replications| {
        let outages = "mtbf = 400000\nmttr = 20000\nslot_seconds = 60\nslots = 4096\nstrategy = [\"fit\", \"juggle\"]\n";
        let measures = "\"acceptance_rate\", \"promises_broken\", \"promises_broken_rate\"";
        format!(
            "replications = {replications}\nmeasures = [{measures}]\n[run]\nworkload = \"poisson\"\njobs = 60\npes = 16\n{outages}"
        )
    };
    let mut told = Vec::new();
    for replications in [1, 2] {
        write_plan(dir.path(), &plan(replications));
        let out = format!("grid{replications}");
        let shown = succeed(dir.path(), &format!("sweep plan.toml --out {out}"));
        let report = fs::read_to_string(dir.path().join(&out).join("report.html")).unwrap();
        told.push((shown, report));
    }
    let [(one, one_page), (two, two_page)] = &told[..] else {
        panic!("two sweeps")
    };
    assert_begins(one, "one replication of each point:\n");
    assert_begins(
        two,
        "means over replications, ± half of their 95 % intervals:\n",
    );
    // However many have a value.
    let nothing = plan(2).replace(
        "\"acceptance_rate\", \"promises_broken\", \"promises_broken_rate\"",
        "\"fairness\"",
    );
    write_plan(dir.path(), &nothing);
    let shown = succeed(dir.path(), "sweep plan.toml --out nothing");
    assert_begins(&shown, "means over replications");
    for (said, has) in [
        ("shaded areas", true),
        ("half of their 95 % intervals", true),
        ("Each point is one run", false),
    ] {
        assert_eq!(
            (one_page.contains(said), two_page.contains(said)),
            (!has, has),
            "{said}"
        );
    }
}

#[test]
fn a_table_of_many_points_is_cut_and_one_of_many_measures_is_folded() {
    let dir = folder();
    let jobs: Vec<String> = (1..=61).map(|jobs| jobs.to_string()).collect();
    let measures = "acceptance_rate accepted_work_rate average_slowdown utilization booked_utilization requests accepted";
    let measures: Vec<String> = measures
        .split(' ')
        .map(|name| format!("{name:?}"))
        .collect();
    write_plan(
        dir.path(),
        &format!(
            "measures = [{}]\n[run]\nworkload = \"poisson\"\njobs = [{}]\n",
            measures.join(", "),
            jobs.join(", ")
        ),
    );
    let shown = succeed(dir.path(), "sweep plan.toml --out grid");
    assert!(
        shown.lines().all(|line| line.chars().count() <= 110),
        "{shown}"
    );
    assert_eq!(shown.matches("\njobs").count(), 2, "{shown}");
    assert_says(&shown, "\nand 1 more point, which are in summary.csv\n");
    assert!(shown.contains("\n60 ") && !shown.contains("\n61 "));
}

#[test]
fn a_report_shows_a_thousand_points_and_the_tables_all() {
    let dir = folder();
    let numbers = |count: usize| {
        (1..=count)
            .map(|one| one.to_string())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let plan = TINY.replace("[3, 4]", &format!("[{}]", numbers(34)));
    write_plan(
        dir.path(),
        &plan.replace("[2, 4]", &format!("[{}]", numbers(31))),
    );
    let shown = succeed(dir.path(), "sweep plan.toml --out grid");
    assert_says(&shown, "\nand 994 more points, which are in summary.csv\n");
    let grid = |file: &str| fs::read_to_string(dir.path().join("grid").join(file)).unwrap();
    let words = "Only the first 1,000 points are shown here, in the order of the plan; 54 more are in the tables alone.";
    assert!(grid("report.html").contains(words));
    assert_eq!(grid("summary.csv").lines().count(), 1 + 34 * 31);
    // jobs = 33 is the value of the last that are shown.
    for (jobs, is_shown) in [("33", true), ("34", false)] {
        let link = format!("%0A{jobs},1,2,");
        assert_eq!(grid("report.html").contains(&link), is_shown, "{jobs}");
    }
    let timing = grid("timing.html");
    assert!(timing.contains("2,108 runs of 2,108 were timed"));
    let (_, table) = timing.split_once("and what it takes").unwrap();
    assert_eq!(table.matches("<tr>").count(), 1 + 1_000);
}

/// What samples.csv says of a measure, by the other columns.
fn samples(file: &Path, measure: &str) -> Vec<(csv::StringRecord, f64)> {
    let mut table = csv::Reader::from_path(file).unwrap();
    let at = table
        .headers()
        .unwrap()
        .iter()
        .position(|name| name == measure);
    let rows = table.records().map(Result::unwrap);
    rows.map(|row| (row.clone(), row[at.unwrap()].parse().unwrap()))
        .collect()
}

const PARTS: &str = "seed = 3
replications = 2
measures = [\"acceptance_rate\"]
compare = \"policy\"
parts = \"jobs\"

[run]
umed = [5, 9]
jobs = [60, 80, 100]
policy = [\"first-fit\", \"pe-best-fit\", \"pe-worst-fit\"]
binding = [\"late\"]
slots = 4096
slot_seconds = 60

[[exclude]]
umed = 9
policy = \"pe-best-fit\"
";

#[test]
fn what_a_plan_compares_differs_part_by_part_or_replication_by_replication() {
    let dir = folder();
    write_plan(dir.path(), PARTS);
    let said = succeed(dir.path(), "sweep plan.toml --out grid");
    assert!(
        said.contains(
            "differences from first-fit, pair by pair, ± half of their 95 % intervals:\n"
        ),
        "{said}"
    );
    let samples = samples(&dir.path().join("grid/samples.csv"), "acceptance_rate");
    // Of a part the mean of both replications.
    let part = |umed: &str, jobs: &str, policy: &str| {
        let here = samples
            .iter()
            .filter(|(row, _)| [&row[0], &row[1], &row[2]] == [umed, jobs, policy]);
        let rates: Vec<f64> = here.map(|(_, rate)| *rate).collect();
        assert_eq!(rates.len(), 2);
        (rates[0] + rates[1]) / 2.0
    };
    let file = dir.path().join("grid/differences.csv");
    let mut table = csv::Reader::from_path(&file).unwrap();
    let header: Vec<&str> = table.headers().unwrap().iter().collect();
    assert_eq!(
        header.join(","),
        "umed,binding,first,second,measure,n,mean,ci95"
    );
    let mut pairs = Vec::new();
    for row in table.records().map(Result::unwrap) {
        let differences = ["60", "80", "100"]
            .map(|jobs| part(&row[0], jobs, &row[3]) - part(&row[0], jobs, &row[2]));
        let [mean, half] = estimate_of_three(&differences);
        assert_eq!(&row[5], "3");
        let [said, ci95]: [f64; 2] = [6, 7].map(|at| row[at].parse().unwrap());
        assert!(
            (said - mean).abs() < 1e-9 && (ci95 - half).abs() < 1e-6,
            "{row:?} {mean} {half}"
        );
        pairs.push(format!("{} {} {}", &row[0], &row[2], &row[3]));
    }
    let expected = [
        "5 first-fit pe-best-fit",
        "5 first-fit pe-worst-fit",
        "5 pe-best-fit pe-worst-fit",
        "9 first-fit pe-worst-fit",
    ];
    assert_eq!(pairs, expected);
    let report = fs::read_to_string(dir.path().join("grid/report.html")).unwrap();
    let row = "<th scope=\"row\">9</th><th scope=\"row\">late</th><th scope=\"row\">first-fit</th><th scope=\"row\">pe-worst-fit</th>";
    assert!(report.contains(row));
    let words = "What is measured of the second policy less what is measured of the first, part by part, one for each value of jobs:";
    assert!(report.contains(words));
    succeed(dir.path(), "check grid");

    // What is compared says nothing of runs: those that are there are compared in another way.
    write_plan(dir.path(), &PARTS.replace("parts = \"jobs\"\n", ""));
    let again = told(dir.path(), "sweep plan.toml --out grid");
    assert!(again.contains("30 of them finished before"), "{again}");
    let written = fs::read_to_string(&file).unwrap();
    assert_begins(
        &written,
        "umed,jobs,binding,first,second,measure,n,mean,ci95\n5,60,late,first-fit,pe-best-fit,acceptance_rate,2,",
    );
    let report = fs::read_to_string(dir.path().join("grid/report.html")).unwrap();
    assert!(report.contains("of the first, replication by replication:"));
    succeed(dir.path(), "check grid");
}
