//! Machines with a layout: what files say of it, what is refused and by which name, and that the checker follows it without the kernel.

mod asking;
mod bad_input;
mod jobs;
mod lies;
mod random;
mod relocation;

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

use crate::{fail, files, folder, lies::assert_lies_noticed, succeed};

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

/// Jobs of a queue that ask for what jobs may, beside a reservation.
const QUEUED: &str = "\
job_id,arrival,ready,duration,deadline,pes,partition,groups,per_group,prefer,kind,run_time
1,0,0,10,10,,debug,1,core=2 gpu=2,,,
2,0,,10,,2,debug,,core=1 gpu=1,,best-effort,
3,0,,10,,,debug,2,core=2 gpu=2,,best-effort,
4,0,,11,,1,debug,,gpu=1,pack,best-effort,
5,0,,5,,1,debug,,,,best-effort,8
6,0,,5,,,debug,3,gpu=1,,best-effort,
7,0,,5,,3,,,gpu=3,,best-effort,
";

fn queued(dir: &Path) -> PathBuf {
    write(dir, "");
    fs::write(dir.join("requests.csv"), QUEUED).unwrap();
    succeed(dir, &format!("{REPLAY} --queue easy"));
    dir.join("run")
}

fn placed(dir: &Path) -> PathBuf {
    write(dir, ROWS);
    succeed(dir, REPLAY);
    dir.join("run")
}
