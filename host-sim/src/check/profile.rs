//! How many processing elements are booked over time: the stretches between the edges of bookings, in blocks that know their greatest and least levels.

use std::{cell::Cell, collections::VecDeque, mem, ops::Range};

/// How many stretches a block has at most: about the root of how many there are in a long calendar.
const MOST: usize = 256;

/// Booked processing elements from each edge to the next.
///
/// 1. There is at least one block, and at least one stretch in each.
/// 2. Edges are in increasing order over all blocks. The last stretch has no end, and goes on for ever.
/// 3. Nothing is known of times before the first edge: who asks for them is noted.
/// 4. A block's greatest and least levels are those of its stretches, with what is booked in all of it.
pub(super) struct Profile {
    blocks: VecDeque<Block>,
    /// How many stretches a block has at most.
    most: usize,
    /// Whether somebody asked for what is forgotten.
    lacks_past: Cell<bool>,
}

/// Stretches that follow each other.
struct Block {
    stretches: Vec<Stretch>,
    /// Booked in all of them, and not counted there.
    all: i64,
    most: i64,
    least: i64,
}

/// From an edge to the next.
#[derive(Clone, Copy)]
struct Stretch {
    edge: u64,
    level: i64,
}

impl Block {
    fn of(stretches: Vec<Stretch>, all: i64) -> Self {
        let mut block = Self {
            stretches,
            all,
            most: 0,
            least: 0,
        };
        block.sum_up();
        block
    }

    fn sum_up(&mut self) {
        let levels = || self.stretches.iter().map(|stretch| stretch.level);
        let [most, least] = [levels().max(), levels().min()].map(Option::unwrap_or_default);
        (self.most, self.least) = (most + self.all, least + self.all);
    }

    fn edge(&self) -> u64 {
        self.stretches.first().map_or(0, |first| first.edge)
    }

    /// The stretch that `time` lies in.
    fn place(&self, time: u64) -> usize {
        let behind = self.stretches.partition_point(|one| one.edge <= time);
        behind.saturating_sub(1)
    }

    fn add(&mut self, places: Range<usize>, pes: i64) {
        if places.len() == self.stretches.len() {
            self.all += pes;
            self.most += pes;
            self.least += pes;
            return;
        }
        self.stretches[places]
            .iter_mut()
            .for_each(|stretch| stretch.level += pes);
        self.sum_up();
    }
}

impl Profile {
    /// With nothing booked.
    pub(super) fn new() -> Self {
        Self::in_blocks(MOST)
    }

    fn in_blocks(most: usize) -> Self {
        let nothing = Stretch { edge: 0, level: 0 };
        Self {
            blocks: VecDeque::from([Block::of(vec![nothing], 0)]),
            most,
            lacks_past: Cell::new(false),
        }
    }

    /// Whether somebody asked for what had been forgotten, so that answers may be wrong.
    pub(super) fn lacks_past(&self) -> bool {
        self.lacks_past.get()
    }

    /// Books `pes` more from edge to edge, or fewer. O(blocks + stretches in a block).
    pub(super) fn add(&mut self, window: Range<u64>, pes: i64) {
        if window.is_empty() {
            return;
        }
        let window = self.known(window.start)..self.known(window.end);
        self.split(window.start);
        self.split(window.end);
        self.each(&window, |block, places| block.add(places, pes));
    }

    /// Forgets what was before `time`, of which nobody asks any more.
    pub(super) fn forget(&mut self, time: u64) {
        while self.blocks.get(1).is_some_and(|next| next.edge() <= time) {
            self.blocks.pop_front();
        }
        let first = &mut self.blocks[0];
        let past = first.place(time);
        if past > 0 {
            first.stretches.drain(..past);
            first.sum_up();
        }
    }

    /// The time, or the first that is known.
    fn known(&self, time: u64) -> u64 {
        let first = self.blocks[0].edge();
        if time < first {
            self.lacks_past.set(true);
        }
        time.max(first)
    }

    /// Lets a stretch begin at `edge`.
    fn split(&mut self, edge: u64) {
        let at = self.block(edge);
        let block = &mut self.blocks[at];
        let place = block.place(edge);
        let Stretch {
            edge: before,
            level,
        } = block.stretches[place];
        if before == edge {
            return;
        }
        block.stretches.insert(place + 1, Stretch { edge, level });
        if block.stretches.len() > self.most {
            let half = block.stretches.split_off(block.stretches.len() / 2);
            let all = block.all;
            block.sum_up();
            self.blocks.insert(at + 1, Block::of(half, all));
        }
    }

    /// The block that `time` lies in.
    fn block(&self, time: u64) -> usize {
        let behind = self.blocks.partition_point(|block| block.edge() <= time);
        behind.saturating_sub(1)
    }

    /// Each block that has stretches in `window`, and which they are; a stretch that begins before it counts.
    fn each(&mut self, window: &Range<u64>, mut each: impl FnMut(&mut Block, Range<usize>)) {
        let from = self.block(window.start);
        for block in self.blocks.range_mut(from..) {
            let end = block.stretches.partition_point(|one| one.edge < window.end);
            if end == 0 {
                return;
            }
            each(block, block.place(window.start)..end);
        }
    }

    /// The most that is booked in `window`. O(blocks + stretches in a block).
    pub(super) fn most(&self, window: Range<u64>) -> i64 {
        if window.is_empty() {
            return 0;
        }
        let window = self.known(window.start)..self.known(window.end);
        let mut most = self.level(window.start);
        for block in self.blocks.range(self.block(window.start)..) {
            let end = block.stretches.partition_point(|one| one.edge < window.end);
            let places = block.place(window.start)..end;
            most = most.max(match places.len() {
                0 => break,
                len if len == block.stretches.len() => block.most,
                _ => {
                    let levels = block.stretches[places].iter().map(|one| one.level);
                    levels.max().unwrap_or(0) + block.all
                }
            });
        }
        most
    }

    /// What is booked at `time`. O(log stretches).
    pub(super) fn level(&self, time: u64) -> i64 {
        let time = self.known(time);
        let block = &self.blocks[self.block(time)];
        block.stretches[block.place(time)].level + block.all
    }

    /// The earliest time from `from` on at which at most `limit` are booked for `duration`. O(blocks + stretches in a block) for each stretch in the way.
    pub(super) fn earliest(&self, from: u64, duration: u64, limit: i64) -> Option<u64> {
        let mut start = self.known(from);
        loop {
            let end = start.saturating_add(duration);
            let block = self.block(start);
            let here = (block, self.blocks[block].place(start));
            let blocked = self.next(here, |most, _| most > limit);
            match blocked {
                Some(blocked) if blocked <= here || self.edge(blocked) < end => {
                    let free = self.next(blocked, |_, least| least <= limit)?;
                    start = self.edge(free);
                }
                _ => return Some(start),
            }
        }
    }

    fn edge(&self, (block, place): (usize, usize)) -> u64 {
        self.blocks[block].stretches[place].edge
    }

    /// The first stretch from there on whose level is like this, as the greatest and the least of a block.
    fn next(
        &self,
        (block, place): (usize, usize),
        like: impl Fn(i64, i64) -> bool,
    ) -> Option<(usize, usize)> {
        let mut from = place;
        for (number, block) in self.blocks.iter().enumerate().skip(block) {
            let from = mem::take(&mut from);
            if !like(block.most, block.least) {
                continue;
            }
            let levels = block.stretches[from..]
                .iter()
                .map(|one| one.level + block.all);
            let mut places = levels.zip(from..);
            if let Some((_, place)) = places.find(|&(level, _)| like(level, level)) {
                return Some((number, place));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::Profile;
    use crate::workload::rng::{Purpose, stream};

    #[test]
    fn a_profile_is_the_sum_of_what_was_added() {
        let mut profile = Profile::new();
        profile.add(10..20, 3);
        profile.add(15..30, 2);
        assert_eq!((profile.most(0..10), profile.most(12..40)), (0, 5));
        assert_eq!((profile.most(16..40), profile.most(30..40)), (5, 0));
        assert_eq!((profile.most(20..21), profile.most(7..7)), (2, 0));
        assert_eq!([9, 10, 19, 30].map(|at| profile.level(at)), [0, 3, 5, 0]);
        profile.add(15..20, -3);
        assert_eq!((profile.most(16..40), profile.most(0..99)), (2, 3));
    }

    #[test]
    fn the_earliest_start_is_behind_what_is_in_the_way() {
        let mut profile = Profile::new();
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
        for round in 0..400 {
            let mut profile = Profile::in_blocks(1 + round % 7);
            let mut plain = [0_i64; 60];
            let mut now = 0;
            for _ in 0..40 {
                let start = random.random_range(now..40_usize);
                let end = random.random_range(start..40);
                let pes = random.random_range(-3..6);
                profile.add(start as u64..end as u64, pes);
                plain[start..end].iter_mut().for_each(|level| *level += pes);
                if random.random_bool(0.1) {
                    now = random.random_range(now..=start);
                    profile.forget(now as u64);
                }
                let from_now_on = plain[now..].iter().copied().max().unwrap();
                assert_eq!(profile.most(now as u64..60), from_now_on);
                let most = plain[start..=end].iter().copied().max().unwrap();
                assert_eq!(profile.most(start as u64..end as u64 + 1), most);
                assert_eq!(profile.level(start as u64), plain[start]);
                let length = random.random_range(1..10_usize);
                let fits = |at: &usize| plain[*at..at + length].iter().all(|level| *level <= 4);
                let earliest = (start..50).find(fits).map(|at| at as u64);
                assert_eq!(profile.earliest(start as u64, length as u64, 4), earliest);
                // At most one edge for each second, and none but the last that have passed.
                let edges = profile.blocks.iter().flat_map(|block| &block.stretches);
                let edges: Vec<u64> = edges.map(|one| one.edge).collect();
                assert!(edges.is_sorted_by(|one, next| one < next) && edges.len() <= 41 - now);
                assert!(
                    profile
                        .blocks
                        .iter()
                        .all(|block| block.stretches.len() <= profile.most)
                );
            }
        }
    }

    #[test]
    fn whoever_asks_for_the_past_is_noted() {
        let forgotten = || {
            let mut profile = Profile::in_blocks(2);
            (0..20).for_each(|at| profile.add(10 * at..10 * at + 5, at as i64));
            profile.forget(123);
            assert_eq!((profile.level(120), profile.most(120..400)), (12, 19));
            assert_eq!(profile.earliest(120, 5, 11), Some(125));
            assert!(!profile.lacks_past());
            profile
        };
        let asks: [fn(&mut Profile); 4] = [
            |profile| profile.add(119..300, 1),
            |profile| assert!(profile.level(119) > 0),
            |profile| assert!(profile.most(0..300) > 0),
            |profile| assert!(profile.earliest(7, 1, 1) > Some(0)),
        ];
        for ask in asks {
            let mut profile = forgotten();
            ask(&mut profile);
            assert!(profile.lacks_past());
        }
    }
}
