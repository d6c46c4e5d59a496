//! Requests through CSV, the simulator and its result files: nothing internal breaks, and the files keep every promise.
#![no_main]

use std::path::Path;

use arbitrary::Arbitrary;
use bookahead::Policy;
use bookahead_fuzz::{bundle, list::Rest};
use bookahead_sim::{
    check,
    engine::{self, Binding, Strategy, System},
    output::{self, RunInfo},
    request::{Demand, JobRequest},
    workload::requests_csv,
};
use libfuzzer_sys::fuzz_target;

const BINDINGS: [Binding; 3] = [Binding::Early, Binding::Late, Binding::LateControl];

#[derive(Arbitrary, Debug)]
struct Stream {
    pes: u8,
    slots: u8,
    slot_seconds: u8,
    policy: u8,
    binding: u8,
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
        let policy = Policy::ALL[usize::from(self.policy) % Policy::ALL.len()];
        System::new(
            1 + u16::from(self.pes % 40),
            1 + u32::from(self.slots),
            1 + u32::from(self.slot_seconds % 4),
            Strategy::Fit(policy),
            BINDINGS[usize::from(self.binding) % BINDINGS.len()],
        )
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
    if requests.is_empty() {
        return;
    }
    comes_back(&requests);
    let demands: Vec<Demand> = requests.iter().cloned().map(Demand::Reserve).collect();
    let outcomes = engine::run(&system, &demands, &|| {}).expect("the engine has no excuse");
    assert_eq!(outcomes.len(), requests.len());
    let info = RunInfo {
        system,
        workload: "fuzz".into(),
        seed: 0,
    };
    let dir = bundle::folder();
    output::write_run(dir.path(), &info, &outcomes).expect("the folder can be written");
    for run in check::folder(dir.path()).expect("the files can be read") {
        assert_eq!(run.requests, requests.len());
        assert_eq!(run.violations, [], "{system:?}");
    }
});
