//! Transactions on both sides: what each step answers and shows, and what is left when they end.

use bookahead::{Error, Placement, Slot, UsageError, Version};

use super::Harness;
use super::alterations::{alteration, change_name, place_of};
use super::several::long;
use crate::difference::same;
use crate::meaning::{commitment, later};
use crate::{Attempt, Difference, Finish, Pick, Script, Spot, Step};
use bookahead_commands::{
    Call, Command, Ending, LONG_HANDLES, LONG_LOG, Moved, Number, Outcome, Reply, Sight, Subject,
    Transact,
};

/// A transaction on the side that is right, by which its calls are found.
struct Rehearsal {
    attempt: Attempt,
    /// The number of the first reservation that it makes.
    first: Number,
    calls: Vec<Call>,
    /// How many savepoints it has made.
    savepoints: usize,
    /// Those that it has removed.
    removed: Vec<Number>,
}

impl Harness {
    pub(super) fn transaction(&mut self, script: &Script) -> Result<(), Difference> {
        let limits = (usize::from(script.log).min(LONG_LOG), work(script.work));
        match script.finish {
            Finish::Commit => self.run(script.steps(), limits, Ending::Commit),
            Finish::Drop => self.run(script.steps(), limits, Ending::Drop),
            Finish::Plan(room) => self.run(script.steps(), limits, Ending::Plan(long(room.into()))),
            Finish::PlanApply(between) => {
                self.planned = Vec::new();
                self.run(script.steps(), limits, Ending::Plan(LONG_HANDLES))?;
                self.disturb(between)?;
                self.run(&[Step::Apply], limits, Ending::Commit)
            }
        }
    }

    fn run(
        &mut self,
        steps: &[Step],
        (log, work): (usize, u64),
        ending: Ending,
    ) -> Result<(), Difference> {
        let mut rehearsal = Rehearsal {
            attempt: self.twin.oracle.attempt(log, work),
            first: self.twin.oracle.accepted(),
            calls: Vec::new(),
            savepoints: 0,
            removed: Vec::new(),
        };
        for step in steps {
            self.rehearse(&mut rehearsal, *step);
        }
        let known = self.twin.oracle.version();
        let transact = Command::Transact(Transact {
            log,
            work,
            calls: rehearsal.calls.clone(),
            ending,
            watched: self.live.iter().copied().collect(),
        });
        self.subject.perform(&Command::Remember);
        let replies = (
            self.subject.perform(&transact),
            self.twin.perform(&transact),
        );
        let (Reply::Transacted(outcome), Reply::Transacted(expected)) = replies else {
            return same("end of the transaction", &replies.0, &replies.1);
        };
        compare_answers(&outcome, &expected)?;
        self.finish(&rehearsal, &expected.end, ending, known)
    }

    /// Makes the call that `step` means now on the side that is right.
    fn rehearse(&mut self, rehearsal: &mut Rehearsal, step: Step) {
        let Some(call) = self.meant(rehearsal, step) else {
            return;
        };
        let state = match call {
            Call::Apply(ref moves) if moves.is_empty() => "nothing",
            _ => subject_of(&call).map_or("", |number| state_in(&rehearsal.attempt, number)),
        };
        match rehearsal.attempt.call(&call) {
            Err(reason) => self.tally.decline(reason),
            Ok(_) => {
                self.tally.note(step_name(step), state);
                self.tally.deepest = self.tally.deepest.max(rehearsal.attempt.depth());
                rehearsal.savepoints += usize::from(call == Call::Savepoint);
                if let Call::Remove(number) = call {
                    rehearsal.removed.push(number);
                }
            }
        }
        rehearsal.calls.push(call);
    }

    /// The call that `step` means now; none when it means nothing.
    fn meant(&self, rehearsal: &Rehearsal, step: Step) -> Option<Call> {
        let attempt = &rehearsal.attempt;
        let book = attempt.book();
        let now = book.now();
        let pick = |pick: Pick| self.picked_inside(rehearsal, pick);
        Some(match step {
            Step::Lift(whose) => Call::Lift(pick(whose)?),
            Step::Place(whose, spot) => {
                let whose = pick(whose)?;
                let present = place_of(book, whose);
                let place = match spot {
                    Spot::Near(hop) => hop.taken_from(present),
                    Spot::Of(other) => Placement {
                        start: self.start_before(attempt, pick(other)?),
                        ..present
                    },
                };
                Call::Place(whose, place)
            }
            Step::FirstFit(whose, from) => Call::PlaceFirstFit(pick(whose)?, later(now, from)),
            Step::Insert { ask, after, ttl } => {
                let request = self.request(ask);
                let start = later(request.ready, after.into());
                Call::Insert(request, start, commitment(ttl))
            }
            Step::Remove(whose) => Call::Remove(pick(whose)?),
            Step::Alter(whose, change) => {
                let whose = pick(whose)?;
                Call::Alter(whose, alteration(book, whose, change))
            }
            Step::Split(whose, after) => {
                let whose = pick(whose)?;
                Call::Split(whose, later(place_of(book, whose).start, after))
            }
            Step::Savepoint => Call::Savepoint,
            Step::RollbackTo(nth) => {
                Call::RollbackTo(usize::from(nth).checked_rem(rehearsal.savepoints)?)
            }
            Step::Apply => Call::Apply(self.planned.clone()),
            Step::Conflict(whose, hop) => {
                let whose = whose.and_then(pick);
                let present = place_of(book, whose.unwrap_or(Number::MAX));
                Call::Conflict(whose, hop.taken_from(present))
            }
        })
    }

    /// Where a reservation stood before it was lifted, or before the transaction: so that two can swap places.
    fn start_before(&self, attempt: &Attempt, number: Number) -> Slot {
        let before = self.twin.oracle.placement(number);
        before
            .unwrap_or_else(|_| place_of(attempt.book(), number))
            .start
    }

    fn picked_inside(&self, rehearsal: &Rehearsal, pick: Pick) -> Option<Number> {
        let live = rehearsal.attempt.book().live();
        let nth = |list: &[Number], nth: u8| {
            let index = usize::from(nth).checked_rem(list.len())?;
            Some(list[index])
        };
        match pick {
            Pick::Live(number) => nth(&live, number),
            Pick::Lifted(number) => nth(&rehearsal.attempt.lifted(), number),
            Pick::Ended(number) => {
                let stale = Err(UsageError::StaleHandle.into());
                let book = rehearsal.attempt.book();
                let inside = rehearsal.removed.iter().copied();
                let inside = inside.filter(|number| book.get(*number) == stale);
                let mut ended: Vec<Number> = self.ended.iter().copied().chain(inside).collect();
                ended.reverse();
                nth(&ended, number)
            }
            Pick::Never => Some(Number::MAX),
        }
    }

    /// Takes in what came of the end.
    fn finish(
        &mut self,
        rehearsal: &Rehearsal,
        end: &Result<(Vec<Moved>, u32), Error>,
        ending: Ending,
        known: Version,
    ) -> Result<(), Difference> {
        if ending == Ending::Commit {
            let changed = self.twin.oracle.version() != known;
            let note = if changed { "changed" } else { "unchanged" };
            self.tally
                .note("commit", if end.is_ok() { note } else { "refused" });
        }
        let planned = match end {
            Ok((planned, _)) => planned,
            Err(reason) => {
                self.tally.decline(*reason);
                return self.unchanged("a call that fails changes nothing");
            }
        };
        let moves = rehearsal.attempt.moves();
        match ending {
            Ending::Commit => {
                self.tally.moved += moves.len() as u64;
                self.committed(rehearsal, &moves)
            }
            Ending::Plan(_) => {
                self.tally
                    .note("plan moves", if moves.is_empty() { "none" } else { "some" });
                self.planned.clone_from(planned);
                self.unchanged("a plan changes nothing")
            }
            Ending::Drop => {
                self.tally
                    .note("drop", if moves.is_empty() { "nothing" } else { "moves" });
                self.unchanged("a dropped transaction changes nothing")
            }
        }
    }

    /// Takes in what a committed transaction has moved, made and ended.
    fn committed(&mut self, rehearsal: &Rehearsal, moves: &[Moved]) -> Result<(), Difference> {
        for number in rehearsal.first..self.twin.oracle.accepted() {
            if self.twin.oracle.get(number).is_ok() {
                self.accepted(number)?;
            } else {
                // Made and removed: its handle is used up.
                self.live.insert(number);
                self.end(number);
            }
        }
        for moved in moves.iter().filter(|moved| moved.from.is_some()) {
            match moved.to {
                Some(place) => {
                    self.promises.insert(moved.whose, place.window());
                }
                None => self.end(moved.whose),
            }
        }
        Ok(())
    }
}

/// Compares what each step answered and showed, and what the end did.
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
        before = Some(seen);
    }
    let steps = (outcome.answers.len(), expected.answers.len());
    same("steps that were made", &steps.0, &steps.1)?;
    same("end of the transaction", &outcome.end, &expected.end)
}

fn work(limit: Option<u16>) -> u64 {
    limit.map_or(u64::MAX, u64::from)
}

fn subject_of(call: &Call) -> Option<Number> {
    match *call {
        Call::Lift(number)
        | Call::Place(number, _)
        | Call::PlaceFirstFit(number, _)
        | Call::Remove(number)
        | Call::Alter(number, _)
        | Call::Split(number, _) => Some(number),
        _ => None,
    }
}

fn state_in(attempt: &Attempt, number: Number) -> &'static str {
    let known = attempt.get(number);
    match known.map(|known| known.state) {
        Ok(bookahead::State::Running) if attempt.book().is_ending(number) => "ending",
        Ok(state) => state.name(),
        Err(_) => "ended",
    }
}

/// What a step is called in the tally.
fn step_name(step: Step) -> &'static str {
    match step {
        Step::Lift(_) => "lift",
        Step::Place(..) => "place",
        Step::FirstFit(..) => "place first fit",
        Step::Insert { .. } => "insert",
        Step::Remove(_) => "remove",
        Step::Alter(_, change) => change_name(change),
        Step::Split(..) => "split",
        Step::Savepoint => "savepoint",
        Step::RollbackTo(_) => "rollback",
        Step::Apply => "apply",
        Step::Conflict(..) => "conflict",
    }
}
