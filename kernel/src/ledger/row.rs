//! One reservation as the ledger keeps it.

use super::Handle;
use crate::{EventKind, PeCount, Request, Slot, Span, Ticket, Window};

/// A row of the ledger: memory for one reservation.
///
/// Laid out as C does, like all that a book's memory consists of: so that memory outlives the compiler that built the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
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
    /// From the end of the hold to the start; zero unless it is held.
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
    /// The ticket of a job of the queue, 0 for a reservation.
    pub(crate) ticket: u32,
}

/// Where a row's reservation is in its life. Halved, the numbers say what comes first in a slot: ends, expired holds, starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Phase {
    Vacant = 0,
    Running = 2,
    /// Running, and the end is announced.
    Completing = 3,
    Held = 4,
    Confirmed = 6,
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
        ticket: 0,
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

    /// When a hold ends unless it is confirmed, at its start at the latest; the start of what is not held.
    pub(crate) const fn expires(&self) -> Slot {
        self.start.saturating_sub(self.hold_lead)
    }

    /// When the reservation needs attention next.
    pub(crate) const fn due(&self) -> Slot {
        if self.is_running() {
            self.end()
        } else {
            self.expires()
        }
    }

    /// The order in which reservations need attention: by slot, then by phase, then by acceptance. One wide number, since that is
    /// compared with the least code.
    pub(crate) const fn rank(&self) -> u128 {
        let phase = (self.phase as u64 >> 1) << 62;
        (self.due().get() as u128) << 64 | (phase | self.accepted) as u128
    }

    /// What is reported when it is due and time goes on to `to`.
    pub(crate) fn happens(&self, to: Slot) -> EventKind {
        match self.phase {
            Phase::Running => EventKind::Overran,
            Phase::Completing => EventKind::Completed,
            Phase::Held => EventKind::Expired,
            _ if self.end() <= to => EventKind::Missed,
            _ => EventKind::Started,
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
            ticket: self.ticket(),
        }
    }

    pub(crate) fn ticket(&self) -> Option<Ticket> {
        Ticket::from_number(self.ticket)
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
    /// For a job of the [`Queue`](crate::Queue), which has started: the ticket that it had while it waited.
    pub ticket: Option<Ticket>,
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
