//! A small Gantt chart for a terminal: the window of a job, what was free, and who had what.

use super::{beside, nodes::in_one_block, whole, words};
use crate::{
    check::{Amount, Known, Machine, Other},
    columns::{Columns, level},
    files::{Booking, Profile},
};

/// How many of those in the way have a line of their own.
const LINES: usize = 12;

/// Draws what a job was decided by, and who ran in the meantime.
pub(super) fn of(known: &Known, machine: &Machine<'_>, meanwhile: &[Other]) -> String {
    let ([ready, deadline], duration) = known.window();
    // What a second part may start in is the window of the whole reservation, which its own rows do not have.
    let is_part = known.job.profile == Profile::Split;
    let promised = match &known.request {
        Some(row) => row.booked(),
        None if is_part => known.moves.last().map(|(row, _)| {
            let Booking { start, end, .. } = row.after();
            [start, end]
        }),
        None => known
            .job
            .starting_time
            .map(|start| [start, start.saturating_add(duration)]),
    };
    let end = match known.request.is_some() || known.job.metadata.window().is_some() {
        true => deadline,
        false => promised.map_or(ready.saturating_add(duration), |[_, end]| end),
    };
    let (from, to) = match promised {
        Some([start, until]) if is_part => (start, until),
        Some([start, until]) => (start.min(ready), until.max(end)),
        None => (ready, end),
    };
    let Some(columns) = Columns::between([from, to], known.slot()) else {
        return String::new();
    };
    let all = known.all().count();
    let mut text = format!("\n{}", columns.ruler());
    text += &columns.line(&free(known), |[start, length]| {
        level(machine.least(start, length), all)
    });
    let in_way = beside::in_the_way(known);
    if let Some((book, label)) = in_way.and_then(|book| Some((book, beside::label(known, book)?))) {
        text += &columns.line(&label, |[start, length]| {
            level(
                book.left([start, start.saturating_add(length)]),
                book.limit(),
            )
        });
    }
    if !is_part {
        text += &columns.bar("its window", [ready, end], '·');
    }
    if let Some(promised) = promised {
        text += &columns.bar(&format!("job {}", known.job.job_id), promised, '█');
    }
    match in_way {
        Some(book) => text += &bars(beside::holders(book), &columns, [from, to], '▒'),
        None => text += &bars(known.had(&known.others), &columns, [from, to], '▒'),
    }
    text += &bars(known.had(meanwhile), &columns, [from, to], '░');
    text
}

/// Of what it is drawn how much was free.
fn free(known: &Known) -> String {
    let all = whole(known.all().count());
    match (known.all(), known.block()) {
        (Amount::Groups(_), None) => format!("free nodes of {all}"),
        (_, block) => format!("free of {all}{}", in_one_block(block)),
    }
}

/// A line for each of those that had something, as long as there are not too many.
fn bars<'o>(
    had: impl Iterator<Item = (Amount, &'o Other)>,
    columns: &Columns,
    [from, to]: [u64; 2],
    filled: char,
) -> String {
    let there: Vec<_> = had
        .filter(|(had, other)| {
            had.count() > 0 && other.booking.end > from && other.booking.start < to
        })
        .collect();
    let mut text = String::new();
    for (had, other) in there.iter().take(LINES) {
        let label = format!("{}, {}", other.name, words(*had));
        text += &columns.bar(&label, [other.booking.start, other.booking.end], filled);
    }
    if let Some(more @ 1..) = there.len().checked_sub(LINES) {
        text += &Columns::note(&format!("and {} more", whole(more as u64)));
    }
    text
}
