//! What owners change about their reservations, on both sides.

use bookahead::{Alteration, Error, PeCount, Placement, Refusal, Reservation, Slot, Span};

use super::Harness;
use crate::difference::same;
use crate::{Change, Difference, LONG_LOG, Oracle, Pick, Subject};

impl<S: Subject> Harness<S> {
    pub(super) fn alter(
        &mut self,
        pick: Pick,
        change: Change,
        log: usize,
    ) -> Result<(), Difference> {
        let Some((number, handle)) = self.picked(pick) else {
            return Ok(());
        };
        let alteration = alteration(&self.oracle, number, change);
        let state = self.state_of(number);
        let (before, known) = (self.subject.clone(), self.oracle.version());
        let log = log.min(LONG_LOG);
        let (altered, conflict) = self.subject.alter(handle, alteration, log);
        let (expected, in_the_way) = self.oracle.alter(number, alteration, log);
        same("where it is after the alteration", &altered, &expected)?;
        self.same_conflict("in the way of the alteration", &conflict, &in_the_way)?;
        let place = match expected {
            Ok(place) => place,
            Err(reason) => {
                if reason == Error::from(Refusal::NoRoom) {
                    self.tally.note("no room", change_name(change));
                }
                return self.declined(&before, reason);
            }
        };
        self.tally.note(change_name(change), state);
        if self.oracle.version() == known {
            self.tally.note(change_name(change), "unchanged");
        }
        self.promises.insert(number, place.window());
        Ok(())
    }

    pub(super) fn split(&mut self, pick: Pick, after: i16, log: usize) -> Result<(), Difference> {
        let Some((number, handle)) = self.picked(pick) else {
            return Ok(());
        };
        let start = place_of(&self.oracle, number).start;
        let at = Slot::new(start.get().saturating_add_signed(after.into()));
        let state = self.state_of(number);
        let before = self.subject.clone();
        let log = log.min(LONG_LOG);
        let split = self.subject.split(handle, at, log);
        let expected = self.oracle.split(number, at, log);
        same("split", &split.map(drop), &expected.map(drop))?;
        match (split, expected) {
            (Ok(second), Ok(number_of_second)) => {
                self.tally.note("split", state);
                let first = self.oracle.get(number).expect("it lives");
                self.promises.insert(number, first.window);
                self.accepted(number_of_second, second)
            }
            (Err(reason), _) | (_, Err(reason)) => self.declined(&before, reason),
        }
    }
}

/// What a change is called.
pub(super) fn change_name(change: Change) -> &'static str {
    match change {
        Change::Shift(_) => "shift",
        Change::Extend(_) => "extend",
        Change::Shorten(_) => "shorten",
        Change::Widen(_) => "widen",
        Change::Narrow(_) => "narrow",
        Change::Window { .. } | Change::SameWindow => "change-window",
    }
}

/// The alteration that `change` means for a reservation, or for one that has ended.
pub(super) fn alteration(oracle: &Oracle, number: crate::Number, change: Change) -> Alteration {
    let Placement {
        start,
        duration,
        pes,
    } = place_of(oracle, number);
    let slots = |more: i16| Span::new(duration.get().saturating_add_signed(more.into()));
    let wide = |more: i16| PeCount::new(pes.get().saturating_add_signed(more));
    match change {
        Change::Shift(by) => Alteration::Shift {
            start: Slot::new(start.get().saturating_add_signed(by.into())),
        },
        Change::Extend(by) => Alteration::Extend {
            duration: slots(by),
        },
        Change::Shorten(by) => Alteration::Shorten {
            duration: slots(by.saturating_neg()),
        },
        Change::Widen(by) => Alteration::Widen { pes: wide(by) },
        Change::Narrow(by) => Alteration::Narrow {
            pes: wide(by.saturating_neg()),
        },
        Change::Window { lead, slack } => {
            let ready = oracle.now().get().saturating_add_signed(lead.into());
            let end = ready.saturating_add(duration.get().into());
            Alteration::ChangeWindow {
                ready: Slot::new(ready),
                deadline: Slot::new(end.saturating_add_signed(slack.into())),
            }
        }
        Change::SameWindow => {
            let known: Option<Reservation> = oracle.get(number).ok();
            let request = known.map(|known| known.request);
            Alteration::ChangeWindow {
                ready: request.map_or(start, |request| request.ready),
                deadline: request.map_or(start, |request| request.deadline),
            }
        }
    }
}

/// Where a reservation is booked; somewhere for one that is not.
pub(super) fn place_of(oracle: &Oracle, number: crate::Number) -> Placement {
    oracle.placement(number).unwrap_or(Placement {
        start: oracle.now(),
        duration: Span::new(1),
        pes: PeCount::new(1),
    })
}
