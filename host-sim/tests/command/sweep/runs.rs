//! What the runs of a sweep are, and that those which are finished are kept.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::Duration,
};

use super::{PLAN, TINY, assert_timed, write_plan};
use crate::{assert_begins, assert_says, fail, files, folder, frames, kept, succeed, told};

// As the one command takes strategies beside options that only some of them have, so does a plan.
#[test]
fn an_option_is_of_the_strategies_that_have_it() {
    let dir = folder();
    let plan = "measures = [\"acceptance_rate\"]\nreplications = 2\n[run]\njobs = 60\nslot_seconds = 120\nstrategy = [\"fit\", \"shift\"]\n\
                freeze = [\"share:0.5\", \"lead:1000\"]\ndepth = 2\n[[exclude]]\nstrategy = \"fit\"\nfreeze = \"lead:1000\"\n";
    write_plan(dir.path(), plan);
    let told = told(dir.path(), "sweep plan.toml --out grid");
    assert_begins(&told, "3 points of 2 replications: 6 runs\n");
    let samples = fs::read_to_string(dir.path().join("grid/samples.csv")).unwrap();
    let points = samples.lines().skip(1).step_by(2);
    let points: Vec<_> = points
        .map(|row| row.split(',').take(2).collect::<Vec<_>>())
        .collect();
    assert_eq!(
        points,
        [
            ["fit", "share:0.5"],
            ["shift", "share:0.5"],
            ["shift", "lead:1000"]
        ]
    );
}

#[test]
fn each_row_is_what_simulate_says_with_its_options_and_its_seed() {
    let dir = folder();
    write_plan(dir.path(), PLAN);
    let told = told(dir.path(), "sweep plan.toml --out grid");
    assert_begins(
        &told,
        "8 points of 3 replications: 24 runs\nthe first run took ",
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
    assert_says(
        &told,
        " bytes are no whole run; what is missing is made again\n",
    );
    assert_says(
        &told,
        "\n8 points of 3 replications: 24 runs, 19 of them finished before (the warnings at the end are not about those)\n",
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
        assert_begins(&unfinished, "error: grid: not finished, ");
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
    // Which of the runs that is, and what to do, in the plan's own words.
    let samples = fs::read_to_string(dir.path().join("grid/samples.csv")).unwrap();
    for (line, refused) in lines.iter().zip([
        " of 60 requests refused as beyond-horizon or too-long",
        "lost-to-rounding",
    ]) {
        assert!(line.contains(refused), "{warned}");
        let rest = line
            .strip_prefix("warning: in the run with most of them, of those made now (")
            .unwrap();
        let (place, _) = rest.split_once("), ").unwrap();
        let values = place
            .split(", ")
            .map(|pair| pair.split_once(" = ").unwrap());
        let (keys, values): (Vec<&str>, Vec<&str>) = values.unzip();
        assert_begins(
            &samples,
            &format!("{},replication,seed,", keys[..keys.len() - 1].join(",")),
        );
        let (seed, axes) = values.split_last().unwrap();
        let mut rows = samples
            .lines()
            .map(|row| row.split(',').collect::<Vec<_>>());
        let is_it = |row: &Vec<&str>| row.starts_with(axes) && row[axes.len() + 1] == *seed;
        assert_eq!(rows.by_ref().filter(is_it).count(), 1, "{warned}");
    }
    assert!(lines[0].contains("slots = 64, "), "{warned}");
    assert!(lines[0].contains(": slots = "), "{warned}");
    assert!(lines[1].contains(" %: slot_seconds = "), "{warned}");
    assert!(lines[1].contains(", and slots = "), "{warned}");
    assert_eq!(lines.len(), 2, "{warned}");
    assert!(!warned.contains(" --slot"), "{warned}");
    // The first of those that are equally bad, whichever is over first: what no machine can serve, all systems refuse.
    let first = "strategy = fit, binding = early";
    assert!(lines.iter().all(|line| line.contains(first)), "{warned}");
    let alone = told(dir.path(), "sweep plan.toml --threads 1 --out alone");
    let warnings = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with("warning"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(warnings(&alone), warnings(&warned));
    let one = told(
        dir.path(),
        "simulate --jobs 60 --slots 64 --replications 2 --out one",
    );
    assert!(one.contains("refused as beyond-horizon"), "{one}");
    let place =
        "in the run with most of them, of those made now (system = first-fit-early, seed = ";
    assert!(one.contains(place) && one.contains(": --slots "), "{one}");
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
