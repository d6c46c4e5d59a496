//! Requests through CSV, the simulator and its result files, beside a queue or not: nothing internal breaks, and the files keep every
//! promise.
#![no_main]

use std::path::Path;

use arbitrary::Arbitrary;
use bookahead::{Discipline, Factor, Money, OfferOrder, Policy, Search, Tariff};
use bookahead_fuzz::{bundle, list::Rest};
use bookahead_sim::{
    check,
    engine::{self, Binding, Elastic, Strategy, System, User},
    output::{self, RunInfo},
    request::{BestEffortRequest, Demand, JobRequest},
    workload::requests_csv,
};
use libfuzzer_sys::fuzz_target;

const BINDINGS: [Binding; 3] = [Binding::Early, Binding::Late, Binding::LateControl];

#[derive(Arbitrary, Debug)]
struct Stream {
    pes: u8,
    slots: u8,
    slot_seconds: u8,
    strategy: u8,
    binding: u8,
    queue: u8,
    price: u16,
    from: u64,
    rows: Rest<Asked, 48>,
}

/// A request after the one before it, in halves of slots and other fractions.
#[derive(Arbitrary, Debug)]
enum Asked {
    Usual {
        gap: u8,
        lead: u8,
        duration: u8,
        slack: u8,
        pes: u8,
        run: u8,
        reserves: bool,
    },
    Extreme {
        gap: u64,
        ready: u64,
        duration: u64,
        deadline: u64,
        pes: u64,
    },
}

impl Stream {
    fn system(&self) -> System {
        let system = System::new(
            1 + u16::from(self.pes % 40),
            1 + u32::from(self.slots),
            1 + u32::from(self.slot_seconds % 4),
            self.strategy(),
            BINDINGS[usize::from(self.binding) % BINDINGS.len()],
        );
        let tariff = Tariff::new(Money::new(self.price.into()), Factor::from_num(1.5), 1);
        System {
            best_effort: Discipline::from_code(self.queue % 3),
            tariff: tariff.expect("a small price can be counted"),
            ..system
        }
    }

    fn strategy(&self) -> Strategy {
        let pick = usize::from(self.strategy);
        match Policy::ALL.get(pick % 20) {
            Some(policy) => Strategy::Fit(*policy),
            None if pick % 20 == 7 => Strategy::Rigid,
            None => Strategy::Elastic(Elastic {
                search: Search::ALL[pick % Search::ALL.len()],
                order: OfferOrder::ALL[pick % OfferOrder::ALL.len()],
                offers: 1 + pick % 4 * 20,
                user: User::ALL[pick % User::ALL.len()],
            }),
        }
    }

    /// What is asked of the system: without a queue, reservations only.
    fn demands(&self, system: &System) -> Vec<Demand> {
        let requests = self.requests();
        let queued = |row: &Asked| {
            system.best_effort.is_some()
                && matches!(
                    row,
                    Asked::Usual {
                        reserves: false,
                        ..
                    }
                )
        };
        let rows = self.rows.0.iter().zip(requests);
        rows.map(|(row, request)| match queued(row) {
            true => Demand::BestEffort(BestEffortRequest {
                job_id: request.job_id,
                arrival: request.arrival,
                pes: request.pes,
                estimate: request.duration,
                // Some go on beyond their estimates.
                run: request.run.saturating_mul(2),
            }),
            false => Demand::Reserve(request),
        })
        .collect()
    }

    fn requests(&self) -> Vec<JobRequest> {
        let mut arrival = self.from;
        let numbered = (1..).zip(&self.rows.0);
        numbered
            .map(|(job_id, row)| {
                let request = row.after(arrival, job_id);
                arrival = request.arrival;
                request
            })
            .collect()
    }
}

impl Asked {
    fn after(&self, last: u64, job_id: u64) -> JobRequest {
        match *self {
            Self::Usual {
                gap,
                lead,
                duration,
                slack,
                pes,
                run,
                reserves: _,
            } => {
                let arrival = last.saturating_add((gap % 64).into());
                let ready = arrival.saturating_add((lead % 128).into());
                let end = ready.saturating_add(duration.into());
                JobRequest {
                    job_id,
                    arrival,
                    ready,
                    duration: duration.into(),
                    deadline: end.saturating_add(slack.into()),
                    pes: (pes % 44).into(),
                    run: u64::from(duration) * u64::from(run) / 255,
                }
            }
            Self::Extreme {
                gap,
                ready,
                duration,
                deadline,
                pes,
            } => JobRequest {
                job_id,
                arrival: last.saturating_add(gap),
                ready,
                duration,
                deadline,
                pes,
                run: duration,
            },
        }
    }
}

fn comes_back(requests: &[JobRequest]) {
    let mut text = Vec::new();
    requests_csv::write_to(&mut text, requests).expect("memory takes everything");
    let back = requests_csv::parse(Path::new("requests.csv"), text).expect("it can be read again");
    // The real run time is no column.
    let booked = |request: &JobRequest| JobRequest {
        run: request.duration,
        ..request.clone()
    };
    assert_eq!(back, requests.iter().map(booked).collect::<Vec<_>>());
}

fuzz_target!(|stream: Stream| {
    let (system, requests) = (stream.system(), stream.requests());
    let demands = stream.demands(&system);
    let reserved = demands
        .iter()
        .filter(|demand| matches!(demand, Demand::Reserve(_)));
    // A table without a row has no header.
    if reserved.clone().next().is_none() {
        return;
    }
    comes_back(&requests);
    let outcomes = match engine::run(&system, &demands, &|| {}) {
        Err(error) if system.check().is_err() => {
            assert_eq!(error.exit_status(), 2);
            return;
        }
        outcomes => outcomes.expect("the engine has no excuse"),
    };
    assert_eq!(outcomes.len(), demands.len());
    let info = RunInfo {
        system,
        workload: "fuzz".into(),
        seed: 0,
    };
    let dir = bundle::folder();
    output::write_run(dir.path(), &info, &outcomes).expect("the folder can be written");
    for run in check::folder(dir.path()).expect("the files can be read") {
        assert_eq!(run.requests, reserved.clone().count());
        assert_eq!(run.violations, [], "{system:?}");
    }
});
