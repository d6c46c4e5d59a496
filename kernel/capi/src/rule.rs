//! What is not there again and again: rules, and the size of the machine. Only in libraries built with `--features outages`.

use bookahead as kernel;
use heapless::Vec;
use kernel::{Slot, Span, Window, raw::Ring};

use crate::{
    Absent, Book, Juggled, Move, Rule, Workspace,
    code::{Failure, answer},
    juggle::{end, ends_in_commit},
    pointer::{List, Out, elements, read},
    with::with_book,
    workspace::{Lent, entries},
};

/// How many rules a book with rules may have; they are numbered from 0 on.
pub const BOOKAHEAD_MOST_RULES: usize = 16;

const _: () = assert!(BOOKAHEAD_MOST_RULES == kernel::Rule::MOST);

impl Rule {
    const fn to_kernel(self) -> kernel::Rule {
        kernel::Rule {
            phase: Span::new(self.phase),
            period: Span::new(self.period),
            length: Span::new(self.length),
        }
    }
}

impl Absent {
    /// As the kernel has it.
    ///
    /// # Safety
    ///
    /// By the contract of the crate.
    pub(crate) unsafe fn to_kernel<'a>(self) -> Result<kernel::Absent<'a>, Failure> {
        if self.words == 0 {
            return Ok(kernel::Absent::Number(kernel::PeCount::new(self.number)));
        }
        // SAFETY: passed on.
        Ok(kernel::Absent::These(unsafe {
            elements(self.pes, self.words)
        }?))
    }
}

/// A bit for each of these rules.
pub(crate) fn bits(rules: impl Iterator<Item = usize>) -> u32 {
    rules.fold(0, |all, rule| all | 1_u32.wrapping_shl(rule as u32))
}

/// Sets the rule numbered `number`, or changes it, and drops it where `rule` is null, when `absent` is not looked at: from now on these PEs are not there in its turns, whoever is in the way.
///
/// With late binding, others are in the way as long as too few PEs are left in a slot that they cover; with early binding, all that have a PE that the rule takes. Holds
/// go first, then confirmed reservations, then running jobs of a queue, then running reservations, of each the latest accepted first. Who runs is broken. The others are
/// lifted, and when the rule has its place they are placed again as by `bookahead_extend_by_force`. Open-ended jobs stay, and the next advance tells of RULE_MET for
/// those of which the rule takes a PE now.
///
/// In a slot in which several rules apply, with late binding the greatest number counts, and with early binding all sets. `ending` and `moves` as for `bookahead_juggle`;
/// the rule is not in the list. Whose promise is broken is moved to nowhere, with a duration of 0; with PLAN all of it is known before anything happens. The `booking`
/// of `changed` is nobody's. The workspace takes an entry for the rule, one for each reservation that is in the way, and once more for those that are placed again. A rule raises no events, so
/// a queue looks at its jobs when bookings change, and not when a turn is over. A transaction with steps SET_RULE and RESIZE changes several rules at once, or none.
/// O((those in the way + 1) x reservations x (duration + rules x stretches) + horizon x columns + those in the way x a first fit),
/// where a stretch is time in which the same rules apply. Only in libraries built with outages.
///
/// Answers UNKNOWN_ENDING; BAD_RULE for a number of `BOOKAHEAD_MOST_RULES` or more, for a period or length of 0, and in every book without rules; BAD_PES for PEs of a book with late binding and a number with
/// early binding, and for PEs as `bookahead_reserve_exactly`; ZERO_PES, TOO_WIDE, MOVE_LIMIT, WORK_LIMIT; PINNED where a part of an outage is in the way: remove it, be it by a
/// step before that of the rule, and take its PEs out again afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_set_rule(
    book: *mut Book,
    number: u32,
    rule: *const Rule,
    absent: *const Absent,
    workspace: *const Workspace,
    work: u64,
    ending: u32,
    moves: *mut Move,
    capacity: usize,
    changed: *mut Juggled,
) -> u32 {
    // SAFETY: by the contract of the crate.
    unsafe {
        change(
            book,
            workspace,
            work,
            ending,
            (moves, capacity),
            changed,
            || Change::of_rule(number, rule, absent),
        )
    }
}

/// Says which PEs of the machine are not there at all; all of them are where `absent` is null. So a book that was made for the largest size of a machine shrinks and grows. This is no
/// rule that can be set or named. With late binding it counts as one all the same: of the numbers in a slot the greatest counts, not their sum, so that a rule which is to take 10 of
/// the 16 PEs that are left of 32 is one of 26, to be set anew when the size changes. Otherwise as `bookahead_set_rule`. Only in libraries built with outages.
///
/// Answers as `bookahead_set_rule`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_resize(
    book: *mut Book,
    absent: *const Absent,
    workspace: *const Workspace,
    work: u64,
    ending: u32,
    moves: *mut Move,
    capacity: usize,
    changed: *mut Juggled,
) -> u32 {
    // SAFETY: by the contract of the crate.
    unsafe {
        change(
            book,
            workspace,
            work,
            ending,
            (moves, capacity),
            changed,
            || Change::of_size(absent),
        )
    }
}

/// What changes of what is not there.
pub(crate) enum Change<'a> {
    /// The rule of a number.
    Rule(usize, Option<(kernel::Rule, kernel::Absent<'a>)>),
    /// What is not there at all.
    Size(Option<kernel::Absent<'a>>),
}

impl Change<'_> {
    /// A rule is set, changed or dropped.
    ///
    /// # Safety
    ///
    /// By the contract of the crate.
    pub(crate) unsafe fn of_rule(
        number: u32,
        rule: *const Rule,
        absent: *const Absent,
    ) -> Result<Self, Failure> {
        // SAFETY: passed on.
        let rule = unsafe {
            match rule.is_null() {
                true => None,
                false => Some((read(rule)?.to_kernel(), read(absent)?.to_kernel()?)),
            }
        };
        Ok(Self::Rule(number as usize, rule))
    }

    /// The machine gets another size.
    ///
    /// # Safety
    ///
    /// By the contract of the crate.
    pub(crate) unsafe fn of_size(absent: *const Absent) -> Result<Self, Failure> {
        // SAFETY: passed on.
        let absent = unsafe {
            match absent.is_null() {
                true => None,
                false => Some(read(absent)?.to_kernel()?),
            }
        };
        Ok(Self::Size(absent))
    }

    /// Makes it in a transaction, whose moves name those whose promise it breaks.
    pub(crate) fn make<R: Ring>(
        self,
        transaction: &mut kernel::Transaction<'_, '_, R>,
    ) -> Result<(), Failure> {
        let mut broken = Vec::<kernel::Broken, 0>::new();
        match self {
            Self::Rule(number, rule) => transaction.set_rule(number, rule, &mut broken)?,
            Self::Size(absent) => transaction.resize(absent, &mut broken)?,
        }
        Ok(())
    }
}

/// Makes a change, which is read once all else has been found to be right.
///
/// # Safety
///
/// By the contract of the crate.
unsafe fn change<'a>(
    book: *mut Book,
    workspace: *const Workspace,
    work: u64,
    ending: u32,
    (moves, capacity): (*mut Move, usize),
    changed: *mut Juggled,
    what: impl FnOnce() -> Result<Change<'a>, Failure>,
) -> u32 {
    // SAFETY: passed on.
    answer(|| unsafe {
        let (changed, moves) = (Out::new(changed)?, List::new(moves, capacity)?);
        let lent = Lent::read(workspace, book)?;
        let commit = ends_in_commit(ending)?;
        let what = what()?;
        changed.set(with_book!(book, |book| {
            let mut transaction = book.transaction(lent.view(entries(book.len()), 0), work);
            what.make(&mut transaction)?;
            end(transaction, None, commit, &moves)?
        }));
        Ok(())
    })
}

/// Says which rules take PEs in a slot from `start` up to `end`, exclusive, as far as the ring covers it: a bit for each, that of rule 0 the lowest. Which of them are in the way of a request,
/// a conflict says. O(rules x stretches). Only in libraries built with outages.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_rules_during(
    book: *mut Book,
    start: u64,
    end: u64,
    rules: *mut u32,
) -> u32 {
    let window = Window {
        start: Slot::new(start),
        end: Slot::new(end),
    };
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let rules = Out::new(rules)?;
        rules.set(with_book!(book, |book| bits(book.rules_during(window))));
        Ok(())
    })
}
