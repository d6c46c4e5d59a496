//! The rows of jobs.csv.

use std::borrow::Cow;

use crate::{
    engine::{
        Operated, Outcome, Placed,
        outcome::{Changed, Ended},
    },
    files::{Decimal, GivenBack, Job, Metadata, PeRanges, Profile, STOPPED},
    request::Demand,
};

/// One row for each demand, and one for each second part of a reservation that was split, where the operation stands among the
/// requests.
pub(crate) fn rows<'w>(
    workload: &'w str,
    outcomes: &[Outcome],
    operated: &[Operated],
) -> impl Iterator<Item = Job<'w>> {
    let mut parts = operated.iter().peekable();
    let mut split = move |upto: usize| {
        let mut rows = Vec::new();
        while let Some(done) = parts.next_if(|done| done.operation.after <= upto) {
            rows.extend(part(workload, done));
        }
        rows
    };
    let places = outcomes.iter().map(Some).chain([None]).enumerate();
    places.flat_map(move |(index, outcome)| {
        let upto = outcome.map_or(usize::MAX, |_| index);
        split(upto)
            .into_iter()
            .chain(outcome.map(|outcome| row(workload, outcome)))
    })
}

fn part<'w>(workload: &'w str, done: &Operated) -> Option<Job<'w>> {
    let outcome = done.part.as_ref()?;
    Some(Job {
        profile: Profile::Split,
        ..row(workload, outcome)
    })
}

fn row<'w>(workload: &'w str, outcome: &Outcome) -> Job<'w> {
    let demand = &outcome.demand;
    let rejected = Job {
        job_id: demand.job_id(),
        workload_name: Cow::Borrowed(workload),
        profile: match demand {
            Demand::Reserve(_) | Demand::Hold(_) => Profile::Reservation,
            Demand::BestEffort(_) => Profile::BestEffort,
        },
        submission_time: demand.arrival(),
        requested_number_of_resources: demand.pes(),
        requested_time: demand.duration(),
        success: false,
        final_state: Cow::Borrowed("REJECTED"),
        starting_time: None,
        execution_time: None,
        finish_time: None,
        waiting_time: None,
        turnaround_time: None,
        stretch: None,
        allocated_resources: PeRanges::default(),
        consumed_energy: Cow::Borrowed("-1"),
        metadata: Metadata::default(),
    };
    match (&outcome.fate, demand) {
        (Ok(placed), Demand::BestEffort(job)) if job.run > job.estimate => Job {
            metadata: Metadata::word(STOPPED),
            ..completed(rejected, placed)
        },
        (Ok(placed), _) if placed.has_run() => completed(rejected, placed),
        (Ok(placed), _) => Job {
            metadata: metadata(placed),
            ..rejected
        },
        // Those of reservations stand in reservations.csv.
        (Err(reason), Demand::BestEffort(_)) => Job {
            metadata: Metadata::word(reason.name()),
            ..rejected
        },
        (Err(_), Demand::Reserve(_) | Demand::Hold(_)) => rejected,
    }
}

fn completed<'w>(rejected: Job<'w>, placed: &Placed) -> Job<'w> {
    let submitted = rejected.submission_time;
    let turnaround = placed.finish().saturating_sub(submitted);
    Job {
        success: true,
        final_state: Cow::Borrowed("COMPLETED_SUCCESSFULLY"),
        starting_time: Some(placed.began),
        execution_time: Some(placed.ran),
        finish_time: Some(placed.finish()),
        waiting_time: Some(placed.began.saturating_sub(submitted)),
        turnaround_time: Some(turnaround),
        stretch: placed.stretch(submitted).map(Decimal),
        allocated_resources: PeRanges::from(placed.pes.as_slice()),
        metadata: metadata(placed),
        ..rejected
    }
}

/// What the other cells cannot tell: that it was cancelled or expired, and processing elements that it gave back while it ran, with the
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
            Ended::Cancelled => vec![Cow::Borrowed("cancelled")],
            Ended::Expired => vec![Cow::Borrowed("expired")],
        },
    }
}
