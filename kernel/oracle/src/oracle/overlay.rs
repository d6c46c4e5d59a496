//! Reservations on top of others: accepted by probability, started when PEs are idle, stopped for those who come first.

use bookahead::{
    Error, EventKind, Load, Overlap, PeCount, Placement, Probability, Refusal, Request, Run, Slot,
    Span, State, UsageError, Window,
};

use super::row::{Life, Row};
use super::{Oracle, check_terms};
use bookahead_commands::{Number, Overlaid, Risk};

impl Oracle {
    /// Books where the promise is most probably kept.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check), that the memory is too short, that it is too risky, or that it is a hold of no slots.
    pub fn overlay(&mut self, request: &Request, risk: &Risk) -> Result<Overlaid, Error> {
        self.check(request)?;
        let mut best: Option<(Probability, Slot)> = None;
        for start in self.candidate_starts(request) {
            let kept = self
                .kept(request, start, risk)
                .ok_or(Refusal::ScratchTooShort)?;
            if best.is_none_or(|(most, _)| kept > most) {
                best = Some((kept, start));
            }
        }
        let (probability, start) = best.expect("being ready is a candidate");
        if probability < risk.threshold {
            return Err(Refusal::TooRisky.into());
        }
        let commitment = risk.commitment();
        check_terms(commitment)?;
        let life = risk.ttl.map_or(Life::Confirmed, |ttl| Life::Held { ttl });
        let window = Window::starting(start, request.duration).expect("it ends by the deadline");
        let free = self.free_during(window).expect("in the ring").get();
        let placed = Placement {
            start,
            duration: request.duration,
            pes: request.pes,
        };
        let number = self.push(*request, placed, life, Vec::new(), None);
        let overlaid = request.pes.get().saturating_sub(free);
        self.row(number).expect("it was just made").overlaid = overlaid;
        self.changed();
        Ok((number, start, PeCount::new(overlaid), probability))
    }

    /// How probably a newcomer that starts there is kept; `None` when the memory is too short.
    fn kept(&self, request: &Request, start: Slot, risk: &Risk) -> Option<Probability> {
        let mut counters = risk.law.counters();
        let history = risk.law.history(&mut counters);
        let window = Window::starting(start, request.duration).expect("candidates end in time");
        let there = self.covering(Window::starting(start, Span::new(1)).expect("a slot"));
        let rows = there
            .iter()
            .map(|number| self.find(*number).expect("it covers"));
        let predecessors: Vec<Run<'_>> = rows
            .filter(|row| row.overlaid == 0 && row.life != Life::Ending)
            .map(|row| Run {
                pes: row.placed.pes,
                window: row.window(),
                ran: self.now.since(row.placed.start).unwrap_or_default(),
                law: risk.law.of_known(&row.known(), history.as_ref()),
            })
            .collect();
        if predecessors.len() > risk.list {
            return None;
        }
        let overlap = Overlap {
            newcomer: Run {
                pes: request.pes,
                window,
                ran: Span::ZERO,
                law: risk.law.of_newcomer(request.duration, history.as_ref()),
            },
            free: self.remaining(start.get()),
            predecessors: &predecessors,
        };
        let later = (start.get() + 1..window.end.get()).map(|slot| Load {
            at: Slot::new(slot),
            free: self.remaining(slot),
        });
        let mut table = vec![Probability::ZERO; risk.table(self.pes)];
        overlap.kept(risk.guarantee, later, &mut table)
    }

    /// What remains in a slot when everything booked and overlaid there is subtracted.
    fn remaining(&self, slot: u64) -> i32 {
        let there = self.rows.iter().filter(|row| row.covers(slot));
        self.pes as i32 - there.map(|row| row.placed.pes.get() as i32).sum::<i32>()
    }

    /// The slots of a reservation that have not passed, as far as anybody looks ahead.
    fn rest(&self, row: &Row) -> std::ops::Range<u64> {
        row.placed.start.max(self.now).get()..row.window().end.min(self.end()).get()
    }

    /// How much of a reservation's overlaid part could be an ordinary booking; nothing of a hold.
    fn bookable(&self, row: &Row) -> u32 {
        let firm = |slot| {
            let there = self.rows.iter().filter(|row| row.covers(slot));
            there
                .map(|row| row.placed.pes.get() - row.overlaid)
                .sum::<u32>()
        };
        if matches!(row.life, Life::Held { .. }) {
            return 0;
        }
        let free = self.rest(row).map(|slot| self.pes - firm(slot)).min();
        free.unwrap_or(0).min(row.overlaid)
    }

    /// Whether something is overlaid where this reservation is.
    pub(super) fn is_pinned(&self, row: &Row) -> bool {
        let mut slots = self.rest(row);
        row.overlaid > 0
            || slots.any(|slot| {
                self.rows
                    .iter()
                    .any(|row| row.overlaid > 0 && row.covers(slot))
            })
    }

    /// Whether others may move it.
    pub(super) fn is_movable(&self, row: &Row) -> bool {
        !row.is_fixed(self.now) && !self.is_pinned(row)
    }

    /// Whether early ends have left room for an overlay since they were last looked at.
    pub(super) fn is_settling(&self) -> bool {
        self.seen != self.revision && self.rows.iter().any(|row| self.bookable(row) > 0)
    }

    /// Books what is overlaid as far as there is room, in order of acceptance; the first of which nothing would stay overlaid.
    pub(super) fn settle(&mut self) -> Option<Number> {
        if self.seen == self.revision {
            return None;
        }
        for number in self.live() {
            let row = self.find(number).expect("it lives").clone();
            let pes = self.bookable(&row);
            if pes > 0 && pes == row.overlaid {
                return Some(number);
            }
            if pes > 0 {
                self.row(number).expect("it lives").overlaid -= pes;
                self.changed();
            }
        }
        self.seen = self.revision;
        None
    }

    /// Who has to be stopped before a reservation can start: nobody, the last of these, or it has to wait.
    fn yields(&self, row: &Row) -> Result<Option<Number>, ()> {
        let idle = self.idle().iter().filter(|idle| **idle).count() as u32;
        let lacking = row.placed.pes.get().saturating_sub(idle);
        if lacking == 0 {
            return Ok(None);
        }
        let yielding = |other: &&Row| {
            let later = row.overlaid == 0 || other.number > row.number;
            other.has_started() && other.overlaid > 0 && later
        };
        let yielding: Vec<&Row> = self.rows.iter().filter(yielding).collect();
        let held: u32 = yielding.iter().map(|other| other.placed.pes.get()).sum();
        match yielding.last() {
            Some(last) if held >= lacking => Ok(Some(last.number)),
            _ => Err(()),
        }
    }

    /// Whether its late start has been reported, and it still has to wait.
    pub(super) fn waits(&self, number: Number) -> bool {
        let row = self.find(number).expect("it is due");
        let begun = row.life == Life::Confirmed && row.placed.duration > Span::ZERO;
        begun && row.delayed && self.yields(row).is_err()
    }

    /// It starts a slot later, and ends when it would have.
    pub(super) fn postpone(&mut self, number: Number) {
        let next = Slot::new(self.now.get() + 1);
        let row = self.row(number).expect("it waits");
        row.placed.start = next;
        row.placed.duration = Span::new(row.placed.duration.get() - 1);
        row.delayed = true;
        let settled = self.seen == self.revision;
        self.revision += 1;
        if settled {
            self.seen = self.revision;
        }
    }

    /// What happens instead when a reservation should start, and to whom.
    pub(super) fn instead_of_start(&mut self, number: Number) -> Option<(EventKind, Number)> {
        let row = self.find(number).expect("it starts").clone();
        match self.yields(&row) {
            Ok(None) => None,
            Ok(Some(last)) => {
                self.remove(last);
                Some((EventKind::CutShort, last))
            }
            Err(()) => {
                self.postpone(number);
                Some((EventKind::LateStart, number))
            }
        }
    }

    /// How many PEs of a reservation are overlaid.
    ///
    /// # Errors
    ///
    /// UsageError, when there is none.
    pub fn overlaid(&self, number: Number) -> Result<PeCount, Error> {
        Ok(PeCount::new(self.find(number)?.overlaid))
    }

    /// For whom a reservation waits.
    ///
    /// # Errors
    ///
    /// UsageError, when there is none, or it is no overlay that is to start.
    pub fn waits_for(&self, number: Number) -> Result<Vec<Number>, Error> {
        let row = self.find(number)?;
        if row.overlaid == 0 || row.state() != State::Confirmed {
            return Err(UsageError::WrongState.into());
        }
        let firm =
            |other: &Row| other.has_started() && (other.overlaid == 0 || other.number < row.number);
        let rows = self.ordered(firm).into_iter();
        Ok(rows.map(|row| row.number).collect())
    }

    /// Whether anything is overlaid.
    pub(crate) fn has_overlays(&self) -> bool {
        self.rows.iter().any(|row| row.overlaid > 0)
    }

    /// Whether it waits beyond the start that it was promised.
    pub(crate) fn is_delayed(&self, number: Number) -> bool {
        self.find(number).is_ok_and(|row| row.delayed)
    }
}
