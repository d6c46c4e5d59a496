//! Running jobs of a queue that make room for a reservation. Only in libraries built with `--features plan`.

use bookahead as kernel;
use kernel::{Preemption, Span};

use crate::{
    Book, Booking, Commitment, Handle, Queue, Request,
    code::{Failure, answer},
    pointer::{Out, read},
    queue_memory,
    reserve::policy,
    with::{asked, with_book},
};

/// Lets a running job of a queue be preempted by `bookahead_queue_reserve_preempting`: after `min_run` slots at the earliest, from 2^30 - 1 on never, and after one at least. If `keeps` is not 0, it keeps what it has done, and is queued again with
/// what is left of its estimate, otherwise with all of it. A job that starts again has to be marked again. O(1). Only in libraries built with plan.
///
/// Answers UNKNOWN_HANDLE, STALE_HANDLE, WRONG_STATE for a reservation that is not a running job of a queue.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_make_preemptible(
    book: *mut Book,
    handle: Handle,
    min_run: u32,
    keeps: u32,
) -> u32 {
    let (min_run, keeps) = (Span::new(min_run), keeps != 0);
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        with_book!(book, |book| book
            .make_preemptible(handle.into(), Preemption { min_run, keeps })
            .map_err(Failure::from))
    })
}

/// As `bookahead_reserve`; where there is no room, running jobs make some that `bookahead_make_preemptible` has marked. The reservation gets the earliest start at which there is room once all of them are cut that
/// have run for long enough by then, whatever the policy; those are cut that lose the least work, and no more than it takes. They end when it starts, which is reported as PREEMPTED, and are queued again with their tickets; until then
/// their places are kept. If there is more room before, `bookahead_queue_advance` lets them run as far as there is room. As `bookahead_reserve`; where jobs are cut O(jobs x (jobs + jobs x estimate x
/// columns + a first fit)). Only in libraries built with plan.
///
/// Answers FOREIGN_QUEUE, QUEUE_LEFT_BEHIND, what `bookahead_reserve` answers, QUEUE_FULL where more jobs would have to be cut than have a place in the queue.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_reserve_preempting(
    queue: *mut Queue,
    book: *mut Book,
    request: *const Request,
    policy: u32,
    commitment: *const Commitment,
    booking: *mut Booking,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let booking = Out::new(booking)?;
        let (request, commitment) = (read(request)?, Commitment::read(commitment)?);
        let (commitment, policy) = (commitment.terms()?, self::policy(policy)?);
        let request = request.to_kernel();
        let mut queue = queue_memory::open(queue)?;
        booking.set(with_book!(book, |book, class| queue.reserve_preempting(
            &mut book,
            asked!(class, &request),
            policy,
            commitment
        )?));
        Ok(())
    })
}
