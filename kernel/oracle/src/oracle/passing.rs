//! Time passes: what happens on the way, one event after another.

use std::collections::BTreeSet;

use bookahead::{Advanced, Error, EventKind, Refusal, Slot, UsageError};
use bookahead_commands::{Happening, Kind, Number, Progress};

use super::row::{Life, Rank, Row};
use super::{Oracle, lowest};

/// What happens to a reservation next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Due {
    pub(super) at: Slot,
    pub(super) rank: Rank,
    pub(super) whose: Number,
}

impl Due {
    pub(crate) fn whose(self) -> Number {
        self.whose
    }

    /// Whether it is a hold that lasted until its start, which ends when time leaves that slot.
    pub(crate) fn is_on_leaving(self) -> bool {
        self.rank == Rank::ExpiryAtStart
    }

    /// Whether it comes before requests that wait are tried in its slot.
    pub(crate) fn is_before_waiting(self) -> bool {
        self.rank < Rank::Start
    }

    /// The slot to which time has to go for it.
    pub(super) fn reached_at(self) -> Slot {
        match self.rank {
            Rank::ExpiryAtStart => Slot::new(self.at.get() + 1),
            _ => self.at,
        }
    }
}

impl Oracle {
    /// Moves `now` to `to`, telling at most `room` events on the way.
    ///
    /// # Errors
    ///
    /// UsageError, when `to` has passed or lies at the end of time.
    pub fn advance(&mut self, to: Slot, room: usize) -> Result<Progress, Error> {
        self.check_time(to)?;
        let mut events = Vec::new();
        while let Some(due) = self.approach(to) {
            if events.len() >= room {
                return Ok((Advanced::EventsWaiting, events));
            }
            events.push(self.happen(due, to));
        }
        Ok((Advanced::Done, events))
    }

    /// The next event on the way to `to`, after which `now` is its slot; `now` is `to` after the last one.
    ///
    /// # Errors
    ///
    /// As [`advance`](Self::advance).
    pub fn next(&mut self, to: Slot) -> Result<Option<Happening>, Error> {
        self.check_time(to)?;
        Ok(self.approach(to).map(|due| self.happen(due, to)))
    }

    /// Whether time can pass to `to`.
    pub(crate) fn check_time(&self, to: Slot) -> Result<(), Error> {
        if to < self.now {
            return Err(UsageError::TimeWentBack.into());
        }
        if to > Slot::LAST_NOW {
            return Err(UsageError::EndOfTime.into());
        }
        Ok(())
    }

    /// Moves `now` to the slot of the next event on the way to `to`, or to `to` if nothing happens.
    fn approach(&mut self, to: Slot) -> Option<Due> {
        loop {
            if let Some(due) = self.settling() {
                return Some(due);
            }
            let due = self.next_due().filter(|due| due.reached_at() <= to);
            self.now = due.map_or(to, |due| due.at);
            let due = due?;
            if !self.waits(due.whose) {
                return Some(due);
            }
            self.postpone(due.whose);
        }
    }

    /// An overlay that can become an ordinary booking.
    fn settling(&mut self) -> Option<Due> {
        let whose = self.settle()?;
        Some(Due {
            at: self.now,
            rank: Rank::Settling,
            whose,
        })
    }

    fn next_due(&self) -> Option<Due> {
        self.due().min()
    }

    /// What happens to each reservation next.
    pub(super) fn due(&self) -> impl Iterator<Item = Due> {
        self.rows.iter().map(|row| {
            let (at, rank) = row.timer();
            let whose = row.number;
            Due { at, rank, whose }
        })
    }

    /// What happens at `now` unless time goes on.
    pub(crate) fn due_now(&mut self) -> Option<Due> {
        loop {
            if let Some(due) = self.settling() {
                return Some(due);
            }
            let due = self.next_due().filter(|due| due.reached_at() <= self.now)?;
            if !self.waits(due.whose) {
                return Some(due);
            }
            self.postpone(due.whose);
        }
    }

    /// What happens at `now` because time goes on.
    pub(crate) fn due_on_leaving(&self) -> Option<Due> {
        self.next_due().filter(|due| due.at == self.now)
    }

    /// Moves `now` on to where something happens, at most to `to`.
    pub(crate) fn pass(&mut self, to: Slot) {
        let next = self.next_due().map_or(to, |due| due.at);
        self.now = next.min(to);
    }

    /// Goes on to the next slot if no other hold that lasted until the start in this one is left. Whether it was so.
    pub(crate) fn leave_after_last(&mut self) -> bool {
        let last = self.due_on_leaving().is_none();
        if last {
            self.now = Slot::new(self.now.get() + 1);
        }
        last
    }

    /// Lets it happen on the way to `to`.
    pub(crate) fn happen(&mut self, due: Due, to: Slot) -> Happening {
        let row = self.find(due.whose).expect("it has a timer").clone();
        if due.rank == Rank::Settling {
            self.row(due.whose).expect("it lives").overlaid = 0;
            return self.told(due, due.whose, EventKind::OverlayBooked, &row);
        }
        let kind = match row.life {
            Life::Ending if row.cut => EventKind::Preempted,
            Life::Ending => EventKind::Completed,
            Life::Running if row.meets.is_some() => EventKind::RuleMet,
            Life::Running => EventKind::EndReached,
            Life::Held { .. } => EventKind::Expired,
            Life::Confirmed if due.rank == Rank::Freeze => EventKind::StartFixed,
            Life::Confirmed if row.window().end <= to => EventKind::Missed,
            Life::Confirmed => EventKind::Started,
        };
        if kind == EventKind::Started
            && let Some((kind, whose)) = self.instead_of_start(due.whose)
        {
            return self.told(due, whose, kind, &row);
        }
        match kind {
            EventKind::Started => self.start(due.whose),
            EventKind::StartFixed => self.row(due.whose).expect("it has a timer").terms = None,
            EventKind::RuleMet => self.look_at_turn(due.whose),
            _ => self.remove(due.whose),
        }
        self.told(due, due.whose, kind, &row)
    }

    /// The event, of a reservation that came from the queue or not.
    fn told(&mut self, due: Due, whose: Number, kind: EventKind, row: &Row) -> Happening {
        // What only says that time passes makes no plan stale.
        if kind != EventKind::LateStart && kind != EventKind::RuleMet {
            self.changed();
        }
        Happening {
            at: due.at,
            whose: Some(whose),
            kind,
            ticket: row.ticket,
        }
    }

    /// For each PE whether nobody runs on it.
    pub(super) fn idle(&self) -> Vec<bool> {
        let mut free = self.existing.clone();
        let running = self.rows.iter().filter(|row| row.has_started());
        for &pe in running.flat_map(|row| &row.set) {
            free[usize::from(pe)] = false;
        }
        free
    }

    fn start(&mut self, number: Number) {
        let free = self.idle();
        let late = self.kind == Kind::Counts && self.numbered;
        let row = self.row(number).expect("it starts");
        row.life = Life::Running;
        row.terms = None;
        if late {
            row.set = lowest(&free, row.placed.pes);
        }
    }

    /// Lets a reservation have these PEs from now on, and starts it if that is due.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn bind(&mut self, number: Number, pes: &[u16]) -> Result<(), Error> {
        let row = self.find(number)?;
        let set = self.late_set(pes)?;
        if set.len() as u32 != row.placed.pes.get() {
            return Err(UsageError::BadPes.into());
        }
        let starts = row.life == Life::Confirmed && row.timer() == (self.now, Rank::Start);
        if !starts && !row.has_started() {
            return Err(UsageError::WrongState.into());
        }
        let mut others = self.rows.iter().filter(|other| other.number != number);
        if others.any(|other| other.set.iter().any(|pe| set.contains(pe))) {
            return Err(Refusal::NoRoom.into());
        }
        if starts {
            self.start(number);
        }
        self.row(number)?.set = set.into_iter().collect();
        self.changed();
        Ok(())
    }

    /// The set of these, where PEs are bound late.
    pub(super) fn late_set(&self, pes: &[u16]) -> Result<BTreeSet<u16>, Error> {
        let late = self.kind == Kind::Counts && self.numbered;
        let exist = pes.iter().all(|pe| u32::from(*pe) < self.pes);
        match late && exist && !pes.is_empty() {
            true => Ok(pes.iter().copied().collect()),
            false => Err(UsageError::BadPes.into()),
        }
    }

    /// The slot to advance to for the next event.
    #[must_use]
    pub fn next_event(&self) -> Option<Slot> {
        if self.is_settling() {
            return Some(self.now);
        }
        self.next_due().map(Due::reached_at)
    }
}
