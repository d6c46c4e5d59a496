//! Jobs without a known end: rows that cover whatever lies ahead.

use bookahead::{
    Error, Meeting, PeCount, Placement, Refusal, Request, Slot, Span, UsageError, Window,
};
use bookahead_commands::{InTheWay, Kind, Number, Several};

use super::row::Life;
use super::{Oracle, first_that_applies};

impl Oracle {
    /// Whether a job without a known end runs on this PE.
    pub(super) fn is_open_on(&self, pe: u16) -> bool {
        let open = self.rows.iter().filter(|row| row.is_open());
        open.into_iter().any(|row| row.set.contains(&pe))
    }

    /// Starts a job without a known end; who is in the way if there is no room.
    pub fn reserve_open(&mut self, pes: PeCount, meeting: Meeting) -> Several<Number> {
        let checked = first_that_applies(&[
            (
                self.rules.is_none() || self.kind == Kind::Counts,
                UsageError::BadRule.into(),
            ),
            (pes.get() == 0, UsageError::ZeroPes.into()),
            (pes > self.pes(), Refusal::TooWide.into()),
            (self.rows.len() >= self.capacity, Refusal::TableFull.into()),
        ]);
        if let Err(reason) = checked {
            return (Err(reason), InTheWay::nobody());
        }
        let now = self.now.get();
        let ahead = now..self.end().get();
        let taken_now = self.set_gone(now);
        let may_have = |pe: &u16| {
            let had = self
                .rows
                .iter()
                .any(|row| row.set.contains(pe) && ahead.clone().any(|slot| row.covers(slot)));
            let ruled = match meeting {
                Meeting::Allow => taken_now.contains(pe),
                Meeting::Refuse => self.rules_on(&[*pe]).next().is_some(),
            };
            !had && !ruled && !self.never_there().contains(pe)
        };
        let wanted = pes.get() as usize;
        let set: Vec<u16> = (0..self.pes as u16).filter(may_have).take(wanted).collect();
        if set.len() < wanted {
            let all = Window {
                start: self.now,
                end: self.end(),
            };
            let everybody: Vec<u16> = (0..self.pes as u16).collect();
            let rules = match meeting {
                Meeting::Allow => self.rules_in(now..now + 1, None).into_iter().collect(),
                Meeting::Refuse => self.rules_on(&everybody).map(|(rule, _)| rule).collect(),
            };
            let names = InTheWay::of(self.covering(all));
            return (Err(Refusal::NoRoom.into()), InTheWay { rules, ..names });
        }
        let duration = Span::new(u32::MAX);
        let request = Request {
            ready: self.now,
            duration,
            deadline: self.now.saturating_add(duration),
            pes,
        };
        let placed = Placement {
            start: self.now,
            duration,
            pes,
        };
        let number = self.push(request, placed, Life::Running, set, None);
        self.look_at_turn(number);
        self.changed();
        (Ok(number), InTheWay::nobody())
    }

    /// Gives a job without a known end one.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn announce_end(&mut self, number: Number, at: Slot) -> Result<(), Error> {
        let is_open = self.find(number)?.is_open();
        first_that_applies(&[
            (!is_open, UsageError::WrongState.into()),
            (at <= self.now, Refusal::OutsideWindow.into()),
        ])?;
        self.close(number, at)?;
        self.changed();
        Ok(())
    }

    /// Gives it an end ahead, as far as no rule is in the way.
    pub(super) fn close(&mut self, number: Number, at: Slot) -> Result<(), Error> {
        let row = self.find(number)?;
        let beyond = at > self.end();
        let mut rest = self.now.get()..if beyond { 0 } else { at.get() };
        let ruled = rest.any(|slot| row.set.iter().any(|pe| self.set_gone(slot).contains(pe)));
        first_that_applies(&[
            (beyond, Refusal::BeyondHorizon.into()),
            (ruled, Refusal::NoRoom.into()),
        ])?;
        let row = self.row(number)?;
        row.placed.duration = at.since(row.placed.start).expect("it has started");
        row.request.duration = row.placed.duration;
        row.request.deadline = at;
        row.meets = None;
        Ok(())
    }

    /// Looks when rules meet those without a known end, but for whoever is yet to be told of a turn now.
    pub(super) fn look_at_turns(&mut self) {
        let now = self.now;
        let open = self.rows.iter().filter(|row| row.is_open());
        let open = open.filter(|row| row.meets.is_none_or(|at| at > now));
        let numbers: Vec<Number> = open.map(|row| row.number).collect();
        for number in numbers {
            self.look_at_turn(number);
        }
    }

    /// Looks when a rule meets this one, behind the present slot.
    pub(super) fn look_at_turn(&mut self, number: Number) {
        let now = i128::from(self.now.get());
        let row = self.find(number).expect("it runs");
        let (start, end) = (i128::from(row.placed.start.get()), row.window().end);
        // A rule that always applies has no turns.
        let turns = self
            .rules_on(&row.set)
            .filter(|(_, rule)| rule.length < rule.period);
        let next = turns.map(|(_, rule)| {
            let period = i128::from(rule.period.get());
            now + period - (now - i128::from(rule.phase.get())).rem_euclid(period)
        });
        // Behind its end nothing meets it.
        let next = next
            .min()
            .filter(|next| *next < start + i128::from(u32::MAX));
        let next = next
            .map(|next| Slot::new(next as u64))
            .filter(|next| *next < end);
        self.row(number).expect("it runs").meets = next;
    }
}
