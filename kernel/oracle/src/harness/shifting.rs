//! Shifting on both sides, and the exact search beside it.

use std::cmp::Ordering;

use bookahead::{Commitment, Insertion, Refusal, Request, Shifting};
use bookahead_commands::{Command, JuggleEnd, Kind, Reply, Subject};

use super::sorted;
use super::{Harness, names};
use crate::Difference;
use crate::difference::{same, sound};

/// Room for all that any shifting in the tests touches.
const ENOUGH: usize = 512;

impl Harness {
    pub(super) fn shift_in(
        &mut self,
        newcomer: (Request, Commitment),
        (rules, log): (&Shifting, usize),
        end: JuggleEnd,
    ) -> Result<Reply, Difference> {
        let stood = self.stands();
        let exactly = self.exactly(newcomer, rules)?;
        if !matches!(rules.insertion, Insertion::Slides { .. }) {
            // The twin has no exact search.
            return Ok(Reply::Done);
        }
        let shift = Command::ShiftIn(newcomer, *rules, log, end);
        let reply = sorted(self.subject.perform(&shift));
        if reply.error() == Some(Refusal::WorkLimit.into()) && rules.work < u64::MAX {
            self.tally.note("shift in", Refusal::WorkLimit.name());
            self.check_refusal(&reply)?;
            return Ok(reply);
        }
        let expected = sorted(self.twin.perform(&shift));
        same(names::of(&shift), &reply, &expected)?;
        self.check_refusal(&reply)?;
        if let (Reply::Juggled(shifted), Some(fewest), JuggleEnd::Commit | JuggleEnd::Plan) =
            (&reply, exactly, end)
        {
            let moved = shifted.moves.len();
            // Of sets it tries all starts, but for each the sets that it comes to first; slides come to others.
            let is_exact = matches!(self.situation.size.kind, Kind::Counts | Kind::Units);
            sound(
                "the exact search moves no more",
                !is_exact || fewest <= moved,
            )?;
            let note = match fewest.cmp(&moved) {
                Ordering::Less => "fewer",
                Ordering::Equal => "as many",
                Ordering::Greater => "more",
            };
            self.tally.note("exactly", note);
        }
        self.rearranged("shift in", &reply, end, &stood)?;
        Ok(reply)
    }

    /// How many reservations the exact search moves, the newcomer included, as far as that is soon known; it leaves no trace.
    fn exactly(
        &mut self,
        newcomer: (Request, Commitment),
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
        let exact = Command::ShiftIn(newcomer, rules, ENOUGH, JuggleEnd::Plan);
        let found = self.subject.perform(&exact);
        self.unchanged("an exact plan leaves no trace")?;
        Ok(match found {
            Reply::Juggled(found) => Some(found.moves.len()),
            _ => None,
        })
    }
}
