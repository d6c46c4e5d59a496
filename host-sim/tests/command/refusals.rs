//! Requests that are well formed and impossible become rows with a reason.

use std::fs;

use crate::{assert_says, fail, folder, succeed, told, write_requests};

/// On a machine of 4 PEs and 10 slots of 60 s.
const CASES: [(&str, &str); 16] = [
    ("1,0,0,60,600,5", "too-wide"),
    ("2,0,0,60,600,70000", "too-wide"),
    ("3,0,0,0,600,1", "zero-duration"),
    ("4,0,0,60,600,0", "zero-pes"),
    ("5,0,0,60,660,1", "beyond-horizon"),
    ("6,0,0,60,18446744073709551615,1", "beyond-horizon"),
    ("7,0,0,601,6000,1", "too-long"),
    ("8,0,1,60,60,1", "window-too-short"),
    ("9,0,500,60,300,1", "window-too-short"),
    // 59 seconds to spare, and no whole slot in the window.
    ("13,0,1,60,119,1", "lost-to-rounding"),
    ("14,0,1,61,121,1", "lost-to-rounding"),
    // Neither is a matter of rounding where no window would help.
    ("15,0,1,60,119,5", "too-wide"),
    ("16,0,1,601,602,1", "too-long"),
    ("10,30,29,60,600,1", "ready-in-past"),
    ("11,30,60,540,600,4", ""),
    ("12,30,60,60,600,1", "no-room"),
];

#[test]
fn impossible_requests_are_refused_by_name() {
    for binding in ["early", "late"] {
        let dir = folder();
        let rows: Vec<&str> = CASES.iter().map(|case| case.0).collect();
        write_requests(dir.path(), &rows.join("\n"));
        let options = "replay --requests requests.csv --pes 4 --slots 10 --slot-seconds 60 --policy pe-best-fit --out run";
        succeed(dir.path(), &format!("{options} --binding {binding}"));
        let table = fs::read_to_string(dir.path().join("run/reservations.csv")).unwrap();
        assert_eq!(table.lines().count(), CASES.len() + 1);
        for (line, (row, reason)) in table.lines().skip(1).zip(CASES) {
            let expected = match reason {
                "" => format!("{row},accepted,,60,600,1.000000"),
                _ => format!("{row},refused,{reason},,,"),
            };
            assert_eq!(line, expected);
        }
        succeed(dir.path(), "check run");
    }
}

#[test]
fn how_many_are_impossible_is_told() {
    let dir = folder();
    let rows = CASES.iter().map(|case| case.0).collect::<Vec<_>>();
    write_requests(dir.path(), &rows.join("\n"));
    let options = "replay --requests requests.csv --pes 4 --slots 10 --slot-seconds 60 --policy first-fit --out run";
    assert_says(
        &told(dir.path(), options),
        "5 requests refused that could not be served as they are written (1 zero-pes, 1 zero-duration, 1 ready-in-past, 2 window-too-short): \
         reservations.csv names each\n",
    );
}

#[test]
fn no_strategy_takes_what_rounding_leaves_no_room_for_as_asked() {
    let dir = folder();
    // Whole slots leave the first what it needs, the second one slot of the two, the third none.
    write_requests(
        dir.path(),
        "1,0,60,120,180,1\n2,0,61,120,181,1\n3,0,1,60,119,1\n",
    );
    for (strategy, reasons) in [
        ("rigid", ["", "lost-to-rounding", "lost-to-rounding"]),
        (
            "elastic --user-policy solution-only",
            ["", "lost-to-rounding", "lost-to-rounding"],
        ),
        (
            "elastic --user-policy alternatives",
            ["", "", "lost-to-rounding"],
        ),
    ] {
        let options =
            "replay --requests requests.csv --pes 4 --slots 10 --slot-seconds 60 --out run --force";
        succeed(dir.path(), &format!("{options} --strategy {strategy}"));
        let mut table = csv::Reader::from_path(dir.path().join("run/reservations.csv")).unwrap();
        let found: Vec<String> = table
            .records()
            .map(|row| row.unwrap()[7].to_owned())
            .collect();
        assert_eq!(found, reasons, "{strategy}");
        succeed(dir.path(), "check run");
    }
}

#[test]
fn at_the_end_of_time_everything_is_refused() {
    let dir = folder();
    write_requests(
        dir.path(),
        "1,5,10,1,20,1\n2,18446744073709551615,18446744073709551615,1,18446744073709551615,1\n",
    );
    succeed(
        dir.path(),
        "replay --requests requests.csv --pes 4 --slots 64 --policy first-fit --out run",
    );
    let table = fs::read_to_string(dir.path().join("run/reservations.csv")).unwrap();
    assert_says(&table, "\n1,5,10,1,20,1,accepted,,10,11,1.000000\n");
    assert!(table.ends_with(",refused,end-of-time,,,\n"), "{table}");
    succeed(dir.path(), "check run");
}

#[test]
fn queued_jobs_that_the_machine_can_never_run_are_told() {
    let dir = folder();
    let rows = "job_id,arrival,ready,duration,deadline,pes,kind
1,0,0,60,,5,best-effort
2,0,0,1000,,1,best-effort
3,0,0,601,,2,best-effort
4,0,0,600,,4,best-effort
5,0,0,600,600,1,reservation
6,0,0,700,900,1,reservation
";
    fs::write(dir.path().join("requests.csv"), rows).unwrap();
    let options = "replay --requests requests.csv --pes 4 --slots 10 --slot-seconds 60 --queue fcfs --remove-late --out run";
    let said = told(dir.path(), options);
    assert_says(
        &said,
        "4 queued jobs never ran (3 too-long, 1 too-wide): jobs.csv names each\n",
    );
    assert_says(
        &said,
        "warning: 3 of 6 queued jobs never ran, since they are longer than the horizon (too-long in jobs.csv), and others had their room: --slots 17 holds all of them\n",
    );
    let table = succeed(dir.path(), &format!("{options} --force"));
    let cells = |line: usize| table.lines().nth(line).unwrap().split_whitespace();
    assert!(table.contains("never ran"), "{table}");
    let row: Vec<&str> = cells(2).collect();
    assert_eq!(row[2..8], ["–", "0.0", "%", "0.0", "s", "4"], "{table}");
    succeed(dir.path(), "check run");
    let all = succeed(
        dir.path(),
        &format!(
            "{} --out all",
            options
                .replace("--slots 10", "--slots 17")
                .replace("--pes 4", "--pes 5")
                .replace(" --out run", "")
        ),
    );
    assert!(!all.contains("never ran"), "{all}");
}

#[test]
fn a_log_with_fewer_jobs_than_are_asked_for_is_told() {
    let dir = folder();
    let log: String = (1..=5)
        .map(|id| format!("{id} {id} -1 60 1 -1 -1 1 60 -1 1 1 1 -1 1 -1 -1 -1\n"))
        .collect();
    fs::write(dir.path().join("log.swf"), log).unwrap();
    let options = "simulate --workload log.swf --pes 4 --slots 1000 --slot-seconds 1 --skip 3";
    assert_says(
        &told(dir.path(), &format!("{options} --jobs 3 --out few")),
        "log.swf: 2 jobs behind the first 3, where 3 are asked for\n",
    );
    let enough = told(dir.path(), &format!("{options} --jobs 2 --out enough"));
    assert!(!enough.contains("asked for"), "{enough}");
    // Where several runs are made of it, too, and once.
    let many = told(
        dir.path(),
        &format!("{options} --jobs 3 --replications 2 --out many"),
    );
    assert_eq!(many.matches("where 3 are asked for").count(), 1, "{many}");
    let none = fail(dir.path(), &options.replace("skip 3", "skip 300"), 2);
    assert_eq!(
        none,
        "error: --skip 300: log.swf has 5 jobs, expected fewer than that\n"
    );
}

#[test]
fn those_promised_once_the_horizon_reaches_their_deadlines_are_told() {
    let dir = folder();
    write_requests(
        dir.path(),
        "1,0,300,60,900,1\n2,0,0,60,600,1\n3,600,600,60,700,1",
    );
    let options =
        "replay --requests requests.csv --pes 1 --slots 10 --slot-seconds 60 --wait --out run";
    assert_says(
        &told(dir.path(), options),
        "warning: 1 of 3 requests reached beyond the horizon when they came, waited, and were promised a start once they did not; who refuses such requests at \
         once, as the desk in front of Slurm does, would not have promised it: --slots 15 holds all of them\n",
    );
    succeed(dir.path(), "check run");
}
