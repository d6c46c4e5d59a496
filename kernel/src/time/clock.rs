//! The conversion between seconds and slots.

use core::num::{NonZeroU32, NonZeroU64};

use super::{Slot, Span};

/// A converter between seconds and slots; every method states which way it rounds.
///
/// A ready time rounds up and a deadline rounds down, so that a reservation never lies outside the requested window. A duration
/// rounds up, since a job that ends inside a slot keeps that slot to its end. An arrival rounds down, since it
/// happens in the current slot.
///
/// ```
/// use bookahead::{Slot, SlotClock, Span};
/// let clock = SlotClock::new(60, 1_000).unwrap();
/// assert_eq!(clock.slot_rounding_up(1_001), Some(Slot::new(1)));
/// assert_eq!(clock.slot_rounding_down(1_119), Some(Slot::new(1)));
/// assert_eq!(clock.span_rounding_up(61), Some(Span::new(2)));
/// assert_eq!(clock.seconds(Slot::new(2)), Some(1_120));
/// assert_eq!(clock.slot_rounding_down(999), None);
/// ```
///
/// Source: `sulistio`, eq. 1, is the rule for starts (rounding up).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SlotClock {
    slot_seconds: NonZeroU32,
    epoch: u64,
}

impl SlotClock {
    /// Creates a clock whose slot 0 begins at second `epoch` and whose slots last `slot_seconds` seconds; `None` if that is 0.
    #[must_use]
    pub const fn new(slot_seconds: u32, epoch: u64) -> Option<Self> {
        match NonZeroU32::new(slot_seconds) {
            Some(slot_seconds) => Some(Self {
                slot_seconds,
                epoch,
            }),
            None => None,
        }
    }

    /// Returns the first slot that begins at `seconds` or later (for ready times); `None` before the epoch.
    #[must_use]
    pub fn slot_rounding_up(&self, seconds: u64) -> Option<Slot> {
        let since = seconds.checked_sub(self.epoch)?;
        Some(Slot::new(since.div_ceil(self.width())))
    }

    /// Returns the slot that contains `seconds` (for arrivals), which also begins at the last slot boundary at or before it (for deadlines);
    /// `None` before the epoch.
    #[must_use]
    pub fn slot_rounding_down(&self, seconds: u64) -> Option<Slot> {
        let since = seconds.checked_sub(self.epoch)?;
        Some(Slot::new(since / NonZeroU64::from(self.slot_seconds)))
    }

    /// Returns the least number of slots that hold `seconds` seconds (for durations); `None` when it exceeds a [`Span`].
    #[must_use]
    pub fn span_rounding_up(&self, seconds: u64) -> Option<Span> {
        u32::try_from(seconds.div_ceil(self.width()))
            .ok()
            .map(Span::new)
    }

    /// Returns the second at which `slot` begins; `None` when it exceeds a `u64`.
    #[must_use]
    pub fn seconds(&self, slot: Slot) -> Option<u64> {
        slot.get()
            .checked_mul(self.width())?
            .checked_add(self.epoch)
    }

    /// Returns the number of seconds per slot.
    #[must_use]
    pub const fn slot_seconds(&self) -> u32 {
        self.slot_seconds.get()
    }

    fn width(&self) -> u64 {
        u64::from(self.slot_seconds.get())
    }
}
