//! Which search the worst states are sought of, and on which structure.

use std::fmt;

use bookahead::Policy;
use serde::{Deserialize, Serialize};

use crate::stand::policy_name;

/// What a book knows of each slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(Hash))]
#[serde(rename_all = "kebab-case")]
pub enum Structure {
    /// How many processing elements are busy.
    Count,
    /// Which ones are.
    Pe,
}

impl Structure {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Count, Self::Pe];

    /// The name in the output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Pe => "pe",
        }
    }

    /// The slots and processing elements of the worst cases that `ratios` prints.
    #[must_use]
    pub const fn usual_size(self) -> (u32, u16) {
        match self {
            Self::Count => (65_536, 65_535),
            Self::Pe => (100_000, 1_024),
        }
    }
}

/// A search of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Sought {
    /// For a start.
    Start(Policy),
    /// For elastic offers, by strip packing.
    Offers {
        /// Whether the number of processing elements is given, or left open.
        pes: bool,
    },
}

impl Sought {
    /// All of them: the seven policies, and both kinds of offers.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let offers = [true, false].map(|pes| Self::Offers { pes });
        Policy::ALL
            .map(Self::Start)
            .into_iter()
            .chain(offers)
            .collect()
    }

    /// The name in commands and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Start(policy) => policy.name(),
            Self::Offers { pes: true } => "offers",
            Self::Offers { pes: false } => "offers-without-pes",
        }
    }

    /// The search of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|sought| sought.name() == name)
    }

    /// The name in the lines of `ratios`.
    #[must_use]
    pub fn key(self) -> &'static str {
        match self {
            Self::Start(Policy::FirstFit) => policy_name(Policy::FirstFit),
            Self::Start(policy) => policy_name(policy).trim_start_matches("find_"),
            Self::Offers { pes: true } => "offers",
            Self::Offers { pes: false } => "offers_without_pes",
        }
    }
}

impl fmt::Display for Sought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Sought> for String {
    fn from(sought: Sought) -> Self {
        sought.name().to_owned()
    }
}

impl TryFrom<String> for Sought {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        Self::from_name(&name).ok_or_else(|| format!("no search is called {name:?}"))
    }
}
