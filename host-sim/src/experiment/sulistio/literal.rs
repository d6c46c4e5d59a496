//! Algorithms 1 and 2 of the paper line by line, counting what they do. Not what runs: it tells whether the kernel offers
//! the same, and what the paper's O(n^2) counts.
//!
//! Source: `sulistio`, section 3 (algorithm 1) and section 4.2 (algorithm 2).

/// A query: an interval of slots, and as soft constraints how long and how wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Query {
    /// `tis`, the first slot of the interval.
    pub(super) from: u64,
    /// `tie`, the slot behind its last.
    pub(super) to: u64,
    /// `dur` in slots.
    pub(super) duration: Option<u64>,
    /// `numCN`.
    pub(super) nodes: Option<u64>,
}

/// Consecutive slots with the same number of free compute nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ConsecutiveSlots {
    /// `numSlot`.
    pub(super) slots: u64,
    /// `freeCN`.
    pub(super) free: u64,
}

/// What the resource offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offer {
    /// Its first slot.
    pub(super) start: u64,
    /// The slot behind its last.
    pub(super) end: u64,
    /// `minCN`.
    pub(super) nodes: u64,
    /// The slots that it grew from.
    pub(super) seed: (u64, u64),
    /// Whether it meets a query for both.
    pub(super) solution: bool,
}

/// A place in the resource, from a slot to another on so many nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) nodes: u64,
}

/// `find_consecutive_slot`: the interval as consecutive slots; `free` tells of each slot.
pub(super) fn consecutive_slots(
    from: u64,
    to: u64,
    free: impl Fn(u64) -> u64,
) -> Vec<ConsecutiveSlots> {
    let mut list: Vec<ConsecutiveSlots> = Vec::new();
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
pub(super) struct Osp {
    operations: u64,
}

impl Osp {
    /// What was done since the last call.
    pub(super) fn counted(&mut self) -> u64 {
        std::mem::take(&mut self.operations)
    }

    /// Algorithm 1; `slot_list` is what the interval looks like. The solution is first, the others in the order found.
    pub(super) fn offers(&mut self, query: &Query, slot_list: &[ConsecutiveSlots]) -> Vec<Offer> {
        let need_solution = query.duration.is_some() && query.nodes.is_some();
        let ts = query.duration.unwrap_or(1);
        let nodes = query.nodes.unwrap_or(1);
        let begins = begins(query.from, slot_list);
        let mut offers = Vec::new();
        for index in self.sorted_index(slot_list) {
            self.operations += 1;
            if slot_list[index].free < nodes {
                continue;
            }
            let (head, tail, total, free) = self.grow(index, slot_list, ts, nodes);
            let solution = need_solution && total >= ts;
            let offer = Offer {
                start: begins[head],
                end: begins[tail] + slot_list[tail].slots,
                nodes: free,
                seed: (begins[index], begins[index] + slot_list[index].slots),
                solution,
            };
            if solution {
                offers.insert(0, offer);
                break;
            }
            offers.push(offer);
        }
        // set_cost looks at each offer once.
        self.operations += offers.len() as u64;
        offers
    }

    /// Lines 15 to 36: first to the left, then to the right.
    fn grow(
        &mut self,
        index: usize,
        slot_list: &[ConsecutiveSlots],
        ts: u64,
        nodes: u64,
    ) -> (usize, usize, u64, u64) {
        let (mut head, mut tail) = (index, index);
        let (mut total, mut least) = (slot_list[index].slots, slot_list[index].free);
        for left in (0..index).rev() {
            self.operations += 1;
            let free = slot_list[left].free;
            if free < nodes || total >= ts {
                break;
            }
            head = left;
            total += slot_list[left].slots;
            least = least.min(free);
        }
        for (right, next) in slot_list.iter().enumerate().skip(index + 1) {
            self.operations += 1;
            if next.free < nodes || total >= ts {
                break;
            }
            tail = right;
            total += next.slots;
            least = least.min(next.free);
        }
        (head, tail, total, least)
    }

    /// `get_sorted_index`: by free nodes, equals in their order. Insertion by bisection, so that each comparison is counted.
    fn sorted_index(&mut self, slot_list: &[ConsecutiveSlots]) -> Vec<usize> {
        let mut sorted: Vec<usize> = Vec::with_capacity(slot_list.len());
        for (index, slots) in slot_list.iter().enumerate() {
            let place = sorted.partition_point(|&other| {
                self.operations += 1;
                slot_list[other].free <= slots.free
            });
            sorted.insert(place, index);
        }
        sorted
    }
}

/// The first slot of each member of the list.
fn begins(from: u64, slot_list: &[ConsecutiveSlots]) -> Vec<u64> {
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
pub(super) fn listed(offers: Vec<Offer>) -> Vec<Offer> {
    let mut listed: Vec<Offer> = Vec::new();
    for offer in offers {
        let window = |other: &Offer| (other.start, other.end);
        if listed.iter().all(|other| window(other) != window(&offer)) {
            listed.push(offer);
        }
    }
    listed
}

/// Algorithm 2 with what the user wants, in slots and nodes: the solution where there is one, else the first suitable of the
/// offers from the longest to the shortest, reduced to what was wanted.
pub(super) fn choose(offers: &[Offer], duration: u64, nodes: u64) -> Option<Place> {
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

/// Where in an offer the job goes, which the paper leaves open: as early as its window covers the slots the offer grew from,
/// for these are the local minimum it is to fill; where they are longer than the job, at their begin.
fn place(offer: &Offer, duration: u64, nodes: u64) -> Place {
    let length = duration.min(offer.end - offer.start);
    let (begin, end) = offer.seed;
    let start = end.saturating_sub(length).clamp(offer.start, begin);
    Place {
        start,
        end: start + length,
        nodes: nodes.min(offer.nodes),
    }
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
