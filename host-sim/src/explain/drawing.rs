//! A small Gantt chart for a terminal: the window of a job, what was free, and who had what.

use super::{pes, whole};
use crate::{
    check::{Known, Machine, Other},
    columns::{Columns, level},
};

/// How many of those in the way have a line of their own.
const LINES: usize = 12;

/// Draws what a job was decided by, and who ran in the meantime.
pub(super) fn of(known: &Known, machine: &Machine<'_>, meanwhile: &[Other]) -> String {
    let ([ready, deadline], duration) = known.window();
    let promised = match &known.request {
        Some(row) => row.booked(),
        None => known
            .job
            .starting_time
            .map(|start| [start, start.saturating_add(duration)]),
    };
    let end = match known.request.is_some() || known.job.metadata.window().is_some() {
        true => deadline,
        false => promised.map_or(ready.saturating_add(duration), |[_, end]| end),
    };
    let from = promised.map_or(ready, |[start, _]| start.min(ready));
    let to = promised.map_or(end, |[_, until]| until.max(end));
    let Some(columns) = Columns::between([from, to], known.slot()) else {
        return String::new();
    };
    let all = known.pes();
    let mut text = format!("\n{}", columns.ruler());
    text += &columns.line(&format!("free of {}", whole(all)), |[start, length]| {
        let least = machine
            .free_throughout(start, length)
            .min(machine.free_at(start));
        level(least, all)
    });
    text += &columns.bar("its window", [ready, end], '·');
    if let Some(promised) = promised {
        text += &columns.bar(&format!("job {}", known.job.job_id), promised, '█');
    }
    text += &bars(known, &columns, [from, to], &known.others, '▒');
    text += &bars(known, &columns, [from, to], meanwhile, '░');
    text
}

/// A line for each of those that had something, as long as there are not too many.
fn bars(
    known: &Known,
    columns: &Columns,
    [from, to]: [u64; 2],
    others: &[Other],
    filled: char,
) -> String {
    let others = others.iter().map(|other| (known.in_its_way(other), other));
    let there = others
        .filter(|(had, other)| *had > 0 && other.booking.end > from && other.booking.start < to);
    let (mut text, count) = (String::new(), there.clone().count());
    for (had, other) in there.take(LINES) {
        let label = format!("{}, {}", other.name, pes(had));
        text += &columns.bar(&label, [other.booking.start, other.booking.end], filled);
    }
    if let Some(more @ 1..) = count.checked_sub(LINES) {
        text += &Columns::note(&format!("and {} more", whole(more as u64)));
    }
    text
}
