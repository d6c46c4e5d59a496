//! What the owner of a reservation changes about it afterwards.

use bookahead::{Alteration, Error, PeCount, Placement, Refusal, Slot, Span, UsageError, Window};
use bookahead_commands::{InTheWay, Number, Several};

use super::attempt::{Attempt, window_length};
use super::row::{Life, Row};
use super::{Oracle, first_that_applies};

impl Oracle {
    /// One alteration as a transaction of its own, and who is in the way if there is no room.
    pub fn alter(
        &mut self,
        number: Number,
        alteration: Alteration,
        log: usize,
    ) -> Several<Placement> {
        let mut attempt = self.attempt(log, u64::MAX);
        let altered = attempt.alter(number, alteration);
        if altered.is_ok() {
            self.commit_attempt(attempt).expect("nothing is lifted");
            return (altered, InTheWay::nobody());
        }
        let conflict = match (altered, self.find(number)) {
            (Err(Error::Refused(Refusal::NoRoom)), Ok(row)) => {
                let (window, pes) = wanted(row, alteration, self.now);
                self.conflict(Some(number), window, pes)
            }
            _ => InTheWay::nobody(),
        };
        (altered, conflict)
    }

    /// One split as a transaction of its own.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn split(&mut self, number: Number, at: Slot, log: usize) -> Result<Number, Error> {
        let mut attempt = self.attempt(log, u64::MAX);
        let second = attempt.split(number, at)?;
        self.commit_attempt(attempt)?;
        Ok(second)
    }
}

impl Attempt {
    /// Alters a reservation that is not lifted.
    pub(super) fn alter(
        &mut self,
        number: Number,
        alteration: Alteration,
    ) -> Result<Placement, Error> {
        let row = self.check_booked(number)?.clone();
        if !allows(row.life, alteration) {
            return Err(UsageError::WrongState.into());
        }
        match alteration {
            // It is there already.
            Alteration::Shift { start } if start == row.placed.start => Ok(row.placed),
            Alteration::Shift { start } => self.rewrite(
                &row,
                Placement {
                    start,
                    ..row.placed
                },
            ),
            Alteration::Extend { duration } => {
                check_direction(duration > row.placed.duration)?;
                self.stretch(row, duration)
            }
            Alteration::Shorten { duration } => {
                check_direction(duration < row.placed.duration)?;
                self.stretch(row, duration)
            }
            Alteration::Widen { pes } => {
                check_direction(pes > row.placed.pes)?;
                self.resize(row, pes)
            }
            Alteration::Narrow { pes } => {
                check_direction(pes < row.placed.pes)?;
                self.resize(row, pes)
            }
            Alteration::ChangeWindow { ready, deadline } => {
                self.change_window(row, ready, deadline)
            }
        }
    }

    /// Another duration. The deadline gives way where the end comes to lie behind it.
    fn stretch(&mut self, mut row: Row, duration: Span) -> Result<Placement, Error> {
        let end = row.placed.start.saturating_add(duration);
        row.request.duration = duration;
        row.request.deadline = row.request.deadline.max(end);
        let place = Placement {
            duration,
            ..row.placed
        };
        self.rewrite(&row, place)
    }

    /// Another number of PEs.
    fn resize(&mut self, mut row: Row, pes: PeCount) -> Result<Placement, Error> {
        row.request.pes = pes;
        let place = Placement { pes, ..row.placed };
        self.rewrite(&row, place)
    }

    /// Another window, in which it stays where it is if it can.
    fn change_window(
        &mut self,
        mut row: Row,
        ready: Slot,
        deadline: Slot,
    ) -> Result<Placement, Error> {
        let now = self.book().now();
        let duration = u128::from(row.placed.duration.get());
        let horizon = u128::from(now.get()) + u128::from(self.book().horizon().get());
        let past = ready < now && ready != row.request.ready;
        let too_short = u128::from(deadline.get()) < u128::from(ready.get()) + duration;
        first_that_applies(&[
            (past, Refusal::ReadyInPast.into()),
            (too_short, Refusal::WindowTooShort.into()),
            (
                u128::from(deadline.get()) > horizon,
                Refusal::BeyondHorizon.into(),
            ),
        ])?;
        (row.request.ready, row.request.deadline) = (ready, deadline);
        let window = row.window();
        if ready <= window.start && window.end <= deadline {
            // Nothing is written but the promise.
            self.check_log(&[row.number], 0)?;
            self.put(&row, row.placed)?;
            return Ok(row.placed);
        }
        let from = ready.max(now);
        self.check_log(&[row.number], 0)?;
        self.book().may_choose(&row, 0)?;
        let twice = u64::from(row.placed.duration.get());
        self.spend_more(row.placed.duration, twice + window_length(from, deadline))?;
        let start = self.put_first_fit(&row, from)?;
        Ok(Placement {
            start,
            ..row.placed
        })
    }

    /// Lifts a reservation and places it with the promise that `row` says.
    fn rewrite(&mut self, row: &Row, place: Placement) -> Result<Placement, Error> {
        self.check_place(row, place)?;
        self.check_log(&[row.number], 0)?;
        self.spend_more(row.placed.duration, place.duration.get().into())?;
        self.put(row, place)?;
        Ok(place)
    }
}

/// Which alterations a reservation allows at which time of its life.
fn allows(life: Life, alteration: Alteration) -> bool {
    match life {
        Life::Held { .. } | Life::Confirmed => true,
        Life::Running => matches!(
            alteration,
            Alteration::Extend { .. } | Alteration::Shorten { .. } | Alteration::Narrow { .. }
        ),
        Life::Ending => false,
    }
}

fn check_direction(right: bool) -> Result<(), Error> {
    if right {
        return Ok(());
    }
    Err(UsageError::WrongDirection.into())
}

/// In which window an alteration wants how many PEs.
fn wanted(row: &Row, alteration: Alteration, now: Slot) -> (Window, PeCount) {
    let Placement {
        start,
        duration,
        pes,
    } = row.placed;
    let starting = |start: Slot, duration: Span| Window {
        start,
        end: start.saturating_add(duration),
    };
    match alteration {
        Alteration::Shift { start } => (starting(start, duration), pes),
        Alteration::Extend { duration } | Alteration::Shorten { duration } => {
            (starting(start, duration), pes)
        }
        Alteration::Widen { pes } | Alteration::Narrow { pes } => (starting(start, duration), pes),
        // At the earliest start of the new window.
        Alteration::ChangeWindow { ready, .. } => (starting(ready.max(now), duration), pes),
    }
}
