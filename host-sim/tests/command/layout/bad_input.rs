//! Layouts, cells and options that cannot be meant: each is named.

use super::*;

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
        "\"r;k\" = 2",
        ", line 10, field r;k: found \"r;k\", expected a name without ; , and =",
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
