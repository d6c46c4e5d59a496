//! The rows of operations.csv and moves.csv.

use std::borrow::Cow;

use crate::{
    engine::{Operated, outcome::Stretch, story::Moved},
    files::{Decision, Move, Operation},
};

/// One row for each operation.
pub(crate) fn rows(operated: &[Operated]) -> impl Iterator<Item = Operation> {
    operated.iter().map(|done| {
        let operation = &done.operation;
        let [ready, duration, deadline, pes] = operation.action.cells();
        let (decision, reason) = match done.decision {
            Ok(()) => (Decision::Accepted, ""),
            Err(reason) => (Decision::Refused, reason.name()),
        };
        Operation {
            job_id: operation.job_id,
            time: operation.arrival,
            op: Cow::Borrowed(operation.action.name()),
            target: operation.target,
            decision,
            reason: Cow::Borrowed(reason),
            ready,
            duration,
            deadline,
            pes,
        }
    })
}

/// One row for each booking that was changed; with its site where there are several.
pub(crate) fn moves(moves: &[Moved], several: bool) -> impl Iterator<Item = Move> {
    moves.iter().map(move |moved| {
        let old = |part: fn(Stretch) -> u64| moved.from.map(part);
        Move {
            time: moved.time,
            job_id: moved.job_id,
            old_start: old(|old| old.start),
            new_start: moved.to.start,
            cause_job_id: moved.cause_job_id,
            cause: Cow::Borrowed(moved.cause.name()),
            old_end: old(|old| old.end),
            new_end: moved.to.end,
            old_pes: old(|old| old.pes),
            new_pes: moved.to.pes,
            site: several.then_some(moved.site.into()),
        }
    })
}
