//! The reservations that live: rows, their handles, their order by start, and when each needs attention next.

mod handle;
mod lists;
mod row;
mod timers;

pub use handle::Handle;
pub(crate) use lists::{First, walk};
pub(crate) use row::Phase;
pub use row::{Reservation, Row, State};

use crate::{Error, Event, Misuse, Slot, Span, Violation, Window};
use timers::Timers;

/// What a ledger keeps beside its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct LedgerState {
    /// Counts the changes of the book, so that an outdated plan is noticed.
    pub(crate) version: u64,
    /// Counts the acceptances.
    accepted: u64,
    /// Rows from here on have never been used.
    fresh: u32,
    /// Used rows that are vacant again, linked by `next`: 1 + a row, or 0.
    vacant: u32,
    /// Live rows, which is how many timers there are.
    live: u32,
    pub(crate) running: First,
}

impl LedgerState {
    /// No reservation.
    pub(crate) const EMPTY: Self = Self {
        version: 0,
        accepted: 0,
        fresh: 0,
        vacant: 0,
        live: 0,
        running: 0,
    };
}

/// The ledger: a view of its memory.
///
/// Invariants: live rows, the list of vacant ones and the fresh ones make up all rows; a row to come is in the list of its start
/// slot, in order of acceptance; a running one in the list of running ones, in order of start; every live row is among the timers.
///
/// Source: `sulistio`, section 2.3 (the reservations that start in a slot hang on that slot).
pub(crate) struct Ledger<'a> {
    pub(crate) state: &'a mut LedgerState,
    pub(crate) rows: &'a mut [Row],
    /// For each place of the ring, the reservations that start in its slot.
    pub(crate) starts: &'a mut [First],
    pub(crate) timers: &'a mut [u32],
}

impl Ledger<'_> {
    pub(crate) const fn live(&self) -> usize {
        self.state.live as usize
    }

    /// The row that the next reservation will take.
    pub(crate) fn next_row(&self) -> Option<usize> {
        match self.state.vacant.checked_sub(1) {
            Some(row) => Some(row as usize),
            None => {
                let fresh = self.state.fresh as usize;
                (fresh < self.rows.len()).then_some(fresh)
            }
        }
    }

    /// Enters a reservation into the row of [`Self::next_row`], at `place` of the start lists.
    pub(crate) fn enter(&mut self, row: usize, place: usize, entry: &Row) -> Option<Handle> {
        let old = *self.rows.get(row)?;
        if old.generation == 0 {
            self.state.fresh = self.state.fresh.saturating_add(1);
        } else {
            self.state.vacant = old.next;
        }
        let generation = old.generation.checked_add(1).unwrap_or(1);
        let new = Row {
            accepted: self.state.accepted,
            generation,
            ..*entry
        };
        *self.rows.get_mut(row)? = new;
        self.state.accepted = self.state.accepted.wrapping_add(1);
        lists::insert(self.rows, self.starts.get_mut(place)?, row);
        self.timers().insert(row as u32);
        Some(new.handle(row))
    }

    /// Moves a reservation from the start list at `place` to the running ones.
    pub(crate) fn start(&mut self, row: usize, place: usize) {
        if let Some(first) = self.starts.get_mut(place) {
            lists::remove(self.rows, first, row);
        }
        self.alter(row, Phase::Running, |_| ());
        lists::insert(self.rows, &mut self.state.running, row);
    }

    /// Removes a reservation; `place` is that of its start, for one that has not started.
    pub(crate) fn strike(&mut self, row: usize, place: usize) {
        self.timers().remove(row as u32);
        let running = self.rows.get(row).is_some_and(Row::is_running);
        let list = if running {
            Some(&mut self.state.running)
        } else {
            self.starts.get_mut(place)
        };
        if let Some(first) = list {
            lists::remove(self.rows, first, row);
        }
        if let Some(old) = self.rows.get_mut(row) {
            // What else it holds means nothing any more.
            old.phase = Phase::Vacant;
            old.next = self.state.vacant;
            self.state.vacant = (row as u32).wrapping_add(1);
        }
    }

    /// Changes a row in a way that may change when it is due.
    fn alter(&mut self, row: usize, phase: Phase, change: impl FnOnce(&mut Row)) {
        if let Some(row) = self.rows.get_mut(row) {
            row.phase = phase;
            change(row);
        }
        self.timers().changed(row as u32);
    }

    /// The live row of `handle`.
    pub(crate) fn find(&self, handle: Handle) -> Result<(usize, &Row), Error> {
        let index = handle.row as usize;
        let row = self.rows.get(index).ok_or(Misuse::UnknownHandle)?;
        if handle.generation == 0 || handle.generation > row.generation {
            return Err(Misuse::UnknownHandle.into());
        }
        if handle.generation < row.generation || !row.is_live() {
            return Err(Misuse::StaleHandle.into());
        }
        Ok((index, row))
    }

    /// The row that needs attention next.
    pub(crate) fn next_due(&self) -> Option<(usize, &Row)> {
        if self.state.live == 0 {
            return None;
        }
        let row = *self.timers.first()? as usize;
        Some((row, self.rows.get(row)?))
    }

    /// What happens next on the way to `to`, and to which row.
    pub(crate) fn next_event(&self, to: Slot) -> Option<(usize, Event)> {
        let (index, row) = self.next_due()?;
        let at = row.due();
        let event = Event {
            at,
            handle: row.handle(index),
            kind: row.happens(to),
            ticket: row.ticket(),
        };
        (at <= to).then_some((index, event))
    }

    /// Turns a hold into a promise, unless its time is over.
    pub(crate) fn confirm(&mut self, handle: Handle, now: Slot) -> Result<(), Error> {
        let (row, held) = self.find(handle)?;
        if held.phase != Phase::Held {
            return Err(Misuse::NotHeld.into());
        }
        if held.expires() <= now && held.expires() < held.start {
            return Err(Misuse::HoldExpired.into());
        }
        self.alter(row, Phase::Confirmed, |row| row.hold_lead = Span::ZERO);
        Ok(())
    }

    /// The row of a running job that ends at `at`, what is left of its window then, and whether that is news.
    pub(crate) fn ending(&self, handle: Handle, at: Slot) -> Result<(usize, Window, bool), Error> {
        let (row, job) = self.find(handle)?;
        if !job.is_running() {
            return Err(Misuse::NotRunning.into());
        }
        let end = job.end();
        if at > end {
            return Err(Misuse::AfterBookedEnd.into());
        }
        let news = at < end || job.phase == Phase::Running;
        Ok((row, Window { start: at, end }, news))
    }

    /// The running job in `row` ends at `end`, and that is announced.
    pub(crate) fn announce(&mut self, row: usize, end: Slot) {
        self.alter(row, Phase::Completing, |row| {
            row.duration = end.since(row.start).unwrap_or_default();
        });
    }

    pub(crate) fn verify(
        &mut self,
        place_of: impl Fn(Slot) -> Option<usize>,
    ) -> Result<(), Violation> {
        let live = self.rows.iter().filter(|row| row.is_live()).count();
        let fresh = self.state.fresh as usize;
        let used = self.rows.get(..fresh).ok_or(Violation::Rows)?;
        let vacant = self.vacant_rows().ok_or(Violation::Rows)?;
        let unused = self.rows.get(fresh..).unwrap_or_default();
        if live != self.live()
            || live.saturating_add(vacant) != used.len()
            || used.iter().any(|row| row.generation == 0)
            || unused.iter().any(|row| *row != Row::VACANT)
        {
            return Err(Violation::Rows);
        }
        let running = lists::verify(self.rows, self.state.running, Row::is_running);
        let mut listed = running.ok_or(Violation::List)?;
        for (place, first) in self.starts.iter().enumerate() {
            let here = |row: &Row| {
                row.is_live() && !row.is_running() && place_of(row.start) == Some(place)
            };
            let len = lists::verify(self.rows, *first, here).ok_or(Violation::List)?;
            listed = listed.saturating_add(len);
        }
        if listed != live {
            return Err(Violation::List);
        }
        if self.timers().in_order() {
            Ok(())
        } else {
            Err(Violation::Timer)
        }
    }

    /// How many rows the list of vacant ones has, if it has an end and no live row in it.
    fn vacant_rows(&self) -> Option<usize> {
        let mut next = self.state.vacant;
        let mut len = 0_usize;
        for row in walk(self.rows, next) {
            let there = self.rows.get(row).filter(|row| !row.is_live())?;
            next = there.next;
            len = len.saturating_add(1);
        }
        (next == 0).then_some(len)
    }

    const fn timers(&mut self) -> Timers<'_> {
        Timers {
            heap: self.timers,
            rows: self.rows,
            len: &mut self.state.live,
        }
    }
}
