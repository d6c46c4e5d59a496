//! Juggling, shifting and alternatives.

use alloc::{collections::BTreeMap, vec::Vec};

use bookahead::{
    Admission, AfterFailure, Alternative, Book, Booking, ClassId, Commitment, Error, Handle,
    Juggling, Move, Order, Request, Reservation, Shifting, Slot, Suggesting,
    raw::{Ring, Workspace},
};

use super::lent::with_list;
use crate::{Found, JuggleEnd, LONG_HANDLES, Lent, Rules, Sorting, Wanted, revenue};

/// A class, and what is wanted of it.
pub(super) type Wanting<'q> = (ClassId, &'q Request);

/// A newcomer, and what has moved.
pub type Arranged = (Option<Booking>, Vec<Move>);

/// What each reservation is worth in the tests.
fn revenues<R: Ring>(book: &Book<'_, R>) -> BTreeMap<u64, u64> {
    let worth =
        |(handle, known): (Handle, Reservation)| (handle.to_bits(), revenue(&known.request));
    book.iter().map(worth).collect()
}

/// The rules as the kernel wants them.
fn juggling<'r>(
    rules: &Rules,
    lent: Lent,
    newcomer: Option<&Request>,
    of: &'r dyn Fn(Handle) -> u64,
) -> Juggling<'r> {
    Juggling {
        order: match rules.sorting {
            Sorting::Deadline => Order::EarliestDeadline,
            Sorting::Flexibility => Order::LeastFlexible,
            Sorting::Size => Order::BiggestFirst,
            Sorting::Acceptance => Order::Fifo,
            Sorting::Shuffle(seed) => Order::Shuffle { seed },
            Sorting::Revenue => Order::Revenue {
                newcomer: newcomer.map_or(0, revenue),
                of,
            },
        },
        admission: if rules.always {
            Admission::Always
        } else {
            Admission::PlainFirst
        },
        after_failure: if rules.retry {
            AfterFailure::Retry
        } else {
            AfterFailure::Refuse
        },
        earliest: rules.earliest,
        max_moves: rules.max_moves,
        work: lent.work,
    }
}

pub(super) fn juggle<R: Ring>(
    book: &mut Book<'_, R>,
    newcomer: Option<(Wanting<'_>, Commitment)>,
    rules: &Rules,
    (lent, workspace): (Lent, Workspace<'_, R::Part>),
    end: JuggleEnd,
) -> Result<Arranged, Error> {
    let revenues = revenues(book);
    let of = |handle: Handle| revenues[&handle.to_bits()];
    let rules = juggling(rules, lent, newcomer.map(|((_, request), _)| request), &of);
    if end == JuggleEnd::AtOnce {
        let booking = match newcomer {
            Some((request, terms)) => Some(book.juggle(request, terms, &rules, workspace)?),
            None => book.replan(&rules, workspace).map(|()| None)?,
        };
        return Ok((booking, Vec::new()));
    }
    let mut transaction = book.transaction(workspace, rules.work);
    let booking = match newcomer {
        Some((request, terms)) => Some(transaction.juggle(request, terms, &rules)?),
        None => transaction.replan(&rules).map(|()| None)?,
    };
    let moves = transaction.moves().collect();
    if end == JuggleEnd::Commit {
        transaction.commit()?;
    }
    Ok((booking, moves))
}

pub(super) fn shift_in<R: Ring>(
    book: &mut Book<'_, R>,
    (request, terms): (Wanting<'_>, Commitment),
    rules: &Shifting,
    workspace: Workspace<'_, R::Part>,
    end: JuggleEnd,
) -> Result<Arranged, Error> {
    if end == JuggleEnd::AtOnce {
        let booking = book.shift_in(request, terms, rules, workspace)?;
        return Ok((Some(booking), Vec::new()));
    }
    let mut transaction = book.transaction(workspace, rules.work);
    let booking = transaction.shift_in(request, terms, rules)?;
    let moves = transaction.moves().collect();
    if end == JuggleEnd::Commit {
        transaction.commit()?;
    }
    Ok((Some(booking), moves))
}

pub(super) fn alternatives<R: Ring>(
    book: &mut Book<'_, R>,
    ((class, request), terms): (Wanting<'_>, Commitment),
    rules: &Rules,
    (lent, workspace): (Lent, Workspace<'_, R::Part>),
    wanted: &Wanted,
) -> Result<Found, Error> {
    let revenues = revenues(book);
    let of = |handle: Handle| revenues[&handle.to_bits()];
    let rules = juggling(rules, lent, Some(request), &of);
    let suggesting = Suggesting {
        sides: wanted.sides,
        max_percent: wanted.max_percent,
        behind: wanted.behind,
    };
    with_list::<_, _, LONG_HANDLES>(wanted.room, |found| {
        // To be cleared.
        let _ = found.push(Alternative {
            request: *request,
            start: Slot::new(0),
            shift: 0,
        });
        let asked = (class, request);
        let searched = book.alternatives(asked, terms, &rules, &suggesting, workspace, found)?;
        let told = found.iter().map(|found| {
            let ready = request.ready.get().saturating_add_signed(found.shift);
            let deadline = request.deadline.get().saturating_add_signed(found.shift);
            assert_eq!(
                (found.request.ready.get(), found.request.deadline.get()),
                (ready, deadline)
            );
            (found.shift, found.start)
        });
        Ok(Found {
            tried: searched.tried,
            limit: searched.limit,
            alternatives: told.collect(),
        })
    })
}
