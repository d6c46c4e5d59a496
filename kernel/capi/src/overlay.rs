//! Reservations on top of others that will probably end early. Only in libraries built with `--features risk`.

use bookahead as kernel;
use heapless::Vec;
use kernel::{
    Exponential, Guarantee as Promise, History, PeCount, Probability, Run, RunTimeLaw, Span,
    raw::OverlayParts,
};

use crate::{
    Book, Code, Commitment, Handle, Plan, Request,
    arrays::Arrays,
    code::{Failure, answer},
    kind::Parts,
    memory::sizes,
    pointer::{List, Out, read},
};

/// What counts as keeping the promise made to an overlay. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Guarantee {
    /// It has its PEs from its start until it finishes or its time is over.
    Access = 0,
    /// In addition it finishes by its booked end.
    Completion = 1,
}

/// A law of run times: an exponential one, or what has been observed.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Law {
    /// A histogram of run times, at least two counters, all 0 at first; null for an exponential law. See `bookahead_record`.
    pub counters: *mut u32,
    /// How many counters there are.
    pub length: usize,
    /// Exponential: so many slots are taken by `jobs` jobs on average.
    pub slots: u64,
    /// As above, at least 1.
    pub jobs: u32,
    /// Of a histogram, the slots of a bin; 0 where the bins are equal shares of what was booked.
    pub bin: u32,
}

/// What is demanded of an overlay. Probabilities are numbers of steps of 2^-31, at most 2^31.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Overlaying {
    /// The law of the newcomer's run time.
    pub own: Law,
    /// The law of those that may end early, each by itself. One with the histogram of `own` is read as that is.
    pub others: Law,
    /// One of `bookahead_guarantee`.
    pub guarantee: u32,
    /// The least probability with which the promise has to be kept.
    pub threshold: u32,
}

/// Where an overlay would go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct OverlayPlan {
    /// As of an ordinary plan.
    pub plan: Plan,
    /// How many PEs wait for others to end early.
    pub overlaid: u32,
    /// How probably the promise is kept, rounded down, in steps of 2^-31.
    pub probability: u32,
}

/// The most reservations booked in a slot, of those that may end early, for which `bookahead_plan_overlay` has room.
pub const BOOKAHEAD_MOST_PREDECESSORS: usize = 32;

impl Law {
    /// The histogram, if it is one.
    ///
    /// # Safety
    ///
    /// By the contract of the crate; nobody else uses the counters meanwhile.
    unsafe fn history<'a>(self) -> Result<Option<History<'a>>, Failure> {
        if self.counters.is_null() {
            return Ok(None);
        }
        Out::new(self.counters)?;
        let bytes = self.length.checked_mul(size_of::<u32>());
        if bytes.is_none_or(|bytes| isize::try_from(bytes).is_err()) {
            return Err(Code::SizeOutOfRange.into());
        }
        // SAFETY: not null, aligned, no longer than memory can be, and writable by this function's contract.
        let counters = unsafe { core::slice::from_raw_parts_mut(self.counters, self.length) };
        let history = if self.bin == 0 {
            History::of_used_shares(counters)
        } else {
            History::of_service_times(Span::new(self.bin), counters)
        };
        Ok(Some(history.ok_or(Code::SizeOutOfRange)?))
    }

    /// The law, given its histogram.
    fn law<'a>(self, history: Option<&'a History<'a>>) -> Result<RunTimeLaw<'a>, Failure> {
        match history {
            Some(history) => Ok(RunTimeLaw::Empirical(history)),
            None => {
                let law = Exponential::new(self.jobs, self.slots);
                Ok(RunTimeLaw::Exponential(law.ok_or(Code::SizeOutOfRange)?))
            }
        }
    }
}

fn probability(steps: u32) -> Result<Probability, Failure> {
    Ok(Probability::rounding_down(steps, 1 << 31).ok_or(Code::SizeOutOfRange)?)
}

/// Opens the book behind a pointer of C's, which has to have a layer for overlays.
macro_rules! with_overlays {
    ($pointer:expr, |$book:ident| $action:expr) => {{
        let pointer = $pointer;
        let sizes = sizes(pointer)?;
        if !OverlayParts::is(sizes) {
            return Err(Code::NoOverlays.into());
        }
        #[allow(unused_mut)]
        let mut $book = OverlayParts::of(sizes, Arrays::behind(pointer)).view();
        crate::with::lend!($book, pointer, sizes);
        $action
    }};
}

/// Notes in a histogram that a job which had booked `booked` slots ran for `ran`. O(counters).
///
/// Answers NULL_POINTER for an exponential law, SIZE_OUT_OF_RANGE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_record(law: *const Law, booked: u32, ran: u32) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let mut history = read(law)?.history()?.ok_or(Code::NullPointer)?;
        history.record(Span::new(booked), Span::new(ran));
        Ok(())
    })
}

/// Works out at which start `request` would most probably be kept on top of what is booked, and takes no room; to be called after `bookahead_plan` has
/// answered NO_ROOM. `table` is scratch memory with an element for each PE that others may have to leave; as many as the machine has always suffice.
///
/// O(candidates x (running + longest booked duration + duration + predecessors x (PEs + counters))).
///
/// Answers NO_OVERLAYS for a book of another binding, SIZE_OUT_OF_RANGE for a law, guarantee or probability that is none; as `bookahead_plan` but for
/// NO_ROOM; SCRATCH_TOO_SHORT, also for more than `BOOKAHEAD_MOST_PREDECESSORS`; TOO_RISKY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_plan_overlay(
    book: *mut Book,
    request: *const Request,
    overlaying: *const Overlaying,
    table: *mut u32,
    length: usize,
    plan: *mut OverlayPlan,
) -> u32 {
    // SAFETY: by the contract of the crate. A `Probability` is a `u32`, for which any bits will do in scratch memory.
    answer(|| unsafe {
        let (plan, table) = (Out::new(plan)?, List::new(table, length)?);
        let (request, overlaying) = (read(request)?.to_kernel(), read(overlaying)?);
        let own = overlaying.own.history()?;
        // Nobody else may use a histogram while it is borrowed, and there is nothing against one for both.
        let shared = overlaying.others.counters == overlaying.own.counters;
        let apart = if shared {
            None
        } else {
            overlaying.others.history()?
        };
        let others = if shared { own.as_ref() } else { apart.as_ref() };
        let others = overlaying.others.law(others)?;
        let overlaying = kernel::Overlaying {
            guarantee: match overlaying.guarantee {
                0 => Promise::Access,
                1 => Promise::Completion,
                _ => return Err(Code::SizeOutOfRange.into()),
            },
            threshold: probability(overlaying.threshold)?,
            law: overlaying.own.law(own.as_ref())?,
        };
        let table = if length == 0 {
            &mut []
        } else {
            core::slice::from_raw_parts_mut(table.as_mut_ptr().cast::<Probability>(), length)
        };
        let mut predecessors = Vec::<Run<'_>, BOOKAHEAD_MOST_PREDECESSORS>::new();
        let found = with_overlays!(book, |book| book.plan_overlay(
            &request,
            &overlaying,
            |_, _| others,
            &mut predecessors,
            table
        )?);
        plan.set(OverlayPlan {
            plan: found.plan().into(),
            overlaid: found.overlaid().get(),
            probability: found.probability().get().to_bits(),
        });
        Ok(())
    })
}

/// Makes the reservation of such a plan, as `commitment` says, see there. Those that it waits for, and itself, are neither moved nor altered from then
/// on. O(duration + log rows).
///
/// `bookahead_advance` tells of LATE_START, CUT_SHORT and OVERLAY_BOOKED.
///
/// Answers as `bookahead_commitment` says; SIZE_OUT_OF_RANGE, NO_OVERLAYS; FLEXIBLE_OVERLAY for a flexible one; STALE_PLAN as `bookahead_commit`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_commit_overlay(
    book: *mut Book,
    plan: *const OverlayPlan,
    commitment: *const Commitment,
    handle: *mut Handle,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (handle, plan) = (Out::new(handle)?, read(plan)?);
        let commitment = Commitment::read(commitment)?.to_kernel()?;
        let overlaid = u16::try_from(plan.overlaid).map_err(|_| Code::StalePlan)?;
        let probability = probability(plan.probability)?;
        let plan = plan.plan.to_kernel()?;
        let plan = kernel::OverlayPlan::new(plan, PeCount::new(overlaid.into()), probability);
        handle.set(with_overlays!(book, |book| book.commit_overlay(&plan, commitment)?));
        Ok(())
    })
}

/// Gives how many PEs of a reservation are overlaid: they wait for others to end early. 0 for an ordinary booking. O(1).
///
/// Answers NO_OVERLAYS, UNKNOWN_HANDLE, STALE_HANDLE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_overlaid(book: *mut Book, handle: Handle, pes: *mut u32) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let pes = Out::new(pes)?;
        let overlaid = with_overlays!(book, |book| book.overlaid(handle.into())?);
        pes.set(overlaid.get());
        Ok(())
    })
}

/// Lists the running reservations that an overlay waits for when its start comes, in order of start; see `bookahead_pes_of` for lists. O(running).
///
/// Answers NO_OVERLAYS, UNKNOWN_HANDLE, STALE_HANDLE; WRONG_STATE for any but a confirmed overlay that has not started.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_waits_for(
    book: *mut Book,
    handle: Handle,
    skip: usize,
    handles: *mut Handle,
    capacity: usize,
    count: *mut usize,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (handles, count) = (List::new(handles, capacity)?, Out::new(count)?);
        count.set(with_overlays!(book, |book| handles
            .fill(book.waits_for(handle.into())?, skip)));
        Ok(())
    })
}
