//! How many processing elements are booked over time: a segment tree over the stretches between the edges of all bookings.

use std::ops::Range;

/// Booked processing elements from each edge to the next.
pub(super) struct Profile {
    /// Every time at which a booking may begin or end, and 0.
    edges: Vec<u64>,
    /// Node 1 is the root, and the children of node n are 2 n and 2 n + 1; leaf n stands at `leaves` + n.
    nodes: Vec<Node>,
    leaves: usize,
}

/// What is booked in the stretches below a node.
#[derive(Clone, Copy, Default)]
struct Node {
    /// Booked in all of them, and not counted below.
    all: i64,
    most: i64,
    least: i64,
}

impl Node {
    fn add(&mut self, pes: i64) {
        self.all += pes;
        self.most += pes;
        self.least += pes;
    }
}

impl Profile {
    /// With nothing booked. Bookings may begin and end at `edges`.
    pub(super) fn new(mut edges: Vec<u64>) -> Self {
        edges.push(0);
        edges.sort_unstable();
        edges.dedup();
        let leaves = edges.len().next_power_of_two();
        Self {
            edges,
            nodes: vec![Node::default(); 2 * leaves],
            leaves,
        }
    }

    pub(super) fn edges(&self) -> &[u64] {
        &self.edges
    }

    /// Books `pes` more from edge to edge, or fewer. O(log edges).
    pub(super) fn add(&mut self, window: Range<u64>, pes: i64) {
        let places = self.places(&window);
        if places.is_empty() {
            return;
        }
        let (mut from, mut to) = (places.start + self.leaves, places.end + self.leaves);
        let (first, last) = (from, to - 1);
        while from < to {
            if from % 2 == 1 {
                self.nodes[from].add(pes);
                from += 1;
            }
            if to % 2 == 1 {
                to -= 1;
                self.nodes[to].add(pes);
            }
            (from, to) = (from / 2, to / 2);
        }
        // Above both ends everything is summed up again, once from where they meet.
        let (mut first, mut last) = (first / 2, last / 2);
        while first > 0 {
            self.sum_up(first);
            if last != first {
                self.sum_up(last);
            }
            (first, last) = (first / 2, last / 2);
        }
    }

    fn sum_up(&mut self, at: usize) {
        let (left, right) = (self.nodes[2 * at], self.nodes[2 * at + 1]);
        let node = &mut self.nodes[at];
        node.most = left.most.max(right.most) + node.all;
        node.least = left.least.min(right.least) + node.all;
    }

    /// The most that is booked at any time. O(1).
    pub(super) fn peak(&self) -> i64 {
        self.nodes[1].most
    }

    /// The most that is booked in `window`. O(log edges).
    pub(super) fn most(&self, window: Range<u64>) -> i64 {
        let places = self.places(&window);
        self.most_of(&self.root(), &places).unwrap_or(0)
    }

    /// What is booked at `time`. O(log edges).
    pub(super) fn level(&self, time: u64) -> i64 {
        let mut at = self.place(time) + self.leaves;
        let mut level = 0;
        while at > 0 {
            level += self.nodes[at].all;
            at /= 2;
        }
        level
    }

    /// The earliest time from `from` on at which at most `limit` are booked for `duration`. O(log edges) for each stretch in the way.
    pub(super) fn earliest(&self, from: u64, duration: u64, limit: i64) -> Option<u64> {
        let mut start = from;
        loop {
            let end = start.saturating_add(duration);
            let place = self.place(start);
            match self.next(place, |node| node.most > limit) {
                Some(blocked) if blocked <= place || self.edges[blocked] < end => {
                    let free = self.next(blocked, |node| node.least <= limit)?;
                    start = *self.edges.get(free)?;
                }
                _ => return Some(start),
            }
        }
    }

    /// The stretch that `time` lies in.
    fn place(&self, time: u64) -> usize {
        let behind = self.edges.partition_point(|edge| *edge <= time);
        behind.saturating_sub(1)
    }

    fn places(&self, window: &Range<u64>) -> Range<usize> {
        if window.is_empty() {
            return 0..0;
        }
        let end = self.edges.partition_point(|edge| *edge < window.end);
        self.place(window.start)..end
    }

    fn root(&self) -> Part {
        Part {
            node: 1,
            places: 0..self.leaves,
            above: 0,
        }
    }

    fn most_of(&self, part: &Part, places: &Range<usize>) -> Option<i64> {
        let Range { start, end } = part.places;
        if places.end <= start || end <= places.start {
            return None;
        }
        if places.start <= start && end <= places.end {
            return Some(self.nodes[part.node].most + part.above);
        }
        let halves = part.halves(self.nodes[part.node].all);
        halves
            .iter()
            .filter_map(|half| self.most_of(half, places))
            .max()
    }

    /// The first stretch from `from` on that is like this.
    fn next(&self, from: usize, like: impl Fn(&Node) -> bool + Copy) -> Option<usize> {
        self.next_of(&self.root(), from, like)
    }

    fn next_of(
        &self,
        part: &Part,
        from: usize,
        like: impl Fn(&Node) -> bool + Copy,
    ) -> Option<usize> {
        let mut node = self.nodes[part.node];
        node.add(part.above);
        if part.places.end <= from || !like(&node) {
            return None;
        }
        if part.places.len() == 1 {
            return Some(part.places.start);
        }
        let halves = part.halves(self.nodes[part.node].all);
        halves
            .iter()
            .find_map(|half| self.next_of(half, from, like))
    }
}

/// A node on the way down.
struct Part {
    node: usize,
    places: Range<usize>,
    /// Booked in all of it according to the nodes above.
    above: i64,
}

impl Part {
    fn halves(&self, all: i64) -> [Self; 2] {
        let Range { start, end } = self.places;
        let middle = start.midpoint(end);
        let above = self.above + all;
        [
            Self {
                node: 2 * self.node,
                places: start..middle,
                above,
            },
            Self {
                node: 2 * self.node + 1,
                places: middle..end,
                above,
            },
        ]
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::Profile;
    use crate::workload::rng::{Purpose, stream};

    #[test]
    fn a_profile_is_the_sum_of_what_was_added() {
        let mut profile = Profile::new(vec![10, 15, 20, 30]);
        profile.add(10..20, 3);
        profile.add(15..30, 2);
        assert_eq!((profile.most(0..10), profile.most(12..40)), (0, 5));
        assert_eq!((profile.most(16..40), profile.most(30..40)), (5, 0));
        assert_eq!((profile.most(20..21), profile.most(7..7)), (2, 0));
        assert_eq!([9, 10, 19, 30].map(|at| profile.level(at)), [0, 3, 5, 0]);
        assert_eq!(profile.peak(), 5);
        profile.add(15..20, -3);
        assert_eq!((profile.most(16..40), profile.peak()), (2, 3));
    }

    #[test]
    fn the_earliest_start_is_behind_what_is_in_the_way() {
        let mut profile = Profile::new(vec![10, 15, 20, 30]);
        profile.add(10..20, 3);
        profile.add(15..30, 2);
        assert_eq!(profile.earliest(0, 10, 2), Some(0));
        assert_eq!(profile.earliest(0, 11, 2), Some(20));
        assert_eq!(profile.earliest(1, 12, 4), Some(1));
        assert_eq!(profile.earliest(4, 12, 4), Some(20));
        assert_eq!(profile.earliest(12, 3, 3), Some(12));
        assert_eq!(profile.earliest(12, 3, 1), Some(30));
        assert_eq!(profile.earliest(0, 1, -1), None);
    }

    #[test]
    fn it_agrees_with_a_plain_list_of_seconds() {
        let mut random = stream(3, Purpose::Reservations, 0);
        for _ in 0..200 {
            let mut profile = Profile::new((0..40).collect());
            let mut plain = [0_i64; 60];
            for _ in 0..30 {
                let start = random.random_range(0..40_usize);
                let end = random.random_range(start..40);
                let pes = random.random_range(-3..6);
                profile.add(start as u64..end as u64, pes);
                plain[start..end].iter_mut().for_each(|level| *level += pes);
                assert_eq!(profile.peak(), plain.iter().copied().max().unwrap());
                let most = plain[start..=end].iter().copied().max().unwrap();
                assert_eq!(profile.most(start as u64..end as u64 + 1), most);
                let length = random.random_range(1..10_usize);
                let fits = |at: &usize| plain[*at..at + length].iter().all(|level| *level <= 4);
                let earliest = (start..50).find(fits).map(|at| at as u64);
                assert_eq!(profile.earliest(start as u64, length as u64, 4), earliest);
            }
        }
    }
}
