//! Algorithm 1 of the paper as it is printed and without counting, to be measured beside: [`literal`](super::literal) counts, and takes
//! half as long again.
//!
//! Source: `sulistio`, section 3 (algorithm 1).

use std::ops::Range;

/// Equal slots side by side.
struct Group {
    slots: Range<usize>,
    free: u16,
}

/// What algorithm 1 offers: start, end, nodes; the solution first.
pub type Offered = (usize, usize, u16);

/// Algorithm 1 for `wanted` slots of `nodes` nodes within `interval`; `free` tells of each slot.
pub fn osp(
    interval: Range<usize>,
    free: impl Fn(usize) -> u16,
    wanted: usize,
    nodes: u16,
) -> Vec<Offered> {
    let mut list: Vec<Group> = Vec::new();
    for slot in interval {
        let free = free(slot);
        match list.last_mut() {
            Some(last) if last.free == free => last.slots.end = slot + 1,
            _ => list.push(Group {
                slots: slot..slot + 1,
                free,
            }),
        }
    }
    let mut rank: Vec<usize> = (0..list.len()).collect();
    rank.sort_by_key(|index| list[*index].free);
    let mut offers = Vec::new();
    for index in rank {
        if list[index].free < nodes {
            continue;
        }
        let (mut head, mut tail) = (index, index);
        let (mut total, mut least) = (list[index].slots.len(), list[index].free);
        let mut take = |group: &Group, total: &mut usize| {
            let takes = group.free >= nodes && *total < wanted;
            if takes {
                *total += group.slots.len();
                least = least.min(group.free);
            }
            takes
        };
        while head > 0 && take(&list[head - 1], &mut total) {
            head -= 1;
        }
        while tail + 1 < list.len() && take(&list[tail + 1], &mut total) {
            tail += 1;
        }
        offers.push((list[head].slots.start, list[tail].slots.end, least));
        if total >= wanted {
            offers.rotate_right(1);
            break;
        }
    }
    offers
}

#[cfg(test)]
mod tests {
    use super::osp;
    use crate::papers::sulistio::literal::{Osp, Query, consecutive_slots};

    /// All lists of six slots with up to three free nodes: every query for up to four slots of up to two nodes.
    #[test]
    fn it_offers_what_the_counting_one_offers() {
        for number in 0..4_u16.pow(6) {
            let free = |slot: usize| number / 4_u16.pow(slot as u32) % 4;
            for (duration, nodes) in [(1, 1), (2, 1), (2, 2), (4, 1), (4, 2)] {
                let query = Query {
                    from: 0,
                    to: 6,
                    duration: Some(duration),
                    nodes: Some(nodes),
                };
                let list = consecutive_slots(0, 6, |slot| u64::from(free(slot as usize)));
                let counted = Osp::default().offers(&query, &list).into_iter();
                let counted = counted.map(|offer| (offer.start, offer.end, offer.nodes));
                let uncounted = osp(0..6, free, duration as usize, nodes as u16).into_iter();
                let uncounted =
                    uncounted.map(|(start, end, nodes)| (start as u64, end as u64, nodes.into()));
                assert!(counted.eq(uncounted), "{number}: {query:?}");
            }
        }
    }
}
