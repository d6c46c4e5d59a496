//! Windows over busy sets, as a class sees them: what it may not have counts as busy, and where it is not served, everything does.

use core::ops::Range;

use super::Asked;
use crate::column::Column;
use crate::{
    placement::{ClassEntry, Classes, Free, Geometry},
    ring::{
        growing_sets::GrowingSets,
        growing_window::GrowingWindow,
        scan::Scan,
        sliding_sets::SlidingSets,
        sliding_window::{BulkWindow, GroupedWindows, SlidingWindow},
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
    pub(super) pes: u16,
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

    /// Adds what the class may not have to what is busy, and returns how many that are, or [`ALL`] if the others do not serve the class. O(columns), and
    /// for groups or a required level O(words + blocks).
    fn busy(&self, joined: &mut [C]) -> u32 {
        let mut busy = 0_u32;
        let masks = self.existing.iter().zip(self.eligible);
        for (joined, (existing, eligible)) in joined.iter_mut().zip(masks) {
            *joined = joined.join(existing.and_not(*eligible));
            busy = busy.wrapping_add(joined.busy());
        }
        let enough = u32::from(self.geometry.pes).checked_sub(self.pes.into());
        let may_serve = enough.is_some_and(|most| busy <= most);
        if self.pes > 0 && !self.entry.number_decides() && may_serve && !self.serves(joined) {
            return ALL;
        }
        busy
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

/// A sliding window as a class sees it.
pub(super) struct PlacedSliding<'r, C, S> {
    sets: SlidingSets<'r, C, S>,
    test: Test<'r, C>,
    busy_of_fit: u32,
    /// Starts of one group, and how many are busy at least in their windows.
    group: Range<usize>,
    busy_in_group: u32,
}

impl<'r, C: Column, S: Scan> PlacedSliding<'r, C, S> {
    pub(super) const fn new(sets: SlidingSets<'r, C, S>, test: Test<'r, C>) -> Self {
        Self {
            sets,
            test,
            busy_of_fit: 0,
            group: 0..0,
            busy_in_group: 0,
        }
    }
}

impl<C: Column, S: Scan> SlidingWindow for PlacedSliding<'_, C, S> {
    fn last_blocked(
        &mut self,
        start: usize,
        unchecked: Range<usize>,
        max_busy: u16,
    ) -> Option<usize> {
        let blocked = self.sets.last_blocked(start, unchecked, max_busy);
        if blocked.is_some() {
            return blocked;
        }
        self.busy_of_fit = self.test.busy(self.sets.joined());
        (self.busy_of_fit > u32::from(max_busy)).then_some(start)
    }

    fn busy_of_fit(&self, _start: usize) -> u32 {
        self.busy_of_fit
    }

    fn slide_to(&mut self, start: usize) -> u32 {
        self.sets.slide_to(start);
        self.test.busy(self.sets.joined())
    }

    fn last_start_above(&self, start: usize, max_busy: u32) -> usize {
        let last = self.sets.last_start_above(start, max_busy);
        if self.group.contains(&start) && self.busy_in_group > max_busy {
            return last.max(self.group.end.saturating_sub(1));
        }
        last
    }

    fn conflicts(&self, offset: usize) -> bool {
        self.sets.conflicts(offset)
    }

    fn rectangle(&mut self, window: Range<usize>, within: Range<usize>) -> Range<usize> {
        self.sets.rectangle(window, within)
    }
}

impl<C: Column, S: Scan> BulkWindow for PlacedSliding<'_, C, S> {
    fn in_groups(&mut self) -> Option<&mut dyn GroupedWindows> {
        if C::WIDE { Some(self) } else { None }
    }
}

impl<C: Column, S: Scan> GroupedWindows for PlacedSliding<'_, C, S> {
    fn group(&self, start: usize) -> Range<usize> {
        self.sets.group(start)
    }

    fn busy_in_all(&mut self, start: usize) -> u32 {
        self.sets.busy_in_all(start);
        self.group = self.sets.group(start);
        self.busy_in_group = self.test.busy(self.sets.joined());
        self.busy_in_group
    }

    fn busy_in_any(&self, start: usize) -> u32 {
        // What the class may not have is in `joined` already.
        self.sets.busy_in_any(start)
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

    fn extend(&mut self, offset: usize, max_busy: u16) -> bool {
        let before = self.sets.busy;
        if !self.sets.extend(offset, max_busy) {
            return false;
        }
        if self.test.busy(self.sets.joined) > u32::from(max_busy) {
            // The window before is now the candidate.
            core::mem::swap(&mut self.sets.joined, &mut self.sets.candidate);
            self.sets.busy = before;
            return false;
        }
        true
    }

    fn busy(&self) -> u16 {
        self.sets.busy()
    }
}
