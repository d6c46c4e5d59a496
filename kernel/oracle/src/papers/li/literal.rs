//! The paper's data structure, taken literally and slowly, to count what it does.
//!
//! A list of records in order of time, searched from its head; a sorted set of their times; sets of processing elements touched one
//! member at a time. Wall clocks would differ from run to run, counts do not.
//!
//! Source: `li`, sections 4.1 and 4.2, algorithms 1 to 3.

use std::collections::BTreeSet;

use super::search::candidate_starts;

/// A time and what is busy from it on.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Record {
    at: u64,
    busy: BTreeSet<u32>,
}

/// AvailRectList with its TimeSet, and a counter of elementary operations.
#[derive(Clone, Debug)]
pub struct LiteralList {
    pes: u32,
    records: Vec<Record>,
    operations: u64,
}

/// What a search was made of, for the formula of its cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Search {
    /// Feasible starts (p).
    pub feasible: u64,
    /// Free processing elements (u) times records looked at (v), summed over the feasible starts.
    pub areas: u64,
    /// Free processing elements of the chosen rectangle.
    pub free: u64,
}

impl LiteralList {
    /// An empty list for a machine of `pes` processing elements.
    pub const fn new(pes: u32) -> Self {
        Self {
            pes,
            records: Vec::new(),
            operations: 0,
        }
    }

    /// How many records there are (n).
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The records from `from` up to `to` (n').
    pub fn between(&self, from: u64, to: u64) -> usize {
        let inside = |record: &&Record| (from..to).contains(&record.at);
        self.records.iter().filter(inside).count()
    }

    /// What was done since the last call.
    pub fn counted(&mut self) -> u64 {
        std::mem::take(&mut self.operations)
    }

    /// Algorithm 1.
    pub fn add(&mut self, from: u64, to: u64, pes: &BTreeSet<u32>) {
        self.update(
            from,
            to,
            |busy, pe| {
                busy.insert(pe);
            },
            pes,
        );
    }

    /// Algorithm 2.
    pub fn delete(&mut self, from: u64, to: u64, pes: &BTreeSet<u32>) {
        self.update(
            from,
            to,
            |busy, pe| {
                busy.remove(&pe);
            },
            pes,
        );
    }

    /// Each record of the interval: its time in the set, its place in the list from the head, then its members one by one.
    fn update(
        &mut self,
        from: u64,
        to: u64,
        change: fn(&mut BTreeSet<u32>, u32),
        pes: &BTreeSet<u32>,
    ) {
        self.split(from);
        self.split(to);
        let mut time = from;
        while let Some(at) = self.next_time(time).filter(|at| *at < to) {
            let place = self.walk_to(at);
            for &pe in pes {
                self.operations += 1;
                change(&mut self.records[place].busy, pe);
            }
            time = at + 1;
        }
        self.clean(to);
        self.clean(from);
    }

    /// The first time in the set that is not before `time`.
    fn next_time(&mut self, time: u64) -> Option<u64> {
        let (mut low, mut high) = (0, self.records.len());
        while low < high {
            self.operations += 1;
            let middle = low.midpoint(high);
            if self.records[middle].at < time {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        self.records.get(low).map(|record| record.at)
    }

    /// The place of a time that is in the list.
    fn walk_to(&mut self, at: u64) -> usize {
        let place = self
            .records
            .iter()
            .take_while(|record| record.at < at)
            .count();
        self.operations += place as u64 + 1;
        place
    }

    /// Makes sure that a record begins at `at`.
    fn split(&mut self, at: u64) {
        let place = self.records.partition_point(|record| record.at < at);
        if self.records.get(place).is_none_or(|record| record.at != at) {
            let before = place
                .checked_sub(1)
                .map(|place| self.records[place].busy.clone());
            let busy = before.unwrap_or_default();
            self.operations += 1;
            self.records.insert(place, Record { at, busy });
        }
    }

    /// Takes the record of `at` away when it says nothing new.
    fn clean(&mut self, at: u64) {
        let place = self.records.partition_point(|record| record.at < at);
        self.operations += 1;
        let redundant = match (place.checked_sub(1), self.records.get(place)) {
            (_, None) => false,
            (None, Some(record)) => record.busy.is_empty(),
            (Some(before), Some(record)) => self.records[before].busy == record.busy,
        };
        if redundant {
            self.records.remove(place);
        }
    }

    /// Algorithm 3 up to the choice of a start; takes `wanted` processing elements from the largest rectangle.
    pub fn find(&mut self, ready: u64, duration: u64, deadline: u64, wanted: u64) -> Search {
        let mut search = Search::default();
        self.operations += 1;
        if self.is_empty() {
            return search;
        }
        // The list as an array. It is in order already; sorting would look at each record at least once.
        self.operations += self.records.len() as u64;
        for start in self.starts(ready, duration, deadline) {
            let (free, looked_at) = self.free_rectangle(start, start + duration, wanted);
            if free < wanted {
                continue;
            }
            search.feasible += 1;
            search.areas += free * looked_at;
            search.free = search.free.max(free);
            // Into the queue.
            self.operations += 1;
        }
        if search.feasible > 0 {
            self.operations += wanted * u64::from(search.free.max(1).ilog2().max(1));
        }
        search
    }

    fn starts(&self, ready: u64, duration: u64, deadline: u64) -> BTreeSet<u64> {
        let times = self.records.iter().map(|record| record.at);
        candidate_starts(times, ready, duration, deadline)
    }

    /// The members of the rectangle around a window, and how many records had to be looked at.
    fn free_rectangle(&mut self, start: u64, end: u64, wanted: u64) -> (u64, u64) {
        let first = self
            .records
            .partition_point(|record| record.at <= start)
            .saturating_sub(1);
        let behind = self.records.partition_point(|record| record.at < end);
        let mut free: BTreeSet<u32> = (0..self.pes).collect();
        for record in &self.records[first..behind] {
            for pe in &record.busy {
                self.operations += 1;
                free.remove(pe);
            }
        }
        let mut looked_at = (behind - first) as u64;
        if free.len() as u64 >= wanted {
            looked_at += self.stretch(&free, first, behind);
        }
        (free.len() as u64, looked_at)
    }

    /// Looks at neighbours on both sides until one is in the way; says at how many.
    fn stretch(&mut self, free: &BTreeSet<u32>, first: usize, behind: usize) -> u64 {
        let mut looked_at = 0;
        let left: Vec<usize> = (0..first).rev().collect();
        let right: Vec<usize> = (behind..self.records.len()).collect();
        for side in [left, right] {
            for place in side {
                looked_at += 1;
                let mut clear = true;
                for pe in free {
                    self.operations += 1;
                    if self.records[place].busy.contains(pe) {
                        clear = false;
                        break;
                    }
                }
                if !clear {
                    break;
                }
            }
        }
        looked_at
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::LiteralList;

    fn set(members: &[u32]) -> BTreeSet<u32> {
        members.iter().copied().collect()
    }

    fn records(list: &LiteralList) -> Vec<(u64, usize)> {
        list.records
            .iter()
            .map(|record| (record.at, record.busy.len()))
            .collect()
    }

    #[test]
    fn the_list_goes_through_the_example_of_the_paper() {
        let mut list = LiteralList::new(4);
        list.add(0, 3, &set(&[0]));
        list.add(0, 1, &set(&[1]));
        list.add(8, 10, &set(&[0, 1]));
        assert_eq!(records(&list), [(0, 2), (1, 1), (3, 0), (8, 2), (10, 0)]);
        assert_eq!(list.starts(2, 2, 9), BTreeSet::from([2, 3, 6, 7]));
        assert_eq!(list.find(2, 2, 9, 1).feasible, 4);
        list.add(3, 5, &set(&[0]));
        assert_eq!(records(&list), [(0, 2), (1, 1), (5, 0), (8, 2), (10, 0)]);
        list.delete(0, 1, &set(&[1]));
        assert_eq!(records(&list), [(0, 1), (5, 0), (8, 2), (10, 0)]);
        list.delete(0, 5, &set(&[0]));
        list.delete(8, 10, &set(&[0, 1]));
        assert_eq!(list.len(), 0);
    }
}
