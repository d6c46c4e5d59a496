//! What is wrong with a plan, and what it leaves out.

use std::fs;

use super::{PLAN, write_plan};
use crate::{
    assert_begins, assert_says, cases::assert_refused, fail, files, folder, succeed, told,
};

/// A line, a key, and what is wrong there.
type Wrong<'a> = (u64, &'a str, &'a str);

#[test]
fn everything_wrong_with_a_plan_is_named_at_once() {
    const OPTIONS: &str = "admission, after_failure, arrival_factor, binding, book_ahead_factor, by_node, deadline_factor, deadlines, depth, \
                           direction, duration, failure_shape, flexible_share, freeze, insertion, interval, job_pes, job_seconds, jobs, \
                           k_over, layout, lublin_model, max_memory, mean_gap, min_run, move_limit, mtbf, mttr, offer_order, offers, on_late, order, outages, overrun, pes, policy, preempt, prefer, price, price_factor, priority, pull_forward, queue, quota, redundancy, relocate, remove_late, replan, \
                           reservation_share, resources, rules, run_times, same_draw, search, sites, skip, slot_seconds, slots, strategy, suggest_max, \
                           threshold, umed, user_policy, wait, within, work_limit, workload";
    let unknown = |perhaps: &str| format!("unknown, perhaps {perhaps}, expected one of {OPTIONS}");
    let [slots, policy] = ["slot_seconds", "policy"].map(unknown);
    let cases: [(&str, &[Wrong<'_>]); 8] = [
        (
            "seed = -1\nreplications = 0\nmeasures = [\"acceptance_rate\", \"acceptance_rate\", 3]\nsede = 2\n[run]\nworkload = 1979-05-27\n\
             jobs = []\numed = [5, 7, 5]\npes = [[1]]\n",
            &[
                (
                    4,
                    "sede",
                    "unknown, perhaps seed, expected one of seed, replications, measures, compare, parts, run, exclude",
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
                    "unknown, expected seed at the top of the plan, before [run]",
                ),
                (4, "slot-seconds", &slots),
                (
                    5,
                    "jobs",
                    "found 0, expected a whole number from 1 to 4,294,967,295",
                ),
                (
                    6,
                    "policy",
                    "found \"all\", expected one value, or a list such as [\"a\", \"b\"] that names each value of an axis; bookahead simulate --help has the names",
                ),
                (
                    7,
                    "binding",
                    "found \"early,late\", expected one value, or a list such as [\"a\", \"b\"] that names each value of an axis; bookahead simulate --help has the names",
                ),
                (7, "binding", "found never, expected one of early, late"),
                (8, "same_draw", "found 3, expected true or false"),
                (
                    9,
                    "pes",
                    "found true, expected a value, or false for a run without the option",
                ),
                (11, "polciy", &policy),
            ],
        ),
        (
            "measures = [\"acceptance_rate\"]\n[run]\nworkload = [\"lublin\", \"poisson\"]\numed = 5\n",
            &[(4, "umed", "--umed is only for --workload lublin")],
        ),
        (
            "measures = [\"acceptance_rate\"]\n[run]\nstrategy = [\"fit\", \"shift\"]\nthreshold = 0.1\nfreeze = \"never\"\n",
            &[(4, "threshold", "--threshold is only for --strategy overlay")],
        ),
        (
            "measures = [\"acceptance_rate\"]\n[run]\nstrategy = [\"fit\", \"shift\"]\nfreeze = [\"share:0.5\", \"share:0.2\"]\n",
            &[(
                4,
                "freeze",
                "--freeze is only for --strategy juggle, shift or juggle-shift; without it, points that differ in it only are one: leave out all but one of them by [[exclude]]",
            )],
        ),
        (
            "measures = [\"acceptance_rate\"]\n[run]\nworkload = [\"lublin\", \"none.swf\"]\n",
            &[(
                3,
                "workload",
                "--workload none.swf: no such file, and no model of that name; the models are lublin, poisson, gpu, and plans of sweeps look for logs beside them, in the current folder, and in the one that BOOKAHEAD_TRACES names",
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
    assert_refused(
        r#"
measures = ["acceptance"]\n
    plan.toml, line 1, field measures: found acceptance, expected a number of metrics.json: …
measures = ["refusals.noroom"]\n
    plan.toml, line 1, field measures: found refusals.noroom, expected a number…
[run]\njobs = 3\n
    plan.toml, field measures: missing, expected a list of keys of metrics.json…
measures = ["utilization"]\n[run]\njobs = 5\njobs = 6\n
    plan.toml, line 4: duplicate key…
measures = ["utilization"\n
    plan.toml, line 1: …
measures = ["utilization"]\nrun = 3\n
    plan.toml, line 2, field run: found 3, expected a table [run]…
measures = ["utilization"]\ncompare = "polcy"\n[run]\nbinding = ["late"]\npolicy = ["first-fit", "pe-best-fit"]\njobs = [5, 6]\n
    plan.toml, line 2, field compare: found "polcy", expected an axis with several values, one of policy, jobs
measures = ["utilization"]\ncompare = 3\nparts = "policy"\n[run]\npolicy = "first-fit"\n
    plan.toml, line 2, field compare: found 3, expected an axis with several values, and [run] has none\nplan.toml, line 3, field parts: found "policy", expected an axis with several values, and [run] has none
measures = ["utilization"]\nparts = "jobs"\n[run]\njobs = [5, 6]\n
    plan.toml, line 2, field parts: compares nothing by itself, expected compare = "AXIS" beside it
measures = ["utilization"]\ncompare = "jobs"\nparts = "jobs"\n[run]\njobs = [5, 6]\n
    plan.toml, line 3, field parts: found the axis that is compared, expected another one
measures = ["utilization"]\nexclude = 3\n
    plan.toml, line 2, field exclude: found 3, expected tables [[exclude]] with values of axes, such as binding = "early"
measures = ["utilization"]\n[run]\njobs = 5\npes = [2, 3]\n[[exclude]]\n[[exclude]]\njobs = 5\npes = [3, 4]\n
    plan.toml, line 5, field exclude: found a table, expected tables [[exclude]] with values of axes, such as binding = "early"\nplan.toml, line 7, field jobs: no axis of [run], expected one of pes\nplan.toml, line 8, field pes: found 4, expected one of 2, 3
measures = ["utilization"]\n[run]\njobs = [5]\n[[exclude]]\njobs = 5\n
    plan.toml, line 2, field run: every point is left out, expected some to be run
measures = ["utilization"]\n[run]\nprice_factor = 3\n
    plan.toml, line 2, field run: the following required arguments were not provided: --price…
"#,
        |plan| {
            write_plan(dir.path(), plan);
            fail(dir.path(), "sweep plan.toml", 2)
        },
    );
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
        assert_says(&told, "expected I/N with I from 1 to N, such as 2/8");
    }
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
fn points_can_be_left_out() {
    let dir = folder();
    let left_out = "[[exclude]]\nbinding = \"early\"\numed = 9\n[[exclude]]\nstrategy = [\"rigid\"]\numed = [5]\n";
    write_plan(dir.path(), &(PLAN.to_owned() + left_out));
    let text = told(dir.path(), "sweep plan.toml --out some");
    assert_begins(&text, "4 points of 3 replications: 12 runs\n");
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
    let plan = include_str!("../../../../examples/sweeps/policies.toml");
    write_plan(
        dir.path(),
        &plan
            .replace("jobs = 2000", "jobs = 20")
            .replace("replications = 10", "replications = 2"),
    );
    let told = told(dir.path(), "sweep plan.toml --out grid");
    assert_says(&told, "42 points of 2 replications: 84 runs\n");
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

/// It is in metrics.json where jobs have users, and nothing elsewhere.
#[test]
fn fairness_can_be_measured() {
    let dir = folder();
    let log = "; MaxProcs: 4\n1 0 -1 60 1 -1 -1 1 120 -1 -1 1 -1 -1 -1 -1 -1 -1\n2 5 -1 60 4 -1 -1 4 120 -1 -1 2 -1 -1 -1 -1 -1 -1\n";
    fs::write(dir.path().join("log.swf"), log).unwrap();
    let plan = "measures = [\"fairness\"]\n[run]\nworkload = [\"log.swf\", \"poisson\"]\npes = 4\n";
    write_plan(dir.path(), plan);
    succeed(dir.path(), "sweep plan.toml --quiet --out grid");
    let samples = fs::read_to_string(dir.path().join("grid/samples.csv")).unwrap();
    let cells: Vec<Option<&str>> = samples
        .lines()
        .skip(1)
        .map(|row| row.rsplit(',').next())
        .collect();
    assert!(
        matches!(cells[..], [Some("1.0" | "0.5"), Some("")]),
        "{samples}"
    );
}

/// What says more of an option says nothing in a run without it.
#[test]
fn a_run_without_an_option_leaves_out_what_says_more_of_it() {
    let dir = folder();
    let plan = |rest: &str| {
        let plan = format!(
            "replications = 2\nmeasures = [\"accepted\"]\ncompare = \"mtbf\"\n[run]\nworkload = \"poisson\"\njobs = 60\npes = 8\n\
             job_pes = \"1-8\"\nslots = 4096\nmtbf = [false, 200000]\n{rest}\n"
        );
        fs::write(dir.path().join("plan.toml"), plan).unwrap();
    };
    plan("mttr = 3600");
    succeed(dir.path(), "sweep plan.toml -q --out out");
    let differences = fs::read_to_string(dir.path().join("out/differences.csv")).unwrap();
    assert!(
        differences
            .lines()
            .nth(1)
            .unwrap()
            .starts_with("false,200000,accepted,2,"),
        "{differences}"
    );
    // It is as if nothing were said of failures.
    let options =
        "simulate --workload poisson --jobs 60 --pes 8 --job-pes 1-8 --slots 4096 -q --out one";
    succeed(dir.path(), options);
    let samples = fs::read_to_string(dir.path().join("out/samples.csv")).unwrap();
    let accepted = crate::json(&dir.path().join("one/metrics.json"))["accepted"].clone();
    assert_eq!(
        samples.lines().nth(1).unwrap(),
        format!("false,1,1,{accepted}")
    );
    // Points that would be one have to be left out.
    plan("mttr = [3600, 7200]");
    let told = fail(dir.path(), "sweep plan.toml -q --out other", 2);
    assert_says(
        &told,
        "line 11, field mttr: --mttr is only for --mtbf; without it, points that differ in it only are one: leave out all but one of them by [[exclude]]",
    );
}
