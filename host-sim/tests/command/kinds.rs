//! Jobs of the queue, and users, in request files.

use std::{fs, path::Path};

use crate::{assert_begins, fail, folder, succeed};

/// On four PEs with slots of 60 s: job 2 waits until job 1 is over, and is stopped at its estimate.
const ROWS: &str = "\
job_id,arrival,ready,duration,deadline,pes,kind,run_time
1,0,0,120,120,4,reservation,
2,10,,60,,3,best-effort,90
3,20,240,60,300,4,,
";

fn replay(dir: &Path, options: &str) -> String {
    let options = format!("--pes 4 --slots 64 --slot-seconds 60 --out run {options}");
    succeed(dir, &format!("replay --requests requests.csv {options}"))
}

#[test]
fn rows_of_the_kind_best_effort_are_queued() {
    for binding in ["early", "late"] {
        let dir = folder();
        fs::write(dir.path().join("requests.csv"), ROWS).unwrap();
        let said = replay(dir.path(), &format!("--queue fcfs --binding {binding}"));
        assert_begins(&said, "requests.csv: 2 requests and 1 best-effort job,");
        let jobs = fs::read_to_string(dir.path().join("run/jobs.csv")).unwrap();
        let queued = "2,requests.csv,best-effort,10,3,60,1,COMPLETED_SUCCESSFULLY,120,60,180,110,170,2.833333,0-2,-1,stopped\n";
        assert!(jobs.contains(queued), "{jobs}");
        succeed(dir.path(), "check run");
    }
}

#[test]
fn the_report_says_how_long_they_wait_by_width() {
    let dir = folder();
    let rows = "job_id,arrival,ready,duration,deadline,pes,kind\n1,0,0,600,0,4,best-effort\n2,0,0,600,0,3,best-effort\n\
                3,0,0,60,0,1,best-effort\n4,0,0,6000,0,2,best-effort\n";
    fs::write(dir.path().join("requests.csv"), rows).unwrap();
    replay(dir.path(), "--queue fcfs");
    let report = fs::read_to_string(dir.path().join("run/report.html")).unwrap();
    for (width, cells) in [
        ("1", ["1", "0", "10 min 0 s", "10 min 0 s"]),
        // Longer than the horizon.
        ("2", ["0", "1", "–", "–"]),
        ("3 to 4", ["2", "0", "5 min 0 s", "10 min 0 s"]),
    ] {
        let cells = cells.map(|cell| format!("<td class=\"number\">{cell}</td>"));
        let row = format!("rowspan=\"1\">{width}</th>{}", cells.concat());
        assert!(report.contains(&row), "{row}");
    }
}

#[test]
fn a_file_may_have_nothing_but_jobs_of_the_queue() {
    let dir = folder();
    let rows = "job_id,arrival,ready,duration,deadline,pes,kind\n1,0,0,60,0,4,best-effort\n";
    fs::write(dir.path().join("requests.csv"), rows).unwrap();
    replay(dir.path(), "--queue easy");
    succeed(dir.path(), "check run");
}

#[test]
fn a_queue_and_its_jobs_need_each_other() {
    let dir = folder();
    fs::write(dir.path().join("requests.csv"), ROWS).unwrap();
    let refused = |options: &str| {
        let replay = "replay --requests requests.csv --pes 4 --slots 64 --out run";
        fail(dir.path(), &format!("{replay} {options}"), 2)
    };
    assert_eq!(
        refused(""),
        "error: job 2 is best effort, but there is no queue; say --queue fcfs, easy or conservative\n"
    );
    let only_reservations = ROWS.lines().filter(|row| !row.contains("best-effort"));
    let rows: String = only_reservations.map(|row| format!("{row}\n")).collect();
    fs::write(dir.path().join("requests.csv"), rows).unwrap();
    assert_eq!(
        refused("--queue easy"),
        "error: --queue: no row of requests.csv is of the kind best-effort, so that the queue stays empty\n"
    );
    assert!(!dir.path().join("run").exists());
}

/// Two users on four PEs: jobs of user 7 end after a tenth of their bookings, those of user 8 never do. What comes last can lie on top of
/// the job of the first alone.
const USERS: &str = "\
job_id,arrival,ready,duration,deadline,pes,user,run_time
1,0,0,600,600,2,7,60
2,0,0,600,600,2,8,600
3,600,600,600,1200,2,7,60
4,600,600,600,1200,2,8,600
5,1200,1260,600,1860,2,7,60
6,1210,1260,600,1860,2,8,600
7,1220,1500,60,1560,2,8,60
";

#[test]
fn histories_are_kept_of_each_user() {
    let overlays = |rows: &str| {
        let dir = folder();
        fs::write(dir.path().join("requests.csv"), rows).unwrap();
        replay(
            dir.path(),
            "--strategy overlay --threshold 0.65 --binding late",
        );
        succeed(dir.path(), "check run");
        let rows = fs::read_to_string(dir.path().join("run/reservations.csv")).unwrap();
        let last = rows.lines().last().unwrap();
        last.to_owned()
    };
    // Two jobs of user 7 are known, both short: 2 of 2 + 1.
    let last = overlays(USERS);
    assert!(
        last.contains(",accepted,,1500,1560,") && last.contains(",2,0.666667,0,"),
        "{last}"
    );
    // Of all together, one in two is short.
    let unknown = USERS.replace(",7,", ",,").replace(",8,", ",,");
    assert!(overlays(&unknown).contains(",refused,too-risky,"));
}

#[test]
fn columns_without_their_option_and_jobs_that_are_stopped_are_told() {
    let dir = folder();
    let rows = "job_id,arrival,ready,duration,deadline,pes,wait,run_time\n1,0,0,10,20,4,1,15\n";
    fs::write(dir.path().join("requests.csv"), rows).unwrap();
    let replay = "replay --requests requests.csv --pes 4 --slots 64 --force --out run";
    let unused = "requests.csv: without --wait the column wait counts for nothing\n";
    let stopped = "requests.csv: 1 job with a run_time above the duration, stopped at the end";
    let says = |options: &str| {
        let told = crate::told(dir.path(), &format!("{replay} {options}"));
        [unused, stopped].map(|words| told.contains(words))
    };
    assert_eq!(says(""), [true, true]);
    assert_eq!(says("--wait"), [false, true]);
    assert_eq!(says("--overrun"), [true, false]);
}
