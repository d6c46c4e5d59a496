//! Options that all sub-commands share, their old names, and help.

use std::fs;

use crate::{assert_says, fail, files, folder, succeed};

const SUB_COMMANDS: [&str; 10] = [
    "ask",
    "sweep",
    "merge",
    "replay",
    "simulate",
    "generate",
    "reproduce",
    "report",
    "check",
    "store",
];

#[test]
fn common_options_are_accepted_before_and_behind_the_sub_command() {
    let dir = folder();
    succeed(
        dir.path(),
        "-q --seed 7 --threads 1 --out before simulate --jobs 30",
    );
    succeed(
        dir.path(),
        "simulate --jobs 30 -q --seed 7 --threads 1 --out behind",
    );
    let tree = |name: &str| files(&dir.path().join(name));
    assert!(tree("before") == tree("behind"));
    let metrics = fs::read_to_string(dir.path().join("before/metrics.json")).unwrap();
    assert!(metrics.contains("\"seed\": 7,"), "{metrics}");
    succeed(dir.path(), "--out load.swf generate --jobs 5");
    assert!(dir.path().join("load.swf").is_file());
    succeed(dir.path(), "--out . report before");
    assert!(dir.path().join("report.html").is_file());
    // Where they mean nothing, too.
    succeed(
        dir.path(),
        "--seed 3 --threads 2 -q check before --out nowhere",
    );
    assert!(!dir.path().join("nowhere").exists());
}

#[test]
fn an_option_of_the_demonstration_is_none_of_a_sub_command() {
    let dir = folder();
    assert_eq!(
        fail(dir.path(), "--jobs 5 simulate", 2),
        "error: --jobs in front of a sub-command is for the demonstration: say it behind the sub-command\n"
    );
}

#[test]
fn old_names_of_options_stay() {
    let dir = folder();
    let rest = "--workload poisson --jobs 40 --reservation-share 0.5 --quiet";
    for (old, new) in [
        (
            "--policy elastic --best-effort easy --user ask-again",
            "--strategy elastic --queue easy --user-policy ask-again",
        ),
        (
            "--strategy pe-worst-fit --best-effort fcfs",
            "--strategy fit --policy pe-worst-fit --queue fcfs",
        ),
    ] {
        for (options, out) in [(old, "old"), (new, "new")] {
            succeed(
                dir.path(),
                &format!("simulate {rest} {options} --force --out {out}"),
            );
        }
        let read = |out: &str, name| fs::read(dir.path().join(out).join(name)).unwrap();
        for name in ["jobs.csv", "reservations.csv", "metrics.json"] {
            assert_eq!(read("old", name), read("new", name), "{old}: {name}");
        }
    }
}

#[test]
fn every_sub_command_has_help_with_defaults_and_examples() {
    let dir = folder();
    let help = |name: &str| succeed(dir.path(), &format!("{name} --help"));
    for name in ["", "simulate", "replay", "reproduce"] {
        let help = help(name);
        for word in [
            "--seed",
            "--threads",
            "--quiet",
            "--out",
            "--force",
            "[default: 1]",
            "Example",
        ] {
            assert!(help.contains(word), "{name}: no {word} in\n{help}");
        }
    }
    for (name, without) in [
        ("generate", &["--threads", "--force"][..]),
        ("sweep", &["--seed"]),
        ("merge", &["--seed", "--threads"]),
        ("report", &["--seed", "--threads", "--force"]),
        ("check", &["--seed", "--threads", "--out", "--force"]),
        ("ask", &["--seed", "--threads", "--out", "--force"]),
        ("store", &["--seed", "--threads", "--out", "--force"]),
    ] {
        let help = help(name);
        assert!(
            help.contains("--quiet") && help.contains("Example"),
            "{help}"
        );
        for word in without {
            assert!(!help.contains(word), "{name}: {word} in\n{help}");
        }
    }
    assert!(help("generate").contains("File to write"));
}

/// Of every option that takes a value, but for names of files and folders. No number is below 0 or none at all, and no name is like that.
#[test]
fn a_bad_value_of_any_option_is_told_with_the_option() {
    let dir = folder();
    let mut count = 0;
    for name in [""].iter().chain(&SUB_COMMANDS) {
        let help = succeed(dir.path(), &format!("{name} --help"));
        for option in help.lines().filter_map(option_with_value) {
            for value in ["-1", "-1.5", "nan", "1e999"] {
                let told = fail(dir.path(), &format!("{name} --{option} {value}"), 2);
                let says = |words: &str| told.contains(words);
                assert!(
                    says(&format!("--{option}")) && says(value),
                    "{name} --{option} {value}: {told}"
                );
                assert!(
                    says("expected ") || says("possible values"),
                    "{name} --{option} {value}: {told}"
                );
            }
            count += 1;
        }
    }
    assert!(count > 70, "{count}");
}

/// The option that a line of help is about, if it takes a value that is not the name of a file.
fn option_with_value(line: &str) -> Option<&str> {
    let (before, option) = line.split_once("--")?;
    let (option, value) = option.split_once(' ')?;
    let is_heading = before.trim_start().trim_end_matches(", ").len() <= 2;
    let takes_value = value.starts_with('<') || value.starts_with("[<");
    let is_file = ["<FILE", "<DIR", "<MODEL|FILE"]
        .iter()
        .any(|file| value.starts_with(file));
    (is_heading && takes_value && !is_file).then_some(option)
}

#[test]
fn possible_values_are_listed_with_their_meaning() {
    let dir = folder();
    let help = succeed(dir.path(), "simulate --help");
    for words in [
        "- pe-worst-fit:",
        "- rigid:",
        "- late:",
        "- easy:",
        "- pareto-front:",
        "- ask-again:",
    ] {
        assert!(help.contains(words), "no {words} in\n{help}");
    }
    assert!(!help.contains("late-control"), "{help}");
    let message = fail(dir.path(), "simulate --policy frist-fit", 2);
    assert_says(&message, "a similar value exists: 'first-fit'");
}

/// A terminal of 80 columns wraps longer lines, and a wrapped line is two commands when it is pasted.
#[test]
fn examples_survive_pasting() {
    let dir = folder();
    for name in [""].iter().chain(&SUB_COMMANDS) {
        let help = succeed(dir.path(), &format!("{name} --help"));
        let (_, examples) = help.split_once("Example").unwrap();
        let examples = examples
            .lines()
            .skip(1)
            .take_while(|line| line.starts_with("  "));
        let mut continued = false;
        let mut count = 0;
        for line in examples {
            assert!(line.len() < 80, "{name}: {line}");
            assert!(
                continued || line.starts_with("  bookahead"),
                "{name}: {line}"
            );
            continued = line.ends_with(" \\");
            count += 1;
        }
        assert!(count > 0 && !continued, "{name}: {help}");
    }
}
