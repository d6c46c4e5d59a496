//! Algorithms 1 and 2 as they are printed, with an ordered map for the time-slots.
//!
//! Where the paper leaves something open: jobs with equal keys are in order of acceptance; the time flexibility is computed once, before
//! anything is rescheduled; `schedule` tries the earliest start; the jobs that nobody may move (they run, or their start is fixed)
//! are in neither queue and take their room first.

use std::collections::BTreeMap;

/// A job j.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its number in order of acceptance.
    pub number: u64,
    /// T^r, the minimum starting time.
    pub ready: u64,
    /// D.
    pub deadline: u64,
    /// T^e.
    pub duration: u64,
    /// R.
    pub pes: u32,
    /// Whether it has a deadline only, and is no advance reservation.
    pub deadline_only: bool,
    /// T^s, determined by the scheduler; of a new job, its ready time.
    pub start: u64,
}

impl Job {
    /// Delta, the time flexibility at the current time (section 3.1).
    #[must_use]
    pub fn time_flexibility(&self, now: u64) -> u64 {
        let planned = if self.deadline_only {
            now
        } else {
            self.start.max(now)
        };
        (self.deadline - planned).saturating_sub(self.duration)
    }

    fn end(&self) -> u64 {
        self.start + self.duration
    }
}

/// What is done when a job cannot be scheduled any more because the new one comes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// After `fixqueue` the jobs from the new place on are scheduled again.
    Retry,
    /// After `fixqueue` only options are left, as algorithm 1 is printed.
    Printed,
}

/// Where the later options begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// At D_i, as printed.
    Deadline,
    /// Where job i ends.
    End,
}

/// The queues of a provider, and the time-slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provider {
    /// m.
    pub pes: u32,
    /// CT.
    pub now: u64,
    /// The first slot in which a waiting job may start.
    pub earliest: u64,
    /// The slot behind the last one.
    pub end: u64,
    /// The jobs that nobody may move.
    fixed: Vec<Job>,
    /// Q_w.
    waiting: Vec<Job>,
    /// From each time on, how many are busy.
    busy: BTreeMap<u64, u32>,
}

impl Provider {
    /// A provider without jobs.
    #[must_use]
    pub fn new(pes: u32, now: u64, end: u64) -> Self {
        Self {
            pes,
            now,
            earliest: now,
            end,
            fixed: Vec::new(),
            waiting: Vec::new(),
            busy: BTreeMap::from([(0, 0)]),
        }
    }

    /// Adds an accepted job, which stands at its start.
    pub fn accept(&mut self, job: Job, may_be_moved: bool) {
        self.occupy(&job);
        let queue = if may_be_moved {
            &mut self.waiting
        } else {
            &mut self.fixed
        };
        queue.push(job);
    }

    /// Q_w, with the starts.
    #[must_use]
    pub fn waiting(&self) -> &[Job] {
        &self.waiting
    }

    /// Algorithm 1 for a new job, with the sorting criterion `key`. Refused, it says how many jobs stand before the new one at last.
    ///
    /// # Errors
    ///
    /// How many waiting jobs, in order, stand before it.
    pub fn algorithm_1(
        &mut self,
        new: Job,
        key: impl Fn(&Job) -> u64,
        reading: Reading,
    ) -> Result<u64, usize> {
        // Q_w <- Q_w + j_k, sorted; k <- its index.
        let before = self.waiting.clone();
        self.waiting.push(new);
        self.waiting
            .sort_by_cached_key(|job| (key(job), job.number));
        let mut k = self.index_of(new.number);
        loop {
            let Err(i) = self.schedule_from(k, new.number) else {
                return Ok(self.waiting[self.index_of(new.number)].start);
            };
            if i != k {
                self.fixqueue(i, k);
            }
            if i == k || reading == Reading::Printed {
                self.waiting = before;
                return Err(i);
            }
            k = i;
        }
    }

    fn index_of(&self, number: u64) -> usize {
        let is_it = |job: &Job| job.number == number;
        self.waiting.iter().position(is_it).expect("it waits")
    }

    /// Schedules all jobs from index `k` on, or puts them back and says which one cannot be. The new one stands nowhere before.
    fn schedule_from(&mut self, k: usize, new: u64) -> Result<(), usize> {
        let original: Vec<Job> = self.waiting[k..].to_vec();
        for job in original.iter().filter(|job| job.number != new) {
            self.vacate(job);
        }
        for i in k..self.waiting.len() {
            let job = self.waiting[i];
            let from = if job.number == new {
                job.ready
            } else {
                job.ready.max(self.earliest)
            };
            if let Some(start) = self.schedule(&job, from.max(self.now)) {
                self.waiting[i].start = start;
                let placed = self.waiting[i];
                self.occupy(&placed);
                continue;
            }
            let placed = self.waiting[k..i].to_vec();
            placed.iter().for_each(|job| self.vacate(job));
            self.waiting[k..].copy_from_slice(&original);
            for job in original.iter().filter(|job| job.number != new) {
                self.occupy(job);
            }
            return Err(i);
        }
        Ok(())
    }

    /// Moves the new job, which is at `k`, behind the job at `i`; all others stand where they were.
    fn fixqueue(&mut self, i: usize, k: usize) {
        self.waiting[k..=i].rotate_left(1);
    }

    /// The first available time-slot in [from, D - T^e].
    fn schedule(&self, job: &Job, from: u64) -> Option<u64> {
        let latest = job.deadline.checked_sub(job.duration)?;
        let most = self.pes.checked_sub(job.pes)?;
        let mut start = from;
        while start <= latest {
            // The last record in the way, behind which the search goes on.
            let end = start + job.duration;
            let before = self.busy.range(..=start).next_back();
            let inside = self.busy.range(start + 1..end);
            let mut blocked = None;
            let mut records = before.into_iter().chain(inside).peekable();
            while let Some((_, busy)) = records.next() {
                if *busy > most {
                    blocked = Some(records.peek().map_or(end, |(at, _)| **at));
                }
            }
            let Some(behind) = blocked else {
                return Some(start);
            };
            // The next record from there on with enough room.
            let next = self.busy.range(behind..).find(|(_, busy)| **busy <= most);
            let free_already = self.level(behind) <= most;
            start = if free_already { behind } else { *next?.0 };
        }
        None
    }

    /// How many are busy in a slot.
    fn level(&self, slot: u64) -> u32 {
        let record = self.busy.range(..=slot).next_back();
        *record.expect("the map begins at 0").1
    }

    fn occupy(&mut self, job: &Job) {
        self.split(job.start);
        self.split(job.end());
        for (_, busy) in self.busy.range_mut(job.start..job.end()) {
            *busy += job.pes;
        }
        self.join(job.start);
        self.join(job.end());
    }

    fn vacate(&mut self, job: &Job) {
        self.split(job.start);
        self.split(job.end());
        for (_, busy) in self.busy.range_mut(job.start..job.end()) {
            *busy -= job.pes;
        }
        self.join(job.start);
        self.join(job.end());
    }

    /// Makes sure that a record begins at `at`.
    fn split(&mut self, at: u64) {
        let level = self.level(at);
        self.busy.entry(at).or_insert(level);
    }

    /// Removes the record of `at` if it says what the one before says.
    fn join(&mut self, at: u64) {
        let before = self.busy.range(..at).next_back();
        if before.is_some_and(|(_, before)| self.busy.get(&at) == Some(before)) {
            self.busy.remove(&at);
        }
    }

    /// The options of a new job that was refused with `before` waiting jobs before it: how many slots later its window would be, by
    /// increasing distance, an earlier one first.
    #[must_use]
    pub fn options(
        &self,
        new: &Job,
        before: usize,
        key: impl Fn(&Job) -> u64,
        behind: Behind,
    ) -> Vec<i64> {
        let mut queue = self.waiting.clone();
        queue.sort_by_cached_key(|job| (key(job), job.number));
        let mut options: Vec<i64> = self
            .fixed
            .iter()
            .chain(&queue[..before])
            .filter(|job| job.start < new.deadline && new.ready < job.end())
            .flat_map(|job| {
                let length = new.deadline - new.ready;
                let later = match behind {
                    Behind::Deadline => job.deadline,
                    Behind::End => job.end(),
                };
                [
                    job.start as i64 - length as i64 - new.ready as i64,
                    later as i64 - new.ready as i64,
                ]
            })
            .filter(|shift| {
                let ready = new.ready as i64 + shift;
                ready >= self.earliest.max(self.now) as i64
                    && new.deadline as i64 + shift <= self.end as i64
            })
            .collect();
        options.sort_unstable_by_key(|shift| (shift.abs(), *shift));
        options.dedup();
        options
    }

    /// Algorithm 2: those of the options that generate a possible scheduling, each with the start. Nothing is changed.
    #[must_use]
    pub fn algorithm_2(
        &self,
        new: &Job,
        options: &[i64],
        key: impl Fn(&Job) -> u64,
        reading: Reading,
    ) -> Vec<(i64, u64)> {
        let possible = options.iter().filter_map(|shift| {
            let ready = new.ready.saturating_add_signed(*shift);
            let moved = Job {
                ready,
                deadline: new.deadline.saturating_add_signed(*shift),
                start: ready,
                ..*new
            };
            let start = self.clone().algorithm_1(moved, &key, reading).ok()?;
            Some((*shift, start))
        });
        possible.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Behind, Job, Provider, Reading};

    fn job(number: u64, ready: u64, deadline: u64, duration: u64, pes: u32) -> Job {
        Job {
            number,
            ready,
            deadline,
            duration,
            pes,
            deadline_only: false,
            start: ready,
        }
    }

    fn starts(provider: &Provider) -> Vec<(u64, u64)> {
        let jobs = provider.waiting().iter();
        let mut starts: Vec<_> = jobs.map(|job| (job.number, job.start)).collect();
        starts.sort_unstable();
        starts
    }

    /// Claim 2.17.
    #[test]
    fn time_flexibility() {
        let reservation = Job {
            start: 8,
            ..job(0, 5, 30, 6, 1)
        };
        assert_eq!(reservation.time_flexibility(3), 16, "from its start");
        assert_eq!(reservation.time_flexibility(10), 14, "from now");
        let deadline_only = Job {
            deadline_only: true,
            ..reservation
        };
        assert_eq!(deadline_only.time_flexibility(3), 21, "from now");
    }

    /// Claim 2.15: the new job goes before a waiting one, which is scheduled after it.
    #[test]
    fn a_waiting_job_gives_way() {
        let mut provider = Provider::new(4, 0, 100);
        provider.accept(job(0, 0, 20, 5, 3), true);
        let by_deadline = |job: &Job| job.deadline;
        let new = job(1, 0, 6, 5, 2);
        assert_eq!(
            provider.algorithm_1(new, by_deadline, Reading::Printed),
            Ok(0)
        );
        assert_eq!(starts(&provider), [(0, 5), (1, 0)]);
    }

    /// Claim 2.15: a job that cannot be scheduled any more is put back before the new one, and so are all between.
    #[test]
    fn the_queue_is_fixed() {
        let mut provider = Provider::new(4, 0, 100);
        // Sorted by size: the new job comes first and takes the room of both.
        provider.accept(job(0, 0, 5, 5, 3), true);
        provider.accept(
            Job {
                start: 0,
                ..job(1, 0, 20, 5, 1)
            },
            true,
        );
        let before = provider.clone();
        let by_size = |job: &Job| u64::MAX - job.duration * u64::from(job.pes);
        let new = job(2, 0, 12, 6, 4);
        // As printed, that is the end of it; job 0 stands before the new one then.
        let refused = provider.algorithm_1(new, by_size, Reading::Printed);
        assert_eq!(refused, Err(1));
        assert_eq!(provider, before, "nothing has changed");
        // Once more from its new place, it fits after job 0, and job 1 after it.
        let accepted = provider.algorithm_1(new, by_size, Reading::Retry);
        assert_eq!(accepted, Ok(5));
        assert_eq!(starts(&provider), [(0, 0), (1, 0), (2, 5)]);
    }

    /// Claims 2.16 and 2.19: before the start of a job in the way and behind its deadline, by increasing distance.
    #[test]
    fn options_before_and_behind() {
        let mut provider = Provider::new(4, 0, 100);
        provider.accept(
            Job {
                start: 10,
                ..job(0, 8, 40, 6, 3)
            },
            false,
        );
        let by_deadline = |job: &Job| job.deadline;
        let new = job(1, 9, 15, 4, 2);
        let refused = provider.algorithm_1(new, by_deadline, Reading::Retry);
        assert_eq!(refused, Err(0));
        let printed = provider.options(&new, 0, by_deadline, Behind::Deadline);
        assert_eq!(printed, [-5, 31], "from 4 on, and from 40 on");
        let by_end = provider.options(&new, 0, by_deadline, Behind::End);
        assert_eq!(by_end, [-5, 7], "from 16 on");
        let found = provider.algorithm_2(&new, &by_end, by_deadline, Reading::Retry);
        assert_eq!(found, [(-5, 4), (7, 16)]);
    }

    /// Claim 2.18: a job is scheduled between its ready time and its deadline, none before the current time.
    #[test]
    fn intervals() {
        let mut provider = Provider::new(1, 10, 100);
        let by_deadline = |job: &Job| job.deadline;
        let ahead = job(0, 5, 30, 4, 1);
        assert_eq!(
            provider.algorithm_1(ahead, by_deadline, Reading::Retry),
            Ok(10)
        );
        let behind = job(1, 12, 18, 4, 1);
        assert_eq!(
            provider.algorithm_1(behind, by_deadline, Reading::Retry),
            Ok(12)
        );
        assert_eq!(starts(&provider), [(0, 16), (1, 12)]);
        let late = job(2, 12, 18, 4, 1);
        assert_eq!(
            provider.algorithm_1(late, by_deadline, Reading::Retry),
            Err(1)
        );
    }
}
