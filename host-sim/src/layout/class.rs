//! What is asked of a machine with a layout, as the kernel takes it.

use std::{ops::Range, sync::Arc};

use bookahead::{Class, Eligible, Preference, Shape, Within};

use super::{Asks, Layout, PerGroup, Prefer, half_open, ranges};

/// A machine with a layout, and how its scheduler uses it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placing {
    /// The layout.
    pub layout: Arc<Layout>,
    /// Which processing elements a request gets that does not say.
    pub prefer: Prefer,
    /// Whether reservations that have not started move to others, at their own starts, for one that would be refused.
    pub relocate: bool,
}

/// The most classes that a book takes.
pub(crate) const MOST_CLASSES: usize = (1 << 15) - 1;

/// What a request asks of its processing elements in numbers: a class, as the kernel calls it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Wish {
    /// Nothing where all groups are eligible.
    groups: Option<Vec<Range<u16>>>,
    kinds: u8,
    shape: Form,
    within: Option<(u8, bool)>,
    prefer: Choice,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Form {
    Number,
    PerGroup(Vec<u8>),
    WholeGroups,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Choice {
    Lowest,
    Pack,
    Spread,
    Compact(u8),
}

impl Placing {
    /// What a request asks for here.
    pub(crate) fn wish(&self, asks: Option<&Asks>) -> Wish {
        let layout = &*self.layout;
        let none = Asks::default();
        let asks = asks.unwrap_or(&none);
        let everywhere = asks.partition.is_empty() && asks.exclude.is_empty();
        let groups = (!everywhere).then(|| {
            let eligible = ranges(asks.eligible(layout).map(u32::from));
            let ranges = eligible.0.into_iter();
            ranges.map(|(first, last)| half_open(first, last)).collect()
        });
        // No kernel has more levels, and whoever asks for more of a kind than fits a byte asks for too many.
        let level = |name: &str| layout.level(name).unwrap_or_default() as u8;
        let of_each = || asks.of_each(layout).unwrap_or_default();
        let byte = |pes: u64| u8::try_from(pes).unwrap_or(u8::MAX);
        Wish {
            groups,
            kinds: u8::MAX >> 8_usize.saturating_sub(layout.kinds.len()),
            shape: match asks.per_group {
                None => Form::Number,
                Some(PerGroup::Kinds(_)) => {
                    Form::PerGroup(of_each().into_iter().map(byte).collect())
                }
                Some(PerGroup::All) => Form::WholeGroups,
            },
            within: asks
                .within
                .as_ref()
                .map(|(name, required)| (level(name), *required)),
            prefer: match asks.prefer.as_ref().unwrap_or(&self.prefer) {
                Prefer::Lowest => Choice::Lowest,
                Prefer::Pack => Choice::Pack,
                Prefer::Spread => Choice::Spread,
                Prefer::Compact(name) => Choice::Compact(level(name)),
            },
        }
    }
}

impl Wish {
    /// As the kernel takes it.
    pub(crate) fn class(&self) -> Class<'_> {
        Class {
            eligible: match &self.groups {
                None => Eligible::All,
                Some(groups) => Eligible::Groups {
                    groups,
                    kinds: self.kinds,
                },
            },
            shape: match &self.shape {
                Form::Number => Shape::Number,
                Form::PerGroup(pes) => Shape::PerGroup(pes),
                Form::WholeGroups => Shape::WholeGroups,
            },
            within: match self.within {
                None => Within::Anywhere,
                Some((level, true)) => Within::Required(level),
                Some((level, false)) => Within::Preferred(level),
            },
            preference: match self.prefer {
                Choice::Lowest => Preference::Lowest,
                Choice::Pack => Preference::Pack,
                Choice::Spread => Preference::Spread,
                Choice::Compact(level) => Preference::Compact(level),
            },
        }
    }
}
