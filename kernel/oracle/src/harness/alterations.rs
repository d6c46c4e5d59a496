//! What owners change about their reservations, on both sides.

use bookahead::{Alteration, PeCount, Placement, Refusal, Span, Window};

use super::Harness;
use crate::meaning::later;
use crate::{Change, Difference, Oracle, Pick};
use bookahead_commands::{Command, LONG_LOG, Number, Reply};

impl Harness {
    pub(super) fn alter(
        &mut self,
        pick: Pick,
        change: Change,
        log: usize,
    ) -> Result<(), Difference> {
        let Some(number) = self.picked(pick) else {
            return Ok(());
        };
        let alteration = alteration(&self.twin.oracle, number, change);
        let (state, known) = (self.state_of(number), self.twin.oracle.version());
        let alter = Command::Alter(number, alteration, log.min(LONG_LOG));
        let reply = self.both("where it is after the alteration", &alter)?;
        self.note_conflict("in the way of the alteration", &reply);
        let Reply::Placed(place) = reply else {
            if reply.error() == Some(Refusal::NoRoom.into()) {
                self.tally.note("no room", change_name(change));
            }
            return Ok(());
        };
        self.tally.note(change_name(change), state);
        if self.twin.oracle.version() == known {
            self.tally.note(change_name(change), "unchanged");
        }
        self.promises.insert(number, place.window());
        Ok(())
    }

    pub(super) fn split(&mut self, pick: Pick, after: i16, log: usize) -> Result<(), Difference> {
        let Some(number) = self.picked(pick) else {
            return Ok(());
        };
        let start = place_of(&self.twin.oracle, number).start;
        let at = later(start, after);
        let state = self.state_of(number);
        let split = Command::Split(number, at, log.min(LONG_LOG));
        let Reply::Made(rest) = self.both("split", &split)? else {
            return Ok(());
        };
        self.tally.note("split", state);
        let first = self.twin.oracle.get(number).expect("it lives");
        self.promises.insert(number, first.window);
        self.accepted(rest)
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
pub(super) fn alteration(oracle: &Oracle, number: Number, change: Change) -> Alteration {
    let place = place_of(oracle, number);
    let asked = oracle.get(number).map(|known| known.request);
    let asked = Window {
        start: asked.map_or(place.start, |request| request.ready),
        end: asked.map_or(place.start, |request| request.deadline),
    };
    change.alteration(place, asked, oracle.now())
}

/// Where a reservation is booked; somewhere for one that is not.
pub(super) fn place_of(oracle: &Oracle, number: Number) -> Placement {
    oracle.placement(number).unwrap_or(Placement {
        start: oracle.now(),
        duration: Span::new(1),
        pes: PeCount::new(1),
    })
}
