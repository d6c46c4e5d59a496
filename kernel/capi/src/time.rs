//! Time passes.

use bookahead as kernel;
use heapless::{Vec, VecView};
use kernel::{Advanced, Slot};

use crate::{
    Book, Code, Event,
    code::{Failure, answer},
    pointer::{List, Out},
    with::with_book,
};

/// Moves `now` to the slot `to` and writes what happens on the way to `events`, in order of time, `count` of them.
///
/// Within one slot ends come first, then expired holds, then starts, each by acceptance, then holds that lasted until their start and were not
/// confirmed in that slot. When there are more events than `capacity`, `now` stays at the slot of the next one and `waiting` becomes true: any
/// call is legal then, and the next advance goes on with the rest.
///
/// Advance slot by slot, or no further than `bookahead_next_event`: a jump past the whole booked run of a confirmed reservation does not start it, and
/// reports it as MISSED. What starts at `now` is started by the next advance, even by one to the same slot: make it before time moves on.
///
/// O(slots passed x columns, at most two rings, + events x (log rows + PEs)); an expired or missed reservation adds O(duration x columns).
///
/// Answers TIME_WENT_BACK, END_OF_TIME.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_advance(
    book: *mut Book,
    to: u64,
    events: *mut Event,
    capacity: usize,
    count: *mut usize,
    waiting: *mut bool,
) -> u32 {
    let to = Slot::new(to);
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        report(events, capacity, count, waiting, |events| {
            with_book!(book, |book| advance(events, |list| book.advance(to, list)))
        })
    })
}

/// As `bookahead_advance`, one event at a time: moves `now` to the slot of the next event on the way to `to`, and gives it. When there is none,
/// `now` is `to`, `happened` becomes false and `event` is left alone. The book is sound between events, and any call is legal.
///
/// Call it for one slot after the other, as `bookahead_advance`: it does not walk by itself, so that a `to` behind the whole booked run of a confirmed reservation misses that.
///
/// Answers TIME_WENT_BACK, END_OF_TIME.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_next(
    book: *mut Book,
    to: u64,
    event: *mut Event,
    happened: *mut bool,
) -> u32 {
    let to = Slot::new(to);
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        one(event, happened, || {
            Ok(with_book!(book, |book| book.next(to)?))
        })
    })
}

/// Gives the next event, if there is one.
///
/// # Safety
///
/// By the contract of the crate.
#[inline(always)]
pub(crate) unsafe fn one(
    event: *mut Event,
    happened: *mut bool,
    next: impl FnOnce() -> Result<Option<kernel::Event>, Failure>,
) -> Result<(), Failure> {
    let (event, happened) = (Out::new(event)?, Out::new(happened)?);
    let next = next()?;
    // SAFETY: passed on.
    unsafe {
        happened.set(next.is_some());
        if let Some(next) = next {
            event.set(next);
        }
    }
    Ok(())
}

/// Advances with the caller's list, and says how far that came.
///
/// # Safety
///
/// By the contract of the crate.
#[inline(always)]
pub(crate) unsafe fn report(
    events: *mut Event,
    capacity: usize,
    count: *mut usize,
    waiting: *mut bool,
    advance: impl FnOnce(&List<Event>) -> Result<(usize, Advanced), Failure>,
) -> Result<(), Failure> {
    let (count, waiting) = (Out::new(count)?, Out::new(waiting)?);
    let (length, advanced) = advance(&List::new(events, capacity)?)?;
    // SAFETY: passed on.
    unsafe {
        count.set(length);
        waiting.set(advanced == Advanced::EventsWaiting);
    }
    Ok(())
}

/// Takes events from the kernel one by one, since its list has a capacity known at compile time. Only the first step can fail.
///
/// # Safety
///
/// As [`List::set`].
#[inline(always)]
pub(crate) unsafe fn advance(
    events: &List<Event>,
    mut step: impl FnMut(&mut VecView<kernel::Event>) -> Result<Advanced, kernel::Error>,
) -> Result<(usize, Advanced), Failure> {
    let mut length = 0_usize;
    while events.has_room(length) {
        let mut one = Vec::<kernel::Event, 1>::new();
        let advanced = step(&mut one)?;
        if let Some(event) = one.pop() {
            // SAFETY: there is room.
            unsafe { events.set(length, event) };
            length = length.wrapping_add(1);
        }
        if advanced == Advanced::Done {
            return Ok((length, advanced));
        }
    }
    let mut none = Vec::<kernel::Event, 0>::new();
    Ok((length, step(&mut none)?))
}

/// Gives the slot that time has to reach for the next event, `now` included. The event carries that slot, or for a hold that lasts until its start
/// the slot before. O(1).
///
/// Answers NOTHING_DUE when there is no reservation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_next_event(book: *mut Book, at: *mut u64) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let at = Out::new(at)?;
        let next = with_book!(book, |book| book.next_event());
        at.set(next.ok_or(Code::NothingDue)?.get());
        Ok(())
    })
}
