//! Sliding windows over busy sets.

mod groups;
mod probe;
mod rectangle;

use core::{marker::PhantomData, ops::Range};

use super::{
    axis::Axis,
    busy_sets::{BusySets, ColumnView, GROUP},
    counts::Counts,
    far_unions::FarUnions,
    scan::Scan,
    sliding_window::{BulkWindow, GroupedWindows, SlidingWindow},
    sweep::{Stacks, Sweep},
};
use crate::column::{Column, busy, chunk};

/// As [`Measure::allowance`], where how many are busy decides.
pub(crate) const ALLOWANCE: usize = 2;

/// How busy a set is that is given column by column. What contains a set is at least as busy.
pub(crate) trait Measure<C: Column> {
    /// Returns how many elements per slot of its range a search over wide columns may read in single windows before it turns to the sweep, whose cost is
    /// linear in the worst case.
    fn allowance(&self) -> usize {
        ALLOWANCE
    }

    /// Returns how busy a set is, and adds to it what is never free.
    fn busy(&self, set: &mut [C]) -> u32;

    /// Stores a set, and returns as [`busy`](Self::busy).
    #[inline(always)]
    fn store(&self, parts: impl Iterator<Item = C>, set: &mut [C]) -> u32 {
        for (to, part) in set.iter_mut().zip(parts) {
            *to = part;
        }
        self.busy(set)
    }

    /// Returns as [`busy`](Self::busy), with scratch memory for a set.
    #[inline(always)]
    fn busy_of(&self, parts: impl Iterator<Item = C>, scratch: &mut [C]) -> u32 {
        self.store(parts, scratch)
    }
}

/// As busy as many are.
pub(crate) struct Number;

impl<C: Column> Measure<C> for Number {
    #[inline(always)]
    fn busy(&self, set: &mut [C]) -> u32 {
        busy(set)
    }

    #[inline(always)]
    fn store(&self, parts: impl Iterator<Item = C>, set: &mut [C]) -> u32 {
        let mut busy = 0_u32;
        for (to, part) in set.iter_mut().zip(parts) {
            busy = busy.wrapping_add(part.busy());
            *to = part;
        }
        busy
    }

    #[inline(always)]
    fn busy_of(&self, parts: impl Iterator<Item = C>, _scratch: &mut [C]) -> u32 {
        parts.fold(0, |sum, part| sum.wrapping_add(part.busy()))
    }
}

/// Sliding windows over busy sets.
///
/// Narrow columns are swept slot by slot. Wide columns are expensive to fetch, so their unions of 8 slots are swept. What is busy in all windows
/// that begin in the same 8 slots, their core, then comes with a few loads, and so does what is busy in any of them. Where these do not decide,
/// all 8 windows are joined at once.
pub(crate) struct SlidingSets<'r, C, S, M> {
    axis: &'r Axis,
    counts: &'r Counts<'r>,
    rows: &'r [C],
    any: &'r [C],
    /// What is busy at some time of the current window.
    joined: &'r mut [C],
    /// Over wide columns, the windows are the cores, in groups of 8 slots.
    sweep: Sweep<'r, C>,
    duration: usize,
    /// The position of the group whose windows are stored; of none at first. They lie behind the stacks of the sweep, column by column, and behind
    /// them what is busy in the window of the last rectangle.
    stored: usize,
    /// The last rectangle.
    known: Range<usize>,
    far: FarUnions<'r, C>,
    /// Elements that may still be read in single windows.
    allowance: usize,
    /// How many are busy in the window that was examined last.
    busy_of_fit: u32,
    /// Whether the next window is unlikely to fit.
    doubtful: bool,
    measure: M,
    scan: PhantomData<S>,
}

impl<'r, C: Column, S: Scan, M: Measure<C>> SlidingSets<'r, C, S, M> {
    /// Creates the windows of a search over a range of `reach` slots; `joined` is scratch memory.
    pub(crate) fn new(
        axis: &'r Axis,
        counts: &'r Counts<'r>,
        busy: &'r BusySets<'_, C>,
        joined: &'r mut [C],
        stacks: Stacks<'r, C>,
        (duration, reach): (usize, usize),
        measure: M,
    ) -> Self {
        let Stacks { suffixes, prefix } = stacks;
        // Over wide columns, the stacks and the windows take little more than the unions of 8 slots.
        let near = if C::WIDE {
            busy.any
                .len()
                .saturating_add(joined.len().saturating_mul(GROUP + 1))
        } else {
            suffixes.len()
        };
        let (suffixes, far) = suffixes.split_at_mut_checked(near).unwrap_or_default();
        let stacks = Stacks { suffixes, prefix };
        let sweep = if C::WIDE {
            let groups = (duration / GROUP).saturating_sub(1);
            Sweep::new(axis.circle_of_groups(GROUP), busy.any, stacks, groups)
        } else {
            Sweep::new(axis.circle(), busy.rows, stacks, duration)
        };
        Self {
            axis,
            counts,
            rows: busy.rows,
            any: busy.any,
            joined,
            sweep,
            duration,
            stored: usize::MAX,
            known: 0..0,
            far: FarUnions::new(far),
            allowance: reach.saturating_mul(measure.allowance()),
            busy_of_fit: 0,
            doubtful: false,
            measure,
            scan: PhantomData,
        }
    }

    fn column(&self, number: usize) -> ColumnView<'_, C> {
        let storage = self.axis.storage();
        ColumnView {
            rows: chunk(self.rows, number, storage),
            any: chunk(self.any, number, storage / GROUP),
        }
    }
}

impl<C: Column, S: Scan, M: Measure<C>> SlidingWindow for SlidingSets<'_, C, S, M> {
    fn last_blocked(
        &mut self,
        start: usize,
        unchecked: Range<usize>,
        max_busy: u32,
    ) -> Option<usize> {
        // Where they are read slot by slot, reading narrow sets takes no longer than reading their counts, and decides more.
        if C::WIDE || S::BULK {
            let blocked = self
                .counts
                .last_above::<S>(self.axis, unchecked, max_busy as u16);
            if blocked.is_some() {
                return blocked;
            }
        }
        let price = (self.duration / GROUP).saturating_add(GROUP);
        if (C::WIDE || S::BULK)
            && let Some(left) = self.allowance.checked_sub(price)
        {
            self.allowance = left;
            return self.probe(start, max_busy);
        }
        if C::WIDE
            && let Some(blocked) = self.blocked_group(start, max_busy)
        {
            return Some(blocked);
        }
        self.busy_of_fit = self.slide_to(start);
        (self.busy_of_fit > max_busy).then_some(start)
    }

    fn busy_of_fit(&self, _start: usize) -> u32 {
        self.busy_of_fit
    }

    fn slide_to(&mut self, start: usize) -> u32 {
        if C::WIDE {
            return self.load_window(start);
        }
        self.sweep.slide_to(start);
        self.measure.store(self.sweep.joined(start), self.joined)
    }

    fn last_start_above(&mut self, start: usize, max_busy: u32) -> usize {
        if C::WIDE {
            self.settled_by_core(start, max_busy).unwrap_or(start)
        } else {
            start
        }
    }

    fn conflicts(&self, offset: usize) -> bool {
        let storage = self.axis.storage();
        let index = self.axis.index(offset);
        self.joined.iter().enumerate().any(|(number, joined)| {
            let row = chunk(self.rows, number, storage).get(index);
            row.is_some_and(|row| !row.and_not(*joined).is_idle())
        })
    }

    fn rectangle(&mut self, window: Range<usize>, within: Range<usize>) -> Range<usize> {
        // Narrow columns are cheap to read.
        if C::WIDE {
            self.known_rectangle(window, within)
        } else {
            self.grown(&window, within)
        }
    }
}

impl<C: Column, S: Scan, M: Measure<C>> BulkWindow for SlidingSets<'_, C, S, M> {
    fn surely_fits(&mut self, start: usize, max_busy: u32) -> bool {
        C::WIDE && self.fits_in_groups(start, max_busy)
    }

    fn in_groups(&mut self) -> Option<&mut dyn GroupedWindows> {
        // Not by `then_some`, which programs for narrow columns only would pay for with all methods of the groups.
        if C::WIDE { Some(self) } else { None }
    }
}
