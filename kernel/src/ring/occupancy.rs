//! Who occupies a ring when: what changes it, apart from what searches it.

use core::ops::Range;

use super::{axis::Axis, edges::Edge};
use crate::time::Slot;

/// What booking, ending and starting reservations asks of a ring. Called through `dyn`, so that cancelling, completing and advancing exist
/// once in a program and not once for each ring.
pub(crate) trait Occupancy {
    fn axis(&self) -> &Axis;

    /// Claims the lowest-numbered `pes` that are free throughout `offsets`, for the reservation in ledger row `row`; where there
    /// are not so many, does nothing and says no.
    fn claim(&mut self, row: usize, offsets: Range<usize>, pes: u16) -> bool;

    /// Gives back what `row` has claimed in `offsets`.
    fn release(&mut self, row: usize, offsets: Range<usize>, pes: u16);

    /// Forgets which processing elements `row`, which has become vacant, was given.
    fn forget(&mut self, row: usize);

    /// The job of `row` starts: from now on it holds certain processing elements.
    fn bind(&mut self, row: usize, pes: u16);

    /// The job of `row`, which has started, gives back the highest-numbered `pes` of what it holds.
    fn unbind(&mut self, row: usize, pes: u16);

    /// Moves `now` to `to`, which is later, and clears the slots left. O(slots passed, at most the ring).
    fn move_now(&mut self, to: Slot);
}

/// What the sets of a ring consist of. Public, since undo logs are made of it, but in a private module.
pub trait SetParts {
    /// Columns, or nothing where processing elements are counted.
    type Part: Copy + Default + PartialEq + core::fmt::Debug;
}

/// What moving reservations asks of a ring besides. A program that moves none carries none of it.
pub(crate) trait Relocation: Occupancy + SetParts {
    /// Claims `pes` processing elements throughout `offsets` for `row`, which has claimed nothing at present, and says whether there were
    /// so many. It keeps the ones it had where they are free: the lowest-numbered of them where it had more, all of them and the lowest-numbered
    /// others where it had fewer. Where that is impossible it gets the lowest-numbered free ones, unless it is `fixed`.
    fn reclaim(&mut self, row: usize, offsets: Range<usize>, pes: u16, fixed: bool) -> bool;

    /// Claims for `row` exactly the ones it had, which are free throughout `offsets`.
    fn restore(&mut self, row: usize, offsets: Range<usize>, pes: u16);

    /// The set of `row`; empty where processing elements are counted.
    fn set(&self, row: usize) -> &[Self::Part];

    /// The same, to be written while the row has claimed nothing.
    fn set_mut(&mut self, row: usize) -> &mut [Self::Part];

    /// Whether `row` holds at some time of `offsets` what the reservation in `other` holds, or would have to: any processing element,
    /// or one of its own.
    fn shares(&self, row: usize, other: usize) -> bool;
}

/// How the slots of a ring are written, for the parts of [`Occupancy`] that both rings have in common.
pub(crate) trait SlotWriter: Sized {
    fn axis(&self) -> &Axis;

    /// How the slot at `offset` compares with the one before it; `now` has none before it.
    fn edge(&self, offset: usize) -> Edge;

    /// Notes how the slot at `index` compares with the one before it.
    fn set_edge(&mut self, index: usize, edge: Edge);

    /// Clears the slots at `offsets`, edges included. O(offsets).
    fn clear(&mut self, offsets: Range<usize>);

    /// Moves the axis by `passed` slots, to `to`.
    fn move_axis(&mut self, to: Slot, passed: usize);

    /// Works out the edges of a booking of `offsets` anew.
    fn refresh_edges(&mut self, offsets: Range<usize>) {
        if !offsets.is_empty() {
            self.refresh_edge(offsets.start);
            self.refresh_edge(offsets.end);
        }
    }

    /// Works out the edge at `offset` anew, if the ring covers it.
    fn refresh_edge(&mut self, offset: usize) {
        if offset < self.axis().slots() {
            let index = self.axis().index(offset);
            self.set_edge(index, self.edge(offset));
        }
    }

    /// See [`Occupancy::move_now`].
    fn move_now_to(&mut self, to: Slot) {
        let slots = self.axis().slots();
        let passed = self.axis().nearest(to);
        self.clear(0..passed);
        self.move_axis(to, passed);
        // `now` has no slot before it; the first slot that has come into view has.
        self.refresh_edge(0);
        self.refresh_edge(slots.saturating_sub(passed));
    }
}
