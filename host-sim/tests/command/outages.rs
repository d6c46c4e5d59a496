//! Outages from a file and drawn: what is written of them, and what is refused by file, line and field.

use std::{fs, path::Path};

use crate::{
    assert_begins, assert_says, cases::assert_refused, fail, folder, succeed, told, write_requests,
};

const HEADER: &str = "id,announced,start,end,groups_or_pes,kind\n";
const REPLAY: &str =
    "replay --requests requests.csv --pes 4 --slots 128 --outages outages.csv --out run";

fn write(dir: &Path, outages: &str) {
    write_requests(
        dir,
        "1,0,0,20,20,2\n2,0,30,10,80,4\n3,5,30,10,40,4\n4,5,50,10,60,1\n",
    );
    fs::write(dir.join("outages.csv"), format!("{HEADER}{outages}")).unwrap();
}

fn file(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join("run").join(name)).unwrap()
}

#[test]
fn what_outages_do_is_written_and_checked() {
    let dir = folder();
    write(
        dir.path(),
        "1,10,10,32,0,failure\n2,12,12,50,2-3,maintenance\n2,40,12,45,2-3,maintenance\n",
    );
    let said = succeed(dir.path(), REPLAY);
    assert_begins(
        &said,
        "requests.csv: 4 requests and 3 outage notices, seed 1;",
    );
    assert_eq!(
        file(dir.path(), "outages.csv"),
        "\
id,kind,start,end,pes,effective_start,broken,moved,late,announced,effective_end,asked
1,failure,10,32,0,10,1,1,1,10,32,0
2,maintenance,12,50,2-3,12,0,1,1,12,40,2-3
2,maintenance,12,45,2-3,40,0,0,0,40,45,2-3
"
    );
    assert_eq!(
        file(dir.path(), "moves.csv"),
        "\
time,job_id,old_start,new_start,cause_job_id,cause,old_end,new_end,old_pes,new_pes
10,2,30,32,1,outage,40,42,4,4
12,2,32,60,2,outage,42,70,4,4
"
    );
    let reservations = file(dir.path(), "reservations.csv");
    assert!(reservations.starts_with("job_id,arrival,ready,duration,deadline,pes,decision,reason,start,end,slowdown,final_start,fixed_at,broken_by,broken_at\n"), "{reservations}");
    assert_says(
        &reservations,
        "\n1,0,0,20,20,2,accepted,,0,20,1.000000,0,0,1,10\n",
    );
    let jobs = file(dir.path(), "jobs.csv");
    assert_says(
        &jobs,
        ",0,COMPLETED_KILLED,0,10,10,0,10,1.000000,0-1,-1,broken by 1 at 10\n",
    );
    let metrics = file(dir.path(), "metrics.json");
    for line in [
        "\"outages\": 2",
        "\"promises_broken\": 1",
        "\"promises_broken_running\": 1",
        "\"outage_pe_seconds\": 88",
    ] {
        assert!(metrics.contains(line), "no {line} in {metrics}");
    }
    assert_eq!(
        succeed(dir.path(), "check run"),
        "run: 4 requests, 0 violations\n"
    );
    let html = file(dir.path(), "report.html");
    // Parts as long as an excerpt of the schedule shows them, and every notice in the table below it.
    assert_eq!(
        html.matches("<rect class=\"away thin\"").count(),
        3,
        "{html}"
    );
    for words in [
        "<td>1</td><td>failure</td><td>10</td><td>10–32</td><td>0</td><td>10–32</td><td>1</td><td>1</td><td>1</td>",
        "stopped by outage 1 at 10",
        "outage 2 takes PEs that it had",
        ">promises broken</th>",
    ] {
        assert!(html.contains(words), "no {words} in {html}");
    }
    // A run without outages leaves none of it behind.
    succeed(
        dir.path(),
        &REPLAY.replace("--outages outages.csv", "--force"),
    );
    assert!(!dir.path().join("run/outages.csv").exists());
}

#[test]
fn wrong_cells_are_named() {
    let dir = folder();
    assert_refused(
        r#"
1,10,10,20,0-4,failure
    outages.csv, line 2, field groups_or_pes: found "0-4", expected PEs from 0 to 3
1,10,10,20,,failure
    outages.csv, line 2, field groups_or_pes: found "", expected an interval set such as 3 7-9
1,10,10,20,2 0,failure
    outages.csv, line 2, field groups_or_pes: found "2 0", expected intervals in increasing order
1,10,10,20,n:2,failure
    outages.csv, line 2, field groups_or_pes: found "n:2", expected an interval set such as 3 7-9: which processing elements leave, not how many, since they are assigned when a reservation is made
1,10,10,9,0,failure
    outages.csv, line 2, field end: found "9", expected 10 or later, as the start is
1,10,11,20,0,failure
    outages.csv, line 2, field start: found "11", expected 10 or earlier: a failure is known when it begins
1,20,10,20,0,failure
    outages.csv, line 2, field announced: found 20, expected a second before the end, 20: an outage that is over takes nothing
1,10,10,20,0,flood
    outages.csv, line 2, field kind: found "flood", expected one of failure, maintenance
1,ten,10,20,0,failure
    outages.csv, line 2, field announced: found "ten", expected a whole number of 0 or more
1,10,10,20,0,failure\n2,9,9,20,0,failure
    outages.csv, line 3, field announced: found 9, expected 10 or later: rows are in the order in which they become known
1,10,10,20,0,failure\n1,11,10,30,1,failure
    outages.csv, line 3, field id: found another set or kind for outage 1, expected "0" and failure as before
"#,
        |rows| {
            write(dir.path(), &format!("{rows}\n"));
            fail(dir.path(), REPLAY, 2)
        },
    );
    assert!(!dir.path().join("run").exists());
}

#[test]
fn outages_that_meet_nobody_are_told() {
    let dir = folder();
    for (outages, words) in [
        (
            "1,80,80,90,0,failure\n",
            "warning: 1 of 1 outage begun only after the last deadline, second 80: times are those of the log\n",
        ),
        ("1,10,10,20,0,failure\n", ""),
    ] {
        write(dir.path(), outages);
        let said = told(dir.path(), &format!("{REPLAY} --force"));
        assert_eq!(said.contains("warning: "), !words.is_empty(), "{said}");
        assert_says(&said, words);
    }
    let line = "simulate --jobs 20 --queue easy --mtbf 9999 --mttr 99 --out other";
    assert_says(&fail(dir.path(), line, 2), "do not survive outages");
}

#[test]
fn options_that_do_not_go_together_are_named() {
    let dir = folder();
    write(dir.path(), "1,10,10,190,0,failure\n");
    let message = |options: &str| fail(dir.path(), &format!("{REPLAY} {options}"), 2);
    assert!(message("").contains("outage 1 lasts until 190, which is 180 slots after second 10"));
    write(dir.path(), "1,10,10,20,0,failure\n");
    assert!(message("--binding late").contains(
        "--outages, --mtbf: with late binding, nobody knows whose PEs leave; say --binding early"
    ));
    assert!(
        message("--strategy elastic").contains("say fit, rigid, juggle, shift or juggle-shift")
    );
    assert!(message("--mtbf 100 --mttr 10").contains("beside those of --outages"));
    let drawn = |options: &str| {
        let replay = REPLAY.replace("--outages outages.csv", options);
        fail(dir.path(), &replay, 2)
    };
    assert!(drawn("--mtbf 0 --mttr 10").contains("expected a number above 0"));
    assert!(drawn("--mtbf 10").contains("say --mttr"));
    assert!(drawn("--mttr 10").contains("--mttr is only for --mtbf"));
    assert!(drawn("--outages none.csv").contains("--outages none.csv: no such file"));
}

#[test]
fn drawn_failures_are_the_same_for_all_strategies_and_other_ones_with_another_seed() {
    let dir = folder();
    let run = |seed: u64, out: &str| {
        let options =
            "--workload poisson --jobs 300 --pes 32 --mtbf 40000 --mttr 3000 --failure-shape 0.7";
        let strategies = "--slots 4000 --slot-seconds 60 --strategy fit,juggle";
        succeed(
            dir.path(),
            &format!("simulate {options} {strategies} --seed {seed} --out {out}"),
        );
        succeed(dir.path(), &format!("check {out}"));
        ["first-fit-early", "juggle-early"].map(|name| {
            let file = dir.path().join(out).join(name).join("outages.csv");
            let rows = fs::read_to_string(file).unwrap();
            // What strategies have no say in.
            let rows = rows.lines().map(|row| {
                let cells: Vec<&str> = row.split(',').collect();
                [cells[0], cells[2], cells[3], cells[11]].join(",")
            });
            rows.collect::<Vec<_>>()
        })
    };
    let [fit, juggle] = run(1, "one");
    assert_eq!(fit, juggle);
    assert!(fit.len() > 20, "{}", fit.len());
    assert_ne!(run(2, "two")[0], fit);
}
