//! The rows of jobs.csv.

use std::{borrow::Cow, collections::HashMap};

use crate::{
    engine::{
        Outcome, Placed, Reason, Story, System,
        outcome::{Changed, Ended},
        story::{InOrder, Piece},
    },
    files::{
        Bit, CANCELLED, Decimal, EXPIRED, GivenBack, Job, KILLED, Metadata, PeRanges, Profile,
        STOPPED,
    },
    request::{BestEffortRequest, Demand},
    saved::{Saved, saves},
};

/// One row for each demand, and one for each second part of a reservation that was split, where the operation stands among the
/// requests.
pub(crate) fn rows<'w>(workload: &'w str, story: &Story, system: &System) -> Vec<Job<'w>> {
    let mut jobs = Jobs::new(system);
    story.pieces.iter().for_each(|piece| jobs.piece(piece));
    let mut rows = Vec::with_capacity(story.outcomes.len() + story.operated.len());
    story.in_order(|one| match one {
        InOrder::Outcome(outcome, key) => rows.push(jobs.row(workload, outcome, key)),
        InOrder::Operated(done) => {
            let part = done.part.as_ref();
            rows.extend(part.map(|part| jobs.part(workload, part)));
        }
    });
    rows
}

/// What rows need to know of what was told before.
pub(crate) struct Jobs<'s> {
    system: &'s System,
    /// How many runs of a job were ended for reservations.
    preempted: HashMap<u64, usize>,
}

impl Saved for Jobs<'_> {
    saves!(preempted);
}

impl<'s> Jobs<'s> {
    pub(crate) fn new(system: &'s System) -> Self {
        Self {
            system,
            preempted: HashMap::new(),
        }
    }

    /// A run of a job was ended for a reservation.
    pub(crate) fn piece(&mut self, piece: &Piece) {
        *self.preempted.entry(piece.job_id).or_default() += 1;
    }

    /// The row of a demand, with the key of a job of the queue where keys order it.
    pub(crate) fn row<'w>(
        &self,
        workload: &'w str,
        outcome: &Outcome,
        key: Option<u32>,
    ) -> Job<'w> {
        let mut row = row(workload, outcome, profile(&outcome.demand));
        if let Demand::BestEffort(job) = &outcome.demand {
            let words = &mut row.metadata.words;
            if let Some(least) = job.least_run(self.system.preempt) {
                let times = self.preempted.get(&job.job_id).copied().unwrap_or(0);
                words.extend(Metadata::preemption_of(least, times));
            }
            if let Some(key) = key {
                let user = job.user.filter(|_| self.system.orders_by_user());
                words.extend(Metadata::key_of(key, user));
            }
        }
        self.placed(row, outcome)
    }

    /// The row of the second part of a reservation that was split.
    pub(crate) fn part<'w>(&self, workload: &'w str, part: &Outcome) -> Job<'w> {
        self.placed(row(workload, part, Profile::Split), part)
    }

    fn placed<'w>(&self, row: Job<'w>, outcome: &Outcome) -> Job<'w> {
        let layout = self.system.placing.as_ref().map(|placing| &*placing.layout);
        Job {
            groups: layout.map(|layout| layout.groups_of(&row.allocated_resources)),
            site: (self.system.sites > 1).then(|| site(outcome)),
            ..row
        }
    }
}

/// Where something ran.
pub(super) fn site(outcome: &Outcome) -> Option<u64> {
    outcome
        .decision
        .as_ref()
        .ok()
        .map(|placed| placed.site.into())
}

fn profile(demand: &Demand) -> Profile {
    match demand {
        Demand::Reserve(_) | Demand::Hold(_) => Profile::Reservation,
        Demand::BestEffort(_) => Profile::BestEffort,
    }
}

fn row<'w>(workload: &'w str, outcome: &Outcome, profile: Profile) -> Job<'w> {
    let demand = &outcome.demand;
    let submitted = demand.arrival();
    let ran = outcome.decision.as_ref().ok();
    let ran = ran.filter(|placed| placed.has_run());
    Job {
        job_id: demand.job_id(),
        workload_name: Cow::Borrowed(workload),
        profile,
        submission_time: submitted,
        requested_number_of_resources: demand.pes(),
        requested_time: demand.duration(),
        success: Bit(ran.is_some_and(|placed| placed.broken().is_none())),
        final_state: Cow::Borrowed(match ran {
            Some(placed) if placed.broken().is_some() => KILLED,
            Some(_) => "COMPLETED_SUCCESSFULLY",
            None => "REJECTED",
        }),
        starting_time: ran.map(|placed| placed.began),
        execution_time: ran.map(|placed| placed.ran),
        finish_time: ran.map(Placed::finish),
        waiting_time: ran.map(|placed| placed.began.saturating_sub(submitted)),
        turnaround_time: ran.map(|placed| placed.finish().saturating_sub(submitted)),
        stretch: ran.and_then(|placed| placed.stretch(submitted).map(Decimal)),
        allocated_resources: PeRanges::from(ran.map_or(&[][..], |placed| &placed.pes)),
        consumed_energy: Cow::Borrowed("-1"),
        metadata: match (&outcome.decision, demand) {
            (decision, Demand::BestEffort(job)) => of_queued(job, decision.as_ref()),
            (Ok(placed), _) => metadata(placed),
            // Those of reservations stand in reservations.csv.
            (Err(_), Demand::Reserve(_) | Demand::Hold(_)) => Metadata::default(),
        },
        groups: None,
        site: None,
    }
}

/// What the other cells cannot tell of a best-effort job: its window, what it asks of its processing elements, for when it was planned, that it was stopped, and why it never ran.
fn of_queued(job: &BestEffortRequest, decision: Result<&Placed, &Reason>) -> Metadata {
    let window = job.window.into_iter().flat_map(Metadata::window_of);
    let asks = job.asks.as_deref().into_iter().flat_map(Metadata::asking);
    let asks = window.chain(asks);
    let ending = match decision {
        Err(reason) => Some(reason.name()),
        Ok(_) => (job.run > job.estimate).then_some(STOPPED),
    };
    let plan = decision
        .ok()
        .and_then(|placed| Some(Metadata::planned_of(placed.planned?, placed.drift()?)));
    Metadata {
        words: asks.chain(plan).chain(ending.map(Cow::Borrowed)).collect(),
        ..Metadata::default()
    }
}

/// What the other cells cannot tell: that it was cancelled or expired or which outage broke the promise, and processing elements that it gave back while it ran, with the
/// second until which it had them. Those that it kept to the end stand in `allocated_resources`.
fn metadata(placed: &Placed) -> Metadata {
    let Some(changed) = &placed.changed else {
        return Metadata::default();
    };
    let Changed {
        given_back, ended, ..
    } = changed.as_ref();
    let given_back = given_back.iter().map(|back| GivenBack {
        until: back.until,
        pes: PeRanges::from(back.pes.as_slice()),
    });
    Metadata {
        given_back: given_back.collect(),
        words: match ended {
            Ended::Over => Vec::new(),
            Ended::Cancelled => vec![Cow::Borrowed(CANCELLED)],
            Ended::Expired => vec![Cow::Borrowed(EXPIRED)],
            Ended::Missed => vec![Cow::Borrowed("missed")],
            Ended::Broken { by, at } => vec![Metadata::breaking((*by, *at))],
        },
    }
}
