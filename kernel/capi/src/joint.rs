//! Several books decided as one: nodes and licences, bandwidth, space, quotas.
//!
//! C names the books by a list of [`Joined`], which every call takes: each book with the memory that lies beside it. There is no object for all of them, so there is nothing to
//! make or to keep, books of all kinds go together, and a quota is a book with periods. A call that could be refused by one of them says by which, beside its code.

use bookahead as kernel;
use kernel::{JointBooking as Booked, Several, Slot, Span};

use crate::{
    Code, Commitment, Event, Handle, Joined,
    code::Failure,
    joined::{Books, JointFailure, answer_of_several},
    pointer::{List, Out, elements, read},
};

/// A part of a joint reservation: a reservation of one of several books. Each part stands for the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct BookPart {
    /// The number of the book in the list, from 0 on.
    pub book: u32,
    /// The handle of the part in that book.
    pub handle: Handle,
}

impl From<kernel::BookPart> for BookPart {
    fn from(part: kernel::BookPart) -> Self {
        Self {
            book: part.book,
            handle: part.handle.into(),
        }
    }
}

impl From<BookPart> for kernel::BookPart {
    fn from(part: BookPart) -> Self {
        Self {
            book: part.book,
            handle: part.handle.into(),
        }
    }
}

/// What is asked of several books at once: the same slots in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct JointRequest {
    /// The earliest start.
    pub ready: u64,
    /// The latest end, exclusive.
    pub deadline: u64,
    /// The length of the run in slots.
    pub duration: u32,
    /// How many PEs of each book, in the order of the books: of the class that the book asks for. 0 where nothing is needed.
    pub needs: *const u32,
    /// How many numbers: as many as books.
    pub need_count: usize,
}

/// A joint reservation that has just been made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct JointBooking {
    /// The part in the first book of which something is needed.
    pub part: BookPart,
    /// The slot in which all parts start.
    pub start: u64,
}

impl From<Booked> for JointBooking {
    fn from(Booked { part, start }: Booked) -> Self {
        Self {
            part: part.into(),
            start: start.get(),
        }
    }
}

/// Does something with books and with what is asked of them.
///
/// # Safety
///
/// By the contract of the crate.
unsafe fn ask<T>(
    (books, length): (*const Joined, usize),
    request: *const JointRequest,
    action: impl FnOnce(
        &mut Several<'_, '_>,
        &kernel::JointRequest<'_>,
    ) -> Result<T, kernel::JointError>,
) -> Result<T, JointFailure> {
    // SAFETY: passed on.
    unsafe {
        let request = read(request)?;
        let pes = elements(request.needs, request.need_count)?;
        let books = Books::new(books, length)?;
        let needs = books.needs(pes)?;
        let request = kernel::JointRequest {
            ready: Slot::new(request.ready),
            duration: Span::new(request.duration),
            deadline: Slot::new(request.deadline),
            needs: &needs,
        };
        books.together(|several| action(several, &request))
    }
}

/// Does to a reservation what gives nothing but a code.
///
/// # Safety
///
/// By the contract of the crate.
unsafe fn tell(
    (books, length): (*const Joined, usize),
    reason: *mut u32,
    action: impl FnOnce(&mut Several<'_, '_>) -> Result<(), kernel::JointError>,
) -> u32 {
    // SAFETY: passed on.
    unsafe { answer_of_several(reason, || Books::new(books, length)?.together(action)) }
}

/// Gives a part, if there is one.
///
/// # Safety
///
/// By the contract of the crate.
unsafe fn give_part(
    (books, length): (*const Joined, usize),
    (part, is_there): (*mut BookPart, *mut bool),
    reason: *mut u32,
    find: impl FnOnce(&mut Several<'_, '_>) -> Option<kernel::BookPart>,
) -> u32 {
    // SAFETY: passed on.
    unsafe {
        answer_of_several(reason, || {
            let (part, is_there) = (Out::new(part)?, Out::new(is_there)?);
            let found = Books::new(books, length)?.together(|several| Ok(find(several)))?;
            is_there.set(found.is_some());
            if let Some(found) = found {
                part.set(found);
            }
            Ok(())
        })
    }
}

/// Reserves in all of `length` books of which something is needed, or in none: at the first start at which each of them has room, by first fit. Confirmed, or held: `commitment` as
/// `bookahead_commitment` says, but not FLEXIBLE. `work` bounds the search, in slots searched.
///
/// All parts of a joint reservation start and end together, and what is done to one by a call for several books is done to all. The window of a part is exactly its run. How much a
/// part has is its book's own matter.
///
/// Each book can be used by itself between such calls, by the functions for one book; a quota with periods only for calls that look. If a part has been changed so, or is lost to an
/// outage, the next call for its reservation answers STALE_HANDLE or PARTS_APART, and `bookahead_several_end_torn` ends what is left of it. Time passes for all books by
/// `bookahead_several_next`. Jobs of a queue do not take part. With a journal, each book has records of its own; ties and periods are not in them, and are kept by the caller.
///
/// `reason` becomes the number of the book that is the reason of the answer, or BOOKAHEAD_NO_BOOK if it is no single one. A request that is refused as NO_ROOM has no room in that
/// book in its whole window; where there is no such book, each has room, but never all at once.
///
/// Every call for several books opens them one behind the other, in about a kilobyte of stack for each, and compares where they lie. O(rounds x books x first fit), where each round but the last
/// moves the start, mostly one or two; committing as in each book.
///
/// Answers, as every call for several books: TOO_MANY_PARTS for no book or more than BOOKAHEAD_MOST_BOOKS, UNKNOWN_BINDING for a book with overlays, OVERLAPPING when two lie in
/// the same memory, SCRATCH_TOO_SHORT for a book with fewer ties than rows unless it is the only one, BAD_PERIODS for a quota whose periods are not in order, and in libraries built without quota for any;
/// BOOKS_APART when they are at different slots, or cover different numbers of them. ZERO_HOLD and as `bookahead_commitment` says, UNKNOWN_COMMITMENT for FLEXIBLE, too;
/// BAD_NEEDS unless there are as many needs as books, ZERO_PES if nothing is needed; for one book after the other what `bookahead_plan` answers but for NO_ROOM, and TABLE_FULL; WORK_LIMIT, NO_ROOM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_several_reserve(
    books: *const Joined,
    length: usize,
    request: *const JointRequest,
    commitment: *const Commitment,
    work: u64,
    booking: *mut JointBooking,
    reason: *mut u32,
) -> u32 {
    // SAFETY: by the contract of the crate.
    unsafe {
        answer_of_several(reason, || {
            let booking = Out::new(booking)?;
            let hold = hold(Commitment::read(commitment)?)?;
            let reserved = ask((books, length), request, |several, request| {
                several.reserve(request, hold, work)
            });
            booking.set(reserved?);
            Ok(())
        })
    }
}

/// For how many slots it is held, if it is.
fn hold(commitment: Commitment) -> Result<Option<Span>, Failure> {
    match commitment.terms()? {
        kernel::Commitment::Confirmed => Ok(None),
        kernel::Commitment::Held { ttl } => Ok(Some(ttl)),
        kernel::Commitment::Flexible { .. } => Err(Code::UnknownCommitment.into()),
    }
}

/// Gives the start that `bookahead_several_reserve` would give. For one that is refused, with a later deadline, when it would not be. Costs as that without committing.
///
/// Answers as `bookahead_several_reserve`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_several_earliest(
    books: *const Joined,
    length: usize,
    request: *const JointRequest,
    work: u64,
    start: *mut u64,
    reason: *mut u32,
) -> u32 {
    // SAFETY: by the contract of the crate.
    unsafe {
        answer_of_several(reason, || {
            let start = Out::new(start)?;
            let earliest = ask((books, length), request, |several, request| {
                several.earliest(request, work)
            });
            start.set(earliest?.get());
            Ok(())
        })
    }
}

/// Lists the parts of the reservation that `part` is of, from that one on in the order of the books, `count` of them, at most BOOKAHEAD_MOST_BOOKS; those for which there is room.
/// A reservation of a single book is its own only part. O(parts).
///
/// Answers UNKNOWN_HANDLE also for a book that is not there, STALE_HANDLE; of the book where somebody has changed a part by itself, STALE_HANDLE if it is gone and PARTS_APART if
/// it is not as the one that was asked for; and as every call for several books.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_several_parts(
    books: *const Joined,
    length: usize,
    part: BookPart,
    parts: *mut BookPart,
    capacity: usize,
    count: *mut usize,
    reason: *mut u32,
) -> u32 {
    // SAFETY: by the contract of the crate.
    unsafe {
        answer_of_several(reason, || {
            let (list, count) = (List::new(parts, capacity)?, Out::new(count)?);
            let books = Books::new(books, length)?;
            let parts = books.together(|several| several.parts(part.into()))?;
            count.set(list.fill(parts.into_iter(), 0));
            Ok(())
        })
    }
}

/// Confirms all parts of a held reservation. O(parts x log rows).
///
/// Answers as `bookahead_several_parts` and `bookahead_confirm`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_several_confirm(
    books: *const Joined,
    length: usize,
    part: BookPart,
    reason: *mut u32,
) -> u32 {
    // SAFETY: by the contract of the crate.
    unsafe {
        tell((books, length), reason, |several| {
            several.confirm(part.into())
        })
    }
}

/// Cancels all parts of a reservation in any state. O(parts) cancellations.
///
/// Answers as `bookahead_several_parts`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_several_cancel(
    books: *const Joined,
    length: usize,
    part: BookPart,
    reason: *mut u32,
) -> u32 {
    // SAFETY: by the contract of the crate.
    unsafe {
        tell((books, length), reason, |several| {
            several.cancel(part.into())
        })
    }
}

/// Completes all parts of a running reservation at `at`, as `bookahead_complete`. O(parts) completions.
///
/// Answers as `bookahead_several_parts` and `bookahead_complete`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_several_complete(
    books: *const Joined,
    length: usize,
    part: BookPart,
    at: u64,
    reason: *mut u32,
) -> u32 {
    // SAFETY: by the contract of the crate.
    unsafe {
        tell((books, length), reason, |several| {
            several.complete(part.into(), Slot::new(at))
        })
    }
}

/// Gives all parts of a reservation another window and duration: they get the first start in it at which each has room in its book, what they have themselves counting as free.
/// A running one keeps its start, which has to be `ready`, and what it runs on. Gives the start. How much a part has is altered in its book, by WIDEN or NARROW of `bookahead_alter`.
///
/// Costs as `bookahead_several_reserve`, whose `work` it takes, and as releasing and claiming the slots of each part.
///
/// Answers as `bookahead_several_parts`; WRONG_STATE for a running one at another start, whose end is announced or that has none; for one book after the other what `bookahead_plan` answers
/// but for NO_ROOM; for a running one OUTSIDE_WINDOW if it would have ended already; WORK_LIMIT, NO_ROOM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_several_alter(
    books: *const Joined,
    length: usize,
    part: BookPart,
    ready: u64,
    duration: u32,
    deadline: u64,
    work: u64,
    start: *mut u64,
    reason: *mut u32,
) -> u32 {
    let (ready, duration, deadline) = (Slot::new(ready), Span::new(duration), Slot::new(deadline));
    // SAFETY: by the contract of the crate.
    unsafe {
        answer_of_several(reason, || {
            let start = Out::new(start)?;
            let altered = Books::new(books, length)?
                .together(|several| several.alter(part.into(), ready, duration, deadline, work))?;
            start.set(altered.get());
            Ok(())
        })
    }
}

/// Moves `now` of all books to the slot of the next event on the way to `to` in any of them, and gives it with the part that it is of. What happens to a part happens to all, and is told once, of
/// the part in the first book. When there is none, `now` is `to`, `happened` becomes false, and `part` and `event` are left alone. As `bookahead_next`, slot by slot too; among
/// books, the event of a slot and kind that is due in the first one comes first. O(books), and the costs of `bookahead_next` for each.
///
/// Answers TIME_WENT_BACK, END_OF_TIME; what `bookahead_several_parts` answers when a reservation is due of which a part was changed by itself; and as every call for several books.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_several_next(
    books: *const Joined,
    length: usize,
    to: u64,
    part: *mut BookPart,
    event: *mut Event,
    happened: *mut bool,
    reason: *mut u32,
) -> u32 {
    // SAFETY: by the contract of the crate.
    unsafe {
        answer_of_several(reason, || {
            let (part, event) = (Out::new(part)?, Out::new(event)?);
            let happened = Out::new(happened)?;
            let books = Books::new(books, length)?;
            let told = books.together(|several| several.next(Slot::new(to)))?;
            happened.set(told.is_some());
            if let Some((whose, what)) = told {
                part.set(whose);
                event.set(what);
            }
            Ok(())
        })
    }
}

/// Gives a part that is there without all the others being there as it is, if there is one, `is_torn`; else `part` is left alone. Only calls for one of the books can make one.
/// O(rows x parts).
///
/// Answers as every call for several books.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_several_torn(
    books: *const Joined,
    length: usize,
    part: *mut BookPart,
    is_torn: *mut bool,
    reason: *mut u32,
) -> u32 {
    // SAFETY: by the contract of the crate.
    unsafe {
        give_part((books, length), (part, is_torn), reason, |several| {
            several.torn()
        })
    }
}

/// Cancels a part that is torn, see `bookahead_several_torn`, and gives it, if there is one, `was_torn`: to be called until there is none, after an outage or whatever else was done to
/// a book by itself. O(rows x parts).
///
/// Answers as every call for several books.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_several_end_torn(
    books: *const Joined,
    length: usize,
    part: *mut BookPart,
    was_torn: *mut bool,
    reason: *mut u32,
) -> u32 {
    // SAFETY: by the contract of the crate.
    unsafe {
        give_part((books, length), (part, was_torn), reason, |several| {
            several.end_torn()
        })
    }
}
