//! schedule.csv and users.csv, which sum a run up.

use std::fs;

use crate::{fail, folder, succeed};

/// Two users and somebody who is nobody in particular; the queue has a job of each user.
const REQUESTS: &str = "job_id,arrival,ready,duration,deadline,pes,run_time,kind,user\n\
                        1,0,0,60,120,4,60,reservation,7\n\
                        2,0,0,60,120,4,30,reservation,7\n\
                        3,0,0,60,120,4,60,reservation,9\n\
                        4,5,,20,,2,20,best-effort,9\n\
                        5,6,6,10,300,1,10,reservation,\n";

const RUN: &str = "replay --requests requests.csv --pes 4 --slots 64 --slot-seconds 10 --queue fcfs --binding late --out run --quiet";

#[test]
fn users_get_what_their_jobs_get() {
    let dir = folder();
    fs::write(dir.path().join("requests.csv"), REQUESTS).unwrap();
    succeed(dir.path(), RUN);
    let users = fs::read_to_string(dir.path().join("run/users.csv")).unwrap();
    assert_eq!(
        users,
        "user,requests,accepted,acceptance_rate,best_effort,requested_pe_seconds,used_pe_seconds,mean_waiting,mean_stretch\n\
         ,1,1,1.000000,0,10,10,114.000000,12.400000\n\
         7,2,2,1.000000,0,480,360,30.000000,2.000000\n\
         9,1,0,0.000000,1,280,40,85.000000,5.250000\n"
    );
    // 360 of 480, and 40 of 280: 0.75 and 0.142857.
    let metrics = crate::json(&dir.path().join("run/metrics.json"));
    let fairness = metrics["fairness"].as_f64().unwrap();
    let [one, other] = [360.0 / 480.0, 40.0 / 280.0];
    let expected = (one + other) * (one + other) / (2.0 * (one * one + other * other));
    assert!((fairness - expected).abs() < 1e-12, "{fairness}");
    let schedule = fs::read_to_string(dir.path().join("run/schedule.csv")).unwrap();
    let mut rows = csv::Reader::from_reader(schedule.as_bytes());
    let header = rows.headers().unwrap().clone();
    let row = rows.records().next().unwrap().unwrap();
    let cell = |name: &str| &row[header.iter().position(|known| known == name).unwrap()];
    assert_eq!([cell("nb_jobs"), cell("nb_jobs_rejected")], ["5", "1"]);
    assert_eq!([cell("makespan"), cell("time_computing")], ["130", "410"]);
    assert_eq!(cell("time_idle"), (4 * 130 - 410).to_string());
    assert_eq!(cell("scheduling_time"), "");
    succeed(dir.path(), "check run");
}

/// A reservation that is split stays one request of its user, who uses what both parts use.
#[test]
fn second_parts_are_no_requests() {
    let dir = folder();
    let rows = "job_id,arrival,ready,duration,deadline,pes,op,target,user\n\
                1,0,60,120,600,2,,,5\n2,0,60,120,600,2,,,6\n3,10,120,,,,split,1,\n";
    fs::write(dir.path().join("requests.csv"), rows).unwrap();
    succeed(
        dir.path(),
        "replay --requests requests.csv --pes 4 --slots 64 --slot-seconds 60 --out run --quiet",
    );
    let users = fs::read_to_string(dir.path().join("run/users.csv")).unwrap();
    assert!(
        users.ends_with(
            "\n5,1,1,1.000000,0,240,240,0.000000,2.000000\n6,1,1,1.000000,0,240,240,0.000000,1.500000\n"
        ),
        "{users}"
    );
    let metrics = crate::json(&dir.path().join("run/metrics.json"));
    assert_eq!(metrics["fairness"].as_f64(), Some(1.0));
    succeed(dir.path(), "check run");
}

#[test]
fn a_sum_that_is_not_that_of_the_tables_is_found() {
    let dir = folder();
    fs::write(dir.path().join("requests.csv"), REQUESTS).unwrap();
    for (file, right, wrong, problem) in [
        (
            "schedule.csv",
            ",130,",
            ",131,",
            "schedule.csv, makespan: found 131, expected 130",
        ),
        (
            "schedule.csv",
            ",410,",
            ",400,",
            "schedule.csv, time_computing: found 400, expected 410",
        ),
        (
            "users.csv",
            ",480,360,",
            ",480,350,",
            "users.csv, used_pe_seconds: found 400 together, expected 410",
        ),
        (
            "users.csv",
            "\n7,2,2,",
            "\n7,2,1,",
            "users.csv, accepted: found 2 together, expected 3",
        ),
        (
            "users.csv",
            "\n7,2,2,",
            "\n7,3,2,",
            "users.csv, requests: found 5 together, expected 4",
        ),
        (
            "metrics.json",
            "\"fairness\": 0.6",
            "\"fairness\": 0.7",
            "metrics.json, fairness: found 0.7",
        ),
        (
            "users.csv",
            "0.000000,1,",
            "0.000000,2,",
            "users.csv, best_effort: found 2 together, expected 1",
        ),
    ] {
        succeed(dir.path(), RUN);
        let path = dir.path().join("run").join(file);
        let text = fs::read_to_string(&path).unwrap();
        let changed = text.replacen(right, wrong, 1);
        assert_ne!(text, changed, "{right}");
        fs::write(&path, changed).unwrap();
        succeed(dir.path(), "report run");
        fail(dir.path(), "check run", 1);
        let told = crate::bookahead()
            .current_dir(dir.path())
            .args(["check", "run"])
            .assert()
            .code(1);
        let told = String::from_utf8_lossy(&told.get_output().stdout).into_owned();
        assert!(told.contains(problem), "{problem} in {told}");
    }
}

#[test]
fn where_nobody_is_named_there_is_no_table_of_users() {
    let dir = folder();
    succeed(dir.path(), "simulate --jobs 20 --out run --quiet");
    assert!(dir.path().join("run/schedule.csv").is_file());
    assert!(!dir.path().join("run/users.csv").exists());
}
