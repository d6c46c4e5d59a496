//! Growing windows over busy sets.

use core::ops::Range;

use super::{
    axis::Axis,
    busy_sets::{ColumnView, GROUP},
    element::{Column, chunk},
    growing_window::GrowingWindow,
};

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
}

impl<C: Column> GrowingWindow for GrowingSets<'_, C> {
    const COUNTS_DECIDE: bool = false;

    fn begin_with(&mut self, window: Range<usize>) {
        let storage = self.axis.storage();
        let [early, late] = self.axis.indices(window);
        self.busy = 0;
        for (number, part) in self.joined.iter_mut().enumerate() {
            let column = ColumnView {
                rows: chunk(self.rows, number, storage),
                any: chunk(self.any, number, storage / GROUP),
            };
            *part = column.union(early.clone()).join(column.union(late.clone()));
            self.busy = self.busy.wrapping_add(part.busy());
        }
    }

    fn extend(&mut self, offset: usize, max_busy: u16) -> bool {
        let storage = self.axis.storage();
        let index = self.axis.index(offset);
        let mut busy = 0_u32;
        let parts = self.joined.iter().zip(self.candidate.iter_mut());
        for (number, (part, candidate)) in parts.enumerate() {
            let row = chunk(self.rows, number, storage).get(index);
            *candidate = part.join(row.copied().unwrap_or(C::NONE));
            busy = busy.wrapping_add(candidate.busy());
        }
        let fits = busy <= u32::from(max_busy);
        if fits {
            core::mem::swap(&mut self.joined, &mut self.candidate);
            self.busy = busy;
        }
        fits
    }

    fn busy(&self) -> u16 {
        u16::try_from(self.busy).unwrap_or(u16::MAX)
    }
}
