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
    let slack = end.and_then(|end| request.deadline.checked_sub(end));
    // Start and length are rounded up by less than a slot each, to an edge, and a deadline behind an edge is not rounded to one before it.
    let near = slack.is_some_and(|slack| slack < 2 * u64::from(clock.slot_seconds()));
    near && is_too_long(of_length(clock, request, least))
}

/// Whether what can be said in slots does not fit between its ready time and its deadline.
fn is_too_long(in_slots: Result<Request, Error>) -> bool {
    in_slots.is_ok_and(|request| request.latest_start().is_none())
}

/// Whether so many of `requests` are lost that refusals say much about slots and little about policies: a hundredth of them or more.
#[must_use]
pub fn distorts(lost: usize, requests: usize) -> bool {
    lost > 0 && lost.saturating_mul(100) >= requests
}

/// How many requests are lost to rounding in slots of several lengths, counted as they are seen.
#[derive(Clone, Debug)]
pub struct Losses {
    requests: usize,
    /// The lengths from the longest on, with what each loses.
    slots: Vec<(SlotClock, usize)>,
}

impl Losses {
    /// In slots of so many seconds, the longest first.
    #[must_use]
    pub fn of(slots: impl IntoIterator<Item = u32>) -> Self {
        let slots = slots.into_iter();
        let clocks = slots.filter_map(|seconds| SlotClock::new(seconds, 0));
        Self {
            requests: 0,
            slots: clocks.map(|clock| (clock, 0)).collect(),
        }
    }

    /// In slots of fewer seconds than `slot_seconds` that are whole parts of an hour.
    #[must_use]
    pub fn below(slot_seconds: u32) -> Self {
        let shorter = (1..slot_seconds.min(HOUR + 1)).rev();
        Self::of(shorter.filter(|seconds| HOUR.is_multiple_of(*seconds)))
    }

    /// One more request.
    pub fn add(&mut self, request: &JobRequest) {
        self.requests += 1;
        for (clock, lost) in &mut self.slots {
            *lost += usize::from(is_lost(*clock, request));
        }
    }

    /// How many requests were seen.
    #[must_use]
    pub fn requests(&self) -> usize {
        self.requests
    }

    /// How many requests each length of slots loses, in order.
    pub fn each(&self) -> impl Iterator<Item = usize> {
        self.slots.iter().map(|(_, lost)| *lost)
    }

    /// The longest of the slots in which less than a hundredth of the requests is lost, and how many that are. Slots of one second lose nothing.
    #[must_use]
    pub fn longest(&self) -> (u32, usize) {
        let fine = |(_, lost): &&(SlotClock, usize)| !distorts(*lost, self.requests);
        let longest = self.slots.iter().find(fine);
        longest.map_or((1, 0), |(clock, lost)| (clock.slot_seconds(), *lost))
    }
}

const HOUR: u32 = 3600;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        /// However much room there is.
        #[test]
        fn a_request_is_lost_that_fits_in_seconds_and_not_in_slots(
            (ready, duration, thousandths) in (0_u64..50_000, 1_u64..50_000, -500_i64..4_000),
            slot_seconds in 1_u32..1_200,
        ) {
            let clock = SlotClock::new(slot_seconds, 0).unwrap();
            let slack = thousandths * i64::from(slot_seconds) / 1_000;
            let deadline = (ready + duration).saturating_add_signed(slack);
            let request = JobRequest { ready, duration, deadline, pes: 1, run: duration, ..JobRequest::default() };
            let fits = ready + duration <= deadline;
            prop_assert_eq!(is_lost(clock, &request), fits && is_too_long(of_length(clock, &request, duration)));
        }
    }
}
