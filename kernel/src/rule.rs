//! Rules: what is not there again and again.

#[cfg(feature = "journal")]
use crate::bytes::Piece;
use crate::{
    error::{Error, UsageError},
    pe::PeCount,
    time::{Slot, Span},
};

/// When something is not there: `length` slots of every `period`, the first of them in slot `phase`.
///
/// ```
/// use bookahead::{Rule, Slot, Span};
/// // Slots of an hour: each Tuesday from 8 to 12, where slot 0 begins a Monday.
/// let maintenance = Rule { phase: Span::new(24 + 8), period: Span::new(7 * 24), length: Span::new(4) };
/// assert!(maintenance.is_active(Slot::new(32)) && maintenance.is_active(Slot::new(35 + 168)));
/// assert!(!maintenance.is_active(Slot::new(36)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rule {
    /// A slot in which it begins, counted from slot 0. It begins in all slots that differ from that by whole periods.
    pub phase: Span,
    /// From one beginning to the next.
    pub period: Span,
    /// How long it lasts; a period or longer for always.
    pub length: Span,
}

impl Rule {
    /// The most rules that a book has.
    pub const MOST: usize = 16;
    /// One that applies in every slot.
    pub(crate) const ALWAYS: Self = Self {
        phase: Span::ZERO,
        period: Span::new(1),
        length: Span::new(1),
    };

    /// Returns whether it applies in a slot. O(1).
    #[must_use]
    pub fn is_active(&self, slot: Slot) -> bool {
        RuleEntry::new(self, 0).at(slot).0
    }

    /// Returns the numbers whose bits are set.
    pub(crate) fn numbers(bits: u32) -> impl Iterator<Item = usize> {
        (0..Self::MOST).filter(move |number| bits.wrapping_shr(*number as u32) & 1 == 1)
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.period == Span::ZERO || self.length == Span::ZERO {
            return Err(UsageError::BadRule.into());
        }
        Ok(())
    }
}

/// What a job without a known end is to have, where rules take processing elements at some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Meeting {
    /// Only those that no rule ever takes.
    Refuse,
    /// Also those that a rule takes later: the job stays, and is [reported](crate::EventKind::RuleMet) when a turn begins.
    Allow,
}

/// What is not there: with late binding so many processing elements, or in a failure those that jobs have; with early binding these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Absent<'p> {
    /// So many. Where several rules apply, the greatest number counts.
    Number(PeCount),
    /// These, and where several rules apply, those of all: a bit for each processing element, the lowest first, in as many words as its [numbers](crate::Book::numbers) need.
    These(&'p [u32]),
}

/// What rules take in the last slot that a ring covers, so that the next one can begin with that.
///
/// The layout is that of C, and no bit pattern is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct RuleEdge {
    /// The first slot behind it in which that may be something else.
    pub(crate) until: u64,
    /// A bit for each entry that applies.
    pub(crate) bits: u32,
    pub(crate) pes: u16,
    spare: u16,
}

impl RuleEdge {
    /// That of a ring without rules.
    pub const NONE: Self = Self::new(0, 0, u64::MAX);

    pub(crate) const fn new(bits: u32, pes: u16, until: u64) -> Self {
        Self {
            until,
            bits,
            pes,
            spare: 0,
        }
    }
}

/// An entry of the table of rules: when, and how many with late binding. All zero is none.
///
/// The layout is that of C, and no bit pattern is invalid, as for a [`Row`](crate::raw::Row).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct RuleEntry {
    pub(crate) phase: u32,
    pub(crate) period: u32,
    pub(crate) length: u32,
    pub(crate) pes: u16,
    spare: u16,
}

impl RuleEntry {
    /// How many a book has: the rules, what is not there at all, a draft, and what jobs without a known end have.
    pub const COUNT: usize = Self::SIZE + 3;
    /// How many sets a book with early binding has for its rules: one for each entry, and one for what several take together.
    pub const SETS: usize = Self::COUNT + 1;
    /// The number of what is not there at all.
    pub(crate) const SIZE: usize = Rule::MOST;
    /// No rule.
    pub const NONE: Self = Self {
        phase: 0,
        period: 0,
        length: 0,
        pes: 0,
        spare: 0,
    };

    pub(crate) const fn new(rule: &Rule, pes: u16) -> Self {
        Self {
            pes,
            phase: match rule.phase.get().checked_rem(rule.period.get()) {
                Some(phase) => phase,
                None => 0,
            },
            period: rule.period.get(),
            length: rule.length.get(),
            ..Self::NONE
        }
    }

    /// Returns the entry as a snapshot holds it.
    #[cfg(feature = "journal")]
    pub(crate) fn to_bytes(self) -> [u8; 14] {
        Piece::NEW
            .and(self.phase.to_le_bytes())
            .and(self.period.to_le_bytes())
            .and(self.length.to_le_bytes())
            .and(self.pes.to_le_bytes())
            .whole()
    }

    /// Returns the entry of these bytes.
    #[cfg(feature = "journal")]
    pub(crate) const fn from_bytes(bytes: &[u8; 14]) -> Self {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = *bytes;
        Self {
            phase: u32::from_le_bytes([a, b, c, d]),
            period: u32::from_le_bytes([e, f, g, h]),
            length: u32::from_le_bytes([i, j, k, l]),
            pes: u16::from_le_bytes([m, n]),
            spare: 0,
        }
    }

    /// Returns whether this is the entry of a rule, or for the last number of what is not there at all, on a machine of so many processing elements.
    #[cfg(feature = "journal")]
    pub(crate) fn is_sound(&self, number: usize, width: u16) -> bool {
        let timed = match number {
            Self::SIZE => *self == Self::new(&Rule::ALWAYS, self.pes),
            _ => self.phase < self.period && self.length > 0,
        };
        timed && (1..=width).contains(&self.pes)
    }

    /// Returns how far a slot lies behind the last beginning.
    fn place(&self, slot: Slot) -> u64 {
        let period = u64::from(self.period);
        let behind = slot
            .get()
            .wrapping_add(period.saturating_sub(self.phase.into()));
        behind.checked_rem(period).unwrap_or_default()
    }

    /// Returns whether it applies in a slot, and for how many slots from that one on this stays so.
    pub(crate) fn at(&self, slot: Slot) -> (bool, u64) {
        let (period, length) = (u64::from(self.period), u64::from(self.length));
        let place = self.place(slot);
        if length >= period {
            (period > 0, u64::MAX)
        } else if place < length {
            (true, length.wrapping_sub(place))
        } else {
            (false, period.wrapping_sub(place))
        }
    }

    /// Returns the first slot behind `slot` in which a turn begins: never, where it applies always.
    pub(crate) fn next_turn(&self, slot: Slot) -> Option<Slot> {
        let wait = u64::from(self.period).saturating_sub(self.place(slot));
        let next = slot.get().checked_add(wait).map(Slot::new);
        next.filter(|_| self.length < self.period)
    }
}
