//! What is learnt of how long the jobs of each user run.

use std::collections::HashMap;

use bookahead::{Handle, History, RunTimeLaw, Span};

use crate::saved::{Saved, saves};

/// What a site learns from its jobs about how long others will run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learnt {
    /// Which share of their bookings they use.
    UsedShares,
    /// How long they run, whatever they book, as `xiao` proposes: service times of this many seconds fill a bin.
    ServiceTimes(u32),
}

/// Counters of service times.
const SERVICE_TIMES: usize = 200;

/// Counters of used shares: one for each percent, and one for what used more.
const SHARES: usize = 101;

/// What is known of the run times of each user's jobs.
pub(super) struct Users {
    /// The bins of service times, where these are learnt.
    bin: Option<Span>,
    /// Where the counters of a user are.
    places: HashMap<Option<u64>, usize>,
    /// How often jobs ran for each percent of what they had booked, or for so many bins.
    runs: Vec<Vec<u32>>,
    /// Whose jobs are booked.
    owners: HashMap<Handle, usize>,
}

impl Saved for Users {
    saves!(places runs owners);
}

impl Users {
    pub(super) fn new(learnt: Learnt, slot_seconds: u32) -> Self {
        Self {
            bin: match learnt {
                Learnt::UsedShares => None,
                Learnt::ServiceTimes(seconds) => {
                    Some(Span::new(seconds.div_ceil(slot_seconds).max(1)))
                }
            },
            places: HashMap::new(),
            runs: Vec::new(),
            owners: HashMap::new(),
        }
    }

    /// A job has been booked for a user.
    pub(super) fn own(&mut self, handle: Handle, user: Option<u64>) {
        let place = self.place(user);
        self.owners.insert(handle, place);
    }

    /// A job is over, and took so long where that is known.
    pub(super) fn learn(&mut self, handle: Handle, booked: Span, ran: Option<Span>) {
        let owner = self.owners.remove(&handle);
        let runs = owner.and_then(|place| self.runs.get_mut(place));
        let history = runs.and_then(|runs| history(self.bin, runs));
        if let (Some(mut history), Some(ran)) = (history, ran) {
            history.record(booked, ran);
        }
    }

    fn place(&mut self, user: Option<u64>) -> usize {
        let (runs, counters) = (&mut self.runs, self.bin.map_or(SHARES, |_| SERVICE_TIMES));
        *self.places.entry(user).or_insert_with(|| {
            runs.push(vec![0; counters]);
            runs.len() - 1
        })
    }

    /// The laws of all jobs that are booked, and of one that `user` asks for.
    pub(super) fn laws(&mut self, user: Option<u64>) -> Laws<'_> {
        let own = self.place(user);
        let runs = self.runs.iter_mut();
        Laws {
            own,
            histories: runs.filter_map(|runs| history(self.bin, runs)).collect(),
            owners: &self.owners,
        }
    }
}

/// A histogram of run times for each user.
pub(super) struct Laws<'a> {
    own: usize,
    histories: Vec<History<'a>>,
    owners: &'a HashMap<Handle, usize>,
}

impl Laws<'_> {
    pub(super) fn newcomer(&self) -> RunTimeLaw<'_> {
        RunTimeLaw::Empirical(&self.histories[self.own])
    }

    pub(super) fn of(&self, handle: Handle) -> RunTimeLaw<'_> {
        RunTimeLaw::Empirical(&self.histories[self.owners[&handle]])
    }
}

fn history(bin: Option<Span>, runs: &mut [u32]) -> Option<History<'_>> {
    match bin {
        Some(bin) => History::of_service_times(bin, runs),
        None => History::of_used_shares(runs),
    }
}
