//! Growing stretches over busy sets.

use super::{
    axis::Axis,
    lane::{Column, lane},
    shape::Stretch,
};

/// In a stretch is busy what is busy in any of its slots.
pub(crate) struct PeStretch<'r, C> {
    pub(crate) axis: &'r Axis,
    pub(crate) rows: &'r [C],
    /// That, column by column; scratch memory.
    pub(crate) joined: &'r mut [C],
    /// The same with one slot more, which takes its place if it fits; scratch memory.
    pub(crate) candidate: &'r mut [C],
    pub(crate) busy: u32,
}

impl<C: Column> Stretch for PeStretch<'_, C> {
    fn begin(&mut self, offset: usize) {
        self.joined.fill(C::NONE);
        self.extend(offset, u16::MAX);
    }

    fn extend(&mut self, offset: usize, limit: u16) -> bool {
        let storage = self.axis.storage();
        let place = self.axis.place(offset);
        let mut busy = 0_u32;
        let parts = self.joined.iter().zip(self.candidate.iter_mut());
        for (number, (part, candidate)) in parts.enumerate() {
            let row = lane(self.rows, number, storage).get(place);
            *candidate = part.join(row.copied().unwrap_or(C::NONE));
            busy = busy.wrapping_add(candidate.busy());
        }
        let fits = busy <= u32::from(limit);
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
