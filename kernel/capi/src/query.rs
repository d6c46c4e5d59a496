//! Looking things up.
//!
//! Lists are written from element `skip` on, `count` of them, as far as `capacity` goes; there may be more when `count` is
//! `capacity`. The book must stay as it is between the calls for one list.

use bookahead::{Slot, Span, Window};

use crate::{
    Book, Code, Handle, Record, Rectangle, Request, Reservation, Status,
    code::{Failure, answer},
    memory,
    pointer::{List, Out, read},
    with::with_book,
};

/// Gives the sizes of the book and where it stands. O(1).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_status(book: *mut Book, status: *mut Status) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let status = Out::new(status)?;
        let binding = memory::sizes(book)?.binding();
        status.set(with_book!(book, |book| Status {
            now: book.now().get(),
            horizon: book.horizon().get(),
            pes: book.pes().get(),
            reservations: book.len() as u32,
            capacity: book.capacity() as u32,
            binding,
            retired: book.retired() as u32,
            incarnation: book.version().incarnation,
            version: book.version().revision,
        }));
        Ok(())
    })
}

/// Gives what the ledger says of a live reservation. O(1).
///
/// Answers UNKNOWN_HANDLE, STALE_HANDLE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_get(
    book: *mut Book,
    handle: Handle,
    reservation: *mut Reservation,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let reservation = Out::new(reservation)?;
        reservation.set(with_book!(book, |book| book.get(handle.into())?));
        Ok(())
    })
}

/// Lists the PEs that a reservation holds, by number, ascending: with late binding none before its start. O(PEs).
///
/// Lists are written from element `skip` on, `count` of them, as far as `capacity` goes; when `count` is `capacity` there may be more.
///
/// Answers UNKNOWN_HANDLE, STALE_HANDLE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_pes_of(
    book: *mut Book,
    handle: Handle,
    skip: usize,
    pes: *mut u16,
    capacity: usize,
    count: *mut usize,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (pes, count) = (List::new(pes, capacity)?, Out::new(count)?);
        count.set(with_book!(book, |book| {
            let numbers = book.pes_of(handle.into())?.map(|pe| pe.get());
            pes.fill(numbers, skip)
        }));
        Ok(())
    })
}

/// Lists every live reservation in order of start, ties in order of acceptance; see `bookahead_pes_of` for lists. O(horizon + reservations).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_reservations(
    book: *mut Book,
    skip: usize,
    handles: *mut Handle,
    capacity: usize,
    count: *mut usize,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (handles, count) = (List::new(handles, capacity)?, Out::new(count)?);
        count.set(with_book!(book, |book| {
            handles.fill(book.iter().map(|(handle, _)| handle), skip)
        }));
        Ok(())
    })
}

/// Lists the reservations that will start at `slot`, in order of acceptance; see `bookahead_pes_of` for lists. O(1) for each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_starting_at(
    book: *mut Book,
    slot: u64,
    skip: usize,
    handles: *mut Handle,
    capacity: usize,
    count: *mut usize,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (handles, count) = (List::new(handles, capacity)?, Out::new(count)?);
        count.set(with_book!(book, |book| {
            handles.fill(book.starting_at(Slot::new(slot)), skip)
        }));
        Ok(())
    })
}

/// Lists the reservations that cover a slot from `start` up to `end`, exclusive, be they running, held or confirmed, in order of start, ties in
/// order of acceptance; see `bookahead_pes_of` for lists. O(running + window + longest duration + reservations that start there).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_covering(
    book: *mut Book,
    start: u64,
    end: u64,
    skip: usize,
    handles: *mut Handle,
    capacity: usize,
    count: *mut usize,
) -> u32 {
    let window = Window {
        start: Slot::new(start),
        end: Slot::new(end),
    };
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (handles, count) = (List::new(handles, capacity)?, Out::new(count)?);
        count.set(with_book!(book, |book| {
            handles.fill(book.covering(window), skip)
        }));
        Ok(())
    })
}

/// Lists the records of the ring from `now` on: neighbours always differ, and a leading one with nothing busy is left out; see
/// `bookahead_pes_of` for lists. O(horizon / 64 + records).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_records(
    book: *mut Book,
    skip: usize,
    records: *mut Record,
    capacity: usize,
    count: *mut usize,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (records, count) = (List::new(records, capacity)?, Out::new(count)?);
        count.set(with_book!(book, |book| records.fill(book.records(), skip)));
        Ok(())
    })
}

/// Lists the starts that are looked at for `request`, ascending; see `bookahead_pes_of` for lists. O(window / 64 + candidates).
///
/// Answers as `bookahead_reserve`, as far as the request itself is to blame.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_candidate_starts(
    book: *mut Book,
    request: *const Request,
    skip: usize,
    starts: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (starts, count) = (List::new(starts, capacity)?, Out::new(count)?);
        let request = read(request)?.to_kernel();
        count.set(with_book!(book, |book| {
            let slots = book.candidate_starts(&request)?.map(|start| start.get());
            starts.fill(slots, skip)
        }));
        Ok(())
    })
}

/// Gives how many PEs are free in every slot from `start` up to `end`, exclusive. O(window x columns).
///
/// Answers OUTSIDE_RING.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_free_during(
    book: *mut Book,
    start: u64,
    end: u64,
    pes: *mut u32,
) -> u32 {
    let window = Window {
        start: Slot::new(start),
        end: Slot::new(end),
    };
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let pes = Out::new(pes)?;
        let found = with_book!(book, |book| book.free_during(window));
        pes.set(found.ok_or(Code::OutsideRing)?.get());
        Ok(())
    })
}

/// Gives the maximal availability rectangle of `duration` slots from `start`. O(window x columns + horizon / 8 x columns).
///
/// Answers OUTSIDE_RING.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_rectangle(
    book: *mut Book,
    start: u64,
    duration: u32,
    rectangle: *mut Rectangle,
) -> u32 {
    let (start, duration) = (Slot::new(start), Span::new(duration));
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let rectangle = Out::new(rectangle)?;
        let found = with_book!(book, |book| book.rectangle(start, duration));
        rectangle.set(found.ok_or(Code::OutsideRing)?);
        Ok(())
    })
}

/// Checks every invariant of the book: for tests, and for memory that may be damaged, such as after a crash. O((horizon + total booked duration + rows) x columns), and with late binding O(PEs)
/// for each running reservation.
///
/// Answers the first violation found.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_check_invariants(book: *mut Book) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { with_book!(book, |book| book.check_invariants().map_err(Failure::from)) })
}
