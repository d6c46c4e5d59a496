//! Reserving, and what becomes of a reservation.

use bookahead as kernel;
use kernel::Slot;

use crate::{
    Book, Booking, Code, Commitment, Handle, Plan, Request,
    code::{Failure, answer, known},
    pointer::{Out, read},
    with::{asked, with_book},
};

/// The policy of that number.
#[inline(always)]
pub(crate) fn policy(code: u32) -> Result<kernel::Policy, Failure> {
    known(code, kernel::Policy::from_code, Code::UnknownPolicy)
}

/// Works out where `request` would go by `policy`, one of `bookahead_policy`, and takes no room: the book stays as it
/// is, scratch memory aside.
///
/// First fit: O(window x columns) at worst, mostly far less; with columns of 512 PEs O(columns x log duration) more for each leap over
/// starts that cannot be. PE worst fit: that, and O(duration / 64) for each improvement, of which there are at most as many as PEs. The others:
/// as first fit, or with late binding O(window + candidates x duration / 64), since the peak of a window is looked for again when it has
/// left it; all but PE best fit add a rectangle for each candidate start, O(candidates x horizon / 8 x columns) at worst.
///
/// Answers UNKNOWN_POLICY, ZERO_DURATION, ZERO_PES, TOO_WIDE, TOO_LONG, READY_IN_PAST, WINDOW_TOO_SHORT, BEYOND_HORIZON, TABLE_FULL, NO_ROOM; on a machine
/// with a layout STALE_CLASS, NOT_WHOLE_GROUPS, NOT_ELIGIBLE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_plan(
    book: *mut Book,
    request: *const Request,
    policy: u32,
    plan: *mut Plan,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let plan = Out::new(plan)?;
        let (request, policy) = (read(request)?.to_kernel(), self::policy(policy)?);
        plan.set(with_book!(book, |book, class| book
            .plan(asked!(class, &request), policy)?));
        Ok(())
    })
}

/// Makes a plan a reservation that promises `commitment`, see there, or changes nothing. O(duration x columns + log rows).
///
/// Answers as `bookahead_commitment` says; STALE_PLAN when a booking has changed or the start has passed since, or the plan is another book's. A plan
/// whose start is still to come stays good while time passes without an event; what is booked is ready at `now` then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_commit(
    book: *mut Book,
    plan: *const Plan,
    commitment: *const Commitment,
    handle: *mut Handle,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let handle = Out::new(handle)?;
        let (plan, commitment) = (read(plan)?, Commitment::read(commitment)?);
        let (plan, commitment) = (plan.to_kernel()?, commitment.terms()?);
        handle.set(with_book!(book, |book, class| book
            .commit(asked!(class, &plan), commitment)?));
        Ok(())
    })
}

/// Reserves: works out where `request` goes by `policy`, one of `bookahead_policy`, and books it as `commitment` says, see there. Costs as
/// `bookahead_plan` and `bookahead_commit` together.
///
/// Answers as `bookahead_commitment` and `bookahead_plan` say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_reserve(
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
        booking.set(with_book!(book, |book, class| book.reserve(
            asked!(class, &request),
            policy,
            commitment
        )?));
        Ok(())
    })
}

/// Makes a held reservation a firm one: before its expiry, or, if it lasts until its start, before an advance has dealt with that start.
/// O(log rows).
///
/// Answers UNKNOWN_HANDLE, STALE_HANDLE, NOT_HELD, HOLD_EXPIRED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_confirm(book: *mut Book, handle: Handle) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        with_book!(book, |book| book
            .confirm(handle.into())
            .map_err(Failure::from))
    })
}

/// Gives up a reservation, whatever its state; of a running one, what is left of it. No event follows: whoever calls this stops the job.
/// O(duration x columns + log rows), and with late binding O(PEs) more for a running one.
///
/// Answers UNKNOWN_HANDLE, STALE_HANDLE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_cancel(book: *mut Book, handle: Handle) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        with_book!(book, |book| book
            .cancel(handle.into())
            .map_err(Failure::from))
    })
}

/// Lets a running reservation end early: at slot `at`, which is told as COMPLETED then, or at once if that is `now` or has passed, and no event follows.
/// What is booked behind is free again.
/// O(duration x columns + log rows), and with late binding O(PEs) more.
///
/// Answers UNKNOWN_HANDLE, STALE_HANDLE, NOT_RUNNING, AFTER_BOOKED_END.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_complete(book: *mut Book, handle: Handle, at: u64) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        with_book!(book, |book| book
            .complete(handle.into(), Slot::new(at))
            .map_err(Failure::from))
    })
}

/// Numbers the book among the caller's books, and anew when it is restored: so that a plan, an offer or a queue that was made for another is
/// noticed. Books with equal numbers, such as 0, which all have at first, cannot be told apart. O(1).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_set_incarnation(book: *mut Book, incarnation: u32) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        with_book!(book, |book| book.set_incarnation(incarnation));
        Ok(())
    })
}
