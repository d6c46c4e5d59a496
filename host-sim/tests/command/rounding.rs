//! Requests lost to rounding are counted apart, with a word on slots that lose less; every number is defined on a page.

use std::{collections::BTreeSet, fs};

use crate::{assert_says, bookahead, folder, succeed, told, write_requests};

/// Fifty requests that fit any slot of up to half a minute, the last `lost` of them slots of 10 s at most.
fn requests(lost: u32) -> String {
    let row = |job: u32| match job >= 50 - lost {
        true => format!("{job},0,10,30,40,1\n"),
        false => format!("{job},0,0,30,600,1\n"),
    };
    (0..50).map(row).collect()
}

#[test]
fn a_warning_names_slots_that_lose_less() {
    let dir = folder();
    let replay = "replay --requests requests.csv --pes 64 --policy first-fit --out run";
    let run = |options: &str| {
        let arguments = format!("{replay} --force {options}");
        let output = bookahead()
            .current_dir(dir.path())
            .args(arguments.split_whitespace())
            .output()
            .unwrap();
        assert!(output.status.success());
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
    };
    write_requests(dir.path(), &requests(5));
    let [table, words] = run("--slots 100 --slot-seconds 60");
    let header = table.lines().nth(1).unwrap();
    for column in ["lost to rounding", "accepted of the rest"] {
        assert!(header.contains(column), "{header}");
    }
    let row = table.lines().nth(2).unwrap();
    assert!(
        row.contains(" 90.0 % ") && row.contains(" 100.0 % "),
        "{row}"
    );
    assert_says(
        &words,
        "warning: 5 of 50 requests (10.0 %) fit their windows in seconds, but not in whole slots of 60 s",
    );
    assert_says(
        &words,
        "Slots of 10 s lose 0.00 %: --slot-seconds 10, and --slots 600 for the same horizon.",
    );
    // Quiet leaves the table out, and no warning.
    let quiet = run("--slots 100 --slot-seconds 60 --quiet");
    assert_eq!(quiet, ["report: run/report.html\n", &words]);
    // The advice is good.
    let [table, words] = run("--slot-seconds 10 --slots 600");
    assert!(
        !table.contains("rounding") && !words.contains("rounding"),
        "{table}{words}"
    );
}

/// Those that need no log, with fewer jobs; nothing is said of rounding, nor of a horizon that is too near.
#[test]
fn the_examples_of_the_page_lose_next_to_nothing_to_rounding() {
    let page = include_str!("../../../docs/research.md");
    let examples = page.lines().filter_map(|line| {
        let options = line.strip_prefix("cargo run --release -- simulate ")?;
        (!options.contains(".swf")).then_some(options)
    });
    let mut tables = Vec::new();
    for options in examples {
        let dir = folder();
        let output = bookahead()
            .current_dir(dir.path())
            .args(["simulate", "--jobs", "500", "--out", "run"])
            .args(options.split_whitespace())
            .output()
            .unwrap();
        let [table, words] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(output.status.success(), "{options}: {words}");
        assert_eq!(words, "", "{options}");
        tables.push(table);
    }
    assert_eq!(tables.len(), 5);
    // Overlays are there for what they gain.
    let overlaid = tables.iter().find(|table| table.contains("\noverlay "));
    let accepted = overlaid.unwrap().lines().skip(2).take(2).map(|row| {
        let mut cells = row.split_whitespace();
        cells.nth(2).unwrap().parse().unwrap()
    });
    let accepted: Vec<f64> = accepted.collect();
    assert!(accepted[1] > accepted[0] + 2.0, "{accepted:?}");
}

#[test]
fn nothing_accepted_is_a_dash() {
    let dir = folder();
    write_requests(dir.path(), "1,0,0,60,59,1\n");
    let table = succeed(
        dir.path(),
        "replay --requests requests.csv --pes 1 --slots 100 --policy first-fit --out run",
    );
    let row: Vec<&str> = table.lines().nth(2).unwrap().split_whitespace().collect();
    let expected = ["first-fit", "early", "0.0", "%", "0.0", "%", "–", "–"];
    assert_eq!(row[..8], expected, "{table}");
    succeed(dir.path(), "check run");
}

#[test]
fn the_page_about_results_names_every_entry() {
    let dir = folder();
    let options = "simulate --workload poisson --slot-seconds 60 --jobs 40 --reservation-share 0.5 --queue easy --price --strategy elastic --out run";
    succeed(dir.path(), options);
    let metrics = fs::read_to_string(dir.path().join("run/metrics.json")).unwrap();
    let metrics: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&metrics).unwrap();
    let page = include_str!("../../../docs/results.md");
    let missing: BTreeSet<&String> = metrics
        .keys()
        .filter(|entry| !page.contains(&format!("`{entry}`")))
        .collect();
    assert!(missing.is_empty(), "not on the page: {missing:?}");
    for measure in bookahead_sim::engine::measures::ALL {
        assert!(
            page.contains(&format!("| {} |", measure.name)),
            "{}",
            measure.name
        );
    }
}

/// The number of slots that a warning says would hold all.
#[track_caller]
fn slots_that_do(words: &str) -> u64 {
    let found =
        words.split_once("refused as beyond-horizon or too-long, the longest windows: --slots ");
    let found = found.and_then(|(_, rest)| rest.split_once(" holds all of them"));
    found
        .unwrap_or_else(|| panic!("{words}"))
        .0
        .parse()
        .unwrap()
}

/// Windows beyond what can be booked ahead are warned of with the number of slots that holds all of them, in each replication.
#[test]
fn a_horizon_that_is_too_near_is_told_with_one_that_is_not() {
    for replications in ["", "--replications 5"] {
        let run = |slots: &str| {
            let dir = folder();
            let line = format!(
                "simulate --jobs 300 --slot-seconds 60 --slots {slots} {replications} --out run"
            );
            told(dir.path(), &line)
        };
        let slots = slots_that_do(&run("128"));
        assert!(!run(&slots.to_string()).contains("beyond-horizon"));
        assert!(run(&(slots - 1).to_string()).contains("beyond-horizon"));
    }
}

/// More slots than there can be are not advised.
#[test]
fn what_no_horizon_holds_is_told_with_what_to_do_instead() {
    let dir = folder();
    write_requests(dir.path(), "1,0,0,600,999999999,8\n");
    let words = told(
        dir.path(),
        "replay --requests requests.csv --pes 16 --slots 1000 --out run",
    );
    assert_says(
        &words,
        "the longest windows: 999,999,999 slots of 1 s would hold all of them, and there are 33,554,432 at the most: see --slot-seconds for longer slots, and whether all times are in seconds\n",
    );
}
