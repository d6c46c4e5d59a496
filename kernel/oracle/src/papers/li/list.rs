//! The structure of `li`, section 4, taken literally and as fast as that allows: the baseline of every measured comparison.
//!
//! `AvailRectList` is an ordered map from the time of a change to the set of PEs busy from there on; `TimeSet` is the ordered set
//! of these times. As in the paper's account of the costs, times are found by searching `TimeSet`, and then the record of
//! each is looked up. (Walking the records themselves, of which the paper speaks in passing, takes half as long, with the
//! same answers.) A search forms all candidate starts, all their maximal rectangles, and only then asks the policy.
//! Where the paper's rectangles are open to the right, these end at the horizon, so that answers are those of a ring.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::Excluded;

use bookahead::{Policy, Request, Slot, Window};

use super::{
    Bits,
    search::{self, choose},
};

/// `AvailRectList` and `TimeSet`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaperList {
    pes: u16,
    all: Bits,
    /// From each time on, the PEs that are busy; neighbours differ, and the first is not empty.
    records: BTreeMap<u64, Bits>,
    times: BTreeSet<u64>,
}

/// What `TimeSet` promises.
const SYNC: &str = "each time has its record";

/// What a search returns: `{ts, IDs of the PEs}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// The start.
    pub start: Slot,
    /// The PEs.
    pub pes: Bits,
}

/// `{ts, Tbegin, Tend, PEfree}`.
struct Rectangle {
    start: u64,
    begin: u64,
    end: u64,
    free: Bits,
}

impl search::Rectangle for Rectangle {
    fn free(&self) -> u64 {
        self.free.len().into()
    }

    fn length(&self) -> u64 {
        self.end - self.begin
    }
}

impl PaperList {
    /// An empty list for a machine of `pes` PEs.
    #[must_use]
    pub fn new(pes: u16) -> Self {
        Self {
            pes,
            all: Bits::full(pes),
            records: BTreeMap::new(),
            times: BTreeSet::new(),
        }
    }

    /// The records: from each time on, the PEs that are busy.
    pub fn records(&self) -> impl Iterator<Item = (Slot, &Bits)> {
        self.records
            .iter()
            .map(|(time, busy)| (Slot::new(*time), busy))
    }

    /// Algorithm 1: `pes` are busy during `window`.
    pub fn add_allocation(&mut self, window: Window, pes: &Bits) {
        let (start, end) = (window.start.get(), window.end.get());
        self.split(start);
        self.split(end);
        for time in self.times.range(start..end) {
            self.records.get_mut(time).expect(SYNC).add(pes);
        }
        self.clean(start);
        self.clean(end);
    }

    /// Algorithm 2: `pes` are free again during `window`.
    pub fn delete_allocation(&mut self, window: Window, pes: &Bits) {
        let (start, end) = (window.start.get(), window.end.get());
        self.split(start);
        self.split(end);
        for time in self.times.range(start..end) {
            self.records.get_mut(time).expect(SYNC).subtract(pes);
        }
        self.clean(start);
        self.clean(end);
    }

    /// Makes sure that there is a record at `time`.
    fn split(&mut self, time: u64) {
        if self.times.insert(time) {
            let before = self.records.range(..time).next_back();
            let busy = before.map_or_else(|| Bits::empty(self.pes), |(_, busy)| busy.clone());
            self.records.insert(time, busy);
        }
    }

    /// Removes the record at `time` if it says the same as the one before it, or, being the first, nothing.
    fn clean(&mut self, time: u64) {
        let here = &self.records[&time];
        let redundant = match self.records.range(..time).next_back() {
            Some((_, before)) => before == here,
            None => here.is_empty(),
        };
        if redundant {
            self.records.remove(&time);
            self.times.remove(&time);
        }
    }

    /// Algorithm 3, for a request that makes sense, within `ring`: from now to the horizon.
    #[must_use]
    pub fn find_allocation(
        &self,
        ring: Window,
        request: &Request,
        policy: Policy,
    ) -> Option<Allocation> {
        if self.records.is_empty() {
            return Some(Allocation {
                start: request.ready,
                pes: self.all.lowest(request.pes.get() as u16),
            });
        }
        let rectangles: Vec<Rectangle> = self
            .candidates(request)
            .into_iter()
            .filter_map(|start| self.rectangle(ring, start, request))
            .collect();
        let chosen = choose(policy, &rectangles)?; // 11
        Some(Allocation {
            start: Slot::new(chosen.start),
            pes: chosen.free.lowest(request.pes.get() as u16),
        })
    }

    /// Line 5, as [`search::candidate_starts`] and without its tree, which this is not to be charged for.
    fn candidates(&self, request: &Request) -> Vec<u64> {
        let (ready, deadline) = (request.ready.get(), request.deadline.get());
        let duration = u64::from(request.duration.get());
        let latest = deadline - duration;
        let mut starts = vec![ready, latest];
        for time in self.times.range(ready..=deadline) {
            let both = [Some(*time), time.checked_sub(duration)];
            let inside = |start: &u64| (ready..=latest).contains(start);
            starts.extend(both.into_iter().flatten().filter(inside));
        }
        starts.sort_unstable();
        starts.dedup();
        starts
    }

    /// Line 7: the maximal rectangle of the run from `start`; `None` when it has too few PEs.
    fn rectangle(&self, ring: Window, start: u64, request: &Request) -> Option<Rectangle> {
        let run_end = start + u64::from(request.duration.get());
        let mut free = self.all.clone();
        if let Some(time) = self.times.range(..=start).next_back() {
            free.subtract(&self.records[time]);
        }
        for time in self.times.range((Excluded(start), Excluded(run_end))) {
            free.subtract(&self.records[time]);
        }
        if free.len() < request.pes.get() {
            return None;
        }
        Some(Rectangle {
            start,
            begin: self.begin(start, &free).max(ring.start.get()),
            end: self.end(run_end, &free).min(ring.end.get()),
            free,
        })
    }

    /// The earliest time from which on `free` is free up to `start`.
    fn begin(&self, start: u64, free: &Bits) -> u64 {
        let mut begin = start;
        for time in self.times.range(..=start).rev() {
            if self.records[time].meets(free) {
                return begin;
            }
            begin = *time;
        }
        0
    }

    /// The first time behind the run at which a PE of `free` is busy.
    fn end(&self, run_end: u64, free: &Bits) -> u64 {
        for time in self.times.range(run_end..) {
            if self.records[time].meets(free) {
                return *time;
            }
        }
        u64::MAX
    }
}
