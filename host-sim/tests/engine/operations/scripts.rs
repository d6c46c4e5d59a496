//! Random scripts in which operations hit reservations in every state.

use bookahead_sim::{
    operation::{Action, Operation, Script},
    request::{BestEffortRequest, Demand, Hold, JobRequest},
};

/// A small generator, so that the scripts are the same everywhere.
pub struct Draws(u64);

impl Draws {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    /// A time from `from` on, often on an edge of a slot.
    fn time(&mut self, from: u64, slots: u64, slot: u64) -> u64 {
        let time = from + self.below(slots * slot);
        match self.below(3) {
            0 => time,
            1 => time.div_ceil(slot) * slot,
            _ => (time / slot * slot).max(from),
        }
    }

    fn length(&mut self, slot: u64) -> u64 {
        match self.below(3) {
            0 => 1 + self.below(5 * slot),
            _ => slot * (1 + self.below(5)),
        }
    }
}

/// The script with every third request as a best-effort job, and with jobs that run for less than they asked for.
pub fn mixed(seed: u64, script: &Script) -> Script {
    let mut draws = Draws::new(seed);
    let mut mixed = script.clone();
    for (index, demand) in mixed.demands.iter_mut().enumerate() {
        let (Demand::Reserve(request) | Demand::Hold(Hold { request, .. })) = demand else {
            continue;
        };
        request.run = draws.below(2 * request.duration + 1).min(request.duration);
        if index % 3 == 2 {
            *demand = Demand::BestEffort(BestEffortRequest {
                job_id: request.job_id,
                arrival: request.arrival,
                pes: request.pes,
                estimate: request.duration,
                run: request.run,
                ..BestEffortRequest::default()
            });
        }
    }
    mixed
}

/// Of `rows` rows, for a machine of `pes` processing elements and slots of `slot` seconds.
pub fn random(seed: u64, rows: u64, pes: u64, slot: u64) -> Script {
    let mut draws = Draws::new(seed);
    let mut script = Script::default();
    let mut names = Vec::new();
    let mut now: u64 = 0;
    for job_id in 1..=rows {
        now = match draws.below(4) {
            0 => now,
            1 => now.div_ceil(slot) * slot,
            _ => now + draws.below(2 * slot),
        };
        if names.len() < 2 || draws.below(5) < 2 {
            script
                .demands
                .push(demand(&mut draws, job_id, now, pes, slot));
            names.push(job_id);
            continue;
        }
        let name = Action::NAMES[draws.below(Action::NAMES.len() as u64) as usize];
        let cells = [
            draws.time(now.saturating_sub(slot), 12, slot),
            draws.length(slot),
            draws.time(now + 2 * slot, 14, slot),
            draws.below(pes + 2),
        ];
        let cells = match name {
            "complete" if draws.one_in(2) => [0; 4],
            "complete" => [draws.time(now, 3, slot), 0, 0, 0],
            "split" => [draws.time(now, 5, slot), 0, 0, 0],
            // Long enough to be in the way of others.
            "extend-by-force" => [0, 4 * slot + draws.length(slot), 0, 0],
            _ => cells,
        };
        // Mostly of late, so that it is still alive.
        let reach = 1 + draws.below(8).min(names.len() as u64 - 1);
        let back = draws.below(reach) as usize;
        let target = match draws.one_in(40) {
            true => job_id + 1,
            false => names[names.len() - 1 - back],
        };
        script.operations.push(Operation {
            job_id,
            arrival: now,
            target,
            action: Action::from_cells(name, cells).unwrap(),
            after: script.demands.len(),
        });
        if name == "split" {
            names.push(job_id);
        }
    }
    script
}

fn demand(draws: &mut Draws, job_id: u64, arrival: u64, pes: u64, slot: u64) -> Demand {
    let ready = draws.time(arrival, 6, slot);
    let duration = draws.length(slot);
    let request = JobRequest {
        job_id,
        arrival,
        ready,
        duration,
        deadline: ready + duration + draws.below(8 * slot),
        pes: 1 + draws.below(pes),
        run: duration,
        flexible: true,
        ..JobRequest::default()
    };
    match draws.below(3) {
        0 => Demand::Hold(Hold {
            request,
            ttl: (!draws.one_in(3)).then(|| 1 + draws.below(6 * slot)),
        }),
        _ => Demand::Reserve(request),
    }
}
