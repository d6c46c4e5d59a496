//! Machines with a layout: what files say of it, what is refused and by which name, and that the checker follows it without the kernel.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use bookahead::{Discipline, Policy};
use bookahead_sim::{
    check,
    engine::{self, Binding, Cause, Juggle, Moving, Shift, Strategy, System},
    layout::{Layout, Placing},
    workload::requests_csv,
};

use crate::{
    check::{assert_noticed, tampered_with},
    fail, files, folder, succeed,
};

const JOBS: &str = "jobs.csv";
const RESERVATIONS: &str = "reservations.csv";
const METRICS: &str = "metrics.json";
const MOVES: &str = "moves.csv";

/// Eight nodes in four racks. The last two have no GPUs.
const LAYOUT: &str = r#"
groups = 8
[kinds]
core = 4
gpu = 2
[[missing]]
groups = "6-7"
kinds = ["gpu"]
[levels]
rack = 2
[partitions]
debug = "0-1"
batch = "2-7"
"#;

const HEADER: &str = "job_id,arrival,ready,duration,deadline,pes,partition,exclude,groups,per_group,within,prefer,on\n";

/// Each column at least once, and each reason that a class alone decides.
const ROWS: &str = "\
1,0,0,10,20,,debug,,1,core=2 gpu=2,,,
2,0,0,10,20,,2,3,2,core=1 gpu=1,rack,,
3,0,0,10,20,,,,2,all,,,
4,0,0,10,20,,batch,,2,core=5,,,
5,0,0,10,20,,,6-7,2,all,rack,pack,
6,0,0,10,20,5,,,,,,spread,
7,0,0,10,20,,,,,,,,0-1 32-33
8,0,20,10,30,,,,,,,,0-1 32-33
9,0,20,10,30,,debug,,3,gpu=1,,,
10,0,20,10,30,7,,,,gpu=2,,,
11,0,20,10,30,,,6-7,2,all,rack?,compact:rack,
";

const REPLAY: &str = "replay --requests requests.csv --layout layout.toml --slots 64 --out run";

fn write(dir: &Path, rows: &str) {
    fs::write(dir.join("layout.toml"), LAYOUT).unwrap();
    fs::write(dir.join("requests.csv"), format!("{HEADER}{rows}")).unwrap();
}

fn placed(dir: &Path) -> PathBuf {
    write(dir, ROWS);
    succeed(dir, REPLAY);
    dir.join("run")
}

#[test]
fn such_pes_and_these_pes_are_given() {
    let dir = folder();
    let run = placed(dir.path());
    let jobs = fs::read_to_string(run.join(JOBS)).unwrap();
    let ends: Vec<&str> = jobs
        .lines()
        .skip(1)
        .map(|line| line.splitn(15, ',').last().unwrap())
        .collect();
    let expected = [
        "0-1 32-33,-1,,0",
        "16 20 40 42,-1,,4-5",
        ",-1,,",
        ",-1,,",
        "8-15 36-39,-1,,2-3",
        "4 17 21 24 28,-1,,1 4-7",
        ",-1,,",
        "0-1 32-33,-1,,0",
        ",-1,,",
        ",-1,,",
        "8-15 36-39,-1,,2-3",
    ];
    assert_eq!(ends, expected);
    assert!(jobs.lines().next().unwrap().ends_with(",metadata,groups"));
    let expected = "\
job_id,arrival,ready,duration,deadline,pes,decision,reason,start,end,slowdown,partition,exclude,groups,per_group,within,prefer,on
1,0,0,10,20,4,accepted,,0,10,1.000000,debug,,1,core=2 gpu=2,,,
2,0,0,10,20,4,accepted,,0,10,1.000000,2,3,2,core=1 gpu=1,rack,,
3,0,0,10,20,12,refused,uneven-groups,,,,,,2,all,,,
4,0,0,10,20,10,refused,bad-shape,,,,batch,,2,core=5,,,
5,0,0,10,20,12,accepted,,0,10,1.000000,,6-7,2,all,rack,pack,
6,0,0,10,20,5,accepted,,0,10,1.000000,,,,,,spread,
7,0,0,10,20,4,refused,no-room,,,,,,,,,,0-1 32-33
8,0,20,10,30,4,accepted,,20,30,1.000000,,,,,,,0-1 32-33
9,0,20,10,30,3,refused,not-eligible,,,,debug,,3,gpu=1,,,
10,0,20,10,30,7,refused,not-whole-groups,,,,,,,gpu=2,,,
11,0,20,10,30,12,accepted,,20,30,1.000000,,6-7,2,all,rack?,compact:rack,
";
    assert_eq!(
        fs::read_to_string(run.join(RESERVATIONS)).unwrap(),
        expected
    );
    succeed(dir.path(), "check run");
}

#[test]
fn without_a_layout_its_columns_are_ignored() {
    let dir = folder();
    let plain = "1,0,0,10,20,4\n2,5,5,10,20,3\n";
    fs::write(
        dir.path().join("requests.csv"),
        format!("job_id,arrival,ready,duration,deadline,pes\n{plain}"),
    )
    .unwrap();
    let replay = "replay --requests requests.csv --pes 4 --slots 64 --out";
    succeed(dir.path(), &format!("{replay} plain"));
    let more = "1,0,0,10,20,4,nowhere,,x,y,z,,\n2,5,5,10,20,3,,,,,,,9-7\n";
    fs::write(dir.path().join("requests.csv"), format!("{HEADER}{more}")).unwrap();
    succeed(dir.path(), &format!("{replay} more"));
    let [plain, more] = ["plain", "more"].map(|run| {
        let mut files = files(&dir.path().join(run));
        files.remove(Path::new("experiment.json"));
        files
    });
    assert_eq!(plain, more);
}

#[test]
fn wrong_cells_are_named() {
    let dir = folder();
    let layout_of = |cells: &str| {
        write(
            dir.path(),
            &format!("1,0,0,10,20,4,,,,,,,\n2,0,0,10,20,{cells}\n"),
        );
        let message = fail(dir.path(), REPLAY, 2);
        assert!(!dir.path().join("run").exists());
        message
    };
    let wrong = |cells: &str, field: &str, problem: &str| {
        let expected = format!("error: requests.csv, line 3, field {field}: {problem}\n");
        assert_eq!(layout_of(cells), expected);
    };
    wrong(
        "4,night,,,,,,",
        "partition",
        "found \"night\", expected one of debug, batch, or a number from 1 to 2",
    );
    wrong(
        "4,3,,,,,,",
        "partition",
        "found \"3\", expected one of debug, batch, or a number from 1 to 2",
    );
    wrong(
        "4,,8,,,,,",
        "exclude",
        "found group 8, expected groups from 0 to 7, in \"8\"",
    );
    wrong(
        "4,,7-3,,,,,",
        "exclude",
        "found \"7-3\", expected a set of groups such as 3 7-9",
    );
    wrong(
        "4,debug,0-3,,,,,",
        "exclude",
        "found \"0-3\", which leaves no group, expected at least one",
    );
    wrong(
        ",,,-1,all,,,",
        "groups",
        "found \"-1\", expected a number of groups or an empty cell",
    );
    wrong(
        ",,,2,,,,",
        "per_group",
        "found an empty cell beside groups, expected all or numbers such as core=1",
    );
    let kinds = "expected all, or a number for each of some kinds once, such as core=2; the kinds are core, gpu";
    wrong(
        ",,,2,core=1 tpu=2,,,",
        "per_group",
        &format!("found \"tpu=2\", {kinds}"),
    );
    wrong(
        ",,,2,core=1 core=2,,,",
        "per_group",
        &format!("found \"core=2\", {kinds}"),
    );
    wrong(
        "5,,,2,core=2,,,",
        "pes",
        "found \"5\", expected 4, as other cells of the row say, or an empty cell",
    );
    wrong(
        ",,,,core=2,,,",
        "pes",
        "found \"\", expected a whole number of 0 or more",
    );
    wrong(
        "4,,,,,row,,",
        "within",
        "found \"row\", expected one of rack",
    );
    let preferences = "expected lowest, pack, spread, or compact: and a level of the layout";
    wrong(
        "4,,,,,,near,",
        "prefer",
        &format!("found \"near\", {preferences}"),
    );
    wrong(
        "4,,,,,,compact:row,",
        "prefer",
        "found level \"row\", expected one of rack",
    );
    wrong(",,,,,,,48", "on", "found PE 48, expected PEs from 0 to 47");
    wrong(
        ",,,,,,,43-44",
        "on",
        "found PE 44, which is missing in its group, expected PEs that exist",
    );
    wrong(
        ",debug,,,,,,0-1",
        "partition",
        "found \"debug\", expected an empty cell beside on, which names all processing elements",
    );
}

#[test]
fn jobs_of_the_queue_and_operations_ask_for_nothing() {
    let dir = folder();
    fs::write(dir.path().join("layout.toml"), LAYOUT).unwrap();
    let header = "job_id,arrival,ready,duration,deadline,pes,op,target,kind,partition\n";
    let rows =
        |rows: &str| fs::write(dir.path().join("requests.csv"), format!("{header}{rows}")).unwrap();
    rows("1,0,0,10,20,4,,,,debug\n2,0,,10,,4,,,best-effort,debug\n");
    let message = fail(dir.path(), &format!("{REPLAY} --queue easy"), 2);
    let unused = "an empty cell or 0, which best-effort does not use";
    assert_eq!(
        message,
        format!(
            "error: requests.csv, line 3, field partition: found \"debug\", expected {unused}\n"
        )
    );
    rows("1,0,0,10,20,4,,,,debug\n2,0,,,,,cancel,1,,debug\n");
    let message = fail(dir.path(), REPLAY, 2);
    assert!(message.contains("which cancel does not use"), "{message}");
}

#[test]
fn layouts_that_do_not_add_up_are_named() {
    let dir = folder();
    write(dir.path(), ROWS);
    let wrong = |old: &str, new: &str, problem: &str| {
        assert_eq!(LAYOUT.matches(old).count(), 1, "{old}");
        fs::write(dir.path().join("layout.toml"), LAYOUT.replace(old, new)).unwrap();
        let message = fail(dir.path(), REPLAY, 2);
        assert_eq!(message, format!("error: layout.toml{problem}\n"));
        assert!(!dir.path().join("run").exists());
    };
    wrong(
        "groups = 8\n",
        "",
        ", field groups: missing, expected how many groups (nodes) the machine has, 1 to 65535",
    );
    wrong(
        "groups = 8\n",
        "groups = 0\n",
        ", line 2, field groups: found 0 groups, expected 1 to 65535",
    );
    wrong(
        "groups = 8\n",
        "groups = \"8\"\n",
        ", line 2, field groups: found \"8\", expected how many groups (nodes) the machine has, 1 to 65535",
    );
    wrong(
        "groups = 8\n",
        "nodes = 8\n",
        ", line 2, field nodes: unknown, expected one of groups, kinds, missing, levels, partitions",
    );
    wrong(
        "gpu = 2\n",
        "gpu = 65\n",
        ", line 5, field gpu: found 65 gpu in a group, expected 1 to 64",
    );
    wrong(
        "gpu = 2\n",
        "gpu = 0\n",
        ", line 5, field gpu: found 0 gpu in a group, expected 1 to 64",
    );
    wrong(
        "[\"gpu\"]",
        "[\"tpu\"]",
        ", line 6, field missing: found kind \"tpu\", expected one of core, gpu",
    );
    wrong(
        "\"6-7\"",
        "\"6-8\"",
        ", line 6, field missing: found group 8, expected groups from 0 to 7",
    );
    wrong(
        "rack = 2",
        "rack = 1",
        ", line 10, field rack: found rack of 1 groups, expected more than 1: a block is larger than those before it",
    );
    wrong(
        "rack = 2",
        "rack = 4\nrow = 4",
        ", line 11, field row: found row of 4 groups, expected more than 4: a block is larger than those before it",
    );
    wrong(
        "\"0-1\"",
        "\"0-1 9\"",
        ", line 12, field debug: found group 9, expected groups from 0 to 7",
    );
    wrong(
        "\"0-1\"",
        "\"all\"",
        ", line 12, field debug: found \"all\", expected a set of groups such as \"3 7-9\"",
    );
    wrong(
        "groups = 8\n[kinds]\ncore = 4\ngpu = 2\n",
        "groups = 65535\n[kinds]\ncore = 4\ngpu = 2\n",
        ", line 2, field groups: the layout does not add up: layout-too-wide",
    );
    let twice = ", line 5, field gpu: found";
    fs::write(
        dir.path().join("layout.toml"),
        LAYOUT.replace("gpu = 2\n", "gpu = \"many\"\n"),
    )
    .unwrap();
    assert!(fail(dir.path(), REPLAY, 2).contains(twice));
}

#[test]
fn options_that_do_not_go_with_a_layout_are_named() {
    let dir = folder();
    write(dir.path(), ROWS);
    let refused = |options: &str, message: &str| {
        let found = fail(dir.path(), &format!("{REPLAY} {options}"), 2);
        assert_eq!(found, format!("error: {message}\n"));
    };
    refused(
        "--pes 48",
        "--pes 48: the layout has 44 PEs; leave out --pes",
    );
    refused(
        "--binding late",
        "--layout: with late binding, PEs are chosen when a job starts; say --binding early",
    );
    refused(
        "--strategy elastic",
        "--layout: --strategy elastic knows how many PEs are free, not which; say fit, rigid, juggle, shift or juggle-shift",
    );
    refused(
        "--prefer compact:row",
        "--prefer compact:row: found level \"row\", expected one of rack",
    );
    refused(
        "--strategy juggle --relocate",
        "--relocate: --strategy juggle moves reservations itself; say fit or rigid",
    );
    fs::write(
        dir.path().join("plain.csv"),
        "job_id,arrival,ready,duration,deadline,pes\n1,0,0,10,20,4\n",
    )
    .unwrap();
    let found = fail(
        dir.path(),
        "replay --requests plain.csv --pes 4 --slots 64 --prefer pack",
        2,
    );
    assert_eq!(
        found,
        "error: --prefer is only for a machine with a --layout\n"
    );
    for strategy in [
        "fit --policy all",
        "rigid",
        "juggle",
        "shift",
        "juggle-shift",
    ] {
        succeed(
            dir.path(),
            &format!("{REPLAY} --force --strategy {strategy}"),
        );
        let checked = succeed(dir.path(), "check run");
        assert!(checked.contains(", 0 violations"), "{strategy}: {checked}");
    }
}

#[test]
fn what_lies_where_it_may_not_is_noticed() {
    let lies = [
        // Job 2 on a node outside of its partition, on one that it excludes, and in two racks.
        (
            JOBS,
            "16 20 40 42,-1,,4-5",
            "5 20 35 42,-1,,1 5",
            "job 2: uses group 1, which it may not",
        ),
        (
            JOBS,
            "16 20 40 42,-1,,4-5",
            "13 20 38 42,-1,,3 5",
            "job 2: uses group 3, which it may not",
        ),
        (
            JOBS,
            "16 20 40 42,-1,,4-5",
            "8 20 36 42,-1,,2 5",
            "job 2: lies in 2 blocks of the level rack, asked for one",
        ),
        // Job 2 with two cores of one node and no core of the other.
        (
            JOBS,
            "16 20 40 42,-1,,4-5",
            "16 18 40 42,-1,,4-5",
            "job 2: uses core=2 gpu=1 of group 4, asked for core=1 gpu=1",
        ),
        // Job 5 asks for whole nodes and has two nodes in part.
        (
            JOBS,
            ",0,10,1.000000,8-15 36-39,-1,,2-3",
            ",0,10,1.000000,8-15 36-38 40,-1,,2-4",
            "job 5: uses core=4 gpu=1 of group 3, asked for core=4 gpu=2",
        ),
        (
            JOBS,
            "16 20 40 42,-1,,4-5",
            "16 20 40 42,-1,,4 6",
            "job 2: groups: found \"4 6\", expected \"4-5\"",
        ),
        (
            JOBS,
            "4 17 21 24 28,-1,,1 4-7",
            "4 17 21 24 44,-1,,1 4-6",
            "job 6: uses PE 44, which the machine does not have",
        ),
        (
            JOBS,
            "20,30,3.000000,0-1 32-33,-1,,0",
            "20,30,3.000000,0-1 34-35,-1,,0-1",
            "job 8: uses PEs 0-1 34-35, asked for exactly 0-1 32-33",
        ),
        (
            RESERVATIONS,
            "8,0,20,10,30,4,",
            "8,0,19,10,30,4,",
            "job 8: start of exactly these PEs: found 20, expected 19",
        ),
        (
            RESERVATIONS,
            "1.000000,2,3,2,core=1 gpu=1,rack,,",
            "1.000000,5,3,2,core=1 gpu=1,rack,,",
            "job 2: partition: found \"5\", expected one of debug, batch, or a number from 1 to 2",
        ),
        (
            RESERVATIONS,
            "refused,not-eligible,,,,debug,,3,gpu=1",
            "refused,no-room,,,,debug,,3,gpu=1",
            "job 9: refused for no-room, but the row deserves not-eligible",
        ),
        (
            RESERVATIONS,
            "refused,bad-shape,,,,batch,,2,core=5",
            "refused,bad-shape,,,,batch,,2,core=4",
            "job 4: refused for bad-shape, but the row deserves not-whole-groups",
        ),
        (
            RESERVATIONS,
            "refused,uneven-groups,,,,,,2,all",
            "refused,uneven-groups,,,,,6-7,2,all",
            "job 3: refused for uneven-groups, but the row deserves no-room or table-full",
        ),
        (
            METRICS,
            "\"groups\": \"6-7\"",
            "\"groups\": \"5-7\"",
            "metrics.json, pes: found Some(44), expected 42 as the layout has",
        ),
        (
            METRICS,
            "\"groups\": \"6-7\"",
            "\"groups\": \"6-9\"",
            "metrics.json, layout: missing, entry 1: found group 9, expected groups from 0 to 7",
        ),
        (
            METRICS,
            "\"prefer\": \"lowest\"",
            "\"prefer\": \"near\"",
            "metrics.json, prefer: found \"near\", expected lowest, pack, spread, or compact: and a level of the layout",
        ),
        (
            METRICS,
            "\"blocks_per_job\": 1.5",
            "\"blocks_per_job\": 1.25",
            "metrics.json, blocks_per_job: found 1.25, expected 1.5",
        ),
    ];
    for (file, old, new, expected) in lies {
        let found = match file {
            METRICS if expected.starts_with("metrics.json, pes") => {
                let found = tampered_with(placed, file, old, new);
                found
                    .iter()
                    .any(|one| one.starts_with("metrics.json, pes: found "))
            }
            METRICS if expected.starts_with("metrics.json, prefer") => {
                let found = tampered_with(placed, file, old, new);
                found
                    .iter()
                    .any(|one| one.starts_with("metrics.json, prefer: found "))
            }
            _ => {
                assert_noticed(placed, file, old, new, expected);
                true
            }
        };
        assert!(found, "{expected}");
    }
}

/// Four nodes in two racks. Job 1 has a node of the first rack, half a node of the second is out of service, and job 3 needs a rack.
fn crowded(dir: &Path) {
    let layout = "groups = 4\nkinds = { core = 2 }\nlevels = { rack = 2 }\n";
    fs::write(dir.join("layout.toml"), layout).unwrap();
    let rows = "1,0,3,5,8,,,,1,all,,,\n2,0,3,5,8,,,,,,,,4\n3,0,3,5,8,,,,2,all,rack,,\n";
    fs::write(dir.join("requests.csv"), format!("{HEADER}{rows}")).unwrap();
}

fn relocated(dir: &Path) -> PathBuf {
    crowded(dir);
    succeed(dir, &format!("{REPLAY} --relocate"));
    dir.join("run")
}

#[test]
fn others_make_room_in_space() {
    let dir = folder();
    crowded(dir.path());
    succeed(dir.path(), REPLAY);
    let plain = fs::read_to_string(dir.path().join("run").join(RESERVATIONS)).unwrap();
    assert!(plain.contains("\n3,0,3,5,8,4,refused,no-room,"), "{plain}");
    assert!(!dir.path().join("run").join(MOVES).exists());

    let dir = folder();
    let run = relocated(dir.path());
    let read = |file: &str| fs::read_to_string(run.join(file)).unwrap();
    let jobs = read(JOBS);
    assert!(jobs.contains(",8,3,8,1.600000,6-7,-1,,3\n"), "{jobs}");
    assert!(jobs.contains(",8,3,8,1.600000,0-3,-1,,0-1\n"), "{jobs}");
    let moves = read(MOVES);
    assert!(moves.ends_with("\n0,1,3,3,3,relocate,8,8,2,2\n"), "{moves}");
    assert!(read(METRICS).contains("\"relocations\": 1,\n  \"relocated_for\": 1,"));
    succeed(dir.path(), "check run");
}

/// What has become free early is no reason to tell of the same moves again.
#[test]
fn an_early_end_moves_nobody() {
    let dir = folder();
    crowded(dir.path());
    let file = dir.path().join("requests.csv");
    let rows = fs::read_to_string(&file).unwrap();
    let rows = rows
        .replace(",on\n", ",on,run_time\n")
        .replace(",,,4\n", ",,,4,2\n")
        .replace(",,,\n", ",,,,\n")
        .replace("rack,,\n", "rack,,,\n");
    fs::write(&file, rows).unwrap();
    succeed(dir.path(), &format!("{REPLAY} --relocate"));
    let moves = fs::read_to_string(dir.path().join("run").join(MOVES)).unwrap();
    assert!(
        moves.ends_with("new_pes\n0,1,3,3,3,relocate,8,8,2,2\n"),
        "{moves}"
    );
    succeed(dir.path(), "check run");
}

#[test]
fn lies_about_moves_in_space_are_noticed() {
    let row = "0,1,3,3,3,relocate,8,8,2,2";
    let lies = [
        (
            MOVES,
            row,
            "0,1,3,2,3,relocate,8,7,2,2",
            "job 1: moves.csv: takes other PEs at 0 as 2-7 on 2 PEs, but booked was 3-8 on 2 PEs",
        ),
        (
            MOVES,
            row,
            "0,2,3,3,3,relocate,8,8,1,1",
            "job 2: moves.csv: takes other PEs at 0, but asked for exactly those that it has",
        ),
        (
            MOVES,
            row,
            "4,1,3,3,3,relocate,8,8,2,2",
            "job 1: moves.csv: takes other PEs at 4, when it is not waiting",
        ),
        (
            METRICS,
            "\"relocate\": true",
            "\"relocate\": false",
            "job 1: moves.csv: moved at 0 by relocate, which the settings rule out",
        ),
        (
            METRICS,
            "\"relocated_for\": 1",
            "\"relocated_for\": 2",
            "metrics.json, relocated_for: found 2, expected 1",
        ),
    ];
    for (file, old, new, expected) in lies {
        if file == METRICS && expected.starts_with("job") {
            let found = tampered_with(relocated, file, old, new);
            assert!(!found.is_empty(), "{expected}");
            continue;
        }
        assert_noticed(relocated, file, old, new, expected);
    }
}

#[test]
fn operations_keep_to_the_class() {
    let dir = folder();
    fs::write(dir.path().join("layout.toml"), LAYOUT).unwrap();
    let header =
        "job_id,arrival,ready,duration,deadline,pes,op,target,partition,groups,per_group,on\n";
    let rows = "\
1,0,10,10,60,,,,batch,2,core=2 gpu=1,
2,0,10,10,60,,,,,,,0-3
3,1,,,,9,widen,1,,,,
4,1,,,,10,widen,1,,,,
5,2,,,,5,widen,2,,,,
6,3,15,,,,split,1,,,,
7,4,,,,6,narrow,1,,,,
8,12,,,,3,narrow,1,,,,
";
    fs::write(dir.path().join("requests.csv"), format!("{header}{rows}")).unwrap();
    succeed(dir.path(), REPLAY);
    let operations = fs::read_to_string(dir.path().join("run/operations.csv")).unwrap();
    let decided: Vec<String> = operations
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            format!("{} {} {}", cells[2], cells[4], cells[5])
        })
        .collect();
    let expected = [
        "widen accepted ",
        "widen refused not-whole-groups",
        "widen refused exactly-these",
        "split accepted ",
        "narrow accepted ",
        "narrow accepted ",
    ];
    assert_eq!(decided, expected);
    succeed(dir.path(), "check run");
}

#[test]
fn a_log_says_partitions_by_number() {
    let dir = folder();
    fs::write(dir.path().join("layout.toml"), LAYOUT).unwrap();
    let record = |job: u32, pes: u32, partition: i32| {
        format!("{job} {job} -1 600 {pes} -1 -1 {pes} 600 -1 1 1 1 -1 1 {partition} -1 -1\n")
    };
    let log = [record(1, 4, 1), record(2, 4, 2), record(3, 4, -1)].concat();
    fs::write(dir.path().join("log.swf"), log).unwrap();
    let simulate = "simulate --workload log.swf --layout layout.toml --slots 8192 --book-ahead-factor 0 --out run";
    succeed(dir.path(), simulate);
    let jobs = fs::read_to_string(dir.path().join("run").join(JOBS)).unwrap();
    let groups: Vec<&str> = jobs
        .lines()
        .skip(1)
        .map(|line| line.rsplit(',').next().unwrap())
        .collect();
    assert_eq!(groups, ["0", "2", "1"]);
    succeed(dir.path(), "check run");
    fs::write(dir.path().join("log.swf"), record(1, 4, 3)).unwrap();
    let message = fail(dir.path(), simulate, 2);
    let expected =
        "error: log.swf, field partition: found 3 of job 1, expected 1 to 2, as the layout has\n";
    assert_eq!(message, expected);
}

/// Rows that ask for all there is to ask, drawn from a seed; some are jobs of the queue, and some do something to an earlier one.
fn drawn(seed: u64, operates: bool) -> String {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut draw = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let classes = [
        ",,,,,,",
        "debug,,,,,,",
        "2,3,,,rack,pack,",
        ",,1,core=1 gpu=1,,,",
        ",,2,gpu=2,rack,,",
        "batch,6-7,2,all,,spread,",
        ",6-7,2,all,rack?,compact:rack,",
        ",,3,core=2,,pack,",
        ",,,core=1,rack,spread,",
        ",,2,core=5,,,",
        ",,,,,,2-3 34",
        ",,,,,,8",
    ];
    let mut rows = String::from(
        "job_id,arrival,ready,duration,deadline,pes,partition,exclude,groups,per_group,within,prefer,on,kind,run_time,op,target\n",
    );
    let mut arrival = 0;
    for job in 1..=60 {
        arrival += draw(4);
        let duration = 1 + draw(12);
        let run = 1 + draw(duration);
        if operates && job > 5 && draw(4) == 0 {
            let target = 1 + draw(job - 1);
            let (op, cells) = match draw(5) {
                0 => ("cancel", ",,,".to_owned()),
                1 => ("widen", format!(",,,{}", 1 + draw(8))),
                2 => ("narrow", format!(",,,{}", 1 + draw(4))),
                3 => ("split", format!("{},,,", arrival + draw(8))),
                _ => ("extend", format!(",{},,", 4 + draw(10))),
            };
            rows += &format!("{job},{arrival},{cells},,,,,,,,,,{op},{target}\n");
            continue;
        }
        if draw(6) == 0 {
            let pes = 1 + draw(20);
            rows += &format!("{job},{arrival},,{duration},,{pes},,,,,,,,best-effort,{run},,\n");
            continue;
        }
        let class = classes[draw(classes.len() as u64) as usize];
        let says = class.ends_with(|last: char| last.is_ascii_digit());
        let groups = class.split(',').nth(2) != Some("");
        let pes = match says || groups {
            true => String::new(),
            false => (1 + draw(9)).to_string(),
        };
        let ready = arrival + draw(20);
        let deadline = ready + duration + draw(12);
        rows += &format!("{job},{arrival},{ready},{duration},{deadline},{pes},{class},,{run},,\n");
    }
    rows
}

#[test]
fn the_checker_finds_nothing_wrong_with_random_classes() {
    let layout = Layout::parse("layout.toml".as_ref(), LAYOUT).unwrap();
    let layout = Arc::new(layout);
    let dir = folder();
    let file = dir.path().join("requests.csv");
    let moving = Moving::FREELY;
    let strategies = [
        Strategy::Fit(Policy::FirstFit),
        Strategy::Fit(Policy::PeWorstFit),
        Strategy::Fit(Policy::PeDurationBestFit),
        Strategy::Rigid,
        Strategy::Juggle(Juggle::default(), moving),
        Strategy::Shift(Shift::default(), moving),
    ];
    let preferences = ["lowest", "pack", "spread", "compact:rack"];
    let (mut moves, mut refused) = (0, BTreeSet::new());
    for seed in 1..=60 {
        fs::write(&file, drawn(seed, seed % 2 == 0)).unwrap();
        let script = requests_csv::read_on(&file, Some(&layout)).unwrap();
        for (number, strategy) in strategies.into_iter().enumerate() {
            let placing = Placing {
                layout: layout.clone(),
                prefer: preferences[(seed as usize + number) % 4].parse().unwrap(),
                relocate: strategy.moving().is_none() && seed % 3 > 0,
            };
            let system = System {
                best_effort: Some(Discipline::ALL[seed as usize / 2 % 2]),
                ..System::new(1, 64, 1, strategy, Binding::Early).on(placing)
            };
            let story = engine::replay(&system, &script, &|| {}).unwrap();
            let found = check::story(&system, &story);
            assert_eq!(found, [], "seed {seed}, {}", strategy.name());
            moves += story
                .moves
                .iter()
                .filter(|moved| moved.cause == Cause::Relocate)
                .count();
            let outcomes = story.outcomes.iter();
            refused.extend(
                outcomes
                    .filter_map(|outcome| outcome.decision.as_ref().err().map(|why| why.name())),
            );
        }
    }
    assert!(moves > 20, "{moves}");
    for reason in ["bad-shape", "no-room"] {
        assert!(refused.contains(reason), "{refused:?}");
    }
}

/// Nodes of 16 cores and 8 GPUs, two in a rack.
const NODES: &str = "groups = 4\nkinds = { core = 16, gpu = 8 }\nlevels = { rack = 2 }\n";

#[test]
fn generated_gpu_jobs_ask_node_by_node() {
    let dir = folder();
    fs::write(dir.path().join("layout.toml"), NODES).unwrap();
    let model = "--workload gpu --jobs 200 --mean-gap 3000 --layout layout.toml --within rack? --book-ahead-factor 0.5";
    succeed(dir.path(), &format!("generate {model} --out jobs.csv"));
    let rows = fs::read_to_string(dir.path().join("jobs.csv")).unwrap();
    let header = "job_id,arrival,ready,duration,deadline,pes,groups,per_group,within";
    assert_eq!(rows.lines().next(), Some(header));
    let classes: BTreeSet<&str> = rows
        .lines()
        .skip(1)
        .map(|line| line.splitn(6, ',').last().unwrap())
        .collect();
    let expected = [
        "12,1,core=8 gpu=4,",
        "24,1,core=16 gpu=8,",
        "3,1,core=2 gpu=1,",
        "48,2,core=16 gpu=8,rack?",
        "6,1,core=4 gpu=2,",
    ];
    assert_eq!(classes, BTreeSet::from(expected));

    // What is generated and replayed is what is simulated.
    let machine = "--layout layout.toml --slots 16384 --slot-seconds 60";
    succeed(
        dir.path(),
        &format!(
            "replay --requests jobs.csv {machine} --prefer pack,spread --relocate --out replayed"
        ),
    );
    let at_once = model.replace("--layout layout.toml ", "");
    succeed(
        dir.path(),
        &format!("simulate {at_once} {machine} --prefer pack,spread --relocate --out simulated"),
    );
    for run in ["first-fit-early-pack", "first-fit-early-spread"] {
        let [replayed, simulated] = ["replayed", "simulated"].map(|out| {
            let file = dir.path().join(out).join(run).join(JOBS);
            fs::read_to_string(file)
                .unwrap()
                .replace(",jobs.csv,", ",gpu,")
        });
        assert_eq!(replayed, simulated);
    }
    let checked = succeed(dir.path(), "check simulated");
    assert_eq!(checked.matches(", 0 violations").count(), 2, "{checked}");
    // The lies that are told of a run's preference are noticed, too.
    let metrics = dir
        .path()
        .join("simulated/first-fit-early-pack")
        .join(METRICS);
    let text = fs::read_to_string(&metrics).unwrap();
    fs::write(
        &metrics,
        text.replace("\"prefer\": \"pack\"", "\"prefer\": \"lowest\""),
    )
    .unwrap();
    let told = fail(dir.path(), "check simulated", 1);
    assert!(told.contains("violations"), "{told}");
}

#[test]
fn a_log_without_nodes_asks_node_by_node_where_that_is_said() {
    let dir = folder();
    fs::write(
        dir.path().join("layout.toml"),
        "groups = 4\nkinds = { cpu = 8 }\n",
    )
    .unwrap();
    let record = |job: u32, pes: u32| {
        format!("{job} {job} -1 600 {pes} -1 -1 {pes} 600 -1 1 1 1 -1 1 -1 -1 -1\n")
    };
    let log = [record(1, 3), record(2, 9), record(3, 33)].concat();
    fs::write(dir.path().join("log.swf"), log).unwrap();
    let simulate = "simulate --workload log.swf --layout layout.toml --slots 8192 --book-ahead-factor 0 --out run";
    succeed(dir.path(), &format!("{simulate} --by-node"));
    let rows = fs::read_to_string(dir.path().join("run").join(RESERVATIONS)).unwrap();
    let decided: Vec<&str> = rows
        .lines()
        .skip(1)
        .map(|line| line.splitn(6, ',').last().unwrap())
        .collect();
    assert!(decided[0].starts_with("3,accepted,"), "{rows}");
    assert!(
        decided[1].starts_with("16,accepted,") && decided[1].contains(",2,cpu=8,"),
        "{rows}"
    );
    assert!(decided[2].starts_with("40,refused,too-wide,"), "{rows}");
    succeed(dir.path(), "check run");
    let message = fail(
        dir.path(),
        &format!("{simulate} --by-node --reservation-share 0.5 --queue easy --force"),
        2,
    );
    assert!(
        message.starts_with("error: --layout: jobs of the queue take any PEs"),
        "{message}"
    );
    let message = fail(dir.path(), &format!("{simulate} --within rack --force"), 2);
    assert_eq!(message, "error: --within is about nodes; say --by-node\n");
    let message = fail(dir.path(), "simulate --workload gpu --slots 64", 2);
    assert_eq!(
        message,
        "error: --workload gpu is for a machine with a --layout\n"
    );
}

#[test]
fn preferences_are_an_axis_whose_report_speaks_plainly() {
    let dir = folder();
    fs::write(dir.path().join("layout.toml"), NODES).unwrap();
    let plan = "\
replications = 2
measures = [\"acceptance_rate\", \"accepted_work_rate\", \"fragmentation\", \"blocks_per_job\", \"relocated_for\"]
[run]
workload = \"gpu\"
layout = \"layout.toml\"
jobs = 60
mean_gap = 2000
slots = 16384
slot_seconds = 60
prefer = [\"lowest\", \"compact:rack\"]
relocate = [false, true]
";
    fs::write(dir.path().join("plan.toml"), plan).unwrap();
    succeed(dir.path(), "sweep plan.toml --out grid");
    let report = fs::read_to_string(dir.path().join("grid/report.html")).unwrap();
    for words in [
        "Which free PEs a reservation gets",
        "compact, by rack",
        "free GPUs out of reach",
        "with relocation",
        "no job that needs all GPUs of a node can use them",
    ] {
        assert!(report.contains(words), "no {words}");
    }
    succeed(dir.path(), "check grid");
    // The layout is an input: with another one, nothing of it is taken over.
    fs::write(
        dir.path().join("layout.toml"),
        NODES.replace("groups = 4", "groups = 6"),
    )
    .unwrap();
    let message = fail(dir.path(), "sweep plan.toml --out grid", 2);
    assert!(message.contains("different in inputs"), "{message}");
}

#[test]
fn schedules_are_drawn_node_by_node() {
    let dir = folder();
    placed(dir.path());
    let report = fs::read_to_string(dir.path().join("run/report.html")).unwrap();
    for words in [
        "PEs are drawn node by node, from the bottom of a node 4 core, then 2 gpu. Lines part the blocks of the level rack.",
        "job 5: PEs 8-15 36-39 of the nodes 2-3,",
        "8 groups of 4 core and 2 gpu, rack of 2",
        "free GPUs out of reach",
    ] {
        assert!(report.contains(words), "no {words}");
    }
}
