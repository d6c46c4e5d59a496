//! Shifting on both sides, and the exact search beside it.

use bookahead::{Commitment, Direction, Insertion, Refusal, Request, Shifting, Span};

use super::Harness;
use super::juggling::{commitment, told};
use crate::difference::{same, sound};
use crate::{Ask, Difference, JuggleEnd, Juggled, Shift, Subject, Terms};

/// Room for all that any shifting in the tests touches.
const ENOUGH: usize = 512;

impl<S: Subject> Harness<S> {
    pub(super) fn shift(&mut self, ask: Ask, terms: Terms, how: Shift) -> Result<(), Difference> {
        let (request, terms) = (self.request(ask), commitment(terms));
        let newcomer = (&request, terms);
        let earliest = Span::new(how.earliest.into());
        let rules = Shifting {
            direction: if how.both {
                Direction::Both
            } else {
                Direction::Right
            },
            insertion: Insertion::Slides {
                depth: how.depth % 3,
            },
            earliest: self.oracle.now().saturating_add(earliest),
            max_moves: how.moves.map_or(u32::MAX, u32::from),
            work: how.work.map_or(u64::MAX, u64::from),
        };
        let log = match how.log {
            u8::MAX => ENOUGH,
            log => log.into(),
        };
        let end = [JuggleEnd::AtOnce, JuggleEnd::Commit, JuggleEnd::Plan][usize::from(how.end) % 3];
        let (before, stood) = (self.subject.clone(), self.stands()?);
        let next = self.oracle.accepted();
        let exactly = self.exactly(newcomer, &rules)?;
        let shifted = self.subject.shift_in(newcomer, &rules, log, end);
        if shifted == Err(Refusal::WorkLimit.into()) && how.work.is_some() {
            self.tally.note("shift in", Refusal::WorkLimit.name());
            return self.declined(&before, Refusal::WorkLimit.into());
        }
        let expected = self.oracle.shift_in(newcomer, &rules, log, end);
        let shown = shifted.as_ref().map(|shifted| self.shown(shifted, next));
        same("shifting", &shown, &expected.as_ref().map(told))?;
        let (shifted, expected) = match (shifted, expected) {
            (Ok(shifted), Ok(expected)) => (shifted, expected),
            (Err(reason), _) | (_, Err(reason)) => {
                self.tally.note("shift in", reason.name());
                return self.declined(&before, reason);
            }
        };
        if let (Some(fewest), JuggleEnd::Commit | JuggleEnd::Plan) = (exactly, end) {
            let moved = shifted.moves.len();
            sound("the exact search moves no more", fewest <= moved)?;
            let note = if fewest < moved { "fewer" } else { "as many" };
            self.tally.note("exactly", note);
        }
        if end == JuggleEnd::Plan {
            self.tally.note("shift in", "planned");
            return sound("a plan leaves no trace", self.subject == before);
        }
        let moved = self.check_moves(&stood)?;
        let note = if moved > 0 { "moved" } else { "plain" };
        self.tally.note("shift in", note);
        self.tally.moved += moved;
        match (shifted.made, expected.made) {
            (Some((handle, _)), Some((number, _))) => self.accepted(number, handle),
            _ => sound("a newcomer was made", false),
        }
    }

    /// How many reservations the exact search moves, the newcomer included, as far as that is soon known; it leaves no trace.
    fn exactly(
        &mut self,
        newcomer: (&Request, Commitment),
        rules: &Shifting,
    ) -> Result<Option<usize>, Difference> {
        if rules.work < u64::MAX || rules.max_moves < u32::MAX {
            return Ok(None);
        }
        let rules = Shifting {
            insertion: Insertion::FewestMoves,
            max_moves: 2,
            work: 20_000,
            ..*rules
        };
        let before = self.subject.clone();
        let found = self
            .subject
            .shift_in(newcomer, &rules, ENOUGH, JuggleEnd::Plan);
        sound("an exact plan leaves no trace", self.subject == before)?;
        Ok(found.ok().map(|Juggled { moves, .. }| moves.len()))
    }
}
