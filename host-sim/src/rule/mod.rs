//! Rules, by which processing elements are not there again and again, as files state it: seconds, not slots.

#[cfg(feature = "cli")]
mod read;

use std::{borrow::Cow, fmt};

use bookahead::Span;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::files::PeRanges;

/// The most rules that a machine has.
pub const MOST: usize = bookahead::Rule::MOST;

/// A rule. metrics.json of a run has it as it is here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    pub(crate) name: Name,
    /// A second at which it begins; so do all that differ from that by whole periods.
    pub(crate) phase: u64,
    pub(crate) period: u64,
    pub(crate) length: u64,
    pub(crate) pes: Absent,
    /// From when on it is known, and holds.
    pub(crate) announced: u64,
    /// When it is taken back, which nobody knows before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) until: Option<u64>,
}

/// What a rule takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Absent {
    /// So many, with late binding.
    Number(u16),
    /// These, with early binding.
    These(PeRanges),
}

impl Rule {
    /// In slots of so many seconds: whole ones that it needs in part, too. Nothing where a period is no number of whole slots.
    pub(crate) fn in_slots(&self, slot: u32) -> Option<bookahead::Rule> {
        let slot = u64::from(slot);
        let whole = slot > 0 && self.period > 0 && self.length > 0;
        if !whole || !self.period.is_multiple_of(slot) {
            return None;
        }
        let [begin, length] = self.begins(slot);
        let span = |seconds: u64| u32::try_from(seconds / slot).ok().map(Span::new);
        let period = span(self.period)?;
        Some(bookahead::Rule {
            phase: span(begin)?,
            period,
            // Whoever lasts a period lasts for ever.
            length: span(length.min(self.period))?,
        })
    }

    /// When in a period it begins, and how long it lasts, on slot edges.
    fn begins(&self, slot: u64) -> [u64; 2] {
        let phase = self.phase.checked_rem(self.period).unwrap_or_default();
        let begin = phase / slot * slot;
        let end = phase.saturating_add(self.length).div_ceil(slot);
        [begin, end.saturating_mul(slot) - begin]
    }

    /// From when to when it holds: from slot edge to slot edge.
    pub(crate) fn holds(&self, slot: u64) -> [u64; 2] {
        let edge = |second: u64| second.div_ceil(slot).saturating_mul(slot);
        [edge(self.announced), self.until.map_or(u64::MAX, edge)]
    }

    /// When it takes something between two seconds, while it holds: from slot edge to slot edge, and no longer than that.
    pub(crate) fn times(&self, [from, to]: [u64; 2], slot: u64) -> impl Iterator<Item = [u64; 2]> {
        let [since, until] = self.holds(slot);
        self.turns([from.max(since), to.min(until)], slot)
    }

    /// The same as if it always held.
    pub(crate) fn turns(&self, [from, to]: [u64; 2], slot: u64) -> impl Iterator<Item = [u64; 2]> {
        let ([begin, length], period) = (self.begins(slot), self.period);
        let mut at = from;
        std::iter::from_fn(move || {
            if length >= period {
                let all = [at, to];
                at = to;
                return (all[0] < to).then_some(all);
            }
            // How long ago it began.
            let ago = (at % period + period - begin) % period;
            let turn = match ago < length {
                true => [at, at.saturating_add(length - ago)],
                false => {
                    let start = at.saturating_add(period - ago);
                    [start, start.saturating_add(length)]
                }
            };
            at = turn[1];
            (turn[0] < to).then_some([turn[0], turn[1].min(to)])
        })
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            phase,
            period,
            length,
            pes,
            announced,
            until,
        } = self;
        write!(
            f,
            "{name}, PEs {pes}: {length} of every {period} s, one of them from {phase} on, known at {announced}"
        )?;
        until.map_or(Ok(()), |until| write!(f, ", until {until}"))
    }
}

/// The name of a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name([u8; Self::LONGEST]);

impl Name {
    /// How many letters it has at most.
    const LONGEST: usize = 32;

    pub(crate) const EXPECTED: &str = "1 to 32 letters, digits, hyphens and underscores";

    /// Nothing for what is no name.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        let mut name = [0; Self::LONGEST];
        let letters = name.get_mut(..text.len())?;
        letters.copy_from_slice(text.as_bytes());
        (!text.is_empty() && text.bytes().all(is_letter)).then_some(Self(name))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = self.0.split(|byte| *byte == 0).next();
        f.write_str(&String::from_utf8_lossy(letters.unwrap_or_default()))
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, cell: S) -> Result<S::Ok, S::Error> {
        cell.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(cell: D) -> Result<Self, D::Error> {
        let said = Self::parse(&Cow::<str>::deserialize(cell)?);
        said.ok_or_else(|| Error::custom(format!("a name of {}", Self::EXPECTED)))
    }
}

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(pes) => write!(f, "any {pes}"),
            Self::These(pes) => pes.fmt(f),
        }
    }
}
