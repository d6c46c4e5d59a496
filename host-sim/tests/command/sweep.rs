//! Sweeps: plans are checked whole, nothing finished is lost or made twice, and shards come to the same bytes.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::Duration,
};

use crate::{fail, files, folder, frames, kept, succeed, told};

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

/// A line, a key, and what is wrong there.
type Wrong<'a> = (u64, &'a str, &'a str);

fn write_plan(dir: &Path, plan: &str) {
    fs::write(dir.join("plan.toml"), plan).unwrap();
}

#[test]
fn everything_wrong_with_a_plan_is_named_at_once() {
    const OPTIONS: &str = "admission, after_failure, arrival_factor, binding, book_ahead_factor, by_node, deadline_factor, deadlines, depth, \
                           direction, duration, failure_shape, flexible_share, freeze, insertion, interval, job_pes, job_seconds, jobs, \
                           k_over, layout, lublin_model, max_memory, mean_gap, min_run, move_limit, mtbf, mttr, offer_order, offers, on_late, order, outages, overrun, pes, policy, preempt, prefer, price, price_factor, priority, pull_forward, queue, redundancy, relocate, remove_late, replan, \
                           reservation_share, rules, run_times, same_draw, search, sites, skip, slot_seconds, slots, strategy, suggest_max, \
                           threshold, umed, user_policy, wait, within, work_limit, workload";
    let unknown = format!("unknown, expected one of {OPTIONS}");
    let cases: [(&str, &[Wrong<'_>]); 6] = [
        (
            "seed = -1\nreplications = 0\nmeasures = [\"acceptance_rate\", \"acceptance_rate\", 3]\nsede = 2\n[run]\nworkload = 1979-05-27\n\
             jobs = []\numed = [5, 7, 5]\npes = [[1]]\n",
            &[
                (
                    4,
                    "sede",
                    "unknown, expected one of seed, replications, measures, run, exclude",
                ),
                (
                    1,
                    "seed",
                    "found -1, expected a whole number from 0 to 4,503,599,627,370,496",
                ),
                (
                    2,
                    "replications",
                    "found 0, expected a whole number from 1 to 1,000,000",
                ),
                (3, "measures", "found acceptance_rate a second time"),
                (
                    3,
                    "measures",
                    "found 3, expected a list of keys of metrics.json, such as [\"acceptance_rate\"]",
                ),
                (
                    6,
                    "workload",
                    "found a date, expected text, a number, true, false or a list of these",
                ),
                (
                    7,
                    "jobs",
                    "found an empty list, expected at least one value",
                ),
                (8, "umed", "found 5 a second time"),
                (
                    9,
                    "pes",
                    "found a list, expected text, a number, true, false or a list of these",
                ),
            ],
        ),
        (
            "measures = [\"acceptance_rate\"]\n[run]\nseed = 3\nslot-seconds = 4\njobs = 0\npolicy = \"all\"\n\
             binding = [\"early,late\", \"never\"]\nsame_draw = 3\npes = true\nprice = true\npolciy = \"x\"\nworkload = \"poison\"\n",
            &[
                (
                    3,
                    "seed",
                    "unknown, expected the seed at the top of the plan, before [run]",
                ),
                (4, "slot-seconds", &unknown),
                (
                    5,
                    "jobs",
                    "found 0, expected a whole number from 1 to 4,294,967,295",
                ),
                (
                    6,
                    "policy",
                    "found \"all\", expected one value, or a list such as [\"a\", \"b\"] with each value of an axis",
                ),
                (
                    7,
                    "binding",
                    "found \"early,late\", expected one value, or a list such as [\"a\", \"b\"] with each value of an axis",
                ),
                (7, "binding", "found never, expected one of early, late"),
                (8, "same_draw", "found 3, expected true or false"),
                (9, "pes", "found true, expected a value"),
                (11, "polciy", &unknown),
            ],
        ),
        (
            "measures = [\"acceptance_rate\"]\n[run]\nworkload = [\"lublin\", \"poisson\"]\numed = 5\n",
            &[(4, "umed", "--umed is only for --workload lublin")],
        ),
        (
            "measures = [\"acceptance_rate\"]\n[run]\nworkload = [\"lublin\", \"none.swf\"]\n",
            &[(
                3,
                "workload",
                "--workload none.swf: no such file, and no model of that name; the models are lublin, poisson, gpu, and plans of sweeps look for logs in the folder that BOOKAHEAD_TRACES names, too",
            )],
        ),
        (
            "measures = [\"acceptance_rate\"]\n[run]\nreservation_share = [0.5, 1.0]\n",
            &[(
                3,
                "reservation_share",
                "--reservation-share 0.5: jobs that do not reserve need a queue; say --queue fcfs, easy or conservative",
            )],
        ),
        (
            "measures = [\"refusals\", \"policy\", \"refusals.no-room\"]\n",
            &[
                (
                    1,
                    "measures",
                    "found refusals, which is a group, expected one of its keys, such as refusals.no-room",
                ),
                (1, "measures", "found policy, which is no number"),
            ],
        ),
    ];
    let dir = folder();
    for (plan, expected) in cases {
        write_plan(dir.path(), plan);
        let place = |(line, key, problem): &Wrong<'_>| {
            format!("plan.toml, line {line}, field {key}: {problem}\n")
        };
        let expected: String = expected.iter().map(place).collect();
        assert_eq!(
            fail(dir.path(), "sweep plan.toml", 2),
            format!("error: {expected}")
        );
    }
    assert!(!dir.path().join("bookahead-out").exists());
}

#[test]
fn unknown_measures_and_broken_plans_are_named() {
    let dir = folder();
    for (plan, message) in [
        (
            "measures = [\"acceptance\"]\n",
            "plan.toml, line 1, field measures: found acceptance, expected a number of metrics.json: ",
        ),
        (
            "measures = [\"refusals.noroom\"]\n",
            "plan.toml, line 1, field measures: found refusals.noroom, expected a number",
        ),
        (
            "[run]\njobs = 3\n",
            "plan.toml, field measures: missing, expected a list of keys of metrics.json",
        ),
        (
            "measures = [\"utilization\"]\n[run]\njobs = 5\njobs = 6\n",
            "plan.toml, line 4: duplicate key",
        ),
        ("measures = [\"utilization\"\n", "plan.toml, line 1: "),
        (
            "measures = [\"utilization\"]\nrun = 3\n",
            "plan.toml, line 2, field run: found 3, expected a table [run]",
        ),
        (
            "measures = [\"utilization\"]\nexclude = 3\n",
            "plan.toml, line 2, field exclude: found 3, expected tables [[exclude]] with values of axes, such as binding = \"early\"\n",
        ),
        (
            "measures = [\"utilization\"]\n[run]\njobs = 5\npes = [2, 3]\n[[exclude]]\n[[exclude]]\njobs = 5\npes = [3, 4]\n",
            "plan.toml, line 5, field exclude: found a table, expected tables [[exclude]] with values of axes, such as binding = \"early\"\n\
             plan.toml, line 7, field jobs: no axis of [run], expected one of pes\n\
             plan.toml, line 8, field pes: found 4, expected one of 2, 3\n",
        ),
        (
            "measures = [\"utilization\"]\n[run]\njobs = [5]\n[[exclude]]\njobs = 5\n",
            "plan.toml, line 2, field run: every point is left out, expected some to be run\n",
        ),
        (
            "measures = [\"utilization\"]\n[run]\nprice_factor = 3\n",
            "plan.toml, line 2, field run: the following required arguments were not provided: --price",
        ),
    ] {
        write_plan(dir.path(), plan);
        let told = fail(dir.path(), "sweep plan.toml", 2);
        assert!(told.starts_with(&format!("error: {message}")), "{told}");
    }
    assert_eq!(
        fail(dir.path(), "sweep none.toml", 2),
        "error: none.toml: no such file\n"
    );
    write_plan(dir.path(), PLAN);
    assert_eq!(
        fail(dir.path(), "sweep plan.toml --seed 4", 2),
        "error: --seed 4: plan.toml says seed = 3; change it there\n"
    );
    for shard in ["0/2", "3/2", "2"] {
        let told = fail(dir.path(), &format!("sweep plan.toml --shard {shard}"), 2);
        assert!(
            told.contains("expected I/N with I from 1 to N, such as 2/8"),
            "{told}"
        );
    }
}

#[test]
fn each_row_is_what_simulate_says_with_its_options_and_its_seed() {
    let dir = folder();
    write_plan(dir.path(), PLAN);
    let told = told(dir.path(), "sweep plan.toml --out grid");
    assert!(
        told.starts_with("8 points of 3 replications: 24 runs\nthe first run took "),
        "{told}"
    );
    let mut samples = csv::Reader::from_path(dir.path().join("grid/samples.csv")).unwrap();
    let header =
        "umed,strategy,binding,replication,seed,acceptance_rate,average_slowdown,refusals.no-room";
    assert_eq!(
        samples
            .headers()
            .unwrap()
            .iter()
            .collect::<Vec<_>>()
            .join(","),
        header
    );
    let mut rows = 0;
    for row in samples.records() {
        let row = row.unwrap();
        let [umed, strategy, binding, replication, seed] = [0, 1, 2, 3, 4].map(|at| &row[at]);
        assert_eq!(
            seed.parse::<u64>().unwrap(),
            2 + replication.parse::<u64>().unwrap()
        );
        let options = format!(
            "simulate --quiet --workload lublin --jobs 60 --slot-seconds 120 --umed {umed} --strategy {strategy} --binding {binding} \
             --seed {seed} --out run --force"
        );
        succeed(dir.path(), &options);
        let text = fs::read_to_string(dir.path().join("run/metrics.json")).unwrap();
        let metrics: serde_json::Value = serde_json::from_str(&text).unwrap();
        for (cell, measure) in [(&row[5], "acceptance_rate"), (&row[6], "average_slowdown")] {
            assert!(
                text.contains(&format!("\n  \"{measure}\": {cell},\n")),
                "{measure} {cell} in {text}"
            );
        }
        let refused = metrics["refusals"]
            .get("no-room")
            .map_or(0, |count| count.as_u64().unwrap());
        assert_eq!(row[7], refused.to_string());
        rows += 1;
    }
    assert_eq!(rows, 24);
    // By hand: the mean of three samples, and their deviation by the quantile of Student's t over the root of 3.
    let mut summary = csv::Reader::from_path(dir.path().join("grid/summary.csv")).unwrap();
    let first = summary.records().next().unwrap().unwrap();
    let mut samples = csv::Reader::from_path(dir.path().join("grid/samples.csv")).unwrap();
    let values: Vec<f64> = samples
        .records()
        .take(3)
        .map(|row| row.unwrap()[5].parse().unwrap())
        .collect();
    let mean = values.iter().sum::<f64>() / 3.0;
    let variance = values
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>()
        / 2.0;
    assert_eq!(
        first.iter().take(5).collect::<Vec<_>>(),
        ["5", "fit", "early", "acceptance_rate", "3"]
    );
    assert!((first[5].parse::<f64>().unwrap() - mean).abs() < 1e-12);
    assert!(
        (first[6].parse::<f64>().unwrap() - 4.302_652_729_9 * (variance / 3.0).sqrt()).abs() < 1e-7
    );
    // What is drawn of a share, by the same quantile: its logit, whose error is that of the mean by mean (1 - mean).
    let half = 4.302_652_729_9 * (variance / 3.0).sqrt() / (mean * (1.0 - mean));
    for (column, logit) in [(7, -half), (8, half)] {
        let logit = (mean / (1.0 - mean)).ln() + logit;
        let end = 1.0 / (1.0 + (-logit).exp());
        assert!((first[column].parse::<f64>().unwrap() - end).abs() < 1e-7);
    }
    assert_eq!(
        succeed(dir.path(), "check grid"),
        "grid: a sweep of 24 runs, 0 violations\n"
    );
    let report = fs::read_to_string(dir.path().join("grid/report.html")).unwrap();
    for words in [
        "binding early",
        ">rigid</th>",
        "download=\"acceptance_rate.csv\"",
        "data:text/csv",
        "<svg",
    ] {
        assert!(report.contains(words), "{words}");
    }
}

#[test]
fn one_replication_has_no_interval_and_paths_are_relative_to_the_plan() {
    let dir = folder();
    fs::create_dir(dir.path().join("plans")).unwrap();
    succeed(
        dir.path(),
        "generate --quiet --workload poisson --jobs 40 --out plans/load.swf",
    );
    let plan =
        "measures = [\"utilization\"]\n[run]\nworkload = \"load.swf\"\nsame_draw = [false, true]\n";
    fs::write(dir.path().join("plans/plan.toml"), plan).unwrap();
    succeed(dir.path(), "sweep plans/plan.toml --out grid");
    let summary = fs::read_to_string(dir.path().join("grid/summary.csv")).unwrap();
    let rows: Vec<&str> = summary.lines().collect();
    assert_eq!(rows[0], "same_draw,measure,n,mean,ci95,low,high");
    assert!(
        rows[1].starts_with("false,utilization,1,0.") && rows[1].ends_with(",,,"),
        "{summary}"
    );
    assert!(
        rows[2].starts_with("true,utilization,1,0.") && rows[2].ends_with(",,,"),
        "{summary}"
    );
}

#[test]
fn another_log_under_the_same_name_makes_another_sweep() {
    let dir = folder();
    let log = |seed| {
        format!("generate --quiet --workload poisson --jobs 40 --seed {seed} --out load.swf")
    };
    succeed(dir.path(), &log(1));
    write_plan(
        dir.path(),
        "measures = [\"utilization\"]\n[run]\nworkload = \"load.swf\"\nbinding = [\"early\", \"late\"]\n",
    );
    succeed(dir.path(), "sweep plan.toml --out one --shard 1/2");
    let finished = told(dir.path(), "sweep plan.toml --out one --shard 1/2");
    assert!(finished.contains("1 of them finished before"), "{finished}");
    succeed(dir.path(), &log(2));
    let refused = fail(dir.path(), "sweep plan.toml --out one --shard 1/2", 2);
    let version = env!("CARGO_PKG_VERSION");
    let held = format!(
        "error: one: holds another experiment (sweep of version {version}, different in inputs), which"
    );
    assert!(refused.starts_with(&held), "{refused}");
    succeed(dir.path(), "sweep plan.toml --out two --shard 2/2");
    assert_eq!(
        fail(dir.path(), "merge one two --out all", 2),
        "error: two: holds another sweep than one, or one of another version\n"
    );
    succeed(dir.path(), "sweep plan.toml --out one --shard 1/2 --force");
    succeed(dir.path(), "merge one two --out all");
    assert!(succeed(dir.path(), "check all").contains("2 runs"));
}

#[test]
fn a_run_that_cannot_be_made_is_named() {
    let dir = folder();
    let never_ran = "; MaxProcs: 4\n1 0 -1 0 4 -1 -1 4 900 -1 1 -1 -1 -1 -1 -1 -1 -1\n";
    fs::write(dir.path().join("idle.swf"), never_ran).unwrap();
    let plan = "measures = [\"utilization\"]\n[run]\nworkload = \"idle.swf\"\npolicy = [\"first-fit\", \"pe-best-fit\"]\n";
    write_plan(dir.path(), plan);
    assert_eq!(
        fail(dir.path(), "sweep plan.toml --quiet --threads 1", 2),
        "error: point 0, replication 1 (policy first-fit): idle.swf has no job that runs\n"
    );
}

/// The baseline of a study of reservations is the queue alone.
#[test]
fn a_point_without_any_reservation_has_no_rates() {
    let dir = folder();
    let plan = "measures = [\"acceptance_rate\", \"average_slowdown\", \"requests\", \"best_effort_started\"]\n\
                [run]\nworkload = \"poisson\"\njobs = 9\nqueue = \"easy\"\nreservation_share = [0.5, 0]\n";
    write_plan(dir.path(), plan);
    succeed(dir.path(), "sweep plan.toml --quiet --out grid");
    let samples = fs::read_to_string(dir.path().join("grid/samples.csv")).unwrap();
    assert!(samples.ends_with("\n0,1,1,,,0,9\n"), "{samples}");
    let summary = fs::read_to_string(dir.path().join("grid/summary.csv")).unwrap();
    assert!(summary.contains("\n0,acceptance_rate,0,,,,\n"), "{summary}");
    succeed(dir.path(), "check grid");
}

/// Of every option that takes a value. No number is below 0, and no name and no file is called so.
#[test]
fn a_bad_value_of_any_option_is_named_with_its_line() {
    let dir = folder();
    write_plan(dir.path(), "measures = [\"utilization\"]\n[run]\nno = 1\n");
    let unknown = fail(dir.path(), "sweep plan.toml", 2);
    let (_, keys) = unknown.trim_end().split_once("expected one of ").unwrap();
    let mut count = 0;
    for key in keys.split(", ").filter(|key| !FLAGS.contains(key)) {
        let plan = format!("measures = [\"utilization\"]\n[run]\njobs = 5\n{key} = [-1]\n");
        write_plan(dir.path(), &plan.replace("jobs = 5\njobs", "\njobs"));
        let told = fail(dir.path(), "sweep plan.toml", 2);
        let place = format!("error: plan.toml, line 4, field {key}: ");
        let problem = told.strip_prefix(&place);
        let problem = problem.unwrap_or_else(|| panic!("{key}: {told}"));
        assert!(problem.contains("-1"), "{key}: {told}");
        let expects = problem.contains("expected ") || problem.contains("no such file");
        assert!(expects, "{key}: {told}");
        count += 1;
    }
    assert!(count > 40, "{count}");
}

#[test]
fn the_size_at_which_stages_meet_is_named_with_its_line() {
    let dir = folder();
    let plan =
        "measures = [\"utilization\"]\n[run]\njobs = 5\numed = [5, 99]\nreservation_share = 1.5\n";
    write_plan(dir.path(), plan);
    assert_eq!(
        fail(dir.path(), "sweep plan.toml", 2),
        "error: plan.toml, line 5, field reservation_share: --reservation-share 1.5: expected a number from 0 to 1\n"
    );
    write_plan(dir.path(), &plan.replace("1.5", "1"));
    assert_eq!(
        fail(dir.path(), "sweep plan.toml", 2),
        "error: plan.toml, line 4, field umed: --umed 99: expected a number from 4.5 to 10\n"
    );
}

/// Options without a value.
const FLAGS: [&str; 4] = ["by_node", "relocate", "replan", "same_draw"];

#[test]
fn what_is_finished_is_kept_and_what_is_damaged_is_made_again() {
    let dir = folder();
    write_plan(dir.path(), PLAN);
    succeed(dir.path(), "sweep plan.toml --out grid --threads 1");
    let grid = dir.path().join("grid");
    let whole = files(&grid);
    let runs = grid.join("runs.bin");
    let bytes = fs::read(&runs).unwrap();
    let frames = frames(&bytes);
    assert_eq!(frames.len(), 24);
    // One thread makes them in order: without the first and another one, with a bit changed in two, and half of the last.
    let mut damaged = bytes[..16].to_vec();
    for (number, frame) in frames.iter().enumerate() {
        let mut frame = bytes[frame.clone()].to_vec();
        match number {
            0 | 7 => frame.clear(),
            11 => frame[9] ^= 4,
            12 => frame[30] ^= 1,
            23 => frame.truncate(frame.len() / 2),
            _ => {}
        }
        damaged.extend(frame);
    }
    fs::write(&runs, &damaged).unwrap();
    let violated = fail(dir.path(), "check grid", 1);
    let expected = "error: grid: not finished, 5 runs missing:\n  point 0, replication 1 (umed 5, strategy fit, binding early)\n";
    assert!(violated.starts_with(expected), "{violated}");
    assert_eq!(fs::read(&runs).unwrap(), damaged);
    let told = told(dir.path(), "sweep plan.toml --out grid --threads 2");
    let words = "grid/runs.bin: damaged from byte ";
    assert!(told.starts_with(words), "{told}");
    assert!(
        told.contains(" bytes are no whole run; what is missing is made again\n"),
        "{told}"
    );
    assert!(
        told.contains("\n8 points of 3 replications: 24 runs, 19 of them finished before\n"),
        "{told}"
    );
    succeed(dir.path(), "check grid");
    assert!(files(&grid) == whole);
    // Of those made before, the times are known still.
    assert_timed(&grid, 24);
    fs::write(grid.join("summary.csv"), "").unwrap();
    assert_eq!(
        fail(dir.path(), "check grid", 1),
        "error: grid: summary.csv is not what the runs come to\n"
    );
}

#[test]
fn a_sweep_that_is_killed_goes_on_where_it_was() {
    let dir = folder();
    write_plan(
        dir.path(),
        &PLAN
            .replace("replications = 3", "replications = 10")
            .replace("jobs = 60", "jobs = 300"),
    );
    succeed(dir.path(), "sweep plan.toml --out whole");
    let grid = dir.path().join("grid");
    for finished in [5, 30, 60] {
        let mut sweep = start(dir.path());
        while kept(&grid) < finished {
            assert_eq!(
                sweep.try_wait().unwrap(),
                None,
                "over before it could be killed"
            );
            sleep(Duration::from_millis(2));
        }
        sweep.kill().unwrap();
        sweep.wait().unwrap();
        let unfinished = fail(dir.path(), "report grid", 1);
        assert!(
            unfinished.starts_with("error: grid: not finished: point "),
            "{unfinished}"
        );
        let report = fs::read_to_string(grid.join("report.html")).unwrap();
        assert!(report.contains("Not finished: "), "{report}");
    }
    succeed(dir.path(), "sweep plan.toml --out grid");
    assert!(files(&grid) == files(&dir.path().join("whole")));
}

fn start(dir: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_bookahead"))
        .current_dir(dir)
        .args(["sweep", "plan.toml", "--out", "grid"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// A sweep has a page of times, which counts so many runs, with a row for each point of the plan.
fn assert_timed(sweep: &Path, runs: usize) {
    let times = fs::read_to_string(sweep.join("timing.csv")).unwrap();
    assert_eq!(times.lines().count(), 1 + runs);
    let page = fs::read_to_string(sweep.join("timing.html")).unwrap();
    assert!(
        page.contains(&format!(" {runs} runs of 24 were timed")),
        "{page}"
    );
    let (_, table) = page.split_once("and what it takes").unwrap();
    assert_eq!(table.matches("<tr>").count(), 1 + 8);
    let report = fs::read_to_string(sweep.join("report.html")).unwrap();
    assert!(report.contains("href=\"timing.html\""));
}

#[test]
fn shards_come_to_the_bytes_of_the_whole() {
    let dir = folder();
    write_plan(dir.path(), PLAN);
    succeed(dir.path(), "sweep plan.toml --out whole --threads 2");
    for shard in 1..=3 {
        succeed(
            dir.path(),
            &format!("sweep plan.toml --shard {shard}/3 --out shard-{shard} --threads 1"),
        );
        succeed(dir.path(), &format!("check shard-{shard}"));
    }
    let incomplete = fail(dir.path(), "merge shard-3 shard-1 --out merged", 1);
    assert!(
        incomplete.starts_with("error: not finished, 9 runs missing:\n  point 1, replication 1 (umed 5, strategy fit, binding late)\n"),
        "{incomplete}"
    );
    assert!(
        incomplete.ends_with("\nnot among the folders: shard 2/3\n"),
        "{incomplete}"
    );
    assert!(!dir.path().join("merged").exists());
    succeed(dir.path(), "merge shard-3 shard-1 shard-2 --out merged");
    let tree = |name: &str| files(&dir.path().join(name));
    assert!(tree("merged") == tree("whole"));
    assert_timed(&dir.path().join("merged"), 24);
    // What is merged is a sweep like any other.
    let told = told(dir.path(), "sweep plan.toml --out merged");
    assert!(
        told.starts_with("8 points of 3 replications: 24 runs, 24 of them finished before\n"),
        "{told}"
    );
    assert!(tree("merged") == tree("whole"));

    // More shards than points: the last has nothing to do.
    succeed(dir.path(), "sweep plan.toml --shard 9/9 --out empty");
    assert_eq!(
        succeed(dir.path(), "check empty"),
        "empty: a sweep of 0 runs, 0 violations\n"
    );

    write_plan(dir.path(), &PLAN.replace("seed = 3", "seed = 4"));
    succeed(dir.path(), "sweep plan.toml --shard 2/3 --out other");
    let message = fail(dir.path(), "merge shard-1 other shard-3 --out mixed", 2);
    assert_eq!(
        message,
        "error: other: holds another sweep than shard-1, or one of another version\n"
    );
    assert_eq!(
        fail(dir.path(), "merge none --out mixed", 2),
        "error: none: holds no shard of a sweep\n"
    );
    let message = fail(dir.path(), "sweep plan.toml --out whole", 2);
    assert!(
        message.starts_with("error: whole: holds another experiment (sweep of version "),
        "{message}"
    );
    succeed(dir.path(), "sweep plan.toml --out whole --force");
    assert!(tree("merged") != tree("whole"));
}

#[test]
fn what_the_horizon_refuses_and_rounding_loses_is_warned_of() {
    let dir = folder();
    let plan = PLAN.replace(
        "slot_seconds = 120",
        "slot_seconds = 600\nslots = [64, 4096]",
    );
    write_plan(dir.path(), &plan);
    let warned = told(dir.path(), "sweep plan.toml --out grid");
    let lines: Vec<&str> = warned
        .lines()
        .filter(|line| line.starts_with("warning"))
        .collect();
    assert!(
        lines[0].starts_with("warning: in the run with most of them, "),
        "{warned}"
    );
    assert!(
        lines[0].contains(" of 60 requests refused as beyond-horizon or too-long"),
        "{warned}"
    );
    assert!(lines[1].contains("lost-to-rounding"), "{warned}");
    assert_eq!(lines.len(), 2, "{warned}");
    let one = told(
        dir.path(),
        "simulate --jobs 60 --slots 64 --replications 2 --out one",
    );
    assert!(one.contains("refused as beyond-horizon"), "{one}");
}

#[test]
fn points_can_be_left_out() {
    let dir = folder();
    let left_out = "[[exclude]]\nbinding = \"early\"\numed = 9\n[[exclude]]\nstrategy = [\"rigid\"]\numed = [5]\n";
    write_plan(dir.path(), &(PLAN.to_owned() + left_out));
    let text = told(dir.path(), "sweep plan.toml --out some");
    assert!(
        text.starts_with("4 points of 3 replications: 12 runs\n"),
        "{text}"
    );
    for shard in 1..=2 {
        succeed(
            dir.path(),
            &format!("sweep plan.toml --shard {shard}/2 --out shard-{shard}"),
        );
    }
    succeed(dir.path(), "merge shard-1 shard-2 --out merged");
    assert!(files(&dir.path().join("merged")) == files(&dir.path().join("some")));
    assert_eq!(
        succeed(dir.path(), "check some"),
        "some: a sweep of 12 runs, 0 violations\n"
    );
    // The others are what they are without those.
    write_plan(dir.path(), PLAN);
    succeed(dir.path(), "sweep plan.toml --out all");
    let [some, all] = ["some", "all"].map(|name| {
        let samples = dir.path().join(name).join("samples.csv");
        fs::read_to_string(samples).unwrap()
    });
    let is_left_out = |row: &str| {
        let cells: Vec<&str> = row.split(',').collect();
        let [umed, strategy, binding] = [cells[0], cells[1], cells[2]];
        (umed, binding) == ("9", "early") || (umed, strategy) == ("5", "rigid")
    };
    let kept: Vec<&str> = all.lines().filter(|row| !is_left_out(row)).collect();
    assert_eq!(some.lines().collect::<Vec<_>>(), kept);
}

#[test]
fn the_example_plan_is_one() {
    let dir = folder();
    let plan = include_str!("../../../examples/sweeps/policies.toml");
    write_plan(
        dir.path(),
        &plan
            .replace("jobs = 2000", "jobs = 20")
            .replace("replications = 10", "replications = 2"),
    );
    let told = told(dir.path(), "sweep plan.toml --out grid");
    assert!(
        told.contains("42 points of 2 replications: 84 runs\n"),
        "{told}"
    );
    // It compares the policies: all of them in each plot, over the sizes, for each binding.
    let report = fs::read_to_string(dir.path().join("grid/report.html")).unwrap();
    let plots: Vec<&str> = report.split("<figure>").skip(1).collect();
    assert_eq!(plots.len(), 4 * 2);
    for plot in plots {
        let (plot, _) = plot.split_once("</figure>").unwrap();
        let (_, legend) = plot.split_once("class=\"legend\"").unwrap();
        let (legend, numbers) = legend.split_once("</ul>").unwrap();
        for policy in bookahead::Policy::ALL.map(bookahead::Policy::name) {
            assert!(legend.contains(&format!(" {policy}</li>")), "{policy}");
            assert!(numbers.contains(&format!(">{policy}</th>")), "{policy}");
        }
        assert!(plot.contains("<p class=\"axis below\">umed</p>"));
    }
}

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
    assert!(
        shown.starts_with("means over replications, ± half"),
        "{shown}"
    );
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
    assert!(
        shown.contains("\nand 1 more point, which are in summary.csv\n"),
        "{shown}"
    );
    assert!(shown.contains("\n60 ") && !shown.contains("\n61 "));
}

const TINY: &str = "replications = 2\nmeasures = [\"acceptance_rate\"]\n[run]\nworkload = \"poisson\"\njobs = [3, 4]\nslots = 64\nslot_seconds = 600\npes = [2, 4]\n";

#[test]
fn what_is_wrong_with_the_runs_of_a_shard_is_named() {
    let dir = folder();
    write_plan(dir.path(), TINY);
    succeed(dir.path(), "sweep plan.toml --out whole");
    succeed(dir.path(), "sweep plan.toml --shard 1/2 --out one");
    succeed(dir.path(), "sweep plan.toml --shard 2/2 --out two");
    let runs = dir.path().join("one/runs.bin");
    let good = fs::read(&runs).unwrap();
    let frames = frames(&good);
    // A run that is there twice, in a file or in two of them.
    fs::write(&runs, [&good[..], &good[frames[0].clone()]].concat()).unwrap();
    succeed(dir.path(), "check one");
    succeed(dir.path(), "merge two one one --out merged");
    assert!(files(&dir.path().join("merged")) == files(&dir.path().join("whole")));

    let mut flipped = good.clone();
    flipped[frames[1].start + 14] ^= 1;
    let foreign = fs::read(dir.path().join("two/runs.bin")).unwrap();
    write_plan(dir.path(), &TINY.replace("[2, 4]", "[2, 5]"));
    succeed(dir.path(), "sweep plan.toml --shard 1/2 --out other");
    write_plan(dir.path(), TINY);
    let other = fs::read(dir.path().join("other/runs.bin")).unwrap();
    let cut = good[..good.len() - 1].to_vec();
    for (bytes, missing, words) in [
        (flipped, 1, "one/runs.bin: damaged from byte "),
        (cut, 1, " bytes are no whole run\n"),
        (
            Vec::new(),
            4,
            "missing:\n  point 0, replication 1 (jobs 3, pes 2)\n",
        ),
        (
            other,
            4,
            "one/runs.bin: begins otherwise than the runs of this plan in this version",
        ),
        (foreign, 4, " does not belong here\n"),
    ] {
        fs::write(&runs, bytes).unwrap();
        let begin = format!("not finished, {missing} run");
        for line in ["check one", "merge one two --out again"] {
            let told = fail(dir.path(), line, 1);
            assert!(
                told.contains(&begin) && told.contains(words),
                "{line}: {told}"
            );
        }
        let told = told(dir.path(), "sweep plan.toml --shard 1/2 --out one");
        let finished = match 4 - missing {
            0 => ": 4 runs\n".to_owned(),
            finished => format!(": 4 runs, {finished} of them finished before\n"),
        };
        assert!(
            told.contains(&finished.replacen(": ", " has ", 1)),
            "{told}"
        );
        succeed(dir.path(), "check one");
        succeed(dir.path(), "merge one two --out merged");
        assert!(files(&dir.path().join("merged")) == files(&dir.path().join("whole")));
    }
    fs::remove_file(&runs).unwrap();
    assert!(fail(dir.path(), "check one", 1).contains("not finished, 4 runs missing"));
    fs::create_dir(&runs).unwrap();
    for line in [
        "check one",
        "merge one two --out again",
        "sweep plan.toml --shard 1/2 --out one",
    ] {
        let told = fail(dir.path(), line, 1);
        assert!(told.starts_with("error: one/runs.bin: "), "{line}: {told}");
    }
    assert!(!dir.path().join("again").exists());
}

#[test]
fn a_sweep_with_a_file_for_each_run_is_refused() {
    let dir = folder();
    write_plan(dir.path(), TINY);
    succeed(dir.path(), "sweep plan.toml --out old");
    let manifest = dir.path().join("old/experiment.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let (options, _) = text.split_once("\"number_of_runs\": 8").unwrap();
    fs::write(
        &manifest,
        format!("{options}\"runs\": [\"points/00000-0001.csv\"]}}"),
    )
    .unwrap();
    fs::create_dir(dir.path().join("old/points")).unwrap();
    fs::write(dir.path().join("old/points/00000-0001.csv"), "").unwrap();
    for line in ["check old", "report old", "merge old --out new"] {
        let told = fail(dir.path(), line, 2);
        let begin = "error: old: holds a sweep with a file for each run, as earlier versions kept them, which this one does not read: ";
        assert!(told.starts_with(begin), "{told}");
    }
    let told = fail(dir.path(), "sweep plan.toml --out old", 2);
    let words = ", with a file for each run, as earlier versions kept them), which would be lost: say --force";
    assert!(told.contains(words), "{told}");
    succeed(dir.path(), "sweep plan.toml --out old --force");
    succeed(dir.path(), "check old");
    assert!(!dir.path().join("old/points").exists());
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
    assert!(
        shown.contains("\nand 994 more points, which are in summary.csv\n"),
        "{shown}"
    );
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
