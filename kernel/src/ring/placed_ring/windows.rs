//! Windows over busy sets, as a class sees them: what it may not have counts as busy, and where it is not served, everything does.

use core::ops::Range;

use super::Asked;
use crate::column::{Column, busy};
use crate::{
    placement::{ClassEntry, Classes, Free, Geometry},
    ring::{
        growing_sets::GrowingSets,
        growing_window::GrowingWindow,
        sliding_sets::{ALLOWANCE, Measure},
    },
};

/// What a window is tested for.
#[derive(Clone, Copy)]
pub(super) struct Test<'r, C> {
    pub(super) geometry: &'r Geometry,
    pub(super) existing: &'r [C],
    pub(super) eligible: &'r [C],
    pub(super) entry: ClassEntry,
    /// How many are asked for; 0 when only the number of free ones matters.
    pub(super) pes: u32,
}

/// As many as are never busy.
const ALL: u32 = u32::MAX;

impl<'r, C: Column> Test<'r, C> {
    pub(super) fn new(classes: &'r Classes<'_, C>, asked: Asked) -> Self {
        Self {
            geometry: classes.geometry,
            existing: classes.existing,
            eligible: classes.mask(asked.entry),
            entry: classes.entry(asked.entry),
            pes: asked.pes,
        }
    }

    fn serves(&self, busy: &[C]) -> bool {
        let free = Free {
            geometry: self.geometry,
            busy,
            eligible: self.eligible,
        };
        free.serve(&self.entry, self.pes)
    }
}

impl<C: Column> Measure<C> for Test<'_, C> {
    /// Windows that fail a test of groups mostly fail it in a part as well, which only the sweep finds out.
    fn allowance(&self) -> usize {
        if self.entry.number_decides() {
            ALLOWANCE
        } else {
            0
        }
    }

    /// Adds what the class may not have to what is busy, and returns how many that are, or [`ALL`] if the others do not serve the class. O(columns), and
    /// for groups or a required level O(words + blocks).
    fn busy(&self, joined: &mut [C]) -> u32 {
        let masks = self.existing.iter().zip(self.eligible);
        for (joined, (existing, eligible)) in joined.iter_mut().zip(masks) {
            *joined = joined.join(existing.and_not(*eligible));
        }
        // Groups that do not suffice are found out faster than how many are busy.
        if self.pes > 0 && !self.entry.number_decides() && !self.serves(joined) {
            return ALL;
        }
        busy(joined)
    }
}

/// A growing window as a class sees it.
pub(super) struct PlacedGrowing<'r, C> {
    pub(super) sets: GrowingSets<'r, C>,
    pub(super) test: Test<'r, C>,
}

impl<C: Column> GrowingWindow for PlacedGrowing<'_, C> {
    const COUNTS_DECIDE: bool = false;

    fn begin_with(&mut self, window: Range<usize>) {
        self.sets.begin_with(window);
        self.sets.busy = self.test.busy(self.sets.joined);
    }

    fn extend(&mut self, offset: usize, max_busy: u32) -> bool {
        let before = self.sets.busy;
        if !self.sets.extend(offset, max_busy) {
            return false;
        }
        if self.test.busy(self.sets.joined) > max_busy {
            // The window before is now the candidate.
            core::mem::swap(&mut self.sets.joined, &mut self.sets.candidate);
            self.sets.busy = before;
            return false;
        }
        true
    }

    fn busy(&self) -> u32 {
        self.sets.busy()
    }
}
