//! Shifting others for a newcomer.

use core::hint::black_box;

use bookahead::{
    Book, Commitment, Direction, Flexibility, Freeze, Insertion, Shifting, Transaction, raw::Ring,
};

use crate::{
    keep,
    transactions::{Memory, begin},
    values::{a_request, a_slot},
};

/// The functions of the value types.
#[inline(never)]
pub fn values() {
    for direction in black_box(Direction::ALL) {
        keep(Direction::code(direction));
        keep(Direction::name(direction));
    }
    keep(Direction::from_code(black_box(1)));
    for insertion in insertions() {
        keep(Insertion::code(insertion));
        keep(Insertion::name(insertion));
    }
}

/// Every way of seeking room.
pub fn every_operation<R: Ring>(book: &mut Book<'_, R>) {
    let mut memory = Memory::<R>::new();
    let terms = black_box(Commitment::Flexible {
        kind: Flexibility::Interval,
        freeze: Freeze::Never,
    });
    for insertion in insertions() {
        let rules = black_box(Shifting {
            direction: Direction::Both,
            insertion,
            earliest: a_slot(),
            max_moves: 7,
            work: 1_000,
        });
        let book = black_box(&mut *book);
        keep(Book::shift_in(
            book,
            &a_request(),
            terms,
            &rules,
            memory.view(),
        ));
        let mut transaction = begin(book, &mut memory);
        let steps = black_box(&mut transaction);
        keep(Transaction::shift_in(steps, &a_request(), terms, &rules));
    }
}

fn insertions() -> [Insertion; 3] {
    black_box([
        Insertion::Slides { depth: 2 },
        Insertion::FewestMoves,
        Insertion::LeastShift,
    ])
}
