//! Transactions, call by call.

use alloc::vec::Vec;

use super::{
    lent::{in_the_way, with_list},
    names::{Names, moved},
};

use bookahead::{
    Absent, ClassId, Error, Handle, Move, Pe, Savepoint, Slot, Transaction, UsageError, Window,
    raw::Ring,
};
use heapless::VecView;

use crate::{
    Answer, Answered, Broken, Call, Ending, Gone, LONG_HANDLES, Moved, Number, Outcome, Sight,
    Transact,
};

/// Which handle each number stands for inside a transaction.
struct Inside<'n> {
    names: &'n Names,
    /// The class of those that are inserted.
    class: ClassId,
    /// How many numbers PEs have.
    numbers: u16,
    made: Vec<Handle>,
    /// The savepoints, and how many reservations had been made before each.
    savepoints: Vec<(Savepoint, usize)>,
}

impl Inside<'_> {
    fn handle(&self, number: Number) -> Handle {
        let nth = number.checked_sub(self.names.next());
        let made = nth.and_then(|nth| self.made.get(usize::try_from(nth).ok()?));
        made.copied().unwrap_or_else(|| self.names.handle(number))
    }

    fn number(&self, handle: Handle) -> Number {
        let made = self.made.iter().position(|made| *made == handle);
        made.map_or_else(
            || self.names.number(handle),
            |nth| self.names.next() + nth as Number,
        )
    }

    fn make(&mut self, handle: Handle) -> Answer {
        self.made.push(handle);
        Answer::Made(self.number(handle))
    }

    fn call<R: Ring>(&mut self, transaction: &mut Transaction<'_, '_, R>, call: &Call) -> Answered {
        Ok(match *call {
            Call::Lift(number) => Answer::At(transaction.lift(self.handle(number))?),
            Call::Place(number, place) => {
                transaction.place(self.handle(number), place)?;
                Answer::Done
            }
            Call::PlaceExactly(number, start, ref pes) => {
                let set = set_of(pes, self.numbers);
                transaction.place_exactly(self.handle(number), start, &set)?;
                Answer::Done
            }
            Call::PlaceFirstFit(number, from) => {
                Answer::Starts(transaction.place_first_fit(self.handle(number), from)?)
            }
            Call::Insert(request, start, terms) => {
                self.make(transaction.insert((self.class, &request), start, terms)?)
            }
            Call::Remove(number) => {
                transaction.remove(self.handle(number))?;
                Answer::Done
            }
            Call::Alter(number, alteration) => {
                Answer::At(transaction.alter(self.handle(number), alteration)?)
            }
            Call::Split(number, at) => {
                let rest = transaction.split(self.handle(number), at)?;
                self.make(rest)
            }
            Call::Savepoint => {
                let noted = (transaction.savepoint(), self.made.len());
                self.savepoints.push(noted);
                Answer::Done
            }
            Call::RollbackTo(savepoint) => {
                let noted = self.savepoints.get(savepoint).copied();
                let (savepoint, made) = noted.ok_or(UsageError::BadSavepoint)?;
                transaction.rollback_to(savepoint)?;
                self.made.truncate(made);
                Answer::Done
            }
            Call::Apply(ref moves) => {
                let to = |to: &Moved| Move {
                    handle: self.handle(to.whose),
                    from: to.from,
                    to: to.to,
                };
                let moves: Vec<Move> = moves.iter().map(to).collect();
                transaction.apply(&moves)?;
                Answer::Done
            }
            Call::Conflict(own, place) => {
                let own = own.map(|number| self.handle(number));
                let conflict = transaction.conflict(own, &place);
                Answer::Conflict(in_the_way(&conflict, |handle| self.number(handle)))
            }
            Call::ConflictExactly(own, window, ref pes) => {
                let own = own.map(|number| self.handle(number));
                let set = set_of(pes, self.numbers);
                let conflict = transaction.conflict_exactly(own, window, &set)?;
                Answer::Conflict(in_the_way(&conflict, |handle| self.number(handle)))
            }
            Call::PesOf(number) => {
                let pes = transaction.pes_of(self.handle(number))?;
                Answer::Pes(pes.map(Pe::get).collect())
            }
            Call::ExtendByForce(number, until) => {
                let mut broken = heapless::Vec::<_, LONG_HANDLES>::new();
                let handle = self.handle(number);
                let place = transaction.extend_by_force(handle, until, &mut broken);
                let place = told(place, &broken)?;
                Answer::Forced(place, self.promises(&broken))
            }
            Call::TakeOut(outage, ref gone) => {
                let set = self.set_of_gone(Some(gone));
                let mut parts = heapless::Vec::<_, LONG_HANDLES>::new();
                let mut broken = heapless::Vec::<_, LONG_HANDLES>::new();
                let taken =
                    transaction.take_out(outage, absent(gone, &set), &mut parts, &mut broken);
                told(taken, &broken)?;
                self.made.extend(&parts);
                let parts = parts.iter().map(|part| self.number(*part));
                Answer::Out(parts.collect(), self.promises(&broken))
            }
            Call::SetRule(number, ref rule) => {
                let gone = rule.as_ref().map(|(_, gone)| gone);
                self.ruled(gone, |absent, broken| {
                    let rule = rule.as_ref().zip(absent);
                    let rule = rule.map(|((rule, _), absent)| (*rule, absent));
                    transaction.set_rule(number, rule, broken)
                })?
            }
            Call::Resize(ref gone) => self.ruled(gone.as_ref(), |absent, broken| {
                transaction.resize(absent, broken)
            })?,
        })
    }

    /// What a rule that takes this comes to.
    fn ruled(
        &self,
        gone: Option<&Gone>,
        rule: impl FnOnce(Option<Absent<'_>>, &mut VecView<bookahead::Broken>) -> Result<(), Error>,
    ) -> Answered {
        let set = self.set_of_gone(gone);
        let absent = gone.map(|gone| absent(gone, &set));
        let mut broken = heapless::Vec::<_, LONG_HANDLES>::new();
        told(rule(absent, &mut broken), &broken)?;
        Ok(Answer::Ruled(self.promises(&broken)))
    }

    /// The words of a set that is not there.
    fn set_of_gone(&self, gone: Option<&Gone>) -> Vec<u32> {
        match gone {
            Some(Gone::These(pes)) => set_of(pes, self.numbers),
            _ => Vec::new(),
        }
    }

    fn promises(&self, broken: &[bookahead::Broken]) -> Vec<Broken> {
        let broken = broken.iter().map(|broken| Broken {
            whose: self.number(broken.handle),
            request: broken.request,
            place: broken.placement,
        });
        broken.collect()
    }

    fn sight<R: Ring>(&self, transaction: &Transaction<'_, '_, R>, watched: &[Number]) -> Sight {
        let watched = watched.iter().map(|number| self.names.handle(*number));
        let known = watched.chain(self.made.iter().copied());
        let covering = transaction.covering(ALWAYS);
        let number = |handle| self.number(handle);
        Sight {
            moves: transaction.moves().map(|to| moved(&to, number)).collect(),
            covering: covering.map(number).collect(),
            known: known.map(|handle| transaction.get(handle)).collect(),
            work_left: transaction.work_left(),
            logged: transaction.logged(),
        }
    }
}

/// An answer with the promises broken for it; none may be with an error.
fn told<T>(answer: Result<T, Error>, broken: &[bookahead::Broken]) -> Result<T, Error> {
    assert!(answer.is_ok() || broken.is_empty(), "{broken:?}");
    answer
}

/// Makes the calls of a transaction and ends it; what came of it, and what it has made.
pub(super) fn run<R: Ring>(
    mut transaction: Transaction<'_, '_, R>,
    transact: &Transact,
    names: &Names,
    class: ClassId,
    numbers: u16,
) -> (Outcome, Vec<Handle>) {
    let mut inside = Inside {
        names,
        class,
        numbers,
        made: Vec::new(),
        savepoints: Vec::new(),
    };
    let mut answers = Vec::new();
    for call in &transact.calls {
        let answer = inside.call(&mut transaction, call);
        answers.push((answer, inside.sight(&transaction, &transact.watched)));
    }
    let nothing = (Vec::new(), 0);
    let end = match transact.ending {
        Ending::Commit => transaction.commit().map(|()| nothing),
        Ending::Plan(room) => with_list::<_, _, LONG_HANDLES>(room, |moves| {
            // To be cleared.
            let _ = moves.push(Move {
                handle: Handle::from_bits(0),
                from: None,
                to: None,
            });
            let more = transaction.plan(moves)?;
            let number = |handle| inside.number(handle);
            Ok((moves.iter().map(|to| moved(to, number)).collect(), more))
        }),
        Ending::Drop => {
            drop(transaction);
            Ok(nothing)
        }
    };
    (Outcome { answers, end }, inside.made)
}

/// A bit for each number; of another size when there is none with one of them.
#[must_use]
pub fn set_of(pes: &[u16], numbers: u16) -> Vec<u32> {
    let most = pes.iter().map(|pe| usize::from(*pe) + 1).max();
    let most = most.unwrap_or_default().max(numbers.into());
    let mut set = alloc::vec![0; most.div_ceil(32)];
    for pe in pes {
        set[usize::from(pe / 32)] |= 1 << (pe % 32);
    }
    set
}

/// All slots that there are.
const ALWAYS: Window = Window {
    start: Slot::new(0),
    end: Slot::new(u64::MAX),
};

/// What is not there, of which `set` has the words if it is a set.
const fn absent<'set>(gone: &Gone, set: &'set [u32]) -> Absent<'set> {
    match gone {
        Gone::Number(pes) => Absent::Number(*pes),
        Gone::These(_) => Absent::These(set),
    }
}
