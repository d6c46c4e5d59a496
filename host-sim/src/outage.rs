//! Processing elements that leave and come back, as files state it: seconds, not slots.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::rule;

/// What is known of an outage at some time. A later notice of the same outage takes the place of this one.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Notice {
    /// The number of the outage.
    pub id: u64,
    /// Since when this is known (s).
    pub announced: u64,
    /// From when on the processing elements are wanted or gone (s).
    pub start: u64,
    /// When they come back (s); with the start, the outage is taken back.
    pub end: u64,
    /// Which, as inclusive ranges of numbers in increasing order.
    pub pes: Vec<(u16, u16)>,
    /// Whether what runs on them is lost.
    pub kind: OutageKind,
}

impl Notice {
    /// Whether there is no outage any more.
    #[must_use]
    pub const fn takes_back(&self) -> bool {
        self.end <= self.start
    }

    /// How many processing elements leave.
    #[must_use]
    pub fn width(&self) -> usize {
        let ranges = self.pes.iter();
        ranges
            .map(|&(first, last)| usize::from(last - first) + 1)
            .sum()
    }
}

/// How processing elements leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutageKind {
    /// At once, with what runs on them.
    Failure,
    /// When what runs on them has ended.
    Maintenance,
}

impl OutageKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Failure, Self::Maintenance];

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Failure => "failure",
            Self::Maintenance => "maintenance",
        }
    }
}

impl fmt::Display for OutageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for OutageKind {
    fn serialize<S: Serializer>(&self, cell: S) -> Result<S::Ok, S::Error> {
        cell.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for OutageKind {
    fn deserialize<D: Deserializer<'de>>(cell: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(cell)?;
        let known = Self::ALL.into_iter().find(|kind| kind.name() == name);
        known.ok_or_else(|| Error::custom("one of failure, maintenance"))
    }
}

/// What breaks promises, and moves reservations that have not started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Breaker {
    /// The outage of this number.
    Outage(u64),
    /// The rule of this name.
    Rule(rule::Name),
    /// The job of this number, which takes longer than was booked.
    Overrun(u64),
}

impl Breaker {
    /// The number of the outage or of the job; a rule has none of its own.
    #[must_use]
    pub const fn id(self) -> Option<u64> {
        match self {
            Self::Outage(id) | Self::Overrun(id) => Some(id),
            Self::Rule(_) => None,
        }
    }

    /// What a cell says; nothing if it says something else.
    ///
    /// ```
    /// use bookahead_sim::outage::Breaker;
    /// assert_eq!(Breaker::parse("overrun:7"), Some(Breaker::Overrun(7)));
    /// assert_eq!(Breaker::Outage(7).to_string(), "7");
    /// assert_eq!(Breaker::parse("rule:night").unwrap().to_string(), "rule:night");
    /// ```
    #[must_use]
    pub fn parse(cell: &str) -> Option<Self> {
        match cell.split_once(':') {
            Some(("overrun", job)) => job.parse().ok().map(Self::Overrun),
            Some(("rule", name)) => rule::Name::parse(name).map(Self::Rule),
            Some(_) => None,
            None => cell.parse().ok().map(Self::Outage),
        }
    }
}

impl fmt::Display for Breaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outage(id) => write!(f, "{id}"),
            Self::Overrun(job) => write!(f, "overrun:{job}"),
            Self::Rule(name) => write!(f, "rule:{name}"),
        }
    }
}

impl Serialize for Breaker {
    fn serialize<S: Serializer>(&self, cell: S) -> Result<S::Ok, S::Error> {
        cell.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Breaker {
    fn deserialize<D: Deserializer<'de>>(cell: D) -> Result<Self, D::Error> {
        let said = Self::parse(&Cow::<str>::deserialize(cell)?);
        said.ok_or_else(|| Error::custom("the number of an outage, overrun: and that of a job, or rule: and the name of a rule"))
    }
}
