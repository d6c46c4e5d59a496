//! What whole slots make of requests stated in seconds.
//!
//! A start is rounded up to a slot edge, a deadline down and a length up, so that a reservation never takes less time than was asked for
//! and never leaves its window. A request whose window is hardly longer than its run can fit in seconds and not in slots: the longer the
//! slots, the more requests are lost, whatever the policy.
//!
//! Of a request that leaves its length open, both bounds round up, so that what is granted is a whole number of slots, at least as long as the
//! shortest length, and no slot longer than the longest needs.

use bookahead::{Error, PeCount, Refusal, Request, SlotClock, Span};

use super::Reason;
use crate::request::JobRequest;

/// The request in slots, for its longest length; what cannot be said in them is refused with the reason that the kernel would give.
pub(super) fn in_slots(clock: SlotClock, request: &JobRequest) -> Result<Request, Error> {
    of_length(clock, request, request.duration)
}

/// Its shortest length in slots, where it leaves that open.
pub(super) fn shortest(clock: SlotClock, request: &JobRequest) -> Option<Span> {
    clock.span_rounding_up(request.shortest?)
}

fn of_length(clock: SlotClock, request: &JobRequest, duration: u64) -> Result<Request, Error> {
    let pes = u16::try_from(request.pes).map_err(|_| Refusal::TooWide)?;
    // Within one slot, rounding would hide it.
    if request.ready < request.arrival {
        return Err(Refusal::ReadyInPast.into());
    }
    let ready = clock.slot_rounding_up(request.ready);
    let duration = clock.span_rounding_up(duration);
    let deadline = clock.slot_rounding_down(request.deadline);
    Ok(Request {
        ready: ready.ok_or(Refusal::ReadyInPast)?,
        duration: duration.ok_or(Refusal::TooLong)?,
        deadline: deadline.ok_or(Refusal::WindowTooShort)?,
        pes: PeCount::new(pes.into()),
    })
}

/// The reason for refusing `request`, given the kernel's, which sees nothing but slots.
pub(super) fn reason(clock: SlotClock, request: &JobRequest, kernel: Error) -> Reason {
    // An elastic query that no offer answers in full is refused for want of room, also where slots leave its run no room at all.
    let for_its_window = [Refusal::WindowTooShort, Refusal::NoRoom].map(Error::from);
    if for_its_window.contains(&kernel) && is_lost(clock, request) {
        Reason::LostToRounding
    } else {
        Reason::Kernel(kernel)
    }
}

/// Whether a request fits its window in seconds, but not in whole slots.
fn is_lost(clock: SlotClock, request: &JobRequest) -> bool {
    let least = request.least_duration();
    let end = request.ready.checked_add(least);
    let fits = end.is_some_and(|end| end <= request.deadline);
    let in_slots = of_length(clock, request, least);
    fits && in_slots.is_ok_and(|request| request.latest_start().is_none())
}

/// How many requests are lost to rounding in slots of so many seconds.
#[must_use]
pub fn lost(requests: &[&JobRequest], slot_seconds: u32) -> usize {
    let Some(clock) = SlotClock::new(slot_seconds, 0) else {
        return 0;
    };
    let lost = requests.iter().filter(|request| is_lost(clock, request));
    lost.count()
}

/// Whether so many of `requests` are lost that refusals say much about slots and little about policies: a hundredth of them or more.
#[must_use]
pub fn distorts(lost: usize, requests: usize) -> bool {
    lost > 0 && lost.saturating_mul(100) >= requests
}

/// The longest slot of fewer seconds than `slot_seconds`, and a whole part of an hour, in which less than a hundredth of the requests is
/// lost. Slots of one second lose nothing.
#[must_use]
pub fn longest_slot(requests: &[&JobRequest], slot_seconds: u32) -> u32 {
    let shorter = (1..slot_seconds.min(HOUR + 1)).rev();
    let mut parts_of_an_hour = shorter.filter(|seconds| HOUR.is_multiple_of(*seconds));
    let fine = |seconds: &u32| !distorts(lost(requests, *seconds), requests.len());
    parts_of_an_hour.find(fine).unwrap_or(1)
}

const HOUR: u32 = 3600;
