//! The operations that change a ring; those that search it are in `search.rs`.

use core::ops::Range;

use super::{axis::Axis, count::Width, edges::Edge};
use crate::time::Slot;

/// The operations of a ring that booking, starting and ending reservations use. They are called through `dyn`, so that the code of
/// cancelling, completing and advancing exists once in a program and not once for each ring.
pub(crate) trait Occupancy {
    fn axis(&self) -> &Axis;

    /// Claims the `pes` lowest-numbered processing elements that are free throughout `offsets`, for the reservation in ledger row `row`.
    /// When fewer are free, does nothing and returns `false`.
    fn claim(&mut self, row: usize, offsets: Range<usize>, pes: u32) -> bool;

    /// Releases what `row` has claimed in `offsets`.
    fn release(&mut self, row: usize, offsets: Range<usize>, pes: u32);

    /// Clears the set of `row`, which has become vacant.
    fn forget(&mut self, row: usize);

    /// Binds the job of `row`, which starts, to `pes` particular processing elements.
    fn bind(&mut self, row: usize, pes: u32);

    /// Unbinds the job of `row`, which is running, from the `pes` highest-numbered processing elements that it holds.
    fn unbind(&mut self, row: usize, pes: u32);

    /// Moves `now` to `to`, which is later, and clears the slots that have passed. O(slots passed, at most the ring); in bulk, idle stretches cost
    /// O(log slots) each.
    fn move_now(&mut self, to: Slot);
}

/// The type that the sets of a ring are made of. Public because workspaces contain it.
pub trait SetParts {
    /// A column, or `()` with late binding; [`Unnumbered`] where counts are of 32 bits.
    type Part: SetPart;
}

/// What sets may be made of. It says, too, how wide the counts beside such sets are.
pub trait SetPart: Copy + Default + PartialEq + core::fmt::Debug {
    /// The counts of a ring with such sets.
    type Count: Width;
}

macro_rules! beside_counts_of_16_bits {
    ($($part:ty),+) => {
        $(impl SetPart for $part {
            type Count = u16;
        })+
    };
}

beside_counts_of_16_bits!((), u32, [u64; 8]);

/// Stands for the sets of units that have no numbers: there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unnumbered;

impl SetPart for Unnumbered {
    type Count = u32;
}

/// The counts of a ring.
pub(crate) type CountOf<R> = <<R as SetParts>::Part as SetPart>::Count;

/// The operations of a ring that moving reservations uses in addition. A program that moves no reservation contains none of their code.
pub(crate) trait Relocation: Occupancy + SetParts {
    /// Claims `pes` processing elements throughout `offsets` for `row`, which has claimed nothing at present, and returns whether enough
    /// were free. The row keeps the ones it had if they are free: the lowest-numbered of them if it had more, all of them and the
    /// lowest-numbered others if it had fewer. If that is impossible, it gets the lowest-numbered free ones, unless it is `fixed`.
    fn reclaim(&mut self, row: usize, offsets: Range<usize>, pes: u32, fixed: bool) -> bool;

    /// Claims for `row` exactly the processing elements it had, which are free throughout `offsets`.
    fn restore(&mut self, row: usize, offsets: Range<usize>, pes: u32);

    /// Returns the set of `row`; empty with late binding.
    fn set(&self, row: usize) -> &[Self::Part];

    /// Returns the set of `row` for writing, which is allowed while the row has claimed nothing.
    fn set_mut(&mut self, row: usize) -> &mut [Self::Part];

    /// Returns whether the reservations in `row` and `other` compete for processing elements when they overlap in time: always with late
    /// binding, and with early binding when their sets share one.
    fn shares(&self, row: usize, other: usize) -> bool;
}

/// Access to the slots of a ring, for the parts of [`Occupancy`] that both rings have in common.
pub(crate) trait SlotWriter: Occupancy + Sized {
    /// Compares the slot at `offset` with the one before it; `now` has none before it.
    fn edge(&self, offset: usize) -> Edge;

    /// Stores the comparison of the slot at `index` with the one before it.
    fn set_edge(&mut self, index: usize, edge: Edge);

    /// Returns the next of `offsets` where something may be busy: none or all of them, or slots between which and the next ones nothing is.
    fn next_busy(&self, offsets: Range<usize>) -> Option<Range<usize>>;

    /// Clears the slots at `offsets`, but for their edges. O(offsets).
    fn clear(&mut self, offsets: Range<usize>);

    /// Clears the edges at `offsets`. O(offsets / 32).
    fn clear_edges(&mut self, offsets: Range<usize>);

    /// Moves the axis by `passed` slots, to `to`.
    fn move_axis(&mut self, to: Slot, passed: usize);

    /// Computes the edges of a booking of `offsets` again.
    fn refresh_edges(&mut self, offsets: Range<usize>) {
        if !offsets.is_empty() {
            self.refresh_edge(offsets.start);
            self.refresh_edge(offsets.end);
        }
    }

    /// Computes the edge at `offset` again, if the ring covers it.
    #[cfg_attr(target_pointer_width = "64", inline)]
    fn refresh_edge(&mut self, offset: usize) {
        if offset < self.axis().slots() {
            let index = self.axis().index(offset);
            self.set_edge(index, self.edge(offset));
        }
    }

    /// As [`Occupancy::move_now`], where the slots that have passed become the last ones of the arrays, and `fill` says what is in these, which is the same in all
    /// of them, but for their edges.
    #[cfg(feature = "outages")]
    fn move_now_onto(&mut self, to: Slot, fill: impl FnOnce(&mut Self, Range<usize>)) {
        let slots = self.axis().slots();
        let passed = self.axis().nearest(to);
        fill(self, 0..passed);
        self.clear_edges(0..passed.saturating_add(1).min(slots));
        self.move_axis(to, passed);
        self.refresh_edge(0);
        self.refresh_edge(slots.saturating_sub(passed));
    }

    /// See [`Occupancy::move_now`].
    fn move_now_to(&mut self, to: Slot) {
        let slots = self.axis().slots();
        let passed = self.axis().nearest(to);
        let mut rest = 0..passed;
        while let Some(busy) = self.next_busy(rest.clone()) {
            self.clear(busy.clone());
            rest.start = busy.end;
            // The first slot that is idle again has an edge too.
            let behind = busy.end.saturating_add(1).min(passed);
            self.clear_edges(busy.start..behind);
        }
        self.move_axis(to, passed);
        // `now` has no slot before it; the first slot that is newly covered has one.
        self.refresh_edge(0);
        self.refresh_edge(slots.saturating_sub(passed));
    }
}
