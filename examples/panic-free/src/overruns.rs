//! Jobs that take longer than booked, and processing elements that leave.

use core::hint::black_box;

use bookahead::{Absent, Book, Broken, Handle, Outage, PeCount, Transaction, Window, raw::Ring};
use heapless::{Vec, VecView};

use crate::{
    keep, transactions,
    values::{a_handle, a_slot},
};

/// What a book does for them.
#[inline(never)]
pub fn every_operation<R: Ring>(book: &mut Book<'_, R>) {
    let set = black_box([0b110_u32]);
    let pes = black_box(&set[..]);
    keep(Book::extension(black_box(book), a_handle()));
    keep(Book::is_outage(black_box(book), a_handle()));
    keep(Book::bind(black_box(book), a_handle(), pes));
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
    let mut parts = Vec::<Handle, 4>::new();
    let parts: &mut VecView<Handle> = black_box(&mut parts);
    let until = a_slot();
    let window = Window {
        start: a_slot(),
        end: until,
    };
    let number = Absent::Number(PeCount::new(black_box(2)));
    for absent in [Absent::These(pes), number] {
        for outage in [Outage::Failure { until }, Outage::Maintenance { window }] {
            keep(Transaction::take_out(
                black_box(&mut transaction),
                outage,
                absent,
                parts,
                broken,
            ));
        }
    }
}
