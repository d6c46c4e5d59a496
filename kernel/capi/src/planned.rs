//! Planned starts of the jobs of a queue: its schedule, with a second book for it. Only in libraries built with `--features plan`.

use bookahead as kernel;
use kernel::{Slot, Ticket, raw::schedule_bytes};

use crate::{
    Book, Queue,
    code::answer,
    pointer::{List, Out},
    queue_memory,
    with::with_book,
};

// The header's formula has these numbers in it.
const _: () = assert!(schedule_bytes(0) == 56 && schedule_bytes(1) == 80);

/// For when a job is planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct PlannedStart {
    /// Its start.
    pub start: u64,
    /// Names it while it waits.
    pub ticket: u32,
}

impl From<(Ticket, Slot)> for PlannedStart {
    fn from((ticket, start): (Ticket, Slot)) -> Self {
        Self {
            start: start.get(),
            ticket: ticket.get(),
        }
    }
}

/// The bytes that the schedule of a queue for up to `jobs` jobs takes beside those of its second book: a multiple of 8. The macro `BOOKAHEAD_SCHEDULE_BYTES` says the same at compile time. O(1).
/// Only in libraries built with plan.
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_queue_schedule_bytes(jobs: u32) -> usize {
    schedule_bytes(jobs as usize)
}

/// Makes an empty schedule behind a queue and its list of requests, if it has one: a queue of the discipline CONSERVATIVE plans its jobs in it. `second` is an empty book of the same kind and size
/// as the one that the queue serves, on the same machine, with a row for each job that may be planned. All its bytes are copied behind the schedule, and it is not needed any more; it may lie there already.
/// `length` is that of the memory of queue, list, schedule and second book together. All bytes may be copied and opened elsewhere as those of a queue without a schedule. A list is made first:
/// `bookahead_queue_keep_requests` forgets the schedule. O(bytes). Only in libraries built with plan.
///
/// Answers NO_SCHEDULE when `second` is not empty, SIZE_OUT_OF_RANGE and TOO_SHORT, and has changed nothing then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_keep_schedule(
    queue: *mut Queue,
    length: usize,
    second: *mut Book,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let is_empty = with_book!(second, |book| book.is_empty());
        queue_memory::keep_schedule(queue, length, second, is_empty)
    })
}

/// Lists the jobs that are planned with their starts, as they were planned last, in the order of the queue; none of a queue without a schedule. See `bookahead_pes_of` for lists. O(jobs).
/// Only in libraries built with plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_starts(
    queue: *mut Queue,
    skip: usize,
    starts: *mut PlannedStart,
    capacity: usize,
    count: *mut usize,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (starts, count) = (List::new(starts, capacity)?, Out::new(count)?);
        let opened = queue_memory::open(queue)?;
        let Some((schedule, second)) = queue_memory::schedule(queue)? else {
            count.set(0_usize);
            return Ok(());
        };
        count.set(with_book!(second, |second| {
            let planned = opened.planned(schedule.over(second));
            starts.fill(planned.starts(), skip)
        }));
        Ok(())
    })
}
