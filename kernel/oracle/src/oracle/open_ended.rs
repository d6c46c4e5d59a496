//! Jobs without a known end: rows that cover whatever lies ahead.

use bookahead::{
    Error, Meeting, PeCount, Placement, Refusal, Request, Rule, Slot, Span, UsageError, Window,
};
use bookahead_commands::{Gone, InTheWay, Kind, Number, Several};

use super::row::Life;
use super::rules::applies;
use super::{Oracle, first_that_applies, lowest};

impl Oracle {
    /// Whether a job without a known end runs on this PE.
    pub(super) fn is_open_on(&self, pe: u16) -> bool {
        let open = self.rows.iter().filter(|row| row.is_open());
        open.into_iter().any(|row| row.set.contains(&pe))
    }

    /// Starts a job without a known end; who is in the way if there is no room.
    pub fn reserve_open(&mut self, pes: PeCount, meeting: Meeting) -> Several<Number> {
        let checked = first_that_applies(&[
            (self.rules.is_none(), UsageError::BadRule.into()),
            (pes.get() == 0, UsageError::ZeroPes.into()),
            (pes > self.pes(), Refusal::TooWide.into()),
            (self.rows.len() >= self.capacity, Refusal::TableFull.into()),
        ]);
        if let Err(reason) = checked {
            return (Err(reason), InTheWay::nobody());
        }
        let set = match self.kind {
            Kind::Counts => self
                .can_have(pes.get(), meeting)
                .then(|| lowest(&self.idle(), pes)),
            _ => self.set_for_ever(pes, meeting),
        };
        let Some(set) = set else {
            return (Err(Refusal::NoRoom.into()), self.against_open(meeting));
        };
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

    /// The lowest PEs that nobody has up to the horizon, that are there, and that rules leave.
    fn set_for_ever(&self, pes: PeCount, meeting: Meeting) -> Option<Vec<u16>> {
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
        let numbers = (0..).zip(&self.existing);
        let free: Vec<bool> = numbers
            .map(|(pe, exists)| *exists && may_have(&pe))
            .collect();
        let found = free.iter().filter(|free| **free).count();
        (found >= pes.get() as usize).then(|| self.choice(0, &free, pes.get()))
    }

    /// Whether so many more are there for ever beside what rules take, now or at any time, and in no slot somebody's are missing then.
    fn can_have(&self, pes: u32, meeting: Meeting) -> bool {
        let now = self.now.get();
        let ruled = match meeting {
            Meeting::Allow => self.number_gone(now),
            Meeting::Refuse => self.most_gone(),
        };
        let open = self.rows.iter().filter(|row| row.is_open());
        let more: u32 = pes + open.map(|row| row.placed.pes.get()).sum::<u32>();
        let booked = |slot| {
            let others = self
                .rows
                .iter()
                .filter(|row| !row.is_open() && row.covers(slot));
            others.map(|row| row.placed.pes.get()).sum::<u32>()
        };
        // Whoever has ended and is yet to be told so still runs on some.
        let idle = self.idle().iter().filter(|idle| **idle).count();
        idle >= pes as usize
            && more + ruled <= self.pes
            && (now..self.end().get()).all(|slot| match booked(slot) {
                0 => true,
                booked => booked + more + self.number_gone(slot) <= self.pes,
            })
    }

    /// Who is in the way of a job without a known end.
    fn against_open(&self, meeting: Meeting) -> InTheWay {
        let all = Window {
            start: self.now,
            end: self.end(),
        };
        let (now, end) = (self.now.get(), self.end().get());
        let everybody: Vec<u16> = (0..self.existing.len() as u16).collect();
        let looked_at = if self.kind == Kind::Counts {
            end
        } else {
            now + 1
        };
        let rules = match meeting {
            Meeting::Allow => self.rules_in(now..looked_at, None).into_iter().collect(),
            Meeting::Refuse => self.rules_on(&everybody).map(|(rule, _)| rule).collect(),
        };
        InTheWay {
            rules,
            ..InTheWay::of(self.covering(all))
        }
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
        let open = self.rows.iter().filter(|row| row.is_open());
        let open: u32 = open.map(|row| row.placed.pes.get()).sum();
        let ruled = rest.any(|slot| match self.kind {
            Kind::Counts => open + self.number_gone(slot) > self.pes,
            _ => row.set.iter().any(|pe| self.set_gone(slot).contains(pe)),
        });
        let longest = at >= row.window().end;
        first_that_applies(&[
            (longest, Refusal::OutsideWindow.into()),
            (beyond, Refusal::BeyondHorizon.into()),
            (ruled, Refusal::NoRoom.into()),
        ])?;
        let row = self.row(number)?;
        row.placed.duration = at.since(row.placed.start).expect("it has started");
        row.request.duration = row.placed.duration;
        row.request.deadline = at;
        row.meets = None;
        self.look_at_others();
        Ok(())
    }

    /// Whoever was accepted later than one that is no longer open may be left alone by a rule that takes a number.
    pub(super) fn look_at_others(&mut self) {
        if self.kind == Kind::Counts {
            self.look_at_turns();
        }
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

    /// Rules that are others than they were before meet those whose PEs they take now.
    pub(super) fn look_at_changed(&mut self, before: &Self) {
        let (old, new) = (before.rules.iter().flatten(), self.rules.iter().flatten());
        let changed = old.zip(new).take(Rule::MOST);
        let changed = changed.filter(|(old, new)| old != new).map(|(_, new)| new);
        let changed = changed.flatten();
        let now = self.now.get();
        let changed = changed.filter(|(rule, _)| applies(rule, now));
        let changed: Vec<Gone> = changed.map(|(_, gone)| gone.clone()).collect();
        for row in self.open_rows() {
            let (first, set) = (
                self.up_to(row),
                self.find(row).expect("it runs").set.clone(),
            );
            let met = changed.iter().any(|gone| match gone {
                Gone::Number(pes) => first + pes.get() > self.pes,
                Gone::These(pes) => pes.iter().any(|pe| set.contains(pe)),
            });
            if met {
                self.row(row).expect("it runs").meets = Some(self.now);
            }
        }
    }

    /// How many those without a known end have up to this one.
    fn up_to(&self, number: Number) -> u32 {
        let first = self
            .rows
            .iter()
            .filter(|row| row.is_open() && row.number <= number);
        first.map(|row| row.placed.pes.get()).sum()
    }

    fn open_rows(&self) -> Vec<Number> {
        let open = self.rows.iter().filter(|row| row.is_open());
        open.map(|row| row.number).collect()
    }

    /// Looks when a rule meets this one, behind the present slot.
    pub(super) fn look_at_turn(&mut self, number: Number) {
        let now = i128::from(self.now.get());
        let row = self.find(number).expect("it runs");
        let (start, end) = (i128::from(row.placed.start.get()), row.window().end);
        let left = self.pes - self.up_to(number);
        let rules = match self.kind {
            Kind::Counts => self.rules_over(left).collect::<Vec<_>>(),
            _ => self.rules_on(&row.set).map(|(_, rule)| rule).collect(),
        };
        // A rule that always applies has no turns.
        let turns = rules.into_iter().filter(|rule| rule.length < rule.period);
        let next = turns.map(|rule| {
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
