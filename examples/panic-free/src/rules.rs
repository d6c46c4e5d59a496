//! Books with rules.

use core::hint::black_box;

use bookahead::{
    Absent, Book, Broken, Conflict, CountBook, Meeting, PeBook, PeCount, Rule, Rules, Transaction,
    raw::{Column, Ring},
};
use heapless::{Vec, VecView};

use crate::{
    books, keep, of_kept, transactions,
    values::{a_handle, a_slot, a_span, a_window},
};

/// With late binding.
#[inline(never)]
pub fn late() {
    let mut memory = CountBook::<1, 8, 8>::zeroed();
    let mut rules = Rules::<(), 0>::new();
    let book = CountBook::view(black_box(&mut memory));
    if let Some(book) = Book::with_rules(book, Rules::view(black_box(&mut rules))) {
        books::every_operation(book);
    }
    if let Some(book) = Book::with_rules(memory.view(), rules.view()) {
        of_kept(book);
    }
}

/// With early binding.
#[inline(never)]
pub fn early<C: Column>() {
    let mut memory = PeBook::<C, 1, 1, 8>::zeroed();
    let mut rules = Rules::<C, 1>::new();
    let book = PeBook::view(black_box(&mut memory));
    if let Some(book) = Book::with_rules(book, Rules::view(black_box(&mut rules))) {
        books::every_operation(book);
    }
    if let Some(book) = Book::with_rules(memory.view(), rules.view()) {
        of_kept(book);
    }
}

/// What a book does for rules.
#[inline(never)]
pub fn every_operation<R: Ring>(book: &mut Book<'_, R>) {
    let rule = Rule {
        phase: a_span(),
        period: a_span(),
        length: a_span(),
    };
    keep(Rule::is_active(black_box(&rule), a_slot()));
    let absent = || match black_box(true) {
        true => Absent::Number(PeCount::new(black_box(3))),
        false => Absent::These(black_box(&[7])),
    };
    keep(Book::rules_during(black_box(book), a_window()).next());
    let mut conflict = Conflict::NONE;
    keep(Book::reserve_open(
        black_box(book),
        black_box(PeCount::new(3)),
        black_box(Meeting::Allow),
        &mut conflict,
    ));
    keep(Book::announce_end(black_box(book), a_handle(), a_slot()));
    keep(Conflict::rules(black_box(&Conflict::NONE)).next());
    let mut memory = transactions::Memory::<R>::new();
    let mut transaction = transactions::begin(book, &mut memory);
    let mut broken = Vec::<Broken, 4>::new();
    let broken: &mut VecView<Broken> = black_box(&mut broken);
    keep(Transaction::set_rule(
        black_box(&mut transaction),
        black_box(2),
        black_box(Some((rule, absent()))),
        broken,
    ));
    keep(Transaction::resize(
        black_box(&mut transaction),
        black_box(Some(absent())),
        broken,
    ));
}
