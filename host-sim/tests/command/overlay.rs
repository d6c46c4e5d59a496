//! Reservations on top of others and several sites as a user starts them, and that the checker notices lies about them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    assert_says,
    cases::assert_refused,
    fail, folder,
    lies::{assert_lies_noticed, tampered_with},
    succeed, write_requests,
};

const RESERVATIONS: &str = "reservations.csv";
const JOBS: &str = "jobs.csv";
const MOVES: &str = "moves.csv";
const METRICS: &str = "metrics.json";
const REPLICAS: &str = "replicas.csv";

/// On four PEs with slots of 60 s: job 1 ends after a tenth of its booking, so that job 3 is promised with probability 1/2 that job 2
/// is over by 600. It is not.
const ROWS: &str = "\
job_id,arrival,ready,duration,deadline,pes,run_time
1,0,60,600,660,4,60
2,200,240,600,840,4,600
3,210,600,300,900,2,300
4,220,600,60,660,3,60
";

const REPLAY: &str = "replay --requests requests.csv --pes 4 --slots 64 --slot-seconds 60 --strategy overlay --threshold 0.5 --binding late --out run";

fn late(dir: &Path) -> PathBuf {
    fs::write(dir.join("requests.csv"), ROWS).unwrap();
    succeed(dir, REPLAY);
    dir.join("run")
}

/// Job 2 leaves two PEs to job 3, and would have to be over for job 3 to keep them when job 4 starts.
const CUT: &str = "\
job_id,arrival,ready,duration,deadline,pes,run_time
1,0,60,600,660,4,60
2,200,240,600,840,2,600
4,205,660,600,1260,2,600
3,210,600,300,900,2,300
";

/// Three requests of the whole machine at once, for two sites.
fn two_sites(dir: &Path) -> PathBuf {
    write_requests(dir, "1,0,60,60,120,4\n2,0,60,60,120,4\n3,0,60,60,120,4\n");
    succeed(
        dir,
        "replay --requests requests.csv --pes 4 --slots 64 --slot-seconds 60 --sites 2 --out run",
    );
    dir.join("run")
}

#[test]
fn a_late_overlay_is_told() {
    let dir = folder();
    let run = late(dir.path());
    assert_eq!(
        fs::read_to_string(run.join(RESERVATIONS)).unwrap(),
        "\
job_id,arrival,ready,duration,deadline,pes,decision,reason,start,end,slowdown,promised_latest_start,final_start,actual_end,overlaid_pes,probability,violated,violation
1,0,60,600,660,4,accepted,,60,660,1.000000,60,60,120,0,,0,
2,200,240,600,840,4,accepted,,240,840,1.000000,240,240,840,0,,0,
3,210,600,300,900,2,accepted,,600,900,1.800000,600,840,900,2,0.500000,1,late-start
4,220,600,60,660,3,refused,too-risky,,,,,,,,,,
"
    );
    succeed(dir.path(), "check run");
}

#[test]
fn comparisons_tell_of_broken_promises() {
    let dir = folder();
    fs::write(dir.path().join("requests.csv"), ROWS).unwrap();
    let said = succeed(
        dir.path(),
        &REPLAY.replace("--strategy overlay", "--strategy fit,overlay"),
    );
    let table: Vec<&str> = said.lines().filter(|line| line.contains("late")).collect();
    assert!(said.contains("promises broken"), "{said}");
    assert!(
        table[0].ends_with(" 0") && table[1].ends_with(" 1"),
        "{said}"
    );
    succeed(dir.path(), "report run");
    let page = fs::read_to_string(dir.path().join("run/report.html")).unwrap();
    assert_says(&page, r#"<th class="number">promises broken</th>"#);
    // The row of moves.csv moves nothing.
    assert_says(&page, r#"<td class="number">0 (0 moves)</td>"#);
    for moved in [
        "Why reservations of this excerpt were moved",
        "one that was moved since",
    ] {
        assert!(!page.contains(moved), "{moved}");
    }
    for (strategies, told) in [("fit,overlay", true), ("fit,juggle", false)] {
        let replications =
            "--jobs 20 --slots 4096 --slot-seconds 60 --binding late --replications 2";
        let said = succeed(
            dir.path(),
            &format!("simulate --strategy {strategies} {replications} --out {strategies}"),
        );
        assert_eq!(said.contains("violation_rate"), told, "{said}");
    }
}

#[test]
fn why_one_lies_on_top_of_others_and_for_whom_its_promise_was_broken_is_told() {
    let told = |make: fn(&Path) -> PathBuf| {
        let dir = folder();
        make(dir.path());
        succeed(dir.path(), "explain run 3")
    };
    let promise = "\
It was promised second 600 to second 900.
As everything was booked before, it had no room there; booked in that time, together or one after the other: job 2 (4 PEs, 240 to 840).
2 of its 2 PEs were those of others then, who come first; with a probability of 0.500000 it was to have them all the same.
The strategy overlay books on top of others that will probably end early.
";
    let broken = "The promise was broken: its PEs were not free at second 600";
    assert_says(
        &told(late),
        &format!(
            "{promise}\
At second 840 all of its PEs became its own: 600 to 900, 2 PEs.
It ran from second 840 to second 900 on PEs 0-1.
{broken}, and it started 240 s (4 min 0 s) late; ran then: job 2 (4 PEs, 240 to 840).
"
        ),
    );
    let cut = |dir: &Path| {
        fs::write(dir.join("requests.csv"), CUT).unwrap();
        succeed(dir, REPLAY);
        dir.join("run")
    };
    assert_says(
        &told(cut),
        "It ran from second 600 to second 660 on PEs 2-3.\nThe promise was broken: it was stopped at second 660 for those who come first; started then: job 4 (2 PEs, 660 to 1,260).",
    );
    assert_says(
        &told(booked_at_last),
        "At second 600 all of its PEs became its own: 600 to 900, 2 PEs.",
    );
    let cancelled = |dir: &Path| at_a_late_start(dir, "cancel");
    assert_says(
        &told(cancelled),
        &format!(
            "{promise}{broken}, and it was cancelled then; ran then: job 2 (4 PEs, 240 to 840)."
        ),
    );
}

/// As above, but job 2 is over in the first slot of job 3.
fn booked_at_last(dir: &Path) -> PathBuf {
    fs::write(
        dir.join("requests.csv"),
        ROWS.replace("840,4,600", "840,4,400"),
    )
    .unwrap();
    succeed(dir, REPLAY);
    dir.join("run")
}

#[test]
fn an_overlay_may_be_booked_in_the_slot_in_which_it_is_late() {
    let dir = folder();
    let run = booked_at_last(dir.path());
    let text = fs::read_to_string(run.join(RESERVATIONS)).unwrap();
    assert!(text.contains("\n3,210,600,300,900,2,accepted,,600,900,1.200000,600,660,"));
    let booked = "600,3,600,600,,overlay-booked,900,900,0,2";
    let text = fs::read_to_string(run.join(MOVES)).unwrap();
    assert!(text.contains(booked), "{text}");
    succeed(dir.path(), "check run");
    assert_lies_noticed(
        booked_at_last,
        r"
moves.csv:
600,3,600,600,,overlay-booked,900,900,0,2 => 540,3,600,600,,overlay-booked,900,900,0,2
    …at last at 540…
600,3,600,600,,overlay-booked,900,900,0,2 => 600,3,600,600,,overlay-booked,900,900,1,2
    …as 600-900 on 2…
600,3,600,600,,overlay-booked,900,900,0,2 => 600,2,600,600,,overlay-booked,900,900,0,2
    …job 2: booked…
",
    );
}

#[test]
fn lies_about_overlays_are_noticed() {
    assert_lies_noticed(
        late,
        r#"
reservations.csv:
840,900,2,0.500000,1,late-start => 840,900,2,0.400000,1,late-start
    job 3: probability: found 0.4, expected at least 0.499999
840,900,2,0.500000,1,late-start => 840,900,2,0.500000,0,
    job 3: promised 600-900, runs Some([840, 900]), violation ""
840,900,2,0.500000,1,late-start => 840,900,2,0.500000,1,
    job 3: violated: found true, expected false
840,900,2,0.500000,1,late-start => 840,900,3,0.500000,1,late-start
    job 3: overlaid_pes: found 3 of 2
840,900,2,0.500000,1,late-start => 600,900,2,0.500000,1,late-start
    job 3: final_start: found 600, expected 840
240,840,0,,0, => 240,840,0,,1,late-start
    job 2: promised 240-840, runs Some([240, 840]), violation "late-start"
metrics.json:
"overlays": 1 => "overlays": 2
    metrics.json, overlays: found 2, expected 1
"late_starts": 1 => "late_starts": 0
    metrics.json, late_starts: found 0, expected 1
"violations": 1 => "violations": 0
    metrics.json, violations: found 0, expected 1
"#,
    );
}

/// As at first, with prices, and with job 5 that wants all from the slot on in which job 3 starts when it is waited for.
fn at_a_late_start(dir: &Path, choice: &str) -> PathBuf {
    fs::write(
        dir.join("requests.csv"),
        format!("{ROWS}5,700,840,60,900,4,60\n"),
    )
    .unwrap();
    succeed(dir, &format!("{REPLAY} --price --on-late {choice}"));
    dir.join("run")
}

#[test]
fn what_is_late_is_waited_for_or_compensated_or_cancelled() {
    let last_row = "5,700,840,60,900,4,";
    let refused = "refused,too-risky,,,,,,,,,,,";
    let cases = [
        (
            "wait",
            "1.800000,2.000000,600,840,900,2,0.500000,1,late-start",
            format!("{last_row}{refused}"),
        ),
        (
            "compensate:1.5",
            "1.800000,0.000000,600,840,900,2,0.500000,1,late-start,3.000000",
            format!("{last_row}{refused},"),
        ),
        (
            "cancel",
            "1.000000,0.000000,600,600,,2,0.500000,1,late-start",
            format!("{last_row}accepted,,840,900,1.000000,0.800000,840,840,900,0,,0,"),
        ),
    ];
    for (choice, late, last) in cases {
        let dir = folder();
        let run = at_a_late_start(dir.path(), choice);
        let text = fs::read_to_string(run.join(RESERVATIONS)).unwrap();
        let row = format!("\n3,210,600,300,900,2,accepted,,600,900,{late}\n");
        assert!(text.contains(&row), "{choice}: {text}");
        assert_eq!(text.lines().last(), Some(&*last), "{choice}");
        // The others keep their promises, and metrics.json tells what was chosen unless it is the usual.
        succeed(dir.path(), "check run");
        let metrics = fs::read_to_string(run.join(METRICS)).unwrap();
        let told = format!("\"on_late\": \"{choice}\"");
        assert_eq!(metrics.contains(&told), choice != "wait", "{metrics}");
        let jobs = fs::read_to_string(run.join(JOBS)).unwrap();
        assert_eq!(jobs.contains(",cancelled\n"), choice == "cancel", "{jobs}");
    }
}

#[test]
fn lies_about_late_starts_are_noticed() {
    let cancelled = |dir: &Path| at_a_late_start(dir, "cancel");
    let compensated = |dir: &Path| at_a_late_start(dir, "compensate:1.5");
    assert_lies_noticed(
        cancelled,
        r#"
reservations.csv:
1.000000,0.000000,600,600,,2 => 1.000000,2.000000,600,600,,2
    job 3: price: found 2.0, expected 0.000000
jobs.csv:
,cancelled\n => ,missed\n
    job 3: promised 600-900, runs None, violation "late-start"
metrics.json:
"on_late": "cancel" => "on_late": "compensate"
    job 3: promised 600-900, runs None, violation "late-start"
"on_late": "cancel" => "on_late": "never"
    metrics.json, on_late: found "never", expected cancel or compensate:X where reservations lie on top of others
"#,
    );
    assert_lies_noticed(
        compensated,
        r#"
metrics.json:
"on_late": "compensate:1.5" => "on_late": "cancel"
    job 3: promised 600-900, runs Some([840, 900]), violation "late-start"
reservations.csv:
late-start,3.000000 => late-start,2.000000
    job 3: compensation: found 2.0, expected 3.000000
1.800000,0.000000,600 => 1.800000,2.000000,600
    job 3: price: found 2.0, expected 0.000000
metrics.json:
"compensation": 3.0 => "compensation": 2.0
    metrics.json, compensation: found 2.0, expected 3.0
"on_late": "compensate:1.5" => "on_late": "compensate:2"
    job 3: compensation: found 3.0, expected 4.000000
"#,
    );
}

#[test]
fn no_promise_of_others_breaks_whatever_is_done_at_late_starts() {
    let jobs = "--workload poisson --jobs 120 --mean-gap 40 --job-pes 1-6 --job-seconds 60-1800 --k-over 1.2-4";
    let system = "--pes 8 --slots 512 --slot-seconds 60 --strategy overlay --threshold 0.3 --binding late --price";
    let mut late = 0;
    for (seed, others) in (1..9).zip(["", "--reservation-share 0.6 --queue easy"].iter().cycle()) {
        for choice in ["compensate:0.5", "cancel"] {
            let dir = folder();
            let sites = 1 + seed % 3 / 2;
            succeed(
                dir.path(),
                &format!(
                    "simulate {jobs} {system} {others} --seed {seed} --sites {sites} --on-late {choice} --out run"
                ),
            );
            succeed(dir.path(), "check run");
            let metrics = fs::read_to_string(dir.path().join("run").join(METRICS)).unwrap();
            late += usize::from(!metrics.contains("\"late_starts\": 0,"));
        }
    }
    assert!(late > 8, "{late}");
}

#[test]
fn each_site_is_judged_by_itself() {
    let dir = folder();
    let run = two_sites(dir.path());
    let text = fs::read_to_string(run.join(RESERVATIONS)).unwrap();
    assert!(text.ends_with(
        "\
1,0,60,60,120,4,accepted,,60,120,1.000000,0,0
2,0,60,60,120,4,accepted,,60,120,1.000000,1,0
3,0,60,60,120,4,refused,no-room,,,,,
"
    ));
    let promise = "It was promised second 60 to second 120 at site 1.\n";
    assert_says(&succeed(dir.path(), "explain run 2"), promise);
    // Without overlaps nothing is violated, and the files say so.
    let metrics = fs::read_to_string(run.join(METRICS)).unwrap();
    assert!(metrics.contains("\"violations\": 0") && metrics.contains("\"sites\": 2"));
    assert_lies_noticed(
        two_sites,
        r"
jobs.csv:
4-7,-1,,1 => 4-7,-1,,0
    jobs.csv has 3 rows, reservations.csv 2
reservations.csv:
1.000000,1,0 => 1.000000,2,0
    job 2: site: found 2, expected 0 to 1
1.000000,1,0 => 1.000000,1,1
    job 2: violated, though nothing lies on top of others
",
    );
    // With a third site there is room.
    assert!(!tampered_with(two_sites, METRICS, "\"sites\": 2", "\"sites\": 3").is_empty());
}

/// Both sites hold both reservations, until one starts at the first site.
fn copies(dir: &Path) -> PathBuf {
    write_requests(
        dir,
        "1,0,60,60,120,4\n2,0,60,60,180,4\n3,0,60,60,120,4\n4,0,61,60,121,4\n",
    );
    succeed(
        dir,
        "replay --requests requests.csv --pes 4 --slots 64 --slot-seconds 60 --sites 2 --redundancy copies:2 --out run",
    );
    dir.join("run")
}

#[test]
fn copies_at_several_sites_are_told_and_judged() {
    let dir = folder();
    let run = copies(dir.path());
    assert_eq!(
        fs::read_to_string(run.join(REPLICAS)).unwrap(),
        "\
job_id,site,start,end,overlaid_pes,until
1,0,60,120,0,
1,1,60,120,0,60
2,0,120,180,0,
2,1,120,180,0,120
"
    );
    let text = fs::read_to_string(run.join(RESERVATIONS)).unwrap();
    assert!(text.contains("\n3,0,60,60,120,4,refused,no-room,"));
    assert!(text.contains("\n4,0,61,60,121,4,refused,lost-to-rounding,"));
    succeed(dir.path(), "check run");
    assert_lies_noticed(
        copies,
        r"
replicas.csv:
1,1,60,120,0,60 => 1,0,60,120,0,60
    …2 copies at 1 sites…
1,0,60,120,0,\n => 1,0,60,120,0,60\n
    …0 copies that are used…
2,1,120,180,0,120 => 2,1,60,120,0,120
    …books 60-120…
2,1,120,180,0,120 => 2,1,180,240,0,120
    …a copy at site 1 from 180 to 240…
1,1,60,120,0,60 => 1,1,60,120,0,90
    …given back at Some(90)…
2,1,120,180,0,120\n =>
    …1 copies at 1 sites…
metrics.json:
copies:2 => copies:3
    …by copies:3…
copies:2 => twice
    …a probability or copies:N…
",
    );
}

#[test]
fn a_queue_beside_copies_raises_no_alarm() {
    let dir = folder();
    // In one of these seconds a copy is booked, and a job comes after it that has no room because of it.
    succeed(
        dir.path(),
        "simulate --workload poisson --jobs 75 --seed 5 --mean-gap 6 --job-pes 1-1 --job-seconds 1-40 --strategy overlay \
         --binding late --pes 1 --sites 4 --redundancy copies:2 --reservation-share 0.4 --queue easy --slot-seconds 1 \
         --slots 512 --out run",
    );
    succeed(dir.path(), "check run");
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let dir = folder();
    assert_refused(
        r"
--threshold 0.9
    …--threshold is only for --strategy overlay…
--strategy overlay
    …say --binding late…
--strategy overlay --threshold 1.5
    …a probability such as 0.8, or adaptive:0.05…
--strategy juggle --sites 2
    …juggle finds room at one site only…
--redundancy 0.9
    …copies are for several sites…
--strategy elastic --sites 2 --redundancy copies:2
    …users of --strategy elastic may reduce…
--on-late cancel
    …--on-late is only for --strategy overlay…
--strategy overlay --binding late --on-late compensate
    …--on-late compensate:1: nothing costs anything; say --price…
--strategy overlay --binding late --sites 2 --redundancy 0.9 --on-late cancel
    …--on-late cancel: a copy that is late is given back while there are others…
--strategy overlay --on-late ignore
    …expected wait, cancel, or compensate:X…
--redundancy copies:0 --sites 2
    …a probability such as 0.95, or copies:2…
--sites 100 --pes 1024
    …65,535 PEs in all at most…
--k-over 1.5-1.2
    …two numbers of 1 or more such as 1.2-1.5…
--workload jobs.swf --duration requested --k-over 1-3
    …'--duration <WHICH>' cannot be used with '--k-over <A-B>'…
",
        |options| fail(dir.path(), &format!("simulate --jobs 10 {options}"), 2),
    );
}
