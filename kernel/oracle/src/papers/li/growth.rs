//! How the counted operations of the literal structure grow, beside the formulas of the paper.
//!
//! Source: `li`, sections 4.1 and 4.2 (complexity).

use std::collections::BTreeSet;

use super::literal::LiteralList;

/// One quantity grown while the others stay.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// The quantity.
    pub quantity: &'static str,
    /// Whether the formula speaks of it.
    pub in_formula: bool,
    /// Its value, the operations counted, and the formula, from least to most.
    pub steps: Vec<(u64, f64, f64)>,
}

impl Sweep {
    /// By what factor the quantity, the count and the formula grow from the first step to the last.
    pub fn growth(&self) -> Option<(f64, f64, f64)> {
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
pub fn update() -> Vec<Sweep> {
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
pub fn search() -> Vec<Sweep> {
    let base = Obstacles {
        starts: 16,
        pes: 64,
        neighbours: 16,
        outside: 64,
        wanted: 4,
        crowd: 0,
    };
    let sweep = |quantity, in_formula, scene: &dyn Fn(u64) -> Obstacles| Sweep {
        quantity,
        in_formula,
        steps: GROWING.map(|factor| scene(factor).step(factor)).to_vec(),
    };
    vec![
        sweep("p", true, &|factor| Obstacles {
            starts: 16 * factor,
            ..base
        }),
        sweep("u", true, &|factor| Obstacles {
            pes: 64 * factor,
            ..base
        }),
        sweep("v", true, &|factor| Obstacles {
            neighbours: 16 * factor,
            ..base
        }),
        sweep("n", true, &|factor| Obstacles {
            outside: 64 * factor,
            ..base
        }),
        sweep("njob", true, &|factor| Obstacles {
            pes: 512,
            wanted: 16 * factor,
            ..base
        }),
        sweep("busy processing elements of a record", false, &|factor| {
            Obstacles {
                crowd: 64 * factor,
                ..base
            }
        }),
    ]
}

/// The operations of a search in an empty list, by processing elements.
pub fn empty_search() -> Vec<u64> {
    let one = |factor: u64| {
        let mut list = LiteralList::new(64 * factor as u32);
        list.find(10, 5, 50, 4);
        list.counted()
    };
    GROWING.map(one).to_vec()
}

/// What a search has to go through.
#[derive(Clone, Copy)]
struct Obstacles {
    starts: u64,
    pes: u64,
    neighbours: u64,
    outside: u64,
    wanted: u64,
    /// Processing elements that are busy all the time, beside `pes`.
    crowd: u64,
}

impl Obstacles {
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
    use super::{Sweep, empty_search, search, update};

    /// What a quantity 16 times as large makes of the count and of the formula, to the hundredth.
    fn growth(sweep: Sweep) -> (&'static str, f64, f64) {
        let (quantity, count, formula) = sweep.growth().unwrap();
        assert_eq!(quantity, 16.0, "{}", sweep.quantity);
        let rounded = |factor: f64| (100.0 * factor).round() / 100.0;
        (sweep.quantity, rounded(count), rounded(formula))
    }

    #[test]
    fn counts_grow_as_the_formulas_do_but_for_what_these_leave_out() {
        let expected = [
            ("n", 14.36, 13.66),
            ("n'", 14.15, 16.0),
            ("k", 2.67, 2.58),
            ("p", 105.25, 98.59),
            ("u", 16.41, 16.21),
            ("v", 11.4, 10.73),
            ("n", 1.02, 1.22),
            ("njob", 1.01, 1.01),
            ("busy processing elements of a record", 1.64, 1.0),
        ];
        let grown = update().into_iter().chain(search()).map(growth);
        assert_eq!(grown.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn an_update_touches_its_members_in_each_of_its_records_once() {
        // Records of 16 members and of 16 times as many, the same otherwise: the rest is places found.
        let [least, .., most] = &update()[2].steps[..] else {
            panic!("a sweep has steps");
        };
        // 16 records, added and deleted.
        assert_eq!(most.1 - least.1, 2.0 * 16.0 * (256.0 - 16.0));
    }

    #[test]
    fn a_search_of_nothing_is_one_look() {
        assert_eq!(empty_search(), [1; 5]);
    }
}
