//! Algorithm 1 of `sulistio`, line by line and with its names, over what the twin sees.
//!
//! Read so where the paper leaves it open: a slot is the unit of time, so the δ of line 4 is 1; ranking is stable; the same head and
//! tail make one offer, the first; and where PEs have names, `freeCN` of several groups is what they have in common.

use crate::Free;

/// An element of `slotList`: a longest possible sequence of slots in which the same is free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsecutiveSlot {
    /// How many slots.
    pub num_slot: u64,
    /// What is free in each of them.
    pub free: Free,
}

/// An element of `offerList`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedOffer {
    /// The first of its groups.
    pub head: usize,
    /// The last of its groups.
    pub tail: usize,
    /// The group it grew from.
    pub index: usize,
    /// Slots in all.
    pub tot_slot: u64,
    /// What is free throughout.
    pub min_cn: Free,
}

/// What the algorithm returns, and what that took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    /// The offers, a solution first.
    pub offer_list: Vec<PackedOffer>,
    /// Whether the first one is a solution.
    pub found_sol: bool,
    /// How often the body of a loop was entered.
    pub steps: u64,
}

/// The groups of consecutive slots.
#[must_use]
pub fn find_consecutive_slot(slots: &[Free]) -> Vec<ConsecutiveSlot> {
    let groups = slots.chunk_by(|a, b| a == b);
    let group = |group: &[Free]| ConsecutiveSlot {
        num_slot: group.len() as u64,
        free: group[0].clone(),
    };
    groups.map(group).collect()
}

/// Algorithm 1 from line 9 on, with the lines of the paper beside it.
#[must_use]
#[allow(
    clippy::needless_range_loop,
    reason = "the paper's loops count, and so do these"
)]
pub fn osp(slot_list: &[ConsecutiveSlot], dur: Option<u32>, num_cn: Option<u16>) -> Packing {
    let need_sol = dur.is_some() && num_cn.is_some(); // 1-3
    let ts = u64::from(dur.unwrap_or(1)); // 4, 7
    let num_cn = num_cn.unwrap_or(1); // 5
    let mut packing = Packing {
        offer_list: Vec::new(), // 6
        found_sol: false,
        steps: 0,
    };
    let size = slot_list.len(); // 9
    let index_rank = get_sorted_index(slot_list); // 10
    for &index in &index_rank {
        // 11, 12
        packing.steps += 1;
        let slot = &slot_list[index]; // 13
        if slot.free.count() < num_cn {
            continue; // 14
        }
        let mut offer = PackedOffer {
            head: index, // 15
            tail: index, // 16
            index,
            tot_slot: slot.num_slot,   // 17
            min_cn: slot.free.clone(), // 18
        };
        for l in (0..index).rev() {
            // 19
            packing.steps += 1;
            let free_cn = slot_list[l].free.clone().and(&offer.min_cn); // 20, 26
            if free_cn.count() < num_cn || offer.tot_slot >= ts {
                break; // 21-23
            }
            offer.head = l; // 24
            offer.tot_slot += slot_list[l].num_slot; // 25
            offer.min_cn = free_cn; // 26
        }
        for r in index + 1..size {
            // 28
            packing.steps += 1;
            let free_cn = slot_list[r].free.clone().and(&offer.min_cn); // 29, 35
            if free_cn.count() < num_cn || offer.tot_slot >= ts {
                break; // 30-32
            }
            offer.tail = r; // 33
            offer.tot_slot += slot_list[r].num_slot; // 34
            offer.min_cn = free_cn; // 35
        }
        if offer.tot_slot >= ts && need_sol {
            // 39
            packing.found_sol = true;
            packing.offer_list.insert(0, offer); // 37, 40
            break; // 41
        }
        add_offer(&mut packing.offer_list, offer); // 37, 38
    }
    packing // 45
}

/// The indices of the groups in increasing order of what is free, the earlier of equals first.
fn get_sorted_index(slot_list: &[ConsecutiveSlot]) -> Vec<usize> {
    let mut index_rank: Vec<usize> = (0..slot_list.len()).collect();
    index_rank.sort_by_key(|&index| slot_list[index].free.count());
    index_rank
}

fn add_offer(offer_list: &mut Vec<PackedOffer>, offer: PackedOffer) {
    let same = |other: &PackedOffer| (other.head, other.tail) == (offer.head, offer.tail);
    if !offer_list.iter().any(same) {
        offer_list.push(offer);
    }
}
