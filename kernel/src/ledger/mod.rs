//! The reservations that live: rows, their handles, their order by start, and when each needs attention next.

mod handle;
mod lists;
mod row;
#[cfg(test)]
mod tests;
mod timers;

pub use handle::Handle;
pub(crate) use lists::{First, walk};
pub(crate) use row::{Phase, mark};
pub use row::{Placement, Reservation, Row, State};
pub use timers::Timer;

use crate::{
    book::Version,
    error::{Error, UsageError},
    time::{Slot, Span, Window},
    violation::Violation,
};
use timers::Timers;

/// What a ledger keeps beside its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct LedgerState {
    /// Counts the changes of bookings, so that an outdated plan is noticed.
    pub(crate) revision: u64,
    /// Counts the acceptances.
    pub(crate) accepted: u64,
    /// Given by the caller, so that what was made for another book is noticed.
    pub(crate) incarnation: u32,
    /// Rows from here on have never been used.
    fresh: u32,
    /// Used rows that are vacant again, linked by `next`, the longest vacant first: 1 + a row, or 0.
    vacant: u32,
    /// The last of them.
    vacated: u32,
    /// Rows whose generations are used up.
    pub(crate) retired: u32,
    /// Live rows, which is how many timers there are.
    live: u32,
    pub(crate) running: First,
    /// No reservation is booked for longer than this.
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

/// In place of an index of the start lists: the list of the running ones.
pub(crate) const RUNNING: usize = usize::MAX;

/// The ledger: a view of its memory.
///
/// Invariants: live rows, the list of vacant ones, the retired and the fresh ones make up all rows; a row to come is in the list of its
/// start slot, in order of acceptance; a running one in the list of running ones, in order of start; every live row is among the timers.
///
/// Source: `sulistio`, section 2.3 (the reservations that start in a slot hang on that slot).
pub(crate) struct Ledger<'a> {
    pub(crate) state: &'a mut LedgerState,
    pub(crate) rows: &'a mut [Row],
    /// For each index of the ring, the reservations that start in its slot.
    pub(crate) starts: &'a mut [First],
    pub(crate) timers: &'a mut [Timer],
}

impl Ledger<'_> {
    pub(crate) const fn live(&self) -> usize {
        self.state.live as usize
    }

    /// The row that the next reservation will take: one that has never been used, or the one that has been vacant longest. So a row is given
    /// out as seldom as possible, and its generations last.
    pub(crate) fn next_row(&self) -> Option<usize> {
        let fresh = self.state.fresh as usize;
        let row = if fresh < self.rows.len() {
            fresh
        } else {
            self.state.vacant.checked_sub(1)? as usize
        };
        (row < self.rows.len()).then_some(row)
    }

    /// Puts a reservation into `row`, which is the one of [`Self::next_row`], and into the list at `index`. It has no timer yet.
    pub(crate) fn insert(&mut self, row: usize, index: usize, entry: &Row) -> Handle {
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
        self.state.longest = self.state.longest.max(new.duration);
        self.link(row, index);
        new.handle(row)
    }

    /// Puts `row` into the list at `index` of the starts, or into that of the running ones for [`RUNNING`].
    pub(crate) fn link(&mut self, row: usize, index: usize) {
        let first = self.starts.get_mut(index);
        lists::insert(self.rows, first.unwrap_or(&mut self.state.running), row);
    }

    /// Takes `row` out of that list.
    pub(crate) fn unlink(&mut self, row: usize, index: usize) {
        let first = self.starts.get_mut(index);
        lists::remove(self.rows, first.unwrap_or(&mut self.state.running), row);
    }

    /// Moves a reservation from the start list at `index` to the running ones.
    pub(crate) fn start(&mut self, row: usize, index: usize, now: Slot) {
        self.unlink(row, index);
        self.alter(row, now, |row| row.phase = Phase::RUNNING);
        self.link(row, RUNNING);
    }

    /// Removes a reservation from the list at `index`, and its timer.
    pub(crate) fn remove(&mut self, row: usize, index: usize, now: Slot) {
        self.unlink(row, index);
        self.timers(now).remove(row as u32);
        self.vacate(row);
    }

    /// Makes `row`, which is in no list and has no timer, vacant: the last to be used again, or never if its generations are used up.
    pub(crate) fn vacate(&mut self, row: usize) {
        let Some(old) = self.rows.get_mut(row) else {
            return;
        };
        // What else it holds means nothing any more.
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

    /// Takes back that a reservation, accepted as number `accepted`, was put into `row`, which was `old` before and is in no list. The last
    /// that was put in goes first.
    pub(crate) fn take_back(&mut self, row: usize, old: &Row, accepted: u64) {
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

    /// Changes a row in a way that may change when it is due.
    fn alter(&mut self, row: usize, now: Slot, change: impl FnOnce(&mut Row)) {
        if let Some(row) = self.rows.get_mut(row) {
            change(row);
        }
        self.timers(now).changed(row as u32);
    }

    /// What is known of a live reservation.
    pub(crate) fn get(&self, handle: Handle) -> Result<Reservation, Error> {
        self.find(handle).map(|(_, row)| row.describe())
    }

    pub(crate) const fn version(&self) -> Version {
        Version {
            revision: self.state.revision,
            incarnation: self.state.incarnation,
        }
    }

    /// The live row of `handle`.
    pub(crate) fn find(&self, handle: Handle) -> Result<(usize, &Row), Error> {
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

    /// The row that needs attention next.
    pub(crate) fn next_due(&self) -> Option<(usize, &Row)> {
        let timers = self.timers.get(..self.live())?;
        let row = timers.first()?.row();
        Some((row, self.rows.get(row)?))
    }

    /// Turns a hold into a promise, unless its time is over.
    pub(crate) fn confirm(&mut self, handle: Handle, now: Slot) -> Result<(), Error> {
        let (row, held) = self.find(handle)?;
        if !held.is_held() {
            return Err(UsageError::NotHeld.into());
        }
        if held.due() <= now {
            return Err(UsageError::HoldExpired.into());
        }
        self.alter(row, now, |row| {
            row.phase = Phase::CONFIRMED;
            row.note = 0;
        });
        self.state.revision = self.state.revision.wrapping_add(1);
        Ok(())
    }

    /// The row of a running job that ends at `at`, what is left of its window then, and whether that is news.
    pub(crate) fn ending(&self, handle: Handle, at: Slot) -> Result<(usize, Window, bool), Error> {
        let (row, job) = self.find(handle)?;
        if !job.is_running() {
            return Err(UsageError::NotRunning.into());
        }
        let end = job.end();
        if at > end {
            return Err(UsageError::AfterBookedEnd.into());
        }
        let news = at < end || !job.is_marked(mark::ENDING);
        Ok((row, Window { start: at, end }, news))
    }

    /// The running job in `row` ends at `end`, and that is announced.
    pub(crate) fn set_end(&mut self, row: usize, end: Slot, now: Slot) {
        self.alter(row, now, |row| {
            row.marks |= mark::ENDING;
            row.duration = end.since(row.start()).unwrap_or_default();
        });
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
            let here = |row: &Row| {
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

    /// Whether a used row can be one.
    fn is_sound(&self, row: &Row) -> bool {
        let accepted = row.accepted < self.state.accepted && row.duration <= self.state.longest;
        row.generation > 0 && (accepted || !row.is_live())
    }

    /// How many rows the list of vacant ones has, if it has an end and neither a live nor a retired row in it.
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

    /// The timers, at the time `now`.
    pub(crate) const fn timers(&mut self, now: Slot) -> Timers<'_> {
        Timers {
            heap: self.timers,
            rows: self.rows,
            len: &mut self.state.live,
            now: now.get() as u32,
        }
    }
}
