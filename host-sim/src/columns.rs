//! Columns of time for a terminal: what a chart of one line for each thing is drawn with.

use crate::report::words::grouped;

/// Columns of a chart.
const COLUMNS: u64 = 60;

/// From nothing free to everything.
const LEVELS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Room for what stands before a line.
const LABEL: usize = 24;

/// Columns of time, in seconds.
pub(crate) struct Columns {
    from: u64,
    step: u64,
    columns: u64,
    /// Characters of a column.
    wide: usize,
}

impl Columns {
    /// Columns for the time between, or nothing where there is none: whole slots to a column, or whole columns to a slot.
    pub(crate) fn between([from, to]: [u64; 2], slot: u64) -> Option<Self> {
        let length = to.checked_sub(from).filter(|length| *length > 0)?;
        let step = length.div_ceil(COLUMNS).div_ceil(slot).max(1) * slot;
        let columns = length.div_ceil(step);
        let wide = usize::try_from(COLUMNS / columns).unwrap_or(1).max(1);
        Some(Self {
            from,
            step,
            columns,
            wide,
        })
    }

    /// A line with its label: what stands in each column, by the second at which it begins and its length.
    pub(crate) fn line(&self, label: &str, each: impl FnMut([u64; 2]) -> char) -> String {
        let begins = (0..self.columns).map(|column| [self.from + column * self.step, self.step]);
        let cells: String = begins
            .map(each)
            .flat_map(|one| std::iter::repeat_n(one, self.wide))
            .collect();
        format!("{label:>LABEL$} |{cells}|\n")
    }

    /// A line that is filled where the window covers a part of the column.
    pub(crate) fn bar(&self, label: &str, [start, end]: [u64; 2], filled: char) -> String {
        self.line(label, |[begins, length]| {
            match start < begins + length && begins < end {
                true => filled,
                false => ' ',
            }
        })
    }

    /// A line without columns.
    pub(crate) fn note(note: &str) -> String {
        format!("{:>LABEL$} {note}\n", "")
    }

    /// The first second at the left, the last at the right.
    pub(crate) fn ruler(&self) -> String {
        let whole = |number: u64| grouped(usize::try_from(number).unwrap_or(usize::MAX));
        let (first, last) = (
            whole(self.from),
            whole(self.from + self.columns * self.step),
        );
        let width = (self.columns as usize * self.wide + 2).max(first.len() + last.len() + 1);
        let seconds = match self.step {
            1 => "1 second".to_owned(),
            step => format!("{} seconds", whole(step)),
        };
        format!(
            "{:>LABEL$} {first}{last:>rest$}\n",
            format!("a column: {seconds}"),
            rest = width - first.len()
        )
    }
}

/// How high so many of all stand.
pub(crate) fn level(some: u64, all: u64) -> char {
    let level = (some * 8).div_ceil(all.max(1)).min(8);
    LEVELS.get(level as usize).copied().unwrap_or('█')
}
