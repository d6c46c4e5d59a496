//! Running jobs of a queue that make room for a reservation.

use core::cmp::Reverse;

use super::{Book, Booking, Commitment, Plan};
use crate::{
    best_effort::Preemption,
    error::{Error, Refusal, UsageError},
    fit::{self, Job},
    handle::Handle,
    ledger::{Row, mark},
    policy::Policy,
    request::Request,
    ring::{Ring, Width},
    time::{Slot, Window},
};

/// Who is cut first: the least work lost, then the latest accepted.
type Rank = (u64, Reverse<u64>);

impl<R: Ring> Book<'_, R> {
    /// Lets a running job of a [`Queue`](crate::Queue) be preempted on these terms, by [`Queue::reserve_preempting`](crate::Queue::reserve_preempting). Jobs are not
    /// otherwise, and one that is queued again has to be marked again when it starts: the kernel keeps the terms in the row of the running job, so that a queue takes no more
    /// memory for them. O(1).
    ///
    /// See [`Queue::reserve_preempting`](crate::Queue::reserve_preempting) for an example.
    ///
    /// # Errors
    ///
    /// [`UsageError::UnknownHandle`], [`UsageError::StaleHandle`]; [`UsageError::WrongState`] for a reservation that is not a running job of a queue.
    pub fn make_preemptible(&mut self, handle: Handle, terms: Preemption) -> Result<(), Error> {
        let (index, row) = self.ledger.find(handle)?;
        if !row.is_of_queue() {
            return Err(UsageError::WrongState.into());
        }
        self.ledger.set_preemption(index, &terms);
        self.ledger.changed();
        self.self_check();
        Ok(())
    }

    /// Returns how many jobs are cut. O(rows).
    pub(crate) fn cut_jobs(&self) -> usize {
        self.ledger.rows.iter().filter(|row| row.is_cut()).count()
    }

    /// Reserves, for the class that asks, as [`reserve_asked`](Self::reserve_asked); if there is no room, cuts jobs, of which at most `places` were not cut before. Returns
    /// whether any is. O(jobs x (jobs + jobs x estimate x columns + a first fit)).
    pub(crate) fn reserve_cutting(
        &mut self,
        request: &Request,
        policy: Policy,
        commitment: Commitment,
        places: usize,
    ) -> Result<(Booking, bool), Error> {
        match self.reserve_asked(request, policy, commitment) {
            Err(reason) if reason == Refusal::NoRoom.into() => (),
            booked => return booked.map(|booking| (booking, false)),
        }
        let job = Job::admit(self.ring.axis(), request)?;
        let offset = self.first_by_cutting(&job).ok_or(Refusal::NoRoom)?;
        let start = self.ring.axis().slot(offset);
        let there = Job {
            ready: offset,
            latest: offset,
            ..job
        };
        self.lift_fewest(&there, start);
        let again = self
            .ledger
            .rows
            .iter()
            .filter(|row| is_lifted(*row) && !row.is_cut() && row.is_cut_by(start));
        if again.count() > places {
            self.put_all_back(start);
            return Err(Refusal::QueueFull.into());
        }
        let now = self.now();
        while let Some((index, _)) = self.next_lifted(None) {
            self.mark_lifted(index, false);
            self.ledger.cut(index, start, now);
        }
        let plan = Plan::new(*request, start, self.version()).ok_or(UsageError::StalePlan)?;
        let handle = self.commit_asked(&plan, commitment)?;
        Ok((Booking { handle, start }, true))
    }

    /// Grows jobs that are cut as far as there is room for them, the earliest accepted first, and returns whether any is still cut. O(rows + jobs x an
    /// [`extension`](Self::extension)).
    pub(crate) fn grow_back(&mut self) -> bool {
        let (now, mut next, mut grown, mut left) =
            (self.now(), self.ledger.state.running, false, false);
        for _ in 0..self.capacity() {
            let index = next.wrapping_sub(1) as usize;
            let Some(row) = self.ledger.rows.get(index).copied() else {
                break;
            };
            next = row.next;
            if !row.is_cut() {
                continue;
            }
            let (end, whole) = (row.end(), row.start().saturating_add(row.requested));
            let room = self.extension(row.handle(index)).unwrap_or(end).min(whole);
            if room > end {
                let offsets = self.ring.axis().covered(Window {
                    start: end,
                    end: room,
                });
                self.ring.restore(index, offsets, row.pes.get());
                self.ledger.cut(index, room, now);
                grown = true;
            }
            left |= room < whole;
        }
        if grown {
            self.ledger.changed();
            self.self_check();
        }
        left
    }

    /// Returns the first start at which there is room once all are cut who may be.
    fn first_by_cutting(&mut self, job: &Job) -> Option<usize> {
        let mut from = job.ready;
        // Each round looks at the starts up to that at which one more may be cut.
        loop {
            let axis = self.ring.axis();
            let at = axis.slot(from);
            let ripe = self.ledger.rows.iter().filter_map(ripe_at);
            let next = ripe.filter(|ripe| *ripe > at).min();
            let next = next.and_then(|next| axis.offset(next));
            let last = next.map_or(job.latest, |next| next.saturating_sub(1).min(job.latest));
            while let Some((index, _)) = self.next_victim(at) {
                self.lift(index, at);
            }
            let some = Job {
                ready: from,
                latest: last,
                ..*job
            };
            let found = fit::earliest(&mut self.ring, &some);
            self.put_all_back(at);
            if found.is_some() || last >= job.latest {
                return found;
            }
            from = last.saturating_add(1);
        }
    }

    /// Lifts, from `at` on, jobs without any of which there is no room for `job` there: one after the other until there is, and then puts those back that it does
    /// not need, the last one first.
    fn lift_fewest(&mut self, job: &Job, at: Slot) {
        let mut last = None;
        while fit::earliest(&mut self.ring, job).is_none() {
            let Some((index, rank)) = self.next_victim(at) else {
                return;
            };
            self.lift(index, at);
            last = Some((at, rank));
        }
        while let Some((index, rank)) = self.next_lifted(last) {
            self.put_back(index, at);
            if fit::earliest(&mut self.ring, job).is_none() {
                self.lift(index, at);
            }
            last = Some((at, rank));
        }
    }

    /// Returns the first job that may be cut at `at` and is not lifted.
    fn next_victim(&self, at: Slot) -> Option<(usize, Rank)> {
        let rows = self.ledger.rows.iter().enumerate();
        let victims = rows.filter(|(_, row)| {
            ripe_at(row).is_some_and(|ripe| ripe <= at) && row.end() > at && !is_lifted(row)
        });
        let ranked = victims.map(|(index, row)| (index, rank(row, at)));
        ranked.min_by_key(|(_, rank)| *rank)
    }

    /// Returns the last job that is lifted, of those that come before one of this rank at `at`, if any is given.
    fn next_lifted(&self, before: Option<(Slot, Rank)>) -> Option<(usize, Rank)> {
        let at = before.map_or(self.now(), |(at, _)| at);
        let rows = self.ledger.rows.iter().enumerate();
        let lifted = rows.filter(|(_, row)| is_lifted(row));
        let ranked = lifted.map(|(index, row)| (index, rank(row, at)));
        let ranked = ranked.filter(|(_, rank)| before.is_none_or(|(_, before)| *rank < before));
        ranked.max_by_key(|(_, rank)| *rank)
    }

    fn lift(&mut self, index: usize, at: Slot) {
        let (offsets, pes) = self.rest_of(index, at);
        self.ring.release(index, offsets, pes);
        self.mark_lifted(index, true);
    }

    fn put_back(&mut self, index: usize, at: Slot) {
        let (offsets, pes) = self.rest_of(index, at);
        self.ring.restore(index, offsets, pes);
        self.mark_lifted(index, false);
    }

    fn put_all_back(&mut self, at: Slot) {
        while let Some((index, _)) = self.next_lifted(None) {
            self.put_back(index, at);
        }
    }

    /// Returns the slots that a job has from `at` on, and its number of processing elements.
    fn rest_of(&self, index: usize, at: Slot) -> (core::ops::Range<usize>, u32) {
        let row = self.ledger.rows.get(index).copied().unwrap_or_default();
        let rest = Window {
            start: at,
            end: row.end(),
        };
        (self.ring.axis().covered(rest), row.pes.get())
    }

    fn mark_lifted(&mut self, index: usize, lifted: bool) {
        if let Some(row) = self.ledger.rows.get_mut(index) {
            row.marks = row.marks & !mark::LIFTED | if lifted { mark::LIFTED } else { 0 };
        }
    }
}

const fn is_lifted<N: Width>(row: &Row<N>) -> bool {
    row.is_live() && row.is_marked(mark::LIFTED)
}

/// Returns from when on a row may be cut: never, where its owner has announced its end.
fn ripe_at<N: Width>(row: &Row<N>) -> Option<Slot> {
    let terms = row.preemption()?;
    let ends = row.is_marked(mark::ENDING) && !row.is_cut();
    (!ends).then(|| row.start().saturating_add(terms.min_run))
}

/// Returns the rank of a job that is cut at `at`.
fn rank<N: Width>(row: &Row<N>, at: Slot) -> Rank {
    let keeps = row.preemption().is_some_and(|terms| terms.keeps);
    let done = at.since(row.start()).unwrap_or_default();
    let lost = u64::from(done.get()).saturating_mul(row.pes.get().into());
    (if keeps { 0 } else { lost }, Reverse(row.accepted))
}
