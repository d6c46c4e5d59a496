//! Transactions: the steps of a list.

use std::ptr;

use bookahead::{Handle, Outage, Placement, Reservation, State};
use bookahead_capi::{self as c, Code, StepKind};
use bookahead_commands::{
    Answer, Answered, Broken, Call, Ending, Gone, LONG_HANDLES, Moved, Number, Outcome, Scope,
    Sight, Transact, set_of,
};

use crate::{
    CapiSide, Careless,
    argument::{List, Place, Plain},
    convert::{self, InC, a_move, commitment, error, move_of},
};

/// The steps so far, and what they have come to.
#[derive(Default)]
struct Draft {
    steps: Vec<c::Step>,
    /// The numbers of the steps that have made a reservation which is still there.
    made: Vec<usize>,
    /// How many these were at each savepoint, and the number of its step.
    savepoints: Vec<(usize, usize)>,
    /// The sets of PEs that steps lead to, the rules, and what is not there.
    sets: Vec<Vec<u32>>,
    rules: Vec<Vec<c::Rule>>,
    absents: Vec<Vec<c::Absent>>,
}

/// What came of a list of steps.
struct Taken {
    end: Result<(), u32>,
    steps: Vec<c::Step>,
    moves: Vec<c::Move>,
    outcome: c::Outcome,
}

/// Where values lie that are kept as long as the list of all of them.
fn kept<T>(all: &mut Vec<Vec<T>>, values: Vec<T>) -> *const T {
    let place = values.as_ptr();
    all.push(values);
    place
}

/// A step that is refused alone, and of which nothing is looked at.
fn idle() -> c::Step {
    c::Step {
        optional: 1,
        made_by: 0,
        ..c::Step::dirt()
    }
}

/// A step behind so many others that every book refuses, and for what.
fn impossible(any: u64, others: usize, known: c::Handle) -> (c::Step, Code) {
    let (kind, code) = match any % 6 {
        0 => (13, Code::UnknownStep),
        1 => (u32::MAX, Code::UnknownStep),
        2 => (StepKind::Savepoint as u32, Code::BadSavepoint),
        3 => (StepKind::RollbackIfRefused as u32, Code::BadSavepoint),
        4 => (StepKind::Insert as u32, Code::ZeroDuration),
        _ => (StepKind::Remove as u32, Code::UnknownHandle),
    };
    let mut step = c::Step {
        kind,
        optional: 0,
        // Made by itself, or by none of them, whatever stands there from before.
        made_by: 1 + others as u32 + (any / 6) as u32 % 2,
        made: known,
        savepoint: Scope::SAVEPOINTS_OF_C as u32,
        ..idle()
    };
    (step.commitment.kind, step.request.duration) = (0, 0);
    (step, code)
}

const COMMIT: u32 = c::Ending::Commit as u32;
const PLAN: u32 = c::Ending::Plan as u32;

impl CapiSide {
    pub(crate) fn transact(&mut self, transact: &Transact) -> Outcome {
        match &transact.calls[..] {
            [Call::Apply(moves)] if transact.is_a_call_of_its_own() => {
                return self.apply(transact, moves);
            }
            [call] if transact.is_a_call_of_its_own() => return self.force(transact, call),
            _ => (),
        }
        let (mut draft, mut answers) = (Draft::default(), Vec::new());
        let mut sight = None;
        for call in &transact.calls {
            let step = self.step(&mut draft, call);
            draft.steps.push(step);
            // A copy of the book shows what the steps so far come to.
            let mut copy = self.clone();
            copy.c.careless = Careless::default();
            let taken = copy.take(transact, &draft.steps, COMMIT, LONG_HANDLES);
            answers.push((self.answer(&mut draft, call, &taken), Sight::default()));
            sight = taken
                .end
                .is_ok()
                .then(|| copy.sight(&draft, transact, &taken));
        }
        self.refuse(transact, &draft.steps);
        let (ending, room) = match transact.ending {
            Ending::Commit => (COMMIT, LONG_HANDLES),
            Ending::Plan(room) => (PLAN, room),
            Ending::Drop => (PLAN, 0),
        };
        draft.roll_back_if_refused();
        let taken = self.take(transact, &draft.steps, ending, room);
        assert_eq!(
            taken.steps, draft.steps,
            "the book decides otherwise than its copy"
        );
        if let (Some((_, last)), Some(sight), Ok(())) = (answers.last_mut(), sight, taken.end)
            && transact.ending != Ending::Drop
        {
            assert_eq!(taken.outcome.work_left, sight.work_left);
            *last = sight;
        }
        let end = taken.end.map_err(error).map(|()| (Vec::new(), 0));
        let end = match transact.ending {
            Ending::Plan(_) => {
                let moves = self.moves(&draft, &taken);
                end.map(|_| (moves, taken.outcome.more_moves))
            }
            Ending::Commit => {
                let made = draft
                    .made
                    .iter()
                    .map(|step| Handle::of(draft.steps[*step].made));
                end.inspect(|_| drop(self.names.begin_all(made.collect())))
            }
            Ending::Drop => Ok((Vec::new(), 0)),
        };
        Outcome { answers, end }
    }

    /// Takes time or PEs by force, or lets a rule do so: looks first at what it would cost.
    fn force(&mut self, transact: &Transact, call: &Call) -> Outcome {
        let refused = |reason| Outcome {
            answers: vec![(Err(error(reason)), Sight::default())],
            end: Ok((Vec::new(), 0)),
        };
        let planned = self.force_with(transact, call, PLAN);
        let of_rule = matches!(call, Call::SetRule(..) | Call::Resize(_));
        if of_rule {
            let mut draft = Draft::default();
            let mut step = self.step(&mut draft, call);
            step.optional = 0;
            let taken = self.take(transact, &[step], PLAN, LONG_HANDLES);
            let moves = taken.end.map(|()| taken.moves);
            assert_eq!(moves, planned, "a transaction of one step does otherwise");
        }
        let moves = match planned {
            Ok(moves) => moves,
            Err(reason) => return refused(reason),
        };
        // Those that run leave first: for a rule, and for a number of PEs, those of the queue, of each the latest accepted.
        let by_number = of_rule || matches!(call, Call::TakeOut(_, Gone::Number(_)));
        let order = |known: &Reservation, whose: Number| {
            let waits = known.state != State::Running;
            match by_number && !waits {
                true => (waits, known.ticket.is_none(), Number::MAX - whose),
                false => (waits, false, whose),
            }
        };
        let next = self.names.next();
        let (mut broken, mut parts, mut names) = (Vec::new(), Vec::new(), Vec::new());
        let mut listed = Vec::new();
        for change in moves.iter().map(move_of) {
            let whose = match change.from {
                Some(_) => self.names.number(change.handle),
                None => next + parts.len() as Number,
            };
            listed.push(Moved {
                whose,
                from: change.from,
                to: change.to,
            });
            match (change.from, change.to) {
                (None, _) => {
                    parts.push(whose);
                    names.push(change.handle);
                }
                (Some(place), None) => {
                    let known = self.get(InC::c(change.handle));
                    let known = known.expect("it is promised something yet");
                    let left = Broken {
                        whose,
                        request: known.request,
                        place,
                    };
                    broken.push((order(&known, whose), left));
                }
                _ => (),
            }
        }
        broken.sort_unstable_by_key(|(order, _)| *order);
        let broken = broken.into_iter().map(|(_, left)| left).collect();
        let answer = match call {
            Call::ExtendByForce(number, _) => {
                let own = listed.iter().find(|moved| moved.whose == *number);
                let place = own.and_then(|moved| moved.to);
                Answer::Forced(place.expect("it has become longer"), broken)
            }
            Call::TakeOut(..) => Answer::Out(parts, broken),
            _ => {
                assert!(parts.is_empty(), "a rule makes no reservation");
                Answer::Ruled(broken)
            }
        };
        let end = match transact.ending {
            Ending::Commit => {
                let done = self.force_with(transact, call, COMMIT);
                assert_eq!(done, Ok(moves), "the book decides otherwise than planned");
                let is_outage = |name: &Handle| self.c.is_outage(InC::c(*name));
                assert!(names.iter().map(is_outage).all(|is| is == Ok(true)));
                drop(self.names.begin_all(names));
                Ok((Vec::new(), 0))
            }
            Ending::Plan(room) => {
                let more = listed.len().saturating_sub(room) as u32;
                listed.truncate(room);
                Ok((listed, more))
            }
            Ending::Drop => Ok((Vec::new(), 0)),
        };
        Outcome {
            answers: vec![(Ok(answer), Sight::default())],
            end,
        }
    }

    fn force_with(
        &mut self,
        transact: &Transact,
        call: &Call,
        ending: u32,
    ) -> Result<Vec<c::Move>, u32> {
        let (lent, moves) = (self.c.lend(transact.log, 0), List::new(LONG_HANDLES));
        let (work, ending) = (transact.work, ending as u8);
        let told = match *call {
            Call::ExtendByForce(number, until) => {
                let name = self.handle(number);
                let until = until.c();
                self.c
                    .extend_by_force(name, until, &lent, work, ending, &moves)?
            }
            Call::TakeOut(outage, ref gone) => {
                let set = self.set_of_gone(Some(gone));
                let absent = convert::absent(gone, &set);
                let (kind, window) = match outage {
                    Outage::Failure { until } => {
                        (c::OutageKind::Failure, convert::window(0, until.get()).c())
                    }
                    Outage::Maintenance { window } => (c::OutageKind::Maintenance, window.c()),
                };
                self.c
                    .take_out((kind as u8, window), &absent, &lent, work, ending, &moves)?
            }
            Call::SetRule(number, ref rule) => {
                let number = number.try_into().expect("no rule has such a number");
                let set = self.set_of_gone(rule.as_ref().map(|(_, gone)| gone));
                let given = rule
                    .as_ref()
                    .map(|(rule, gone)| (convert::rule(rule), convert::absent(gone, &set)));
                let given = given.as_ref().map(|(rule, absent)| (rule, absent)).unzip();
                self.c
                    .set_rule(number, given, &lent, work, ending, &moves)?
            }
            Call::Resize(ref gone) => {
                let set = self.set_of_gone(gone.as_ref());
                let absent = gone.as_ref().map(|gone| convert::absent(gone, &set));
                self.c
                    .resize(absent.as_ref(), &lent, work, ending, &moves)?
            }
            _ => panic!("{call:?} takes nothing by force"),
        };
        assert_eq!((told.booking.handle.bits, told.more_moves), (0, 0));
        Ok(moves.all()[..told.moves as usize].to_vec())
    }

    fn set_of_gone(&self, gone: Option<&Gone>) -> Vec<u32> {
        match gone {
            Some(Gone::These(pes)) => set_of(pes, self.numbers),
            _ => Vec::new(),
        }
    }

    /// Makes the moves of a plan true.
    fn apply(&mut self, transact: &Transact, moves: &[Moved]) -> Outcome {
        let (lent, work) = (self.c.lend(transact.log, 0), transact.work);
        let change = |moved: &Moved| a_move(self.handle(moved.whose), moved.from, moved.to);
        let mut moves: Vec<_> = moves.iter().map(change).collect();
        if let Some(first) = moves.first().copied() {
            let mut forged = first;
            (forged.from.duration, forged.to.duration, forged.to.pes) = (1, 1, u32::MAX);
            moves.push(forged);
            assert!(
                self.c.apply(&lent, work, &moves).is_err(),
                "no machine is that wide"
            );
            moves.pop();
        }
        let applied = self.c.apply(&lent, work, &moves);
        let answer = applied.map(|()| Answer::Done).map_err(error);
        Outcome {
            answers: vec![(answer, Sight::default())],
            end: Ok((Vec::new(), 0)),
        }
    }

    /// Takes all steps.
    fn take(&mut self, transact: &Transact, steps: &[c::Step], ending: u32, room: usize) -> Taken {
        let (lent, list) = (self.c.lend(transact.log, 0), List::of(steps));
        let (moves, outcome) = (List::new(room), Place::new());
        let end = self
            .c
            .transaction(&lent, transact.work, &list, ending, &moves, &outcome);
        let outcome: c::Outcome = outcome.get();
        Taken {
            end,
            steps: list.all(),
            moves: moves.all()[..outcome.moves as usize].to_vec(),
            outcome,
        }
    }

    /// A step that is refused ends a list in which it is not optional, and leaves no trace: the first of these, and one behind all that
    /// nobody can take.
    fn refuse(&mut self, transact: &Transact, steps: &[c::Step]) {
        if let Some(number) = steps.iter().position(|step| step.code != 0) {
            let mut all = steps.to_vec();
            all.iter_mut().for_each(|step| step.optional = 0);
            self.refuse_at(transact, &all, number, &[steps[number].code]);
        }
        let known = self.handle(transact.watched.first().copied().unwrap_or(0));
        let (step, code) = impossible(self.c.careless.number(), steps.len(), known);
        let all = [steps, &[step]].concat();
        // Whoever asks for a class that is gone hears that first.
        let codes = [code, Code::StaleClass].map(|code| code as u32);
        let is_insert = step.kind == StepKind::Insert as u32;
        self.refuse_at(
            transact,
            &all,
            steps.len(),
            &codes[..1 + usize::from(is_insert)],
        );
    }

    /// The step of this number is refused by one of these codes.
    fn refuse_at(&mut self, transact: &Transact, steps: &[c::Step], number: usize, codes: &[u32]) {
        let before = self.c.memory.clone();
        let taken = self.take(transact, steps, COMMIT, LONG_HANDLES);
        let outcome = taken.outcome;
        let code = taken.steps[number].code;
        assert!(codes.contains(&code), "{code}, expected {codes:?}");
        assert_eq!(taken.end, Err(code));
        assert_eq!((outcome.failed_step, outcome.moves), (number as u32, 0));
        assert!(
            self.c.memory == before,
            "a refused transaction leaves a trace"
        );
    }

    /// The step that makes a call.
    fn step(&self, draft: &mut Draft, call: &Call) -> c::Step {
        let mut step = idle();
        let (kind, number) = match *call {
            Call::Lift(number) => (StepKind::Lift, Some(number)),
            Call::Place(number, place) => {
                step.placement = place.c();
                (StepKind::Place, Some(number))
            }
            Call::PlaceFirstFit(number, from) => {
                step.placement.start = from.c();
                (StepKind::PlaceFirstFit, Some(number))
            }
            Call::Insert(request, start, terms) => {
                step.request = request.c();
                step.placement.start = start.c();
                step.commitment = commitment(terms);
                (StepKind::Insert, None)
            }
            Call::Remove(number) => (StepKind::Remove, Some(number)),
            Call::Alter(number, to) => {
                step.alteration = convert::alteration(to);
                (StepKind::Alter, Some(number))
            }
            Call::Split(number, at) => {
                step.placement.start = at.c();
                (StepKind::Split, Some(number))
            }
            Call::Savepoint => {
                step.savepoint = draft.savepoints.len() as u32;
                (StepKind::Savepoint, None)
            }
            Call::RollbackTo(nth) => {
                step.savepoint = nth as u32;
                (StepKind::RollbackTo, None)
            }
            Call::PlaceExactly(number, start, ref pes) => {
                let set = set_of(pes, self.numbers);
                step.placement.start = start.c();
                step.words = set.len();
                step.pes = kept(&mut draft.sets, set);
                (StepKind::PlaceExactly, Some(number))
            }
            Call::SetRule(number, ref rule) => {
                step.number = number.try_into().expect("no rule has such a number");
                step.rule = ptr::null();
                if let Some((rule, gone)) = rule {
                    step.rule = kept(&mut draft.rules, vec![convert::rule(rule)]);
                    step.absent = self.absent(draft, gone);
                }
                (StepKind::SetRule, None)
            }
            Call::Resize(ref gone) => {
                let absent = gone.as_ref().map(|gone| self.absent(draft, gone));
                step.absent = absent.unwrap_or(ptr::null());
                (StepKind::Resize, None)
            }
            Call::Apply(_)
            | Call::Conflict(..)
            | Call::ConflictExactly(..)
            | Call::PesOf(_)
            | Call::ExtendByForce(..)
            | Call::TakeOut(..) => panic!("{call:?} is no step"),
        };
        step.kind = kind as u32;
        if let Some(number) = number {
            let nth = number.checked_sub(self.names.next());
            match nth.and_then(|nth| draft.made.get(usize::try_from(nth).ok()?)) {
                Some(made) => step.made_by = 1 + *made as u32,
                None => step.handle = self.handle(number),
            }
        }
        step
    }

    /// What is not there, kept as long as the draft.
    fn absent(&self, draft: &mut Draft, gone: &Gone) -> *const c::Absent {
        let set = self.set_of_gone(Some(gone));
        let absent = convert::absent(gone, &set);
        draft.sets.push(set);
        kept(&mut draft.absents, vec![absent])
    }

    /// What the last of the steps has answered, which is noted.
    fn answer(&self, draft: &mut Draft, call: &Call, taken: &Taken) -> Answered {
        let number = draft.steps.len() - 1;
        let step = taken.steps[number];
        draft.steps.clone_from(&taken.steps);
        if step.code != 0 {
            assert_eq!((step.booked, step.made.bits), (convert::NOWHERE, 0));
            return Err(error(step.code));
        }
        let booked = Placement::of(step.booked);
        Ok(match *call {
            Call::Lift(_) | Call::Alter(..) => Answer::At(booked),
            Call::PlaceFirstFit(..) => Answer::Starts(booked.start),
            Call::Insert(..) | Call::Split(..) => {
                draft.made.push(number);
                Answer::Made(self.number_within(draft, InC::of(step.made)))
            }
            Call::Savepoint => {
                draft.savepoints.push((draft.made.len(), number));
                Answer::Done
            }
            Call::RollbackTo(nth) => {
                draft.made.truncate(draft.savepoints[nth].0);
                Answer::Done
            }
            Call::SetRule(..) | Call::Resize(_) => Answer::Ruled(Vec::new()),
            Call::Place(_, place) if booked != place => panic!("{place:?} becomes {booked:?}"),
            _ => Answer::Done,
        })
    }

    /// The number of a reservation, made in the transaction or before.
    fn number_within(&self, draft: &Draft, name: Handle) -> Number {
        let is_named = |step: &usize| Handle::of(draft.steps[*step].made) == name;
        let made = draft.made.iter().position(is_named);
        let known = || self.names.number(name);
        made.map_or_else(known, |nth| self.names.next() + nth as Number)
    }

    /// The moves by the numbers of what they move.
    fn moves(&self, draft: &Draft, taken: &Taken) -> Vec<Moved> {
        let moved = |change: &c::Move| {
            let change = move_of(change);
            Moved {
                whose: self.number_within(draft, change.handle),
                from: change.from,
                to: change.to,
            }
        };
        taken.moves.iter().map(moved).collect()
    }

    /// What can be seen when the steps have become true.
    fn sight(&mut self, draft: &Draft, transact: &Transact, taken: &Taken) -> Sight {
        let covering = self.covering(convert::window(0, u64::MAX)).into_iter();
        let number = |name| self.number_within(draft, InC::of(name));
        let covering = covering.map(number).collect();
        let watched = transact.watched.iter().map(|number| self.handle(*number));
        let made = draft.made.iter().map(|step| draft.steps[*step].made);
        let known: Vec<_> = watched.chain(made).collect();
        assert_eq!(taken.outcome.more_moves, 0);
        Sight {
            moves: self.moves(draft, taken),
            covering,
            known: known
                .into_iter()
                .map(|name| self.get(name).map_err(error))
                .collect(),
            work_left: taken.outcome.work_left,
            logged: 0,
        }
    }
}

impl Draft {
    /// Where a step was refused since a savepoint, a rollback for that reason does the same as any.
    fn roll_back_if_refused(&mut self) {
        let mut refused = None;
        for (number, step) in self.steps.iter_mut().enumerate() {
            let noted = self.savepoints.get(step.savepoint as usize);
            if step.kind == StepKind::RollbackTo as u32
                && noted.is_some_and(|(_, at)| refused.is_some_and(|refused| refused > *at))
            {
                step.kind = StepKind::RollbackIfRefused as u32;
            }
            if step.code != 0 {
                refused = Some(number);
            }
        }
    }
}
