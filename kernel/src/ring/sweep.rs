//! The join of every window of one length, one after the other, in time linear in the slots they cover.

use super::axis::Circle;
use crate::column::{Element, fold, from_base};

/// The windows of `duration` slots at increasing offsets, each joined into one element per column.
///
/// Two stacks stored as arrays: to the left of the `middle` every suffix is stored, to its right one running prefix is kept. A window
/// that straddles the middle is one suffix joined with the prefix. When the window has passed the middle, its own end
/// becomes the next middle. So every slot is read at most twice, whatever the windows are. Suffixes are stored from the beginning of the
/// memory each time, so a search over a long time returns to the same few cache lines.
pub(crate) struct Sweep<'r, L> {
    circle: Circle,
    rows: &'r [L],
    duration: usize,
    stacks: Stacks<'r, L>,
    /// Where the stored suffixes begin.
    first: usize,
    middle: usize,
    end: usize,
}

/// Scratch memory of a sweep; its previous contents do not matter.
pub(crate) struct Stacks<'a, L> {
    /// As long as the rows.
    pub(crate) suffixes: &'a mut [L],
    /// One element per column.
    pub(crate) prefix: &'a mut [L],
}

impl<L> Stacks<'_, L> {
    pub(crate) fn reborrow(&mut self) -> Stacks<'_, L> {
        Stacks {
            suffixes: self.suffixes,
            prefix: self.prefix,
        }
    }
}

impl<'r, L: Element> Sweep<'r, L> {
    pub(crate) fn new(
        circle: Circle,
        rows: &'r [L],
        stacks: Stacks<'r, L>,
        duration: usize,
    ) -> Self {
        Self {
            circle,
            rows,
            duration,
            stacks,
            first: 0,
            middle: 0,
            end: 0,
        }
    }

    /// Returns scratch memory of one element per column, which may be used until the first slide.
    pub(crate) fn scratch(&mut self) -> &mut [L] {
        self.stacks.prefix
    }

    /// Returns the memory behind the suffixes of all columns: none, unless an element stands for several slots.
    pub(crate) fn spare(&self) -> &[L] {
        let used = self.stacks.prefix.len().wrapping_mul(self.circle.len);
        self.stacks.suffixes.get(used..).unwrap_or_default()
    }

    /// As [`Self::spare`], for writing.
    pub(crate) fn spare_mut(&mut self) -> &mut [L] {
        let used = self.stacks.prefix.len().wrapping_mul(self.circle.len);
        self.stacks.suffixes.get_mut(used..).unwrap_or_default()
    }

    /// Moves the window to `start`, which never decreases. Amortised O(columns) per slot passed.
    pub(crate) fn slide_to(&mut self, start: usize) {
        let end = start.saturating_add(self.duration);
        if start >= self.middle {
            self.store_suffixes(start, end);
        } else {
            self.extend_prefix(end);
        }
        self.end = end;
    }

    fn store_suffixes(&mut self, start: usize, end: usize) {
        let storage = self.circle.len;
        let mut base = 0_usize;
        for prefix in self.stacks.prefix.iter_mut() {
            *prefix = L::IDLE;
            let mut joined = L::IDLE;
            let mut rest = start..end;
            while !rest.is_empty() {
                let indices = self.circle.last_unit(&rest, self.circle.block);
                rest.end = rest.end.wrapping_sub(indices.len());
                let stored = base.wrapping_add(rest.end.wrapping_sub(start));
                let rows = self.rows.get(from_base(base, indices));
                let rows = rows.unwrap_or_default();
                let suffixes = self.stacks.suffixes.get_mut(stored..);
                let suffixes = suffixes.and_then(|suffixes| suffixes.get_mut(..rows.len()));
                let suffixes = suffixes.unwrap_or_default();
                for (row, suffix) in rows.iter().zip(suffixes).rev() {
                    joined = joined.join(*row);
                    *suffix = joined;
                }
            }
            base = base.wrapping_add(storage);
        }
        self.first = start;
        self.middle = end;
    }

    fn extend_prefix(&mut self, end: usize) {
        let storage = self.circle.len;
        let mut base = 0_usize;
        for prefix in self.stacks.prefix.iter_mut() {
            let mut rest = self.end..end;
            while !rest.is_empty() {
                let indices = self.circle.first_unit(&rest, self.circle.block);
                rest.start = rest.start.wrapping_add(indices.len());
                *prefix = prefix.join(fold(self.rows, from_base(base, indices)));
            }
            base = base.wrapping_add(storage);
        }
    }

    /// Returns what is busy at some time from `start` to the end of the window, column by column; `start` lies in the window and before
    /// the middle.
    pub(crate) fn joined(&self, start: usize) -> impl Iterator<Item = L> {
        let storage = self.circle.len;
        let mut index = start.wrapping_sub(self.first);
        self.stacks.prefix.iter().map(move |prefix| {
            let suffix = self.stacks.suffixes.get(index);
            index = index.wrapping_add(storage);
            prefix.join(suffix.copied().unwrap_or(L::IDLE))
        })
    }

    /// Returns, when too many are busy in the window at `start`, the last offset for which this still holds from there to the window's end, as `is_above`
    /// says of the offset. No window that begins there or earlier can fit. O(log duration), each the cost of `is_above`.
    pub(crate) fn last_start_above(
        &self,
        start: usize,
        mut is_above: impl FnMut(usize) -> bool,
    ) -> usize {
        // From `above` to the end too many are busy; from `open` perhaps not. Past the middle no suffixes are stored.
        let (mut above, mut open) = (start, self.middle);
        // Most such starts are few, so the steps grow from one slot on.
        let mut step = 1_usize;
        while step < open.saturating_sub(above) {
            let ahead = above.wrapping_add(step);
            if is_above(ahead) {
                above = ahead;
                step = step.saturating_mul(2);
            } else {
                open = ahead;
            }
        }
        for _ in 0..usize::BITS {
            let half = above.wrapping_add(open.saturating_sub(above) / 2);
            if half == above {
                break;
            }
            if is_above(half) {
                above = half;
            } else {
                open = half;
            }
        }
        above
    }
}
