//! Flexible reservations: juggling, alternatives, and when a start becomes fixed.

use core::hint::black_box;

use bookahead::{
    Admission, AfterFailure, Alternative, Behind, Book, Commitment, Flexibility, Freeze, Handle,
    Juggling, Order, Sides, Suggesting, Transaction, raw::Ring,
};
use heapless::{Vec, VecView};

use crate::{
    keep,
    transactions::{Memory, begin},
    values::{a_handle, a_request, a_slot, a_span},
};

/// The functions of the value types.
#[inline(never)]
pub fn values() {
    for order in orders(&|_| 0) {
        keep(Order::code(order));
        keep(Order::name(order));
    }
    for freeze in freezes() {
        keep(Freeze::code(freeze));
        keep(Freeze::name(freeze));
    }
    keep(Flexibility::code(black_box(Flexibility::Interval)));
    keep(Flexibility::name(black_box(Flexibility::Interval)));
    keep(Flexibility::from_code(black_box(1)));
    keep(Flexibility::from_name(black_box("deadline")));
    keep(Admission::code(black_box(Admission::Always)));
    keep(Admission::name(black_box(Admission::Always)));
    keep(Admission::from_code(black_box(1)));
    keep(Admission::from_name(black_box("always")));
    keep(AfterFailure::code(black_box(AfterFailure::Retry)));
    keep(AfterFailure::name(black_box(AfterFailure::Retry)));
    keep(AfterFailure::from_code(black_box(1)));
    keep(AfterFailure::from_name(black_box("retry")));
    keep(Sides::code(black_box(Sides::Both)));
    keep(Sides::name(black_box(Sides::Both)));
    keep(Sides::from_code(black_box(1)));
    keep(Sides::from_name(black_box("both")));
    keep(Behind::code(black_box(Behind::End)));
    keep(Behind::name(black_box(Behind::End)));
    keep(Behind::from_code(black_box(1)));
    keep(Behind::from_name(black_box("end")));
    let alternative = black_box(Alternative {
        request: a_request(),
        start: a_slot(),
        shift: black_box(-3),
    });
    keep(Alternative::phi_per_mille(&alternative));
}

/// What a book and a transaction do with them.
pub fn every_operation<R: Ring>(book: &mut Book<'_, R>) {
    let mut memory = Memory::<R>::new();
    let mut found = Vec::<Alternative, 4>::new();
    let found: &mut VecView<Alternative> = black_box(&mut found);
    let revenue = |handle: Handle| black_box(handle.to_bits());
    let wanted = black_box(Suggesting {
        sides: black_box(Sides::Both),
        max_percent: black_box(500),
        behind: black_box(Behind::End),
    });
    let promise = black_box(Commitment::Flexible {
        kind: black_box(Flexibility::Deadline),
        freeze: black_box(Freeze::Lead { lead: a_span() }),
    });
    // The orders are not known one by one, so each call contains all of them.
    for order in orders(&revenue) {
        let rules = black_box(Juggling {
            admission: black_box(Admission::PlainFirst),
            after_failure: black_box(AfterFailure::Retry),
            earliest: a_slot(),
            max_moves: black_box(9),
            work: black_box(1_000),
            ..Juggling::by(black_box(order))
        });
        keep(Book::juggle(
            black_box(book),
            &a_request(),
            promise,
            &rules,
            memory.view(),
        ));
        keep(Book::replan(black_box(book), &rules, memory.view()));
        keep(Book::alternatives(
            black_box(book),
            &a_request(),
            promise,
            &rules,
            &wanted,
            memory.view(),
            found,
        ));
        let mut transaction = begin(book, &mut memory);
        let steps = &mut transaction;
        keep(Transaction::juggle(
            black_box(steps),
            &a_request(),
            promise,
            &rules,
        ));
        keep(Transaction::replan(black_box(steps), &rules));
    }
    keep(Book::freeze(black_box(book), a_handle()));
    keep(Book::is_frozen(black_box(book), a_handle()));
}

/// One of each kind.
fn orders<'r>(revenue: &'r dyn Fn(Handle) -> u64) -> [Order<'r>; 6] {
    black_box([
        Order::EarliestDeadline,
        Order::LeastFlexible,
        Order::BiggestFirst,
        Order::Fifo,
        Order::Shuffle { seed: black_box(7) },
        Order::Revenue {
            newcomer: black_box(7),
            of: revenue,
        },
    ])
}

/// One of each kind.
fn freezes() -> [Freeze; 4] {
    black_box([
        Freeze::Never,
        Freeze::Acceptance,
        Freeze::Share {
            per_mille: black_box(250),
        },
        Freeze::Lead { lead: a_span() },
    ])
}
