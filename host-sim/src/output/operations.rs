//! The rows of operations.csv, moves.csv and outages.csv.

use std::borrow::Cow;

use crate::{
    engine::{
        Operated,
        outcome::Stretch,
        story::{self, Gone, Moved},
    },
    files::{Decision, Move, Operation, OutageRow, PeRanges, Piece},
};

/// The row of an operation.
pub(crate) fn row(done: &Operated) -> Operation {
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
}

/// The row of a booking that was changed; with its site where there are several.
pub(crate) fn moved(moved: &Moved, several: bool) -> Move {
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
}

/// The row of a run that was ended for a reservation.
pub(crate) fn piece(piece: &story::Piece) -> Piece {
    Piece {
        job_id: piece.job_id,
        starting_time: piece.window[0],
        finish_time: piece.window[1],
        allocated_resources: PeRanges::from(piece.pes.as_slice()),
    }
}

/// The row of a part of an outage.
pub(crate) fn outage(gone: &Gone) -> OutageRow {
    let [start, end] = gone.window;
    OutageRow {
        id: gone.id,
        kind: gone.kind,
        start,
        end,
        pes: PeRanges::from(gone.pes.as_slice()),
        effective_start: gone.effect.map(|[start, _]| start),
        broken: gone.broken as u64,
        moved: gone.moved as u64,
        late: gone.late as u64,
        announced: gone.announced,
        effective_end: gone.effect.map(|[_, end]| end),
        asked: PeRanges::from(gone.asked.as_slice()),
    }
}
