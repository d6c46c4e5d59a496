//! What rules can take something of: rings, and the slots in them.

use core::ops::Range;

#[cfg(feature = "placement")]
use super::placed_ring::PlacedRing;
use super::{
    bare::Ring,
    count_ring::CountRing,
    occupancy::{Occupancy, SetPart, SetParts, SlotWriter},
    pe_ring::{PeRing, column_mask},
    scan::Scan,
};
use crate::{
    column::{Column, busy},
    error::{Error, UsageError},
    pe::has,
    rule::Absent,
    violation::Violation,
};

/// The slots of a ring as rules see them: counts, or sets.
pub(crate) trait Base: SlotWriter + SetParts {
    /// Marks a number of processing elements, or a set, throughout `offsets`.
    fn mark(&mut self, offsets: Range<usize>, pes: u32, set: &[Self::Part], busy: bool);

    /// Makes nothing busy throughout `offsets` but a number of processing elements, or a set. The edges stay.
    fn begin_with(&mut self, offsets: Range<usize>, pes: u32, set: &[Self::Part]);

    /// Returns whether [`mark`](Self::mark) may be called.
    fn can_mark(&self, offsets: Range<usize>, pes: u32, set: &[Self::Part], busy: bool) -> bool;

    /// Returns how many a number, or a set, has.
    fn members(pes: u32, set: &[Self::Part]) -> u32;

    /// Returns what is in a part of a set and not in another.
    fn without(part: Self::Part, other: Self::Part) -> Self::Part;

    /// Adds a part of a set to another.
    fn join(to: &mut Self::Part, part: Self::Part);

    /// Returns whether two sets have something in common.
    fn meet(one: &[Self::Part], other: &[Self::Part]) -> bool;
}

/// A ring that rules can take something of.
pub(crate) trait Based: Ring<Part: SetPart<Count = u16>> {
    /// Its slots, apart from who may have which processing elements in them.
    type Base: Base<Part = Self::Part>;

    /// Returns its slots.
    fn base(&mut self) -> &mut Self::Base;

    /// Returns how many parts a set has.
    fn parts(&self) -> usize;

    /// Returns the set that was noted; rings without a layout note none.
    #[cfg(feature = "placement")]
    fn noted_set(&mut self) -> &mut [Self::Part] {
        &mut []
    }

    /// Claims, for `row`, so many that are free throughout `offsets`: of sets, the lowest-numbered that are not in this one; with late binding, so many have to be idle. When there are fewer, does nothing and returns `false`.
    fn claim_besides(
        &mut self,
        row: usize,
        offsets: Range<usize>,
        pes: u32,
        set: &[Self::Part],
    ) -> bool;

    /// Writes what is not there to a set, which is empty, or returns its number.
    fn read(&self, absent: Absent<'_>, set: &mut [Self::Part]) -> Result<u32, Error>;

    /// Checks that summaries and edges agree with the slots, and that no more is busy than the machine has.
    fn verify_slots(&self) -> Result<(), Violation>;
}

impl<S: Scan> Base for CountRing<'_, S> {
    fn mark(&mut self, offsets: Range<usize>, pes: u32, _set: &[()], busy: bool) {
        self.write(offsets, pes, busy);
    }

    fn begin_with(&mut self, offsets: Range<usize>, pes: u32, _set: &[()]) {
        S::fill(&mut self.counts, self.axis, offsets, pes as u16);
    }

    fn can_mark(&self, offsets: Range<usize>, pes: u32, _set: &[()], busy: bool) -> bool {
        self.can_write(offsets, pes, busy)
    }

    fn members(pes: u32, _set: &[()]) -> u32 {
        pes
    }

    fn without(_part: (), _other: ()) {}

    fn join(_to: &mut (), _part: ()) {}

    fn meet(_one: &[()], _other: &[()]) -> bool {
        false
    }
}

impl<S: Scan> Based for CountRing<'_, S> {
    type Base = Self;

    fn base(&mut self) -> &mut Self {
        self
    }

    fn parts(&self) -> usize {
        0
    }

    fn claim_besides(&mut self, row: usize, offsets: Range<usize>, pes: u32, _: &[()]) -> bool {
        // Whoever has ended and is yet to be told so still runs on some.
        let machine = self.owner.iter().take(self.axis.width() as usize);
        let idle = machine.filter(|owner| **owner == 0).count();
        idle >= pes as usize && self.claim(row, offsets, pes)
    }

    fn read(&self, absent: Absent<'_>, _set: &mut [()]) -> Result<u32, Error> {
        self.number(absent)
    }

    fn verify_slots(&self) -> Result<(), Violation> {
        if self
            .counts
            .busy
            .iter()
            .any(|busy| u32::from(*busy) > self.axis.width())
        {
            return Err(Violation::TooManyBusy);
        }
        self.verify_summaries()
    }
}

impl<C: Column, S: Scan> Base for PeRing<'_, C, S> {
    fn mark(&mut self, offsets: Range<usize>, _pes: u32, set: &[C], busy: bool) {
        self.write(offsets, set, busy);
    }

    fn begin_with(&mut self, offsets: Range<usize>, pes: u32, set: &[C]) {
        self.fill(offsets, set, pes);
    }

    fn can_mark(&self, offsets: Range<usize>, _pes: u32, set: &[C], busy: bool) -> bool {
        self.can_write(offsets, set, busy)
    }

    fn members(_pes: u32, set: &[C]) -> u32 {
        busy(set)
    }

    fn without(part: C, other: C) -> C {
        part.and_not(other)
    }

    fn join(to: &mut C, part: C) {
        *to = to.join(part);
    }

    fn meet(one: &[C], other: &[C]) -> bool {
        let mut parts = one.iter().zip(other);
        parts.any(|(one, other)| !one.and(*other).is_idle())
    }
}

impl<C: Column, S: Scan> Based for PeRing<'_, C, S> {
    type Base = Self;

    fn base(&mut self) -> &mut Self {
        self
    }

    fn parts(&self) -> usize {
        self.joined.len()
    }

    fn claim_besides(&mut self, row: usize, offsets: Range<usize>, pes: u32, set: &[C]) -> bool {
        self.claim_not(row, offsets, pes, set)
    }

    fn read(&self, absent: Absent<'_>, set: &mut [C]) -> Result<u32, Error> {
        let machine = self.axis.width() as usize;
        let Absent::These(words) = absent else {
            return Err(UsageError::BadPes.into());
        };
        let numbers = 0..words.len().saturating_mul(32);
        let mut count = 0_u32;
        for number in numbers.filter(|number| has(words, *number)) {
            count = count.saturating_add(1);
            let column = number.checked_div(C::BITS).unwrap_or_default();
            let place = number.checked_rem(C::BITS).unwrap_or_default();
            if let Some(part) = set.get_mut(column) {
                let member = C::lowest(place.saturating_add(1)).and_not(C::lowest(place));
                *part = part.join(member);
            }
            if number >= machine {
                return Err(UsageError::BadPes.into());
            }
        }
        if count == 0 || words.len() != machine.div_ceil(32) {
            return Err(UsageError::BadPes.into());
        }
        Ok(count)
    }

    fn verify_slots(&self) -> Result<(), Violation> {
        let machine = self.axis.width() as usize;
        self.verify_summaries(|number| column_mask(machine, number))
    }
}

#[cfg(feature = "placement")]
impl<'a, C: Column, S: Scan> Based for PlacedRing<'a, C, S> {
    type Base = PeRing<'a, C, S>;

    fn base(&mut self) -> &mut PeRing<'a, C, S> {
        &mut self.sets
    }

    fn parts(&self) -> usize {
        self.sets.parts()
    }

    fn noted_set(&mut self) -> &mut [C] {
        self.classes.candidate
    }

    fn claim_besides(&mut self, row: usize, offsets: Range<usize>, pes: u32, set: &[C]) -> bool {
        self.claim_not(row, offsets, pes, set)
    }

    fn read(&self, absent: Absent<'_>, set: &mut [C]) -> Result<u32, Error> {
        let Absent::These(words) = absent else {
            return Err(UsageError::BadPes.into());
        };
        let read = self.classes.read_set(words, set);
        read.ok_or(UsageError::BadPes.into())
    }

    fn verify_slots(&self) -> Result<(), Violation> {
        self.sets
            .verify_summaries(|number| self.classes.existing_in(number))
    }
}
