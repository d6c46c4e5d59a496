//! One reservation as the ledger keeps it.

use super::Handle;
use crate::{
    event::EventKind,
    pe::PeCount,
    queue::Ticket,
    request::Request,
    time::{Slot, Span, Window},
};

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

/// Where a row's reservation is in its life, and what comes first among that of one slot: the numbers are in the order of events. There is
/// room for reservations whose start becomes fixed (4) and for those that overlap others (6).
///
/// A number rather than an enum, so that damaged memory holds an unknown phase and not an impossible value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(transparent)]
pub(crate) struct Phase(u8);

impl Phase {
    pub(crate) const VACANT: Self = Self(0);
    /// Held until its start, and for as long as that is the present slot: it expires before anything of the slot behind.
    pub(crate) const HELD_TO_START: Self = Self(1);
    pub(crate) const RUNNING: Self = Self(2);
    /// Held until some slot before its start.
    pub(crate) const HELD: Self = Self(3);
    pub(crate) const CONFIRMED: Self = Self(5);

    #[cfg(test)]
    pub(crate) const fn from_number(number: u8) -> Self {
        Self(number)
    }
}

/// Marks of a row.
pub(crate) mod mark {
    /// The end of the running job is announced.
    pub(crate) const ENDING: u8 = 1;
    /// The row has an entry in the log of the transaction under way.
    pub(crate) const LOGGED: u8 = 2;
    /// In the transaction under way, the room of the reservation is given back for the time being.
    pub(crate) const LIFTED: u8 = 4;
    /// In a rollback under way, the row's contents are put back, its room not yet.
    pub(crate) const UNDONE: u8 = 8;
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
        self.phase.0 == Phase::RUNNING.0
    }

    pub(crate) const fn is_held(&self) -> bool {
        self.phase.0 == Phase::HELD.0 || self.phase.0 == Phase::HELD_TO_START.0
    }

    pub(crate) const fn is_marked(&self, mark: u8) -> bool {
        self.marks & mark != 0
    }

    pub(crate) const fn start(&self) -> Slot {
        later(self.ready, self.lead)
    }

    pub(crate) const fn end(&self) -> Slot {
        later(self.start(), self.duration)
    }

    pub(crate) const fn deadline(&self) -> Slot {
        later(self.ready, self.room)
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
        if self.is_held() {
            self.phase = self.phase_of_hold();
        }
    }

    /// Which kind of hold it is.
    pub(crate) fn phase_of_hold(&self) -> Phase {
        if self.note >= self.ahead.get().saturating_add(self.lead.get()) {
            Phase::HELD_TO_START
        } else {
            Phase::HELD
        }
    }

    /// When a hold that does not last until its start ends.
    const fn expires(&self) -> Slot {
        let booked_at = Slot::new(self.ready.get().wrapping_sub(self.ahead.get() as u64));
        later(booked_at, Span::new(self.note))
    }

    /// The slot that time has to reach for the reservation to need attention next.
    pub(crate) fn due(&self) -> Slot {
        let behind_start = match self.phase {
            Phase::HELD => return self.expires(),
            Phase::RUNNING => self.duration,
            Phase::HELD_TO_START => Span::new(1),
            _ => Span::ZERO,
        };
        later(self.start(), behind_start)
    }

    /// What is reported when it is due and time goes on to `to`.
    pub(crate) fn happens(&self, to: Slot) -> EventKind {
        match self.phase {
            Phase::RUNNING if self.is_marked(mark::ENDING) => EventKind::Completed,
            Phase::RUNNING => EventKind::EndReached,
            Phase::HELD | Phase::HELD_TO_START => EventKind::Expired,
            _ if self.end() <= to => EventKind::Missed,
            _ => EventKind::Started,
        }
    }

    /// The slot that the event carries: the one it is due, but for a hold that lasts until its start.
    pub(crate) fn happens_at(&self) -> Slot {
        if self.phase == Phase::HELD_TO_START {
            self.start()
        } else {
            self.due()
        }
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
        // Only a hold has a time to live, only what runs has a ticket or an announced end.
        let phased = match self.phase {
            Phase::CONFIRMED => self.note == 0,
            Phase::RUNNING => true,
            _ => self.is_held() && self.phase == self.phase_of_hold(),
        };
        let ending = if self.is_running() { mark::ENDING } else { 0 };
        in_window && on_time && phased && self.marks & !ending == 0
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
                Phase::RUNNING => State::Running,
                Phase::HELD => State::Held {
                    expires: self.expires(),
                },
                Phase::HELD_TO_START => State::Held {
                    expires: self.start(),
                },
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

/// The slot `span` later, for times of a row, which all lie within a horizon of some present slot: so nothing overflows, and the
/// shortest code will do.
const fn later(slot: Slot, span: Span) -> Slot {
    Slot::new(slot.get().wrapping_add(span.get() as u64))
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
