//! Many changes at once, or none.

use bookahead as kernel;
use heapless::Vec;
use kernel::{Savepoint, Slot, raw::Ring};

#[cfg(feature = "placement")]
use crate::pointer::elements;
#[cfg(feature = "outages")]
use crate::rule::Change;
use crate::{
    Alteration, Book, Code, Commitment, Conflict, Handle, Placement, Request, Workspace,
    code::{Failure, answer},
    pointer::{List, Out},
    with::{Asked, asked, with_book},
    workspace::{Lent, entries},
};

mod in_the_way;

/// How many savepoints a transaction can remember at a time; they are numbered from 0.
pub const BOOKAHEAD_SAVEPOINTS: usize = 8;

/// The most moves that are applied by one call.
pub const BOOKAHEAD_MOST_MOVES: usize = 64;

/// What is no longer than this is made with less stack.
const FEW: usize = 8;

// The header says what they take.
const _: () = assert!(size_of::<kernel::Move>() == 56);

/// What a step of a transaction does. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum StepKind {
    /// Gives back the room of the reservation `handle` for the time being; it keeps its handle and its promise, and has to be placed again, or
    /// removed, before the transaction ends. `booked` becomes where it was.
    Lift = 0,
    /// Places the lifted reservation `handle` at `placement`, inside its own window, for any duration and on any number of PEs; its promise stays as it
    /// is. A running one stays where it started and gets no more PEs than it had.
    Place = 1,
    /// Places the lifted reservation `handle` with the duration and PEs it had at the earliest start in its own window at which there is room, not
    /// before `placement.start` nor `now`. `booked.start` becomes that start, and nothing else is said of it.
    PlaceFirstFit = 2,
    /// Makes a reservation for `request` that starts at `placement.start` and promises `commitment`. `made` becomes its handle, good once the transaction
    /// is committed.
    Insert = 3,
    /// Removes the reservation `handle`, lifted or not.
    Remove = 4,
    /// Alters the reservation `handle`, which is not lifted, by `alteration`, as `bookahead_alter`. `booked` becomes where it is then.
    Alter = 5,
    /// Splits the reservation `handle`, which is not lifted, at slot `placement.start`, as `bookahead_split`. `made` becomes the handle of the rest.
    Split = 6,
    /// Notes the present state of the transaction as number `savepoint`, from 0 to `BOOKAHEAD_SAVEPOINTS` - 1; what was noted under that number is
    /// forgotten.
    Savepoint = 7,
    /// Goes back to the savepoint of number `savepoint`, which stays good. The work done since is not given back.
    RollbackTo = 8,
    /// As ROLLBACK_TO, if an optional step has been refused since that savepoint was noted; otherwise does nothing. So a savepoint, optional steps and
    /// this one make a group of which all becomes true or nothing, while the transaction goes on.
    RollbackIfRefused = 9,
    /// Places the lifted reservation `handle` on exactly the PEs of `pes` from `placement.start` on, as long as before, see `bookahead_reserve_exactly`. They have to
    /// serve its class, which stays what it is. Only in libraries built with placement.
    PlaceExactly = 10,
    /// Sets, changes or drops the rule `number` by `rule` and `absent`, see `bookahead_set_rule`. Whom that moves, and whose promise it breaks, the moves say.
    /// Only in libraries built with outages.
    SetRule = 11,
    /// Says by `absent` which PEs of the machine are not there at all, see `bookahead_resize`. Otherwise as SET_RULE.
    Resize = 12,
}

/// How a transaction ends that got to its end. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Ending {
    /// Everything becomes true: one change of the book.
    Commit = 0,
    /// Nothing becomes true: the caller learns what would have changed.
    Plan = 1,
}

/// When PEs are not there: `length` slots of every `period`, the first of them in slot `phase`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Rule {
    /// A slot in which a turn begins, counted from slot 0. One begins in all slots that differ from that by whole periods.
    pub phase: u32,
    /// From one beginning to the next; at least 1.
    pub period: u32,
    /// How long a turn lasts, at least 1; a period or longer for always.
    pub length: u32,
}

/// What is not there: so many PEs of a book with late binding, these of one with early binding.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Absent {
    /// A list of `words` words with a bit for each number of a PE, the lowest first. Not looked at without words, and then it may be null.
    pub pes: *const u32,
    /// As many words as the PEs of the machine need; 0 for a number.
    pub words: usize,
    /// How many PEs, where there are no words.
    pub number: u32,
}

/// A step of a transaction: what it is to do, and what came of it. What its kind does not mention is not looked at, and what it is to do is never
/// written to, so the list may be used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Step {
    /// In: one of `bookahead_step_kind`.
    pub kind: u32,
    /// In: 0 for a step without which nothing is to become true. Otherwise its refusal is noted in `code`, and the next step is taken.
    pub optional: u32,
    /// In: which reservation.
    pub handle: Handle,
    /// In: 0, or 1 + the number of an earlier INSERT or SPLIT of the same list: the reservation that this one made is meant, and `handle` is not
    /// looked at. UNKNOWN_HANDLE if it made none.
    pub made_by: u32,
    /// In: see `bookahead_step_kind`.
    pub savepoint: u32,
    /// In: see `bookahead_step_kind`.
    pub placement: Placement,
    /// In: see `bookahead_step_kind`.
    pub request: Request,
    /// In: see `bookahead_step_kind`.
    pub alteration: Alteration,
    /// In: see `bookahead_step_kind`.
    pub commitment: Commitment,
    /// In: for PLACE_EXACTLY, a bit for each number of a PE; else it is not looked at.
    pub pes: *const u32,
    /// In: how many words that has.
    pub words: usize,
    /// In: for SET_RULE, when PEs are not there; null drops the rule.
    pub rule: *const Rule,
    /// In: for SET_RULE and RESIZE, which PEs are not there. It is not looked at where a rule is dropped; null for RESIZE says that all are there.
    pub absent: *const Absent,
    /// In: for SET_RULE, the number of the rule.
    pub number: u32,
    /// Out: what the step answered, one of `bookahead_code`.
    pub code: u32,
    /// Out: see `bookahead_step_kind`; zeros for what says nothing of it, and for what was refused.
    pub booked: Placement,
    /// Out: as `booked`. Zero is a handle that no book gives out.
    pub made: Handle,
}

/// What a transaction does to one reservation: where it was booked, with a duration of 0 for a new one, and where it is booked then, with a duration
/// of 0 for one that is removed. One that has other PEs at the same placement is listed too; `bookahead_pes_of` says which, once they are its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Move {
    /// The reservation.
    pub handle: Handle,
    /// Where it was.
    pub from: Placement,
    /// Where it is booked then.
    pub to: Placement,
}

/// What came of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Outcome {
    /// How much of the granted work is left, in slots.
    pub work_left: u64,
    /// The number of the step that was refused, from 0; or how many steps there are, if none was, or only the end.
    pub failed_step: u32,
    /// How many moves were listed; 0 when the transaction was refused.
    pub moves: u32,
    /// How many others there are.
    pub more_moves: u32,
    /// Who is in the way of the step that was refused, if that was for NO_ROOM. A first fit is told who is in the way of the earliest start it looked at.
    pub conflict: Conflict,
}

impl From<kernel::Move> for Move {
    fn from(change: kernel::Move) -> Self {
        let or_none = |placement: Option<kernel::Placement>| {
            placement.map_or(Placement::NONE, Placement::from)
        };
        Self {
            handle: change.handle.into(),
            from: or_none(change.from),
            to: or_none(change.to),
        }
    }
}

impl Move {
    /// As the kernel has it.
    fn to_kernel(self) -> kernel::Move {
        let if_any = |placement: Placement| (placement.duration > 0).then(|| placement.to_kernel());
        kernel::Move {
            handle: self.handle.into(),
            from: if_any(self.from),
            to: if_any(self.to),
        }
    }
}

/// Takes the steps of a list in order, and makes everything true that they did, or nothing: the one call in which several reservations move.
///
/// A reservation is lifted to give its room back for the time being, and placed somewhere else. Lifting several before placing them is how two
/// jobs swap places. Each step sees what those before it did, and nobody else sees anything before the end.
///
/// When a step is refused that is not optional, the call ends: everything is put back, bit for bit (scratch memory aside), and the answer is the code
/// of that step, whose number `outcome` says. The step's own `code` is the same; those behind it are left alone. When the steps are done, `ending`, one
/// of `bookahead_ending`, says whether what they did becomes true, or is put back and only listed. With PLAN the handles of new reservations are given
/// out to nobody. The same list with COMMIT does the same as long as `version` of `bookahead_status` and `now` are the same; `bookahead_apply` does what was
/// listed as long as the reservations are where they were.
///
/// `moves` lists what changed, as far as there is room: every reservation that is booked elsewhere than before, or new, or removed, in the order in
/// which they were first touched. What the list holds after an error means nothing. No event is reported for a move.
///
/// Two limits bound what is done. The workspace takes an entry for each reservation that is touched, and once more behind
/// each savepoint, and for a rule as many as `bookahead_set_rule` says; when it is full a step answers MOVE_LIMIT. `work` is granted in slots: lifting, placing,
/// inserting and removing take the duration, altering and splitting what lifting and placing take, looking for a first fit the length of the window more, and a rule
/// the slots of the ring, and what lifting and placing take. A step that would need more answers WORK_LIMIT.
/// What is refused for NO_ROOM has taken its work, what is refused for another reason has not.
///
/// `outcome` is written whenever the steps were begun, be it that they are refused.
///
/// Costs as the steps, see `bookahead_alter` and `bookahead_reserve`; O(entries x log rows) at the end, and to put back as much as was done.
///
/// Answers UNKNOWN_ENDING, SIZE_OUT_OF_RANGE for 2^32 steps or more, before anything is done. Of a step, in the order in which they are
/// looked at:
/// - any with a reservation: UNKNOWN_HANDLE, STALE_HANDLE;
/// - LIFT: ALREADY_LIFTED, WRONG_STATE for a job whose end is announced, MOVE_LIMIT, WORK_LIMIT;
/// - PLACE: NOT_LIFTED, ZERO_DURATION, ZERO_PES, WRONG_STATE for a running one at another start or on more PEs, TOO_WIDE, OUTSIDE_WINDOW outside its
///   own window, or for a running one that would have ended, READY_IN_PAST, BEYOND_HORIZON, MOVE_LIMIT, WORK_LIMIT, NO_ROOM;
/// - PLACE_FIRST_FIT: NOT_LIFTED, WRONG_STATE for a running one, NO_ROOM for a window that is too short, MOVE_LIMIT, WORK_LIMIT, NO_ROOM;
/// - INSERT: as `bookahead_commitment` says; as `bookahead_reserve`, as far as the request itself is to blame; OUTSIDE_WINDOW; TABLE_FULL, also when only rows of this
///   transaction's removals are vacant; MOVE_LIMIT, WORK_LIMIT, NO_ROOM;
/// - REMOVE: MOVE_LIMIT, WORK_LIMIT;
/// - ALTER, SPLIT: ALREADY_LIFTED; as the functions; WORK_LIMIT before NO_ROOM;
/// - PLACE_EXACTLY: NOT_LIFTED; BAD_PES as `bookahead_reserve_exactly`; NOT_ELIGIBLE for PEs that do not serve its class, WRONG_STATE for those that a running
///   one does not have; otherwise as PLACE;
/// - SET_RULE, RESIZE: as `bookahead_set_rule`;
/// - ROLLBACK_TO, ROLLBACK_IF_REFUSED: BAD_SAVEPOINT for a number under which nothing is noted, and when the transaction was rolled back to an earlier state;
/// - UNKNOWN_STEP.
///
/// STILL_LIFTED at the end, when a reservation has not been placed again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_transaction(
    book: *mut Book,
    workspace: *const Workspace,
    work: u64,
    steps: *mut Step,
    length: usize,
    ending: u32,
    moves: *mut Move,
    capacity: usize,
    outcome: *mut Outcome,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let outcome = Out::new(outcome)?;
        let (steps, moves) = (List::new(steps, length)?, List::new(moves, capacity)?);
        let lent = Lent::read(workspace, book)?;
        const COMMIT: u32 = Ending::Commit as u32;
        const PLAN: u32 = Ending::Plan as u32;
        if ending != COMMIT && ending != PLAN {
            return Err(Code::UnknownEnding.into());
        }
        u32::try_from(length).map_err(|_| Code::SizeOutOfRange)?;
        let mut came_of_it = Outcome {
            work_left: work,
            failed_step: length as u32,
            moves: 0,
            more_moves: 0,
            conflict: Conflict::NONE,
        };
        let done = with_book!(book, |book, class| {
            // Each step may have made one.
            let reservations = book.len().saturating_add(length);
            let most = |number| most_entries(steps.get(number).kind, reservations);
            let all = (0..length).map(most).fold(0, usize::saturating_add);
            let workspace = lent.view(all, 0);
            let run = Run::new(book.transaction(workspace, work), class, &steps);
            run.finish(ending == COMMIT, &moves, &mut came_of_it)
        });
        outcome.set(came_of_it);
        done
    })
}

/// How many entries of a log a step takes at most: two reservations, or, where a rule changes, all of so many.
const fn most_entries(kind: u32, reservations: usize) -> usize {
    let is_rule = kind == StepKind::SetRule as u32 || kind == StepKind::Resize as u32;
    if cfg!(feature = "outages") && is_rule {
        return entries(reservations);
    }
    2
}

/// Makes moves true that a transaction with PLAN has listed: lifts all, removes those that go, then places the others in the order of the list; all or
/// nothing. Costs as those steps; takes an entry of the workspace for each move. There are `BOOKAHEAD_MOST_MOVES` at most, which are kept
/// on the stack meanwhile, 56 bytes for each of 8, or of `BOOKAHEAD_MOST_MOVES` for more than 8.
///
/// Answers TOO_MANY_PARTS for more moves; BAD_MOVE for a new reservation, which needs an INSERT instead; STALE_PLAN for one that is no longer where the
/// move says it was; otherwise as LIFT, REMOVE and PLACE of `bookahead_transaction`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_apply(
    book: *mut Book,
    workspace: *const Workspace,
    work: u64,
    moves: *const Move,
    length: usize,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let moves = List::new(moves.cast_mut(), length)?;
        let lent = Lent::read(workspace, book)?;
        let apply = |moves: &[kernel::Move]| {
            with_book!(book, |book| {
                let mut transaction = book.transaction(lent.view(length, 0), work);
                transaction.apply(moves)?;
                transaction.commit().map_err(Failure::from)
            })
        };
        if length <= FEW {
            each_move::<FEW>(&moves, apply)
        } else {
            each_move::<BOOKAHEAD_MOST_MOVES>(&moves, apply)
        }
    })
}

/// Hands on up to `N` moves.
///
/// # Safety
///
/// As [`List::get`].
// Not inlined, so that only the call that has many takes the stack for them.
#[inline(never)]
unsafe fn each_move<const N: usize>(
    moves: &List<Move>,
    apply: impl FnOnce(&[kernel::Move]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut wanted = Vec::<kernel::Move, N>::new();
    for number in 0..moves.len() {
        // SAFETY: below the length of the list.
        let change = unsafe { moves.get(number) }.to_kernel();
        wanted.push(change).map_err(|_| Code::TooManyParts)?;
    }
    apply(&wanted)
}

/// What a step did.
#[derive(Clone, Copy)]
struct Done {
    booked: Placement,
    made: Handle,
}

impl Done {
    const NOTHING: Self = Self {
        booked: Placement::NONE,
        made: Handle { bits: 0 },
    };

    fn booked(placement: kernel::Placement) -> Self {
        Self {
            booked: placement.into(),
            ..Self::NOTHING
        }
    }

    fn made(handle: kernel::Handle) -> Self {
        Self {
            made: handle.into(),
            ..Self::NOTHING
        }
    }
}

/// A transaction under way.
struct Run<'l, 't, 'a, R: Ring> {
    transaction: kernel::Transaction<'t, 'a, R>,
    /// The class of those that are inserted.
    class: Asked,
    steps: &'l List<Step>,
    savepoints: [Option<Noted>; BOOKAHEAD_SAVEPOINTS],
    /// The last optional step that was refused.
    refused: Option<usize>,
}

/// A savepoint, and the number of the step that noted it.
#[derive(Clone, Copy)]
struct Noted {
    savepoint: Savepoint,
    step: usize,
}

const LIFT: u32 = StepKind::Lift as u32;
const PLACE: u32 = StepKind::Place as u32;
const PLACE_FIRST_FIT: u32 = StepKind::PlaceFirstFit as u32;
const INSERT: u32 = StepKind::Insert as u32;
const REMOVE: u32 = StepKind::Remove as u32;
const ALTER: u32 = StepKind::Alter as u32;
const SPLIT: u32 = StepKind::Split as u32;
const SAVEPOINT: u32 = StepKind::Savepoint as u32;
const ROLLBACK_TO: u32 = StepKind::RollbackTo as u32;
const ROLLBACK_IF_REFUSED: u32 = StepKind::RollbackIfRefused as u32;
#[cfg(feature = "placement")]
const PLACE_EXACTLY: u32 = StepKind::PlaceExactly as u32;
#[cfg(feature = "outages")]
const SET_RULE: u32 = StepKind::SetRule as u32;
#[cfg(feature = "outages")]
const RESIZE: u32 = StepKind::Resize as u32;

impl<'l, 't, 'a, R: Ring> Run<'l, 't, 'a, R> {
    const fn new(
        transaction: kernel::Transaction<'t, 'a, R>,
        class: Asked,
        steps: &'l List<Step>,
    ) -> Self {
        Self {
            transaction,
            class,
            steps,
            savepoints: [None; BOOKAHEAD_SAVEPOINTS],
            refused: None,
        }
    }

    /// Takes all steps, and ends the transaction. Whoever is dropped on the way has put everything back.
    ///
    /// # Safety
    ///
    /// As [`List::get`] and [`List::set`], of the steps and of the moves.
    unsafe fn finish(
        mut self,
        commit: bool,
        moves: &List<Move>,
        outcome: &mut Outcome,
    ) -> Result<(), Failure> {
        for number in 0..self.steps.len() {
            // SAFETY: below the length of the list.
            let (step, handle) = unsafe {
                let step = self.steps.get(number);
                (step, self.handle_of(&step, number))
            };
            // SAFETY: passed on.
            let taken = unsafe { self.take(&step, handle, number) };
            let (code, done) = match &taken {
                Ok(done) => (Code::Ok as u32, *done),
                Err(failure) => (failure.code(), Done::NOTHING),
            };
            let Done { booked, made } = done;
            let answered = Step {
                code,
                booked,
                made,
                ..step
            };
            // SAFETY: below the length of the list.
            unsafe { self.steps.set(number, answered) };
            let Err(failure) = taken else {
                continue;
            };
            if step.optional != 0 {
                self.refused = Some(number);
                continue;
            }
            outcome.work_left = self.transaction.work_left();
            outcome.failed_step = number as u32;
            if code == Code::NoRoom as u32 {
                // SAFETY: passed on.
                let in_the_way = unsafe { self.in_the_way(&step, handle, number) };
                outcome.conflict = in_the_way.unwrap_or(Conflict::NONE);
            }
            return Err(failure);
        }
        outcome.work_left = self.transaction.work_left();
        let all = self.transaction.moves().count();
        // SAFETY: passed on.
        let listed = unsafe { moves.fill(self.transaction.moves(), 0) };
        if commit {
            self.transaction.commit()?;
        } else {
            // The moves are listed already.
            self.transaction.plan(&mut Vec::<kernel::Move, 0>::new())?;
        }
        outcome.moves = listed as u32;
        outcome.more_moves = all.saturating_sub(listed) as u32;
        Ok(())
    }

    /// Which reservation a step is about.
    ///
    /// # Safety
    ///
    /// As [`List::get`]; there is a step of that number.
    unsafe fn handle_of(&self, step: &Step, number: usize) -> kernel::Handle {
        let Some(made_by) = step.made_by.checked_sub(1) else {
            return step.handle.into();
        };
        let made_by = made_by as usize;
        if made_by >= number {
            return Done::NOTHING.made.into();
        }
        // SAFETY: before a step that is there.
        unsafe { self.steps.get(made_by) }.made.into()
    }

    /// Takes one step, or changes nothing.
    ///
    /// # Safety
    ///
    /// By the contract of the crate, of what the step leads to.
    unsafe fn take(
        &mut self,
        step: &Step,
        handle: kernel::Handle,
        number: usize,
    ) -> Result<Done, Failure> {
        let transaction = &mut self.transaction;
        let start = Slot::new(step.placement.start);
        Ok(match step.kind {
            LIFT => Done::booked(transaction.lift(handle)?),
            PLACE => {
                let placement = step.placement.to_kernel();
                transaction.place(handle, placement)?;
                Done::booked(placement)
            }
            PLACE_FIRST_FIT => {
                let found = transaction.place_first_fit(handle, start)?;
                let booked = Placement {
                    start: found.get(),
                    ..Placement::NONE
                };
                Done {
                    booked,
                    ..Done::NOTHING
                }
            }
            INSERT => {
                let commitment = step.commitment.to_kernel()?;
                let request = step.request.to_kernel();
                let asked = asked!(self.class, &request);
                Done::made(transaction.insert(asked, start, commitment)?)
            }
            #[cfg(feature = "placement")]
            PLACE_EXACTLY => {
                // SAFETY: passed on.
                let pes = unsafe { elements(step.pes, step.words) }?;
                transaction.place_exactly(handle, start, pes)?;
                Done::NOTHING
            }
            #[cfg(feature = "outages")]
            SET_RULE => {
                // SAFETY: passed on.
                let change = unsafe { Change::of_rule(step.number, step.rule, step.absent) }?;
                change.make(transaction)?;
                Done::NOTHING
            }
            #[cfg(feature = "outages")]
            RESIZE => {
                // SAFETY: passed on.
                let change = unsafe { Change::of_size(step.absent) }?;
                change.make(transaction)?;
                Done::NOTHING
            }
            REMOVE => {
                transaction.remove(handle)?;
                Done::NOTHING
            }
            ALTER => {
                let alteration = step.alteration.to_kernel()?;
                Done::booked(transaction.alter(handle, alteration)?)
            }
            SPLIT => Done::made(transaction.split(handle, start)?),
            SAVEPOINT => {
                let place = self.savepoints.get_mut(step.savepoint as usize);
                *place.ok_or(Code::BadSavepoint)? = Some(Noted {
                    savepoint: transaction.savepoint(),
                    step: number,
                });
                Done::NOTHING
            }
            ROLLBACK_TO | ROLLBACK_IF_REFUSED => {
                let noted = self.savepoints.get(step.savepoint as usize);
                let noted = noted.copied().flatten().ok_or(Code::BadSavepoint)?;
                let refused = self.refused.is_some_and(|refused| refused > noted.step);
                if refused || step.kind == ROLLBACK_TO {
                    transaction.rollback_to(noted.savepoint)?;
                }
                Done::NOTHING
            }
            _ => return Err(Code::UnknownStep.into()),
        })
    }
}
