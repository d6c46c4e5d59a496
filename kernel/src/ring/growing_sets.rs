//! Growing windows over busy sets.

use core::ops::Range;

use super::{
    axis::Axis,
    busy_sets::{ColumnView, GROUP},
    far_unions::{self, FAR, FarUnions},
    growing_window::GrowingWindow,
};
use crate::column::{Column, Element, chunk, fold};

/// A growing window over busy sets: what is busy in any of its slots is busy in the window.
pub(crate) struct GrowingSets<'r, C> {
    pub(crate) axis: &'r Axis,
    pub(crate) rows: &'r [C],
    pub(crate) any: &'r [C],
    /// What is busy in the window, column by column; scratch memory.
    pub(crate) joined: &'r mut [C],
    /// The same with one slot more, which replaces `joined` if it fits; scratch memory.
    pub(crate) candidate: &'r mut [C],
    pub(crate) busy: u32,
    pub(crate) far: FarUnions<'r, C>,
}

impl<C: Column> GrowingSets<'_, C> {
    fn column(&self, number: usize) -> ColumnView<'_, C> {
        let storage = self.axis.storage();
        ColumnView {
            rows: chunk(self.rows, number, storage),
            any: chunk(self.any, number, storage / GROUP),
        }
    }

    /// Returns what is busy in column `number` at some time of `window`. O(window / 8).
    fn union(&self, number: usize, window: Range<usize>) -> C {
        let column = self.column(number);
        let [early, late] = self.axis.indices(window);
        column.union(early).join(column.union(late))
    }

    /// As [`Self::union`], of a window that the unions of many slots have been joined for. O(window / 512).
    fn union_of_many(&self, number: usize, window: &Range<usize>) -> C {
        let [before, far, behind] = far_unions::split(self.axis, window);
        let far = self.far.of(self.axis, number, &far);
        let joined = fold(far, 0..far.len());
        let edges = [before, behind].map(|window| self.union(number, window));
        edges.into_iter().fold(joined, Element::join)
    }
}

impl<C: Column> GrowingWindow for GrowingSets<'_, C> {
    const COUNTS_DECIDE: bool = false;

    fn begin_with(&mut self, window: Range<usize>) {
        let many = C::WIDE && window.len() >= 2 * FAR;
        if many {
            self.far.reach(self.axis, self.any, &window);
        }
        self.busy = 0;
        for number in 0..self.joined.len() {
            let union = if many {
                self.union_of_many(number, &window)
            } else {
                self.union(number, window.clone())
            };
            self.busy = self.busy.wrapping_add(union.busy());
            if let Some(part) = self.joined.get_mut(number) {
                *part = union;
            }
        }
    }

    fn extend(&mut self, offset: usize, max_busy: u32) -> bool {
        let storage = self.axis.storage();
        let index = self.axis.index(offset);
        let mut busy = 0_u32;
        let parts = self.joined.iter().zip(self.candidate.iter_mut());
        for (number, (part, candidate)) in parts.enumerate() {
            let row = chunk(self.rows, number, storage).get(index);
            *candidate = part.join(row.copied().unwrap_or(C::NONE));
            busy = busy.wrapping_add(candidate.busy());
        }
        let fits = busy <= max_busy;
        if fits {
            core::mem::swap(&mut self.joined, &mut self.candidate);
            self.busy = busy;
        }
        fits
    }

    fn busy(&self) -> u32 {
        self.busy
    }
}

#[cfg(test)]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "tests may panic"
)]
mod tests {
    use super::{Axis, Column, Element, FarUnions, GROUP, GrowingSets, GrowingWindow};
    use crate::time::Slot;

    const BLOCKS: usize = 48;
    const SLOTS: usize = 64 * BLOCKS;
    type Set = [u64; 8];

    /// Windows of all lengths, in no order, so that unions of many slots are made before and behind those that are there.
    #[test]
    fn a_window_has_what_its_slots_have() {
        let mut word = 1_u64;
        let mut below = |bound: usize| {
            word = word.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
            (word >> 33) as usize % bound
        };
        let mut rows = [Set::NONE; 2 * SLOTS];
        let mut any = [Set::NONE; 2 * SLOTS / GROUP];
        // Few are busy, so that a slot too few or too many is noticed.
        for _ in 0..SLOTS / 4 {
            let (index, pe) = (below(2 * SLOTS), below(512));
            rows[index][pe / 64] |= 1 << (pe % 64);
            any[index / GROUP] = any[index / GROUP].join(rows[index]);
        }
        let mut long = 0;
        for now in [0, 5, 1_234, SLOTS - 1] {
            let mut axis = Axis::new(1_024, SLOTS as u32, BLOCKS as u32);
            axis.move_now(Slot::new(now as u64), now);
            let (mut joined, mut candidate) = ([Set::NONE; 2], [Set::NONE; 2]);
            let mut kept = [Set::NONE; 2 * SLOTS / GROUP];
            let mut growing = GrowingSets {
                axis: &axis,
                rows: &rows,
                any: &any,
                joined: &mut joined,
                candidate: &mut candidate,
                busy: 0,
                far: FarUnions::new(&mut kept),
            };
            for _ in 0..200 {
                let start = below(SLOTS);
                let window = start..start + 1 + below(SLOTS - start);
                growing.begin_with(window.clone());
                for (number, joined) in growing.joined.iter().enumerate() {
                    let rows = &rows[number * SLOTS..][..SLOTS];
                    let plain = window.clone().map(|offset| rows[axis.index(offset)]);
                    let plain = plain.fold(Set::NONE, Element::join);
                    assert_eq!(*joined, plain, "{window:?} from {now}");
                }
                long += u32::from(window.len() >= 2 * super::FAR);
            }
        }
        assert!(long > 200, "{long}");
    }
}
