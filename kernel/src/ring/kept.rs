//! What a snapshot has to know of a ring: who has which processing elements. All else follows from the rows.

use super::{
    axis::Axis, bare::Ring, count_ring::CountRing, pe_ring::PeRing, scan::Scan, search::RingSearch,
};
use crate::{column::Column, ring::occupancy::Relocation};

/// See [`Kept`].
pub(crate) trait Holdings: RingSearch {
    /// The number of this kind of book in snapshots.
    const KIND: u8;
    /// Whether rows that do not run have processing elements of their own.
    const EARLY: bool;

    /// Gives a processing element of the machine to a row that has claimed nothing, and returns whether nobody else runs on it.
    fn give(&mut self, row: usize, pe: usize) -> bool;

    /// Returns the axis, to begin again.
    fn axis_mut(&mut self) -> &mut Axis;
}

/// A ring whose book can be written as a snapshot. The trait is sealed.
#[allow(private_bounds, reason = "sealed: only the crate's own rings")]
pub trait Kept: Ring + Holdings {}

impl<S: Scan> Kept for CountRing<'_, S> {}

impl<S: Scan> Holdings for CountRing<'_, S> {
    const KIND: u8 = 1;
    const EARLY: bool = false;

    fn give(&mut self, row: usize, pe: usize) -> bool {
        let idle = self.owner.get_mut(pe).filter(|owner| **owner == 0);
        let found = idle.is_some();
        if let Some(owner) = idle {
            *owner = (row as u32).wrapping_add(1);
        }
        found
    }

    fn axis_mut(&mut self) -> &mut Axis {
        self.axis
    }
}

impl<C: Column, S: Scan> Kept for PeRing<'_, C, S> {}

impl<C: Column, S: Scan> Holdings for PeRing<'_, C, S> {
    const KIND: u8 = 2;
    const EARLY: bool = true;

    fn give(&mut self, row: usize, pe: usize) -> bool {
        let (Some(column), Some(member)) = (pe.checked_div(C::BITS), pe.checked_rem(C::BITS))
        else {
            return false;
        };
        let one = C::lowest(member.saturating_add(1)).and_not(C::lowest(member));
        match self.set_mut(row).get_mut(column) {
            Some(part) => {
                *part = part.join(one);
                true
            }
            None => false,
        }
    }

    fn axis_mut(&mut self) -> &mut Axis {
        self.axis
    }
}
