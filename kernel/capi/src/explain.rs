//! Why a request is refused.

use bookahead as kernel;
use heapless::Vec;
use kernel::{Book as KernelBook, raw::Ring};

use crate::{
    Book, Conflict, Request,
    code::{Failure, answer},
    pointer::{List, Out, read},
    with::{Asked, asked, with_book},
};

/// The most obstacles that one call lists.
pub const BOOKAHEAD_MOST_OBSTACLES: usize = 64;

/// In an explanation: there is no such slot.
pub const BOOKAHEAD_NEVER: u64 = u64::MAX;

/// Lists no longer than this are made with less stack.
const FEW: usize = 8;

// The header says what a list takes.
const _: () = assert!(size_of::<kernel::Obstacle>() == 96);

/// A start at which a request does not fit, and what is in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Obstacle {
    /// The start.
    pub start: u64,
    /// The first slot in the way: by then too few are free, counted from the start on.
    pub at: u64,
    /// Who holds PEs in that slot.
    pub holders: Conflict,
    /// How many PEs are lacking throughout the run.
    pub lacking: u32,
}

/// What else could be done about a request. A slot is `BOOKAHEAD_NEVER` where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Explanation {
    /// The earliest start at which it fits after all.
    pub fits: u64,
    /// The latest start before its ready time, from `now` on, at which the same would fit.
    pub earlier: u64,
    /// The earliest start too late for its deadline, within the horizon, at which the same would fit.
    pub later: u64,
    /// How many obstacles there are beside those in the list.
    pub more: u32,
}

impl From<&kernel::Obstacle> for Obstacle {
    fn from(obstacle: &kernel::Obstacle) -> Self {
        Self {
            start: obstacle.start.get(),
            at: obstacle.at.get(),
            holders: (&obstacle.holders).into(),
            lacking: obstacle.lacking.get(),
        }
    }
}

/// Answers why a request has no room: lists an obstacle for each start that was looked at (`bookahead_candidate_starts`), the earliest first, `count`
/// of them, and gives the nearest starts outside its window that would do. For a request that fits, the obstacles before its earliest start. The book
/// stays as it is, scratch memory aside.
///
/// At most `capacity` obstacles are listed, and never more than `BOOKAHEAD_MOST_OBSTACLES`; `explanation` says how many were left out. The list is
/// made on the stack, 96 bytes for each of 8 obstacles, or of `BOOKAHEAD_MOST_OBSTACLES` for a `capacity` above 8.
/// O(candidates x (duration x columns + covering) + horizon x columns).
///
/// Answers as `bookahead_reserve`, as far as the request itself is to blame. That there is no room is no error here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_explain(
    book: *mut Book,
    request: *const Request,
    obstacles: *mut Obstacle,
    capacity: usize,
    count: *mut usize,
    explanation: *mut Explanation,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (count, explanation) = (Out::new(count)?, Out::new(explanation)?);
        let obstacles = List::new(obstacles, capacity)?;
        let request = read(request)?.to_kernel();
        let (length, explained) = with_book!(book, |book, class| {
            if capacity <= FEW {
                list::<_, FEW>(&mut book, (class, &request), &obstacles)?
            } else {
                list::<_, BOOKAHEAD_MOST_OBSTACLES>(&mut book, (class, &request), &obstacles)?
            }
        });
        count.set(length);
        explanation.set(explained);
        Ok(())
    })
}

/// Lists up to `N` obstacles, and says how many and what else could be done.
///
/// # Safety
///
/// As [`List::fill`].
// Not inlined, so that only the call that wants a long list takes the stack for one.
#[inline(never)]
unsafe fn list<R: Ring, const N: usize>(
    book: &mut KernelBook<'_, R>,
    (class, request): (Asked, &kernel::Request),
    obstacles: &List<Obstacle>,
) -> Result<(usize, Explanation), Failure> {
    let mut found = Vec::<kernel::Obstacle, N>::new();
    let explained = book.explain(asked!(class, request), &mut found)?;
    // SAFETY: passed on.
    let length = unsafe { obstacles.fill(found.iter(), 0) };
    // What is in the kernel's list and not in the caller's is left out too.
    let left_out = found.len().saturating_sub(length) as u32;
    let or_never = |slot: Option<kernel::Slot>| slot.map_or(BOOKAHEAD_NEVER, kernel::Slot::get);
    let explanation = Explanation {
        fits: or_never(explained.fits),
        earlier: or_never(explained.earlier),
        later: or_never(explained.later),
        more: explained.more.saturating_add(left_out),
    };
    Ok((length, explanation))
}
