//! Joins every window of one length, one after the other, in time linear in the stretch they cover.

use super::{
    axis::Axis,
    lane::{Lane, lane, lane_mut},
};

/// The windows of `duration` slots at increasing offsets, each joined into one element per lane.
///
/// Two stacks laid out flat: from the `middle` leftwards every suffix is stored, from the `middle` rightwards one running
/// prefix; a window that straddles the middle is one suffix joined with the prefix. When the window has left
/// the middle behind, its own end becomes the next middle. So every slot is read at most twice, whatever the windows are.
pub(crate) struct Sweep<'r, L> {
    pub(crate) axis: &'r Axis,
    pub(crate) rows: &'r [L],
    pub(crate) duration: usize,
    stacks: Stacks<'r, L>,
    /// Slots in the arrays.
    storage: usize,
    middle: usize,
    end: usize,
}

/// Scratch memory of a sweep; what it holds before is of no interest.
pub(crate) struct Stacks<'a, L> {
    /// As long as the rows.
    pub(crate) suffixes: &'a mut [L],
    /// One element per lane.
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

impl<'r, L: Lane> Sweep<'r, L> {
    pub(crate) fn new(
        axis: &'r Axis,
        rows: &'r [L],
        stacks: Stacks<'r, L>,
        duration: usize,
    ) -> Self {
        Self {
            axis,
            rows,
            duration,
            storage: rows
                .len()
                .checked_div(stacks.prefix.len())
                .unwrap_or_default(),
            stacks,
            middle: 0,
            end: 0,
        }
    }

    /// The rows, and the memory of [`Self::scratch`].
    pub(crate) fn rows_and_scratch(&mut self) -> (&'r [L], &mut [L]) {
        (self.rows, self.stacks.prefix)
    }

    /// Memory of one element per lane, to be used until the first slide.
    pub(crate) fn scratch(&mut self) -> &mut [L] {
        self.stacks.prefix
    }

    pub(crate) const fn lanes(&self) -> usize {
        self.stacks.prefix.len()
    }

    pub(crate) const fn storage(&self) -> usize {
        self.storage
    }

    /// Moves the window to `start`, which never decreases. Amortised O(lanes) per slot passed.
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
        let storage = self.storage();
        let [early, late] = self.axis.places(start..end);
        self.stacks.prefix.fill(L::IDLE);
        for number in 0..self.lanes() {
            let rows = lane(self.rows, number, storage);
            let suffixes = lane_mut(self.stacks.suffixes, number, storage);
            let mut joined = L::IDLE;
            for places in [late.clone(), early.clone()] {
                let (Some(rows), Some(suffixes)) =
                    (rows.get(places.clone()), suffixes.get_mut(places))
                else {
                    return;
                };
                for (row, suffix) in rows.iter().zip(suffixes).rev() {
                    joined = joined.join(*row);
                    *suffix = joined;
                }
            }
        }
        self.middle = end;
    }

    fn extend_prefix(&mut self, end: usize) {
        let storage = self.storage();
        let [early, late] = self.axis.places(self.end..end);
        for (number, prefix) in self.stacks.prefix.iter_mut().enumerate() {
            let rows = lane(self.rows, number, storage);
            for places in [early.clone(), late.clone()] {
                for row in rows.get(places).unwrap_or_default() {
                    *prefix = prefix.join(*row);
                }
            }
        }
    }

    /// What is busy at some time from `start` to the end of the window, in lane `number`; `start` lies in the window and before the middle.
    pub(crate) fn joined(&self, number: usize, start: usize) -> L {
        let storage = self.storage();
        let place = self.axis.place(start);
        let suffix = lane(self.stacks.suffixes, number, storage).get(place);
        let prefix = self.stacks.prefix.get(number).copied();
        prefix
            .unwrap_or(L::IDLE)
            .join(suffix.copied().unwrap_or(L::IDLE))
    }

    /// How many processing elements are busy at some time from `start` to the end of the window.
    pub(crate) fn busy(&self, start: usize) -> u32 {
        (0..self.lanes()).fold(0, |sum, number| {
            sum.wrapping_add(self.joined(number, start).busy())
        })
    }

    /// When more than `limit` are busy in the window that begins at `start`: the last offset from which on they still are, so that
    /// no window beginning there or earlier can do better. O(lanes log duration).
    pub(crate) fn last_start_above(&self, start: usize, limit: u32) -> usize {
        // From `above` on too many are busy; from `open` on perhaps not, and behind the middle nobody knows.
        let (mut above, mut open) = (start, self.middle);
        for _ in 0..usize::BITS {
            let half = above.wrapping_add(open.saturating_sub(above) / 2);
            if half == above {
                break;
            }
            if self.busy(half) > limit {
                above = half;
            } else {
                open = half;
            }
        }
        above
    }
}
