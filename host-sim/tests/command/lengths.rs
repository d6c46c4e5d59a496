//! Ranges of lengths in request files: what is granted, how files tell it, and that the checker notices lies about it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{
    assert_says, fail, folder,
    lies::{assert_lies_noticed, tampered_with},
    succeed,
};

const RESERVATIONS: &str = "reservations.csv";
const METRICS: &str = "metrics.json";

/// On four PEs with slots of 60 s: job 2 finds two slots before job 1 and two behind it; job 3 gets all it wants.
const ROWS: &str = "\
job_id,arrival,ready,duration,deadline,pes,duration_min
1,0,120,120,240,4,
2,0,0,300,400,4,100
3,0,240,90,400,4,30
4,10,60,120,240,4,60
";

fn replay(options: &str) -> String {
    format!(
        "replay --requests requests.csv --pes 4 --slots 64 --slot-seconds 60 --out run {options}"
    )
}

fn granted(dir: &Path) -> PathBuf {
    fs::write(dir.join("requests.csv"), ROWS).unwrap();
    succeed(dir, &replay("--binding late"));
    dir.join("run")
}

#[test]
fn the_longest_length_that_fits_is_granted() {
    let expected = "\
job_id,arrival,ready,duration,deadline,pes,decision,reason,start,end,slowdown,duration_min,granted_duration
1,0,120,120,240,4,accepted,,120,240,1.000000,,120
2,0,0,300,400,4,accepted,,0,120,1.000000,100,120
3,0,240,90,400,4,accepted,,240,360,1.000000,30,90
4,10,60,120,240,4,refused,no-room,,,,60,
";
    for binding in ["early", "late"] {
        let dir = folder();
        fs::write(dir.path().join("requests.csv"), ROWS).unwrap();
        succeed(dir.path(), &replay(&format!("--binding {binding}")));
        let run = dir.path().join("run");
        assert_eq!(
            fs::read_to_string(run.join(RESERVATIONS)).unwrap(),
            expected
        );
        let metrics = fs::read_to_string(run.join(METRICS)).unwrap();
        assert_says(&metrics, "\"ranges\": 3,\n  \"shortened\": 1,");
        succeed(dir.path(), "check run");
    }
}

#[test]
fn lies_about_lengths_are_noticed() {
    assert_lies_noticed(
        granted,
        r#"
reservations.csv:
0,120,1.000000,100,120 => 0,120,1.000000,100,60
    job 2: granted 60 s on 4 PEs of 100-300 s on 4
0,120,1.000000,100,120 => 0,120,1.000000,130,120
    job 2: granted 120 s on 4 PEs of 130-300 s on 4
0,120,1.000000,100,120 => 0,120,1.000000,100,110
    job 2: granted 110 s on 4 PEs of 100-300 s on 4
0,120,1.000000,100,120 => 0,60,1.000000,30,60
    job 2: granted 60 s, although 120 s fit at 0
0,120,1.000000,100,120 => 0,120,1.100000,100,120
    job 2: slowdown: found 1.1, expected 1.000000
4,10,60,120,240,4, => 4,10,60,120,500,4,
    job 4: refused for no-room, although there is room at 360
4,10,60,120,240,4,refused,no-room,,,,60, => 4,10,60,120,240,4,refused,no-room,,,,60,60
    job 4: refused, but cells about a start or a run are not empty
refused,no-room,,,,60, => refused,no-room,,,,200,
    job 4: refused for no-room, but the row deserves window-too-short
metrics.json:
"ranges": 3 => "ranges": 2
    metrics.json, ranges: found 2, expected 3
"shortened": 1 => "shortened": 2
    metrics.json, shortened: found 2, expected 1
"#,
    );
    // The column of what is granted says nothing where nothing less will do.
    let found = tampered_with(granted, RESERVATIONS, "1.000000,,120", "1.000000,,60");
    assert!(
        found
            .iter()
            .any(|one| one.contains("granted seconds and PEs")),
        "{found:?}"
    );
}

#[test]
fn strategies_that_grant_one_length_say_so() {
    let dir = folder();
    fs::write(dir.path().join("requests.csv"), ROWS).unwrap();
    for strategy in ["rigid", "elastic", "juggle", "shift", "juggle-shift"] {
        let message = fail(dir.path(), &replay(&format!("--strategy {strategy}")), 2);
        let expected = format!(
            "error: --strategy {strategy} grants one length only, but request 2 has a duration_min; say --strategy fit or \
             overlay, without copies\n"
        );
        assert_eq!(message, expected);
        assert!(!dir.path().join("run").exists());
    }
}
