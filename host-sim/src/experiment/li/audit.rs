//! Whether a run keeps what the paper's model promises.

use super::machine::PES;
use crate::{
    engine::{Outcome, Placed},
    request::JobRequest,
};

/// What an audit found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Audit {
    /// Requests looked at.
    pub(super) requests: usize,
    /// Accepted ones among them.
    pub(super) accepted: usize,
    /// Breaches.
    pub(super) breaches: usize,
    /// The first of them in words; empty when there is none.
    pub(super) first: String,
}

impl Audit {
    /// Both together.
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.requests += other.requests;
        self.accepted += other.accepted;
        self.breaches += other.breaches;
        if self.first.is_empty() {
            self.first.clone_from(&other.first);
        }
        self
    }

    fn expect(&mut self, truth: bool, job: u64, what: &str) {
        if truth {
            return;
        }
        self.breaches += 1;
        if self.first.is_empty() {
            self.first = format!("job {job}: {what}");
        }
    }
}

/// Looks at every request and every accepted job of a run.
///
/// Source: `li`, section 3: bounds of requests and starts; jobs are rigid and never interrupted; a processing element serves one job.
pub(super) fn audit(outcomes: &[Outcome]) -> Audit {
    let mut audit = Audit {
        requests: outcomes.len(),
        ..Audit::default()
    };
    let mut accepted: Vec<(&JobRequest, &Placed)> = Vec::new();
    for (request, decision) in outcomes.iter().filter_map(Outcome::reservation) {
        let job = request.job_id;
        audit.expect(
            request.arrival <= request.ready,
            job,
            "ready before arrival",
        );
        let earliest_end = request.ready + request.duration;
        audit.expect(earliest_end <= request.deadline, job, "deadline too early");
        accepted.extend(decision.ok().map(|placed| (request, placed)));
    }
    audit.accepted = accepted.len();
    accepted.sort_by_key(|(_, placed)| placed.start);
    let mut busy_until = vec![0; usize::from(PES)];
    for (request, placed) in accepted {
        promise(&mut audit, request, placed);
        processing_elements(&mut audit, request, placed, &mut busy_until);
    }
    audit
}

fn promise(audit: &mut Audit, request: &JobRequest, placed: &Placed) {
    let job = request.job_id;
    audit.expect(request.ready <= placed.start, job, "starts before ready");
    let end = placed.start + request.duration;
    audit.expect(end <= request.deadline, job, "ends after its deadline");
    audit.expect(end <= placed.end, job, "is given less than it asked");
    audit.expect(placed.ran == request.run, job, "was interrupted");
}

fn processing_elements(
    audit: &mut Audit,
    request: &JobRequest,
    placed: &Placed,
    busy_until: &mut [u64],
) {
    let job = request.job_id;
    let mut count = 0;
    for &(first, last) in &placed.pes {
        let Some(used) = busy_until.get_mut(usize::from(first)..=usize::from(last)) else {
            audit.expect(false, job, "runs on a processing element that is none");
            continue;
        };
        count += used.len() as u64;
        let free = used.iter().all(|until| *until <= placed.start);
        audit.expect(free, job, "shares a processing element");
        used.fill(placed.finish());
    }
    audit.expect(count == request.pes, job, "changes its size");
}

#[cfg(test)]
mod tests {
    use bookahead::Money;

    use super::audit;
    use crate::{
        engine::{Outcome, Placed},
        request::{Demand, JobRequest},
    };

    fn outcome(job_id: u64, start: u64, pes: (u16, u16)) -> Outcome {
        Outcome {
            demand: Demand::Reserve(JobRequest {
                job_id,
                arrival: 0,
                ready: 60,
                duration: 120,
                deadline: 300,
                pes: 4,
                run: 120,
            }),
            fate: Ok(Placed {
                start,
                end: start + 120,
                began: start,
                ran: 120,
                pes: vec![pes],
                price: Money::ZERO,
                changed: None,
            }),
        }
    }

    #[test]
    fn sound_runs_pass_and_each_breach_is_seen() {
        let sound = audit(&[
            outcome(1, 60, (0, 3)),
            outcome(2, 120, (4, 7)),
            outcome(3, 180, (0, 3)),
        ]);
        assert_eq!((sound.accepted, sound.breaches), (3, 0));
        let broken = [
            (vec![outcome(1, 0, (0, 3))], "starts before ready"),
            (vec![outcome(1, 240, (0, 3))], "ends after its deadline"),
            (vec![outcome(1, 60, (0, 2))], "changes its size"),
            (vec![outcome(1, 60, (1022, 1025))], "that is none"),
            (
                vec![outcome(1, 60, (0, 3)), outcome(2, 120, (3, 6))],
                "shares",
            ),
        ];
        for (outcomes, what) in broken {
            let found = audit(&outcomes);
            assert!(
                found.breaches > 0 && found.first.contains(what),
                "{}",
                found.first
            );
        }
    }
}
