//! What is decided together with the machine, as files state it: quotas of principals, which are users, projects and whatever else has a share, and further
//! resources such as licences.

#[cfg(feature = "cli")]
mod read;

use std::fmt;

use bookahead::Several;
use serde::{Deserialize, Serialize};

pub use crate::rule::Name;

/// How many levels a principal and its parents have at most.
pub const LEVELS: usize = 4;

/// How many resources there are beside the machine at most.
pub const MOST_RESOURCES: usize = Several::MOST - 1;

/// The name of the machine among those who refuse.
pub(crate) const MACHINE: &str = "machine";

/// The columns of a request about this: who asks, and how much of which resource.
pub const COLUMNS: [&str; 2] = ["principal", "needs"];

/// Who has a quota, or is the parent of somebody who has one. metrics.json of a run has it as it is here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Principal {
    /// The name in files; of a user, the number.
    pub name: Name,
    /// Who is charged for all that it is charged for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<Name>,
    /// How many processing elements it may have at once; nothing where only the machine limits that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pes: Option<u16>,
    /// How much it may have in each period.
    #[serde(default, skip_serializing_if = "Option::is_none", flatten)]
    pub budget: Option<Budget>,
}

/// How much a principal may have in each period; the first one begins at second 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Processing elements x seconds.
    pub pe_seconds: u64,
    /// The length of a period (s), which is a whole number of slots.
    pub period: u64,
}

/// A resource beside the machine. metrics.json of a run has it as it is here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resource {
    /// The name in files.
    pub name: Name,
    /// How many units there are.
    pub units: u32,
    /// How much of it requests need that are made of jobs, which do not say it themselves.
    #[serde(default, skip_serializing_if = "Option::is_none", flatten)]
    pub asked: Option<Asking>,
}

/// How much of a resource requests need.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asking {
    /// The share of the requests that need some, 0 to 1.
    pub share: f64,
    /// How much each of these needs.
    #[serde(flatten)]
    pub amount: Amount,
}

/// How much a request needs of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Amount {
    /// So many units.
    PerRequest(u32),
    /// So many units for each of its processing elements.
    PerPe(u32),
}

/// A request to more than the machine was refused by one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Refuser {
    /// The machine.
    Machine,
    /// The resource of this number.
    Resource(usize),
    /// The quota of the principal of this number.
    Quota(usize),
    /// No single one: each has a start for it in its window, but they have none in common.
    Together,
}

/// The principals of a file by name.
#[must_use]
pub fn find(principals: &[Principal], name: &str) -> Option<usize> {
    let name = Name::parse(name)?;
    principals.iter().position(|one| one.name == name)
}

/// The principal that a user is, if the number is the name of one.
#[must_use]
pub fn of_user(principals: &[Principal], user: Option<u64>) -> Option<usize> {
    match principals {
        [] => None,
        _ => find(principals, &user?.to_string()),
    }
}

/// A principal and its parents, the nearest first. Nothing but principals that are there, and no more than [`LEVELS`].
pub fn chain(principals: &[Principal], of: usize) -> impl Iterator<Item = usize> {
    let parent = |one: &usize| {
        let parent = principals.get(*one)?.parent?;
        principals.iter().position(|one| one.name == parent)
    };
    let there = Some(of).filter(|of| *of < principals.len());
    std::iter::successors(there, parent).take(LEVELS)
}

impl Principal {
    /// Whether it limits anything, beside what is above it.
    pub(crate) const fn is_limited(&self) -> bool {
        self.pes.is_some() || self.budget.is_some()
    }
}

impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name.fmt(f)?;
        if let Some(parent) = self.parent {
            write!(f, " of {parent}")?;
        }
        if let Some(pes) = self.pes {
            write!(f, ", {pes} PEs at once")?;
        }
        self.budget.map_or(Ok(()), |Budget { pe_seconds, period }| {
            write!(f, ", {pe_seconds} PE-seconds in every {period} s")
        })
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.units, self.name)
    }
}

impl Budget {
    /// In PE-slots, and how many slots a period has; nothing where that is no whole number of slots.
    pub(crate) fn in_slots(self, slot: u32) -> Option<(u64, u64)> {
        let slot = u64::from(slot);
        let whole = slot > 0 && self.period > 0 && self.period.is_multiple_of(slot);
        whole.then(|| (self.pe_seconds / slot, self.period / slot))
    }
}

/// The amounts of resources in a cell such as `licence=2 bandwidth=5`, one for each resource; nothing for an empty cell. What is wrong with it otherwise.
pub(crate) fn needs(cell: &str, resources: &[Resource]) -> Result<Option<Vec<u32>>, String> {
    let mut amounts = vec![None; resources.len()];
    for part in cell.split_whitespace() {
        let pair = part.split_once('=');
        let number = pair.and_then(|(_, number)| {
            let digits = number.bytes().all(|byte| byte.is_ascii_digit());
            number.parse::<u32>().ok().filter(|_| digits)
        });
        let place = pair.and_then(|(name, _)| {
            let name = Name::parse(name)?;
            resources.iter().position(|one| one.name == name)
        });
        match place.and_then(|place| amounts.get_mut(place)) {
            Some(amount @ None) if number.is_some() => *amount = number,
            Some(Some(_)) => return Err("each resource once".to_owned()),
            _ => {
                let names: Vec<String> = resources.iter().map(|one| one.name.to_string()).collect();
                return Err(format!(
                    "amounts such as {}=2 of {}, or an empty cell",
                    names.first().map_or("", String::as_str),
                    names.join(", ")
                ));
            }
        }
    }
    let some = amounts.iter().any(Option::is_some);
    let amounts = amounts.into_iter().map(Option::unwrap_or_default);
    Ok(some.then(|| amounts.collect()))
}

/// The same as a cell.
pub(crate) fn in_words(needs: &[u32], resources: &[Resource]) -> String {
    let needed = resources.iter().zip(needs).filter(|(_, need)| **need > 0);
    let words = needed.map(|(resource, need)| format!("{}={need}", resource.name));
    words.collect::<Vec<_>>().join(" ")
}

impl Refuser {
    /// The name in files, nothing where it is no single one.
    pub(crate) fn in_words(self, principals: &[Principal], resources: &[Resource]) -> String {
        match self {
            Self::Machine => MACHINE.to_owned(),
            Self::Together => String::new(),
            Self::Resource(number) => {
                let name = resources.get(number).map(|one| one.name);
                name.map_or(String::new(), |name| format!("resource:{name}"))
            }
            Self::Quota(number) => {
                let name = principals.get(number).map(|one| one.name);
                name.map_or(String::new(), |name| format!("quota:{name}"))
            }
        }
    }

    /// Reads the name in files, of what is there.
    pub(crate) fn parse(
        text: &str,
        principals: &[Principal],
        resources: &[Resource],
    ) -> Option<Self> {
        match (text, text.split_once(':')) {
            ("", _) => Some(Self::Together),
            (MACHINE, _) => Some(Self::Machine),
            (_, Some(("quota", name))) => find(principals, name).map(Self::Quota),
            (_, Some(("resource", name))) => {
                let name = Name::parse(name)?;
                let place = resources.iter().position(|one| one.name == name);
                place.map(Self::Resource)
            }
            _ => None,
        }
    }
}
