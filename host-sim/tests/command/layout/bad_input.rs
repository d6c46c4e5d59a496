//! Layouts, cells and options that cannot be meant: each is named.

use super::*;
use crate::cases::{assert_refused, changed};

#[test]
fn wrong_cells_are_named() {
    let dir = folder();
    assert_refused(
        r#"
4,night,,,,,,
    requests.csv, line 3, field partition: found "night", expected one of debug, batch, or a number from 1 to 2
4,3,,,,,,
    requests.csv, line 3, field partition: found "3", expected one of debug, batch, or a number from 1 to 2
4,,8,,,,,
    requests.csv, line 3, field exclude: found group 8, expected groups from 0 to 7, in "8"
4,,7-3,,,,,
    requests.csv, line 3, field exclude: found "7-3", expected a set of groups such as 3 7-9
4,debug,0-3,,,,,
    requests.csv, line 3, field exclude: found "0-3", which leaves no group, expected at least one
,,,-1,all,,,
    requests.csv, line 3, field groups: found "-1", expected a number of groups or an empty cell
,,,2,,,,
    requests.csv, line 3, field per_group: found an empty cell beside groups, expected all or numbers such as core=1
,,,2,core=1 tpu=2,,,
    requests.csv, line 3, field per_group: found "tpu=2", expected all, or a number for each of some kinds once, such as core=2; the kinds are core, gpu
,,,2,core=1 core=2,,,
    requests.csv, line 3, field per_group: found "core=2", expected all, or a number for each of some kinds once, such as core=2; the kinds are core, gpu
5,,,2,core=2,,,
    requests.csv, line 3, field pes: found "5", expected 4, as other cells of the row say, or an empty cell
,,,,core=2,,,
    requests.csv, line 3, field pes: found "", expected a whole number of 0 or more
4,,,,,row,,
    requests.csv, line 3, field within: found "row", expected one of rack
4,,,,,,near,
    requests.csv, line 3, field prefer: found "near", expected lowest, pack, spread, or compact: and a level of the layout
4,,,,,,compact:row,
    requests.csv, line 3, field prefer: found level "row", expected one of rack
,,,,,,,48
    requests.csv, line 3, field on: found PE 48, expected PEs from 0 to 47
,,,,,,,43-44
    requests.csv, line 3, field on: found PE 44, which is missing in its group, expected PEs that exist
,debug,,,,,,0-1
    requests.csv, line 3, field partition: found "debug", expected an empty cell beside on, which names all processing elements
"#,
        |cells| {
            write(
                dir.path(),
                &format!("1,0,0,10,20,4,,,,,,,\n2,0,0,10,20,{cells}\n"),
            );
            fail(dir.path(), REPLAY, 2)
        },
    );
    assert!(!dir.path().join("run").exists());
}

#[test]
fn layouts_that_do_not_add_up_are_named() {
    let dir = folder();
    write(dir.path(), ROWS);
    assert_refused(
        r#"
groups = 8\n =>
    layout.toml, field groups: missing, expected how many groups (nodes) the machine has, 1 to 65535
groups = 8\n => groups = 0\n
    layout.toml, line 2, field groups: found 0 groups, expected 1 to 65535
groups = 8\n => groups = "8"\n
    layout.toml, line 2, field groups: found "8", expected how many groups (nodes) the machine has, 1 to 65535
groups = 8\n => nodes = 8\n
    layout.toml, line 2, field nodes: unknown, expected one of groups, kinds, missing, levels, partitions
gpu = 2\n => gpu = 65\n
    layout.toml, line 5, field gpu: found 65 gpu in a group, expected 1 to 64
gpu = 2\n => gpu = 0\n
    layout.toml, line 5, field gpu: found 0 gpu in a group, expected 1 to 64
["gpu"] => ["tpu"]
    layout.toml, line 6, field missing: found kind "tpu", expected one of core, gpu
"6-7" => "6-8"
    layout.toml, line 6, field missing: found group 8, expected groups from 0 to 7
rack = 2 => "r;k" = 2
    layout.toml, line 10, field r;k: found "r;k", expected a name without ; , and =
rack = 2 => rack = 1
    layout.toml, line 10, field rack: found rack of 1 groups, expected more than 1: a block is larger than those before it
rack = 2 => rack = 4\nrow = 4
    layout.toml, line 11, field row: found row of 4 groups, expected more than 4: a block is larger than those before it
"0-1" => "0-1 9"
    layout.toml, line 12, field debug: found group 9, expected groups from 0 to 7
"0-1" => "all"
    layout.toml, line 12, field debug: found "all", expected a set of groups such as "3 7-9"
groups = 8\n[kinds]\ncore = 4\ngpu = 2\n => groups = 65535\n[kinds]\ncore = 4\ngpu = 2\n
    layout.toml, line 2, field groups: the layout does not add up: layout-too-wide
gpu = 2\n => gpu = "many"\n
    …, line 5, field gpu: found…
"#,
        |change| {
            fs::write(dir.path().join("layout.toml"), changed(LAYOUT, change)).unwrap();
            fail(dir.path(), REPLAY, 2)
        },
    );
    assert!(!dir.path().join("run").exists());
}

#[test]
fn options_that_do_not_go_with_a_layout_are_named() {
    let dir = folder();
    write(dir.path(), ROWS);
    fs::write(
        dir.path().join("beyond.csv"),
        "id,announced,start,end,groups_or_pes,kind\n1,0,0,20,0-300,failure\n",
    )
    .unwrap();
    assert_refused(
        r#"
--pes 48
    --pes 48: the layout has 44 PEs; leave out --pes
--binding late
    --layout: with late binding, PEs are chosen when a job starts; say --binding early
--strategy elastic
    --layout: --strategy elastic knows how many PEs are free, not which; say fit, rigid, juggle, shift or juggle-shift
--prefer compact:row
    --prefer compact:row: found level "row", expected one of rack
--strategy juggle --relocate
    --relocate: --strategy juggle moves reservations itself; say fit or rigid
--outages beyond.csv
    beyond.csv, line 2, field groups_or_pes: found "0-300", expected groups from 0 to 7
"#,
        |options| fail(dir.path(), &format!("{REPLAY} {options}"), 2),
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
