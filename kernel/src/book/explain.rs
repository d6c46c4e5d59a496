//! Explains why a request is refused.

use core::ops::Range;

use heapless::VecView;

use super::{Ask, Book, Conflict, asking};
use crate::{
    error::Error,
    fit::{self, Candidates, Job},
    pe::PeCount,
    request::Request,
    ring::{Count, CountScan, GrowingView, GrowingWindow, Ring, SlidingWindow},
    time::{Slot, Span, Window},
};

/// A start at which a request does not fit, and the reservations and rules in its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Obstacle {
    /// The start examined.
    pub start: Slot,
    /// How many more processing elements would have to be free throughout the run.
    pub lacking: PeCount,
    /// The slot at which the run fails: the first by which too few processing elements are free throughout the slots
    /// since the start.
    pub at: Slot,
    /// The reservations that hold processing elements in that slot, and the rules that take some there; of a class, those that hold some that the class may have.
    pub holders: Conflict,
}

/// The alternatives for a request; see [`Book::explain`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Explanation {
    /// The earliest start at which the request fits after all.
    pub fits: Option<Slot>,
    /// How many obstacles did not fit into the list.
    pub more: u32,
    /// The latest start before its ready time, from `now` on, at which the same run would fit.
    pub earlier: Option<Slot>,
    /// The earliest start that is too late for its deadline but within the horizon, at which the same run would fit.
    pub later: Option<Slot>,
}

impl<R: Ring> Book<'_, R> {
    /// Explains why `request` is refused for lack of capacity. `obstacles`, which is cleared first, receives one entry
    /// for each [candidate start](Self::candidate_starts), the earliest first, as many as it holds; the result has the nearest
    /// starts outside the request's window at which the run would fit. For a request that fits, the obstacles are those
    /// before its earliest start. Free rows of the ledger are not considered: a request
    /// refused for [`TableFull`](crate::Refusal::TableFull) is explained as if there were one. Changes nothing; takes `&mut self` for scratch memory only.
    ///
    /// O(candidates x (duration x columns + covering) + horizon x columns).
    ///
    /// ```
    /// use bookahead::Obstacle;
    /// # use bookahead::{Commitment, CountBook, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(8), pes: PeCount::new(3),
    /// # };
    /// let first = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// assert!(book.reserve(&request, Policy::FirstFit, Commitment::Confirmed).is_err());
    ///
    /// let mut obstacles = heapless::Vec::<Obstacle, 4>::new();
    /// let explanation = book.explain(&request, &mut obstacles)?;
    /// assert_eq!(obstacles[0].lacking, PeCount::new(2)); // One is free, three are wanted,
    /// assert_eq!(obstacles[0].holders.handles(), [first.handle]); // because of this one,
    /// assert_eq!(explanation.later, Some(Slot::new(8))); // but soon after there would be room.
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`plan`](Self::plan), as far as the request itself is the cause.
    pub fn explain<'q>(
        &mut self,
        request: impl Ask<'q, R, Request>,
        obstacles: &mut VecView<Obstacle>,
    ) -> Result<Explanation, Error> {
        obstacles.clear();
        asking!(self.ring, request, |request| self
            .explain_asked(request, obstacles))
    }

    /// As [`explain`](Self::explain), for the class that asks, with an empty list.
    fn explain_asked(
        &mut self,
        request: &Request,
        obstacles: &mut VecView<Obstacle>,
    ) -> Result<Explanation, Error> {
        let job = Job::admit(self.ring.axis(), request)?;
        self.ring.admit(self.ring.asked(), job.pes)?;
        let fits = fit::earliest(&mut self.ring, &job);
        let mut explanation = Explanation {
            fits: fits.map(|offset| self.ring.axis().slot(offset)),
            earlier: self.latest_before(&job),
            later: self.earliest_behind(&job),
            more: 0,
        };
        let mut candidates = Candidates::new(&job);
        while let Some(offset) = candidates.next(self.ring.profile(), &job) {
            if fits.is_some_and(|fits| fits <= offset) {
                break;
            }
            if obstacles.is_full() {
                explanation.more = explanation.more.saturating_add(1);
            } else if let Some(obstacle) = self.obstacle(&job, offset) {
                // Cannot fail: the list is not full.
                let _ = obstacles.push(obstacle);
            }
        }
        Ok(explanation)
    }

    fn obstacle(&mut self, job: &Job, offset: usize) -> Option<Obstacle> {
        // However many of a class that asks for groups or for a block.
        self.ring.want(0);
        let mut view = self.ring.sliding_window(job.duration, job.duration);
        let busy = view.sliding.slide_to(offset);
        drop(view);
        let axis = *self.ring.axis();
        let free = axis.width().saturating_sub(busy);
        let lacking = job.pes.saturating_sub(free);
        let at = axis.slot(self.first_in_the_way(job, offset)?);
        let mut holders = Conflict::NONE;
        let slot = Window {
            start: at,
            end: at.saturating_add(Span::new(1)),
        };
        for (index, row) in self.covering_rows(slot) {
            if self.ring.concerns(index) {
                holders.add(row.handle(index));
            }
        }
        #[cfg(feature = "outages")]
        holders.add_rules(self.ring.rules_during(axis.covered(slot), None));
        Some(Obstacle {
            start: axis.slot(offset),
            lacking: PeCount::new(lacking),
            at,
            holders,
        })
    }

    /// Returns the first slot of the run at `offset` by which too few processing elements are free since its start.
    fn first_in_the_way(&mut self, job: &Job, offset: usize) -> Option<usize> {
        self.ring.want(job.pes);
        let GrowingView { mut growing, .. } = self.ring.growing_window();
        let mut run = job.window(offset);
        growing.begin(offset);
        if growing.busy() > job.max_busy {
            return run.next();
        }
        run.find(|slot| !growing.extend(*slot, job.max_busy))
    }

    /// Returns the latest start before the job's ready time at which it fits.
    fn latest_before(&mut self, job: &Job) -> Option<Slot> {
        let slots = self.ring.axis().slots();
        let last = job
            .ready
            .min(slots.saturating_sub(job.duration).saturating_add(1));
        let latest = if R::Scan::BULK {
            self.latest_by_counts(job, last)
        } else {
            self.latest_of(job, 0..last)
        };
        latest.map(|start| self.ring.axis().slot(start))
    }

    /// Returns the latest of `starts` at which the job fits. O(starts x columns).
    fn latest_of(&mut self, job: &Job, starts: Range<usize>) -> Option<usize> {
        let reach = starts.len().saturating_add(job.duration);
        let reach = reach.min(self.ring.axis().slots());
        self.ring.want(job.pes);
        let mut view = self.ring.sliding_window(reach, job.duration);
        let mut latest = None;
        for start in starts {
            if view.sliding.slide_to(start) <= job.max_busy {
                latest = Some(start);
            }
        }
        latest
    }

    /// As [`Self::latest_of`] all starts before `last`, where counts tell where windows may lie: from stretch to stretch with few enough
    /// busy, the latest first. O(log slots) for each, and where sets decide O(stretch x columns) for those that are long enough.
    fn latest_by_counts(&mut self, job: &Job, last: usize) -> Option<usize> {
        let mut end = last.checked_sub(1)?.saturating_add(job.duration);
        loop {
            let (axis, counts) = (self.ring.axis(), self.ring.counts());
            let most = Count::of(job.max_busy);
            let last = counts.last_within(axis, 0..end, most)?;
            let behind = last.saturating_add(1);
            let full = counts.last_above::<R::Scan>(axis, 0..behind, most);
            end = full.map_or(0, |full| full.saturating_add(1));
            if let Some(latest) = behind.checked_sub(job.duration)
                && latest >= end
            {
                if R::COUNTS_DECIDE {
                    return Some(latest);
                }
                let found = self
                    .latest_of(job, latest..latest.saturating_add(1))
                    .or_else(|| self.latest_of(job, end..latest));
                if found.is_some() {
                    return found;
                }
            }
        }
    }

    /// Returns the earliest start after the job's latest one at which it fits.
    fn earliest_behind(&mut self, job: &Job) -> Option<Slot> {
        let last = self.ring.axis().slots().checked_sub(job.duration)?;
        let behind = Job {
            ready: job.latest.saturating_add(1),
            latest: last,
            ..*job
        };
        let start = fit::earliest(&mut self.ring, &behind)?;
        Some(self.ring.axis().slot(start))
    }
}
