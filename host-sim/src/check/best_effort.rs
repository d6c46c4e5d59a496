//! The jobs of the queue. Rule 8.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{
    execution,
    findings::Findings,
    pieces::Run,
    queue::{self, queued_at},
    refusals::Refusals,
    settings::Settings,
};
use crate::{
    engine::{Priority, REMOVED_LATE, user_key},
    files::{Job, Reservation, STOPPED},
};

/// The jobs of one queue, of all queues `waiting`.
pub(super) fn check(
    queued: &[&Job<'_>],
    waiting: usize,
    (reservations, changed, runs): (&[Reservation], bool, &[Run<'_>]),
    settings: &Settings,
    found: &mut Findings,
) {
    let refusals = Refusals::new(settings, waiting, None);
    let accepted = reservations.iter().filter(|row| row.is_accepted());
    let ended = runs.iter().filter(|run| run.is_piece);
    let ended = ended.filter_map(|run| run.job.finish_time);
    let changes = runs.iter().flat_map(|run| &run.changes);
    let changed_at = changes.map(|(_, change)| change.time);
    let taken = accepted.map(Reservation::promised_at);
    let taken: BTreeSet<u64> = taken.chain(ended).chain(changed_at).collect();
    for job in queued {
        match job.ran() {
            Some(ran) => {
                served(job, ran, settings, found);
                planned(job, ran[0], settings, found);
                let submitted = job.submission_time;
                let next = taken.range(submitted..).next();
                let excused = changed || next.is_some_and(|at| *at <= ran[0]);
                let excused = || excused || comes_before(queued, job, ran[0], settings);
                late(job, excused, found);
                refusals.ran(job, found);
            }
            None => {
                refused(job, found);
                refusals.queued(job, found);
            }
        }
    }
}

/// Whether a job has come to the queue whose turn is before that of one that starts at `began`.
fn comes_before(queued: &[&Job<'_>], job: &Job<'_>, began: u64, settings: &Settings) -> bool {
    let key = |job: &Job<'_>| job.metadata.key()[0];
    let came = queued_at(job, settings.slots())..=began;
    queued
        .iter()
        .any(|other| key(other) > key(job) && came.contains(&queued_at(other, settings.slots())))
}

/// Whether keys are those of the priority, as far as the tables tell.
pub(super) fn keys(
    queued: &[&Job<'_>],
    (reservations, runs): (&[Reservation], &[Run<'_>]),
    settings: &Settings,
    found: &mut Findings,
) {
    let priority = settings.queue_priority();
    let named = |named: Priority| priority == Some(named.name());
    // What each user had been given by the end of each second.
    let mut given: HashMap<Option<u64>, BTreeMap<u64, u64>> = HashMap::new();
    let mut give = |user, at, [start, end]: [u64; 2], pes| {
        let more = given.entry(user).or_default().entry(at).or_default();
        *more = more.saturating_add(end.saturating_sub(start).saturating_mul(pes));
    };
    for row in reservations.iter().filter(|row| row.is_accepted()) {
        let booked = row.booked().unwrap_or_default();
        give(
            row.user.flatten(),
            row.promised_at(),
            booked,
            row.granted()[1],
        );
    }
    for run in runs {
        if let Some(booking) = queue::booking(&run.job, settings.slots()) {
            let [_, user] = run.job.metadata.key();
            give(
                user,
                booking.start,
                [booking.start, booking.end],
                booking.pes,
            );
        }
    }
    for job in queued {
        let [key, user] = job.metadata.key();
        let came = job.ran().is_some() || job.metadata.reason() == Some(REMOVED_LATE);
        found.require(
            job.job_id,
            key.is_some() == (came && priority.is_some()),
            || {
                "key stands in the metadata of what was queued by priority, and nowhere else"
                    .to_owned()
            },
        );
        let before = || {
            let of_user = given.get(&user);
            let before = of_user.map(|given| given.range(..queued_at(job, settings.slots())));
            before.into_iter().flatten().map(|(_, more)| more).sum()
        };
        let expected = match key {
            Some(_) if named(Priority::Size) => Some(job.requested_number_of_resources),
            Some(_) if named(Priority::User) => Some(user_key(before()).into()),
            key => key,
        };
        if let (Some(key), Some(expected)) = (key, expected) {
            found.expect(job.job_id, "key", key, expected);
        }
    }
}

fn refused(job: &Job<'_>, found: &mut Findings) {
    execution::state(job, [false, false], found);
    found.require(job.job_id, job.metadata.reason().is_some(), || {
        "did not run, and metadata gives no reason".to_owned()
    });
    found.require(job.job_id, execution::is_empty(job), || {
        "did not run, but cells about a start or a run are not empty".to_owned()
    });
}

/// For when a job was first planned: not before it came, and no other job delays it.
fn planned(job: &Job<'_>, began: u64, settings: &Settings, found: &mut Findings) {
    let id = job.job_id;
    let Some((start, drift)) = job.metadata.planned() else {
        found.require(id, !settings.plans(), || {
            "is a job of a queue that plans, but metadata says not for when".to_owned()
        });
        return;
    };
    found.require(id, settings.plans(), || {
        "was planned, but jobs of this queue are not".to_owned()
    });
    let slot = settings.slots().0;
    let edge = start >= job.submission_time && start.is_multiple_of(slot);
    found.require(id, edge, || {
        let submitted = job.submission_time;
        format!("was planned for {start}, which is no edge of a slot of {slot} s after its submission at {submitted}")
    });
    found.require(id, start.checked_add_signed(drift) == Some(began), || {
        format!("was planned for {start} and starts at {began}, which is no drift of {drift}")
    });
}

/// Only what is reserved after a job was planned delays it.
fn late(job: &Job<'_>, excused: impl Fn() -> bool, found: &mut Findings) {
    if let Some((start, drift)) = job.metadata.planned() {
        found.require(job.job_id, drift <= 0 || excused(), || {
            format!("was planned for {start} and starts {drift} s later, though nothing was reserved after its submission")
        });
    }
}

fn served(job: &Job<'_>, [began, finish]: [u64; 2], settings: &Settings, found: &mut Findings) {
    let id = job.job_id;
    execution::state(job, [true, false], found);
    let told = job.metadata.preemption() == [None; 2];
    found.require(id, told || settings.preemptions.is_some(), || {
        "may be preempted, although no job of this queue may".to_owned()
    });
    found.require(id, began >= job.submission_time, || {
        format!(
            "starts at {began}, before its submission at {}",
            job.submission_time
        )
    });
    if let Some([ready, deadline]) = job.metadata.window() {
        let slots = settings.slots();
        let latest = slots
            .down(deadline)
            .saturating_sub(slots.up(job.requested_time));
        found.require(id, (ready..=latest).contains(&began), || {
            format!("starts at {began}, outside {ready} to {latest} as its window says")
        });
    }
    let slot = settings.slots().0;
    found.require(id, began.is_multiple_of(slot), || {
        format!("starts at {began}, which is no edge of a slot of {slot} s")
    });
    let stopped = began.saturating_add(job.requested_time);
    found.require(id, finish <= stopped, || {
        format!("is over at {finish}, to be stopped at {stopped}")
    });
    found.require(id, finish == stopped || !job.metadata.says(STOPPED), || {
        format!("is over at {finish}, but is said to be stopped at {stopped}")
    });
    execution::times(job, [began, finish], found);
    let width = job.requested_number_of_resources;
    execution::processing_elements(job, width, settings, found);
}
