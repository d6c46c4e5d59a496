//! One reservation as the ledger keeps it.

use super::Handle;
use crate::{EventKind, PeCount, Request, Slot, Span, Ticket, Window};

/// A row of the ledger: memory for one reservation.
///
/// A promise, which only its owner changes, and a placement inside it, which moves. Every time of the row counts from `ready`, so a move
/// rewrites the placement and nothing else.
///
/// Laid out as C does, like all that a book's memory consists of: so that memory outlives the compiler that built the program. 64 bytes,
/// with every feature; no bit pattern is invalid, so memory from elsewhere may be read as rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Row {
    /// The promised earliest start.
    pub(crate) ready: Slot,
    /// Its rank in the order of acceptance.
    pub(crate) accepted: u64,
    /// From ready to deadline.
    pub(crate) room: Span,
    /// The duration that was asked for.
    pub(crate) requested: Span,
    /// From ready to start.
    pub(crate) lead: Span,
    /// What is booked; shorter than what was asked for once an early end is announced.
    pub(crate) duration: Span,
    /// From the slot in which it was booked to ready.
    pub(crate) ahead: Span,
    /// Held: for how many slots. Running: the ticket of a job of the queue, 0 for a reservation. Otherwise 0.
    pub(crate) note: u32,
    /// How often the row has been given out.
    pub(crate) generation: u32,
    /// Neighbours in the list the row is in, each 1 + a row, 0 for none. In a list's first row `previous` is the last one's.
    pub(crate) next: u32,
    pub(crate) previous: u32,
    /// The row's index among the timers; while a transaction has logged the row, the index of its newest entry there.
    pub(crate) timer: u32,
    /// What is booked.
    pub(crate) pes: PeCount,
    /// What was asked for.
    pub(crate) requested_pes: PeCount,
    /// Of the processing elements, those that wait for others to end early; none so far.
    pub(crate) overlaid: u16,
    pub(crate) phase: Phase,
    pub(crate) marks: u8,
}

/// Where a row's reservation is in its life.
///
/// A number rather than an enum, so that damaged memory holds an unknown phase and not an impossible value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Phase(u8);

impl Phase {
    pub(crate) const VACANT: Self = Self(0);
    pub(crate) const HELD: Self = Self(1);
    pub(crate) const CONFIRMED: Self = Self(2);
    pub(crate) const RUNNING: Self = Self(3);
    /// Running, and the end is announced.
    pub(crate) const COMPLETING: Self = Self(4);

    const fn is_known(self) -> bool {
        self.0 <= Self::COMPLETING.0
    }
}

/// Marks of a row that a transaction has touched; a row outside of one has none.
pub(crate) mod mark {
    /// The row has an entry in the transaction's log.
    pub(crate) const LOGGED: u8 = 1;
    /// The room of the reservation is given back for the time being.
    pub(crate) const LIFTED: u8 = 2;
    /// The row's contents are put back, its room not yet.
    pub(crate) const UNDONE: u8 = 4;
}

impl Row {
    /// A row that has never been used.
    pub const VACANT: Self = Self {
        ready: Slot::new(0),
        accepted: 0,
        room: Span::ZERO,
        requested: Span::ZERO,
        lead: Span::ZERO,
        duration: Span::ZERO,
        ahead: Span::ZERO,
        note: 0,
        generation: 0,
        next: 0,
        previous: 0,
        timer: 0,
        pes: PeCount::ZERO,
        requested_pes: PeCount::ZERO,
        overlaid: 0,
        phase: Phase::VACANT,
        marks: 0,
    };

    pub(crate) const fn is_live(&self) -> bool {
        self.phase.0 != Phase::VACANT.0
    }

    pub(crate) const fn is_running(&self) -> bool {
        self.phase.0 >= Phase::RUNNING.0
    }

    pub(crate) const fn is_marked(&self, mark: u8) -> bool {
        self.marks & mark != 0
    }

    pub(crate) const fn start(&self) -> Slot {
        self.ready.saturating_add(self.lead)
    }

    pub(crate) const fn end(&self) -> Slot {
        self.start().saturating_add(self.duration)
    }

    pub(crate) const fn deadline(&self) -> Slot {
        self.ready.saturating_add(self.room)
    }

    pub(crate) const fn window(&self) -> Window {
        Window {
            start: self.start(),
            end: self.end(),
        }
    }

    pub(crate) const fn placement(&self) -> Placement {
        Placement {
            start: self.start(),
            duration: self.duration,
            pes: self.pes,
        }
    }

    /// Moves the reservation. Its start must not lie before its ready time.
    pub(crate) fn set_placement(&mut self, to: &Placement) {
        self.lead = to.start.since(self.ready).unwrap_or_default();
        self.duration = to.duration;
        self.pes = to.pes;
    }

    /// When a hold ends unless it is confirmed: at its start at the latest.
    pub(crate) fn expires(&self) -> Slot {
        let booked_at = self.ready.saturating_sub(self.ahead);
        booked_at
            .saturating_add(Span::new(self.note))
            .min(self.start())
    }

    /// Whether it is a hold that lasts until its start. Such a hold can be confirmed as long as its start is the present slot.
    pub(crate) fn lasts_until_start(&self) -> bool {
        self.phase == Phase::HELD && self.expires() == self.start()
    }

    /// The slot that time has to reach for the reservation to need attention next.
    pub(crate) fn due(&self) -> Slot {
        if self.is_running() {
            self.end()
        } else if self.lasts_until_start() {
            self.start().saturating_add(Span::new(1))
        } else if self.phase == Phase::HELD {
            self.expires()
        } else {
            self.start()
        }
    }

    /// What comes first among that of one slot: holds that lasted until the slot before, ends, holds that expire, starts. There is room
    /// for more kinds: reservations whose start becomes fixed after expired holds, and those that overlap others after the starts.
    pub(crate) fn class(&self) -> u8 {
        if self.is_running() {
            1
        } else if self.lasts_until_start() {
            0
        } else if self.phase == Phase::HELD {
            2
        } else {
            4
        }
    }

    /// What is reported when it is due and time goes on to `to`, and the slot that the event carries.
    pub(crate) fn happens(&self, to: Slot) -> (EventKind, Slot) {
        let kind = match self.phase {
            Phase::RUNNING => EventKind::Overran,
            Phase::COMPLETING => EventKind::Completed,
            Phase::HELD => return (EventKind::Expired, self.expires()),
            _ if self.end() <= to => EventKind::Missed,
            _ => EventKind::Started,
        };
        (kind, self.due())
    }

    /// What must hold of the row by itself, for a live one.
    pub(crate) fn is_sound(&self, now: Slot) -> bool {
        let lead_and_run = self.lead.get().checked_add(self.duration.get());
        let in_window = lead_and_run.is_some_and(|end| end <= self.room.get());
        let on_time = if self.is_running() {
            self.start() <= now
        } else {
            self.start() >= now
        };
        // Only a hold has a time to live, and only what runs has a ticket.
        let noted = self.phase != Phase::CONFIRMED || self.note == 0;
        in_window && on_time && noted && self.phase.is_known() && self.marks == 0
    }

    pub(crate) fn describe(&self) -> Reservation {
        Reservation {
            request: Request {
                ready: self.ready,
                duration: self.requested,
                deadline: self.deadline(),
                pes: self.requested_pes,
            },
            window: self.window(),
            state: match self.phase {
                Phase::HELD => State::Held {
                    expires: self.expires(),
                },
                Phase::RUNNING | Phase::COMPLETING => State::Running,
                _ => State::Confirmed,
            },
            ticket: self.ticket(),
        }
    }

    pub(crate) fn ticket(&self) -> Option<Ticket> {
        let ticket = if self.is_running() { self.note } else { 0 };
        Ticket::from_number(ticket)
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

/// Where a reservation is booked.
///
/// ```
/// use bookahead::{PeCount, Placement, Slot, Span};
/// let placement = Placement { start: Slot::new(3), duration: Span::new(5), pes: PeCount::new(2) };
/// assert_eq!(placement.window().end, Slot::new(8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Placement {
    /// The first slot.
    pub start: Slot,
    /// For how many slots.
    pub duration: Span,
    /// On how many processing elements.
    pub pes: PeCount,
}

impl Placement {
    /// When it runs.
    #[must_use]
    pub const fn window(&self) -> Window {
        Window {
            start: self.start,
            end: self.start.saturating_add(self.duration),
        }
    }
}

/// What the ledger says of a live reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Reservation {
    /// What was asked for, as its owner has altered it since.
    pub request: Request,
    /// What is booked; shorter than what was asked for once an early end is announced.
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
