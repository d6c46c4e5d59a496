//! The layout of a machine as files state it: groups (nodes) of several kinds of processing elements, blocks of groups, and partitions.
//!
//! Nothing here asks the kernel whether a job may have what it has, so that the checker can rely on it.

mod asks;
mod class;
mod fragments;
#[cfg(feature = "cli")]
mod read;

use std::{collections::BTreeMap, fmt, ops::Range};

use serde::{Deserialize, Serialize};

pub(crate) use asks::COLUMNS;
pub use asks::{Asks, PerGroup, Prefer};
pub use class::Placing;
pub(crate) use class::{MOST_CLASSES, Wish};
pub use fragments::Fragments;
pub(crate) use fragments::{Scatter, Use, fragments};

use crate::files::PeRanges;

/// The layout of a machine. metrics.json of a run has it as it is here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    /// How many groups there are.
    pub(crate) groups: u16,
    pub(crate) kinds: Vec<Kind>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) missing: Vec<Missing>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) levels: Vec<Level>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) partitions: Vec<Partition>,
}

/// A kind of processing elements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kind {
    pub(crate) name: String,
    /// How many a group has that lacks none.
    pub(crate) per_group: u8,
}

/// Groups that have none of some kinds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Missing {
    pub(crate) groups: PeRanges,
    pub(crate) kinds: Vec<String>,
}

/// A level of blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Level {
    pub(crate) name: String,
    /// How many groups a block has; the last one may have fewer.
    pub(crate) groups: u16,
}

/// Some groups under a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Partition {
    pub(crate) name: String,
    pub(crate) groups: PeRanges,
}

/// In a few words.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = self.kinds.iter();
        let kinds: Vec<String> = kinds
            .map(|kind| format!("{} {}", kind.per_group, kind.name))
            .collect();
        write!(f, "{} groups of {}", self.groups, kinds.join(" and "))?;
        for level in &self.levels {
            write!(f, ", {} of {}", level.name, level.groups)?;
        }
        Ok(())
    }
}

/// What does not add up in a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// In which part of the layout.
    pub(crate) list: &'static str,
    /// In which entry of it, where one is at fault.
    pub(crate) entry: Option<usize>,
    /// What was found, and what was expected.
    pub(crate) problem: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.list)?;
        if let Some(entry) = self.entry {
            write!(f, ", entry {}", entry + 1)?;
        }
        write!(f, ": {}", self.problem)
    }
}

/// The most kinds, and processing elements of a kind in a group, that the kernel takes; the most levels.
const MOST_KINDS: usize = 8;
const MOST_PER_GROUP: u8 = 64;
const MOST_LEVELS: usize = 4;

impl Layout {
    /// The first thing that does not add up.
    pub(crate) fn fault(&self) -> Option<Fault> {
        let fault = |list, entry, problem: String| {
            Some(Fault {
                list,
                entry,
                problem,
            })
        };
        if self.groups == 0 {
            return fault(
                "groups",
                None,
                "found 0 groups, expected 1 to 65535".to_owned(),
            );
        }
        if self.kinds.is_empty() || self.kinds.len() > MOST_KINDS {
            let found = self.kinds.len();
            return fault(
                "kinds",
                None,
                format!("found {found} kinds, expected 1 to {MOST_KINDS}"),
            );
        }
        for (entry, kind) in self.kinds.iter().enumerate() {
            if !(1..=MOST_PER_GROUP).contains(&kind.per_group) {
                let (found, most) = (kind.per_group, MOST_PER_GROUP);
                let problem = format!(
                    "found {found} {} in a group, expected 1 to {most}",
                    kind.name
                );
                return fault("kinds", Some(entry), problem);
            }
        }
        let mut smaller = 1;
        for (entry, level) in self.levels.iter().enumerate() {
            if entry >= MOST_LEVELS || level.groups <= smaller {
                let problem = match entry >= MOST_LEVELS {
                    true => format!("found more levels, expected {MOST_LEVELS} at most"),
                    false => format!(
                        "found {} of {} groups, expected more than {smaller}: a block is larger than those before it",
                        level.name, level.groups
                    ),
                };
                return fault("levels", Some(entry), problem);
            }
            smaller = level.groups;
        }
        let lists = self
            .missing
            .iter()
            .map(|missing| ("missing", &missing.groups));
        let lists = lists.enumerate().chain({
            let partitions = self.partitions.iter();
            partitions
                .map(|partition| ("partitions", &partition.groups))
                .enumerate()
        });
        for (entry, (list, groups)) in lists {
            if let Some(problem) = self.fault_in(groups) {
                return fault(list, Some(entry), problem);
            }
        }
        let kinds = self.kinds.iter().map(|kind| ("kinds", &kind.name));
        let levels = self.levels.iter().map(|level| ("levels", &level.name));
        let partitions = self.partitions.iter();
        let partitions = partitions.map(|partition| ("partitions", &partition.name));
        let names = kinds.enumerate().chain(levels.enumerate());
        for (entry, (list, name)) in names.chain(partitions.enumerate()) {
            if name.contains([';', ',', '=']) {
                // Result files say in one cell what jobs of the queue ask for.
                let problem = format!("found {name:?}, expected a name without ; , and =");
                return fault(list, Some(entry), problem);
            }
        }
        let mut missing = self.missing.iter().enumerate();
        let unknown = missing.find_map(|(entry, missing)| {
            let mut kinds = missing.kinds.iter();
            let kind = kinds.find(|kind| self.kind(kind).is_none())?;
            Some((entry, kind))
        });
        if let Some((entry, kind)) = unknown {
            let problem = format!("found kind {kind:?}, expected one of {}", self.kind_names());
            return fault("missing", Some(entry), problem);
        }
        None
    }

    /// What the kernel finds that does not add up beside that.
    #[cfg(feature = "cli")]
    fn fault_by_kernel(&self) -> Option<Fault> {
        let error = self.with_kernel(|layout| layout.check().err())?;
        let problem = format!("the layout does not add up: {error}");
        Some(Fault {
            list: "groups",
            entry: None,
            problem,
        })
    }

    /// What is wrong with a set of groups.
    pub(crate) fn fault_in(&self, groups: &PeRanges) -> Option<String> {
        if groups.is_empty() {
            return Some("found no groups, expected at least one".to_owned());
        }
        let last = u32::from(self.groups) - 1;
        let beyond = groups.0.iter().find(|(_, to)| *to > last)?;
        Some(format!(
            "found group {}, expected groups from 0 to {last}",
            beyond.1
        ))
    }

    /// The kind of this name.
    pub(crate) fn kind(&self, name: &str) -> Option<usize> {
        self.kinds.iter().position(|kind| kind.name == name)
    }

    /// The kind that there is least of: `gpu`, or else the last one.
    pub(crate) fn scarce(&self) -> usize {
        let gpus = self.kind("gpu");
        gpus.unwrap_or_else(|| self.kinds.len().saturating_sub(1))
    }

    /// The level of this name.
    pub(crate) fn level(&self, name: &str) -> Option<usize> {
        self.levels.iter().position(|level| level.name == name)
    }

    /// The partition of this name, or else of this number, counted from 1.
    pub(crate) fn partition(&self, name: &str) -> Option<&Partition> {
        let named = self.partitions.iter().find(|one| one.name == name);
        named.or_else(|| {
            let number: usize = name.parse().ok()?;
            self.partitions.get(number.checked_sub(1)?)
        })
    }

    pub(crate) fn kind_names(&self) -> String {
        let names = self.kinds.iter().map(|kind| kind.name.as_str());
        names.collect::<Vec<_>>().join(", ")
    }

    pub(crate) fn level_names(&self) -> String {
        match self.levels.is_empty() {
            true => "none, since the layout has no levels".to_owned(),
            false => {
                let names = self.levels.iter().map(|level| level.name.as_str());
                format!("one of {}", names.collect::<Vec<_>>().join(", "))
            }
        }
    }

    pub(crate) fn partition_names(&self) -> String {
        match self.partitions.is_empty() {
            true => "none, since the layout has no partitions".to_owned(),
            false => {
                let names = self.partitions.iter().map(|one| one.name.as_str());
                let names = names.collect::<Vec<_>>().join(", ");
                format!(
                    "one of {names}, or a number from 1 to {}",
                    self.partitions.len()
                )
            }
        }
    }

    /// How many numbers processing elements have, those that are missing included.
    pub(crate) fn numbers(&self) -> u32 {
        self.per_group() * u32::from(self.groups)
    }

    /// Whether a group has none of a kind.
    pub(crate) fn lacks(&self, group: u16, kind: usize) -> bool {
        let name = self.kinds.get(kind).map(|kind| kind.name.as_str());
        self.missing.iter().any(|missing| {
            let has_kind = missing.kinds.iter().any(|kind| Some(kind.as_str()) == name);
            has_kind && contains(&missing.groups, group.into())
        })
    }

    /// How many processing elements of a kind a group has.
    pub(crate) fn has(&self, group: u16, kind: usize) -> u8 {
        let per_group = self.kinds.get(kind).map_or(0, |kind| kind.per_group);
        if self.lacks(group, kind) {
            0
        } else {
            per_group
        }
    }

    /// How many of each kind a group has.
    pub(crate) fn of_each_kind(&self, group: u16) -> Vec<u64> {
        let kinds = 0..self.kinds.len();
        kinds.map(|kind| self.has(group, kind).into()).collect()
    }

    /// Whether a group has so many of each kind.
    pub(crate) fn gives(&self, group: u16, each: &[u64]) -> bool {
        let has = self.of_each_kind(group);
        each.iter().zip(has).all(|(asked, has)| *asked <= has)
    }

    /// Processing elements that exist.
    pub(crate) fn pes(&self) -> u32 {
        let groups = 0..self.groups;
        groups.map(|group| u32::from(self.all_of(group))).sum()
    }

    /// Processing elements of a group, of all kinds.
    pub(crate) fn all_of(&self, group: u16) -> u16 {
        let kinds = 0..self.kinds.len();
        kinds.map(|kind| u16::from(self.has(group, kind))).sum()
    }

    /// The kind and the group of a processing element, unless it is missing or none of the machine.
    pub(crate) fn place(&self, number: u32) -> Option<(usize, u16)> {
        let mut rest = number;
        for (kind, Kind { per_group, .. }) in self.kinds.iter().enumerate() {
            let per_group = u32::from(*per_group);
            let all = per_group * u32::from(self.groups);
            if rest < all {
                let group = (rest / per_group) as u16;
                return (!self.lacks(group, kind)).then_some((kind, group));
            }
            rest -= all;
        }
        None
    }

    /// The first of these processing elements that does not exist.
    pub(crate) fn missing_of(&self, pes: &PeRanges) -> Option<u32> {
        let most = self.numbers();
        let mut pes = pes
            .0
            .iter()
            .flat_map(|(first, last)| *first..=(*last).min(most));
        pes.find(|number| self.place(*number).is_none())
    }

    /// How many of each kind lie in each group that has any of them; what does not exist is left out.
    pub(crate) fn spread(&self, pes: &PeRanges) -> BTreeMap<u16, Vec<u8>> {
        let mut spread = BTreeMap::new();
        let most = self.numbers();
        for &(first, last) in &pes.0 {
            for number in first..=last.min(most) {
                if let Some((kind, group)) = self.place(number) {
                    let counts: &mut Vec<u8> = spread
                        .entry(group)
                        .or_insert_with(|| vec![0; self.kinds.len()]);
                    counts[kind] = counts[kind].saturating_add(1);
                }
            }
        }
        spread
    }

    /// A machine of so many processing elements that nobody has ordered: each is a group.
    pub(crate) fn of_single(pes: u16) -> Self {
        Self {
            groups: pes,
            kinds: vec![Kind {
                name: "pe".to_owned(),
                per_group: 1,
            }],
            missing: Vec::new(),
            levels: Vec::new(),
            partitions: Vec::new(),
        }
    }

    /// The processing elements of these groups.
    pub(crate) fn pes_of(&self, groups: &PeRanges) -> PeRanges {
        let numbers = 0..self.numbers();
        ranges(numbers.filter(|number| {
            let place = self.place(*number);
            place.is_some_and(|(_, group)| contains(groups, group.into()))
        }))
    }

    /// The groups in which these processing elements lie.
    pub(crate) fn groups_of(&self, pes: &PeRanges) -> PeRanges {
        ranges(self.spread(pes).into_keys().map(u32::from))
    }

    /// How many processing elements a group has that lacks none.
    pub(crate) fn per_group(&self) -> u32 {
        let kinds = self.kinds.iter();
        kinds.map(|kind| u32::from(kind.per_group)).sum()
    }

    /// The places of these processing elements where all of a group follow each other, kind after kind, and the groups too.
    pub(crate) fn group_by_group(&self, pes: &PeRanges) -> PeRanges {
        let most = self.numbers();
        let numbers = pes
            .0
            .iter()
            .flat_map(|(first, last)| *first..=(*last).min(most));
        let mut places: Vec<u32> = numbers
            .filter_map(|number| {
                let (mut rest, mut before) = (number, 0);
                for kind in &self.kinds {
                    let per_group = u32::from(kind.per_group);
                    let all = per_group * u32::from(self.groups);
                    if rest < all {
                        let (group, pe) = (rest / per_group, rest % per_group);
                        return Some(group * self.per_group() + before + pe);
                    }
                    rest -= all;
                    before += per_group;
                }
                None
            })
            .collect();
        places.sort_unstable();
        places.dedup();
        ranges(places.into_iter())
    }

    /// The block of a level in which a group lies.
    pub(crate) fn block(&self, level: usize, group: u16) -> u16 {
        let size = self
            .levels
            .get(level)
            .map_or(1, |level| level.groups.max(1));
        group / size
    }

    /// The layout as the kernel takes it.
    pub(crate) fn with_kernel<T>(&self, action: impl FnOnce(&bookahead::Layout<'_>) -> T) -> T {
        let kinds: Vec<u8> = self.kinds.iter().map(|kind| kind.per_group).collect();
        let levels: Vec<u16> = self.levels.iter().map(|level| level.groups).collect();
        let mut missing = Vec::new();
        for one in &self.missing {
            for kind in one.kinds.iter().filter_map(|kind| self.kind(kind)) {
                let groups = one.groups.0.iter();
                missing.extend(groups.map(|&(first, last)| bookahead::Fewer {
                    groups: half_open(first, last),
                    kind,
                    pes: 0,
                }));
            }
        }
        action(&bookahead::Layout {
            groups: self.groups,
            kinds: &kinds,
            missing: &missing,
            levels: &levels,
        })
    }
}

/// Whether a number lies in the ranges.
pub(crate) fn contains(ranges: &PeRanges, number: u32) -> bool {
    let mut ranges = ranges.0.iter();
    ranges.any(|(first, last)| (*first..=*last).contains(&number))
}

/// Increasing numbers as inclusive ranges.
pub(crate) fn ranges(numbers: impl Iterator<Item = u32>) -> PeRanges {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    PeRanges(ranges)
}

/// Groups as the kernel takes them.
fn half_open(first: u32, last: u32) -> Range<u16> {
    let number = |number: u32| u16::try_from(number).unwrap_or(u16::MAX);
    number(first)..number(last.saturating_add(1))
}
