//! A small Gantt chart for a terminal: the window of a job, what was free, and who had what.

use std::fmt::Write as _;

use super::whole;
use crate::check::{Known, Machine};

/// Columns of the chart.
const COLUMNS: u64 = 60;

/// How many of those in the way have a line of their own.
const LINES: usize = 12;

/// From nothing free to everything.
const LEVELS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Draws what a job was decided by.
pub(super) fn of(known: &Known, machine: &Machine<'_>) -> String {
    let ([ready, deadline], duration) = known.window();
    let promised = match &known.request {
        Some(row) => row.booked(),
        None => known
            .job
            .starting_time
            .map(|start| [start, start.saturating_add(duration)]),
    };
    let slot = known.slot();
    let end = match &known.request {
        Some(_) => deadline,
        None => promised.map_or(ready.saturating_add(duration), |[_, end]| end),
    };
    let from = promised.map_or(ready, |[start, _]| start.min(ready));
    let to = promised.map_or(end, |[_, until]| until.max(end));
    if to <= from {
        return String::new();
    }
    // Whole slots to a column, or whole columns to a slot.
    let step = (to - from).div_ceil(COLUMNS).div_ceil(slot).max(1) * slot;
    let columns = (to - from).div_ceil(step);
    let wide = usize::try_from(COLUMNS / columns).unwrap_or(1).max(1);
    let axis = Axis {
        from,
        step,
        columns,
        wide,
    };
    let mut text = format!("\n{}\n", axis.ruler());
    let free = |column: u64| {
        let start = from + column * step;
        let least = machine
            .free_throughout(start, step)
            .min(machine.free_at(start));
        let level = (least * 8).div_ceil(known.pes().max(1)).min(8);
        LEVELS.get(level as usize).copied().unwrap_or('█')
    };
    let bars = axis.line(free);
    let _ = writeln!(
        text,
        "{:>LABEL$} |{bars}|",
        format!("free of {}", whole(known.pes()))
    );
    let _ = writeln!(
        text,
        "{:>LABEL$} |{}|",
        "its window",
        axis.bar([ready, end], '·')
    );
    if let Some(promised) = promised {
        let _ = writeln!(
            text,
            "{:>LABEL$} |{}|",
            format!("job {}", known.job.job_id),
            axis.bar(promised, '█')
        );
    }
    let there = known
        .others
        .iter()
        .filter(|other| other.booking.end > from && other.booking.start < to);
    let count = there.clone().count();
    for other in there.take(LINES) {
        let label = format!("{}, {} PEs", other.name, whole(other.booking.pes));
        let _ = writeln!(
            text,
            "{label:>LABEL$} |{}|",
            axis.bar([other.booking.start, other.booking.end], '▒')
        );
    }
    if let Some(more @ 1..) = count.checked_sub(LINES) {
        let _ = writeln!(text, "{:>LABEL$} and {} more", "", whole(more as u64));
    }
    text
}

/// Room for what stands before a line.
const LABEL: usize = 24;

/// Columns of time.
struct Axis {
    from: u64,
    step: u64,
    columns: u64,
    /// Characters of a column.
    wide: usize,
}

impl Axis {
    /// Filled where the window covers a part of the column.
    fn bar(&self, [start, end]: [u64; 2], filled: char) -> String {
        self.line(|column| {
            let begins = self.from + column * self.step;
            match start < begins + self.step && begins < end {
                true => filled,
                false => ' ',
            }
        })
    }

    /// A line of what stands in each column.
    fn line(&self, each: impl Fn(u64) -> char) -> String {
        let columns = (0..self.columns).map(each);
        columns
            .flat_map(|one| std::iter::repeat_n(one, self.wide))
            .collect()
    }

    /// The first second at the left, the last at the right.
    fn ruler(&self) -> String {
        let (first, last) = (
            whole(self.from),
            whole(self.from + self.columns * self.step),
        );
        let width = (self.columns as usize * self.wide + 2).max(first.len() + last.len() + 1);
        let seconds = if self.step == 1 {
            "1 second".to_owned()
        } else {
            format!("{} seconds", whole(self.step))
        };
        format!(
            "{:>LABEL$} {first}{last:>rest$}",
            format!("a column: {seconds}"),
            rest = width - first.len()
        )
    }
}
