//! Algorithms 1 and 2 of the paper line by line, with the numbers of its lines, counting what they do. Not what runs: the twin offers by
//! it, so that the kernel is held against it; reproductions answer queries of their runs by it, and count what the paper's O(n^2) counts.
//!
//! Read so where the paper leaves it open: a slot is the unit of time, so the δ of line 4 is 1; ranking is stable; the same window makes
//! one offer for the user, the first ([`listed`]); and where nodes have names, `freeCN` of several groups is what they have in common.
//!
//! Source: `sulistio`, section 3 (algorithm 1) and section 4.2 (algorithm 2).

use crate::Free;

/// A query: an interval of slots, and as soft constraints how long and how wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Query {
    /// `tis`, the first slot of the interval.
    pub from: u64,
    /// `tie`, the slot behind its last.
    pub to: u64,
    /// `dur` in slots.
    pub duration: Option<u64>,
    /// `numCN`.
    pub nodes: Option<u64>,
}

/// What is free: a number of compute nodes, or, where nodes have names, which of them.
pub trait FreeNodes: Clone + PartialEq {
    /// How many (`freeCN`).
    fn count(&self) -> u64;
    /// What is free here and there.
    #[must_use]
    fn and(self, other: &Self) -> Self;
}

impl FreeNodes for u64 {
    fn count(&self) -> u64 {
        *self
    }
    fn and(self, other: &Self) -> Self {
        self.min(*other)
    }
}

impl FreeNodes for Free {
    fn count(&self) -> u64 {
        Self::count(self).into()
    }
    fn and(self, other: &Self) -> Self {
        Self::and(self, other)
    }
}

/// Consecutive slots in which the same is free: an element of `slotList`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConsecutiveSlots<F = u64> {
    /// `numSlot`.
    pub slots: u64,
    /// What is free in each of them.
    pub free: F,
}

/// What the resource offers: an element of `offerList`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer<F = u64> {
    /// Its first slot.
    pub start: u64,
    /// The slot behind its last.
    pub end: u64,
    /// What is free throughout (`minCN`).
    pub nodes: F,
    /// The slots that it grew from.
    pub seed: (u64, u64),
    /// Whether it meets a query for both.
    pub solution: bool,
}

/// A place in the resource, from a slot to another on so many nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The first slot.
    pub start: u64,
    /// The slot behind the last.
    pub end: u64,
    /// How many nodes.
    pub nodes: u64,
}

/// `find_consecutive_slot`: the interval as consecutive slots; `free` tells of each slot.
pub fn consecutive_slots<F: FreeNodes>(
    from: u64,
    to: u64,
    free: impl Fn(u64) -> F,
) -> Vec<ConsecutiveSlots<F>> {
    let mut list: Vec<ConsecutiveSlots<F>> = Vec::new();
    for free in (from..to).map(free) {
        match list.last_mut() {
            Some(last) if last.free == free => last.slots += 1,
            _ => list.push(ConsecutiveSlots { slots: 1, free }),
        }
    }
    list
}

/// Algorithm 1 with a count of its operations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Osp {
    comparisons: u64,
    visits: u64,
    costs: u64,
}

/// Groups grown together, by their places in `slotList`.
struct Grown<F> {
    head: usize,
    tail: usize,
    /// `totSlot`.
    slots: u64,
    /// `minCN`.
    free: F,
}

impl Osp {
    /// How often the body of a loop of lines 11 to 44 was entered since the last call of [`counted`](Self::counted).
    #[must_use]
    pub const fn visits(&self) -> u64 {
        self.visits
    }

    /// What was done since the last call: comparisons of the ranking, visits of groups, and costs of offers.
    pub fn counted(&mut self) -> u64 {
        let done = std::mem::take(self);
        done.comparisons + done.visits + done.costs
    }

    /// Algorithm 1; `slot_list` is what the interval looks like. The solution is first, the others in the order found.
    pub fn offers<F: FreeNodes>(
        &mut self,
        query: &Query,
        slot_list: &[ConsecutiveSlots<F>],
    ) -> Vec<Offer<F>> {
        let need_solution = query.duration.is_some() && query.nodes.is_some(); // 1-3
        let ts = query.duration.unwrap_or(1); // 4, 7
        let nodes = query.nodes.unwrap_or(1); // 5
        let begins = begins(query.from, slot_list);
        let mut offers = Vec::new(); // 6
        for index in self.sorted_index(slot_list) {
            // 10-12
            self.visits += 1;
            if slot_list[index].free.count() < nodes {
                continue; // 14
            }
            let grown = self.grow(index, slot_list, ts, nodes);
            let solution = need_solution && grown.slots >= ts; // 39
            let offer = Offer {
                start: begins[grown.head],
                end: begins[grown.tail] + slot_list[grown.tail].slots,
                nodes: grown.free,
                seed: (begins[index], begins[index] + slot_list[index].slots),
                solution,
            };
            if solution {
                offers.insert(0, offer); // 40
                break; // 41
            }
            offers.push(offer); // 38
        }
        // set_cost looks at each offer once.
        self.costs += offers.len() as u64; // 37
        offers // 45
    }

    /// Lines 15 to 36: first to the left, then to the right.
    fn grow<F: FreeNodes>(
        &mut self,
        index: usize,
        slot_list: &[ConsecutiveSlots<F>],
        ts: u64,
        nodes: u64,
    ) -> Grown<F> {
        let mut grown = Grown {
            head: index,                         // 15
            tail: index,                         // 16
            slots: slot_list[index].slots,       // 17
            free: slot_list[index].free.clone(), // 18
        };
        for left in (0..index).rev() {
            // 19
            self.visits += 1;
            let free = slot_list[left].free.clone().and(&grown.free); // 20, 26
            if free.count() < nodes || grown.slots >= ts {
                break; // 21-23
            }
            grown.head = left; // 24
            grown.slots += slot_list[left].slots; // 25
            grown.free = free; // 26
        }
        for (right, next) in slot_list.iter().enumerate().skip(index + 1) {
            // 28
            self.visits += 1;
            let free = next.free.clone().and(&grown.free); // 29, 35
            if free.count() < nodes || grown.slots >= ts {
                break; // 30-32
            }
            grown.tail = right; // 33
            grown.slots += next.slots; // 34
            grown.free = free; // 35
        }
        grown
    }

    /// `get_sorted_index`: by free nodes, equals in their order. Insertion by bisection, so that each comparison is counted.
    fn sorted_index<F: FreeNodes>(&mut self, slot_list: &[ConsecutiveSlots<F>]) -> Vec<usize> {
        let mut sorted: Vec<usize> = Vec::with_capacity(slot_list.len());
        for (index, slots) in slot_list.iter().enumerate() {
            let place = sorted.partition_point(|&other| {
                self.comparisons += 1;
                slot_list[other].free.count() <= slots.free.count()
            });
            sorted.insert(place, index);
        }
        sorted
    }
}

/// The first slot of each member of the list.
fn begins<F>(from: u64, slot_list: &[ConsecutiveSlots<F>]) -> Vec<u64> {
    let slots = slot_list.iter();
    slots
        .scan(from, |next, slots| {
            let begin = *next;
            *next += slots.slots;
            Some(begin)
        })
        .collect()
}

/// The same offers as a user is shown them: what two seeds grew into is listed once, with the seed it was found from first.
#[must_use]
pub fn listed<F>(offers: Vec<Offer<F>>) -> Vec<Offer<F>> {
    let mut listed: Vec<Offer<F>> = Vec::new();
    for offer in offers {
        let window = |other: &Offer<F>| (other.start, other.end);
        if listed.iter().all(|other| window(other) != window(&offer)) {
            listed.push(offer);
        }
    }
    listed
}

/// What a user is shown when a machine of so many nodes is asked, on which `live` takes room.
#[must_use]
pub fn answer(query: &Query, nodes: u64, live: &[Place]) -> Vec<Offer> {
    let free = |slot: u64| {
        let covering = live.iter();
        let covering = covering.filter(|place| (place.start..place.end).contains(&slot));
        nodes.saturating_sub(covering.map(|place| place.nodes).sum())
    };
    let slot_list = consecutive_slots(query.from, query.to, free);
    listed(Osp::default().offers(query, &slot_list))
}

/// Algorithm 2 with what the user wants, in slots and nodes: the solution where there is one, else the first suitable of the
/// offers from the longest to the shortest, reduced to what was wanted.
#[must_use]
pub fn choose(offers: &[Offer], duration: u64, nodes: u64) -> Option<Place> {
    if let Some(solution) = offers.first().filter(|offer| offer.solution) {
        return Some(place(solution, duration, nodes));
    }
    let mut longest_first: Vec<&Offer> = offers.iter().collect();
    longest_first.sort_by_key(|offer| std::cmp::Reverse(offer.end - offer.start));
    let suitable = longest_first.into_iter().find(|offer| {
        // At least a half, and never less than one slot or one node; doubled, since half a slot is no number of slots.
        2 * (offer.end - offer.start) >= duration.max(2) && 2 * offer.nodes >= nodes.max(2)
    })?;
    Some(place(suitable, duration, nodes))
}

fn place(offer: &Offer, duration: u64, nodes: u64) -> Place {
    let length = duration.min(offer.end - offer.start);
    let start = portion_start(offer.start, offer.seed, length);
    Place {
        start,
        end: start + length,
        nodes: nodes.min(offer.nodes),
    }
}

/// Where in an offer from `start` on the job goes, which the paper leaves open: as early as its `length` covers the slots the offer grew
/// from, for these are the local minimum it is to fill; where they are longer than the job, at their begin.
#[must_use]
pub fn portion_start(start: u64, (begin, end): (u64, u64), length: u64) -> u64 {
    end.saturating_sub(length).min(begin).max(start)
}

#[cfg(test)]
mod tests {
    use super::{ConsecutiveSlots, Offer, Osp, Place, Query, choose, consecutive_slots, listed};

    const QUERY: Query = Query {
        from: 10,
        to: 20,
        duration: Some(4),
        nodes: Some(2),
    };

    /// Offers over slots from 10 on with these free nodes.
    fn offers(query: &Query, free: &[u64]) -> Vec<Offer> {
        let list = consecutive_slots(10, 10 + free.len() as u64, |slot| free[slot as usize - 10]);
        Osp::default().offers(query, &list)
    }

    const fn offer(start: u64, end: u64, nodes: u64, seed: (u64, u64), solution: bool) -> Offer {
        Offer {
            start,
            end,
            nodes,
            seed,
            solution,
        }
    }

    #[test]
    fn equal_neighbours_are_one() {
        let free = [3, 3, 1, 0, 0];
        let expected =
            [(2, 3), (1, 1), (2, 0)].map(|(slots, free)| ConsecutiveSlots { slots, free });
        assert_eq!(
            consecutive_slots(0, 5, |slot| free[slot as usize]),
            expected
        );
    }

    #[test]
    fn it_grows_left_then_right_from_the_least_free_that_is_enough() {
        // The slots with 2 free come first though those with 3 lie before them, and one more is taken on the left.
        let found = offers(&QUERY, &[1, 3, 3, 2, 2, 4, 4, 1, 1, 1]);
        assert_eq!(found, [offer(11, 15, 2, (13, 15), true)]);
        // Nothing is left of it, so it grows to the right.
        let found = offers(&QUERY, &[1, 2, 2, 4, 4, 4, 1, 1, 1, 1]);
        assert_eq!(found, [offer(11, 16, 2, (11, 13), true)]);
    }

    #[test]
    fn without_a_solution_every_seed_makes_an_offer_and_equal_ones_are_listed_once() {
        let found = offers(&QUERY, &[2, 3, 1, 4, 4, 4, 1, 1, 1, 1]);
        let one = offer(10, 12, 2, (10, 11), false);
        let twice = offer(10, 12, 2, (11, 12), false);
        let other = offer(13, 16, 4, (13, 16), false);
        assert_eq!(found, [one, twice, other]);
        assert_eq!(listed(found), [one, other]);
    }

    #[test]
    fn the_solution_goes_first_and_ends_the_search() {
        let found = offers(&QUERY, &[2, 1, 3, 3, 3, 3, 1, 4, 4, 4]);
        let solution = offer(12, 16, 3, (12, 16), true);
        assert_eq!(found, [solution, offer(10, 11, 2, (10, 11), false)]);
    }

    #[test]
    fn no_offer_is_narrower_than_asked_unless_no_width_was_asked() {
        let free = [1, 1, 1, 1, 0, 3, 3, 1, 1, 1];
        let asked = offers(&QUERY, &free);
        assert_eq!(asked, [offer(15, 17, 3, (15, 17), false)]);
        let open = Query {
            nodes: None,
            ..QUERY
        };
        let found = offers(&open, &free);
        assert!(found.iter().any(|offer| offer.nodes == 1));
        assert!(found.iter().all(|offer| !offer.solution));
    }

    #[test]
    fn users_take_the_longest_that_is_at_least_half_of_what_they_want() {
        let short = offer(10, 12, 2, (10, 12), false);
        let long = offer(14, 17, 5, (14, 17), false);
        let reduced = Place {
            start: 14,
            end: 17,
            nodes: 2,
        };
        assert_eq!(choose(&[short, long], 4, 2), Some(reduced));
        // Half of 7 is more than 3.
        assert_eq!(choose(&[short, long], 7, 2), None);
        // A narrow offer is left out although it is the longest.
        let narrow = offer(10, 15, 1, (10, 15), false);
        assert_eq!(choose(&[narrow, long], 4, 3).unwrap().start, 14);
        assert_eq!(choose(&[narrow, long], 4, 2).unwrap().nodes, 1);
    }

    #[test]
    fn a_job_covers_the_slots_its_offer_grew_from() {
        let solution = offer(10, 20, 2, (16, 18), true);
        let at = |duration| choose(&[solution], duration, 2).unwrap().start;
        // As early as the seed stays covered; its begin where it is longer than the job; the offer's begin at the earliest.
        assert_eq!([at(4), at(2), at(1), at(9)], [14, 16, 16, 10]);
    }

    #[test]
    fn operations_are_counted() {
        let mut osp = Osp::default();
        let list = consecutive_slots(0, 5, |slot| 5 + slot);
        osp.offers(&QUERY, &list);
        assert!(osp.counted() > 5);
        assert_eq!(osp.counted(), 0);
    }
}
