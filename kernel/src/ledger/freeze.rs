//! When the start of a flexible reservation becomes fixed: the rule in its row, and the slot that it gives.

use super::{Ledger, Phase, Row, row::later};
use crate::{
    error::Error,
    flexibility::{Flexibility, Freeze},
    handle::Handle,
    ring::Width,
    time::{Slot, Span},
};

/// Marks of a flexible reservation that has not started. Strict, held and running ones have none of them.
pub(crate) mod terms {
    /// It may be moved until its start is fixed.
    pub(crate) const FLEXIBLE: u8 = 16;
    /// It has a deadline only: its time flexibility counts from `now`.
    pub(crate) const DEADLINE: u8 = 32;
    /// The start becomes fixed when `note` thousandths of the time from booking to start have passed.
    pub(crate) const SHARE: u8 = 64;
    /// The start becomes fixed `note` slots before it.
    pub(crate) const LEAD: u8 = 128;
    /// The start becomes fixed `note` slots after the booking.
    pub(crate) const AT: u8 = SHARE | LEAD;
    /// The bits of the rule above; none: the start is not fixed before it.
    pub(crate) const RULE: u8 = AT;
    /// All of them.
    pub(crate) const ALL: u8 = FLEXIBLE | DEADLINE | RULE;
}

/// The whole, in thousandths.
const WHOLE: u32 = 1_000;

impl<N: Width> Row<N> {
    /// Makes a confirmed reservation flexible.
    pub(crate) fn set_terms(&mut self, kind: Flexibility, freeze: Freeze) {
        let deadline = match kind {
            Flexibility::Interval => 0,
            Flexibility::Deadline => terms::DEADLINE,
        };
        let (rule, note) = match freeze {
            Freeze::Never => (0, 0),
            Freeze::Acceptance => (terms::SHARE, 0),
            Freeze::Share { per_mille } => (terms::SHARE, u32::from(per_mille).min(WHOLE)),
            Freeze::Lead { lead } => (terms::LEAD, lead.get()),
        };
        self.marks |= terms::FLEXIBLE | deadline | rule;
        self.note = note;
        self.phase = self.phase_of_start();
    }

    /// Returns the slot in which the start of a flexible reservation becomes fixed, if that comes before it starts.
    fn freezes(&self) -> Option<Slot> {
        let wait = self.ahead.get().saturating_add(self.lead.get());
        let after = match self.marks & terms::RULE {
            0 => return None,
            terms::SHARE => share(wait, self.note),
            terms::LEAD => wait.saturating_sub(self.note),
            _ => self.note,
        };
        Some(later(self.booked_at(), Span::new(after)))
    }

    /// Returns when the row is due while its start is still to be fixed.
    pub(super) fn fixed_at(&self) -> Slot {
        self.freezes().unwrap_or_default()
    }

    /// Returns the phase of a confirmed reservation: whether its start is fixed in a slot of its own.
    pub(super) fn phase_of_start(&self) -> Phase {
        if self.freezes().is_some_and(|at| at < self.start()) {
            Phase::FREEZING
        } else {
            Phase::CONFIRMED
        }
    }

    /// Returns whether the start is fixed: of a strict, held or running reservation, and of a flexible one whose slot
    /// has been reached.
    pub(crate) fn is_fixed(&self, now: Slot) -> bool {
        !self.is_marked(terms::FLEXIBLE) || self.freezes().is_some_and(|at| at <= now)
    }

    /// Returns whether others may move it: juggling and shifting.
    pub(crate) fn is_movable(&self, now: Slot) -> bool {
        self.is_live() && !self.is_fixed(now)
    }

    /// Makes the start fixed from `now` on. The event is still to be reported, unless the reservation starts now.
    fn fix_from(&mut self, now: Slot) {
        self.marks |= terms::AT;
        self.note = now.since(self.booked_at()).unwrap_or_default().get();
        self.phase = self.phase_of_start();
    }

    /// Fixes the start from `now` on if, where the reservation has been moved to, the slot for that has passed.
    pub(crate) fn fix_if_passed(&mut self, now: Slot) {
        if self.is_live() && self.freezes().is_some_and(|at| at < now) {
            self.fix_from(now);
        }
    }

    /// Returns whether the terms of a row agree with its phase.
    pub(super) fn has_sound_terms(&self) -> bool {
        let marks = self.marks & terms::ALL;
        let confirmed = self.phase == Phase::CONFIRMED || self.phase == Phase::FREEZING;
        if marks & terms::FLEXIBLE == 0 || !confirmed {
            return marks == 0;
        }
        let known = match marks & terms::RULE {
            0 => self.note == 0,
            terms::SHARE => self.note <= WHOLE,
            _ => true,
        };
        known && self.phase == self.phase_of_start()
    }
}

/// Returns `thousandths` of `wait`, rounded up. In 32 bits, which suffice: 64-bit division is slow on Cortex-M.
fn share(wait: u32, thousandths: u32) -> u32 {
    let (thousands, rest) = (wait / WHOLE, wait % WHOLE);
    let part = rest.saturating_mul(thousandths).div_ceil(WHOLE);
    thousands.saturating_mul(thousandths).saturating_add(part)
}

impl<N: Width> Ledger<'_, N> {
    /// Makes a reservation flexible that has just been made.
    pub(crate) fn make_flexible(
        &mut self,
        handle: Handle,
        kind: Flexibility,
        freeze: Freeze,
        now: Slot,
    ) {
        self.set_terms_of(handle.row as usize, now, |row| row.set_terms(kind, freeze));
    }

    /// Changes the terms of a row, and updates its timer.
    fn set_terms_of(&mut self, index: usize, now: Slot, change: impl FnOnce(&mut Row<N>)) {
        self.note(index);
        if let Some(row) = self.rows.get_mut(index) {
            change(row);
            let due = row.due();
            self.timers(now).changed(index as u32, due);
        }
    }

    /// Fixes the start of a reservation from `now` on. Returns whether that changes anything.
    pub(crate) fn freeze(&mut self, handle: Handle, now: Slot) -> Result<bool, Error> {
        let (row, booked) = self.find(handle)?;
        if booked.is_fixed(now) {
            return Ok(false);
        }
        self.set_terms_of(row, now, |row| row.fix_from(now));
        self.changed();
        Ok(true)
    }
}
