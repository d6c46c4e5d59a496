//! A class as it stands in the table.

use super::{class::PerGroup, layout::KINDS};

/// A class in the table, without its mask and its list of groups. All zeros is an entry that has never been used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct ClassEntry {
    pub(crate) per_group: PerGroup,
    /// How many processing elements a group gives; 0 for a class that asks for a number.
    pub(crate) unit: u16,
    /// The most units that a reservation can have, on an idle machine.
    pub(crate) most: u16,
    /// How many groups are listed.
    pub(crate) listed: u16,
    pub(crate) generation: u16,
    /// 1 + the level that is required or preferred; 0 for none.
    pub(super) within: u8,
    /// Whether it is required: 0 or 1.
    pub(super) required: u8,
    /// A code of `Taking`.
    pub(crate) taking: u8,
    /// The level of blocks for `Taking::COMPACT`.
    pub(crate) compact: u8,
    pub(super) state: u8,
    /// Whether jobs of the queue wait for it: 0 or 1.
    pub(super) waited_for: u8,
    pub(super) unused: [u8; 2],
}

/// Codes of preferences.
pub(crate) mod taking {
    pub(crate) const LOWEST: u8 = 0;
    pub(crate) const PACK: u8 = 1;
    pub(crate) const SPREAD: u8 = 2;
    pub(crate) const ORDER: u8 = 3;
    pub(crate) const COMPACT: u8 = 4;
}

/// States of an entry.
pub(super) mod state {
    pub(in crate::placement) const VACANT: u8 = 0;
    pub(in crate::placement) const LIVE: u8 = 1;
    /// Dropped: no id is valid, but rows may still name the entry.
    pub(in crate::placement) const DROPPED: u8 = 2;
}

impl ClassEntry {
    /// One more than the most entries of a table: rows have 15 bits for them.
    pub(crate) const MOST: u16 = 1 << 15;

    /// What a row names that has exactly the processing elements it was given; it has no entry.
    pub(crate) const EXACTLY: u16 = Self::MOST;

    /// What a row names that takes exactly these out of service.
    pub(crate) const OUT: u16 = Self::MOST.saturating_add(1);

    /// An entry that has never been used.
    pub const VACANT: Self = Self {
        per_group: [0; KINDS],
        unit: 0,
        most: 0,
        listed: 0,
        generation: 0,
        within: 0,
        required: 0,
        taking: taking::LOWEST,
        compact: 0,
        state: state::VACANT,
        waited_for: 0,
        unused: [0; 2],
    };

    /// Returns whether those of an entry, as ids number them, have exactly the processing elements they were given.
    pub(crate) const fn is_exact(entry: u16) -> bool {
        entry >= Self::MOST
    }

    /// Returns how many units `pes` processing elements are: groups, or for a class that asks for a number, processing elements. `None` when they are not
    /// whole groups.
    pub(crate) fn units(&self, pes: u32) -> Option<u32> {
        let unit = u32::from(self.unit);
        match (pes.checked_div(unit), pes.checked_rem(unit)) {
            (Some(groups), Some(0)) => Some(groups),
            (None, _) => Some(pes),
            _ => None,
        }
    }

    pub(crate) const fn asks_for_groups(&self) -> bool {
        self.unit > 0
    }

    /// Returns whether the number of eligible ones that are free decides.
    pub(crate) const fn number_decides(&self) -> bool {
        self.unit == 0 && self.required == 0
    }

    /// Returns the level of blocks of which one has to hold all.
    pub(crate) fn required_level(&self) -> Option<u8> {
        self.level().filter(|_| self.required != 0)
    }

    /// Returns the level of blocks of which one has to hold all, or should.
    pub(crate) const fn level(&self) -> Option<u8> {
        self.within.checked_sub(1)
    }

    pub(super) const fn is_live(&self) -> bool {
        self.state == state::LIVE
    }

    /// Returns whether both are the same class, but for masks and lists.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let plain = |entry: &Self| Self {
            generation: 0,
            state: state::LIVE,
            waited_for: 0,
            ..*entry
        };
        plain(self) == plain(other)
    }
}
