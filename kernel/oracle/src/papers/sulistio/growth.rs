//! How the counted operations of algorithm 1 grow with the consecutive slots, beside n^2; and whether a slot is where the index says.
//!
//! Source: `sulistio`, section 3 (complexity) and section 2.3 (equation 1).

use super::literal::{ConsecutiveSlots, Osp, Query};

/// Numbers of consecutive slots.
const SIZES: [u64; 6] = [8, 16, 32, 64, 128, 256];

/// What a list of consecutive slots looks like.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// What it is called.
    pub name: &'static str,
    free: fn(u64) -> u64,
}

/// The worst first: every seed grows over the whole list and the query is never satisfied, however the free nodes lie.
pub const SHAPES: [Shape; 3] = [
    Shape {
        name: "rising",
        free: |at| at + 1,
    },
    Shape {
        name: "in turns",
        free: |at| 1 + at % 2,
    },
    Shape {
        name: "every other full",
        free: |at| at % 2,
    },
];

/// The operations of a query that asks for more slots than there are, by the number of consecutive slots.
pub fn operations(shape: Shape) -> Vec<(u64, u64)> {
    let one = |size: u64| {
        let list: Vec<ConsecutiveSlots> = (0..size)
            .map(|at| ConsecutiveSlots {
                slots: 1,
                free: (shape.free)(at),
            })
            .collect();
        let query = Query {
            from: 0,
            to: size,
            duration: Some(size + 1),
            nodes: Some(1),
        };
        let mut osp = Osp::default();
        osp.offers(&query, &list);
        (size, osp.counted())
    };
    SIZES.map(one).to_vec()
}

/// The paper's array of slots, taken literally: how many are reserved in each, and who starts there.
struct SlotArray {
    slots: Vec<(u64, Vec<u64>)>,
}

impl SlotArray {
    fn new(size: u64) -> Self {
        Self {
            slots: vec![(0, Vec::new()); size as usize],
        }
    }

    /// Equation 1 for a time in slots.
    fn at(&mut self, slot: u64) -> &mut (u64, Vec<u64>) {
        let place = slot % self.slots.len() as u64;
        &mut self.slots[place as usize]
    }

    fn reserve(&mut self, from: u64, to: u64, nodes: u64) {
        for slot in from..to {
            self.at(slot).0 += nodes;
        }
        self.at(from).1.push(nodes);
    }
}

/// What was read from an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Size of the array.
    pub slots: u64,
    /// Reservations in it.
    pub reservations: u64,
    /// Reads that found another number than the reservations have together.
    pub wrong: u64,
}

/// Reads every slot of arrays of several sizes, some of which hold a stretch of time that begins in their middle.
pub fn accesses() -> Vec<Access> {
    let cases = [(64, 0), (64, 50), (8_640, 0), (8_640, 50), (8_640, 5_000)];
    cases
        .map(|(slots, reservations)| access(slots, reservations))
        .to_vec()
}

fn access(slots: u64, reservations: u64) -> Access {
    const LENGTH: u64 = 8;
    let mut array = SlotArray::new(slots);
    let now = 5 * slots / 2;
    for number in 0..reservations {
        array.reserve(now + number, now + number + LENGTH, 1);
    }
    let mut access = Access {
        slots,
        reservations,
        wrong: 0,
    };
    for offset in 0..slots {
        let reserved = array.at(now + offset).0;
        // Reservation r covers the offsets from r on.
        let first = (offset + 1).saturating_sub(LENGTH);
        let covering = (offset + 1).min(reservations).saturating_sub(first);
        access.wrong += u64::from(reserved != covering);
    }
    access
}

#[cfg(test)]
mod tests {
    use super::{SHAPES, accesses, operations};

    #[test]
    fn the_worst_list_takes_every_seed_over_all_of_it() {
        for shape in &SHAPES[..2] {
            for (size, count) in operations(*shape) {
                // Each seed visits every group once and makes an offer; the rest is comparisons, bisection needs at most so many.
                let rest = count - size * size - size;
                let most = size * u64::from(size.ilog2() + 1);
                assert!(size < rest && rest <= most, "{size}: {count}");
            }
            assert_eq!(operations(*shape).last(), Some(&(256, 67_832)));
        }
    }

    #[test]
    fn where_every_other_group_is_full_no_seed_grows() {
        for (size, count) in operations(SHAPES[2]) {
            // Half of the groups are offers, which visit both neighbours but for the last.
            let rest = count - size - (size - 1) - size / 2;
            assert!(
                rest <= size * u64::from(size.ilog2() + 1),
                "{size}: {count}"
            );
        }
        assert_eq!(operations(SHAPES[2]).last(), Some(&(256, 2_679)));
    }

    #[test]
    fn every_slot_holds_the_right_number() {
        for access in accesses() {
            assert_eq!(access.wrong, 0, "{access:?}");
        }
    }
}
