//! Shifting on both sides, and the exact search beside it.

use bookahead::{Commitment, Insertion, Refusal, Request, Shifting};

use super::Harness;
use super::juggling::sorted;
use crate::difference::{same, sound};
use crate::{Ask, Difference, Shift, Terms};
use bookahead_commands::{Command, JuggleEnd, Reply, Subject};

/// Room for all that any shifting in the tests touches.
const ENOUGH: usize = 512;

impl Harness {
    pub(super) fn shift(&mut self, ask: Ask, terms: Terms, how: Shift) -> Result<(), Difference> {
        let newcomer = (self.request(ask), terms.commitment());
        // Deeper takes the oracle too long.
        let rules = how.rules(self.twin.oracle.now(), 2);
        let log = match how.log {
            u8::MAX => ENOUGH,
            log => log.into(),
        };
        let end = [JuggleEnd::AtOnce, JuggleEnd::Commit, JuggleEnd::Plan][usize::from(how.end) % 3];
        let stood = self.stands();
        let exactly = self.exactly(newcomer, &rules)?;
        self.subject.perform(&Command::Remember);
        let shift = Command::ShiftIn(newcomer, rules, log, end);
        let reply = sorted(self.subject.perform(&shift));
        if reply.error() == Some(Refusal::WorkLimit.into()) && how.work.is_some() {
            self.tally.note("shift in", Refusal::WorkLimit.name());
            return self.check_refusal(&reply);
        }
        same("shifting", &reply, &sorted(self.twin.perform(&shift)))?;
        self.check_refusal(&reply)?;
        if let (Reply::Juggled(shifted), Some(fewest), JuggleEnd::Commit | JuggleEnd::Plan) =
            (&reply, exactly, end)
        {
            let moved = shifted.moves.len();
            sound("the exact search moves no more", fewest <= moved)?;
            let note = if fewest < moved { "fewer" } else { "as many" };
            self.tally.note("exactly", note);
        }
        self.rearranged("shift in", &reply, end, &stood).map(drop)
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
        self.subject.perform(&Command::Remember);
        let found = self.subject.perform(&exact);
        self.unchanged("an exact plan leaves no trace")?;
        Ok(match found {
            Reply::Juggled(found) => Some(found.moves.len()),
            _ => None,
        })
    }
}
