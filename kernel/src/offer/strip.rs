//! Offers by strip packing: they grow outwards from the fullest slots that leave enough processing elements free.

use core::{marker::PhantomData, ops::Range};

use super::{Interval, Offer, Shortlist, shortlist::FreeArea};
use crate::{
    fit,
    ring::{Count, GrowingView, GrowingWindow, Profile, RingSearch, Scan},
};

/// Lists the offers of algorithm 1, its solution first if one is wanted.
///
/// The paper ranks the groups of equal slots by free processing elements, grows each into an offer until it is long
/// enough, to the left before the right, and skips groups with too few free. When a solution is wanted, it ends with
/// the first offer that is one. The same offers result here from a search in order of time: first for the solution,
/// which is the long enough offer of least rank, then for all offers of lesser rank.
///
/// An offer never grows beyond its run, a series of groups that each leave enough free. On counts, it grows up to the
/// ends of the run. So in a run that is too short, every group grows into the same offer, and in a long one only the
/// fullest group can be the solution.
///
/// Counts: O(interval + groups x list) when a solution is wanted, O(interval + groups x (longest offer / 64 + list)) otherwise.
/// Sets: O(groups x (longest offer / 8 x columns + list)); over wide columns O(interval / 8 x columns + groups x (longest offer / 512 x columns + list)).
///
/// Source: `sulistio`, algorithm 1.
pub(crate) fn strip_packing<R: RingSearch>(
    ring: &mut R,
    interval: &Interval,
    shortlist: &mut Shortlist<'_, '_>,
) {
    // Growing on sets is expensive, so there is no search for a solution that first fit finds no start for.
    let possible = interval
        .solution()
        .is_some_and(|job| R::COUNTS_DECIDE || fit::earliest(ring, &job).is_some());
    let GrowingView { profile, growing } = ring.growing_window();
    let mut strip = Strip::<_, R::Scan, _>::new(profile, growing, interval);
    let rank = |offer: &Offer| rank(profile, profile.axis.nearest(offer.seed.start));
    let mut below = u64::MAX;
    if possible && let Some(solution) = &strip.solution() {
        below = strip.rank(&solution.seed);
        shortlist.insert(solution, rank);
    }
    strip.offers(below, |offer| {
        shortlist.insert(offer, rank);
        shortlist.limit(rank)
    });
}

/// Returns the position, in the order of discovery, of the group that begins at `start`: the fullest first, then the
/// earliest.
fn rank<N: Count>(profile: Profile<'_, N>, start: usize) -> u64 {
    let busy = profile.counts.at(profile.axis.index(start));
    u64::from(N::MAX.above(busy).get()) << 32 | start as u64
}

struct Strip<'r, W, S, N> {
    profile: Profile<'r, N>,
    growing: W,
    interval: &'r Interval,
    /// On sets, no offer of the groups to come begins earlier.
    earliest: usize,
    /// From where the last offer began, enough are free throughout up to here.
    latest: usize,
    /// On counts, the group in which the last offer began, as far as it has been looked at, and the one in which it ended.
    begun: Range<usize>,
    ended: Range<usize>,
    scan: PhantomData<S>,
}

impl<'r, W: GrowingWindow, S: Scan, N: Count> Strip<'r, W, S, N> {
    const fn new(profile: Profile<'r, N>, growing: W, interval: &'r Interval) -> Self {
        Self {
            profile,
            growing,
            interval,
            earliest: 0,
            latest: 0,
            begun: 0..0,
            ended: 0..0,
            scan: PhantomData,
        }
    }

    /// Returns the long enough offer of least rank.
    fn solution(&mut self) -> Option<FreeArea> {
        let mut best = None;
        let mut below = u64::MAX;
        let mut from = self.interval.ready;
        while let Some(run) = self.next_run(from) {
            from = run.end;
            if run.len() < self.interval.wanted() {
                continue;
            }
            for group in self.seeds(&run) {
                let rank = self.rank(&group);
                if rank >= below {
                    continue;
                }
                let offer = self.grow(&group, &run);
                if offer.window.len() >= self.interval.wanted() {
                    below = rank;
                    best = Some(FreeArea {
                        solution: true,
                        ..offer
                    });
                }
            }
        }
        best
    }

    /// Calls `show` with every offer of a rank `below` that of the solution. It returns below which rank others can matter from then on.
    fn offers(&mut self, mut below: u64, mut show: impl FnMut(&FreeArea) -> u64) {
        let mut from = self.interval.ready;
        (self.earliest, self.latest) = (0, 0);
        while let Some(run) = self.next_run(from) {
            from = run.end;
            // The only seed of a long run is its fullest group, which the search for the solution has examined: its
            // rank is no less.
            let decided = W::COUNTS_DECIDE && self.interval.wants_solution();
            if decided && run.len() >= self.interval.wanted() {
                continue;
            }
            for group in self.seeds(&run) {
                if self.rank(&group) < below {
                    below = below.min(show(&self.grow(&group, &run)));
                }
            }
        }
    }

    fn rank(&self, group: &Range<usize>) -> u64 {
        rank(self.profile, group.start)
    }

    /// Returns the next run from `from` on: a stretch of slots that each leave enough processing elements free.
    fn next_run(&self, from: usize) -> Option<Range<usize>> {
        let Profile {
            axis,
            counts,
            edges,
        } = self.profile;
        let deadline = self.interval.deadline;
        let max_busy = N::of(self.interval.max_busy());
        let mut start = from;
        // From release to release: between two of them, counts only rise.
        while start < deadline && counts.at(axis.index(start)) > max_busy {
            let later = start.saturating_add(1)..deadline;
            start = edges.next_release(axis, later).unwrap_or(deadline);
        }
        let end = S::first_above(counts, axis, start..deadline, max_busy);
        (start < deadline).then(|| start..end.unwrap_or(deadline))
    }

    /// Returns the groups of `run` from which offers are grown.
    fn seeds(&self, run: &Range<usize>) -> Groups<'r, N> {
        let wholly = self.interval.wants_solution() || run.len() < self.interval.wanted();
        let range = if W::COUNTS_DECIDE && wholly {
            self.fullest(run)
        } else {
            run.clone()
        };
        Groups {
            profile: self.profile,
            range,
        }
    }

    /// Returns the first of the fullest groups of `run`.
    fn fullest(&self, run: &Range<usize>) -> Range<usize> {
        let Profile {
            axis,
            counts,
            edges,
        } = self.profile;
        let peak = S::peak(counts, axis, run.clone());
        let below = peak.get().checked_sub(1).map(N::of);
        let first = below.and_then(|below| S::first_above(counts, axis, run.clone(), below));
        let start = first.unwrap_or(run.start);
        let end = edges.next_change(axis, start.saturating_add(1)..run.end);
        start..end.unwrap_or(run.end)
    }

    /// Grows `group` within `run` until it is long enough: first to the left, then to the right.
    fn grow(&mut self, group: &Range<usize>, run: &Range<usize>) -> FreeArea {
        let (window, busy) = if W::COUNTS_DECIDE {
            self.reach(group, run)
        } else {
            self.join(group, run)
        };
        FreeArea {
            window,
            seed: group.clone(),
            free: self.interval.machine.saturating_sub(busy),
            solution: false,
        }
    }

    /// Grows a group on counts, where only the ends of the run stop it. O(offer / 64), and for all groups together O(interval / 32).
    fn reach(&mut self, group: &Range<usize>, run: &Range<usize>) -> (Range<usize>, u32) {
        let Profile {
            axis,
            counts,
            edges,
        } = self.profile;
        let wanted = self.interval.wanted();
        let mut window = group.clone();
        // Counts do not change within a group, so for the peak it suffices to look at as many slots of the outermost
        // groups as make it long enough.
        let mut enough = group.clone();
        if window.len() < wanted {
            enough.start = window.end.saturating_sub(wanted).max(run.start);
            // Offers that begin or end one after the other in the same long group find its edge once; small devices save the code.
            if !S::BULK || !(self.begun.start..=self.begun.end).contains(&enough.start) {
                let before = run.start..enough.start.saturating_add(1);
                let edge = edges.last_change(axis, before).unwrap_or(run.start);
                self.begun = edge..enough.start;
            }
            window.start = self.begun.start;
        }
        if window.len() < wanted {
            enough.end = window.start.saturating_add(wanted).min(run.end);
            if !S::BULK || !(self.ended.start..=self.ended.end).contains(&enough.end) {
                let behind = enough.end..run.end;
                let edge = edges.next_change(axis, behind).unwrap_or(run.end);
                self.ended = enough.end..edge;
            }
            window.end = self.ended.end;
        }
        (window, S::peak(counts, axis, enough).get())
    }

    /// Grows a group on sets, as far as enough processing elements are free throughout.
    ///
    /// For a later group, offers begin no earlier, and what is free up to some end from one start is so from any later start. So the ends move
    /// forward only, and all groups together take a few windows for each group. O(duration / 8 x columns) for each of them, and
    /// over wide columns O(duration / 512 x columns) besides what is joined once.
    fn join(&mut self, group: &Range<usize>, run: &Range<usize>) -> (Range<usize>, u32) {
        let Profile { axis, edges, .. } = self.profile;
        let (wanted, max_busy) = (self.interval.wanted(), self.interval.max_busy());
        let mut window = group.clone();
        if window.len() < wanted {
            let earliest = self.earliest.max(run.start);
            let enough = window.end.saturating_sub(wanted).max(earliest);
            let before = earliest..enough.saturating_add(1);
            window.start = edges.last_change(axis, before).unwrap_or(earliest);
        }
        let known = self.latest >= window.end;
        if window.len() < wanted && known {
            window.end = self.latest;
        }
        self.growing.begin_with(window.clone());
        while !known && window.start < group.start && self.growing.busy() > max_busy {
            let later = window.start.saturating_add(1)..group.start;
            window.start = edges.next_change(axis, later).unwrap_or(group.start);
            self.growing.begin_with(window.clone());
        }
        self.earliest = window.start;
        while window.len() < wanted && window.end < run.end {
            if !self.growing.extend(window.end, max_busy) {
                break;
            }
            let behind = window.end.saturating_add(1)..run.end;
            window.end = edges.next_change(axis, behind).unwrap_or(run.end);
        }
        self.latest = self.latest.max(window.end);
        (window, self.growing.busy())
    }
}

/// The groups of a stretch of time: the parts in which nothing changes.
struct Groups<'r, N> {
    profile: Profile<'r, N>,
    /// The rest of the stretch.
    range: Range<usize>,
}

impl<N> Iterator for Groups<'_, N> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let Profile { axis, edges, .. } = self.profile;
        let start = self.range.start;
        let later = start.saturating_add(1)..self.range.end;
        if self.range.is_empty() {
            return None;
        }
        self.range.start = edges.next_change(axis, later).unwrap_or(self.range.end);
        Some(start..self.range.start)
    }
}

#[cfg(test)]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::panic,
    reason = "tests may panic"
)]
mod tests {
    use core::ops::Range;

    use super::{Groups, Interval, Strip};
    use crate::{
        book::Commitment,
        pe::PeCount,
        policy::Policy,
        request::Request,
        ring::{GrowingView, GrowingWindow, NativeScan, RingSearch},
        storage::PeBook,
        time::{Slot, Span},
    };

    /// Counts the windows and groups examined while offers grow.
    struct Counting<S> {
        growing: S,
        looks: usize,
    }

    impl<S: GrowingWindow> GrowingWindow for Counting<S> {
        const COUNTS_DECIDE: bool = S::COUNTS_DECIDE;

        fn begin_with(&mut self, window: Range<usize>) {
            self.looks += 1;
            self.growing.begin_with(window);
        }

        fn extend(&mut self, offset: usize, max_busy: u32) -> bool {
            self.looks += 1;
            self.growing.extend(offset, max_busy)
        }

        fn busy(&self) -> u32 {
            self.growing.busy()
        }
    }

    /// Returns how many groups the interval has, and how many windows and groups are examined in all.
    fn looks(ring: &mut impl RingSearch, interval: &Interval) -> (usize, usize) {
        let GrowingView { profile, growing } = ring.growing_window();
        let range = interval.ready..interval.deadline;
        let groups = Groups { profile, range }.count();
        let counting = Counting { growing, looks: 0 };
        let mut strip = Strip::<_, NativeScan, _>::new(profile, counting, interval);
        let wanted = interval.solution().and_then(|_| strip.solution());
        let below = wanted.map_or(u64::MAX, |solution| strip.rank(&solution.seed));
        strip.offers(below, |_| u64::MAX);
        (groups, strip.growing.looks)
    }

    #[test]
    fn a_few_windows_are_joined_for_each_group() {
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        let mut below = |bound: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % bound
        };
        let (mut most, mut largest) = (0, 0);
        for _ in 0..200 {
            let mut memory = PeBook::<u32, 4, 1, 200>::zeroed();
            let Ok(mut book) = memory.init(PeCount::new(32), Span::new(256)) else {
                panic!("the memory is for that");
            };
            for _ in 0..below(200) {
                let (ready, duration) = (below(200), 1 + below(20));
                let request = Request {
                    ready: Slot::new(ready),
                    duration: Span::new(duration as u32),
                    deadline: Slot::new(ready + duration + below(30)),
                    pes: PeCount::new((1 + below(6) as u16).into()),
                };
                let _ = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed);
            }
            for (duration, pes) in [(Some(30), Some(8)), (Some(30), None), (None, Some(8))] {
                let interval = Interval {
                    ready: 0,
                    deadline: 256,
                    duration,
                    pes,
                    machine: 32,
                };
                let (groups, looks) = looks(&mut book.ring, &interval);
                // For the solution and for the list, each group is joined at most twice for its own offer, and once more when a start or an end
                // moves past it.
                assert!(looks <= 2 * 4 * groups, "{looks} for {groups}");
                largest = largest.max(groups);
                most = most.max(looks);
            }
        }
        assert!(
            largest > 100 && most > 300,
            "{largest} groups, {most} looks"
        );
    }
}
