//! The checker notices every kind of lie about best-effort jobs, reduced reservations and prices.

use std::path::{Path, PathBuf};

use bookahead::{Discipline, Factor, Money, Policy, Tariff};
use bookahead_sim::{
    engine::{Binding, Elastic, Strategy, System},
    request::Demand,
};

use crate::{
    check::{queue, written},
    check_bookings::reserve,
    folder,
    lies::{assert_lies_noticed, violations},
};

/// Five jobs on four PEs with slots of 60 s, first come, first served; $1 a minute, twice as much reserved.
///
/// ```text
/// 1  reserved 180-480 on 3 PEs
/// 2  reserved 0-180 on 2 PEs, of 360 s asked for
/// 3  queued at 0, runs 0-90 of 120 s on 2 PEs
/// 4  queued at 10, runs 480-540 on 4 PEs
/// 5  queued at 20, runs 540-600 on 1 PE
/// ```
fn run(dir: &Path) -> PathBuf {
    let demands = [
        reserve(1, 0, [180, 480], [300, 300], 3),
        reserve(2, 0, [0, 600], [360, 360], 2),
        queue(3, 0, [120, 90], 2),
        queue(4, 10, [60, 60], 4),
        queue(5, 20, [60, 60], 1),
    ];
    let strategy = Strategy::Elastic(Elastic::default());
    let system = System {
        best_effort: Some(Discipline::Fcfs),
        tariff: Tariff::new(Money::new(1_000_000), Factor::from_num(2), 1).unwrap(),
        ..System::new(4, 64, 60, strategy, Binding::Early)
    };
    written(dir, system, &demands)
}

const JOBS: &str = "jobs.csv";

#[test]
fn jobs_are_written_as_they_ran() {
    let dir = folder();
    let jobs = std::fs::read_to_string(run(dir.path()).join(JOBS)).unwrap();
    let rows: Vec<&str> = jobs.lines().skip(1).collect();
    let expected = [
        "1,test,reservation,0,3,300,1,COMPLETED_SUCCESSFULLY,180,300,480,180,480,1.600000,0-2,-1,",
        "2,test,reservation,0,2,360,1,COMPLETED_SUCCESSFULLY,0,180,180,0,180,1.000000,0-1,-1,",
        "3,test,best-effort,0,2,120,1,COMPLETED_SUCCESSFULLY,0,90,90,0,90,1.000000,2-3,-1,",
        "4,test,best-effort,10,4,60,1,COMPLETED_SUCCESSFULLY,480,60,540,470,530,8.833333,0-3,-1,",
        "5,test,best-effort,20,1,60,1,COMPLETED_SUCCESSFULLY,540,60,600,520,580,9.666667,0,-1,",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn a_reservation_that_a_best_effort_job_delays_is_noticed() {
    // Job 4 takes the place of job 1, which shares it or waits.
    assert_lies_noticed(
        run,
        r"
jobs.csv:
COMPLETED_SUCCESSFULLY,480,60,540,470,530,8.833333, => COMPLETED_SUCCESSFULLY,180,60,240,170,230,3.833333,
    job 1: uses PE 0 at 180, as job 4 does
COMPLETED_SUCCESSFULLY,180,300,480,180,480,1.600000, => COMPLETED_SUCCESSFULLY,240,300,540,240,540,1.800000,
    job 1: starts at 240, promised 180
",
    );
}

#[test]
fn what_a_queue_does_not_do_is_noticed() {
    assert_lies_noticed(
        run,
        r"
jobs.csv:
COMPLETED_SUCCESSFULLY,540,60,600,520,580,9.666667, => COMPLETED_SUCCESSFULLY,420,60,480,400,460,7.666667,
    job 5: starts at 420, before job 4 of the queue
5,test,best-effort,20, => 5,test,best-effort,541,
    job 5: starts at 540, before its submission at 541
COMPLETED_SUCCESSFULLY,540,60,600,520,580,9.666667, => COMPLETED_SUCCESSFULLY,541,60,601,521,581,9.683333,
    job 5: starts at 541, which is no edge of a slot of 60 s
COMPLETED_SUCCESSFULLY,0,90,90,0,90,1.000000,2-3 => COMPLETED_SUCCESSFULLY,0,121,121,0,121,1.000000,2-3
    job 3: is over at 121, to be stopped at 120
,520,580, => ,519,580,
    job 5: waiting_time: found 519, expected 520
1.000000,2-3, => 1.000000,2,
    job 3: processing elements: found 1, expected 2
0,90,90,0,90,1.000000,2-3, => ,,,,,,,
    job 3: success: found true, expected false
2,120,1,COMPLETED_SUCCESSFULLY,0,90,90,0,90,1.000000,2-3, => 2,120,0,REJECTED,,90,,,,,,
    job 3: did not run, but cells about a start or a run are not empty
2,120,1,COMPLETED_SUCCESSFULLY,0,90,90,0,90,1.000000,2-3, => 2,120,0,REJECTED,,,,,,,,
    job 3: did not run, and metadata gives no reason
",
    );
}

#[test]
fn unfair_reductions_and_prices_are_noticed() {
    assert_lies_noticed(
        run,
        r"
reservations.csv:
accepted,,0,180,1.000000,180,2,12.000000 => accepted,,0,120,1.000000,120,2,8.000000
    job 2: granted_duration: found 120 of 360, expected at least half and no more
accepted,,0,180,1.000000,180,2,12.000000 => accepted,,0,420,1.000000,420,2,28.000000
    job 2: granted_duration: found 420 of 360, expected at least half and no more
accepted,,0,180,1.000000,180,2,12.000000 => accepted,,0,180,1.000000,180,3,18.000000
    job 2: granted_pes: found 3 of 2, expected at least half and no more
accepted,,0,180,1.000000,180,2,12.000000 => accepted,,0,180,1.000000,180,1,6.000000
    job 2: processing elements: found 2, expected 1
accepted,,0,180,1.000000,180,2,12.000000 => accepted,,0,180,1.000000,240,2,16.000000
    job 2: booked length: found 180, expected 240
accepted,,0,180,1.000000,180,2,12.000000 => accepted,,0,180,1.000000,180,2,11.999999
    job 2: price: found 11.999999, expected 12.000000
",
    );
}

#[test]
fn what_the_system_does_not_do_is_noticed() {
    assert_lies_noticed(
        run,
        r#"
metrics.json:
"best_effort": "fcfs" => "best_effort": "lifo"
    metrics.json, best_effort: found "lifo", expected a discipline, fcfs, easy or conservative
"best_effort": "fcfs", =>
    metrics.json, best_effort: found nothing, expected a discipline, fcfs, easy or conservative
"strategy": "elastic" => "strategy": "fit"
    job 2: granted seconds and PEs: found [180, 2], expected [360, 2]
"user": "alternatives" => "user": "solution-only"
    job 2: granted seconds and PEs: found [180, 2], expected [360, 2]
"price_per_reserved_pe_slot": 2.0, =>
    job 2: has a price, but metrics.json no price_per_reserved_pe_slot
"#,
    );
    assert_lies_noticed(
        run,
        r"
reservations.csv:
,price\n => ,cost\n
    job 2: price: found nothing, expected 12.000000
",
    );
}

#[test]
fn figures_that_do_not_follow_from_the_tables_are_noticed() {
    assert_lies_noticed(
        run,
        r#"
metrics.json:
"reduced": 1, => "reduced": 0,
    metrics.json, reduced: found 0, expected 1
"best_effort_submitted": 3, => "best_effort_submitted": 4,
    metrics.json, best_effort_submitted: found 4, expected 3
"best_effort_started": 3, => "best_effort_started": 2,
    metrics.json, best_effort_started: found 2, expected 3
"best_effort_refusals": {} => "best_effort_refusals": {"too-wide": 1}
    metrics.json, best_effort_refusals: found {"too-wide": 1}, expected {}
"best_effort_waiting_time": 330.0, => "best_effort_waiting_time": 329.5,
    metrics.json, best_effort_waiting_time: found 329.5, expected 330.0
"revenue_reservations": 42.0, => "revenue_reservations": 41.0,
    metrics.json, revenue_reservations: found 41.0, expected 42.0
"revenue_best_effort": 9.0 => "revenue_best_effort": 10.0
    metrics.json, revenue_best_effort: found 10.0, expected 9.0
"used_pe_seconds": 1740, => "used_pe_seconds": 1741,
    metrics.json, used_pe_seconds: found 1741, expected 1740
"best_effort_overran": 0 => "best_effort_overran": 3
    metrics.json, best_effort_overran: found 3, expected 0
"#,
    );
}

/// Jobs 3 to 5 of the others, each planned; job 4 drifts, since job 1 is reserved after it has come.
fn run_planned(dir: &Path) -> PathBuf {
    let mut late = reserve(1, 0, [120, 180], [60, 60], 4);
    if let Demand::Reserve(request) = &mut late {
        request.arrival = 70;
    }
    let demands = [
        queue(3, 0, [120, 120], 2),
        queue(4, 10, [60, 60], 4),
        queue(5, 20, [60, 60], 2),
        late,
    ];
    let strategy = Strategy::Fit(Policy::FirstFit);
    let system = System {
        best_effort: Some(Discipline::Conservative),
        ..System::new(4, 64, 60, strategy, Binding::Late)
    };
    written(dir, system, &demands)
}

/// Seconds use all 64 bits, also the second for which a job was planned.
const LATE: u64 = 12_000_000_000_000_000_000;

/// Job 2 is planned for the second slot after it came, since job 1 has the first one.
fn run_late(dir: &Path) -> PathBuf {
    let first = LATE.next_multiple_of(59);
    let demands = [
        reserve(1, LATE, [first, first + 59], [59, 59], 4),
        queue(2, LATE, [59, 59], 4),
    ];
    let strategy = Strategy::Fit(Policy::FirstFit);
    let system = System {
        best_effort: Some(Discipline::Conservative),
        ..System::new(4, 64, 59, strategy, Binding::Late)
    };
    written(dir, system, &demands)
}

#[test]
fn a_plan_is_a_second_of_64_bits() {
    let dir = folder();
    let run = run_late(dir.path());
    let jobs = std::fs::read_to_string(run.join(JOBS)).unwrap();
    let planned = format!("planned={} drift=0", LATE.next_multiple_of(59) + 59);
    assert!(jobs.contains(&planned), "{jobs}");
    assert_eq!(violations(&run), [""; 0]);
}

#[test]
fn lies_about_planned_jobs_are_noticed() {
    let dir = folder();
    let jobs = std::fs::read_to_string(run_planned(dir.path()).join(JOBS)).unwrap();
    let planned = |job: usize| jobs.lines().nth(job).unwrap().rsplit(',').next().unwrap();
    let plans = [planned(1), planned(2), planned(3)];
    let drifts = [
        "planned=0 drift=0",
        "planned=120 drift=60",
        "planned=60 drift=0",
    ];
    assert_eq!(plans, drifts);
    assert_lies_noticed(
        run_planned,
        r#"
jobs.csv:
,planned=0 drift=0 => ,
    job 3: is a job of a queue that plans, but metadata says not for when
planned=60 drift=0 => planned=60 drift=60
    job 5: was planned for 60 and starts at 60, which is no drift of 60
planned=60 drift=0 => planned=0 drift=60
    job 5: was planned for 0, which is no edge of a slot of 60 s after its submission at 20
reservations.csv:
1,70, => 1,0,
    job 4: was planned for 120 and starts 60 s later, though nothing was reserved after its submission
metrics.json:
"best_effort": "conservative" => "best_effort": "easy"
    job 3: was planned, but jobs of this queue are not
"p90": 60.0 => "p90": 0.0
    metrics.json, planned_drift, p90: found 0.0, expected 60.0
"#,
    );
}
