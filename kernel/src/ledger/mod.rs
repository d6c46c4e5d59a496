//! The ledger: rows of live reservations, their handles, their order by start, and the timer heap of their next events.

mod freeze;
#[cfg(feature = "journal")]
mod kept;
mod lists;
#[cfg(feature = "journal")]
mod notes;
mod row;
#[cfg(test)]
mod tests;
mod timers;

pub(crate) use freeze::terms;
#[cfg(feature = "journal")]
pub(crate) use kept::{Counters, ROW_BYTES};
pub(crate) use lists::First;
#[cfg(feature = "journal")]
pub use notes::{JournalParts, JournalState, Note};
pub(crate) use row::{Phase, mark};
pub use row::{Placement, Reservation, Row, State};
pub use timers::Timer;

#[cfg(feature = "plan")]
use crate::best_effort::Preemption;
use core::ops::Range;

use crate::{
    error::{Error, UsageError},
    handle::Handle,
    ring::{Axis, CountOf, Width},
    time::{Slot, Span, Window},
    version::Version,
    violation::Violation,
};
use lists::walk;
use timers::Timers;

/// The scalars of a ledger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct LedgerState {
    /// The number of changes of bookings, to detect stale plans.
    pub(crate) revision: u64,
    /// The number of acceptances.
    pub(crate) accepted: u64,
    /// Set by the caller, to reject what was made for another book.
    pub(crate) incarnation: u32,
    /// Rows from here on have never been used.
    fresh: u32,
    /// The list of used rows that are vacant again, linked by `next`, the longest vacant first: 1 + a row, or 0.
    vacant: u32,
    /// The last row of that list.
    vacated: u32,
    /// Rows whose generations are used up.
    pub(crate) retired: u32,
    /// The number of live rows, which is the length of the timer heap.
    live: u32,
    pub(crate) running: First,
    /// An upper bound of the booked durations.
    pub(crate) longest: Span,
}

impl LedgerState {
    /// No reservation.
    pub(crate) const EMPTY: Self = Self {
        revision: 0,
        accepted: 0,
        incarnation: 0,
        fresh: 0,
        vacant: 0,
        vacated: 0,
        retired: 0,
        live: 0,
        running: 0,
        longest: Span::ZERO,
    };
}

/// The rows of the book over a ring.
pub(crate) type RowOf<R> = Row<CountOf<R>>;

/// Stands for the list of running reservations, where an index of a start list is expected.
pub(crate) const RUNNING: usize = usize::MAX;

/// The ledger: a view of its memory.
///
/// Invariants: live, vacant, retired and fresh rows make up all rows. A reservation that has not started is in the list
/// of its start slot, in order of acceptance; a running one is in the list of running ones, in order of start. Every
/// live row is in the timer heap.
///
/// Source: `sulistio`, section 2.3 (the reservations that start in a slot hang on that slot).
pub(crate) struct Ledger<'a, N = u16> {
    pub(crate) state: &'a mut LedgerState,
    pub(crate) rows: &'a mut [Row<N>],
    /// For each index of the ring, the list of reservations that start in its slot.
    pub(crate) starts: &'a mut [First],
    pub(crate) timers: &'a mut [Timer],
    /// Which rows have changed, if anybody wants to know.
    #[cfg(feature = "journal")]
    pub(crate) journal: Option<JournalParts<'a>>,
}

impl<N: Width> Ledger<'_, N> {
    pub(crate) const fn live(&self) -> usize {
        self.state.live as usize
    }

    /// Returns the row that the next reservation will take: one that has never been used, or the one that has been
    /// vacant longest. So each row is reused as rarely as possible, and its generations last.
    pub(crate) fn next_row(&self) -> Option<usize> {
        let fresh = self.state.fresh as usize;
        let row = if fresh < self.rows.len() {
            fresh
        } else {
            self.state.vacant.checked_sub(1)? as usize
        };
        (row < self.rows.len()).then_some(row)
    }

    /// Inserts a reservation into `row`, which must be the one of [`Self::next_row`], and into the list at `index`. It
    /// has no timer yet.
    // Not inlined on small devices, so that the code exists once in a program.
    #[cfg_attr(not(target_pointer_width = "64"), inline(never))]
    pub(crate) fn insert(&mut self, row: usize, index: usize, entry: &Row<N>) -> Handle {
        let old = self.rows.get(row).copied().unwrap_or_default();
        if old.generation == 0 {
            self.state.fresh = self.state.fresh.saturating_add(1);
        } else {
            self.state.vacant = old.next;
            if old.next == 0 {
                self.state.vacated = 0;
            }
        }
        let new = Row {
            accepted: self.state.accepted,
            generation: old.generation.saturating_add(1),
            ..*entry
        };
        if let Some(cell) = self.rows.get_mut(row) {
            *cell = new;
        }
        self.state.accepted = self.state.accepted.wrapping_add(1);
        self.state.longest = self.state.longest.max(new.reach());
        self.note(row);
        self.link(row, index);
        new.handle(row)
    }

    /// Returns the rows of the running ones, in order.
    pub(crate) fn running(&self) -> impl Iterator<Item = usize> + Clone {
        walk(self.rows, self.state.running)
    }

    /// Returns the rows of those that start at these offsets, in order.
    pub(crate) fn starting<'l>(
        &'l self,
        axis: &'l Axis,
        offsets: Range<usize>,
    ) -> impl Iterator<Item = usize> + use<'l, N> {
        // In most slots nobody starts.
        let some = |index: &usize| self.starts.get(*index).is_some_and(|first| *first > 0);
        let indices = offsets.map(move |offset| axis.index(offset)).filter(some);
        indices.flat_map(|index| self.listed(index))
    }

    /// Returns the rows of the start list at `index`, in order.
    pub(crate) fn listed(&self, index: usize) -> impl Iterator<Item = usize> {
        let first = self.starts.get(index).copied();
        walk(self.rows, first.unwrap_or_default())
    }

    /// Inserts `row` into the start list at `index`, or into the list of running ones for [`RUNNING`].
    pub(crate) fn link(&mut self, row: usize, index: usize) {
        let first = self.starts.get_mut(index);
        lists::insert(self.rows, first.unwrap_or(&mut self.state.running), row);
    }

    /// Removes `row` from the start list at `index`, or from the list of running ones for [`RUNNING`].
    pub(crate) fn unlink(&mut self, row: usize, index: usize) {
        let first = self.starts.get_mut(index);
        lists::remove(self.rows, first.unwrap_or(&mut self.state.running), row);
    }

    /// Marks a reservation as running, and moves it from the start list at `index` to the list of running ones.
    pub(crate) fn start(&mut self, row: usize, index: usize, now: Slot) {
        self.unlink(row, index);
        self.enter(row, Phase::RUNNING, now);
        self.link(row, RUNNING);
    }

    /// Takes a reservation out of the list at `index`, and its timer away.
    pub(crate) fn take_out(&mut self, row: usize, index: usize, now: Slot) {
        self.unlink(row, index);
        self.timers(now).remove(row as u32);
    }

    /// Counts a change of the bookings, which makes plans stale.
    pub(crate) const fn changed(&mut self) {
        self.state.revision = self.state.revision.wrapping_add(1);
        #[cfg(feature = "journal")]
        if let Some(journal) = &mut self.journal {
            journal.state.seen = self.state.revision;
        }
    }

    /// Notes that a row is not as it was when the last record was written.
    #[inline]
    pub(crate) fn note(&mut self, _row: usize) {
        #[cfg(feature = "journal")]
        if let Some(journal) = &mut self.journal {
            journal.note(_row);
        }
    }

    /// Makes `row`, which must be in no list and have no timer, vacant. It is reused after all other vacant rows, or
    /// never if its generations are used up.
    pub(crate) fn vacate(&mut self, row: usize) {
        #[cfg(feature = "journal")]
        if let Some(journal) = &mut self.journal {
            journal.note_vacant(row);
        }
        let Some(old) = self.rows.get_mut(row) else {
            return;
        };
        // The row's other contents are meaningless from now on.
        (old.phase, old.marks, old.next) = (Phase::VACANT, 0, 0);
        if old.generation == u32::MAX {
            self.state.retired = self.state.retired.saturating_add(1);
            return;
        }
        let name = (row as u32).wrapping_add(1);
        let last = self.state.vacated.checked_sub(1);
        match last.and_then(|last| self.rows.get_mut(last as usize)) {
            Some(last) => last.next = name,
            None => self.state.vacant = name,
        }
        self.state.vacated = name;
    }

    /// Undoes the insertion of a reservation, accepted as number `accepted`, into `row`, which was `old` before and is
    /// in no list. Insertions are undone in reverse order.
    pub(crate) fn take_back(&mut self, row: usize, old: &Row<N>, accepted: u64) {
        self.state.accepted = accepted;
        if old.generation == 0 {
            self.state.fresh = row as u32;
        } else {
            self.state.vacant = (row as u32).wrapping_add(1);
            if old.next == 0 {
                self.state.vacated = self.state.vacant;
            }
        }
        if let Some(cell) = self.rows.get_mut(row) {
            *cell = *old;
        }
    }

    /// Notes that what belongs to no row is not as it was when the last record was written: classes, or when overlays were examined.
    pub(crate) const fn note_table(&mut self) {
        #[cfg(feature = "journal")]
        if let Some(journal) = &mut self.journal {
            journal.state.table = 1;
        }
    }

    /// Changes a row whose start is fixed then, and updates its timer.
    fn alter(&mut self, index: usize, now: Slot, change: impl FnOnce(&mut Row<N>)) {
        self.note(index);
        if let Some(row) = self.rows.get_mut(index) {
            change(row);
            let due = row.due_when_fixed();
            self.timers(now).changed(index as u32, due);
        }
    }

    /// Moves a reservation on to a phase in which its start is fixed, without the time to live of a hold and the terms
    /// of a flexible one. Not in a transaction, whose marks this would remove. Not inlined, to save code size.
    #[inline(never)]
    pub(crate) fn enter(&mut self, row: usize, phase: Phase, now: Slot) {
        self.alter(row, now, |row| {
            (row.phase, row.marks, row.note) = (phase, 0, 0);
        });
    }

    /// Moves the start of a reservation, which is in no list, by a slot; its end stays.
    #[cfg(feature = "risk")]
    pub(crate) fn postpone(&mut self, row: usize, now: Slot) {
        self.alter(row, now, |row| {
            row.lead = Span::new(row.lead.get().saturating_add(1));
            row.duration = Span::new(row.duration.get().saturating_sub(1));
        });
    }

    /// Makes the reservation in `row` confirmed and strict.
    pub(crate) fn fix(&mut self, row: usize, now: Slot) {
        self.enter(row, Phase::CONFIRMED, now);
    }

    /// Returns a live reservation.
    pub(crate) fn get(&self, handle: Handle) -> Result<Reservation, Error> {
        self.find(handle).map(|(_, row)| row.describe())
    }

    pub(crate) const fn version(&self) -> Version {
        Version {
            revision: self.state.revision,
            incarnation: self.state.incarnation,
        }
    }

    /// Returns the live row of `handle`, with its index.
    pub(crate) fn find(&self, handle: Handle) -> Result<(usize, &Row<N>), Error> {
        let index = handle.row as usize;
        let row = self.rows.get(index).ok_or(UsageError::UnknownHandle)?;
        if handle.generation == 0 || handle.generation > row.generation {
            return Err(UsageError::UnknownHandle.into());
        }
        if handle.generation < row.generation || !row.is_live() {
            return Err(UsageError::StaleHandle.into());
        }
        Ok((index, row))
    }

    /// Returns the index of the row of the next event, and when it is due.
    pub(crate) fn next_due(&self, now: Slot) -> Option<(usize, Slot)> {
        let timers = self.timers.get(..self.live())?;
        let next = timers.first()?;
        Some((next.row(), next.due(now)))
    }

    /// Confirms a hold, unless it has expired.
    pub(crate) fn confirm(&mut self, handle: Handle, now: Slot) -> Result<(), Error> {
        let (row, held) = self.find(handle)?;
        if !held.is_held() {
            return Err(UsageError::NotHeld.into());
        }
        if held.due_when_fixed() <= now {
            return Err(UsageError::HoldExpired.into());
        }
        self.fix(row, now);
        self.changed();
        Ok(())
    }

    /// Returns the row of a running job that is to end at `at`, the rest of its window from then on, and whether that
    /// changes anything.
    pub(crate) fn ending(&self, handle: Handle, at: Slot) -> Result<(usize, Window, bool), Error> {
        let (row, job) = self.find(handle)?;
        if !job.is_running() {
            return Err(UsageError::NotRunning.into());
        }
        let end = job.end();
        if at > end {
            return Err(UsageError::AfterBookedEnd.into());
        }
        let news = at < end || !job.is_marked(mark::ENDING) || job.is_cut();
        Ok((row, Window { start: at, end }, news))
    }

    /// Sets the end of the running job in `row` to `end`, and marks it as announced.
    pub(crate) fn set_end(&mut self, row: usize, end: Slot, now: Slot) {
        self.alter(row, now, |row| {
            #[cfg(feature = "plan")]
            row.forget_cut();
            row.marks |= mark::ENDING;
            row.duration = end.since(row.start()).unwrap_or_default();
        });
    }

    /// Lets the job without a known end in `row` be due so long after its start.
    #[cfg(feature = "outages")]
    pub(crate) fn arm(&mut self, row: usize, ahead: Span, now: Slot) {
        self.alter(row, now, |row| row.ahead = ahead);
    }

    /// Gives the job without a known end in `row` one.
    #[cfg(feature = "outages")]
    pub(crate) fn close(&mut self, row: usize, end: Slot, now: Slot) {
        let mut duration = Span::ZERO;
        self.alter(row, now, |row| {
            duration = end.since(row.start()).unwrap_or_default();
            (row.room, row.requested, row.duration) = (duration, duration, duration);
            row.ahead = Span::ZERO;
        });
        self.state.longest = self.state.longest.max(duration);
    }

    /// Ends the job of the queue in `row` at `end`, until there is room for the rest of it.
    #[cfg(feature = "plan")]
    pub(crate) fn cut(&mut self, row: usize, end: Slot, now: Slot) {
        self.alter(row, now, |row| row.cut(end));
    }

    /// Sets on which terms the job of the queue in `row` may be preempted.
    #[cfg(feature = "plan")]
    pub(crate) fn set_preemption(&mut self, row: usize, terms: &Preemption) {
        self.note(row);
        if let Some(row) = self.rows.get_mut(row) {
            row.set_preemption(terms);
        }
    }

    pub(crate) fn verify(
        &mut self,
        now: Slot,
        index_of: impl Fn(Slot) -> Option<usize>,
    ) -> Result<(), Violation> {
        let live = self.rows.iter().filter(|row| row.is_live()).count();
        let fresh = self.state.fresh as usize;
        let used = self.rows.get(..fresh).ok_or(Violation::Rows)?;
        let vacant = self.vacant_rows().ok_or(Violation::Rows)?;
        let unused = self.rows.get(fresh..).unwrap_or_default();
        let retired = used
            .iter()
            .filter(|row| !row.is_live() && row.generation == u32::MAX);
        let known = live
            .saturating_add(vacant)
            .saturating_add(self.state.retired as usize);
        if live != self.live()
            || known != used.len()
            || retired.count() != self.state.retired as usize
            || used.iter().any(|row| !self.is_sound(row))
            || unused.iter().any(|row| *row != Row::VACANT)
        {
            return Err(Violation::Rows);
        }
        let running = lists::verify(self.rows, self.state.running, Row::is_running);
        let mut listed = running.ok_or(Violation::List)?;
        for (index, first) in self.starts.iter().enumerate() {
            let here = |row: &Row<N>| {
                row.is_live() && !row.is_running() && index_of(row.start()) == Some(index)
            };
            let len = lists::verify(self.rows, *first, here).ok_or(Violation::List)?;
            listed = listed.saturating_add(len);
        }
        if listed != live {
            return Err(Violation::List);
        }
        if self.timers(now).in_order() {
            Ok(())
        } else {
            Err(Violation::Timer)
        }
    }

    /// Returns whether a used row is consistent with the counters.
    pub(crate) fn is_sound(&self, row: &Row<N>) -> bool {
        let accepted = row.accepted < self.state.accepted && row.reach() <= self.state.longest;
        row.generation > 0 && (accepted || !row.is_live())
    }

    /// Returns how many rows the list of vacant ones has; `None` if it has no end, or has a live or retired row in it.
    fn vacant_rows(&self) -> Option<usize> {
        let mut next = self.state.vacant;
        let mut last = 0;
        let mut len = 0_usize;
        for row in walk(self.rows, next) {
            let there = self.rows.get(row)?;
            if there.is_live() || there.generation == u32::MAX {
                return None;
            }
            last = next;
            next = there.next;
            len = len.saturating_add(1);
        }
        (next == 0 && last == self.state.vacated).then_some(len)
    }

    /// Returns the timer heap, at the time `now`.
    pub(crate) const fn timers(&mut self, now: Slot) -> Timers<'_, N> {
        Timers {
            heap: self.timers,
            rows: self.rows,
            len: &mut self.state.live,
            now: now.get() as u32,
        }
    }
}
