//! Jobs of the queue that end for reservations and come back: their runs one by one, and how their bookings change. Rule 27.

use std::collections::{BTreeMap, BTreeSet};

use super::{execution, findings::Findings, queue, settings::Settings};
use crate::{
    engine::Cause,
    files::{Booking, Decision, Job, Move, Piece, Reservation},
    output::{MOVES, PIECES},
};

/// A run of a job of the queue: one that was ended for a reservation, or the last.
pub(super) struct Run<'a> {
    /// The job, with times and processing elements of this run.
    pub(super) job: Job<'a>,
    /// The number of its row.
    pub(super) number: usize,
    /// How its booking changed while it ran, with the numbers of the rows of moves.csv.
    pub(super) changes: Vec<(usize, &'a Move)>,
    /// Whether it was ended for a reservation.
    pub(super) is_piece: bool,
}

impl Run<'_> {
    /// What was booked for it in the end.
    pub(super) fn booking(&self, settings: &Settings) -> Option<Booking> {
        let first = queue::booking(&self.job, settings.slots())?;
        Some(self.changes.last().map_or(first, |(_, last)| last.after()))
    }
}

/// The runs of the jobs of the queue, those of each in order. Rows that belong to none are noted.
pub(super) fn runs<'a>(
    jobs: &'a [Job<'a>],
    (pieces, moves): (Option<&[Piece]>, Option<&'a [Move]>),
    settings: &Settings,
    found: &mut Findings,
) -> Vec<Run<'a>> {
    let preempts = settings.preemptions.is_some();
    let files = [(PIECES, pieces.is_some()), (MOVES, moves.is_some())];
    for (name, there) in files.iter().filter(|(name, _)| preempts || *name == PIECES) {
        if *there != preempts {
            let problem =
                format!("{name} is there where jobs end for reservations, and only there");
            found.add(None, problem);
        }
    }
    let mut of_job: BTreeMap<u64, Vec<&Piece>> = BTreeMap::new();
    for piece in pieces.unwrap_or_default() {
        of_job.entry(piece.job_id).or_default().push(piece);
    }
    let mut changes: BTreeMap<(u64, u64), Vec<(usize, &Move)>> = BTreeMap::new();
    let moves = moves.filter(|_| preempts).unwrap_or_default();
    for (place, change) in moves.iter().enumerate() {
        let of = (change.job_id, change.new_start);
        changes.entry(of).or_default().push((place, change));
    }
    let mut runs = Vec::new();
    for (number, job) in jobs
        .iter()
        .enumerate()
        .filter(|(_, job)| job.is_best_effort())
    {
        let pieces = of_job.remove(&job.job_id).unwrap_or_default();
        let [_, told] = job.metadata.preemption();
        let times = told.unwrap_or(0);
        found.expect(job.job_id, "preempted", times, pieces.len() as u64);
        let pieces = pieces.into_iter().map(|piece| (true, of_piece(job, piece)));
        let last = job.ran().map(|_| (false, job.clone()));
        for (is_piece, job) in pieces.chain(last) {
            let start = job.starting_time.unwrap_or_default();
            runs.push(Run {
                changes: changes.remove(&(job.job_id, start)).unwrap_or_default(),
                job,
                number,
                is_piece,
            });
        }
    }
    for job_id in of_job.keys() {
        let problem = "stands in pieces.csv, and is no job of the queue".to_owned();
        found.add(Some(*job_id), problem);
    }
    for (job_id, start) in changes.keys() {
        let problem = format!("moves.csv changes a booking from {start} on, and no such run began");
        found.add(Some(*job_id), problem);
    }
    runs
}

/// A job as if the run of a piece were all of it.
fn of_piece<'a>(job: &Job<'a>, piece: &Piece) -> Job<'a> {
    Job {
        starting_time: Some(piece.starting_time),
        finish_time: Some(piece.finish_time),
        allocated_resources: piece.allocated_resources.clone(),
        ..job.clone()
    }
}

/// Each run by itself, and each change of its booking.
pub(super) fn check(
    runs: &[Run<'_>],
    reservations: &[Reservation],
    settings: &Settings,
    found: &mut Findings,
) {
    let causes = reservations
        .iter()
        .filter(|row| row.decision == Decision::Accepted);
    let causes = causes.map(|row| (row.job_id, row.arrival, row.start));
    let causes: BTreeSet<(u64, u64, Option<u64>)> = causes.collect();
    let mut before = (0, 0);
    for run in runs {
        let id = run.job.job_id;
        let Some([start, finish]) = run.job.ran() else {
            continue;
        };
        let earliest = if before.0 == id {
            before.1
        } else {
            run.job.submission_time
        };
        found.require(id, start >= earliest, || {
            format!("runs again from {start} on, before {earliest}")
        });
        before = (id, finish);
        bookings(run, [start, finish], &causes, settings, found);
        if !run.is_piece {
            continue;
        }
        let slot = settings.slots().0;
        let edges = start.is_multiple_of(slot) && finish.is_multiple_of(slot) && start < finish;
        found.require(id, edges, || {
            format!("runs from {start} to {finish}, which are no edges of slots of {slot} s")
        });
        let width = run.job.requested_number_of_resources;
        execution::processing_elements(&run.job, width, settings, found);
        let cut = run.changes.last().map(|(_, change)| change.new_end);
        found.require(id, cut == Some(finish), || {
            format!("is preempted at {finish}, where no reservation ended it")
        });
    }
}

/// How the booking of a run changed: it ends earlier for a reservation that was accepted then and starts there, and later where time leaves room.
fn bookings(
    run: &Run<'_>,
    [start, finish]: [u64; 2],
    causes: &BTreeSet<(u64, u64, Option<u64>)>,
    settings: &Settings,
    found: &mut Findings,
) {
    let (id, slots) = (run.job.job_id, settings.slots());
    let Some(whole) = queue::booking(&run.job, slots) else {
        return;
    };
    let [least, _] = run.job.metadata.preemption();
    let mut booking = whole;
    let mut latest = start;
    for (_, change) in &run.changes {
        let Move { time, new_end, .. } = **change;
        found.require(id, change.cause == Cause::Preempt.name(), || {
            format!(
                "its booking is changed at {time} by {}, which moves no job of the queue",
                change.cause
            )
        });
        let rest = Booking {
            end: new_end,
            ..whole
        };
        found.require(
            id,
            change.before() == Some(booking) && change.after() == rest,
            || format!("its booking is changed at {time}, and not from {booking} to another end"),
        );
        let now = slots.down(time);
        found.require(id, time >= latest && now <= booking.end, || {
            format!("its booking is changed at {time}, when it does not run")
        });
        let is_cut = new_end < booking.end;
        let known = match change.cause_job_id {
            Some(by) => is_cut && causes.contains(&(by, time, Some(new_end))),
            None => !is_cut && new_end <= whole.end && time == now,
        };
        found.require(id, known && new_end >= now, || {
            format!("is to end at {new_end} from {time} on, for which nothing was accepted and nothing left room")
        });
        if is_cut {
            let least = least.map(|least| start.saturating_add(slots.up(least).max(slots.0)));
            found.require(id, least.is_some_and(|least| new_end >= least), || match least {
                Some(least) => format!("is to end at {new_end} for a reservation, before {least} when it has run for its minimum"),
                None => format!("is to end at {new_end} for a reservation, although it may not be preempted"),
            });
        }
        (booking, latest) = (rest, time);
    }
    found.require(id, slots.up(finish) <= booking.end.max(start), || {
        format!(
            "is over at {finish}, although its booking ended at {}",
            booking.end
        )
    });
}
