//! What it adds to a reservation that its record is written.

use bookahead::{
    Book, Commitment, Handle, Policy, Request,
    raw::{Kept, record_bytes},
};

use crate::{MACHINE, Mean, Scene, Stopwatch, kernel};

/// Reservations between two looks at the clock.
const BATCH: usize = 16;

/// Mean nanoseconds of a first fit that is reserved in a book without a journal, and of the same in one that writes the record of each.
///
/// # Panics
///
/// When the books differ.
#[must_use]
pub fn measure<R: Kept>(
    watch: &Stopwatch,
    books: [Book<'_, R>; 2],
    scene: &Scene,
    rounds: usize,
) -> [Mean; 2] {
    let [mut plain, mut kept] = books;
    for book in [&mut plain, &mut kept] {
        kernel::replay(book, scene);
    }
    let mut record = Vec::with_capacity(record_bytes(1, MACHINE));
    write(&mut kept, &mut record);
    let mut means = [Mean::over(BATCH), Mean::over(BATCH)];
    for _ in 0..rounds {
        for (turn, batch) in scene.queries.chunks_exact(BATCH).enumerate() {
            let mut handles = [Vec::with_capacity(BATCH), Vec::with_capacity(BATCH)];
            let [one, other] = &mut handles;
            let sum = watch.time(batch, |request| one.push(reserve(&mut plain, request)));
            means[0].add(turn, sum);
            let sum = watch.time(batch, |request| {
                other.push(reserve(&mut kept, request));
                write(&mut kept, &mut record);
            });
            means[1].add(turn, sum);
            assert_eq!(handles[0], handles[1]);
            for handle in handles[0].iter().flatten() {
                plain.cancel(*handle).expect("it lives");
                kept.cancel(*handle).expect("it lives");
            }
            write(&mut kept, &mut record);
        }
    }
    assert_eq!(plain.state_hash(), kept.state_hash());
    means
}

fn reserve<R: Kept>(book: &mut Book<'_, R>, request: &Request) -> Option<Handle> {
    let booked = book.reserve(request, Policy::FirstFit, Commitment::Confirmed);
    booked.ok().map(|booking| booking.handle)
}

fn write<R: Kept>(book: &mut Book<'_, R>, record: &mut Vec<u8>) {
    record.clear();
    let written = book.write_record(&mut |piece| {
        record.extend_from_slice(piece);
        true
    });
    written.expect("a list takes all of it");
}
