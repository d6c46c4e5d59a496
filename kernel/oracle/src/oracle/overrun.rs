//! Jobs that take longer than they said.

use bookahead::{Alteration, Error, Placement, Refusal, Slot, State, UsageError, Window};
use bookahead_commands::{Broken, Kind, Number};

use super::classes::OUT;
use super::row::{Life, Row};
use super::{Attempt, Oracle};
use crate::Free;

impl Oracle {
    /// Until when a running reservation could go on without hurting anybody.
    ///
    /// # Errors
    ///
    /// UsageError, when it is unknown or does not run.
    pub fn extension(&self, number: Number) -> Result<Slot, Error> {
        let row = self.find(number)?;
        if !row.has_started() {
            return Err(UsageError::WrongState.into());
        }
        let end = self.end();
        let behind = row.window().end.get()..end.get();
        let taken = behind.into_iter().find(|slot| match self.free_at(*slot) {
            Free::Count(free) => free < row.placed.pes.get(),
            Free::Set(_) => {
                let others = self.rows.iter().filter(|other| other.covers(*slot));
                let gone = self.set_gone(*slot);
                row.set.iter().any(|pe| gone.contains(pe))
                    || others.into_iter().any(|other| shares(row, other))
            }
        });
        Ok(taken.map_or(end, Slot::new))
    }
}

fn shares(row: &Row, other: &Row) -> bool {
    other.set.iter().any(|pe| row.set.contains(pe))
}

impl Attempt {
    /// Extends a running reservation up to a slot, whoever is in the way; who has left.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub(super) fn extend_by_force(
        &mut self,
        number: Number,
        until: Slot,
    ) -> Result<(Placement, Vec<Broken>), Error> {
        let row = self.check_booked(number)?.clone();
        if row.life != Life::Running {
            return Err(UsageError::WrongState.into());
        }
        let taken = Window {
            start: row.window().end,
            end: until,
        };
        if until <= taken.start {
            return Err(UsageError::WrongDirection.into());
        }
        let duration = until.since(row.placed.start);
        let duration = duration.ok_or(Refusal::BeyondHorizon)?;
        let longer = Alteration::Extend { duration };
        self.all_or_nothing(|attempt| {
            match attempt.alter(number, longer) {
                Err(reason) if reason == Refusal::NoRoom.into() => (),
                extended => return extended.map(|place| (place, Vec::new())),
            }
            let mut lifted = Vec::new();
            while let Some(next) = attempt.next_victim(&row, taken)? {
                lifted.push((next, attempt.lift(next)?));
            }
            let place = attempt.alter(number, longer)?;
            lifted.sort_unstable_by_key(|(number, _)| *number);
            Ok((place, attempt.find_places(&lifted)?))
        })
    }

    /// Places those again, or lets them go; who has left.
    pub(super) fn find_places(
        &mut self,
        lifted: &[(Number, Placement)],
    ) -> Result<Vec<Broken>, Error> {
        let mut broken = Vec::new();
        for (whose, place) in lifted {
            if !self.finds_place(*whose, *place)? {
                broken.push(self.break_promise(*whose)?);
            }
        }
        Ok(broken)
    }

    /// Lets somebody go.
    pub(super) fn break_promise(&mut self, whose: Number) -> Result<Broken, Error> {
        let row = self.book().find(whose)?;
        let (request, place) = (row.request, row.placed);
        self.remove(whose)?;
        Ok(Broken {
            whose,
            request,
            place,
        })
    }

    /// Who goes next, of those in the way: the one that was accepted last of the holds, then of the others.
    fn next_victim(&self, own: &Row, taken: Window) -> Result<Option<Number>, Error> {
        let book = self.book();
        let slots = || taken.start.get()..taken.end.get();
        let short = |slot: &u64| match book.free_at(*slot) {
            Free::Count(free) => free < own.placed.pes.get(),
            Free::Set(_) => true,
        };
        let short: Vec<u64> = slots().filter(short).collect();
        let in_the_way = |row: &&Row| {
            let there = short.iter().any(|slot| row.covers(*slot));
            there && !row.has_started() && (book.kind == Kind::Counts || shares(own, row))
        };
        let rows: Vec<&Row> = book.rows.iter().filter(in_the_way).collect();
        let stays = |row: &Row| book.is_pinned(row) || row.class == OUT;
        let free = rows.iter().filter(|row| !stays(row));
        let next = free.max_by_key(|row| (matches!(row.state(), State::Held { .. }), row.number));
        match next {
            None if !rows.is_empty() => Err(Refusal::Pinned.into()),
            next => Ok(next.map(|row| row.number)),
        }
    }

    /// Places a lifted one again, where it was or at the first start in its window, if there is any.
    fn finds_place(&mut self, number: Number, place: Placement) -> Result<bool, Error> {
        let no_place = |reason: Error| {
            let reasons = [Refusal::NoRoom.into(), Refusal::ReadyInPast.into()];
            reasons.contains(&reason) || reason == UsageError::ExactlyThese.into()
        };
        match self.place(number, place) {
            Err(reason) if no_place(reason) => (),
            placed => return placed.map(|()| true),
        }
        match self.place_first_fit(number, self.book().now) {
            Err(reason) if no_place(reason) => Ok(false),
            placed => placed.map(|_| true),
        }
    }
}
