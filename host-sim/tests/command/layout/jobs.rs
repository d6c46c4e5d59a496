//! Jobs of logs and models on machines with a layout, and what is shown of them.

use super::*;

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
    // Jobs of the queue ask for the same.
    succeed(
        dir.path(),
        &format!("{simulate} --by-node --reservation-share 0 --queue easy --force"),
    );
    let jobs = fs::read_to_string(dir.path().join("run").join(JOBS)).unwrap();
    assert!(jobs.contains(",groups=2; per_group=cpu=8"), "{jobs}");
    succeed(dir.path(), "check run");
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
        "free PEs out of reach",
        "with relocation",
        "no job that needs all of a node can use them",
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
        "free PEs out of reach",
    ] {
        assert!(report.contains(words), "no {words}");
    }
}
