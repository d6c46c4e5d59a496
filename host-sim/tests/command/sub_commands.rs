//! Every sub-command does what it says on small input.

use std::fs;

use crate::{assert_begins, assert_says, folder, names, succeed, write_requests};

const RUN: [&str; 6] = [
    "experiment.json",
    "jobs.csv",
    "metrics.json",
    "report.html",
    "reservations.csv",
    "schedule.csv",
];

#[test]
fn demonstration_runs_the_seven_policies() {
    let dir = folder();
    let output = succeed(dir.path(), "--jobs 60");
    assert_begins(
        &output,
        "lublin: 60 requests, seed 1; 1,024 PEs, 6,144 slots of 20 s\n",
    );
    assert_eq!(
        output.lines().filter(|line| line.contains("-fit ")).count(),
        7
    );
    assert!(
        output.ends_with("report: bookahead-out/report.html\n"),
        "{output}"
    );
    let names = names(&dir.path().join("bookahead-out"));
    assert_eq!(names.len(), 7 * 4 + 2, "{names:?}");
    succeed(dir.path(), "check bookahead-out");
}

#[test]
fn replay_decides_rows_in_order_and_writes_the_files_of_the_contract() {
    let dir = folder();
    write_requests(
        dir.path(),
        "7,0,0,90,600,3\n8,10,60,60,180,2\n9,20,60,60,120,3\n",
    );
    let options = "replay --requests requests.csv --pes 4 --slots 64 --slot-seconds 60 --policy first-fit --out run";
    succeed(dir.path(), options);
    let run = dir.path().join("run");
    assert_eq!(names(&run), RUN);
    let read = |name| fs::read_to_string(run.join(name)).unwrap();
    assert_eq!(
        read("reservations.csv"),
        "job_id,arrival,ready,duration,deadline,pes,decision,reason,start,end,slowdown\n\
         7,0,0,90,600,3,accepted,,0,120,1.000000\n\
         8,10,60,60,180,2,accepted,,120,180,2.000000\n\
         9,20,60,60,120,3,refused,no-room,,,\n"
    );
    assert_eq!(
        read("jobs.csv"),
        "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,final_state,\
         starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources,\
         consumed_energy,metadata\n\
         7,requests.csv,reservation,0,3,90,1,COMPLETED_SUCCESSFULLY,0,90,90,0,90,1.000000,0-2,-1,\n\
         8,requests.csv,reservation,10,2,60,1,COMPLETED_SUCCESSFULLY,120,60,180,110,170,2.833333,0-1,-1,\n\
         9,requests.csv,reservation,20,3,60,0,REJECTED,,,,,,,,-1,\n"
    );
    let metrics: serde_json::Value = serde_json::from_str(&read("metrics.json")).unwrap();
    let expected = serde_json::json!({
        "version": env!("CARGO_PKG_VERSION"), "workload": "requests.csv", "seed": 1, "strategy": "fit", "policy": "first-fit",
        "binding": "early", "pes": 4, "slots": 64, "slot_seconds": 60, "requests": 3, "accepted": 2,
        "acceptance_rate": 2.0 / 3.0, "lost_to_rounding": 0, "acceptance_rate_after_rounding": 2.0 / 3.0,
        "accepted_work_rate": 390.0 / 570.0,
        "average_slowdown": 1.5, "slowdown_percentiles": {"p50": 1.0, "p90": 2.0, "p99": 2.0},
        "bounded_slowdown": 1.5, "bounded_slowdown_percentiles": {"p50": 1.0, "p90": 2.0, "p99": 2.0},
        "stretch": {"mean": (1.0 + 170.0 / 60.0) / 2.0, "p50": 1.0, "p90": 170.0 / 60.0, "p99": 170.0 / 60.0},
        "waiting": {"mean": 30.0, "p50": 0.0, "p90": 60.0, "p99": 60.0},
        "utilization": 390.0 / 720.0, "booked_utilization": 480.0 / 720.0, "used_pe_seconds": 390,
        "refusals": {"no-room": 1}, "violations": 0, "violation_rate": 0.0,
    });
    assert_eq!(metrics, expected);
    let timing: serde_json::Value = serde_json::from_str(&read("timing.json")).unwrap();
    assert!(
        timing["decisions_per_second"].as_f64() > Some(0.0),
        "{timing}"
    );
    assert!(timing["wall_seconds"].as_f64() > Some(0.0), "{timing}");
}

#[test]
fn simulate_runs_every_pair_of_policy_and_binding_once() {
    let dir = folder();
    let options = "simulate --workload poisson --jobs 80 --slots 700 --slot-seconds 60 --policy pe-worst-fit,first-fit,pe-worst-fit \
                   --binding early,late --out runs --seed 5";
    let output = succeed(dir.path(), options);
    assert_begins(
        &output,
        "poisson: 80 requests, seed 5; 128 PEs, 700 slots of 60 s\n",
    );
    assert_eq!(names(&dir.path().join("runs")).len(), 4 * 4 + 2);
    let output = succeed(dir.path(), "check runs");
    assert_eq!(
        output.matches(": 80 requests, 0 violations\n").count(),
        4,
        "{output}"
    );
    assert!(output.contains("runs/pe-worst-fit-late: "), "{output}");
}

#[test]
fn simulate_takes_every_model() {
    for options in [
        "--lublin-model combined",
        "--lublin-model two-type",
        "--umed 5 --run-times model-rounded",
        "--workload poisson --mean-gap 60 --job-pes 2-9 --job-seconds 60-120",
        "--arrival-factor 2 --book-ahead-factor 0 --deadline-factor 1 --same-draw",
    ] {
        let dir = folder();
        succeed(dir.path(), &format!("simulate --jobs 30 {options}"));
        succeed(dir.path(), "check bookahead-out");
    }
}

#[test]
fn simulate_reads_logs_and_says_what_it_leaves_out() {
    let dir = folder();
    let job = |id: u32, submit: u32, run: i32| {
        format!("{id} {submit} -1 {run} 4 -1 -1 4 900 -1 1 -1 -1 -1 -1 -1 -1 -1\n")
    };
    let log = format!(
        "; MaxProcs: 16\n{}{}{}",
        job(1, 0, 600),
        job(2, 30, -1),
        job(3, 60, 1200)
    );
    fs::write(dir.path().join("tiny.swf"), log).unwrap();
    let run = |options: &str| {
        let line = format!("simulate --workload tiny.swf {options}");
        crate::ends(dir.path(), &line, 0)
    };
    let [output, notes] = run("--duration requested");
    assert_begins(&output, "tiny.swf: 2 requests, seed 1; 16 PEs,");
    assert_eq!(
        notes,
        "tiny.swf: 2 jobs; 1 record of unknown run time skipped, 1 job stopped at the requested time\n"
    );
    // The first job books what was requested and uses what it ran.
    let jobs = fs::read_to_string(dir.path().join("bookahead-out/jobs.csv")).unwrap();
    assert_says(
        &jobs,
        "\n1,tiny.swf,reservation,0,4,900,1,COMPLETED_SUCCESSFULLY,",
    );
    assert!(jobs.contains(",600,"), "{jobs}");
    succeed(dir.path(), "check bookahead-out");
    let [output, quiet_notes] = run("--duration requested --quiet");
    assert_eq!(output, "report: bookahead-out/report.html\n");
    assert_eq!(quiet_notes, notes);
}

#[test]
fn jobs_without_a_reservation_are_queued() {
    let dir = folder();
    let options = "simulate --workload poisson --slots 2048 --slot-seconds 60 --jobs 120 --mean-gap 60 --reservation-share 0.5 --queue easy --price \
                   --strategy first-fit,rigid,elastic --binding early,late --user-policy ask-again --out runs";
    let output = succeed(dir.path(), options);
    assert_begins(
        &output,
        "poisson: 56 requests and 64 best-effort jobs, seed 1; 128 PEs, 2,048 slots of 60 s\n",
    );
    let header = output.lines().nth(1).unwrap();
    assert!(header.ends_with("decisions/s   revenue"), "{header}");
    assert!(
        header.contains("accepted of the rest   queued for   by work"),
        "{header}"
    );
    let checked = succeed(dir.path(), "check runs");
    let honest = ": 56 requests, 64 best-effort jobs, 0 violations\n";
    assert_eq!(checked.matches(honest).count(), 6, "{checked}");

    let read = |name| fs::read_to_string(dir.path().join("runs/elastic-late").join(name)).unwrap();
    let jobs = read("jobs.csv");
    assert_eq!(jobs.matches(",poisson,best-effort,").count(), 64, "{jobs}");
    assert_eq!(jobs.lines().count(), 121, "{jobs}");
    let reservations = read("reservations.csv");
    let mut lines = reservations.lines();
    assert_eq!(
        lines.next().unwrap(),
        "job_id,arrival,ready,duration,deadline,pes,decision,reason,start,end,slowdown,granted_duration,granted_pes,price"
    );
    assert_eq!(lines.count(), 56);
    let metrics: serde_json::Value = serde_json::from_str(&read("metrics.json")).unwrap();
    let entry = |name| metrics[name].clone();
    assert_eq!(entry("strategy"), "elastic");
    assert_eq!(entry("policy"), "first-fit");
    assert_eq!(entry("user"), "ask-again");
    assert_eq!(entry("best_effort"), "easy");
    assert_eq!(entry("best_effort_started"), 64);
    assert_eq!(entry("price_per_pe_minute"), 0.05);
    assert_eq!(entry("price_per_reserved_pe_slot"), 0.2);
    // A fit has none of the elastic entries and columns.
    let fit = fs::read_to_string(dir.path().join("runs/first-fit-late/metrics.json")).unwrap();
    assert!(!fit.contains("reduced") && !fit.contains("user"), "{fit}");
}

/// The queue alone is the baseline of a study of reservations.
#[test]
fn a_simulation_without_any_reservation_has_no_rates_over_reservations() {
    let dir = folder();
    let options = "simulate --workload poisson --jobs 60 --mean-gap 60 --reservation-share 0 --queue easy --out run";
    for strategy in ["fit", "rigid", "elastic", "juggle", "shift", "juggle-shift"] {
        let told = succeed(
            dir.path(),
            &format!("{options} --force --strategy {strategy}"),
        );
        assert_begins(
            &told,
            "poisson: 0 requests and 60 best-effort jobs, seed 1; 128 PEs,",
        );
        let row: Vec<&str> = told.lines().nth(2).unwrap().split_whitespace().collect();
        assert_eq!(row[1..3], ["early", "–"], "{told}");
        assert_eq!(row[6..9], ["s", "–", "–"], "{told}");
        let checked = succeed(dir.path(), "check run");
        assert_says(
            &checked,
            "run: 0 requests, 60 best-effort jobs, 0 violations\n",
        );
    }
    let read = |name| fs::read_to_string(dir.path().join("run").join(name)).unwrap();
    let metrics: serde_json::Value = serde_json::from_str(&read("metrics.json")).unwrap();
    for rate in [
        "acceptance_rate",
        "acceptance_rate_after_rounding",
        "accepted_work_rate",
        "average_slowdown",
        "violation_rate",
    ] {
        assert!(metrics[rate].is_null(), "{rate}: {metrics}");
    }
    assert_eq!(
        (&metrics["requests"], &metrics["best_effort_started"]),
        (&0.into(), &60.into())
    );
    let html = read("report.html");
    for words in [
        "No job asked to reserve PEs in advance. From the queue ran 60 best-effort jobs, which waited for",
        "An excerpt of the schedule",
    ] {
        assert!(html.contains(words), "no {words} in the report");
    }
    // What is generated is what is simulated.
    succeed(
        dir.path(),
        "generate --workload poisson --jobs 60 --mean-gap 60 --reservation-share 0 --out jobs.csv",
    );
    succeed(
        dir.path(),
        "replay --requests jobs.csv --pes 128 --slots 3000 --queue easy --out replayed",
    );
    succeed(dir.path(), "check replayed");
    succeed(
        dir.path(),
        &format!("{options} --force --strategy fit,overlay --binding late --sites 2"),
    );
    succeed(dir.path(), "check run");
}

#[test]
fn a_table_says_how_many_sites_there_are_and_what_its_rows_are() {
    let dir = folder();
    let told = succeed(
        dir.path(),
        "simulate --jobs 30 --sites 4 --strategy fit,overlay --policy first-fit,pe-worst-fit --binding late",
    );
    let mut lines = told.lines();
    let first = lines.next().unwrap();
    assert!(first.contains("; 4 sites of 1,024 PEs, "), "{first}");
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("policy or strategy     binding "),
        "{told}"
    );
    let problem = crate::fail(
        dir.path(),
        "simulate --jobs 30 --sites 4 --binding late --max-memory 1K",
        2,
    );
    assert_begins(&problem, "error: 4 sites of 1,024 PEs and ");
}

/// One rule for all: a slot is one second unless something else is said.
#[test]
fn a_slot_is_one_second_unless_something_else_is_said() {
    let dir = folder();
    write_requests(dir.path(), "1,0,5,7,13,1\n");
    let replayed = succeed(
        dir.path(),
        "replay --requests requests.csv --pes 4 --slots 64",
    );
    assert!(replayed.contains(" 64 slots of 1 s\n"), "{replayed}");
    let simulated = succeed(dir.path(), "simulate --jobs 300");
    assert!(
        simulated.contains(" 122,880 slots of 1 s\n") && !simulated.contains("rounding"),
        "{simulated}"
    );
    for name in ["replay", "simulate"] {
        let help = succeed(dir.path(), &format!("{name} --help"));
        let (_, help) = help.split_once("--slot-seconds <S>").unwrap();
        let words: Vec<&str> = help.split_whitespace().take(8).collect();
        assert_eq!(words.join(" "), "Length of a slot in seconds [default: 1]");
    }
}

#[test]
fn replay_takes_every_strategy() {
    let dir = folder();
    write_requests(dir.path(), "1,0,180,300,480,3\n2,0,0,360,600,2\n");
    let options = "replay --requests requests.csv --pes 4 --slots 64 --slot-seconds 60 --price 1 --price-factor 1.5 \
                   --strategy rigid,elastic --out runs";
    succeed(dir.path(), options);
    let read = |run: &str| {
        fs::read_to_string(dir.path().join("runs").join(run).join("reservations.csv")).unwrap()
    };
    // Before the first there is room for three slots on four PEs, and half of six are enough.
    assert_eq!(
        read("elastic-early"),
        "job_id,arrival,ready,duration,deadline,pes,decision,reason,start,end,slowdown,granted_duration,granted_pes,price\n\
         1,0,180,300,480,3,accepted,,180,480,1.000000,300,3,22.500000\n\
         2,0,0,360,600,2,accepted,,0,180,1.000000,180,2,9.000000\n"
    );
    assert_eq!(
        read("rigid-early"),
        "job_id,arrival,ready,duration,deadline,pes,decision,reason,start,end,slowdown,price\n\
         1,0,180,300,480,3,accepted,,180,480,1.000000,22.500000\n\
         2,0,0,360,600,2,refused,no-room,,,,\n"
    );
    succeed(dir.path(), "check runs");
}

#[test]
fn generated_jobs_of_the_queue_replay_as_they_simulate() {
    let dir = folder();
    let jobs = "--workload poisson --jobs 60 --mean-gap 60 --reservation-share 0.5";
    succeed(
        dir.path(),
        &format!(
            "simulate {jobs} --slots 2048 --slot-seconds 60 --queue easy --k-over 1.2-3 --out simulated"
        ),
    );
    succeed(
        dir.path(),
        &format!("generate {jobs} --k-over 1.2-3 --out requests.csv"),
    );
    succeed(
        dir.path(),
        "replay --requests requests.csv --pes 128 --slots 2048 --slot-seconds 60 --queue easy --out replayed",
    );
    let read = |run, file| fs::read_to_string(dir.path().join(run).join(file)).unwrap();
    let jobs = read("simulated", "jobs.csv").replace(",poisson,", ",requests.csv,");
    assert!(jobs.contains(",best-effort,"));
    assert_eq!(jobs, read("replayed", "jobs.csv"));
    let reservations = |run| read(run, "reservations.csv");
    assert_eq!(reservations("simulated"), reservations("replayed"));
    succeed(dir.path(), "check replayed");
}

#[test]
fn generated_requests_replay_as_they_simulate() {
    let dir = folder();
    succeed(
        dir.path(),
        "simulate --slots 2048 --slot-seconds 60 --jobs 40 --seed 3 --out simulated",
    );
    succeed(
        dir.path(),
        "generate --jobs 40 --seed 3 --out requests.csv.gz",
    );
    succeed(
        dir.path(),
        "replay --requests requests.csv.gz --pes 1024 --slots 2048 --slot-seconds 60 --policy first-fit --out replayed",
    );
    let read = |run| fs::read(dir.path().join(run).join("reservations.csv")).unwrap();
    assert_eq!(read("simulated"), read("replayed"));
}

#[test]
fn generate_writes_to_the_standard_output_and_to_files_alike() {
    let dir = folder();
    for (name, format) in [("jobs.swf", "swf"), ("requests.csv", "csv")] {
        let screen = succeed(
            dir.path(),
            &format!("generate --workload poisson --jobs 9 --format {format}"),
        );
        succeed(
            dir.path(),
            &format!("generate --workload poisson --jobs 9 --out {name}"),
        );
        assert_eq!(fs::read_to_string(dir.path().join(name)).unwrap(), screen);
    }
    let log = fs::read_to_string(dir.path().join("jobs.swf")).unwrap();
    assert!(log.contains("; MaxProcs: 128\n"), "{log}");
    // A log keeps its comments, which may be its terms of use.
    fs::write(
        dir.path().join("terms.swf"),
        format!("; Acknowledge: somebody\n{log}"),
    )
    .unwrap();
    let again = succeed(dir.path(), "generate --workload terms.swf --format swf");
    assert_begins(&again, "; Acknowledge: somebody\n; Version: 2.2\n");
}

#[test]
fn report_builds_the_same_page_again() {
    let dir = folder();
    succeed(dir.path(), "simulate --jobs 30");
    let first = fs::read(dir.path().join("bookahead-out/report.html")).unwrap();
    let output = succeed(dir.path(), "report bookahead-out --out elsewhere");
    assert_eq!(output, "report: elsewhere/report.html\n");
    assert_eq!(
        fs::read(dir.path().join("elsewhere/report.html")).unwrap(),
        first
    );
    fs::remove_file(dir.path().join("bookahead-out/report.html")).unwrap();
    succeed(dir.path(), "report bookahead-out");
    assert_eq!(
        fs::read(dir.path().join("bookahead-out/report.html")).unwrap(),
        first
    );
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let dir = folder();
    let line = format!(
        "{} generate --jobs 20000 --quiet",
        env!("CARGO_BIN_EXE_bookahead")
    );
    let script = format!("set -o pipefail; {line} | head -n 2");
    let output = assert_cmd::Command::new("bash")
        .current_dir(dir.path())
        .args(["-c", &script])
        .assert();
    output.success().stderr("");
}
