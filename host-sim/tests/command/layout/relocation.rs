//! Others make room in space, and operations keep to the class.

use super::*;

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
    assert_lies_noticed(
        relocated,
        r#"
moves.csv:
0,1,3,3,3,relocate,8,8,2,2 => 0,1,3,2,3,relocate,8,7,2,2
    job 1: moves.csv: takes other PEs at 0 as 2-7 on 2 PEs, but booked was 3-8 on 2 PEs
0,1,3,3,3,relocate,8,8,2,2 => 0,2,3,3,3,relocate,8,8,1,1
    job 2: moves.csv: takes other PEs at 0, but asked for exactly those that it has
0,1,3,3,3,relocate,8,8,2,2 => 4,1,3,3,3,relocate,8,8,2,2
    job 1: moves.csv: takes other PEs at 4, when it is not waiting
metrics.json:
"relocate": true => "relocate": false
    operations.csv is missing, although there are operations
    metrics.json, relocate: found false, expected true, as experiment.json says
"relocated_for": 1 => "relocated_for": 2
    metrics.json, relocated_for: found 2, expected 1
"#,
    );
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
