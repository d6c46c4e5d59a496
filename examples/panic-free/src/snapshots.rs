//! Books as bytes.

use core::{fmt::Write, hint::black_box};

use bookahead::{Book, SnapshotError, raw::Kept};

use crate::{keep, values::Sink};

/// What a book is written to, and read from.
#[inline(never)]
pub fn every_operation<R: Kept>(book: &mut Book<'_, R>) {
    keep(Book::write_snapshot(black_box(&*book), &mut |piece| {
        keep(piece.len());
        black_box(true)
    }));
    keep(Book::state_hash(black_box(&*book)));
    let read = Book::read_snapshot(black_box(book), &mut |piece| {
        piece.fill(black_box(1));
        black_box(true)
    });
    keep(read);
    let reason = SnapshotError::UnknownVersion(black_box(7));
    keep(write!(Sink, "{reason}"));
}
