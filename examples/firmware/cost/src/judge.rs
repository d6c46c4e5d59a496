//! Says what is wrong with what was measured.

use std::fmt;

use crate::golden::{Golden, Levels};

/// How much a number may grow, in per cent, before somebody has to agree.
const GROWTH: u64 = 2;

/// What a number must not exceed, whatever the goldens say. Bars hold for optimisation level s, which firmware is usually built with.
pub struct Bar {
    pub what: What,
    pub most: u64,
}

/// A number that is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// What a step adds to an empty program, in bytes.
    Flash(&'static str),
    /// The instructions of an operation on a book.
    Instructions(&'static str, &'static str),
}

/// The bars.
pub const BARS: [Bar; 6] = [
    // A small microcontroller has 32 KiB of flash, of which a scheduler should not take much more than a fifth: 6.5 KiB.
    Bar {
        what: What::Flash("count-first-fit"),
        most: 6_656,
    },
    // And with everything that can be chosen at run time, less than half: 15 KiB.
    Bar {
        what: What::Flash("both-seven"),
        most: 15_360,
    },
    // What was measured before reservations could be moved - 6,357, 14,231, 15,514 and 40,241 - and a twentieth: who moves none should not pay
    // for it.
    Bar {
        what: What::Instructions("late small", "reserve:first-fit"),
        most: 6_674,
    },
    Bar {
        what: What::Instructions("early small", "reserve:first-fit"),
        most: 14_942,
    },
    Bar {
        what: What::Instructions("late large", "reserve:first-fit"),
        most: 16_289,
    },
    Bar {
        what: What::Instructions("early large", "reserve:first-fit"),
        most: 42_253,
    },
];

impl What {
    /// The number in `golden`, if it is there.
    fn find(self, golden: &Golden) -> Option<Levels> {
        match self {
            Self::Flash(step) => {
                let mut flash = golden.flash.iter();
                flash
                    .find(|flash| flash.step == step)
                    .map(|flash| flash.bytes)
            }
            Self::Instructions(book, name) => {
                let mut costs = golden.operation.iter();
                costs
                    .find(|cost| cost.book == book && cost.name == name)
                    .map(|cost| cost.instructions)
            }
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flash(step) => write!(f, "flash of {step}"),
            Self::Instructions(book, name) => write!(f, "instructions of {name} on {book}"),
        }
    }
}

/// The bars that `measured` misses.
pub fn missed_bars(measured: &Golden) -> Vec<String> {
    let judge = |Bar { what, most }: &Bar| match what.find(measured) {
        Some(Levels { s, .. }) if s <= *most => None,
        Some(Levels { s, .. }) => Some(format!("{what}: {s}, and the bar is {most}")),
        None => Some(format!(
            "{what}: there is a bar, {most}, and no measurement"
        )),
    };
    BARS.iter().filter_map(judge).collect()
}

/// What of `measured` has grown too much over `golden`, or is there in one and not in the other.
pub fn growth(measured: &Golden, golden: &Golden) -> Vec<String> {
    let mut grown = Vec::new();
    let (new, old) = (numbers(measured), numbers(golden));
    for (name, value) in &new {
        match old.iter().find(|(other, _)| other == name) {
            None => grown.push(format!("{name}: {value}, and no golden")),
            Some((_, before)) if value * 100 > before * (100 + GROWTH) => {
                grown.push(format!("{name}: {value}, and the golden is {before}"));
            }
            Some(_) => {}
        }
    }
    let gone = old
        .iter()
        .filter(|(name, _)| new.iter().all(|(other, _)| other != name));
    grown.extend(gone.map(|(name, _)| format!("{name}: a golden, and no measurement")));
    grown
}

/// Every number, by a name.
fn numbers(golden: &Golden) -> Vec<(String, u64)> {
    let mut all = Vec::new();
    let mut add = |name: String, levels: Levels| {
        all.push((format!("{name}, opt s"), levels.s));
        all.push((format!("{name}, opt 3"), levels.three));
    };
    for flash in &golden.flash {
        add(format!("flash of {}", flash.step), flash.bytes);
    }
    for cost in &golden.operation {
        let what = format!("{} on {}", cost.name, cost.book);
        add(format!("instructions of {what}"), cost.instructions);
        add(format!("stack of {what}"), cost.stack);
    }
    for ram in &golden.ram {
        all.push((format!("RAM of {}", ram.book), ram.bytes));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{growth, missed_bars};
    use crate::golden::{Cost, Flash, Golden, Levels};

    fn sample(bytes: u64, instructions: u64) -> Golden {
        let cost = |book: &str| Cost {
            book: book.to_owned(),
            name: "reserve:first-fit".to_owned(),
            instructions: Levels {
                s: instructions,
                three: instructions,
            },
            stack: Levels::default(),
            case: vec![],
        };
        let flash = |step: &str| Flash {
            step: step.to_owned(),
            bytes: Levels {
                s: bytes,
                three: bytes,
            },
        };
        Golden {
            compiler: String::new(),
            flash: vec![flash("count-first-fit"), flash("both-seven")],
            ram: vec![],
            operation: ["late small", "early small", "late large", "early large"]
                .map(cost)
                .to_vec(),
        }
    }

    #[test]
    fn two_per_cent_is_not_growth_and_more_is() {
        let golden = sample(1_000, 5_000);
        assert!(growth(&sample(1_020, 5_100), &golden).is_empty());
        assert_eq!(growth(&sample(1_021, 5_000), &golden).len(), 4);
        assert_eq!(growth(&sample(1_000, 5_101), &golden).len(), 8);
        assert!(growth(&sample(10, 50), &golden).is_empty());
    }

    #[test]
    fn what_is_missing_on_either_side_is_noticed() {
        let golden = sample(1_000, 5_000);
        let mut less = golden.clone();
        less.operation.pop();
        assert_eq!(growth(&less, &golden).len(), 4);
        assert_eq!(growth(&golden, &less).len(), 4);
        assert_eq!(missed_bars(&less).len(), 1);
    }

    #[test]
    fn a_bar_is_missed_by_one() {
        assert!(missed_bars(&sample(6_656, 6_674)).is_empty());
        assert_eq!(missed_bars(&sample(6_657, 6_674)).len(), 1);
        assert_eq!(missed_bars(&sample(6_656, 6_675)).len(), 1);
        assert_eq!(missed_bars(&sample(15_361, 42_254)).len(), 6);
    }
}
