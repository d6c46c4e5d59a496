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
        // What a slot is drawn with may be no whole number of seconds each.
        let (wide, step) = (self.wide as u64, self.step);
        let scale = match step % wide {
            0 => format!("a character: {} s", whole(step / wide)),
            _ => format!("{wide} characters: {} s", whole(step)),
        };
        format!(
            "{scale:>LABEL$} {first}{last:>rest$}\n",
            rest = width - first.len()
        )
    }
}

/// How high so many of all stand, in eighths rounded up: full only where it is all of them.
pub(crate) fn level(some: u64, all: u64) -> char {
    let most = if some < all { 7 } else { 8 };
    let level = (some * 8).div_ceil(all.max(1)).min(most);
    LEVELS.get(level as usize).copied().unwrap_or('█')
}

#[cfg(test)]
mod tests {
    use super::{Columns, level};

    #[test]
    fn full_are_only_all_and_blank_is_only_nothing() {
        let drawn = [0, 1, 128, 129, 896, 897, 960, 1_023, 1_024];
        let drawn: String = drawn.map(|some| level(some, 1_024)).iter().collect();
        assert_eq!(drawn, " ▁▁▂▇▇▇▇█");
        assert_eq!(level(0, 0), ' ');
    }

    #[test]
    fn a_ruler_says_what_a_character_stands_for() {
        for (window, slot, said) in [
            ([0, 60], 20, "a character: 1 s"),
            ([0, 3_600], 60, "a character: 60 s"),
            ([60, 240], 60, "a character: 3 s"),
            // Seven slots are drawn with eight characters each.
            ([0, 420], 60, "8 characters: 60 s"),
        ] {
            let ruler = Columns::between(window, slot).unwrap().ruler();
            assert!(ruler.trim_start().starts_with(said), "{ruler}");
        }
    }
}
