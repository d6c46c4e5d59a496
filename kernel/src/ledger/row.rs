//! One reservation as the ledger keeps it.

use super::Handle;
use crate::{EventKind, PeCount, Request, Slot, Span, Window};

/// A row of the ledger: memory for one reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub(crate) start: Slot,
    /// Its place in the order of acceptance.
    pub(crate) accepted: u64,
    /// From ready to start.
    pub(crate) lead: Span,
    /// What is booked; shorter than what was asked once an early end is announced.
    pub(crate) duration: Span,
    /// From start to deadline.
    pub(crate) room: Span,
    /// From the end of the hold to the start.
    pub(crate) hold_lead: Span,
    /// How often the row has been given out.
    pub(crate) generation: u32,
    /// Neighbours in the list the row is in, each 1 + a row, 0 for none. In a list's first row `previous` is the last one's.
    pub(crate) next: u32,
    pub(crate) previous: u32,
    /// Where the row stands among the timers.
    pub(crate) timer: u32,
    pub(crate) pes: PeCount,
    pub(crate) phase: Phase,
}

/// Where a row's reservation is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Phase {
    Vacant = 0,
    Held,
    Confirmed,
    Running,
    /// Running, and the end is announced.
    Completing,
}

impl Row {
    /// A row that has never been used.
    pub const VACANT: Self = Self {
        start: Slot::new(0),
        accepted: 0,
        lead: Span::ZERO,
        duration: Span::ZERO,
        room: Span::ZERO,
        hold_lead: Span::ZERO,
        generation: 0,
        next: 0,
        previous: 0,
        timer: 0,
        pes: PeCount::ZERO,
        phase: Phase::Vacant,
    };

    pub(crate) const fn is_live(&self) -> bool {
        !matches!(self.phase, Phase::Vacant)
    }

    pub(crate) const fn is_running(&self) -> bool {
        matches!(self.phase, Phase::Running | Phase::Completing)
    }

    pub(crate) const fn end(&self) -> Slot {
        self.start.saturating_add(self.duration)
    }

    pub(crate) const fn window(&self) -> Window {
        Window {
            start: self.start,
            end: self.end(),
        }
    }

    /// When a hold ends unless it is confirmed, at its start at the latest.
    pub(crate) const fn expires(&self) -> Slot {
        self.start.saturating_sub(self.hold_lead)
    }

    /// When the reservation needs attention next, and what comes first among those of one slot: ends, expired holds, starts,
    /// each by acceptance.
    pub(crate) const fn due(&self) -> (Slot, u8, u64) {
        match self.phase {
            Phase::Vacant => (Slot::new(u64::MAX), 3, self.accepted),
            Phase::Running | Phase::Completing => (self.end(), 0, self.accepted),
            Phase::Held => (self.expires(), 1, self.accepted),
            Phase::Confirmed => (self.start, 2, self.accepted),
        }
    }

    /// What is reported when that time has come.
    pub(crate) const fn happens(&self) -> EventKind {
        match self.phase {
            Phase::Running => EventKind::Overran,
            Phase::Completing => EventKind::Completed,
            Phase::Held => EventKind::Expired,
            Phase::Confirmed | Phase::Vacant => EventKind::Started,
        }
    }

    pub(crate) fn describe(&self) -> Reservation {
        Reservation {
            request: Request {
                ready: self.start.saturating_sub(self.lead),
                duration: self.duration,
                deadline: self.start.saturating_add(self.room),
                pes: self.pes,
            },
            window: self.window(),
            state: match self.phase {
                Phase::Held => State::Held {
                    expires: self.expires(),
                },
                Phase::Confirmed | Phase::Vacant => State::Confirmed,
                Phase::Running | Phase::Completing => State::Running,
            },
        }
    }

    pub(crate) const fn handle(&self, row: usize) -> Handle {
        Handle {
            row: row as u32,
            generation: self.generation,
        }
    }
}

impl Default for Row {
    fn default() -> Self {
        Self::VACANT
    }
}

/// What the ledger says of a live reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Reservation {
    /// The request, its duration shortened once an early end is announced.
    pub request: Request,
    /// What is booked.
    pub window: Window,
    /// Where it is in its life.
    pub state: State,
}

/// The states of a live reservation: held, then confirmed, then running. What has ended is gone from the ledger.
/// Codes are permanent.
///
/// ```
/// use bookahead::State;
/// assert_eq!((State::Running.code(), State::Running.name()), (3, "running"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum State {
    /// Takes room, and is given up unless it is confirmed.
    Held {
        /// When: the end of the hold or the start, whichever comes first.
        expires: Slot,
    },
    /// Promised.
    Confirmed,
    /// Started.
    Running,
}

impl State {
    /// The permanent number, from 1.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Held { .. } => 1,
            Self::Confirmed => 2,
            Self::Running => 3,
        }
    }

    /// The permanent name, as files and logs show it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Held { .. } => "held",
            Self::Confirmed => "confirmed",
            Self::Running => "running",
        }
    }
}
