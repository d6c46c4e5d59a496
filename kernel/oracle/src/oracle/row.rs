//! One reservation as the oracle knows it.

use bookahead::{Placement, Request, Reservation, Slot, Span, State, Ticket, Window};

use crate::Number;

/// Where a reservation is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    /// Given up so many slots after it was booked, unless it is confirmed.
    Held {
        ttl: Span,
    },
    Confirmed,
    Running,
    /// Running, and its end has been announced.
    Ending,
}

/// What a slot reports first: ends, holds that end before their start, starts, and holds that lasted until their start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    End,
    Expiry,
    Start,
    /// It is reported when time goes on from that slot.
    ExpiryAtStart,
}

/// A reservation: what was promised, and where it is booked at present.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub number: Number,
    pub request: Request,
    pub booked_at: Slot,
    pub life: Life,
    pub placed: Placement,
    /// The PEs it holds, ascending; none before the start when they are bound late.
    pub set: Vec<u16>,
    pub ticket: Option<Ticket>,
    /// Whether a transaction has taken its room out.
    pub lifted: bool,
}

impl Row {
    pub fn window(&self) -> Window {
        Window {
            start: self.placed.start,
            end: self.placed.start.saturating_add(self.placed.duration),
        }
    }

    /// Whether it takes room in `slot`.
    pub fn covers(&self, slot: u64) -> bool {
        !self.lifted && self.window().contains(Slot::new(slot))
    }

    pub fn has_started(&self) -> bool {
        matches!(self.life, Life::Running | Life::Ending)
    }

    pub fn state(&self) -> State {
        match self.life {
            Life::Held { ttl } => State::Held {
                expires: self.booked_at.saturating_add(ttl).min(self.placed.start),
            },
            Life::Confirmed => State::Confirmed,
            Life::Running | Life::Ending => State::Running,
        }
    }

    pub fn known(&self) -> Reservation {
        Reservation {
            request: self.request,
            window: self.window(),
            state: self.state(),
            ticket: self.ticket,
        }
    }

    /// When something happens to it next, and the rank of that among things of one slot.
    pub fn timer(&self) -> (Slot, Rank) {
        let window = self.window();
        match self.state() {
            State::Running => (window.end, Rank::End),
            State::Held { expires } if expires < window.start => (expires, Rank::Expiry),
            State::Held { expires } => (expires, Rank::ExpiryAtStart),
            State::Confirmed => (window.start, Rank::Start),
        }
    }
}
