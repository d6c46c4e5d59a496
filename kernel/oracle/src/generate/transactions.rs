//! Transactions: calls that belong together, and wild ones.

use bookahead::{Commitment, Placement, Slot};
use bookahead_commands::{Call, Command, Ending, Number, Transact};

use super::{Generator, LONG_HANDLES, LONG_LOG, later};

/// How many calls a transaction has at most.
const CALLS: usize = 12;

/// What a transaction has come to if all its calls succeed.
#[derive(Clone)]
struct Draft {
    live: Vec<Number>,
    lifted: Vec<Number>,
    ended: Vec<Number>,
    next: Number,
}

impl Draft {
    fn note(&mut self, call: &Call) {
        match *call {
            Call::Lift(number) if !self.lifted.contains(&number) => self.lifted.push(number),
            Call::Place(number, _)
            | Call::PlaceExactly(number, ..)
            | Call::PlaceFirstFit(number, _) => {
                self.lifted.retain(|lifted| *lifted != number);
            }
            Call::Insert(..) | Call::Split(..) => {
                self.live.push(self.next);
                self.next += 1;
            }
            Call::Remove(number) => {
                self.lifted.retain(|lifted| *lifted != number);
                self.live.retain(|live| *live != number);
                self.ended.push(number);
            }
            _ => {}
        }
    }
}

/// The calls so far.
struct Calls {
    all: Vec<Call>,
    draft: Draft,
    /// What each savepoint notes.
    saved: Vec<Draft>,
}

impl Calls {
    fn push(&mut self, call: Call) {
        match call {
            Call::Savepoint => self.saved.push(self.draft.clone()),
            Call::RollbackTo(nth) => {
                if let Some(saved) = self.saved.get(nth) {
                    self.draft = saved.clone();
                }
            }
            ref call => self.draft.note(call),
        }
        self.all.push(call);
    }
}

impl Generator<'_, '_> {
    pub(super) fn transaction(&mut self) -> Option<Command> {
        let ending = match self.source.weighted(&[(8, 0), (6, 1), (2, 2)])? {
            0 => Ending::Commit,
            1 => Ending::Plan(self.room(LONG_HANDLES)?),
            _ => Ending::Drop,
        };
        let log = self.log()?;
        let work = self.work()?;
        let phrases = self.source.below(7)?;
        let mut calls = Calls {
            all: Vec::new(),
            draft: Draft {
                live: self
                    .situation
                    .live
                    .iter()
                    .map(|(number, _)| *number)
                    .collect(),
                lifted: Vec::new(),
                ended: self.situation.ended.clone(),
                next: self.situation.next,
            },
            saved: Vec::new(),
        };
        for _ in 0..phrases {
            // A transaction may end early where the source does.
            if self.phrase(&mut calls).is_none() {
                break;
            }
        }
        calls.all.truncate(CALLS);
        Some(self.transact((log, work), calls.all, ending))
    }

    /// A transaction that applies the moves planned last.
    pub(super) fn apply(&mut self) -> Option<Command> {
        let limits = (self.log()?, self.work()?);
        let moves = self.situation.moves.clone();
        Some(self.transact(limits, vec![Call::Apply(moves)], Ending::Commit))
    }

    pub(super) fn transact(
        &self,
        (log, work): (usize, u64),
        calls: Vec<Call>,
        ending: Ending,
    ) -> Command {
        let live = self.situation.live.iter();
        Command::Transact(Transact {
            log,
            work,
            calls,
            ending,
            watched: live.map(|(number, _)| *number).collect(),
        })
    }

    fn work(&mut self) -> Option<u64> {
        let duration = u64::from(self.profile.duration);
        match self.source.weighted(&[(5, 0), (1, 1), (1, 2)])? {
            0 => Some(u64::MAX),
            1 => self.source.below(8 * duration),
            _ => self.source.below(duration),
        }
    }

    /// Calls that belong together.
    fn phrase(&mut self, calls: &mut Calls) -> Option<()> {
        let kinds = [
            (4, 0),
            (3, 1),
            (3, 2),
            (3, 3),
            (3, 4),
            (1, 5),
            (1, 6),
            (4, 7),
            (2, 8),
            (4, 9),
            (2, 10),
            (1, 11),
            (1, 12),
            (4, 13),
            (4, 14),
            (4, 15),
        ];
        let has_rules = self.situation.size.kind.has_rules();
        let kinds = &kinds[..kinds.len() - usize::from(!has_rules)];
        match self.source.weighted(kinds)? {
            0 => {
                let number = self.live_of(calls)?;
                calls.push(Call::Lift(number));
                let place = self.placement(self.situation.place_of(number))?;
                calls.push(Call::Place(number, place));
            }
            1 => {
                let number = self.live_of(calls)?;
                calls.push(Call::Lift(number));
                let from = self.source.within(-1..=self.slots() - 1)?;
                calls.push(Call::PlaceFirstFit(number, later(self.now(), from)));
            }
            2 => {
                let (one, other) = (self.live_of(calls)?, self.live_of(calls)?);
                calls.push(Call::Lift(one));
                calls.push(Call::Lift(other));
                calls.push(Call::Place(one, self.at_start_of(other, one)));
                calls.push(Call::Place(other, self.at_start_of(one, other)));
            }
            // One makes room for a newcomer, as in a search for room.
            3 => {
                let number = self.live_of(calls)?;
                calls.push(Call::Lift(number));
                calls.push(self.insert()?);
                calls.push(Call::PlaceFirstFit(number, self.now()));
            }
            4 => calls.push(self.insert()?),
            5 => calls.push(Call::Remove(self.live_of(calls)?)),
            6 => {
                let number = self.live_of(calls)?;
                calls.push(Call::Lift(number));
                calls.push(Call::Remove(number));
            }
            7 => {
                let number = self.live_of(calls)?;
                calls.push(Call::Alter(number, self.alteration(number)?));
            }
            8 => {
                let number = self.live_of(calls)?;
                let after = self.source.within(1..=self.profile.duration.into())?;
                calls.push(Call::Split(number, self.behind_start(number, after)));
            }
            9 => calls.push(Call::Savepoint),
            10 => self.roll_back(calls)?,
            11 => (0..4).for_each(|_| calls.push(Call::Savepoint)),
            14 => {
                let number = self.running()?;
                let more = self.source.within(1..=self.profile.duration.into())?;
                calls.push(Call::ExtendByForce(number, self.behind_end(number, more)));
            }
            15 => {
                let call = self.rule_call()?;
                calls.push(call);
            }
            // What comes behind a savepoint that is returned to is good no more.
            12 => {
                let number = self.live_of(calls)?;
                let first = calls.saved.len();
                calls.push(Call::Savepoint);
                calls.push(Call::Alter(number, self.alteration(number)?));
                calls.push(Call::Savepoint);
                calls.push(Call::RollbackTo(first));
                calls.push(Call::RollbackTo(first + 1));
            }
            _ => self.wild(calls)?,
        }
        Some(())
    }

    /// Any call, whether it makes sense or not.
    fn wild(&mut self, calls: &mut Calls) -> Option<()> {
        let kinds = [
            (2, 0),
            (2, 1),
            (1, 2),
            (2, 3),
            (3, 4),
            (2, 5),
            (1, 6),
            (2, 7),
            (2, 8),
        ];
        let kind = self.source.weighted(&kinds)?;
        let number = self.anyone(calls)?;
        let present = self.situation.place_of(number);
        let call = match kind {
            0 => Call::Lift(number),
            1 => Call::Place(number, self.placement(present)?),
            2 => {
                let from = self.few(self.slots())?;
                Call::PlaceFirstFit(number, later(self.now(), from))
            }
            3 => Call::Remove(number),
            4 => Call::Alter(number, self.alteration(number)?),
            5 => {
                let after = self.few(self.profile.duration.into())?;
                Call::Split(number, self.behind_start(number, after))
            }
            6 => Call::Apply(self.situation.moves.clone()),
            8 => {
                let more = self.few(self.profile.duration.into())?;
                Call::ExtendByForce(number, self.behind_end(number, more))
            }
            _ => {
                let place = self.placement(present)?;
                calls.push(Call::PesOf(number));
                Call::Conflict(self.source.one_of(&[Some(number), None])?, place)
            }
        };
        calls.push(call);
        Some(())
    }

    /// To one of the savepoints so far, whether it is still good or not.
    fn roll_back(&mut self, calls: &mut Calls) -> Option<()> {
        let nth = self.source.below(calls.saved.len().max(1) as u64)?;
        if !calls.saved.is_empty() {
            calls.push(Call::RollbackTo(nth as usize));
        }
        Some(())
    }

    fn insert(&mut self) -> Option<Call> {
        let asked = self.request()?;
        let after = match self.source.weighted(&[(6, 0), (2, 1), (1, 2)])? {
            0 => 0,
            1 => self.source.within(0..=5)?,
            _ => -1,
        };
        let terms: Commitment = self.terms()?;
        Some(Call::Insert(asked, later(asked.ready, after), terms))
    }

    fn live_of(&mut self, calls: &Calls) -> Option<Number> {
        let number = self.source.one_of(&calls.draft.live);
        Some(number.unwrap_or(Number::MAX))
    }

    /// One that has started.
    pub(super) fn running(&mut self) -> Option<Number> {
        let now = self.now();
        let live = self.situation.live.iter();
        let running = live.filter(|(_, known)| known.window.start <= now);
        let running: Vec<Number> = running.map(|(number, _)| *number).collect();
        let number = self.source.one_of(&running);
        Some(number.unwrap_or(Number::MAX))
    }

    fn anyone(&mut self, calls: &Calls) -> Option<Number> {
        let draft = &calls.draft;
        let lists = [(6, &draft.live), (3, &draft.lifted), (2, &draft.ended)];
        let lists = lists.map(|(weight, list)| (weight, Some(list)));
        let [live, lifted, ended] = lists;
        match self.source.weighted(&[live, lifted, ended, (1, None)])? {
            Some(list) if !list.is_empty() => self.source.one_of(list),
            _ => Some(Number::MAX),
        }
    }

    /// One as it is, from where the other started before the transaction: so that two can swap places.
    fn at_start_of(&self, other: Number, one: Number) -> Placement {
        Placement {
            start: self.situation.place_of(other).start,
            ..self.situation.place_of(one)
        }
    }

    fn behind_end(&self, number: Number, after: i64) -> Slot {
        let place = self.situation.place_of(number);
        later(place.start.saturating_add(place.duration), after)
    }

    fn behind_start(&self, number: Number, after: i64) -> Slot {
        later(self.situation.place_of(number).start, after)
    }
}

const _: () = assert!(CALLS < LONG_LOG, "a long log holds all of them");
