//! Transactions on both sides: what each call answers and shows, and what is left when they end.

use bookahead::State;
use bookahead_commands::{
    Answer, Answered, Call, Command, Ending, Moved, Number, Outcome, Reply, Sight, Subject,
    Transact,
};

use super::Harness;
use crate::difference::same;
use crate::{Attempt, Difference};

impl Harness {
    pub(super) fn transact(&mut self, transact: &Transact) -> Result<Reply, Difference> {
        self.rehearse(transact);
        let known = self.twin.oracle.version();
        let command = Command::Transact(transact.clone());
        let replies = (self.subject.perform(&command), self.twin.perform(&command));
        let (Reply::Transacted(outcome), Reply::Transacted(expected)) = &replies else {
            same("end of the transaction", &replies.0, &replies.1)?;
            return Ok(replies.0);
        };
        compare_answers(outcome, &expected.clone().within(self.scope, transact))?;
        if transact.ending == Ending::Commit {
            let changed = self.twin.oracle.version() != known;
            let note = if changed { "changed" } else { "unchanged" };
            self.tally.note(
                "commit",
                if expected.end.is_ok() {
                    note
                } else {
                    "refused"
                },
            );
        }
        let moves = expected
            .answers
            .last()
            .map_or(&[][..], |(_, sight)| &sight.moves);
        match (&expected.end, transact.ending) {
            (Err(reason), _) => {
                self.tally.decline(*reason);
                self.unchanged("a call that fails changes nothing")?;
            }
            (Ok(_), Ending::Commit) => self.committed(moves),
            (Ok(_), Ending::Plan(_)) => {
                self.tally
                    .note("plan moves", if moves.is_empty() { "none" } else { "some" });
                self.unchanged("a plan changes nothing")?;
            }
            (Ok(_), Ending::Drop) => {
                self.tally
                    .note("drop", if moves.is_empty() { "nothing" } else { "moves" });
                self.unchanged("a dropped transaction changes nothing")?;
            }
        }
        Ok(replies.0)
    }

    /// Makes the calls on the side that is right, and notes what they come to.
    fn rehearse(&mut self, transact: &Transact) {
        let mut attempt = self.twin.oracle.attempt(transact.log, transact.work);
        for call in &transact.calls {
            let state = match call {
                Call::Apply(moves) if moves.is_empty() => "nothing",
                _ => subject_of(call).map_or("", |number| state_in(&attempt, number)),
            };
            let answer = attempt.call(call);
            self.note_answer(call, &answer, state);
            self.tally.deepest = self.tally.deepest.max(attempt.depth());
        }
    }

    /// Notes what a call came to, about a reservation in that state.
    pub(super) fn note_answer(&mut self, call: &Call, answer: &Answered, state: &'static str) {
        let state = match answer {
            Err(reason) => return self.tally.decline(*reason),
            Ok(Answer::Out(parts, _)) if parts.len() > 1 => "in parts",
            Ok(Answer::Forced(_, broken) | Answer::Out(_, broken) | Answer::Ruled(broken))
                if !broken.is_empty() =>
            {
                "broken"
            }
            Ok(_) => state,
        };
        self.tally.note(name_of(call), state);
    }

    /// Takes in what a committed transaction has moved, made and ended.
    pub(super) fn committed(&mut self, moves: &[Moved]) {
        self.tally.moved += moves.len() as u64;
        self.admit();
        for moved in moves {
            if let (Some(_), Some(place)) = (moved.from, moved.to) {
                self.promise(moved.whose, place.window());
            }
        }
        self.dismiss();
    }
}

/// Compares what each call answered and showed, and what the end did.
fn compare_answers(outcome: &Outcome, expected: &Outcome) -> Result<(), Difference> {
    let mut before: Option<&Sight> = None;
    for ((given, seen), (answer, sight)) in outcome.answers.iter().zip(&expected.answers) {
        if let Some(before) = before.filter(|_| given.is_err()) {
            // But for work that was done in vain.
            let work_left = seen.work_left;
            let before = Sight {
                work_left,
                ..before.clone()
            };
            same("a refused step changes nothing", seen, &before)?;
        }
        same("answer to the step", given, answer)?;
        same("what the step shows", seen, sight)?;
        // An interface that shows only the end has nothing to compare it with.
        before = Some(seen).filter(|seen| **seen != Sight::default());
    }
    let steps = (outcome.answers.len(), expected.answers.len());
    same("steps that were made", &steps.0, &steps.1)?;
    same("end of the transaction", &outcome.end, &expected.end)
}

fn subject_of(call: &Call) -> Option<Number> {
    match *call {
        Call::Lift(number)
        | Call::Place(number, _)
        | Call::PlaceExactly(number, ..)
        | Call::PlaceFirstFit(number, _)
        | Call::Remove(number)
        | Call::Alter(number, _)
        | Call::ExtendByForce(number, _)
        | Call::Split(number, _) => Some(number),
        _ => None,
    }
}

fn state_in(attempt: &Attempt, number: Number) -> &'static str {
    match attempt.get(number).map(|known| known.state) {
        Ok(State::Running) if attempt.book().is_ending(number) => "ending",
        Ok(state) => state.name(),
        Err(_) => "ended",
    }
}

/// What a call is named in the tally.
fn name_of(call: &Call) -> &'static str {
    match call {
        Call::Lift(_) => "lift",
        Call::Place(..) => "place",
        Call::PlaceExactly(..) => "place exactly",
        Call::PlaceFirstFit(..) => "place first fit",
        Call::Insert(..) => "insert",
        Call::Remove(_) => "remove",
        Call::Alter(_, alteration) => alteration.name(),
        Call::Split(..) => "split",
        Call::Savepoint => "savepoint",
        Call::RollbackTo(_) => "rollback",
        Call::Apply(_) => "apply",
        Call::Conflict(..) | Call::ConflictExactly(..) => "conflict",
        Call::PesOf(_) => "pes of",
        Call::ExtendByForce(..) => "extend by force",
        Call::TakeOut(..) => "take out",
        Call::SetRule(_, Some(_)) | Call::Resize(Some(_)) => "rule",
        Call::SetRule(_, None) | Call::Resize(None) => "drop a rule",
    }
}
