//! What a job asks of groups and blocks, and in what it is counted how much was free: groups where it asks for so much of each, else processing elements.

use super::{Known, Other};
use crate::{
    check::placing,
    files::PeRanges,
    layout::{self, Asks, contains},
};

/// How much of the machine, or of a resource beside it.
#[derive(Clone, Copy)]
pub(crate) enum Amount {
    Pes(u64),
    Groups(u64),
    Units(u64),
}

impl Amount {
    pub(crate) fn count(self) -> u64 {
        let (Self::Pes(count) | Self::Groups(count) | Self::Units(count)) = self;
        count
    }
}

/// What a job asks for, and the most that the machine has of it: groups where it asks for so much of each, else processing elements.
pub(crate) struct Extent<'a> {
    pub(crate) asked: Amount,
    pub(crate) most: Amount,
    /// The level of the block that has to hold all of them.
    pub(crate) within: Option<&'a str>,
}

/// What a job asks of each of its groups.
pub(crate) struct PerGroup {
    /// How many groups; nothing where its processing elements are no multiple.
    pub(crate) groups: Option<u64>,
    /// How many of each kind, by its name; nothing for groups that differ.
    pub(crate) kinds: Vec<(String, u64)>,
    /// Whether that is all that a group has.
    pub(crate) is_all: bool,
}

impl Known {
    /// What it asks of groups or blocks, where it does, and it is known on which processing elements everything was booked: then that is counted, since the number of
    /// processing elements that are free decides nothing.
    pub(super) fn shaped(&self) -> Option<&Asks> {
        self.in_shape().filter(|_| self.sets)
    }

    fn in_shape(&self) -> Option<&Asks> {
        let (asks, layout) = (self.asks.as_ref()?, self.settings.layout()?);
        let shaped = match asks.per_group {
            None => asks.block_of().is_some(),
            // Whole groups that differ are no number of groups.
            Some(_) => asks.of_each(layout).is_some(),
        };
        shaped.then_some(asks)
    }

    /// Whether groups are counted, or what is in one block.
    pub(crate) fn is_shaped(&self) -> bool {
        self.shaped().is_some()
    }

    /// Whether these decide, and nobody knows which were free.
    pub(crate) fn misses_shape(&self) -> bool {
        self.in_shape().is_some() && !self.sets
    }

    /// All of which is told what was free and who had some.
    pub(crate) fn all(&self) -> Amount {
        let shaped = self.shaped().and_then(|_| self.extent());
        let pes = || Amount::Pes(self.eligible().map_or(self.settings.pes, PeRanges::width));
        shaped.map_or_else(pes, |extent| extent.most)
    }

    /// The level of which one block has to hold all that is counted.
    pub(crate) fn block(&self) -> Option<&str> {
        self.shaped()?.block_of()
    }

    /// So many of those.
    pub(crate) fn so_many(&self, count: u64) -> Amount {
        match self.all() {
            Amount::Groups(_) => Amount::Groups(count),
            _ => Amount::Pes(count),
        }
    }

    /// The groups that would do and those of the machine, where groups are counted.
    pub(crate) fn some_groups(&self) -> Option<[u64; 2]> {
        let (asks, layout) = (self.shaped()?, self.settings.layout()?);
        asks.per_group.as_ref()?;
        let some = layout.groups_of(&asks.may_have(layout)).width();
        Some([some, layout.groups.into()])
    }

    /// What it asks of each of its groups.
    pub(crate) fn per_group(&self) -> Option<PerGroup> {
        let (asks, layout) = (self.asks.as_ref()?, self.settings.layout()?);
        let is_all = *asks.per_group.as_ref()? == layout::PerGroup::All;
        let each = asks.of_each(layout).unwrap_or_default();
        let unit: u64 = each.iter().fold(0, |sum, pes| sum.saturating_add(*pes));
        let pes = self.asked_pes();
        let groups = pes.checked_div(unit);
        let names = layout.kinds.iter().map(|kind| kind.name.clone());
        Some(PerGroup {
            groups: groups.filter(|_| pes.is_multiple_of(unit)),
            kinds: names.zip(each).filter(|(_, pes)| *pes > 0).collect(),
            is_all,
        })
    }

    /// The level of which one block should hold all that it asks for, and whether it has to.
    pub(crate) fn within(&self) -> Option<(&str, bool)> {
        let (level, required) = self.asks.as_ref()?.within.as_ref()?;
        Some((level, *required))
    }

    fn asked_pes(&self) -> u64 {
        let asked = self.request.as_ref().map(|row| row.pes);
        asked.unwrap_or(self.job.requested_number_of_resources)
    }

    /// What it asks for on a layout, and what there is of that.
    pub(crate) fn extent(&self) -> Option<Extent<'_>> {
        let asks = self.asks.as_ref()?;
        let numbers = placing::asked_of_most(asks, self.asked_pes(), self.settings.layout()?)?;
        let [asked, most] = match &asks.per_group {
            None => numbers.map(Amount::Pes),
            Some(_) => numbers.map(Amount::Groups),
        };
        Some(Extent {
            asked,
            most,
            within: asks.block_of(),
        })
    }

    /// Others, with what they had in its way.
    pub(crate) fn had<'o>(
        &'o self,
        others: &'o [Other],
    ) -> impl Iterator<Item = (Amount, &'o Other)> {
        others.iter().map(|other| (self.in_its_way(other), other))
    }

    /// How many of the processing elements that it may have another one had, or of how many groups; all of another one's, where it is not known which.
    fn in_its_way(&self, other: &Other) -> Amount {
        if !self.sets || other.pes.is_empty() {
            return Amount::Pes(other.booking.pes);
        }
        let eligible = self.eligible();
        let is_its = |pe: &u32| eligible.is_none_or(|eligible| contains(eligible, *pe));
        let common = other.pes.numbers().filter(is_its);
        match (self.all(), self.settings.layout()) {
            (Amount::Groups(_), Some(layout)) => {
                let groups = layout.groups_of(&layout::ranges(common));
                Amount::Groups(groups.width())
            }
            _ => Amount::Pes(common.count() as u64),
        }
    }
}
