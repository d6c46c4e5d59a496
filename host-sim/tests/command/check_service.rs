//! The checker computes for itself how well requests were served and what rounding cost, and notices each entry that differs.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::{folder, lies::violations, succeed, write_requests};

/// Five jobs on one PE with slots of 60 s: the fourth is lost to rounding, and for the fifth there is no room.
///
/// ```text
/// job  ready  start  duration  slowdown  bounded  stretch
///   1      0      0         5      1        1       1
///   2      0     60         5     13        6.5    13
///   3     30    120       120      1.75     1.75  230 / 120
/// ```
fn run(dir: &Path) -> PathBuf {
    write_requests(
        dir,
        "1,0,0,5,600,1\n2,0,0,5,600,1\n3,10,30,120,600,1\n4,20,61,80,150,1\n5,30,60,60,120,1\n",
    );
    replay(dir)
}

/// A job that nothing is known of, since it is too wide.
fn refused(dir: &Path) -> PathBuf {
    write_requests(dir, "1,0,0,60,600,2\n");
    replay(dir)
}

fn replay(dir: &Path) -> PathBuf {
    let options = "--pes 1 --slots 64 --slot-seconds 60 --policy first-fit --out run";
    succeed(dir, &format!("replay --requests requests.csv {options}"));
    dir.join("run")
}

/// `honest` is the entry of metrics.json at `path`, and `lie` instead of it is noticed.
#[track_caller]
fn assert_noticed(make: fn(&Path) -> PathBuf, path: &[&str], honest: &Value, lie: Value) {
    let dir = folder();
    let run = make(dir.path());
    let file = run.join("metrics.json");
    let mut metrics = crate::json(&file);
    let entry = metrics.pointer_mut(&format!("/{}", path.join("/")));
    let entry = entry.unwrap();
    assert_eq!(entry, honest, "{path:?}");
    let name = path.join(", ");
    let expected = format!("metrics.json, {name}: found {lie}, expected {honest}");
    *entry = lie;
    fs::write(&file, metrics.to_string()).unwrap();
    assert_eq!(violations(&run), [expected]);
}

#[test]
fn figures_of_rounding_and_service_that_do_not_follow_from_the_tables_are_noticed() {
    let entries: [(&[&str], Value); 18] = [
        (&["lost_to_rounding"], json!(1)),
        (&["acceptance_rate_after_rounding"], json!(0.75)),
        (&["average_slowdown"], json!(5.25)),
        (&["slowdown_percentiles", "p50"], json!(1.75)),
        (&["slowdown_percentiles", "p90"], json!(13.0)),
        (&["slowdown_percentiles", "p99"], json!(13.0)),
        (&["bounded_slowdown"], json!(9.25 / 3.0)),
        (&["bounded_slowdown_percentiles", "p50"], json!(1.75)),
        (&["bounded_slowdown_percentiles", "p90"], json!(6.5)),
        (&["bounded_slowdown_percentiles", "p99"], json!(6.5)),
        (&["stretch", "mean"], json!((14.0 + 230.0 / 120.0) / 3.0)),
        (&["stretch", "p50"], json!(230.0 / 120.0)),
        (&["stretch", "p90"], json!(13.0)),
        (&["stretch", "p99"], json!(13.0)),
        (&["waiting", "mean"], json!(50.0)),
        (&["waiting", "p50"], json!(60.0)),
        (&["waiting", "p90"], json!(90.0)),
        (&["waiting", "p99"], json!(90.0)),
    ];
    for (path, honest) in entries {
        let lies = match honest.as_u64() {
            Some(count) => vec![json!(count + 1)],
            None => vec![json!(1.5), Value::Null],
        };
        for lie in lies {
            assert_noticed(run, path, &honest, lie);
        }
    }
}

#[test]
fn a_number_for_what_there_is_nothing_of_is_noticed() {
    let entries: [&[&str]; 5] = [
        &["average_slowdown"],
        &["bounded_slowdown_percentiles", "p99"],
        &["waiting", "mean"],
        &["stretch", "p50"],
        &["utilization"],
    ];
    for path in entries {
        assert_noticed(refused, path, &Value::Null, json!(0.0));
    }
}
