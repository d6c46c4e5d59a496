//! Rules from a file: what is written of them, and what is refused by file, line, rule and field.

use std::{fs, path::Path};

use crate::{
    assert_says,
    cases::{assert_refused, changed},
    fail, folder, succeed, write_requests,
};

const REPLAY: &str = "replay --requests requests.csv --pes 4 --slots 128 --slot-seconds 10 --rules rules.toml --out run";
const NIGHT: &str =
    "[[rule]]\nname = \"night\"\nphase = 15\nperiod = 100\nlength = 10\npes = \"2-3\"\n";
const NEWS: &str = "\n[[rule]]\nname = \"news\"\nperiod = 100\nlength = 20\npes = \"0\"\nannounced = 31\nuntil = 150\n";

fn write(dir: &Path, rules: &str) {
    write_requests(
        dir,
        "1,0,30,80,110,2\n2,0,30,30,200,4\n3,5,110,20,200,2\n4,50,200,10,210,4\n",
    );
    fs::write(dir.join("rules.toml"), rules).unwrap();
}

fn file(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join("run").join(name)).unwrap()
}

#[test]
fn what_rules_do_is_written_and_checked() {
    let dir = folder();
    write(dir.path(), &format!("{NIGHT}{NEWS}"));
    succeed(dir.path(), REPLAY);
    assert_eq!(
        file(dir.path(), "moves.csv"),
        "\
time,job_id,old_start,new_start,cause_job_id,cause,old_end,new_end,old_pes,new_pes
40,3,110,160,2,rule,130,180,2,2
"
    );
    let reservations = file(dir.path(), "reservations.csv");
    assert_says(
        &reservations,
        "\n1,0,30,80,110,2,accepted,,30,110,1.000000,30,30,rule:news,40\n",
    );
    let jobs = file(dir.path(), "jobs.csv");
    assert!(jobs.contains(",broken by rule:news at 40\n"), "{jobs}");
    let metrics = file(dir.path(), "metrics.json");
    for line in ["\"name\": \"news\"", "\"promises_broken\": 1"] {
        assert!(metrics.contains(line), "no {line} in {metrics}");
    }
    assert_eq!(
        succeed(dir.path(), "check run"),
        "run: 4 requests, 0 violations\n"
    );
    let html = file(dir.path(), "report.html");
    for words in [
        "<rect class=\"away thin\"",
        "rule night, PEs 2-3: 10 of every 100 s, one of them from 15 on, known at 0",
        "rule news, PEs 0: 20 of every 100 s, one of them from 0 on, known at 31, until 150",
        "stopped by rule news at 40",
    ] {
        assert!(html.contains(words), "no {words} in {html}");
    }
    // What a rule takes is nobody else's, as the files tell it.
    plant(dir.path(), "\"phase\": 15", "\"phase\": 35");
    let said = fail(dir.path(), "check run", 1);
    assert_eq!(said, "error: run: 2 violations\n");
    // With late binding, a rule says how many.
    write(dir.path(), &NIGHT.replace("\"2-3\"", "2"));
    succeed(dir.path(), &format!("{REPLAY} --binding late --force"));
    assert_eq!(
        succeed(dir.path(), "check run"),
        "run: 4 requests, 0 violations\n"
    );
    // There is no rule that takes nothing.
    plant(dir.path(), "\"pes\": 2", "\"pes\": 0");
    let said = fail(dir.path(), "check run", 1);
    assert_eq!(said, "error: run: 1 violation\n");
}

/// What metrics.json says is something else.
fn plant(dir: &Path, right: &str, wrong: &str) {
    let metrics = file(dir, "metrics.json");
    assert!(metrics.contains(right), "{metrics}");
    fs::write(dir.join("run/metrics.json"), metrics.replace(right, wrong)).unwrap();
}

#[test]
fn wrong_rules_are_named() {
    let dir = folder();
    assert_refused(
        r#"
name = "night" => name = "a b"
    rules.toml, line 2, field name: found "a b", expected 1 to 32 letters, digits, hyphens and underscores
name = "night"\n =>
    rules.toml, line 1, field name: missing, expected 1 to 32 letters, digits, hyphens and underscores
phase = 15 => phase = -1
    rules.toml, line 3, field phase: found -1 in rule night, expected a whole number of seconds, 0 or more
period = 100\n =>
    rules.toml, line 1, field period: missing in rule night, expected a whole number of seconds above 0
period = 100 => period = 105
    rules.toml, line 4, field period: found 105 in rule night, expected a multiple of 10, which a slot lasts, of fewer than 2^32 slots
length = 10 => length = 0
    rules.toml, line 5, field length: found 0 in rule night, expected a whole number of seconds above 0
"2-3" => "2-4"
    rules.toml, line 6, field pes: found "2-4" in rule night, expected PEs from 0 to 3
"2-3" => "3 2"
    rules.toml, line 6, field pes: found "3 2" in rule night, expected intervals in increasing order
"2-3" => 5
    rules.toml, line 6, field pes: found 5 in rule night, expected 1 to 4 PEs
"2-3" => true
    rules.toml, line 6, field pes: found true in rule night, expected an interval set such as "3 7-9", or with late binding how many PEs
pes = => groups =
    rules.toml, line 6, field groups: found "2-3" in rule night, expected pes instead: rules do not go with a --layout yet
phase = => phases =
    rules.toml, line 3, field phases: unknown in rule night, perhaps phase, expected one of name, phase, period, length, pes, announced, until
phase = 15 => announced = 9\nuntil = 9
    rules.toml, line 4, field until: found 9 in rule night, expected more than 9, when it is announced
[[rule]] => [rule]
    rules.toml, line 1, field rule: found a table, expected tables [[rule]], at most 16
[[rule]] => [[rules]]
    rules.toml, line 1, field rules: unknown, expected tables [[rule]], at most 16
"#,
        |change| {
            write(dir.path(), &changed(NIGHT, change));
            fail(dir.path(), REPLAY, 2)
        },
    );
    assert!(!dir.path().join("run").exists());
    write(dir.path(), &format!("{NIGHT}{NIGHT}"));
    let said = fail(dir.path(), REPLAY, 2);
    assert_eq!(
        said,
        "error: rules.toml, line 8, field name: found \"night\" in rule night, expected a name of its own\n"
    );
    write(dir.path(), "");
    let said = fail(dir.path(), REPLAY, 2);
    assert_eq!(
        said,
        "error: rules.toml, field rule: missing, expected tables [[rule]], at most 16\n"
    );
    write(dir.path(), NIGHT);
    let said = fail(dir.path(), &format!("{REPLAY} --binding late"), 2);
    assert_says(&said, "error: --rules: rule night says which PEs it takes");
    let said = fail(dir.path(), &REPLAY.replace("rules.toml", "none.toml"), 2);
    assert_eq!(said, "error: --rules none.toml: no such file\n");
}

#[test]
fn a_sweep_reads_rules_beside_its_plan() {
    let dir = folder();
    fs::create_dir(dir.path().join("plans")).unwrap();
    fs::write(dir.path().join("plans/rules.toml"), NIGHT).unwrap();
    let plan = "seed = 1\nreplications = 1\nmeasures = [\"acceptance_rate\", \"promises_broken\"]\n[run]\nworkload = \"poisson\"\njobs = 100\npes = 4\n\
                slots = 4000\nslot_seconds = 10\nstrategy = [\"fit\", \"juggle\"]\nbinding = \"early\"\nrules = \"rules.toml\"\n";
    fs::write(dir.path().join("plans/plan.toml"), plan).unwrap();
    succeed(dir.path(), "sweep plans/plan.toml --out swept");
    let summary = fs::read_to_string(dir.path().join("swept/summary.csv")).unwrap();
    assert!(summary.contains("promises_broken"), "{summary}");
}
