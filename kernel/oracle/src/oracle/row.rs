//! One reservation as the oracle knows it.

use bookahead::{
    Flexibility, Freeze, Placement, Request, Reservation, Slot, Span, State, Ticket, Window,
};

use bookahead_commands::{ClassNumber, Number};

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

/// Until when and how a reservation may be juggled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Terms {
    pub kind: Flexibility,
    pub freeze: Freeze,
    /// The slot in which its start was fixed, though it was not due for that: by its owner, or because it was moved.
    pub frozen_at: Option<Slot>,
}

/// What a slot reports first: overlays that early ends leave room for, ends, holds that end before their start, starts that become fixed, starts, and holds that lasted until
/// their start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    Settling,
    End,
    Expiry,
    Freeze,
    Start,
    /// The start of an overlay.
    LastStart,
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
    /// What a customer whose start may still be moved was told; nobody else has any.
    pub terms: Option<Terms>,
    /// How many of its PEs are booked on top of others.
    pub overlaid: u32,
    /// Whether its start has come, and was reported as late.
    pub delayed: bool,
    /// Whether a transaction has taken its room out.
    pub lifted: bool,
    /// On which terms it may be preempted.
    pub preemption: Option<bookahead::Preemption>,
    /// Whether it was cut for a reservation, and is not grown back yet.
    pub cut: bool,
    /// The class that it was made for, by number.
    pub class: ClassNumber,
    /// When a rule meets it next, for one without a known end.
    pub meets: Option<Slot>,
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
        let slot = Slot::new(slot);
        !self.lifted
            && (self.window().contains(slot) || self.is_open() && slot >= self.placed.start)
    }

    /// Whether it runs until further notice.
    pub fn is_open(&self) -> bool {
        self.has_started() && self.placed.duration == Span::new(u32::MAX)
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
            State::Running => (self.meets.unwrap_or(window.end), Rank::End),
            State::Held { expires } if expires < window.start => (expires, Rank::Expiry),
            State::Held { expires } => (expires, Rank::ExpiryAtStart),
            State::Confirmed if self.overlaid > 0 => (window.start, Rank::LastStart),
            State::Confirmed => match self.freezes() {
                Some(at) if at < window.start => (at, Rank::Freeze),
                _ => (window.start, Rank::Start),
            },
        }
    }

    /// When its start becomes fixed, unless it is already or never will be before it starts.
    fn freezes(&self) -> Option<Slot> {
        let terms = self.terms?;
        let (booked, start) = (self.booked_at.get(), self.placed.start.get());
        let by_rule = match terms.freeze {
            Freeze::Never => None,
            Freeze::Acceptance => Some(booked),
            Freeze::Share { per_mille } => {
                let parts = u64::from(per_mille.min(1_000)) * (start - booked);
                Some(booked + parts.div_ceil(1_000))
            }
            Freeze::Lead { lead } => Some(start.saturating_sub(lead.get().into()).max(booked)),
        };
        terms.frozen_at.or(by_rule.map(Slot::new))
    }

    /// Whether nobody but its owner may move it.
    pub fn is_fixed(&self, now: Slot) -> bool {
        self.terms.is_none() || self.freezes().is_some_and(|at| at <= now)
    }

    /// Fixes its start where the slot for that has passed when it was moved.
    pub fn fix_if_passed(&mut self, now: Slot) {
        if self.freezes().is_some_and(|at| at < now) {
            self.fix_at(now);
        }
    }

    /// Fixes its start in this slot.
    pub fn fix_at(&mut self, now: Slot) {
        if let Some(terms) = &mut self.terms {
            terms.frozen_at = Some(now);
        }
    }
}
