//! Requests that wait for room beside the jobs of a queue. Only in libraries built with `--features plan`.

use bookahead as kernel;
use kernel::{Ticket, Waiting, raw::waiting_list_bytes};

use crate::{
    Book, Code, Commitment, Queue, Request,
    code::{Failure, answer},
    pointer::{List, Out, read},
    queue_memory,
    reserve::policy,
    with::{asked, with_book},
};

// The header's formula has these numbers in it.
const _: () = assert!(waiting_list_bytes(0) == 40 && waiting_list_bytes(1) == 80);

/// A request that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct WaitingRequest {
    /// Names it while it waits.
    pub ticket: u32,
    /// Its priority: higher ones are tried first.
    pub key: u32,
    /// What is asked for.
    pub request: Request,
    /// One of `bookahead_policy`.
    pub policy: u32,
    /// What it becomes when there is room.
    pub commitment: Commitment,
}

impl From<(Ticket, Waiting)> for WaitingRequest {
    fn from((ticket, waiting): (Ticket, Waiting)) -> Self {
        Self {
            ticket: ticket.get(),
            key: waiting.key,
            request: waiting.request.into(),
            policy: waiting.policy.code().into(),
            commitment: waiting.commitment.into(),
        }
    }
}

/// The bytes that so many requests take which may wait beside the jobs of a queue: a multiple of 8. The macro `BOOKAHEAD_REQUESTS_BYTES` says the same at compile time. O(1).
/// Only in libraries built with plan.
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_queue_requests_bytes(requests: u32) -> usize {
    waiting_list_bytes(requests as usize)
}

/// Makes an empty list behind a queue, in which up to so many requests may wait. `length` is that of the memory of queue and list together: at least
/// `bookahead_queue_bytes` and `bookahead_queue_requests_bytes`. All bytes may be copied and opened elsewhere as those of a queue without a list. What waited in a former list is
/// forgotten. O(requests). Only in libraries built with plan.
///
/// Answers SIZE_OUT_OF_RANGE and TOO_SHORT, and has changed nothing then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_keep_requests(
    queue: *mut Queue,
    length: usize,
    requests: u32,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe { queue_memory::keep_requests(queue, length, requests) })
}

/// Lets a request wait for room, as one that `bookahead_reserve` has refused for NO_ROOM, TABLE_FULL or BEYOND_HORIZON, and gives its ticket, which is never 0. It gets no room and no
/// promise. Whenever that answer could have changed, the requests that wait are tried, those with the highest key first, and those with equal keys in the order in which they came: in each slot
/// after its ends, expired holds and starts that become fixed, and before its starts. One that fits becomes a reservation like any other, and is reported as PROMISED with its ticket and
/// its handle; one that does not fit before its latest start has passed is reported as GAVE_UP. Who waits holds nobody back. `bookahead_queue_withdraw` takes it out. With a layout it waits for the class that is asked for. O(requests), and with a
/// layout O(classes + jobs + requests). Only in libraries built with plan.
///
/// Answers FOREIGN_QUEUE, QUEUE_LEFT_BEHIND, as `bookahead_commitment` says, UNKNOWN_POLICY, STALE_CLASS, ZERO_DURATION, ZERO_PES, TOO_WIDE, TOO_LONG, WINDOW_TOO_SHORT also when the latest start has passed, NOT_WHOLE_GROUPS
/// and NOT_ELIGIBLE for what no PEs of the class could serve; QUEUE_FULL when no more may wait.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_wait(
    queue: *mut Queue,
    book: *mut Book,
    request: *const Request,
    policy: u32,
    commitment: *const Commitment,
    key: u32,
    ticket: *mut u32,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let ticket = Out::new(ticket)?;
        let (request, commitment) = (read(request)?, Commitment::read(commitment)?);
        let (commitment, policy) = (commitment.terms()?, self::policy(policy)?);
        let request = request.to_kernel();
        let mut queue = queue_memory::open(queue)?;
        ticket.set(with_book!(book, |book, class| queue
            .wait(&mut book, asked!(class, &request), policy, commitment, key)?
            .get()));
        Ok(())
    })
}

/// Gives a request that waits another priority. O(requests). Only in libraries built with plan.
///
/// Answers UNKNOWN_TICKET for one that does not wait, or no longer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_set_key(queue: *mut Queue, ticket: u32, key: u32) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let mut queue = queue_memory::open(queue)?;
        let ticket = Ticket::from_number(ticket).ok_or(Code::UnknownTicket)?;
        queue.set_key(ticket, key).map_err(Failure::from)
    })
}

/// Lists the requests that wait, in the order in which they are tried; see `bookahead_pes_of` for lists. O(requests). Only in libraries built with plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_requests(
    queue: *mut Queue,
    skip: usize,
    requests: *mut WaitingRequest,
    capacity: usize,
    count: *mut usize,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (requests, count) = (List::new(requests, capacity)?, Out::new(count)?);
        let queue = queue_memory::open(queue)?;
        count.set(requests.fill(queue.waiting_requests(), skip));
        Ok(())
    })
}
