//! Time inside the kernel: slots, never seconds.

mod clock;

pub use clock::SlotClock;

/// An absolute slot number. It never wraps.
///
/// ```
/// use bookahead::{Slot, Span};
/// let noon = Slot::new(720);
/// assert_eq!(noon.checked_add(Span::new(60)), Some(Slot::new(780)));
/// assert_eq!(Slot::new(780).since(noon), Some(Span::new(60)));
/// assert_eq!(noon.since(Slot::new(780)), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Slot(u64);

impl Slot {
    /// The latest slot that a book can be advanced to: a whole horizon still fits after it.
    pub const LAST_NOW: Self = Self(u64::MAX - u32::MAX as u64);

    /// Creates slot number `number`, counted from an epoch of the caller's choice.
    #[must_use]
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// Returns the slot number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// Returns the slot `span` later, or `None` past the last slot number.
    #[must_use]
    pub const fn checked_add(self, span: Span) -> Option<Self> {
        match self.0.checked_add(span.0 as u64) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    /// Returns the slot `span` later, at most the last slot number.
    #[must_use]
    pub const fn saturating_add(self, span: Span) -> Self {
        Self(self.0.saturating_add(span.0 as u64))
    }

    /// Returns the slot `span` earlier, at least slot 0.
    #[must_use]
    pub const fn saturating_sub(self, span: Span) -> Self {
        Self(self.0.saturating_sub(span.0 as u64))
    }

    /// Returns the length from `earlier` to this slot; `None` when this slot is before `earlier`, or the length exceeds a [`Span`].
    #[must_use]
    pub const fn since(self, earlier: Self) -> Option<Span> {
        match self.0.checked_sub(earlier.0) {
            Some(length) if length <= u32::MAX as u64 => Some(Span(length as u32)),
            _ => None,
        }
    }
}

/// A length in slots.
///
/// ```
/// use bookahead::Span;
/// assert!(Span::new(3) > Span::ZERO);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(transparent)]
pub struct Span(u32);

impl Span {
    /// No slots.
    pub const ZERO: Self = Self(0);

    /// Creates a length of `slots` slots.
    #[must_use]
    pub const fn new(slots: u32) -> Self {
        Self(slots)
    }

    /// Returns the number of slots.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }
}

/// A half-open range of slots: `start` belongs to it, `end` does not.
///
/// ```
/// use bookahead::{Slot, Span, Window};
/// let shift = Window { start: Slot::new(8), end: Slot::new(16) };
/// assert_eq!(shift.len(), Some(Span::new(8)));
/// assert!(shift.contains(Slot::new(8)) && !shift.contains(Slot::new(16)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Window {
    /// The first slot.
    pub start: Slot,
    /// The slot after the last one.
    pub end: Slot,
}

impl Window {
    /// Returns the window of `duration` slots from `start`, or `None` if it would end past the last slot number.
    #[must_use]
    pub const fn starting(start: Slot, duration: Span) -> Option<Self> {
        match start.checked_add(duration) {
            Some(end) => Some(Self { start, end }),
            None => None,
        }
    }

    /// Returns what both have in common; it ends before it starts where that is nothing.
    #[cfg(feature = "outages")]
    pub(crate) fn overlap(self, other: Self) -> Self {
        Self {
            start: self.start.max(other.start),
            end: self.end.min(other.end),
        }
    }

    /// Returns the length; `None` when the window ends before it starts or the length exceeds a [`Span`].
    #[must_use]
    pub const fn len(self) -> Option<Span> {
        self.end.since(self.start)
    }

    /// Returns whether the window contains no slot.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.end.0 <= self.start.0
    }

    /// Returns whether `slot` lies in the window.
    #[must_use]
    pub const fn contains(self, slot: Slot) -> bool {
        self.start.0 <= slot.0 && slot.0 < self.end.0
    }
}
