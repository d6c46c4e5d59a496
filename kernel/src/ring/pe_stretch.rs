//! Growing stretches over busy sets.

use super::{
    axis::Axis,
    lane::{Column, busy, lane},
    shape::Stretch,
};

/// In a stretch is busy what is busy in any of its slots.
pub(crate) struct PeStretch<'r, C> {
    pub(crate) axis: &'r Axis,
    pub(crate) rows: &'r [C],
    /// That, column by column; scratch memory.
    pub(crate) joined: &'r mut [C],
}

impl<C: Column> Stretch for PeStretch<'_, C> {
    fn begin(&mut self, offset: usize) {
        self.joined.fill(C::NONE);
        self.extend(offset, u16::MAX);
    }

    fn extend(&mut self, offset: usize, limit: u16) -> bool {
        let storage = self.axis.storage();
        let place = self.axis.place(offset);
        let row = |number| lane(self.rows, number, storage).get(place).copied();
        let mut joined = 0_u32;
        for (number, part) in self.joined.iter().enumerate() {
            let more = part.join(row(number).unwrap_or(C::NONE));
            joined = joined.wrapping_add(more.busy());
        }
        let fits = joined <= u32::from(limit);
        if fits {
            for (number, part) in self.joined.iter_mut().enumerate() {
                *part = part.join(row(number).unwrap_or(C::NONE));
            }
        }
        fits
    }

    fn busy(&self) -> u16 {
        u16::try_from(busy(self.joined)).unwrap_or(u16::MAX)
    }
}
