//! Memory of a schedule: which of the queued jobs are planned, and from when on.

use super::WaitingJob;
use crate::{
    book::Book,
    ring::Ring,
    time::{Slot, Window},
};

/// Memory for one planned job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct PlannedJob {
    /// Its planned start; the end of time while it is lifted.
    pub(super) start: Slot,
    pub(super) job: WaitingJob,
    /// 1 + the element of the next planned job, or of the next unused one; 0 for none.
    pub(super) next: u32,
}

impl PlannedJob {
    /// No job.
    pub const NONE: Self = Self {
        start: Slot::new(0),
        job: WaitingJob::NONE,
        next: 0,
    };

    /// Returns when it is planned; an empty window while it is lifted.
    pub(super) fn window(&self) -> Window {
        let start = self.start;
        let end = start.saturating_add(self.job.estimate);
        Window { start, end }
    }

    /// Returns whether it is planned in one of the slots of a window.
    pub(super) fn is_during(&self, window: Window) -> bool {
        let own = self.window();
        own.start < window.end && window.start < own.end
    }

    pub(super) const fn pes(&self) -> u32 {
        self.job.pes.count().get()
    }
}

/// The scalars of a schedule. All zero is an empty schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct ScheduleState {
    /// The revision of the book that the schedule takes into account.
    pub(super) seen: u64,
    /// The slot in which time alone lets one more job be planned; the end of time for none.
    pub(super) alarm: Slot,
    /// The slot in which a job starts or can be planned, if nothing else happens, as of the last time when all were started that could be.
    pub(super) wake: Slot,
    /// 1 + a slot that time is leaving, so that nothing starts in it any more, or 0.
    pub(super) leaving: u64,
    /// 1 + the element of the first planned job, or 0.
    pub(super) first: u32,
    /// 1 + an element that was used, or 0.
    vacant: u32,
    /// Elements from here on have never been used.
    fresh: u32,
    /// How many jobs are planned.
    pub(super) len: u32,
    /// 0 until it is known what was booked; then 1 + a slot from which on nothing was.
    pub(super) known: u64,
}

/// Owns a schedule of up to `JOBS` queued jobs, but for its ring.
///
/// ```
/// use bookahead::{JobSchedule, raw::schedule_bytes};
/// assert_eq!(JobSchedule::<16>::BYTES, schedule_bytes(16));
/// ```
///
/// See [`PlannedQueue`](crate::PlannedQueue) for its use.
#[derive(Clone, Debug, PartialEq)]
pub struct JobSchedule<const JOBS: usize> {
    state: ScheduleState,
    jobs: [PlannedJob; JOBS],
}

impl<const JOBS: usize> JobSchedule<JOBS> {
    /// The memory it takes; see [`schedule_bytes`].
    pub const BYTES: usize = size_of::<Self>();

    /// Creates an empty schedule. All of it is zero, so that a `static` of it occupies no space in a program image.
    #[must_use]
    pub const fn new() -> Self {
        const {
            assert!(JOBS < u32::MAX as usize, "at most 2^32 - 2 jobs");
        }
        Self {
            state: ScheduleState {
                seen: 0,
                alarm: Slot::new(0),
                wake: Slot::new(0),
                leaving: 0,
                first: 0,
                vacant: 0,
                fresh: 0,
                len: 0,
                known: 0,
            },
            jobs: [PlannedJob::NONE; JOBS],
        }
    }

    /// Returns the schedule over the ring of a second book; see [`ScheduleParts::over`]. O(1).
    pub fn over<'s, R: Ring>(&'s mut self, second: Book<'s, R>) -> Schedule<'s, R> {
        ScheduleParts {
            state: &mut self.state,
            jobs: &mut self.jobs,
        }
        .over(second)
    }
}

impl<const JOBS: usize> Default for JobSchedule<JOBS> {
    fn default() -> Self {
        Self::new()
    }
}

/// The arrays of a schedule, for memory that is not a [`JobSchedule`].
///
/// ```
/// use bookahead::{CountBook, PeCount, Span, raw::{PlannedJob, ScheduleParts, ScheduleState}};
/// let mut second = CountBook::<1, 4, 100>::new(PeCount::new(4), Span::new(48)).unwrap();
/// let (mut state, mut jobs) = (ScheduleState::default(), vec![PlannedJob::NONE; 100]);
/// let schedule = ScheduleParts { state: &mut state, jobs: &mut jobs }.over(second.view());
/// assert_eq!(schedule.capacity(), 100);
/// ```
pub struct ScheduleParts<'s> {
    /// The scalars.
    pub state: &'s mut ScheduleState,
    /// One element for each job that may be planned.
    pub jobs: &'s mut [PlannedJob],
}

impl<'s> ScheduleParts<'s> {
    /// Returns the schedule over the ring of a second book: an empty one of the same kind and size as the book that the queue serves, on the same machine, with
    /// a reservation for each job that may be planned. The schedule is its only user. O(1).
    #[must_use]
    pub fn over<R: Ring>(self, second: Book<'s, R>) -> Schedule<'s, R> {
        let most = self.jobs.len().min(second.capacity());
        Schedule {
            ring: second.ring,
            seen: second.ledger.starts,
            state: self.state,
            jobs: self.jobs.get_mut(..most).unwrap_or_default(),
        }
    }
}

/// Which of the queued jobs are planned, and from when on: a ring of what is booked and planned, and the planned jobs. It is a view of memory that a
/// [`JobSchedule`](crate::JobSchedule) and a second book own.
///
/// Invariants: the planned jobs are the first of the queue; without them, the ring is that of the book as it was seen.
pub struct Schedule<'s, R> {
    pub(super) ring: R,
    /// How many were booked in each slot when the book was last looked at. The second book needs its lists of starts for nothing else.
    pub(super) seen: &'s mut [u32],
    pub(super) state: &'s mut ScheduleState,
    pub(super) jobs: &'s mut [PlannedJob],
}

impl<R: Ring> Schedule<'_, R> {
    /// Returns how many jobs may be planned. O(1).
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.jobs.len()
    }

    /// Returns the planned job behind a link.
    pub(super) fn job(&self, link: u32) -> Option<(usize, PlannedJob)> {
        let index = link.checked_sub(1)? as usize;
        Some((index, self.jobs.get(index).copied()?))
    }

    /// Returns the planned jobs, each with its element, in the order of the queue. At most as many as there are elements, whatever the memory holds.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, PlannedJob)> {
        let mut link = self.state.first;
        let next = move || {
            let found = self.job(link)?;
            link = found.1.next;
            Some(found)
        };
        core::iter::from_fn(next).take(self.jobs.len())
    }

    /// Returns the first planned job, from a link on in the order of the queue, that is wanted. O(jobs).
    ///
    /// Mostly a job's element lies behind that of the job before it. Such elements are gone through as a slice: the processor need not wait for one to know where
    /// the next lies, as it would have to from link to link.
    pub(super) fn find_from(
        &self,
        mut link: u32,
        mut wanted: impl FnMut(usize, &PlannedJob) -> bool,
    ) -> Option<(usize, PlannedJob)> {
        let mut left = self.jobs.len();
        while let Some(first) = link.checked_sub(1) {
            let elements = self.jobs.get(first as usize..).unwrap_or_default();
            let run = elements.iter().take(left);
            let mut visited = 0_usize;
            for (index, planned) in (first as usize..).zip(run) {
                if wanted(index, planned) {
                    return Some((index, *planned));
                }
                visited = visited.saturating_add(1);
                link = planned.next;
                if link as usize != index.saturating_add(2) {
                    break;
                }
            }
            if visited == 0 {
                break;
            }
            left = left.saturating_sub(visited);
        }
        None
    }

    /// Returns the link to the job that follows `before`, or to the first one.
    pub(super) fn link_behind(&mut self, before: Option<usize>) -> &mut u32 {
        let before = before.and_then(|before| self.jobs.get_mut(before));
        before.map_or(&mut self.state.first, |job| &mut job.next)
    }

    /// Returns an unused element.
    pub(super) fn unused(&self) -> Option<usize> {
        let fresh = self.state.fresh as usize;
        let vacant = self.state.vacant.checked_sub(1);
        vacant.map_or_else(
            || (fresh < self.jobs.len()).then_some(fresh),
            |vacant| Some(vacant as usize),
        )
    }

    /// Plans a job from `start` on in an element that [`unused`](Self::unused) has found, behind the job in element `before`.
    pub(super) fn insert(
        &mut self,
        index: usize,
        before: Option<usize>,
        (start, job): (Slot, WaitingJob),
    ) {
        if self.state.vacant > 0 {
            self.state.vacant = self.job(self.state.vacant).map_or(0, |(_, job)| job.next);
        } else {
            self.state.fresh = self.state.fresh.saturating_add(1);
        }
        let next = *self.link_behind(before);
        if let Some(element) = self.jobs.get_mut(index) {
            *element = PlannedJob { start, job, next };
        }
        *self.link_behind(before) = (index as u32).saturating_add(1);
        self.state.len = self.state.len.saturating_add(1);
    }

    /// Removes the planned job in element `index`, which follows the one in element `before`.
    pub(super) fn remove(&mut self, index: usize, before: Option<usize>) {
        self.ring.forget(index);
        let vacant = self.state.vacant;
        let element = self.jobs.get_mut(index);
        let gone = element.map(|element| {
            core::mem::replace(
                element,
                PlannedJob {
                    next: vacant,
                    ..PlannedJob::NONE
                },
            )
        });
        *self.link_behind(before) = gone.map_or(0, |gone| gone.next);
        self.state.vacant = (index as u32).saturating_add(1);
        self.state.len = self.state.len.saturating_sub(1);
    }
}

/// Returns the bytes of a [`JobSchedule`] for `jobs` jobs: 24 for each, and 56 for the state. Its ring is that of a second book.
///
/// ```
/// assert_eq!(bookahead::raw::schedule_bytes(10), 296);
/// ```
#[must_use]
pub const fn schedule_bytes(jobs: usize) -> usize {
    let bytes = jobs.saturating_mul(size_of::<PlannedJob>());
    bytes.saturating_add(size_of::<ScheduleState>())
}
