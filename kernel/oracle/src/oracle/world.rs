//! A machine with groups, kinds and classes, literally: sets of numbers, and all subsets of groups.
//!
//! The kernel's own tests of the choice among free PEs use it, too.

use std::collections::BTreeSet;
use std::ops::Range;
use std::vec::Vec;

use bookahead::{Class, Eligible, Fewer, Layout, Preference, Shape, Within};

/// PEs by number.
pub type Set = BTreeSet<u16>;

/// A machine, literally.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct World {
    pub groups: u16,
    pub kinds: Vec<u8>,
    pub missing: Vec<Fewer>,
    pub levels: Vec<u16>,
}

impl World {
    #[allow(dead_code, reason = "only the kernel's tests make a layout of it")]
    pub fn layout(&self) -> Layout<'_> {
        Layout {
            groups: self.groups,
            kinds: &self.kinds,
            missing: &self.missing,
            levels: &self.levels,
        }
    }

    pub fn number(&self, kind: usize, group: u16, pe: u8) -> u16 {
        let before: u16 = self.kinds[..kind].iter().map(|pes| u16::from(*pes)).sum();
        before * self.groups + group * u16::from(self.kinds[kind]) + u16::from(pe)
    }

    /// Returns how many numbers there are.
    pub fn numbers(&self) -> u16 {
        let pes: u16 = self.kinds.iter().map(|pes| u16::from(*pes)).sum();
        pes * self.groups
    }

    /// Returns those of a group of one kind, whether they exist or not.
    pub fn of_kind(&self, kind: usize, group: u16) -> Vec<u16> {
        (0..self.kinds[kind])
            .map(|pe| self.number(kind, group, pe))
            .collect()
    }

    pub fn of_group(&self, group: u16) -> Vec<u16> {
        (0..self.kinds.len())
            .flat_map(|kind| self.of_kind(kind, group))
            .collect()
    }

    pub fn existing(&self) -> Set {
        let mut existing: Set = (0..self.groups)
            .flat_map(|group| self.of_group(group))
            .collect();
        for fewer in &self.missing {
            for group in fewer.groups.clone() {
                for pe in self.of_kind(fewer.kind, group).split_off(fewer.pes.into()) {
                    existing.remove(&pe);
                }
            }
        }
        existing
    }

    pub fn blocks(&self, level: u8) -> Vec<Range<u16>> {
        let size = self.levels[usize::from(level)];
        let starts = (0..self.groups).step_by(size.into());
        starts
            .map(|start| start..(start + size).min(self.groups))
            .collect()
    }

    pub fn eligible(&self, class: &Class<'_>) -> Set {
        let all = self.existing();
        let chosen: Set = match class.eligible {
            Eligible::All => all.clone(),
            Eligible::Groups { groups, kinds } => {
                let groups = groups.iter().flat_map(Range::clone);
                let kinds = (0..self.kinds.len()).filter(|kind| kinds >> kind & 1 == 1);
                let kinds: Vec<usize> = kinds.collect();
                groups
                    .flat_map(|group| {
                        kinds
                            .iter()
                            .flat_map(move |kind| self.of_kind(*kind, group))
                    })
                    .collect()
            }
            Eligible::Pes(words) => {
                let numbers = 0..32 * words.len() as u16;
                numbers
                    .filter(|pe| words[usize::from(*pe / 32)] >> (pe % 32) & 1 == 1)
                    .collect()
            }
        };
        chosen.intersection(&all).copied().collect()
    }

    /// Returns how many of each kind a group gives; `None` for a class that asks for a number.
    pub fn per_group(&self, class: &Class<'_>) -> Option<Vec<usize>> {
        match class.shape {
            Shape::Number => None,
            Shape::PerGroup(pes) => {
                let mut pes: Vec<usize> = pes.iter().map(|pes| usize::from(*pes)).collect();
                pes.resize(self.kinds.len(), 0);
                Some(pes)
            }
            Shape::WholeGroups => {
                let eligible = self.eligible(class);
                let counts = |group| -> Vec<usize> {
                    let kinds = 0..self.kinds.len();
                    kinds
                        .map(|kind| count(&self.of_kind(kind, group), &eligible))
                        .collect()
                };
                (0..self.groups)
                    .map(counts)
                    .find(|counts| counts.iter().sum::<usize>() > 0)
            }
        }
    }

    pub fn gives(&self, per_group: &[usize], free: &Set, group: u16) -> bool {
        let enough =
            |(kind, need): (usize, &usize)| count(&self.of_kind(kind, group), free) >= *need;
        per_group.iter().enumerate().all(enough)
    }

    /// Returns whether free and eligible processing elements serve a class, by all subsets of groups.
    pub fn serves(&self, class: &Class<'_>, free: &Set, pes: u32) -> bool {
        let blocks = match class.within {
            Within::Required(level) => self.blocks(level),
            _ => std::iter::once(0..self.groups).collect(),
        };
        let Some(per_group) = self.per_group(class) else {
            let in_block = |block: &Range<u16>| {
                block
                    .clone()
                    .map(|group| count(&self.of_group(group), free))
                    .sum::<usize>()
            };
            return blocks.iter().any(|block| in_block(block) >= (pes as usize));
        };
        let unit = per_group.iter().sum::<usize>();
        if !(pes as usize).is_multiple_of(unit) {
            return false;
        }
        let wanted = pes as usize / unit;
        (0_u32..1 << self.groups).any(|subset| {
            let mut groups = (0..self.groups).filter(|group| subset >> group & 1 == 1);
            subset.count_ones() as usize == wanted
                && blocks
                    .iter()
                    .any(|block| groups.clone().all(|group| block.contains(&group)))
                && groups.all(|group| self.gives(&per_group, free, group))
        })
    }

    /// Returns what the class gets of free and eligible ones that serve it.
    pub fn choice(&self, class: &Class<'_>, free: &Set, pes: u32) -> Set {
        let per_group = self.per_group(class);
        let unit = per_group.as_ref().map_or(1, |pes| pes.iter().sum());
        let wanted = pes as usize / unit;
        let in_group = |group: u16| count(&self.of_group(group), free);
        let units = |groups: &Range<u16>| match &per_group {
            None => groups.clone().map(in_group).sum::<usize>(),
            Some(per_group) => groups
                .clone()
                .filter(|group| self.gives(per_group, free, *group))
                .count(),
        };
        let all = 0..self.groups;
        let scope = match class.within {
            Within::Anywhere => all,
            Within::Required(level) | Within::Preferred(level) => {
                let mut blocks = self.blocks(level);
                blocks.retain(|block| units(block) >= wanted);
                let free_in = |block: &Range<u16>| block.clone().map(in_group).sum::<usize>();
                match class.preference {
                    Preference::Lowest => (),
                    Preference::Pack => blocks.sort_by_key(free_in),
                    Preference::Spread => blocks.sort_by_key(|block| usize::MAX - free_in(block)),
                    Preference::Compact(_) => blocks.sort_by_key(units),
                    Preference::Order(list) => {
                        let place = |block: &Range<u16>| {
                            list.iter().position(|group| block.contains(group))
                        };
                        blocks.sort_by_key(|block| place(block).unwrap_or(usize::MAX));
                    }
                }
                blocks.into_iter().next().unwrap_or(all)
            }
        };
        let mut groups: Vec<u16> = scope.clone().collect();
        let mut lowest_first = false;
        match class.preference {
            Preference::Lowest => lowest_first = true,
            Preference::Pack => groups.sort_by_key(|group| in_group(*group)),
            Preference::Spread => groups.sort_by_key(|group| usize::MAX - in_group(*group)),
            Preference::Order(list) => {
                let (mut listed, mut others): (Vec<u16>, Vec<u16>) =
                    groups.into_iter().partition(|group| list.contains(group));
                listed.sort_by_key(|group| list.iter().position(|other| other == group));
                if per_group.is_none() {
                    // Of groups that are not listed, the lowest numbers.
                    let mut chosen: Set = Set::new();
                    let numbers = listed.iter().flat_map(|group| self.of_group(*group));
                    let others: Set = others
                        .iter()
                        .flat_map(|group| self.of_group(*group))
                        .collect();
                    let numbers = numbers.chain(others).filter(|pe| free.contains(pe));
                    chosen.extend(numbers.take(wanted));
                    return chosen;
                }
                listed.append(&mut others);
                groups = listed;
            }
            Preference::Compact(level) => {
                let mut blocks = self.blocks(level);
                for block in &mut blocks {
                    *block = block.start.max(scope.start)..block.end.min(scope.end);
                }
                blocks.retain(|block| block.start < block.end);
                let (mut taken, mut rest) = (Vec::new(), wanted);
                while rest > 0 {
                    let suffices = blocks.iter().filter(|block| units(block) >= rest);
                    let most = || {
                        blocks.iter().max_by_key(|block| {
                            (units(block), usize::MAX - usize::from(block.start))
                        })
                    };
                    let next = suffices
                        .min_by_key(|block| units(block))
                        .or_else(most)
                        .unwrap()
                        .clone();
                    blocks.retain(|block| *block != next);
                    let got = units(&next).min(rest);
                    taken.push((next, got));
                    rest -= got;
                }
                return taken
                    .into_iter()
                    .flat_map(|(block, units)| self.lowest(&per_group, free, block, units))
                    .collect();
            }
        }
        match &per_group {
            None if lowest_first => self.lowest(&per_group, free, scope, wanted),
            None if class.preference == Preference::Spread => {
                let of_group = |group: &u16| -> Vec<u16> {
                    self.of_group(*group)
                        .into_iter()
                        .filter(|pe| free.contains(pe))
                        .collect()
                };
                let lists: Vec<Vec<u16>> = groups.iter().map(of_group).collect();
                let rounds = 0..pes as usize;
                let in_turn =
                    rounds.flat_map(|round| lists.iter().filter_map(move |list| list.get(round)));
                in_turn.copied().take(wanted).collect()
            }
            None => {
                let numbers = groups.iter().flat_map(|group| self.of_group(*group));
                numbers
                    .filter(|pe| free.contains(pe))
                    .take(wanted)
                    .collect()
            }
            Some(needs) => {
                let giving = groups
                    .into_iter()
                    .filter(|group| self.gives(needs, free, *group));
                giving
                    .take(wanted)
                    .flat_map(|group| self.of_one(needs, free, group))
                    .collect()
            }
        }
    }

    /// Returns the lowest units of a block.
    fn lowest(
        &self,
        per_group: &Option<Vec<usize>>,
        free: &Set,
        block: Range<u16>,
        units: usize,
    ) -> Set {
        match per_group {
            None => {
                let numbers: Set = block.flat_map(|group| self.of_group(group)).collect();
                numbers
                    .into_iter()
                    .filter(|pe| free.contains(pe))
                    .take(units)
                    .collect()
            }
            Some(needs) => {
                let giving = block.filter(|group| self.gives(needs, free, *group));
                giving
                    .take(units)
                    .flat_map(|group| self.of_one(needs, free, group))
                    .collect()
            }
        }
    }

    /// Returns what one group gives.
    fn of_one(&self, needs: &[usize], free: &Set, group: u16) -> Vec<u16> {
        let kinds = needs.iter().enumerate();
        let numbers = kinds.flat_map(|(kind, need)| {
            let free = self
                .of_kind(kind, group)
                .into_iter()
                .filter(|pe| free.contains(pe));
            free.take(*need).collect::<Vec<u16>>()
        });
        numbers.collect()
    }
}

pub fn count(pes: &[u16], set: &Set) -> usize {
    pes.iter().filter(|pe| set.contains(pe)).count()
}
