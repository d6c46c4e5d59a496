//! Jobs that take longer than booked.

use core::hint::black_box;

use bookahead::{Book, Broken, Transaction, raw::Ring};
use heapless::{Vec, VecView};

use crate::{
    keep, transactions,
    values::{a_handle, a_slot},
};

/// What a book does for them.
#[inline(never)]
pub fn every_operation<R: Ring>(book: &mut Book<'_, R>) {
    keep(Book::extension(black_box(book), a_handle()));
    let mut memory = transactions::Memory::<R>::new();
    let mut transaction = transactions::begin(book, &mut memory);
    let mut broken = Vec::<Broken, 4>::new();
    let broken: &mut VecView<Broken> = black_box(&mut broken);
    keep(Transaction::extend_by_force(
        black_box(&mut transaction),
        a_handle(),
        a_slot(),
        broken,
    ));
}
