//! Requests and operations through CSV, the simulator and its result files, beside a queue or not: nothing internal breaks, and the
//! files keep every promise.
#![no_main]

use std::path::Path;

use arbitrary::Arbitrary;
use bookahead::{Discipline, Factor, Money, OfferOrder, Policy, Search, Tariff};
use bookahead_fuzz::{bundle, list::Rest};
use bookahead_sim::{
    check,
    engine::{self, Binding, Elastic, Strategy, System, User},
    operation::{Action, Operation, Script},
    output::{self, RunInfo},
    request::{BestEffortRequest, Demand, Hold, JobRequest},
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
        kind: Kind,
    },
    Operate {
        gap: u8,
        op: u8,
        back: u8,
        ready: u8,
        duration: u8,
        slack: u8,
        pes: u8,
    },
    Extreme {
        gap: u64,
        ready: u64,
        duration: u64,
        deadline: u64,
        pes: u64,
    },
}

/// What is asked for; without a queue all of it is reserved.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Kind {
    Reserved,
    Held { ttl: u8 },
    Queued,
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
            best_effort: Discipline::from_code(self.queue % 4),
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

    /// What arrives.
    fn script(&self, system: &System) -> Script {
        let mut script = Script::default();
        let mut last = self.from;
        for (job_id, row) in (1..).zip(&self.rows.0) {
            match row.operation(last, job_id) {
                Some(operation) => {
                    last = operation.arrival;
                    let after = script.demands.len();
                    script.operations.push(Operation { after, ..operation });
                }
                None => {
                    let request = row.after(last, job_id);
                    last = request.arrival;
                    script.demands.push(row.demand(request, system));
                }
            }
        }
        script
    }
}

impl Asked {
    fn operation(&self, last: u64, job_id: u64) -> Option<Operation> {
        let Self::Operate {
            gap,
            op,
            back,
            ready,
            duration,
            slack,
            pes,
        } = *self
        else {
            return None;
        };
        let arrival = last.saturating_add((gap % 64).into());
        let ready = arrival.saturating_add(ready.into());
        let deadline = ready.saturating_add(slack.into());
        let cells = [ready, duration.into(), deadline, (pes % 44).into()];
        let name = Action::NAMES[usize::from(op) % Action::NAMES.len()];
        Some(Operation {
            job_id,
            arrival,
            target: job_id.saturating_sub((back % 12).into()),
            action: Action::from_cells(name, cells).expect("a known name"),
            after: 0,
        })
    }

    fn demand(&self, request: JobRequest, system: &System) -> Demand {
        match self {
            Self::Usual {
                kind: Kind::Queued, ..
            } if system.best_effort.is_some() => Demand::BestEffort(BestEffortRequest {
                job_id: request.job_id,
                arrival: request.arrival,
                pes: request.pes,
                estimate: request.duration,
                // Some go on beyond their estimates.
                run: request.run.saturating_mul(2),
                ..BestEffortRequest::default()
            }),
            Self::Usual {
                kind: Kind::Held { ttl },
                ..
            } => Demand::Hold(Hold {
                request,
                ttl: Some(u64::from(*ttl)).filter(|ttl| *ttl > 0),
            }),
            _ => Demand::Reserve(JobRequest {
                // Some would take less, where the strategy grants that.
                shortest: Some(1 + request.duration / 3).filter(|_| {
                    request.pes.is_multiple_of(3) && request.duration > 0 && grants_ranges(system)
                }),
                ..request
            }),
        }
    }

    fn after(&self, last: u64, job_id: u64) -> JobRequest {
        match *self {
            Self::Usual {
                gap,
                lead,
                duration,
                slack,
                pes,
                run,
                kind: _,
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
                    flexible: true,
                    ..JobRequest::default()
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
                flexible: true,
                ..JobRequest::default()
            },
            Self::Operate { .. } => unreachable!("an operation asks for nothing"),
        }
    }
}

fn grants_ranges(system: &System) -> bool {
    matches!(system.strategy, Strategy::Fit(_)) && system.binding != Binding::LateControl
}

fn comes_back(script: &Script) {
    let mut text = Vec::new();
    requests_csv::write_to(&mut text, script).expect("memory takes everything");
    let back = requests_csv::parse(Path::new("requests.csv"), text).expect("it can be read again");
    assert_eq!(&back, script);
}

fuzz_target!(|stream: Stream| {
    let system = stream.system();
    let script = stream.script(&system);
    let reserved = script.demands.iter().filter_map(Demand::request).count();
    // A table without a row has no header.
    if reserved == 0 {
        return;
    }
    comes_back(&script);
    let story = match engine::replay(&system, &script, &|| {}) {
        Err(error) if system.check().is_err() => {
            assert_eq!(error.exit_status(), 2);
            return;
        }
        story => story.expect("the engine has no excuse"),
    };
    assert_eq!(story.outcomes.len(), script.demands.len());
    assert_eq!(story.operated.len(), script.operations.len());
    let info = RunInfo {
        system: system.clone(),
        workload: "fuzz".into(),
        seed: 0,
    };
    let dir = bundle::folder();
    output::write_story(dir.path(), &info, &story).expect("the folder can be written");
    for run in check::folder(dir.path()).expect("the files can be read") {
        assert_eq!(run.requests, reserved);
        assert_eq!(run.violations, [], "{system:?}");
    }
});
