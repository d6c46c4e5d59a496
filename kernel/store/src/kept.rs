//! What the bytes of a book say of it, for who does not have it: its kind and sizes, and which reservations a record changes. Their formats stand with the book's calls.

use std::iter;

use bookahead::Handle;
use bookahead_heap::{Binding, BoxedBook, SizeError, Sizes};

use crate::{
    StoreError,
    files::Files,
    format::{Record, snapshot_name},
    recover::{files_of, read_log, read_snapshot},
    repair::LostRecord,
};

/// The numbers of kinds in snapshots and records.
const LATE: u8 = 1;
const EARLY: u8 = 2;
const UNITS: u8 = 5;

/// What has to be known of a book to make a new one that becomes what a store holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookKind {
    /// When processing elements are assigned.
    pub binding: Binding,
    /// The sizes. How many reservations the book had room for is not kept: there is room for as many as there have been at a time, and at least for one.
    pub sizes: Sizes,
}

impl BookKind {
    /// Creates an empty book of this kind. O(memory).
    ///
    /// # Errors
    ///
    /// [`SizeError`] when there is not enough memory.
    pub fn book(&self) -> Result<BoxedBook, SizeError> {
        BoxedBook::new(self.binding, self.sizes)
    }
}

/// Returns the kind and sizes of the book that a store holds, or nothing if it is another than a [`BoxedBook`]. O(bytes).
///
/// # Errors
///
/// As [`Store::open`](crate::Store::open), where no snapshot is sound.
pub fn kind_of<F: Files>(files: &mut F) -> Result<Option<BookKind>, StoreError> {
    let (snapshots, logs) = files_of(files)?;
    let mut found = Err(StoreError::damaged(
        &snapshot_name(0),
        0,
        "it is not there: there is no store",
    ));
    for last in snapshots.iter().rev() {
        found = read_snapshot(files, *last);
        if found.is_ok() {
            break;
        }
    }
    let Some((binding, mut sizes)) = kind(&found?.body) else {
        return Ok(None);
    };
    for first in logs {
        let (_, bytes) = read_log(files, first)?;
        for (record, _) in Record::all_in(&bytes, first) {
            let used = number(record.body, 52).unwrap_or_default();
            sizes.reservations = sizes.reservations.max(used as usize);
        }
    }
    Ok(Some(BookKind { binding, sizes }))
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}

fn kind(snapshot: &[u8]) -> Option<(Binding, Sizes)> {
    let binding = match *snapshot.first_chunk()? {
        [b'B', b'K', b'S', b'N', _, _, LATE | UNITS, 0] => Binding::Late,
        [b'B', b'K', b'S', b'N', _, _, EARLY, 0] => Binding::Early,
        _ => return None,
    };
    let sizes = Sizes {
        pes: number(snapshot, 8)?,
        slots: number(snapshot, 12)?,
        reservations: number(snapshot, 16)?.max(1) as usize,
    };
    Some((binding, sizes))
}

impl LostRecord {
    /// Returns the reservations that the record changes, each with whether it was there afterwards: those of the first book that it changes, where a store has several parts, such as a book and its labels. Nothing if it changes
    /// none that is known here. O(bytes of the record).
    #[must_use]
    pub fn reservations(&self) -> Option<Vec<(Handle, bool)>> {
        first_book(&self.body, 0)
    }
}

/// What the first book changes of which this is the record, or of whose parts: each stands behind its length.
fn first_book(record: &[u8], depth: usize) -> Option<Vec<(Handle, bool)>> {
    /// Pairs in pairs, such as a book with its labels, and news beside both.
    const DEEPEST: usize = 8;
    if depth > DEEPEST {
        return None;
    }
    let mut rest = record;
    let parts = iter::from_fn(|| {
        let (length, behind) = rest.split_first_chunk()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let part;
        (part, rest) = behind.split_at_checked(length)?;
        Some(part)
    });
    changes(record).or_else(|| {
        let mut books = parts.filter_map(|part| first_book(part, depth + 1));
        books.find(|changes| !changes.is_empty())
    })
}

/// What the record of a book changes.
fn changes(record: &[u8]) -> Option<Vec<(Handle, bool)>> {
    let known = [LATE, EARLY, UNITS].contains(record.get(6)?);
    let rows = record.get(61..)?.chunks_exact(9);
    // With new classes, they come first.
    let plain = record.starts_with(b"BKRC") && *record.get(60)? == 0;
    let row = |row: &[u8]| {
        let (index, generation) = (number(row, 0)?, number(row, 4)?);
        let handle = u64::from(generation) << 32 | u64::from(index);
        Some((Handle::from_bits(handle), *row.get(8)? == 1))
    };
    let rows = rows.take(number(record, 56)? as usize).map(row);
    (known && plain).then(|| rows.collect()).flatten()
}

#[cfg(test)]
mod tests {
    use bookahead::{Commitment, PeCount, Policy, Request, Slot, Span};
    use bookahead_heap::{Labels, Outbox, Survives};

    use super::*;

    /// However the book is kept.
    #[test]
    fn a_lost_record_tells_of_the_reservations_of_its_book() {
        let book = || {
            let sizes = Sizes {
                pes: 4,
                slots: 64,
                reservations: 8,
            };
            BoxedBook::new(Binding::Early, sizes).unwrap()
        };
        fn lost<K: Survives>(mut kept: K, act: impl Fn(&mut K) -> Handle) {
            kept.keep_journal();
            let handle = act(&mut kept);
            let mut body = Vec::new();
            assert!(kept.write_record(&mut body).unwrap());
            let mut record = LostRecord {
                number: 1,
                file: String::new(),
                offset: 0,
                body,
            };
            assert_eq!(record.reservations(), Some(vec![(handle, true)]));
            record.body.truncate(40);
            assert_eq!(record.reservations(), None);
        }
        let reserve = |book: &mut BoxedBook| {
            let request = Request {
                ready: Slot::new(0),
                duration: Span::new(2),
                deadline: Slot::new(9),
                pes: PeCount::new(3),
            };
            let booked = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed);
            booked.unwrap().handle
        };
        lost(book(), reserve);
        lost((book(), Labels::new(8)), |kept| {
            let handle = reserve(&mut kept.0);
            assert!(kept.1.set(handle, [7; 32]));
            handle
        });
        let kept = ((book(), Labels::new(8)), Outbox::new(8));
        lost(kept, |kept| reserve(&mut kept.0.0));
        lost(vec![book(), book()], |books| reserve(&mut books[1]));
    }
}
