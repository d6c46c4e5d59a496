//! An ordered map of changes, searched step by step: what a long ring is compared with.

use std::collections::BTreeMap;

use bookahead::Request;

/// What is busy in a slot.
pub trait Busy: Copy + PartialEq + Default {
    /// What is busy at some time of two.
    #[must_use]
    fn join(self, other: Self) -> Self;

    /// How many processing elements that are.
    fn number(self) -> u16;

    /// What a newcomer takes where this is busy.
    #[must_use]
    fn lowest_free(self, pes: u16) -> Self;

    /// This and what is taken of the rest.
    #[must_use]
    fn with(self, taken: Self) -> Self;

    /// This without what is given back.
    #[must_use]
    fn without(self, taken: Self) -> Self;
}

/// With late binding: how many.
impl Busy for u16 {
    fn join(self, other: Self) -> Self {
        self.max(other)
    }

    fn number(self) -> u16 {
        self
    }

    fn lowest_free(self, pes: u16) -> Self {
        pes
    }

    fn with(self, taken: Self) -> Self {
        self + taken
    }

    fn without(self, taken: Self) -> Self {
        self - taken
    }
}

/// With early binding: which of up to 64.
impl Busy for u64 {
    fn join(self, other: Self) -> Self {
        self | other
    }

    fn number(self) -> u16 {
        self.count_ones() as u16
    }

    fn lowest_free(self, pes: u16) -> Self {
        let free = (0..64).filter(|pe| self >> pe & 1 == 0);
        free.take(pes.into()).map(|pe| 1 << pe).sum()
    }

    fn with(self, taken: Self) -> Self {
        assert_eq!(self & taken, 0, "what is taken was free");
        self | taken
    }

    fn without(self, taken: Self) -> Self {
        self & !taken
    }
}

/// What is busy from each slot on, up to the next slot that is named.
#[derive(Clone, Debug, Default)]
pub struct Changes<B>(BTreeMap<u64, B>);

impl<B: Busy> Changes<B> {
    fn at(&self, slot: u64) -> B {
        let before = self.0.range(..=slot).next_back();
        before.map_or(B::default(), |(_, busy)| *busy)
    }

    /// The next slot that is named.
    fn next(&self, after: u64) -> u64 {
        let next = self.0.range(after + 1..).next();
        next.map_or(u64::MAX, |(slot, _)| *slot)
    }

    /// What is busy at some time of a window, or where the first step ends in which more than `most` are.
    fn during(&self, start: u64, end: u64, most: u16) -> Result<B, u64> {
        let mut joined = self.at(start);
        let mut busy = joined;
        for (slot, later) in self.0.range(start + 1..) {
            if busy.number() > most {
                return Err(*slot);
            }
            if *slot >= end {
                return Ok(joined);
            }
            busy = *later;
            joined = joined.join(busy);
        }
        if busy.number() > most {
            return Err(u64::MAX);
        }
        Ok(joined)
    }

    /// The earliest start with at most `most` busy, and what is busy then.
    #[must_use]
    pub fn first_fit(&self, request: &Request, most: u16) -> Option<(u64, B)> {
        self.first_fit_from(request.ready.get(), request, most)
    }

    fn first_fit_from(&self, from: u64, request: &Request, most: u16) -> Option<(u64, B)> {
        let length = u64::from(request.duration.get());
        let mut start = from;
        while start.checked_add(length)? <= request.deadline.get() {
            match self.during(start, start + length, most) {
                Ok(busy) if busy.number() <= most => return Some((start, busy)),
                Ok(_) => start = self.next(start),
                Err(end) => start = end,
            }
        }
        None
    }

    /// The earliest of the starts with the fewest busy on a machine of so many, and what is busy then.
    #[must_use]
    pub fn worst_fit(&self, request: &Request, machine: u16) -> Option<(u64, B)> {
        let mut most = machine - request.pes.get() as u16;
        let mut best = self.first_fit(request, most);
        while let Some((start, busy)) = best {
            let Some(fewer) = busy.number().checked_sub(1) else {
                break;
            };
            most = fewer;
            let better = self.first_fit_from(start + 1, request, most);
            if better.is_none() {
                break;
            }
            best = better;
        }
        best
    }

    /// What a newcomer takes that has been given a window.
    #[must_use]
    pub fn taken(&self, start: u64, end: u64, pes: u16) -> B {
        let busy = self.during(start, end, u16::MAX);
        busy.unwrap_or_default().lowest_free(pes)
    }

    /// Changes what is busy in a window.
    pub fn change(&mut self, start: u64, end: u64, change: impl Fn(B) -> B) {
        for slot in [start, end] {
            let busy = self.at(slot);
            self.0.insert(slot, busy);
        }
        for (_, busy) in self.0.range_mut(start..end) {
            *busy = change(*busy);
        }
        for slot in [start, end] {
            let before = slot
                .checked_sub(1)
                .map_or(B::default(), |before| self.at(before));
            if before == self.at(slot) {
                self.0.remove(&slot);
            }
        }
    }

    /// Forgets what has passed.
    pub fn forget_before(&mut self, now: u64) {
        let busy = self.at(now);
        self.0 = self.0.split_off(&now);
        self.0.insert(now, busy);
    }
}
