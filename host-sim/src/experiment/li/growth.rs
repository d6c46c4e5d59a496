//! How the counted operations of the literal structure grow, beside the formulas of the paper.
//!
//! Source: `li`, sections 4.1 and 4.2 (complexity).

use std::collections::BTreeSet;

use super::literal::LiteralList;

/// One quantity grown while the others stay.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    /// The quantity.
    pub(super) quantity: &'static str,
    /// Whether the formula speaks of it.
    pub(super) in_formula: bool,
    /// Its value, the operations counted, and the formula, from least to most.
    pub(super) steps: Vec<(u64, f64, f64)>,
}

impl Sweep {
    /// By what factor the quantity, the count and the formula grow from the first step to the last.
    pub(super) fn growth(&self) -> Option<(f64, f64, f64)> {
        let (first, last) = (self.steps.first()?, self.steps.last()?);
        let quantity = last.0 as f64 / first.0 as f64;
        Some((quantity, last.1 / first.1, last.2 / first.2))
    }
}

/// A list of `records` records, two slots apart, in which processing element 0 and 1 take turns.
fn turns(pes: u32, records: u64) -> LiteralList {
    let mut list = LiteralList::new(pes);
    for turn in 0..records / 2 {
        list.add(4 * turn, 4 * turn + 2, &BTreeSet::from([0]));
        list.add(4 * turn + 2, 4 * turn + 4, &BTreeSet::from([1]));
    }
    list.counted();
    list
}

const GROWING: [u64; 5] = [1, 2, 4, 8, 16];

/// Adding and deleting, by the records in the list (n), those in the interval (n') and the members (k).
pub(super) fn update() -> Vec<Sweep> {
    let sweep = |quantity, sizes: fn(u64) -> (u64, u64, u64)| Sweep {
        quantity,
        in_formula: true,
        steps: GROWING
            .map(|factor| update_step(factor, sizes(factor)))
            .to_vec(),
    };
    vec![
        sweep("n", |factor| (128 * factor, 16, 16)),
        sweep("n'", |factor| (1024, 16 * factor, 16)),
        sweep("k", |factor| (128, 16, 16 * factor)),
    ]
}

fn update_step(factor: u64, (records, inside, members): (u64, u64, u64)) -> (u64, f64, f64) {
    let mut list = turns(2 + members as u32, records);
    // The last records, the furthest from the head.
    let (from, to) = (2 * (records - inside), 2 * records);
    let (length, updated) = (list.len() as f64, list.between(from, to) as f64);
    let pes: BTreeSet<u32> = (2..2 + members as u32).collect();
    list.add(from, to, &pes);
    list.delete(from, to, &pes);
    let formula = updated * (length + members as f64 + length.log2());
    (factor, list.counted() as f64, 2.0 * formula)
}

/// Searching, by the starts in the window (p), the free processing elements (u), the neighbours of a rectangle (v), the records
/// outside (n), the size of the job (njob); and, which the formula leaves out, the processing elements busy in a record.
pub(super) fn search() -> Vec<Sweep> {
    let base = Scene {
        starts: 16,
        pes: 64,
        neighbours: 16,
        outside: 64,
        wanted: 4,
        crowd: 0,
    };
    let sweep = |quantity, in_formula, scene: &dyn Fn(u64) -> Scene| Sweep {
        quantity,
        in_formula,
        steps: GROWING.map(|factor| scene(factor).step(factor)).to_vec(),
    };
    vec![
        sweep("p", true, &|factor| Scene {
            starts: 16 * factor,
            ..base
        }),
        sweep("u", true, &|factor| Scene {
            pes: 64 * factor,
            ..base
        }),
        sweep("v", true, &|factor| Scene {
            neighbours: 16 * factor,
            ..base
        }),
        sweep("n", true, &|factor| Scene {
            outside: 64 * factor,
            ..base
        }),
        sweep("njob", true, &|factor| Scene {
            pes: 512,
            wanted: 16 * factor,
            ..base
        }),
        sweep("busy processing elements of a record", false, &|factor| {
            Scene {
                crowd: 64 * factor,
                ..base
            }
        }),
    ]
}

/// The operations of a search in an empty list, by processing elements.
pub(super) fn empty_search() -> Vec<u64> {
    let one = |factor: u64| {
        let mut list = LiteralList::new(64 * factor as u32);
        list.find(10, 5, 50, 4);
        list.counted()
    };
    GROWING.map(one).to_vec()
}

/// What a search has to go through.
#[derive(Clone, Copy)]
struct Scene {
    starts: u64,
    pes: u64,
    neighbours: u64,
    outside: u64,
    wanted: u64,
    /// Processing elements that are busy all the time, beside `pes`.
    crowd: u64,
}

impl Scene {
    /// The window has `starts` records in it and `neighbours` on each side up to a wall across the whole machine; the rest lies
    /// behind a wall.
    fn step(self, factor: u64) -> (u64, f64, f64) {
        let machine = (self.pes + self.crowd) as u32;
        let inside = self.starts + 2 * self.neighbours;
        let mut list = turns(machine, inside + self.outside);
        let wall = BTreeSet::from_iter(2..machine);
        let end = 2 * inside;
        list.add(end, end + 2, &wall);
        if self.crowd > 0 {
            let crowd = BTreeSet::from_iter(self.pes as u32..machine);
            list.add(0, end, &crowd);
        }
        list.counted();
        let length = list.len() as f64;
        let (ready, deadline) = (2 * self.neighbours, 2 * (self.neighbours + self.starts));
        // Long enough to see both turns, so that only the crowd is never free.
        let search = list.find(ready, 4, deadline, self.wanted);
        let operations = list.counted() as f64;
        let choice = self.wanted as f64 * (search.free.max(2) as f64).log2();
        let formula =
            search.areas as f64 + length * length.log2() + choice + search.feasible as f64;
        (factor, operations, formula)
    }
}

#[cfg(test)]
mod tests {
    use super::{empty_search, search, update};

    #[test]
    fn each_sweep_grows_what_it_says() {
        for sweep in update().into_iter().chain(search()) {
            let (quantity, count, _) = sweep.growth().unwrap();
            assert_eq!(quantity, 16.0, "{}", sweep.quantity);
            assert!(count > 1.0, "{}", sweep.quantity);
        }
        assert!(empty_search().iter().all(|count| *count == 1));
    }
}
