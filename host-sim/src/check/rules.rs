//! What rules take of the machine, for rules 12 and 14.

use std::collections::{BTreeSet, HashSet};

use super::settings::Settings;
use crate::{
    files::Booking,
    rule::{Absent, Rule},
};

/// What rules take from some time on, as far as it is known then.
pub(super) struct Base {
    pub(super) since: u64,
    pub(super) taken: Vec<Booking>,
}

/// What rules take before `last`, whenever that becomes something else. O(changes x turns x rules x PEs).
pub(super) fn bases(settings: &Settings, last: u64) -> Vec<Base> {
    let (rules, slot) = (settings.rules(), settings.slots().0);
    let holds = || rules.iter().map(|rule| (rule, rule.holds(slot)));
    let changes: BTreeSet<u64> = holds().flat_map(|(_, holds)| holds).collect();
    let changes = changes.into_iter().filter(|since| *since < last);
    let bases = changes.map(|since| {
        let known = holds().filter(|(_, holds)| (holds[0]..holds[1]).contains(&since));
        let known: Vec<&Rule> = known.map(|(rule, _)| rule).collect();
        let turns = |rule: &&Rule| rule.turns([since, last], slot).collect::<Vec<_>>();
        let edges: BTreeSet<u64> = known.iter().flat_map(turns).flatten().collect();
        let edges: Vec<u64> = edges.into_iter().collect();
        let taken = edges.windows(2).filter_map(|edges| {
            let &[start, end] = edges else { return None };
            let takes = |rule: &&&Rule| {
                let turn = rule.turns([start, end], slot).next();
                turn.is_some_and(|turn| turn[0] == start)
            };
            let pes = together(known.iter().filter(takes).copied());
            (pes > 0).then_some(Booking { start, end, pes })
        });
        Base {
            since,
            taken: taken.collect(),
        }
    });
    bases.collect()
}

/// How many processing elements these rules take together: the greatest number, and all that are in a set.
fn together<'a>(rules: impl Iterator<Item = &'a Rule>) -> u64 {
    let (mut number, mut sets) = (0, HashSet::new());
    for rule in rules {
        match &rule.pes {
            Absent::Number(pes) => number = number.max(u64::from(*pes)),
            Absent::These(pes) => sets.extend(pes.numbers()),
        }
    }
    number.max(sets.len() as u64)
}
