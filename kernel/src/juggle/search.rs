//! The search behind juggling: rounds of lifting and placing.
//!
//! Algorithm 1 lifts all reservations that come after the newcomer, and then places them in order. Two things make the
//! same search shorter. Where a reservation is placed depends on the slots of its own window alone, so only those are
//! lifted that lie in the slots searched so far. And one that has not been lifted when its turn comes, and stands at its
//! earliest possible start, stays there: nobody has taken its slots.

use core::{mem, ops::Range};

use super::{AfterFailure, Juggling, line::Line};
use crate::{
    book::{Booking, Commitment},
    error::{Error, Refusal},
    fit::Job,
    ledger::{First, RowOf, mark},
    request::Request,
    ring::Ring,
    time::{Slot, Span},
    transaction::{Movable, Transaction},
};

/// A newcomer whose request has been checked.
pub(super) struct Newcomer<'s> {
    pub(super) request: &'s Request,
    pub(super) job: Job,
    pub(super) commitment: Commitment,
}

/// A search for an arrangement.
pub(super) struct Search<'s, 'm> {
    rules: &'s Juggling<'s>,
    /// The place in the order of the newcomer or, in a later round, of the reservation that it was placed behind. Only
    /// those behind this place are moved; all of them for `None`.
    pub(super) behind: Option<u128>,
    /// The place of the one that is placed now: those behind it are still to come.
    current: Option<u128>,
    /// Those still to come that are lifted, or do not stand at their earliest possible start.
    line: Line<'m>,
    /// In these slots, every reservation is lifted that is still to be placed in this round.
    cleared: Range<usize>,
    /// How many slots have been examined in this round for reservations to lift.
    examined: usize,
}

impl<'s, 'm> Search<'s, 'm> {
    const fn new(rules: &'s Juggling<'s>, behind: Option<u128>, memory: &'m mut [Movable]) -> Self {
        Self {
            rules,
            behind,
            current: behind,
            line: Line::new(memory),
            cleared: 0..0,
            examined: 0,
        }
    }
}

impl<R: Ring> Transaction<'_, '_, R> {
    /// Arranges a newcomer, if there is one, and those that come behind `behind`. Returns the place behind which the last
    /// round was begun as well.
    pub(super) fn arrange(
        &mut self,
        newcomer: Option<&Newcomer<'_>>,
        rules: &Juggling<'_>,
        behind: Option<u128>,
    ) -> (Result<Option<Booking>, Error>, Option<u128>) {
        let mut search = Search::new(rules, behind, mem::take(&mut self.workspace.waiting));
        let arranged = self.search_rounds(newcomer, &mut search);
        self.workspace.waiting = search.line.memory;
        (arranged, search.behind)
    }

    /// Places the newcomer, if there is one, and then the others in order. When one of the others does not fit,
    /// everything returns to where it was, and a new round begins behind it.
    fn search_rounds(
        &mut self,
        newcomer: Option<&Newcomer<'_>>,
        search: &mut Search<'_, '_>,
    ) -> Result<Option<Booking>, Error> {
        let before = self.savepoint();
        let mut booking = self.place_newcomer(newcomer, search)?;
        self.line_up(booking, search)?;
        // Each round begins behind a later place.
        loop {
            match self.place_line(search) {
                Err(Error::Refused(Refusal::NoRoom))
                    if search.rules.after_failure == AfterFailure::Retry => {}
                placed => return placed.map(|()| booking),
            }
            self.rollback_to(before)?;
            (search.cleared, search.examined) = (0..0, 0);
            search.current = search.behind;
            let rules = search.rules;
            search.line.retain(|movable| {
                let row = self.row(movable.row());
                row.start() != self.earliest(&row, rules)
            });
            booking = self.place_newcomer(newcomer, search)?;
        }
    }

    fn place_newcomer(
        &mut self,
        newcomer: Option<&Newcomer<'_>>,
        search: &mut Search<'_, '_>,
    ) -> Result<Option<Booking>, Error> {
        let Some(newcomer) = newcomer else {
            return Ok(None);
        };
        let job = &newcomer.job;
        self.clear(job.ready..job.window(job.latest).end, search)?;
        let booking = self.insert_first_fit(newcomer.request, newcomer.commitment)?;
        Ok(Some(booking))
    }

    /// Lines up the reservations other than the newcomer that are to come and do not stand at their earliest possible start.
    fn line_up(
        &mut self,
        newcomer: Option<Booking>,
        search: &mut Search<'_, '_>,
    ) -> Result<(), Error> {
        let newcomer = newcomer.map(|booking| booking.handle.row as usize);
        for (index, row) in self.book.ledger.rows.iter().enumerate() {
            // The caller may have lifted some; those are not ours to place.
            let lifted_before = row.is_marked(mark::LIFTED) && !self.is_logged(index);
            if row.start() != self.earliest(row, search.rules)
                && !lifted_before
                && newcomer != Some(index)
                && let Some(movable) = self.to_come(index, row, search)
            {
                search.line.push(movable)?;
            }
        }
        Ok(())
    }

    /// Returns a reservation as an element of the line, if it may be moved and is still to come.
    fn to_come(&self, index: usize, row: &RowOf<R>, search: &Search<'_, '_>) -> Option<Movable> {
        let now = self.now();
        if !self.book.is_movable(row, now) {
            return None;
        }
        let key = search.rules.order.key(row, index, now);
        let movable = Movable::new(key, row.accepted, index);
        let comes = search.current.is_none_or(|place| place < movable.place());
        comes.then_some(movable)
    }

    /// Returns the earliest start that a reservation may get.
    fn earliest(&self, row: &RowOf<R>, rules: &Juggling<'_>) -> Slot {
        row.ready.max(rules.earliest).max(self.now())
    }

    /// Places the line in order. When one does not fit, the next round begins behind its place.
    fn place_line(&mut self, search: &mut Search<'_, '_>) -> Result<(), Error> {
        let mut moves = 0_u32;
        while let Some(movable) = search.line.next() {
            search.current = Some(movable.place());
            let moved = self.place_next(movable.row(), search);
            if moved == Err(Refusal::NoRoom.into()) {
                search.behind = search.current;
            }
            moves = moves.saturating_add(u32::from(moved?));
            if moves > search.rules.max_moves {
                return Err(Refusal::MoveLimit.into());
            }
        }
        Ok(())
    }

    /// Places one of the line. Returns whether that is elsewhere than before.
    fn place_next(&mut self, index: usize, search: &mut Search<'_, '_>) -> Result<bool, Error> {
        let row = self.row(index);
        let (start, from) = (row.start(), self.earliest(&row, search.rules));
        if !row.is_marked(mark::LIFTED) {
            if start == from {
                return Ok(false);
            }
            self.lift_row(index, &row)?;
        }
        // Mostly the place where it was is still free, so later ones need not be searched.
        if self.place_between(index, &row, from, start, search)? {
            return Ok(self.row(index).start() != start);
        }
        let latest = row.deadline().saturating_sub(row.duration);
        let later = from.max(start.saturating_add(Span::new(1)));
        if self.place_between(index, &row, later, latest, search)? {
            return Ok(true);
        }
        Err(Refusal::NoRoom.into())
    }

    /// Places a lifted reservation at its earliest start in `from..=latest`, if it fits there.
    fn place_between(
        &mut self,
        index: usize,
        row: &RowOf<R>,
        from: Slot,
        latest: Slot,
        search: &mut Search<'_, '_>,
    ) -> Result<bool, Error> {
        let Some(job) = self.job_between(row, from, latest) else {
            return Ok(false);
        };
        self.clear(job.ready..job.window(job.latest).end, search)?;
        match self.place_job(index, row, &job) {
            Err(Error::Refused(Refusal::NoRoom)) => Ok(false),
            placed => placed.map(|_| true),
        }
    }

    /// Lifts the reservations that are still to come and lie in `window`.
    ///
    /// The slots that are known to be cleared are extended where `window` overlaps them. In orders that have nothing to
    /// do with time it rarely does; so when as many slots have been examined as there are, all are cleared.
    fn clear(&mut self, window: Range<usize>, search: &mut Search<'_, '_>) -> Result<(), Error> {
        let known = search.cleared.clone();
        if window.start >= window.end || known.start <= window.start && window.end <= known.end {
            return Ok(());
        }
        let slots = self.book.ring.axis().slots();
        let wanted = if search.examined > slots {
            0..slots
        } else {
            window
        };
        let longest = self.book.ledger.state.longest.get() as usize;
        let reaching = |start: usize| start.saturating_sub(longest);
        let overlaps = wanted.start <= known.end && known.start <= wanted.end;
        search.cleared = if overlaps {
            let all = known.start.min(wanted.start)..known.end.max(wanted.end);
            self.lift_starting(reaching(all.start)..known.start, all.start, search)?;
            self.lift_starting(known.end..all.end, known.end, search)?;
            all
        } else {
            let starts = reaching(wanted.start)..wanted.end;
            self.lift_starting(starts, wanted.start, search)?;
            wanted
        };
        Ok(())
    }

    /// Lifts those of the reservations still to come that start in `starts` and end behind `reached`.
    fn lift_starting(
        &mut self,
        starts: Range<usize>,
        reached: usize,
        search: &mut Search<'_, '_>,
    ) -> Result<(), Error> {
        if reached == starts.end {
            return Ok(());
        }
        search.examined = search.examined.saturating_add(starts.len());
        self.spend(starts.len() as u64)?;
        let reached = self.book.ring.axis().slot(reached);
        for indices in self.book.ring.axis().indices(starts) {
            let mut rest = indices;
            while let Some(first) = self.next_list(&mut rest) {
                self.lift_list(first, reached, search)?;
            }
        }
        Ok(())
    }

    /// Returns the first list of starts at an index in `rest`, which then begins behind it.
    fn next_list(&self, rest: &mut Range<usize>) -> Option<First> {
        let lists = self.book.ledger.starts.get(rest.clone())?;
        let place = lists.iter().position(|first| *first != 0)?;
        rest.start = rest.start.saturating_add(place).saturating_add(1);
        lists.get(place).copied()
    }

    /// Lifts those of a list that are still to come and end behind `reached`.
    fn lift_list(
        &mut self,
        first: First,
        reached: Slot,
        search: &mut Search<'_, '_>,
    ) -> Result<(), Error> {
        let mut next = first;
        // At most one round of the list, however damaged its links.
        for _ in 0..self.book.ledger.rows.len() {
            let Some(index) = next.checked_sub(1).map(|index| index as usize) else {
                break;
            };
            let Some(row) = self.book.ledger.rows.get(index) else {
                break;
            };
            next = row.next;
            let touched = row.is_marked(mark::LIFTED) || self.is_logged(index);
            if touched || row.end() <= reached {
                continue;
            }
            if let Some(movable) = self.to_come(index, row, search) {
                let row = *row;
                if row.start() == self.earliest(&row, search.rules) {
                    search.line.push(movable)?;
                }
                self.lift_row(index, &row)?;
            }
        }
        Ok(())
    }

    pub(crate) fn row(&self, index: usize) -> RowOf<R> {
        let row = self.book.ledger.rows.get(index);
        row.copied().unwrap_or_default()
    }
}
