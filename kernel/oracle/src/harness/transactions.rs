//! Transactions on both sides: what each step answers and shows, and what is left when they end.

use std::collections::BTreeMap;

use bookahead::{PeCount, Placement, Slot, Span, UsageError};

use super::alterations::{alteration, change_name, place_of};
use super::{Harness, commitment};
use crate::difference::{same, sound};
use crate::{
    Answer, Answered, Attempt, Call, Deal, Difference, Ending, Finish, Hop, InTheWay, LONG_HANDLES,
    LONG_LOG, Moved, Name, Number, Outcome, Pick, Script, Sight, Spot, Step, Subject,
};

/// The number that a handle stands for, so that both sides can be compared; none for a handle that stands for nothing.
type Shown = Option<Number>;

/// A transaction on the side that is right, and how its calls are put to the other side.
struct Rehearsal<H> {
    attempt: Attempt,
    /// The reservations that it has made, by the order in which it made them.
    made: Vec<Number>,
    calls: Vec<Call<Name<H>>>,
    answers: Vec<(Answered, Sight)>,
    /// How many savepoints it has made.
    savepoints: usize,
    /// Those that it has removed.
    removed: Vec<Number>,
}

impl<S: Subject> Harness<S> {
    pub(super) fn transaction(&mut self, script: &Script) -> Result<(), Difference> {
        let limits = (usize::from(script.log).min(LONG_LOG), work(script.work));
        match script.finish {
            Finish::Commit => self.run(script.steps(), limits, Ending::Commit),
            Finish::Drop => self.run(script.steps(), limits, Ending::Drop),
            Finish::Plan(room) => {
                let room = usize::from(room);
                let room = if room < 8 { room } else { LONG_HANDLES };
                self.run(script.steps(), limits, Ending::Plan(room))
            }
            Finish::PlanApply(between) => {
                self.planned = (Vec::new(), Vec::new());
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
        let watched: Vec<(Number, S::Handle)> = self
            .live
            .iter()
            .map(|(number, handle)| (*number, *handle))
            .collect();
        let mut rehearsal = Rehearsal {
            attempt: self.oracle.attempt(log, work),
            made: Vec::new(),
            calls: Vec::new(),
            answers: Vec::new(),
            savepoints: 0,
            removed: Vec::new(),
        };
        for step in steps {
            self.rehearse(&mut rehearsal, *step, &watched);
        }
        let handles: Vec<S::Handle> = watched.iter().map(|(_, handle)| *handle).collect();
        let before = self.subject.clone();
        let outcome = self.subject.transact(&Deal {
            log,
            work,
            calls: &rehearsal.calls,
            ending,
            watched: &handles,
        });
        let names = self.compare_answers(&rehearsal, &outcome)?;
        self.finish(rehearsal, outcome, ending, &names, &before)
    }

    /// Makes the call that `step` means now on the side that is right.
    fn rehearse(
        &mut self,
        rehearsal: &mut Rehearsal<S::Handle>,
        step: Step,
        watched: &[(Number, S::Handle)],
    ) {
        let Some(call) = self.meant(rehearsal, step) else {
            return;
        };
        let state = match call {
            Call::Apply(ref moves) if moves.is_empty() => "nothing",
            _ => subject_of(&call).map_or("", |number| state_in(&rehearsal.attempt, number)),
        };
        let answer = rehearsal.attempt.call(&call);
        match answer {
            Ok(Answer::Made(number)) => rehearsal.made.push(number),
            Ok(_) => {}
            Err(reason) => self.tally.decline(reason),
        }
        if answer.is_ok() {
            self.tally.note(step_name(step), state);
            self.tally.deepest = self.tally.deepest.max(rehearsal.attempt.depth());
            rehearsal.savepoints += usize::from(call == Call::Savepoint);
            if let Call::Remove(number) = call {
                rehearsal.removed.push(number);
            }
        }
        rehearsal.calls.push(self.put(rehearsal, &call));
        let known = watched
            .iter()
            .map(|(number, _)| number)
            .chain(&rehearsal.made);
        let known: Vec<Number> = known.copied().collect();
        let sight = rehearsal.attempt.sight(&known);
        rehearsal.answers.push((answer, sight));
    }

    /// The call that `step` means now; none when it means nothing.
    fn meant(&self, rehearsal: &Rehearsal<S::Handle>, step: Step) -> Option<Call<Number>> {
        let attempt = &rehearsal.attempt;
        let book = attempt.book();
        let now = book.now().get();
        let pick = |pick: Pick| self.picked_inside(rehearsal, pick);
        Some(match step {
            Step::Lift(whose) => Call::Lift(pick(whose)?),
            Step::Place(whose, spot) => {
                let whose = pick(whose)?;
                let present = place_of(book, whose);
                let place = match spot {
                    Spot::Near(hop) => hopped(present, hop),
                    Spot::Of(other) => Placement {
                        start: self.start_before(attempt, pick(other)?),
                        ..present
                    },
                };
                Call::Place(whose, place)
            }
            Step::FirstFit(whose, from) => {
                let from = now.saturating_add_signed(from.into());
                Call::PlaceFirstFit(pick(whose)?, Slot::new(from))
            }
            Step::Insert { ask, after, ttl } => {
                let request = self.request(ask);
                let start = request.ready.get().saturating_add_signed(after.into());
                Call::Insert(request, Slot::new(start), commitment(ttl))
            }
            Step::Remove(whose) => Call::Remove(pick(whose)?),
            Step::Alter(whose, change) => {
                let whose = pick(whose)?;
                Call::Alter(whose, alteration(book, whose, change))
            }
            Step::Split(whose, after) => {
                let whose = pick(whose)?;
                let start = place_of(book, whose).start.get();
                Call::Split(whose, Slot::new(start.saturating_add_signed(after.into())))
            }
            Step::Savepoint => Call::Savepoint,
            Step::RollbackTo(nth) => {
                Call::RollbackTo(usize::from(nth).checked_rem(rehearsal.savepoints)?)
            }
            Step::Apply => Call::Apply(self.planned.0.clone()),
            Step::Conflict(whose, hop) => {
                let whose = whose.and_then(pick);
                let present = place_of(book, whose.unwrap_or(Number::MAX));
                Call::Conflict(whose, hopped(present, hop))
            }
        })
    }

    /// Where a reservation stood before it was lifted, or before the transaction: so that two can swap places.
    fn start_before(&self, attempt: &Attempt, number: Number) -> Slot {
        let before = self.oracle.placement(number);
        before
            .unwrap_or_else(|_| place_of(attempt.book(), number))
            .start
    }

    fn picked_inside(&self, rehearsal: &Rehearsal<S::Handle>, pick: Pick) -> Option<Number> {
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
                let outside = self.ended.iter().map(|(number, _)| *number);
                let mut ended: Vec<Number> = outside.chain(inside).collect();
                ended.reverse();
                nth(&ended, number)
            }
            Pick::Never => Some(Number::MAX),
        }
    }

    /// The same call for the other side.
    fn put(&self, rehearsal: &Rehearsal<S::Handle>, call: &Call<Number>) -> Call<Name<S::Handle>> {
        let name = |number: Number| self.name(rehearsal, number);
        match *call {
            Call::Lift(number) => Call::Lift(name(number)),
            Call::Place(number, place) => Call::Place(name(number), place),
            Call::PlaceFirstFit(number, from) => Call::PlaceFirstFit(name(number), from),
            Call::Insert(request, start, terms) => Call::Insert(request, start, terms),
            Call::Remove(number) => Call::Remove(name(number)),
            Call::Alter(number, alteration) => Call::Alter(name(number), alteration),
            Call::Split(number, at) => Call::Split(name(number), at),
            Call::Savepoint => Call::Savepoint,
            Call::RollbackTo(savepoint) => Call::RollbackTo(savepoint),
            Call::Apply(_) => {
                let known = |moved: &Moved<S::Handle>| Moved {
                    whose: Name::Known(moved.whose),
                    from: moved.from,
                    to: moved.to,
                };
                Call::Apply(self.planned.1.iter().map(known).collect())
            }
            Call::Conflict(own, place) => Call::Conflict(own.map(name), place),
        }
    }

    fn name(&self, rehearsal: &Rehearsal<S::Handle>, number: Number) -> Name<S::Handle> {
        // The latest: a number is used again after a rollback.
        let made = rehearsal.made.iter().rposition(|made| *made == number);
        let ended = || self.ended.iter().rfind(|(ended, _)| *ended == number);
        let known = || {
            let live = self.handle(number);
            live.or_else(|| ended().map(|(_, handle)| *handle))
        };
        match made {
            Some(nth) => Name::Made(nth),
            None => Name::Known(known().unwrap_or_else(S::never)),
        }
    }

    /// Compares what each step answered and showed; which handle stands for which of the reservations that lived or were made.
    fn compare_answers(
        &mut self,
        rehearsal: &Rehearsal<S::Handle>,
        outcome: &Outcome<S::Handle>,
    ) -> Result<BTreeMap<Number, S::Handle>, Difference> {
        let mut names = self.live.clone();
        let mut made = rehearsal.made.iter();
        let mut before = None;
        for ((answer, sight), (given, seen)) in rehearsal.answers.iter().zip(&outcome.answers) {
            if let (Ok(Answer::Made(handle)), Ok(Answer::Made(_))) = (given, answer)
                && let Some(number) = made.next()
            {
                names.insert(*number, *handle);
            }
            let seen = seen_by(&names, seen);
            if let Some(before) = before.filter(|_| given.is_err()) {
                // But for work that was done in vain.
                let work_left = seen.work_left;
                let before = Sight {
                    work_left,
                    ..before
                };
                same("a refused step changes nothing", &seen, &before)?;
            }
            let given = given.clone().map(|answer| shown(&names, answer));
            let answer = answer.clone().map(numbered);
            same("answer to the step", &given, &answer)?;
            same("what the step shows", &seen, &sight_of(sight))?;
            before = Some(seen);
        }
        same(
            "steps that were made",
            &outcome.answers.len(),
            &rehearsal.answers.len(),
        )?;
        Ok(names)
    }

    /// Compares what came of the end.
    fn finish(
        &mut self,
        rehearsal: Rehearsal<S::Handle>,
        outcome: Outcome<S::Handle>,
        ending: Ending,
        names: &BTreeMap<Number, S::Handle>,
        before: &S,
    ) -> Result<(), Difference> {
        let moves = rehearsal.attempt.moves();
        let nothing = (Vec::new(), 0);
        let expected = match ending {
            Ending::Commit => {
                let known = self.oracle.version();
                let committed = self.oracle.commit_attempt(rehearsal.attempt);
                let changed = self.oracle.version() != known;
                let note = if changed { "changed" } else { "unchanged" };
                self.tally
                    .note("commit", if committed.is_ok() { note } else { "refused" });
                committed.map(|()| nothing)
            }
            Ending::Plan(room) => rehearsal.attempt.plan(room),
            Ending::Drop => Ok(nothing),
        };
        let end = outcome.end.clone().map(|(moves, more)| {
            let moves = moves.iter().map(|moved| shown_move(names, moved));
            (moves.collect::<Vec<_>>(), more)
        });
        let to_be = expected.clone().map(|(moves, more)| {
            let moves = moves.iter().map(|moved| numbered_move(*moved));
            (moves.collect::<Vec<_>>(), more)
        });
        same("end of the transaction", &end, &to_be)?;
        if let Err(reason) = expected {
            return self.declined(before, reason);
        }
        match ending {
            Ending::Commit => {
                self.tally.moved += moves.len() as u64;
                let made: Vec<Number> = rehearsal.made;
                self.committed(&moves, &made, names)
            }
            Ending::Plan(_) => {
                self.tally
                    .note("plan moves", if moves.is_empty() { "none" } else { "some" });
                if let (Ok((numbers, _)), Ok((handles, _))) = (expected, outcome.end) {
                    self.planned = (numbers, handles);
                }
                sound("a plan changes nothing", self.subject == *before)
            }
            Ending::Drop => {
                self.tally
                    .note("drop", if moves.is_empty() { "nothing" } else { "moves" });
                sound(
                    "a dropped transaction changes nothing",
                    self.subject == *before,
                )
            }
        }
    }

    /// Takes in what a committed transaction has moved, made and ended.
    fn committed(
        &mut self,
        moves: &[Moved],
        made: &[Number],
        names: &BTreeMap<Number, S::Handle>,
    ) -> Result<(), Difference> {
        let mut made = made.to_vec();
        made.sort_unstable();
        made.dedup();
        for number in made {
            let handle = names[&number];
            if self.oracle.get(number).is_ok() {
                self.accepted(number, handle)?;
            } else if self.oracle.get(number) == Err(UsageError::StaleHandle.into()) {
                // Made and removed: its handle is used up.
                self.begin(number, handle)?;
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

fn work(limit: Option<u16>) -> u64 {
    limit.map_or(u64::MAX, u64::from)
}

fn hopped(place: Placement, hop: Hop) -> Placement {
    Placement {
        start: Slot::new(place.start.get().saturating_add_signed(hop.by.into())),
        duration: Span::new(
            place
                .duration
                .get()
                .saturating_add_signed(hop.longer.into()),
        ),
        pes: PeCount::new(place.pes.get().saturating_add_signed(hop.wider)),
    }
}

fn subject_of(call: &Call<Number>) -> Option<Number> {
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

fn number_of<H: Eq>(names: &BTreeMap<Number, H>, handle: &H) -> Shown {
    let found = names.iter().rfind(|(_, known)| *known == handle);
    found.map(|(number, _)| *number)
}

fn shown_move<H: Eq>(names: &BTreeMap<Number, H>, moved: &Moved<H>) -> Moved<Shown> {
    Moved {
        whose: number_of(names, &moved.whose),
        from: moved.from,
        to: moved.to,
    }
}

fn numbered_move(moved: Moved) -> Moved<Shown> {
    Moved {
        whose: Some(moved.whose),
        from: moved.from,
        to: moved.to,
    }
}

fn shown<H: Eq>(names: &BTreeMap<Number, H>, answer: Answer<H>) -> Answer<Shown> {
    match answer {
        Answer::Done => Answer::Done,
        Answer::At(place) => Answer::At(place),
        Answer::Starts(start) => Answer::Starts(start),
        Answer::Made(handle) => Answer::Made(number_of(names, &handle)),
        Answer::Conflict(conflict) => {
            let handles = conflict.names.iter();
            Answer::Conflict(InTheWay {
                names: handles.map(|handle| number_of(names, handle)).collect(),
                more: conflict.more,
            })
        }
    }
}

fn numbered(answer: Answer) -> Answer<Shown> {
    match answer {
        Answer::Done => Answer::Done,
        Answer::At(place) => Answer::At(place),
        Answer::Starts(start) => Answer::Starts(start),
        Answer::Made(number) => Answer::Made(Some(number)),
        Answer::Conflict(conflict) => Answer::Conflict(InTheWay {
            names: conflict.names.into_iter().map(Some).collect(),
            more: conflict.more,
        }),
    }
}

fn seen_by<H: Eq>(names: &BTreeMap<Number, H>, sight: &Sight<H>) -> Sight<Shown> {
    let handles = sight.covering.iter();
    Sight {
        moves: sight
            .moves
            .iter()
            .map(|moved| shown_move(names, moved))
            .collect(),
        covering: handles.map(|handle| number_of(names, handle)).collect(),
        known: sight.known.clone(),
        work_left: sight.work_left,
        logged: sight.logged,
    }
}

fn sight_of(sight: &Sight) -> Sight<Shown> {
    Sight {
        moves: sight
            .moves
            .iter()
            .map(|moved| numbered_move(*moved))
            .collect(),
        covering: sight.covering.iter().copied().map(Some).collect(),
        known: sight.known.clone(),
        work_left: sight.work_left,
        logged: sight.logged,
    }
}
