//! Cells that are more than a number or a word.

use std::{borrow::Cow, fmt};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::{
    layout::{self, Asks},
    outage::Breaker,
};

/// A cell of a column that not every table has. Outside: whether there is the column; inside: whether the cell is filled.
pub(crate) type Cell<T> = Option<Option<T>>;

/// Yes or no, as 1 or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bit(pub(crate) bool);

impl Serialize for Bit {
    fn serialize<S: Serializer>(&self, cell: S) -> Result<S::Ok, S::Error> {
        cell.serialize_u8(self.0.into())
    }
}

impl<'de> Deserialize<'de> for Bit {
    fn deserialize<D: Deserializer<'de>>(cell: D) -> Result<Self, D::Error> {
        match &*Cow::<str>::deserialize(cell)? {
            "0" => Ok(Self(false)),
            "1" => Ok(Self(true)),
            _ => Err(Error::custom("one of 0, 1")),
        }
    }
}

/// A larger number counts as this one: it would leave nothing to see in a plot, and sums without meaning.
pub(crate) const LARGEST: f64 = 1e18;

/// A number with six decimals. In memory it has all its digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Decimal(pub(crate) f64);

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, cell: S) -> Result<S::Ok, S::Error> {
        cell.collect_str(&format_args!("{:.6}", self.0))
    }
}

impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(cell: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(cell)?;
        if number.is_finite() {
            Ok(Self(number.clamp(-LARGEST, LARGEST)))
        } else {
            Err(Error::custom("a number"))
        }
    }
}

/// Money in millionths of a unit, written in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Price {
    pub(crate) micro: u64,
}

impl Price {
    /// In units.
    pub(crate) fn units(self) -> f64 {
        self.micro as f64 / 1e6
    }
}

impl Serialize for Price {
    fn serialize<S: Serializer>(&self, cell: S) -> Result<S::Ok, S::Error> {
        let (units, rest) = (self.micro / 1_000_000, self.micro % 1_000_000);
        cell.collect_str(&format_args!("{units}.{rest:06}"))
    }
}

impl<'de> Deserialize<'de> for Price {
    fn deserialize<D: Deserializer<'de>>(cell: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(cell)?;
        let (units, rest) = text.split_once('.').unwrap_or((&text, ""));
        let digits = !text.is_empty() && rest.len() <= 6 && !text.contains(['+', '-']);
        let micro = || {
            let units: u64 = units.parse().ok()?;
            let rest: u64 = format!("{rest:0<6}").parse().ok()?;
            units.checked_mul(1_000_000)?.checked_add(rest)
        };
        let micro = digits.then(micro).flatten();
        let micro = micro.ok_or_else(|| Error::custom("a price with at most six decimals"))?;
        Ok(Self { micro })
    }
}

/// Processing elements as inclusive ranges such as `0-3 5`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PeRanges(pub(crate) Vec<(u32, u32)>);

impl PeRanges {
    /// How many numbers lie in the ranges.
    pub(crate) fn width(&self) -> u64 {
        let counts = self.0.iter();
        counts
            .map(|(first, last)| u64::from(last - first) + 1)
            .sum()
    }

    /// The same as the kernel numbers processing elements.
    pub(crate) fn narrow(&self) -> Vec<(u16, u16)> {
        let number = |number: u32| u16::try_from(number).unwrap_or(u16::MAX);
        let ranges = self.0.iter();
        ranges
            .map(|&(first, last)| (number(first), number(last)))
            .collect()
    }

    /// Each number in them.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> {
        self.0.iter().flat_map(|&(first, last)| first..=last)
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What was expected instead, where it is no set of so many of these, PEs or groups.
    pub(crate) fn fault(&self, count: u64, these: &str) -> Option<String> {
        if !self.is_increasing() {
            return Some("intervals in increasing order".to_owned());
        }
        let beyond = self
            .0
            .last()
            .is_some_and(|(_, last)| u64::from(*last) >= count);
        beyond.then(|| format!("{these} from 0 to {}", count.saturating_sub(1)))
    }

    pub(crate) fn is_increasing(&self) -> bool {
        self.0.is_sorted_by(|before, after| before.1 < after.0)
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let parts = text.split_whitespace().map(|part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            match (first.parse(), last.parse()) {
                (Ok(first), Ok(last)) if first <= last => Some((first, last)),
                _ => None,
            }
        });
        parts.collect::<Option<_>>().map(Self)
    }
}

impl From<&[(u16, u16)]> for PeRanges {
    fn from(ranges: &[(u16, u16)]) -> Self {
        let ranges = ranges.iter();
        Self(
            ranges
                .map(|&(first, last)| (first.into(), last.into()))
                .collect(),
        )
    }
}

impl fmt::Display for PeRanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (first, last)) in self.0.iter().enumerate() {
            let gap = if place > 0 { " " } else { "" };
            match first == last {
                true => write!(f, "{gap}{first}")?,
                false => write!(f, "{gap}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

impl Serialize for PeRanges {
    fn serialize<S: Serializer>(&self, cell: S) -> Result<S::Ok, S::Error> {
        cell.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PeRanges {
    fn deserialize<D: Deserializer<'de>>(cell: D) -> Result<Self, D::Error> {
        Self::parse(&Cow::<str>::deserialize(cell)?)
            .ok_or_else(|| Error::custom("an interval set such as \"0-3 5\""))
    }
}

/// What the other cells of a job cannot tell: in which window a best-effort job may run, what it asks of its processing elements and why it never ran, that a reservation was
/// cancelled or expired, and processing elements that it gave back while it ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Metadata {
    pub(crate) given_back: Vec<GivenBack>,
    /// The other parts.
    pub(crate) words: Vec<Cow<'static, str>>,
}

/// The state of a job whose processing elements left while it ran.
pub(crate) const KILLED: &str = "COMPLETED_KILLED";

/// In the metadata of a best-effort job that has a window.
const READY: &str = "ready=";
const DEADLINE: &str = "deadline=";

/// In the metadata of a best-effort job that was planned.
const PLANNED: &str = "planned=";
const DRIFT: &str = " drift=";

/// In the metadata of a best-effort job that may be ended for a reservation, and of one that was.
const MIN_RUN: &str = "min_run=";
const PREEMPTED: &str = "preempted=";

/// In the metadata of a best-effort job of a queue that is ordered by keys.
const KEY: &str = "key=";
const USER: &str = "user=";

/// In the metadata of a reservation that was cancelled, and of a hold that expired.
pub(crate) const CANCELLED: &str = "cancelled";
pub(crate) const EXPIRED: &str = "expired";

/// In the metadata of a best-effort job that was stopped at the end of its estimate.
pub(crate) const STOPPED: &str = "stopped";

/// Processing elements that a running job gave back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GivenBack {
    /// Until when it had them (s).
    pub(crate) until: u64,
    pub(crate) pes: PeRanges,
}

impl Metadata {
    /// What a best-effort job asks for, as `NAME=CELL`, by the columns of request files.
    pub(crate) fn asking(asks: &Asks) -> impl Iterator<Item = Cow<'static, str>> {
        let cells = layout::COLUMNS.into_iter().zip(asks.cells());
        cells
            .filter(|(_, cell)| !cell.is_empty())
            .map(|(name, cell)| Cow::Owned(format!("{name}={cell}")))
    }

    /// From when to when a best-effort job may run, as `NAME=SECOND`, by the columns of request files.
    pub(crate) fn window_of(window: [u64; 2]) -> [Cow<'static, str>; 2] {
        let [ready, deadline] = window;
        [
            Cow::Owned(format!("{READY}{ready}")),
            Cow::Owned(format!("{DEADLINE}{deadline}")),
        ]
    }

    /// What [`window_of`](Self::window_of) says.
    pub(crate) fn window(&self) -> Option<[u64; 2]> {
        let [ready, deadline] = self.numbers([READY, DEADLINE]);
        Some([ready?, deadline?])
    }

    /// The second for which a best-effort job was first planned, and how many seconds later it started.
    pub(crate) fn planned_of(start: u64, drift: i64) -> Cow<'static, str> {
        Cow::Owned(format!("{PLANNED}{start}{DRIFT}{drift}"))
    }

    /// What [`planned_of`](Self::planned_of) says.
    pub(crate) fn planned(&self) -> Option<(u64, i64)> {
        let mut words = self.words.iter();
        let plan = words.find_map(|word| word.strip_prefix(PLANNED))?;
        let (start, drift) = plan.split_once(DRIFT)?;
        Some((start.parse().ok()?, drift.parse().ok()?))
    }

    /// How long a best-effort job runs at least before it may be ended for a reservation, and how often it was.
    pub(crate) fn preemption_of(
        min_run: u64,
        times: usize,
    ) -> impl Iterator<Item = Cow<'static, str>> {
        let least = Cow::Owned(format!("{MIN_RUN}{min_run}"));
        let times = (times > 0).then(|| Cow::Owned(format!("{PREEMPTED}{times}")));
        [least].into_iter().chain(times)
    }

    /// What [`preemption_of`](Self::preemption_of) says.
    pub(crate) fn preemption(&self) -> [Option<u64>; 2] {
        self.numbers([MIN_RUN, PREEMPTED])
    }

    /// The key of a best-effort job, and where that follows from the user, whose it is.
    pub(crate) fn key_of(key: u32, user: Option<u64>) -> impl Iterator<Item = Cow<'static, str>> {
        let key = Cow::Owned(format!("{KEY}{key}"));
        let user = user.map(|user| Cow::Owned(format!("{USER}{user}")));
        [key].into_iter().chain(user)
    }

    /// What [`key_of`](Self::key_of) says.
    pub(crate) fn key(&self) -> [Option<u64>; 2] {
        self.numbers([KEY, USER])
    }

    fn numbers(&self, names: [&str; 2]) -> [Option<u64>; 2] {
        names.map(|name| {
            let mut words = self.words.iter();
            words.find_map(|word| word.strip_prefix(name)?.parse().ok())
        })
    }

    /// What is asked for, cell by cell, as [`asking`](Self::asking) says it.
    pub(crate) fn asks(&self) -> [&str; layout::COLUMNS.len()] {
        layout::COLUMNS.map(|name| {
            let said = |word: &'_ Cow<'static, str>| word.starts_with(name);
            let mut words = self.words.iter().filter(|word| said(word));
            let cell = words.find_map(|word| word[name.len()..].strip_prefix('='));
            cell.unwrap_or_default()
        })
    }

    /// What is said beside that.
    pub(crate) fn reason(&self) -> Option<&str> {
        let mut words = self.words.iter().map(|word| &**word);
        words.find(|word| !word.contains('='))
    }

    /// Says what broke the promise, and when.
    pub(crate) fn breaking((by, at): (Breaker, u64)) -> Cow<'static, str> {
        Cow::Owned(format!("broken by {by} at {at}"))
    }

    /// What [`breaking`](Self::breaking) says.
    pub(crate) fn broken(&self) -> Option<(Breaker, u64)> {
        let mut words = self.words.iter();
        let said = words.find_map(|word| word.strip_prefix("broken by "))?;
        let (by, at) = said.split_once(" at ")?;
        Some((Breaker::parse(by)?, at.parse().ok()?))
    }

    /// Whether `word` is one of its parts.
    pub(crate) fn says(&self, word: &str) -> bool {
        self.words.iter().any(|part| part == word)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut metadata = Self::default();
        for part in text.split("; ").filter(|part| !part.is_empty()) {
            match part.strip_prefix("gave back ") {
                Some(part) => {
                    let (pes, until) = part.rsplit_once(" at ")?;
                    metadata.given_back.push(GivenBack {
                        until: until.parse().ok()?,
                        pes: PeRanges::parse(pes)?,
                    });
                }
                None => metadata.words.push(Cow::Owned(part.to_owned())),
            }
        }
        Some(metadata)
    }
}

impl fmt::Display for Metadata {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = "";
        for GivenBack { until, pes } in &self.given_back {
            write!(f, "{gap}gave back {pes} at {until}")?;
            gap = "; ";
        }
        for word in &self.words {
            write!(f, "{gap}{word}")?;
            gap = "; ";
        }
        Ok(())
    }
}

impl Serialize for Metadata {
    fn serialize<S: Serializer>(&self, cell: S) -> Result<S::Ok, S::Error> {
        cell.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Metadata {
    fn deserialize<D: Deserializer<'de>>(cell: D) -> Result<Self, D::Error> {
        Self::parse(&Cow::<str>::deserialize(cell)?)
            .ok_or_else(|| Error::custom("a part such as \"gave back 2-3 5 at 120\""))
    }
}

#[cfg(test)]
mod tests {
    use super::{Metadata, PeRanges, Price};

    #[test]
    fn what_is_written_is_read_again() {
        for text in ["", "7", "0-3 5 9-10"] {
            assert_eq!(PeRanges::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(PeRanges::parse("0-3 5 9-10").unwrap().width(), 7);
        for text in [
            "",
            "expired",
            "gave back 2-3 5 at 120; gave back 1 at 180; cancelled",
        ] {
            assert_eq!(Metadata::parse(text).unwrap().to_string(), text);
        }
        for text in ["0-x", "3-1", "-1"] {
            assert_eq!(PeRanges::parse(text), None);
        }
        assert_eq!(Metadata::parse("gave back 1"), None);
    }

    #[test]
    fn prices_are_exact() {
        let micro = u64::MAX;
        let text = serde_json::to_string(&Price { micro }).unwrap();
        assert_eq!(text, "\"18446744073709.551615\"");
        assert_eq!(serde_json::from_str::<Price>(&text).unwrap().micro, micro);
        assert_eq!(
            serde_json::from_str::<Price>("\"12.5\"").unwrap().micro,
            12_500_000
        );
        for text in ["\"\"", "\"-1\"", "\"1.0000001\"", "\"+1\"", "\"1.+1\""] {
            assert!(serde_json::from_str::<Price>(text).is_err(), "{text}");
        }
    }
}
