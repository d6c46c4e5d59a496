//! A book as bytes, and records of what changes in it. Only in libraries built with `--features journal`.

use core::ffi::c_void;

use bookahead::{
    SnapshotError,
    raw::{JournalParts, JournalState, Kept, journal_bytes, record_bytes},
};

use crate::{
    BOOKAHEAD_ALIGNMENT, Book, Code,
    code::{Failure, answer},
    memory::{self, Sizes},
    pointer::{List, Out, elements},
    with::with_kept,
};

const _: () = assert!(align_of::<JournalState>() <= BOOKAHEAD_ALIGNMENT);
// The header's formulas have these numbers in them.
const _: () = assert!(journal_bytes(0) == 56 && journal_bytes(1) == 64);
const _: () = assert!(record_bytes(0, 9) == 69 && record_bytes(1, 9) == 69 + 63 + 2);

impl From<SnapshotError> for Failure {
    fn from(error: SnapshotError) -> Self {
        match error {
            SnapshotError::Stopped => Code::Incomplete.into(),
            SnapshotError::NotNew => Code::NotNew.into(),
            SnapshotError::NoSnapshot => Code::NoSnapshot.into(),
            SnapshotError::OtherBook => Code::OtherBook.into(),
            SnapshotError::NotNext => Code::NotNext.into(),
            SnapshotError::NoJournal => Code::NoJournal.into(),
            SnapshotError::Missed => Code::Missed.into(),
            SnapshotError::WrongSum => Code::WrongSum.into(),
            SnapshotError::Damaged(violation) => violation.into(),
            // What is not known here either.
            _ => Code::UnknownVersion.into(),
        }
    }
}

/// Lends a view the journal of its book, where one is kept. What a view without it has changed, the next record finds missing.
///
/// # Safety
///
/// By the contract of the crate: `book` is one of these sizes, and the view is the only one of it.
#[inline(never)]
pub(crate) unsafe fn lend<'a, R: Kept>(
    view: &mut bookahead::Book<'a, R>,
    book: *mut Book,
    sizes: Sizes,
) -> Result<(), SnapshotError> {
    // SAFETY: passed on.
    let Some(mut arrays) = (unsafe { sizes.behind_arrays(book) }) else {
        return Ok(());
    };
    // SAFETY: a book that keeps a journal has memory for it behind its own arrays, which nobody else refers to. It is aligned, as those are a multiple of 8 bytes, and
    // consists of integers, so whatever bytes are there are valid.
    view.keep_journal(unsafe {
        JournalParts {
            state: arrays.one(),
            notes: arrays.take(sizes.rows()),
        }
    })
}

/// Bytes of the caller's, and how many have been written, or would have been if there was room.
struct Written {
    bytes: List<u8>,
    length: usize,
}

impl Written {
    /// Writes a piece where there is room for it, and says whether there was.
    ///
    /// # Safety
    ///
    /// There are `capacity` bytes to write to.
    unsafe fn write(&mut self, piece: &[u8]) -> bool {
        let from = self.length;
        self.length = from.saturating_add(piece.len());
        let fits = self.length <= self.bytes.len();
        if fits {
            for (byte, at) in piece.iter().zip(from..) {
                // SAFETY: below the capacity.
                unsafe { self.bytes.set(at, *byte) };
            }
        }
        fits
    }

    /// Says how many bytes there are, and whether they had room.
    ///
    /// # Safety
    ///
    /// The pointer is one to write to.
    unsafe fn end(&self, length: Out<usize>) -> Result<(), Failure> {
        // SAFETY: passed on.
        unsafe { length.set(self.length) };
        match self.length <= self.bytes.len() {
            true => Ok(()),
            false => Err(Code::TooShort.into()),
        }
    }
}

/// Gives bytes to a call that reads them, and says how many it has read.
///
/// # Safety
///
/// By the contract of the crate.
unsafe fn give(
    bytes: *const c_void,
    length: usize,
    used: *mut usize,
    read: impl FnOnce(&mut dyn FnMut(&mut [u8]) -> bool) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let used = Out::new(used)?;
    // SAFETY: passed on.
    let mut rest = unsafe { elements(bytes.cast::<u8>(), length) }?;
    read(&mut |piece| {
        let Some((next, behind)) = rest.split_at_checked(piece.len()) else {
            return false;
        };
        for (to, from) in piece.iter_mut().zip(next) {
            *to = *from;
        }
        rest = behind;
        true
    })?;
    // SAFETY: passed on.
    unsafe { used.set(length.wrapping_sub(rest.len())) };
    Ok(())
}

/// Writes a snapshot of the book to `bytes`, and gives its `length`. The journal goes on. O(rows + reservations x PEs). Only in libraries built with journal.
///
/// Answers TOO_SHORT when it takes more than `capacity` bytes: then `length` says how many, and what lies in `bytes` means nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_snapshot_write(
    book: *mut Book,
    bytes: *mut c_void,
    capacity: usize,
    length: *mut usize,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let length = Out::new(length)?;
        let bytes = List::new(bytes.cast::<u8>(), capacity)?;
        let mut written = Written { bytes, length: 0 };
        with_kept!(book, |book, _lent| book.write_snapshot(&mut |piece| {
            // What is too much is counted.
            written.write(piece);
            true
        })?);
        written.end(length)
    })
}

/// Makes a new book, one in which nothing has been booked and no time has passed, what the snapshot at `bytes` says, and gives how many of the `length` bytes that `used`. Handles of the book
/// that was written are handles of this one; its incarnation is one more, so that plans, offers and queues made before are stale. Any bytes may be read: what is read
/// passes `bookahead_check_invariants`. For which class is asked is no part of a snapshot. O(rows^2), and near O(rows) where few reservations start in the same slot, and as
/// `bookahead_check_invariants`. Only in libraries built with journal.
///
/// Answers NOT_NEW, NO_SNAPSHOT, UNKNOWN_VERSION, OTHER_BOOK, INCOMPLETE, WRONG_SUM, or a violation when no book is in a state like this. The book is new then, as before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_snapshot_read(
    book: *mut Book,
    bytes: *const c_void,
    length: usize,
    used: *mut usize,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        give(bytes, length, used, |read| {
            with_kept!(book, |book, _lent| book.read_snapshot(read)?);
            Ok(())
        })
    })
}

/// Gives a number that is the same for books whose next answers are the same, whatever their incarnations, and that differs for nearly all others. O(rows + reservations x
/// PEs). Only in libraries built with journal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_state_hash(book: *mut Book, hash: *mut u64) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let hash = Out::new(hash)?;
        hash.set(with_kept!(book, |book, _lent| book.state_hash()));
        Ok(())
    })
}

/// The bytes of a journal of a book of so many rows: a multiple of 8. The macro `BOOKAHEAD_JOURNAL_BYTES` says the same at compile time. O(1). Only in libraries
/// built with journal.
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_journal_bytes(rows: u32) -> usize {
    journal_bytes(rows as usize)
}

/// The bytes that a record takes at most which names so many rows of a book whose PEs have so many numbers: one for a call that reserves, confirms, cancels or completes, one for each event of an
/// advance, one for each entry of a transaction's log. Where classes have changed, their table comes to it; where rules have, 238 bytes, and with early binding 17 times a byte for each 8 PEs. A snapshot of a book of so many rows without a layout or rules takes no more either, if there
/// are any. The macro `BOOKAHEAD_RECORD_BYTES` says the same at compile time. O(1). Only in libraries built with journal.
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_record_bytes(pes: u32, rows: u32) -> usize {
    record_bytes(rows as usize, u16::try_from(pes).unwrap_or(u16::MAX))
}

/// Keeps a journal from now on, in the memory behind the book: each call notes which reservations it changes, for `bookahead_journal_write`. `length` is that of the memory of book and journal
/// together: at least `bookahead_bytes`, or `bookahead_layout_bytes`, and `bookahead_journal_bytes`. The first record follows on the state that the book has now: write a snapshot of it. All bytes
/// may be copied and opened elsewhere as those of a book without a journal. Where a journal is kept, another one begins. A call that is refused may leave notes of what it has tried. O(rows). Only in libraries built with journal.
///
/// Answers TOO_SHORT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_journal_keep(book: *mut Book, length: usize) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let sizes = memory::sizes(book)?;
        let sizes = sizes.keeping();
        let bytes = sizes.all_bytes().ok_or(Code::SizeOutOfRange)?;
        if length < bytes {
            return Err(Code::TooShort.into());
        }
        if let Some(mut arrays) = sizes.behind_arrays(book) {
            // Zeros are a journal that no book has kept yet. The first view begins it.
            arrays.take::<u8>(journal_bytes(sizes.rows())).fill(0);
        }
        sizes.write_to(book);
        with_kept!(book, |_book, lent| lent?);
        Ok(())
    })
}

/// Writes what has changed since the record before, or since the journal began, to `record`, and gives its `length`; 0 when nothing has. After each call, that is a record of the call, which
/// holds as a whole or not at all; after several, of all of them together. Nobody should be told what a call has answered before its record is durable.
/// O(reservations changed x PEs). Only in libraries built with journal.
///
/// Answers NO_JOURNAL; TOO_SHORT when it takes more than `capacity` bytes: then `length` says how many, what lies in `record` means nothing, and the next call writes the
/// same. MISSED when a library without journals has changed the book: write a snapshot, and begin a new journal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_journal_write(
    book: *mut Book,
    record: *mut c_void,
    capacity: usize,
    length: *mut usize,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let length = Out::new(length)?;
        let bytes = List::new(record.cast::<u8>(), capacity)?;
        let mut written = Written { bytes, length: 0 };
        with_kept!(book, |book, lent| {
            lent?;
            match book.write_record(&mut |piece| written.write(piece)) {
                Err(SnapshotError::Stopped) => written.length = book.record_len()?,
                Err(error) => return Err(error.into()),
                Ok(_) => {}
            }
        });
        written.end(length)
    })
}

/// Makes the book what the record at `bytes` says, and gives how many of the `length` bytes that `used`: more than one record may stand there. Nothing is decided anew, so
/// handles, PEs and all next answers are those of the book that wrote it. Any bytes may be read: what is read passes `bookahead_check_invariants`. A journal that is kept
/// begins anew. O(reservations named x (duration x columns + PEs)), and of those that are live and start in a slot, or run, O(that many) each. Where
/// classes have changed, O(rows x columns) more. Only in libraries built with journal.
///
/// Answers NO_SNAPSHOT, UNKNOWN_VERSION, OTHER_BOOK, and NOT_NEXT when the record follows on another slot or on other bookings than the book has: the book stays as it is (a missing record in which nothing but classes has changed is not noticed). INCOMPLETE, and a
/// violation when no book is in a state like this: in the middle of a record the book is new then, and begins again with a snapshot.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_journal_apply(
    book: *mut Book,
    bytes: *const c_void,
    length: usize,
    used: *mut usize,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        give(bytes, length, used, |read| {
            with_kept!(book, |book, _lent| book.apply_record(read)?);
            Ok(())
        })
    })
}
