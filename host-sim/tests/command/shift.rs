//! Shifting as a user starts it, beside operations of the same name, and that the checker notices every kind of lie about it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{cases::assert_refused, fail, folder, lies::assert_lies_noticed, succeed};

/// On four PEs with slots of 60 s.
///
/// ```text
/// 1  promised 60-180 on 3 PEs, is shifted for 2 to 120-240, and for 5 back to 60-180 when 2 is gone
/// 3  promised 360-420, shifted to 480 by an operation
/// ```
const ROWS: &str = "\
job_id,arrival,ready,duration,deadline,pes,op,target
1,0,60,120,240,3,,
2,10,60,60,120,2,,
3,20,360,60,900,3,,
4,30,480,0,0,0,shift,3
6,40,0,0,0,0,cancel,2
5,50,180,60,240,2,,
";

const REPLAY: &str = "replay --requests requests.csv --pes 4 --slots 64 --slot-seconds 60 --strategy shift --out run";

fn run(dir: &Path) -> PathBuf {
    fs::write(dir.join("requests.csv"), ROWS).unwrap();
    succeed(dir, REPLAY);
    dir.join("run")
}

const MOVES: &str = "moves.csv";
const METRICS: &str = "metrics.json";

#[test]
fn shifts_are_told_apart_from_operations() {
    let dir = folder();
    let run = run(dir.path());
    assert_eq!(
        fs::read_to_string(run.join(MOVES)).unwrap(),
        "\
time,job_id,old_start,new_start,cause_job_id,cause,old_end,new_end,old_pes,new_pes
10,1,60,120,2,shift,180,240,3,3
30,3,360,480,4,shift,420,540,3,3
50,1,120,60,5,shift,240,180,3,3
"
    );
    let metrics = crate::json(&run.join(METRICS));
    let counts = ["moves", "moved", "depth", "work_limit"].map(|name| metrics[name].as_u64());
    assert_eq!(counts, [2, 1, 2, 1_000_000].map(Some));
    let report = fs::read_to_string(run.join("report.html")).unwrap();
    for words in [
        "makes room for job 2, which arrives",
        "shift, row 4",
        "<rect class=\"before\"",
    ] {
        assert!(report.contains(words), "{words}");
    }
}

#[test]
fn lies_about_shifts_are_noticed() {
    assert_lies_noticed(
        run,
        r#"
moves.csv:
10,1,60,120,2,shift,180,240,3,3 => 10,1,60,180,2,shift,180,300,3,3
    job 1: moves.csv: moved at 10 to 180-300 on 3 PEs, outside of 60-240, into the past or to no edge of a slot
50,1,120,60,5,shift => 50,1,120,60,3,shift
    job 1: moves.csv: moved at 50 because of job 3, which explains no move then
50,1,120,60,5,shift => 50,1,120,60,6,shift
    job 1: moves.csv: moved at 50 because of job 6, which explains no move then
10,1,60,120,2,shift => 10,1,60,120,4,shift
    job 4: shift: moves.csv has 2 rows of it, expected 1
metrics.json:
"direction": "both" => "direction": "left"
    metrics.json, direction: found "left", expected a choice of shifting, and nothing but there
"direction": "both" => "direction": "right"
    job 1: moves.csv: moved at 50 by shift, which the settings rule out
"depth": 2 => "depth": 0
    job 1: moves.csv: moved at 10 by shift, which the settings rule out
"depth": 2 => "depth": 17
    metrics.json, depth: found 17, expected 0 to 16 with slides, and nothing but there
"moves": 2 => "moves": 3
    metrics.json, moves: found 3, expected 2
"move_limit": null => "move_limit": 0
    job 1: moves.csv: 1 moves at 10, over the limit
"#,
    );
}

/// The limit counts slots, so that searches over short slots stop early.
#[test]
fn where_most_refusals_are_those_of_the_work_limit_it_is_said() {
    let told = |limit: &str| {
        let dir = folder();
        let options =
            format!("simulate --jobs 80 --arrival-factor 2 --strategy fit,shift {limit} --out run");
        let output = crate::bookahead()
            .current_dir(dir.path())
            .args(options.split_whitespace())
            .output()
            .unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let limited = told("--work-limit 1");
    assert!(
        limited.starts_with("warning: shift: ")
            && limited.ends_with(
                " refusals as work-limit: see --work-limit, and --slot-seconds for longer slots\n"
            ),
        "{limited}"
    );
    let replications = told("--work-limit 1 --replications 2");
    assert!(
        replications.contains("shift: ") && replications.contains(" refusals as work-limit: "),
        "{replications}"
    );
    let minutes = told("--slot-seconds 60 --slots 2048");
    assert!(!minutes.contains("work-limit"), "{minutes}");
}

#[test]
fn options_of_shifting_are_checked_before_anything_runs() {
    let dir = folder();
    fs::write(dir.path().join("requests.csv"), ROWS).unwrap();
    let start = "replay --requests requests.csv --pes 4 --slots 64 --strategy";
    assert_refused(
        r"
juggle --depth 1
    …--depth is only for --strategy shift or juggle-shift…
shift --replan
    …--replan is only for --strategy juggle or juggle-shift…
fit --freeze never
    …--freeze is only for --strategy juggle, shift or juggle-shift…
shift --depth 17
    …expected a whole number from 0 to 16…
shift --insertion fewest-moves --depth 1
    …--depth is only for --insertion slides…
shift --direction left
    …[possible values: right, both]…
juggle-shift --admission always
    …--admission always: juggle-shift juggles only where neither the policy nor shifting finds room…
",
        |options| fail(dir.path(), &format!("{start} {options} --out out"), 2),
    );
    assert!(!dir.path().join("out").exists());
}
