//! The program `worst` as a user calls it.

use std::{
    path::PathBuf,
    process::{Command, Output},
};

use bookahead_benches::worst::{Sought, finds};

fn worst(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_worst"));
    command.args(arguments).output().unwrap()
}

/// An own folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("bookahead-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn it_finds_a_state_of_each_search_and_goes_on_from_there() {
    let folder = folder("worst");
    let path = folder.join("finds.jsonl");
    let file = path.to_str().unwrap();
    let small = ["--slots", "300", "--pes", "50", "--finds", file];
    for _ in 0..2 {
        let output = worst(&[&["--minutes", "0.02"], &small[..]].concat());
        assert!(output.status.success(), "{output:?}");
        let table = String::from_utf8(output.stdout).unwrap();
        let kept = finds::read(&path).unwrap();
        assert_eq!(kept.len(), 2 * Sought::all().len());
        for find in kept {
            assert!(table.contains(&find.state.to_string()), "{table}");
        }
    }
    // The others stay.
    let only = [
        "--minutes",
        "0.001",
        "--policy",
        "first-fit",
        "--structure",
        "pe",
    ];
    assert!(worst(&[&only, &small[..]].concat()).status.success());
    let kept = finds::read(&path).unwrap();
    assert_eq!(kept.len(), 2 * Sought::all().len());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn growth_has_a_line_for_each_search() {
    let size = ["--structure", "count", "--slots", "64", "--steps", "1"];
    let output = worst(&[&["growth"], &size[..]].concat());
    assert!(output.status.success(), "{output:?}");
    let table = String::from_utf8(output.stdout).unwrap();
    for sought in Sought::all() {
        let lines = table.lines();
        let of_search = lines.filter(|line| line.split_whitespace().next() == Some(sought.name()));
        assert_eq!(of_search.count(), 2, "{sought}: {table}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let folder = folder("wrong");
    let path = folder.join("finds.jsonl");
    std::fs::write(&path, "{}\n").unwrap();
    for (arguments, said) in [
        (["--policy", "last-fit"], "expected one of first-fit, "),
        (["--structure", "tree"], "expected count or pe"),
        (["--minutes", "0"], "expected a number of minutes above 0"),
        (
            ["--pes", "20000"],
            "--pes 20000: sets are looked at up to 16384",
        ),
        (["--finds", path.to_str().unwrap()], "finds.jsonl: line 1: "),
    ] {
        let output = worst(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(said), "{error}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
