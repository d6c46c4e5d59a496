//! Synthetic result folders with plausible numbers.

use std::{fmt::Write, fs, path::Path};

use bookahead::{Discipline, Factor, Money, Tariff};
use bookahead_sim::{
    engine::{self, Binding, Elastic, Strategy, System},
    output::{self, RunInfo},
    request::Demand,
    workload::{poisson::Poisson, reserve::Factors},
};

/// The seven policies and an acceptance and slowdown for each.
pub const POLICIES: [(&str, f64, f64); 7] = [
    ("first-fit", 0.585, 1.142),
    ("pe-best-fit", 0.561, 1.318),
    ("pe-worst-fit", 0.634, 1.421),
    ("duration-best-fit", 0.631, 1.417),
    ("duration-worst-fit", 0.559, 1.312),
    ("pe-duration-best-fit", 0.602, 1.287),
    ("pe-duration-worst-fit", 0.604, 1.201),
];

const PES: usize = 64;

/// A small generator, so that the fixture is the same everywhere.
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Writes a run of `jobs` requests: metrics.json, jobs.csv and reservations.csv.
pub fn run(dir: &Path, (policy, rate, slowdown): (&str, f64, f64), binding: &str, jobs: u64) {
    fs::create_dir_all(dir).unwrap();
    let metrics = format!(
        r#"{{"workload":"lublin","policy":"{policy}","binding":"{binding}","requests":{jobs},"accepted":{},
"acceptance_rate":{rate},"average_slowdown":{slowdown},"utilization":{},"booked_utilization":{},
"pes":{PES},"slots":65536,"slot_seconds":60,"seed":42,"version":"0.1.0"}}"#,
        (rate * jobs as f64) as u64,
        rate * 1.05,
        rate * 1.2,
    );
    fs::write(dir.join("metrics.json"), metrics).unwrap();
    let (jobs, reservations) = schedule(rate, jobs, policy.len() as u64);
    fs::write(dir.join("jobs.csv"), jobs).unwrap();
    fs::write(dir.join("reservations.csv"), reservations).unwrap();
}

fn schedule(rate: f64, count: u64, seed: u64) -> (String, String) {
    let mut jobs = String::from(
        "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,final_state,\
         starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,allocated_resources,\
         consumed_energy,metadata\n",
    );
    let mut reservations = String::from(
        "job_id,arrival,ready,duration,deadline,pes,decision,reason,start,end,slowdown\n",
    );
    let mut same = Draws(7);
    let mut own = Draws(seed);
    let mut free = [0u64; PES];
    let mut arrival = 0;
    for id in 1..=count {
        arrival += same.below(900);
        let duration = [60, 300, 900, 1800, 3600, 10_800][same.below(6) as usize];
        let pes = 1usize << same.below(6);
        let ready = arrival + same.below(duration * 2);
        let deadline = ready + duration * (1 + same.below(5));
        let mut order: Vec<usize> = (0..PES).collect();
        order.sort_by_key(|&pe| (free[pe].max(ready), pe));
        let mut taken = order[..pes].to_vec();
        taken.sort_unstable();
        let start = taken.iter().map(|&pe| free[pe]).max().unwrap().max(ready);
        let asked = format!("{id},{arrival},{ready},{duration},{deadline},{pes}");
        let batsim = format!("{id},lublin,p{id},{arrival},{pes},{duration}");
        if start + duration <= deadline && (own.below(1000) as f64) < 1400.0 * rate {
            let end = start + duration;
            taken.iter().for_each(|&pe| free[pe] = end);
            let slowdown = (start - ready + duration) as f64 / duration as f64;
            writeln!(
                reservations,
                "{asked},accepted,,{start},{end},{slowdown:.6}"
            )
            .unwrap();
            let (wait, turnaround) = (start - arrival, end - arrival);
            let stretch = turnaround as f64 / duration as f64;
            let set = intervals(&taken);
            writeln!(
                jobs,
                "{batsim},1,COMPLETED_SUCCESSFULLY,{start},{duration},{end},{wait},{turnaround},{stretch:.6},{set},-1,"
            )
            .unwrap();
        } else {
            let reason =
                ["NoRoom", "NoRoom", "NoRoom", "BeyondHorizon", "TooWide"][own.below(5) as usize];
            writeln!(reservations, "{asked},refused,{reason},,,").unwrap();
            writeln!(jobs, "{batsim},0,REJECTED,,,,,,,,-1,").unwrap();
        }
    }
    (jobs, reservations)
}

fn intervals(pes: &[usize]) -> String {
    let groups = pes.chunk_by(|a, b| a + 1 == *b);
    let words: Vec<String> = groups
        .map(|group| match group {
            [one] => one.to_string(),
            _ => format!("{}-{}", group[0], group[group.len() - 1]),
        })
        .collect();
    words.join(" ")
}

/// Writes a folder of one run for each policy and binding.
pub fn comparison(dir: &Path, bindings: &[&str]) {
    for policy in POLICIES {
        for binding in bindings {
            run(
                &dir.join(format!("{}-{binding}", policy.0)),
                policy,
                binding,
                300,
            );
        }
    }
}

/// Writes runs of elastic and rigid reservations beside each kind of queue, at a price.
pub fn queues(dir: &Path) {
    let jobs = Poisson::default().jobs(1, 0).unwrap().take(60);
    let factors = Factors {
        share: 0.4,
        ..Factors::default()
    };
    let demands: Vec<Demand> = factors.demands(jobs, 1, 0).unwrap().collect();
    for strategy in [Strategy::Rigid, Strategy::Elastic(Elastic::default())] {
        for discipline in Discipline::ALL {
            let system = System {
                best_effort: Some(discipline),
                tariff: Tariff::new(Money::new(50_000), Factor::from_num(4), 1).unwrap(),
                ..System::new(32, 4096, 60, strategy, Binding::Late)
            };
            let outcomes = engine::run(&system, &demands, &|| {}).unwrap();
            let info = RunInfo {
                system,
                workload: "poisson".into(),
                seed: 1,
            };
            let name = format!("{}-{}", strategy.name(), discipline.name());
            output::write_run(&dir.join(name), &info, &outcomes).unwrap();
        }
    }
}

/// Writes a reproduction: claims, figures, settings and a sample run.
pub fn reproduction(dir: &Path) {
    fs::write(dir.join("claims.csv"), claims()).unwrap();
    fs::write(dir.join("figures.csv"), figures()).unwrap();
    let settings = r#"{"workload":"lublin","pes":1024,"slots":65536,"slot_seconds":60,"seed":42,"version":"0.1.0","replications":30}"#;
    fs::write(dir.join("metrics.json"), settings).unwrap();
    run(&dir.join("sample"), POLICIES[2], "early", 3000);
}

/// Ids of the claims in [`reproduction`].
pub fn claim_ids() -> impl Iterator<Item = String> {
    (1..=34).map(|n| format!("1.{n:02}"))
}

fn claims() -> String {
    let mut text = String::from("id,paper,kind,claim,claimed,measured,ci95,verdict,note\n");
    for (at, id) in claim_ids().enumerate() {
        let verdict = ["holds", "holds", "fails", "holds", "undecidable"][at % 5];
        let note = match at % 5 {
            2 => {
                "\"Measured against 30 replications, the difference between the two policies is smaller than its \
                  confidence interval at UMed 5 and 6; the paper does not say how many replications it used, so a \
                  chance result of a single seed is likely.\""
            }
            4 => "the paper does not print the arrival parameters",
            _ => "",
        };
        writeln!(
            text,
            "{id},li,O,\"pe-worst-fit and duration-best-fit are much better than first fit, and best of all at every \
             UMed\",above first fit,+{:.3},0.012,{verdict},{note}",
            0.03 + 0.002 * at as f64
        )
        .unwrap();
    }
    writeln!(text, "1.35,li,T,\"tags <b>are</b> text & nothing else\",,,,fails,\"<script>alert('note')</script>\"").unwrap();
    text
}

fn figures() -> String {
    let mut text = String::from("figure,title,x_label,y_label,series,x,x_text,mean,ci95\n");
    let axes: [(&str, [&str; 5]); 3] = [
        ("UMed", ["5", "6", "7", "8", "9"]),
        ("arrival factor", ["0.5", "0.75", "1", "1.25", "1.5"]),
        (
            "{f_ar, f_dl}",
            [
                "\"{1,1}\"",
                "\"{2,2}\"",
                "\"{3,3}\"",
                "\"{4,4}\"",
                "\"{5,5}\"",
            ],
        ),
    ];
    for (axis, (x_label, ticks)) in axes.iter().enumerate() {
        for (kind, y_label) in ["acceptance rate", "average slowdown"].iter().enumerate() {
            for (policy, rate, slowdown) in POLICIES {
                for (at, tick) in ticks.iter().enumerate() {
                    let mean = if kind == 0 {
                        rate - 0.05 * at as f64
                    } else {
                        slowdown + 0.08 * at as f64
                    };
                    writeln!(
                        text,
                        "fig{},Figure {}: {y_label} over {},\"{x_label}\",{y_label},{policy},{at},{tick},{mean:.4},{:.4}",
                        2 + 2 * axis + kind,
                        2 + 2 * axis + kind,
                        x_label.replace(", ", " and "),
                        0.006 + 0.002 * at as f64,
                    )
                    .unwrap();
                }
            }
        }
    }
    text
}
