//! Quotas and resources from files: what is written of them, what is refused by file, line and field, and that what does not follow from the files is found.

use std::{fs, path::Path};

use crate::{
    assert_says,
    cases::{assert_refused, changed},
    ends, fail, folder, succeed, told,
};

const REPLAY: &str = "replay --requests requests.csv --pes 16 --slots 400 --slot-seconds 60 --quota quota.toml --resources resources.toml --out run --force";

const REQUESTS: &str = "\
job_id,arrival,ready,duration,deadline,pes,principal,needs
1,0,0,3600,7200,8,ada,licence=2 bandwidth=4
2,60,600,3600,10800,4,ada,
3,120,600,3600,18000,4,ben,licence=3
4,180,600,7200,14400,6,ben,
5,240,7200,3600,14400,8,,licence=4
6,300,7200,3600,14400,2,cem,licence=9
7,360,7200,3600,10800,4,dora,
8,420,7200,1800,10800,2,,bandwidth=2 licence=1
9,480,7200,1800,10800,14,,
10,540,7200,1800,21600,4,ben,
11,600,3600,7200,11400,8,,licence=1
";

const QUOTA: &str = "\
[physics]
pe_seconds = 72000
period = 10800

[ada]
parent = \"physics\"
pes = 10

[ben]
parent = \"physics\"

[cem]
pes = 4

[dora]
pes = 2
";

const RESOURCES: &str = "[licence]\nunits = 4\n\n[bandwidth]\nunits = 8\n";

fn write(dir: &Path) {
    for (name, text) in [
        ("requests.csv", REQUESTS),
        ("quota.toml", QUOTA),
        ("resources.toml", RESOURCES),
    ] {
        fs::write(dir.join(name), text).unwrap();
    }
}

fn file(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join("run").join(name)).unwrap()
}

/// Other cells in a row of a table of the run.
fn edit(dir: &Path, name: &str, job: &str, cells: &[(&str, &str)]) {
    let text = file(dir, name);
    let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let mut found = false;
    let lines = text.lines().map(|line| {
        let mut row: Vec<&str> = line.split(',').collect();
        if row[0] != job {
            return line.to_owned();
        }
        found = true;
        for (column, cell) in cells {
            let place = header.iter().position(|name| name == column).unwrap();
            row[place] = cell;
        }
        row.join(",")
    });
    let text: Vec<String> = lines.collect();
    assert!(found, "{job} in {name}");
    fs::write(dir.join("run").join(name), text.join("\n") + "\n").unwrap();
}

/// Another entry in metrics.json.
fn entry(dir: &Path, pointer: &str, value: serde_json::Value) {
    let mut metrics: serde_json::Value = serde_json::from_str(&file(dir, "metrics.json")).unwrap();
    *metrics.pointer_mut(pointer).unwrap() = value;
    fs::write(dir.join("run/metrics.json"), metrics.to_string()).unwrap();
}

#[test]
fn what_was_decided_together_is_written_checked_and_explained() {
    let dir = folder();
    write(dir.path());
    for binding in ["early", "late"] {
        let told = fail(dir.path(), &format!("{REPLAY} --binding {binding}"), 0);
        assert_says(&told, "see refused_by in reservations.csv");
        assert_eq!(
            file(dir.path(), "reservations.csv"),
            "\
job_id,arrival,ready,duration,deadline,pes,decision,reason,start,end,slowdown,principal,needs,refused_by
1,0,0,3600,7200,8,accepted,,0,3600,1.000000,ada,licence=2 bandwidth=4,
2,60,600,3600,10800,4,accepted,,3600,7200,1.833333,ada,,
3,120,600,3600,18000,4,accepted,,3600,7200,1.833333,ben,licence=3,
4,180,600,7200,14400,6,refused,no-room,,,,ben,,quota:physics
5,240,7200,3600,14400,8,accepted,,7200,10800,1.000000,,licence=4,
6,300,7200,3600,14400,2,refused,too-wide,,,,cem,licence=9,resource:licence
7,360,7200,3600,10800,4,refused,too-wide,,,,dora,,quota:dora
8,420,7200,1800,10800,2,refused,no-room,,,,,licence=1 bandwidth=2,resource:licence
9,480,7200,1800,10800,14,refused,no-room,,,,,,machine
10,540,7200,1800,21600,4,accepted,,7200,9000,1.000000,ben,,
11,600,3600,7200,11400,8,refused,no-room,,,,,licence=1,machine
"
        );
        assert_eq!(
            file(dir.path(), "principals.csv"),
            "\
principal,parent,requests,accepted,acceptance_rate,requested_pe_seconds,used_pe_seconds,share
physics,,5,4,0.800000,108000,64800,0.692308
ada,physics,2,2,1.000000,43200,43200,0.461538
ben,physics,3,2,0.666667,64800,21600,0.230769
cem,,1,0,0.000000,7200,0,0.000000
dora,,1,0,0.000000,14400,0,0.000000
,,4,1,0.250000,115200,28800,0.307692
"
        );
        assert_eq!(
            succeed(dir.path(), "check run"),
            "run: 11 requests, 0 violations\n"
        );
    }
    let metrics: serde_json::Value =
        serde_json::from_str(&file(dir.path(), "metrics.json")).unwrap();
    // Three hours in which 2, 3 and 4 of 4 licences were used for an hour each.
    assert_eq!(metrics["resource_utilization"]["licence"], 0.75);
    assert_eq!(metrics["refused_by"]["resource:licence"], 2);
    // Of all they asked for, ada used all and ben a third; cem and dora used nothing.
    let fairness = (4.0 / 3.0 * 4.0 / 3.0) / (4.0 * (1.0 + 1.0 / 9.0));
    let said = metrics["principal_fairness"].as_f64().unwrap();
    assert!((said - fairness).abs() < 1e-12, "{said}");
    for (job, words) in [
        ("2", "Whatever else it asks for allowed no earlier start."),
        (
            "4",
            "the quota of physics allowed no start in its window; it is 72,000 PE-seconds in every 10,800 s (3 h 0 min) (no-room).",
        ),
        (
            "6",
            "it asks for 9 of the resource licence, which has 4 (too-wide).",
        ),
        (
            "7",
            "it asks for more than the quota of dora allows, 2 PEs at once (too-wide).",
        ),
        (
            "8",
            "from no start in its window on 1 of 4 of the resource licence were free all through (no-room).",
        ),
        (
            "4",
            "Its limit of 72,000 PE-seconds of a period was in the way: when it came, 57,600 were used from second 0 to second 10,800, 0 from second 10,800 to second 21,600, and it takes 43,200; charged in that time, together or one after the other: job 1 (8 PEs, 0 to 3,600), job 2 (4 PEs, 3,600 to 7,200), job 3 (4 PEs, 3,600 to 7,200).\n\
             By what was charged to it then, the next start that the quota of physics allowed was second 8,400, over at second 15,600: 1,200 s (20 min 0 s) after its deadline.\n",
        ),
        (
            "8",
            "Its limit of 4 units was in the way: the most that it left for 1,800 s (30 min 0 s) in a row in its window was 0 units, from second 7,200 on, where it asks for 1; charged in that time, together or one after the other: job 5 (4 units, 7,200 to 10,800).",
        ),
        ("8", " resource: left of 4 |"),
        ("9", "no start in its window had room (no-room)."),
        (
            "1",
            "It is charged to the quotas of ada, and needs, beside its PEs, licence=2 bandwidth=4.",
        ),
    ] {
        assert_says(&succeed(dir.path(), &format!("explain run {job}")), words);
    }
    let html = file(dir.path(), "report.html");
    for words in [
        "Quotas and resources",
        "75.0 %",
        "resource:licence",
        "nobody in particular",
        "ada of physics, 10 PEs at once",
        "4 of licence",
    ] {
        assert_says(&html, words);
    }
}

/// A fault in reservations.csv a line: what it is, of which job, in which column, what is there then, and what is found.
const CELLS: &str = r#"
a need grows | 1 | needs | licence=2 bandwidth=9 | job 1: resource:bandwidth: 9 at once, expected 8 at most
a need appears | 2 | needs | licence=2 | job 3: resource:licence: 5 at once, expected 4 at most
a need is no longer there | 5 | needs |  | job 8: refused for no-room by resource:licence, which has room at 7200
a need is of nothing | 5 | needs | license=4 | job 5: needs: found "license=4", expected amounts such as licence=2 of licence, bandwidth, or an empty cell
a principal is another | 5 | principal | ben | job 5: quota:physics: 86400 PE-seconds in the period from 0 on, expected 72000 at most
a principal is nobody | 3 | principal |  | job 4: refused for no-room by quota:physics, which has room at 6000
a principal is unknown | 3 | principal | eve | job 3: principal: found "eve", expected a name among the quotas
another one is said to have refused | 8 | refused_by | resource:bandwidth | job 8: refused for no-room by resource:bandwidth, which has room at 7200
nobody is said to have refused | 8 | refused_by |  | job 8: refused_by: found nobody, but resource:licence has no room
the machine is said to have refused | 8 | refused_by | machine | job 8: refused for no-room, although there is room at 7200
who refused is nobody's name | 8 | refused_by | quota:eve | job 8: refused_by: found "quota:eve", expected one of those that it asks for
a refusal has the reason of another | 7 | reason | no-room | job 7: refused for no-room, but it asks for too much of quota:dora
"#;

/// The same of metrics.json, with the place of the entry.
const ENTRIES: &str = r#"
a quota has less at once | /quotas/1/pes | 7 | job 1: quota:ada: 8 at once, expected 7 at most
a quota has less in a period | /quotas/0/pe_seconds | 64799 | job 10: quota:physics: 64800 PE-seconds in the period from 0 on, expected 64740 at most
a quota has another parent | /quotas/2/parent | "cem" | job 4: refused for no-room, but it asks for too much of quota:cem
a quota has a parent that is not there | /quotas/2/parent | "eve" | expected principals of their own names, with parents among them and periods of whole slots
a resource has less | /resources/0/units | 3 | job 5: resource:licence: 4 at once, expected 3 at most
a resource has more | /resources/0/units | 9 | job 6: refused for too-wide by "resource:licence", which has as much
a share of a resource is another | /resource_utilization/licence | 0.5 | metrics.json, resource_utilization.licence: found 0.5, expected 0.75
an index is another | /principal_fairness | 0.5 | metrics.json, principal_fairness: found 0.5, expected 0.39999999999999997
"#;

fn parts<const N: usize>(fault: &str) -> [&str; N] {
    let parts: Vec<&str> = fault.split('|').map(str::trim).collect();
    parts.try_into().unwrap()
}

#[test]
fn what_does_not_follow_from_the_files_is_found() {
    type Plant<'p> = &'p dyn Fn(&Path);
    let faults: [(&str, Plant<'_>, &str); 2] = [
        (
            "a start is earlier",
            &|dir| {
                let booked = [("start", "600"), ("end", "4200"), ("slowdown", "1.000000")];
                edit(dir, "reservations.csv", "3", &booked);
                let ran = [
                    ("starting_time", "600"),
                    ("finish_time", "4200"),
                    ("waiting_time", "480"),
                    ("turnaround_time", "4080"),
                ];
                edit(dir, "jobs.csv", "3", &ran);
            },
            "job 3: resource:licence: 5 at once, expected 4 at most",
        ),
        (
            "a start is later than it might be",
            &|dir| {
                let booked = [("start", "7260"), ("end", "9060"), ("slowdown", "1.033333")];
                edit(dir, "reservations.csv", "10", &booked);
            },
            "job 10: starts at 7260, but the first start that all allow is 7200",
        ),
    ];
    let found = |what: &str, plant: Plant<'_>, expected: &str| {
        let dir = folder();
        write(dir.path());
        succeed(dir.path(), &format!("{REPLAY} --binding late"));
        plant(dir.path());
        let [found, _] = ends(dir.path(), "check run", 1);
        assert!(found.contains(expected), "{what}: no {expected} in {found}");
    };
    for fault in CELLS.trim().lines() {
        let [what, row, column, value, expected] = parts(fault);
        let plant = |dir: &Path| edit(dir, "reservations.csv", row, &[(column, value)]);
        found(what, &plant, expected);
    }
    for fault in ENTRIES.trim().lines() {
        let [what, place, value, expected] = parts(fault);
        let value: serde_json::Value = serde_json::from_str(value).unwrap();
        found(what, &|dir| entry(dir, place, value.clone()), expected);
    }
    for (what, plant, expected) in faults {
        found(what, plant, expected);
    }
    let dir = folder();
    write(dir.path());
    succeed(dir.path(), REPLAY);
    edit(
        dir.path(),
        "principals.csv",
        "ada",
        &[("used_pe_seconds", "43201")],
    );
    let [found, _] = ends(dir.path(), "check run", 1);
    let expected = "principals.csv, \"ada\", used_pe_seconds: found 43201, expected 43200";
    assert_says(&found, expected);
    fs::remove_file(dir.path().join("run/principals.csv")).unwrap();
    let [found, _] = ends(dir.path(), "check run", 1);
    assert_says(
        &found,
        "principals.csv is missing, although there are quotas",
    );
}

/// Memory and bandwidth have more units than PEs have numbers.
#[test]
fn hundreds_of_millions_are_shared_as_single_units_are() {
    let dir = folder();
    write(dir.path());
    fail(dir.path(), REPLAY, 0);
    let few = ["reservations.csv", "jobs.csv"].map(|name| file(dir.path(), name));
    let many = |text: &str| {
        ["1", "2", "4"]
            .iter()
            .fold(text.to_owned(), |text, amount| {
                text.replace(
                    &format!("bandwidth={amount}"),
                    &format!("bandwidth={amount}00000000"),
                )
            })
    };
    fs::write(dir.path().join("requests.csv"), many(REQUESTS)).unwrap();
    let units = RESOURCES.replace("units = 8", "units = 800000000");
    fs::write(dir.path().join("resources.toml"), units).unwrap();
    fail(dir.path(), REPLAY, 0);
    assert_eq!(file(dir.path(), "reservations.csv"), many(&few[0]));
    assert_eq!(file(dir.path(), "jobs.csv"), few[1]);
    succeed(dir.path(), "check run");
    // A unit more than there are.
    edit(
        dir.path(),
        "reservations.csv",
        "1",
        &[("needs", "licence=2 bandwidth=800000001")],
    );
    let [found, _] = ends(dir.path(), "check run", 1);
    assert_says(&found, "bandwidth");
}

#[test]
fn wrong_files_are_named() {
    let dir = folder();
    assert_refused(
        r#"
[ada] => ["a b"]
    quota.toml, line 5, field a b: found such a name, expected 1 to 32 letters…
pes = 10 => pes = 0
    quota.toml, line 7, field pes: found 0 in ada, expected a whole number from 1 to 65,535…
pes = 10 => pes = "x"
    quota.toml, line 7, field pes: found "x" in ada, expected a whole number from 1 to 65,535…
pes = 10 => units = 10
    quota.toml, line 7, field units: unknown in ada, expected one of parent, pes, pe_seconds, period…
period = 10800\n =>
    quota.toml, line 1, field period: missing in physics, expected a whole number of seconds above 0…
period = 10800 => period = 10801
    quota.toml, line 3, field period: found 10801 in physics, expected a multiple of 60 seconds, which a slot lasts…
pe_seconds = 72000\n =>
    quota.toml, line 1, field pe_seconds: missing in physics, expected a whole number of PE-seconds above 0…
"physics"\npes => "eve"\npes
    quota.toml, line 6, field parent: found "eve" in ada, expected the name of another table of the file…
"physics"\npes => "ada"\npes
    quota.toml, line 6, field parent: found "ada" in ada, expected no more than 4 levels, and nobody above itself…
[physics]\n => ada = 3\n[physics]\n
    quota.toml, line …
    …duplicate key…
"#,
        |change| {
            write(dir.path());
            fs::write(dir.path().join("quota.toml"), changed(QUOTA, change)).unwrap();
            fail(dir.path(), REPLAY, 2)
        },
    );
    assert!(!dir.path().join("run").exists());
    assert_refused(
        r"
units = 4 => units = 0
    resources.toml, line 2, field units: found 0 in licence, expected a whole number from 1 to 2,147,483,647
units = 4 => pes = 4
    resources.toml, line 2, field pes: unknown in licence, expected one of units, share, per_request, per_pe
units = 4\n =>
    resources.toml, line 1, field units: missing in licence, expected a whole number from 1 to 2,147,483,647
[licence]\nunits = 4 => licence = 4
    resources.toml, line 1, field licence: found 4, expected 1 to 7 resources such as [licence]
",
        |change| {
            write(dir.path());
            fs::write(
                dir.path().join("resources.toml"),
                changed(RESOURCES, change),
            )
            .unwrap();
            fail(dir.path(), REPLAY, 2)
        },
    );
    assert_refused(
        r#"
8,ada, => 8,eve,
    requests.csv, line 2, field principal: found "eve", expected a name that the file of quotas has, or an empty cell…
bandwidth=4 => bandwith=4
    requests.csv, line 2, field needs: found "licence=2 bandwith=4", expected amounts such as licence=2 of licence, bandwidth, or an empty cell…
bandwidth=4 => licence=4
    requests.csv, line 2, field needs: found "licence=2 licence=4", expected each resource once…
bandwidth=4 => bandwidth=-4
    requests.csv, line 2, field needs: found "licence=2 bandwidth=-4", expected amounts such as licence=2…
"#,
        |change| {
            write(dir.path());
            fs::write(dir.path().join("requests.csv"), changed(REQUESTS, change)).unwrap();
            fail(dir.path(), REPLAY, 2)
        },
    );
    write(dir.path());
    let told = fail(dir.path(), &REPLAY.replace("quota.toml", "none.toml"), 2);
    assert_eq!(told, "error: --quota none.toml: no such file\n");
    let told = fail(
        dir.path(),
        &REPLAY.replace("resources.toml", "none.toml"),
        2,
    );
    assert_eq!(told, "error: --resources none.toml: no such file\n");
    // Without the options, nobody reads their columns.
    let told = fail(
        dir.path(),
        "replay --requests requests.csv --pes 16 --slots 400 --slot-seconds 60 --out plain",
        0,
    );
    assert_says(
        &told,
        "no such column is read, so it is ignored: principal, needs",
    );
}

#[test]
fn what_cannot_be_decided_together_is_refused_by_name() {
    let dir = folder();
    write(dir.path());
    let cases = [
        (
            "--policy pe-worst-fit",
            "--policy pe-worst-fit: several books are decided as one by first fit only; say --policy first-fit",
        ),
        (
            "--strategy rigid",
            "--strategy rigid knows no book but that of the machine; say --strategy fit",
        ),
        ("--strategy juggle", "--strategy juggle knows no book"),
        (
            "--strategy overlay --binding late",
            "--strategy overlay knows no book",
        ),
        ("--wait", "it does not go with --wait yet"),
        ("--overrun", "it does not go with --overrun yet"),
        ("--pull-forward", "it does not go with --pull-forward yet"),
        ("--sites 2", "it does not go with --sites yet"),
    ];
    for (options, problem) in cases {
        let told = fail(dir.path(), &format!("{REPLAY} {options}"), 2);
        assert_says(&told, &format!("error: --quota: {problem}"));
        let told = fail(
            dir.path(),
            &format!("{} {options}", REPLAY.replace("--quota quota.toml", "")),
            2,
        );
        let of_principals = told.contains(&format!("error: --resources: {problem}"));
        assert!(of_principals, "{told}");
    }
    // Seven books beside the machine, and two levels of quotas.
    let names = ["a", "b", "c", "d", "e", "f"];
    let many: Vec<String> = names
        .iter()
        .map(|name| format!("[{name}]\nunits = 1\n"))
        .collect();
    fs::write(
        dir.path().join("resources.toml"),
        RESOURCES.to_owned() + &many[..4].concat(),
    )
    .unwrap();
    let told = fail(dir.path(), REPLAY, 2);
    assert_says(
        &told,
        "error: --quota: 6 resources and 2 levels of quotas: expected 7 of both together at most",
    );
    fs::write(
        dir.path().join("resources.toml"),
        RESOURCES.to_owned() + &many.concat(),
    )
    .unwrap();
    let told = fail(dir.path(), REPLAY, 2);
    assert_says(
        &told,
        "error: resources.toml, line 16, field f: one too many, expected 1 to 7 resources",
    );
    // Operations and requests that a joint reservation has not.
    let row = |row: &str, column: &str| {
        let header = format!("job_id,arrival,ready,duration,deadline,pes,{column}\n");
        fs::write(dir.path().join("requests.csv"), format!("{header}{row}")).unwrap();
        write_files(dir.path());
        fail(dir.path(), REPLAY, 2)
    };
    let told = row("1,0,0,60,600,2,,\n2,0,0,0,0,3,widen,1\n", "op,target");
    assert_says(
        &told,
        "error: --quota: reservations are confirmed, cancelled and completed only, but row 2 is the operation widen",
    );
    let told = row("1,0,0,120,600,2,60\n", "duration_min");
    assert_says(
        &told,
        "error: --quota: several books are asked for one length and for any PEs of a class, but request 1 has a duration_min",
    );
    let told = row("1,0,0,120,,2,best-effort\n", "kind");
    assert_says(&told, "job 1 is best effort, but there is no queue");
}

fn write_files(dir: &Path) {
    fs::write(dir.join("quota.toml"), QUOTA).unwrap();
    fs::write(dir.join("resources.toml"), RESOURCES).unwrap();
}

#[test]
fn a_user_is_a_principal_where_nothing_else_is_said() {
    let dir = folder();
    write_files(dir.path());
    let quota = "[7]\npes = 2\nparent = \"all\"\n[8]\nparent = \"all\"\n[all]\npes = 5\n";
    fs::write(dir.path().join("quota.toml"), quota).unwrap();
    let rows = "job_id,arrival,ready,duration,deadline,pes,user,principal\n\
                1,0,0,60,60,3,7,\n2,0,0,60,60,3,8,\n3,0,0,60,60,3,9,\n4,0,0,60,60,3,9,8\n5,0,0,60,60,2,7,\n";
    fs::write(dir.path().join("requests.csv"), rows).unwrap();
    succeed(dir.path(), REPLAY);
    let rows: Vec<String> = file(dir.path(), "reservations.csv")
        .lines()
        .map(|line| line.split(',').skip(6).collect::<Vec<_>>().join(","))
        .collect();
    assert_eq!(
        rows[1..],
        [
            "refused,too-wide,,,,7,,quota:7",
            "accepted,,0,60,1.000000,8,,",
            "accepted,,0,60,1.000000,,,",
            "refused,no-room,,,,8,,quota:all",
            "accepted,,0,60,1.000000,7,,",
        ]
    );
    assert_eq!(
        succeed(dir.path(), "check run"),
        "run: 5 requests, 0 violations\n"
    );
}

/// Job 1 is over at 60 and job 2 is cancelled at 30: what they gave back is not charged.
#[test]
fn which_limit_of_a_quota_was_in_the_way_is_told_with_who_had_used_it() {
    let dir = folder();
    let quota = "[a]\npes = 4\npe_seconds = 3600\nperiod = 1200\nparent = \"b\"\n[b]\npes = 6\n\
                 [c]\npes = 2\npe_seconds = 840\nperiod = 600\n";
    fs::write(dir.path().join("quota.toml"), quota).unwrap();
    let rows = "job_id,arrival,ready,duration,deadline,pes,principal,run_time,op,target\n\
                1,0,0,600,600,4,a,60,,\n2,0,600,600,1200,2,a,,,\n3,30,,,,,,,cancel,2\n\
                4,90,300,600,900,3,a,,,\n5,90,300,600,900,2,b,,,\n6,100,300,600,1080,2,a,,,\n\
                7,100,900,300,1200,4,a,,,\n8,100,300,600,1200,4,a,,,\n\
                9,110,120,420,540,2,c,,,\n10,110,600,360,960,2,c,,,\n11,120,540,60,660,1,c,,,\n";
    fs::write(dir.path().join("requests.csv"), rows).unwrap();
    succeed(
        dir.path(),
        "replay --requests requests.csv --pes 16 --slots 64 --slot-seconds 60 --quota quota.toml --out run",
    );
    succeed(dir.path(), "check run");
    let says = |job: u64, words: &str| {
        assert_says(&succeed(dir.path(), &format!("explain run {job}")), words);
    };
    let told = "Its limit of 4 PEs at once was in the way: the most that it left for 600 s (10 min 0 s) in a row in its window was 1 PE, from second 300 on, where it asks for 2; charged in that time, together or one after the other: job 4 (3 PEs, 300 to 900).\n\
         Its limit of 3,600 PE-seconds of a period was not in the way: when it came, 2,040 were used from second 0 to second 1,200, and it takes 1,200.\n\
         By what was charged to it then, the next start that the quota of a allowed was second 900, over at second 1,500: 420 s (7 min 0 s) after its deadline.\n";
    says(6, told);
    let drawn = succeed(dir.path(), "explain run 6");
    assert_says(&drawn, " quota: left of 4 |");
    assert!(!drawn.contains("job 5"), "{drawn}");
    let told = "Its limit of 3,600 PE-seconds of a period was in the way: when it came, 3,240 were used from second 0 to second 1,200, and it takes 2,400; charged in that time, together or one after the other: job 4 (3 PEs, 300 to 900), job 7 (4 PEs, 900 to 1,200), job 1 (4 PEs, 0 to 60).\n";
    says(8, "Its limit of 4 PEs at once was in the way: ");
    says(8, told);
    let told = "Its limit of 2 PEs at once alone was not in the way: the most that it left for 60 s in a row in its window was 2 PEs, from second 540 on, where it asks for 1.\n\
         Its limit of 840 PE-seconds of a period alone was not in the way: when it came, 840 were used from second 0 to second 600, 720 from second 600 to second 1,200, and it takes 60.\n\
         Each of the two allowed a start, but they allowed none together.\n";
    says(11, told);
}

/// Jobs do not say what they need: the file of the resources does.
#[test]
fn requests_of_jobs_need_what_the_file_says() {
    let dir = folder();
    let dir = dir.path();
    let write = |text: &str| fs::write(dir.join("licences.toml"), text).unwrap();
    write(
        "[solver]\nunits = 4\nshare = 0.5\nper_request = 2\n\n[memory]\nunits = 8192\nper_pe = 8\n",
    );
    let line = "simulate --jobs 300 --slot-seconds 60 --slots 8192 --binding late --resources licences.toml --out run";
    succeed(dir, line);
    assert_says(&succeed(dir, "check run"), "300 requests, 0 violations");
    let rows = file(dir, "reservations.csv");
    let with = |words: &str| rows.lines().filter(|row| row.contains(words)).count();
    assert!(
        (120..180).contains(&with("solver=2 memory=")) && with("memory=") == 300,
        "{rows}"
    );
    assert!(with("resource:solver") > 3, "{rows}");
    // Another resource changes nothing of who needs this one.
    write("[solver]\nunits = 4\nshare = 0.5\nper_request = 2\n");
    succeed(dir, &format!("{line} --force"));
    let alone = file(dir, "reservations.csv");
    let needs =
        |rows: &str| -> Vec<bool> { rows.lines().map(|row| row.contains("solver=")).collect() };
    assert_eq!(needs(&alone), needs(&rows));
    for (text, problem) in [
        (
            "[x]\nunits = 3\n",
            "--resources licences.toml: x says nothing about who needs it: expected per_request or per_pe, as jobs do not say it",
        ),
        (
            "[x]\nunits = 3\nper_pe = 1\nshare = 2\n",
            "licences.toml, line 4, field share: found 2 in x, expected a number from 0 to 1",
        ),
        (
            "[x]\nunits = 3\nshare = 0.5\n",
            "licences.toml, line 1, field per_request: missing in x, expected it or per_pe beside share",
        ),
        (
            "[x]\nunits = 3\nper_pe = 1\nper_request = 1\n",
            "licences.toml, line 3, field per_pe: found 1 in x, expected it or per_request, not both",
        ),
    ] {
        write(text);
        assert_says(&fail(dir, &format!("{line} --force"), 2), problem);
    }
    write_files(dir);
    fs::write(
        dir.join("resources.toml"),
        "[licence]\nunits = 4\nper_pe = 1\n",
    )
    .unwrap();
    let problem = "--resources resources.toml: licence says who needs it (share, per_request, per_pe), which here the column needs of the requests does";
    assert_says(&fail(dir, REPLAY, 2), problem);
}

#[test]
fn quotas_of_nobody_are_told() {
    let dir = folder();
    write_files(dir.path());
    fs::write(
        dir.path().join("quota.toml"),
        "[ada]\npes = 2\n[ben]\npes = 3\n",
    )
    .unwrap();
    let words = "warning: --quota: 2 principals, none of anybody who asks, so that nothing is limited: of a log, the names are the numbers of its users\n";
    for (principal, warns) in [("", true), ("ben", false)] {
        let rows = format!(
            "job_id,arrival,ready,duration,deadline,pes,user,principal\n1,0,0,60,60,3,7,{principal}\n"
        );
        fs::write(dir.path().join("requests.csv"), rows).unwrap();
        assert_eq!(told(dir.path(), REPLAY).contains(words), warns);
    }
}

#[test]
fn what_all_have_but_never_at_once_is_refused_by_nobody() {
    let dir = folder();
    fs::write(dir.path().join("resources.toml"), "[licence]\nunits = 1\n").unwrap();
    let rows = "job_id,arrival,ready,duration,deadline,pes,needs\n\
                1,0,0,60,60,2,\n2,0,60,60,120,1,licence=1\n3,0,0,60,120,1,licence=1\n";
    fs::write(dir.path().join("requests.csv"), rows).unwrap();
    let replay = "replay --requests requests.csv --pes 2 --slots 40 --slot-seconds 60 --resources resources.toml --out run --force";
    for binding in ["early", "late"] {
        succeed(dir.path(), &format!("{replay} --binding {binding}"));
        let last = file(dir.path(), "reservations.csv");
        assert_says(&last, "\n3,0,0,60,120,1,refused,no-room,,,,licence=1,\n");
        let checked = succeed(dir.path(), "check run");
        assert_eq!(checked, "run: 3 requests, 0 violations\n");
        let words = "the machine and whatever else it asks for each have room in its window, but never all at once (no-room).";
        let told = succeed(dir.path(), "explain run 3");
        assert_says(&told, words);
        assert_says(
            &told,
            "The first start that each alone allowed: the machine, second 60; the resource licence, second 0.\n",
        );
        let metrics = file(dir.path(), "metrics.json");
        assert_says(&metrics, "\"none\": 1");
    }
    // Beside less, there would have been room for all.
    edit(dir.path(), "reservations.csv", "2", &[("needs", "")]);
    let [found, _] = ends(dir.path(), "check run", 1);
    assert_says(
        &found,
        "job 3: refused for no-room, although all have room at 60",
    );
}

#[test]
fn a_sweep_reads_quotas_beside_its_plan() {
    let dir = folder();
    fs::create_dir(dir.path().join("plans")).unwrap();
    let log = "1 0 -1 100 4 -1 -1 4 100 -1 1 7 -1 -1 -1 -1 -1 -1\n2 5 -1 100 4 -1 -1 4 100 -1 1 7 -1 -1 -1 -1 -1 -1\n";
    fs::write(dir.path().join("plans/two.swf"), log).unwrap();
    for (name, pes) in [("narrow", 3), ("wide", 8)] {
        let quota = format!("[7]\npes = {pes}\n");
        fs::write(dir.path().join(format!("plans/{name}.toml")), quota).unwrap();
    }
    let plan = |measures: &str, without: &str| {
        let plan = format!(
            "seed = 1\nreplications = 1\nmeasures = [\"accepted\", {measures}]\n[run]\nworkload = \"two.swf\"\npes = 8\n\
             slots = 4000\nslot_seconds = 10\nquota = [\"narrow.toml\", \"wide.toml\"{without}]\n"
        );
        fs::write(dir.path().join("plans/plan.toml"), plan).unwrap();
    };
    plan(
        "\"refusals.too-wide\", \"refused_by.quota:7\", \"refused_by.none\", \"principal_fairness\"",
        ", false",
    );
    succeed(dir.path(), "sweep plans/plan.toml --out swept");
    let samples = fs::read_to_string(dir.path().join("swept/samples.csv")).unwrap();
    assert_eq!(
        samples,
        "quota,replication,seed,accepted,refusals.too-wide,refused_by.quota:7,refused_by.none,principal_fairness\n\
         narrow.toml,1,1,0,2,2,0,\nwide.toml,1,1,2,0,0,0,1.0\nfalse,1,1,2,0,,,\n"
    );
    succeed(dir.path(), "check swept");
    for (measure, expected) in [
        (
            "refused_by.quota:8",
            "found refused_by.quota:8, expected a number of metrics.json: acceptance_rate, ",
        ),
        (
            "refused_by",
            "found refused_by, which is a group, expected one of its keys, such as refused_by.machine",
        ),
        ("unknown", "refusals.REASON, refused_by.WHO"),
    ] {
        plan(&format!("\"{measure}\""), "");
        let told = fail(dir.path(), "sweep plans/plan.toml --out other", 2);
        assert_says(&told, expected);
    }
    // Where some of the points have it, those that know it say what there is.
    plan("\"unknown\"", ", false");
    let told = fail(dir.path(), "sweep plans/plan.toml --out other", 2);
    assert_says(&told, "refusals.REASON, refused_by.WHO");
    plan("\"requests\"", ", \"\"");
    let told = fail(dir.path(), "sweep plans/plan.toml --out other", 2);
    assert_says(
        &told,
        "line 9, field quota: found nothing, expected a value, or false for a run without the option",
    );
}
