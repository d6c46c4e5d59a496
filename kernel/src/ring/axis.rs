//! The mapping from slots, counted from `now`, to indices of the circular arrays.

use core::ops::Range;

use crate::{
    error::{Error, Refusal},
    pe::PeCount,
    time::{Slot, Span, Window},
};

/// Slots per block. Arrays hold whole blocks, so that no block straddles their end.
pub(crate) const BLOCK: usize = 64;

/// The time axis of a ring: `now`, its index in the arrays, and the horizon.
///
/// Inside the crate a time is an *offset*, the number of slots from `now`; an *index* is a position in the arrays.
/// Offsets `0..horizon` are covered. The arrays may be longer; slots beyond the horizon are cleared, but for what rules take in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Axis {
    now: Slot,
    head: u32,
    slots: u32,
    /// Blocks in the arrays.
    blocks: u32,
    pes: u32,
}

/// Two ranges of indices that together hold consecutive slots: one up to the end of the arrays, and one from their beginning.
pub(crate) type Indices = [Range<usize>; 2];

impl Axis {
    /// Creates an axis at slot 0 for a machine of `pes` processing elements and a ring of `slots` slots in arrays of `blocks` blocks.
    pub(crate) const fn new(pes: u32, slots: u32, blocks: u32) -> Self {
        Self {
            now: Slot::new(0),
            head: 0,
            slots,
            blocks,
            pes,
        }
    }

    /// Returns whether the other axis is of as many slots and processing elements, for arrays of the same lengths.
    #[cfg(feature = "plan")]
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.slots == other.slots && self.pes == other.pes && self.blocks == other.blocks
    }

    /// Becomes as it was at slot 0, for a ring in which nothing is busy.
    #[cfg(feature = "journal")]
    pub(crate) const fn begin_again(&mut self) {
        (self.now, self.head) = (Slot::new(0), 0);
    }

    pub(crate) const fn now(&self) -> Slot {
        self.now
    }

    pub(crate) const fn horizon(&self) -> Span {
        Span::new(self.slots)
    }

    pub(crate) const fn slots(&self) -> usize {
        self.slots as usize
    }

    pub(crate) const fn pes(&self) -> PeCount {
        PeCount::new(self.pes)
    }

    /// Returns the number of processing elements as rings count them.
    pub(crate) const fn width(&self) -> u32 {
        self.pes
    }

    /// Returns the slot after the last one covered.
    pub(crate) const fn end(&self) -> Slot {
        self.now.saturating_add(self.horizon())
    }

    /// Returns the offset of `slot`, which may be the end of the ring; `None` outside the ring.
    pub(crate) fn offset(&self, slot: Slot) -> Option<usize> {
        let offset = slot.since(self.now)?;
        (offset.get() <= self.slots).then_some(offset.get() as usize)
    }

    /// Returns the offset of `slot`, clamped to the ring. Not inlined on small devices, where 64-bit arithmetic takes much code.
    #[cfg_attr(not(target_pointer_width = "64"), inline(never))]
    pub(crate) fn nearest(&self, slot: Slot) -> usize {
        let ahead = slot.get().saturating_sub(self.now.get());
        usize::try_from(ahead).map_or(self.slots(), |offset| offset.min(self.slots()))
    }

    /// Returns the part of `window` that the ring covers, as offsets.
    pub(crate) fn covered(&self, window: Window) -> Range<usize> {
        self.nearest(window.start)..self.nearest(window.end)
    }

    /// Returns the part of `window` that has not passed, as offsets, or [`Refusal::BeyondHorizon`] when the window ends beyond the ring.
    pub(crate) fn ahead(&self, window: Window) -> Result<Range<usize>, Error> {
        if window.end > self.end() {
            return Err(Refusal::BeyondHorizon.into());
        }
        Ok(self.covered(window))
    }

    pub(crate) fn slot(&self, offset: usize) -> Slot {
        Slot::new(self.now.get().saturating_add(offset as u64))
    }

    /// Returns the number of slots in the arrays.
    pub(crate) const fn storage(&self) -> usize {
        (self.blocks as usize).wrapping_mul(BLOCK)
    }

    /// Returns the circular arrays with one element for each slot.
    pub(crate) const fn circle(&self) -> Circle {
        Circle {
            head: self.head as usize,
            len: self.storage(),
            block: BLOCK,
        }
    }

    /// Returns the circular arrays with one element for every `slots` slots, a divisor of a block. Its offset 0 holds the head, and slots
    /// before and behind the ring where the head begins no such group.
    pub(crate) const fn circle_of_groups(&self, slots: usize) -> Circle {
        let circle = self.circle();
        match (
            circle.head.checked_div(slots),
            circle.len.checked_div(slots),
            circle.block.checked_div(slots),
        ) {
            (Some(head), Some(len), Some(block)) => Circle { head, len, block },
            _ => circle,
        }
    }

    /// Returns the index of `offset`.
    pub(crate) const fn index(&self, offset: usize) -> usize {
        self.circle().index(offset)
    }

    /// Returns the indices of `offsets`, in order of time. Inlined, which takes less code than a call where searches are inlined
    /// themselves.
    #[inline]
    pub(crate) const fn indices(&self, offsets: Range<usize>) -> Indices {
        self.circle().indices(offsets)
    }

    /// As [`Circle::first_unit`].
    pub(crate) const fn first_unit(&self, offsets: &Range<usize>, unit: usize) -> Range<usize> {
        self.circle().first_unit(offsets, unit)
    }

    /// As [`Circle::last_unit`].
    pub(crate) const fn last_unit(&self, offsets: &Range<usize>, unit: usize) -> Range<usize> {
        self.circle().last_unit(offsets, unit)
    }

    /// Returns whether arrays of `storage` slots belong to this axis: they have the length it was made for, and hold the ring.
    pub(crate) fn fits(&self, storage: usize) -> bool {
        storage == self.storage()
            && storage as u64 <= 1 << 32
            && self.slots > 0
            && self.slots() <= storage
            && (self.head as usize) < storage
    }

    /// Moves `now` to `to`, which is `passed` slots later. The caller clears the slots that have passed.
    pub(crate) fn move_now(&mut self, to: Slot, passed: usize) {
        self.now = to;
        // After a jump over the whole ring all slots are clear, so the head may have any index.
        self.head = if passed >= self.storage() {
            0
        } else {
            self.index(passed) as u32
        };
    }
}

/// Circular arrays: which index the first element has, and their length.
#[derive(Clone, Copy)]
pub(crate) struct Circle {
    head: usize,
    pub(crate) len: usize,
    /// A power of two that divides the length.
    pub(crate) block: usize,
}

impl Circle {
    /// Returns the index of `offset`.
    pub(crate) const fn index(&self, offset: usize) -> usize {
        let index = self.head.wrapping_add(offset);
        if index >= self.len {
            index.wrapping_sub(self.len)
        } else {
            index
        }
    }

    /// Returns the indices of `offsets`, in order of time.
    pub(crate) const fn indices(&self, offsets: Range<usize>) -> Indices {
        let first = self.index(offsets.start);
        let len = offsets.end.saturating_sub(offsets.start);
        let before_wrap = self.len.saturating_sub(first);
        if len <= before_wrap {
            [first..first.wrapping_add(len), 0..0]
        } else {
            [first..self.len, 0..len.wrapping_sub(before_wrap)]
        }
    }

    /// Returns the indices of the first of `offsets` that lie in one unit of `unit` elements. `unit` is a power of two of at most a block, so
    /// that no unit straddles the end of the arrays.
    pub(crate) const fn first_unit(&self, offsets: &Range<usize>, unit: usize) -> Range<usize> {
        let first = self.index(offsets.start);
        let len = offsets.end.saturating_sub(offsets.start);
        let in_unit = unit.wrapping_sub(first & unit.wrapping_sub(1));
        first..first.wrapping_add(if len < in_unit { len } else { in_unit })
    }

    /// Returns the indices of the last of `offsets`, which must not be empty; otherwise as [`Self::first_unit`].
    pub(crate) const fn last_unit(&self, offsets: &Range<usize>, unit: usize) -> Range<usize> {
        let end = self.index(offsets.end.wrapping_sub(1)).wrapping_add(1);
        let len = offsets.end.saturating_sub(offsets.start);
        let in_unit = (end.wrapping_sub(1) & unit.wrapping_sub(1)).wrapping_add(1);
        end.wrapping_sub(if len < in_unit { len } else { in_unit })..end
    }
}
