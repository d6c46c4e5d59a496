//! What is not there again and again: worked out for each slot anew.

use std::collections::BTreeSet;

use bookahead::{Error, PeCount, Placement, Refusal, Rule, Span, State, UsageError, Window};
use bookahead_commands::{Broken, Gone, Kind, Number};

use super::{Attempt, Oracle, first_that_applies};
use super::{classes::OUT, row::Row};

/// The number of what is not there at all.
const SIZE: usize = Rule::MOST;

/// Rules by number, and what is not there at all.
pub(super) type Table = Vec<Option<(Rule, Gone)>>;

/// No rules so far.
pub(super) fn none() -> Table {
    vec![None; SIZE + 1]
}

pub(super) fn applies(rule: &Rule, slot: u64) -> bool {
    let behind = i128::from(slot) - i128::from(rule.phase.get());
    behind.rem_euclid(rule.period.get().into()) < i128::from(rule.length.get())
}

fn number(gone: &Gone) -> u32 {
    match gone {
        Gone::Number(pes) => pes.get(),
        Gone::These(_) => unreachable!("numbers only"),
    }
}

impl Oracle {
    /// What applies in a slot, with its number.
    fn there(&self, slot: u64) -> impl Iterator<Item = (usize, &Gone)> {
        let rules = self.rules.iter().flatten().enumerate();
        let rules = rules.filter_map(|(number, rule)| Some((number, rule.as_ref()?)));
        // What has passed takes no room.
        let is_ahead = slot >= self.now.get();
        let there = rules.filter(move |(_, (rule, _))| is_ahead && applies(rule, slot));
        there.map(|(number, (_, gone))| (number, gone))
    }

    /// The same without.
    fn gone_at(&self, slot: u64) -> impl Iterator<Item = &Gone> {
        self.there(slot).map(|(_, gone)| gone)
    }

    /// Which rules take something in these slots, as far as they lie in the ring; of a set, something of that.
    pub(super) fn rules_in(
        &self,
        slots: impl Iterator<Item = u64>,
        set: Option<&[u16]>,
    ) -> BTreeSet<Number> {
        let end = self.now.get() + u64::from(self.slots);
        let slots = slots.filter(|slot| *slot < end);
        let meets = |gone: &Gone| match (set, gone) {
            (Some(set), Gone::These(pes)) => pes.iter().any(|pe| set.contains(pe)),
            _ => true,
        };
        let rules = slots.flat_map(|slot| self.there(slot));
        let rules = rules.filter(|(number, gone)| *number < SIZE && meets(gone));
        rules.map(|(number, _)| number as Number).collect()
    }

    /// Which rules take something in a slot of the window, as far as it lies in the ring.
    pub(crate) fn rules_during(&self, window: Window) -> Vec<Number> {
        let (now, horizon) = (self.now.get(), u64::from(self.slots));
        let slots = window.start.get().max(now)..window.end.get().min(now + horizon);
        self.rules_in(slots, None).into_iter().collect()
    }

    /// How many rules take in a slot: as many as the one that takes most.
    pub(super) fn number_gone(&self, slot: u64) -> u32 {
        self.gone_at(slot).map(number).max().unwrap_or(0)
    }

    /// How many the rule that takes most takes, at any time.
    pub(super) fn most_gone(&self) -> u32 {
        let all = self.rules.iter().flatten().flatten();
        all.map(|(_, gone)| number(gone)).max().unwrap_or(0)
    }

    /// The rules that take more than so many.
    pub(super) fn rules_over(&self, pes: u32) -> impl Iterator<Item = &Rule> {
        let rules = self.rules.iter().flatten().take(SIZE).flatten();
        rules.filter_map(move |(rule, gone)| (number(gone) > pes).then_some(rule))
    }

    /// The rules that take one of these PEs at some time, or a number, by number.
    pub(super) fn rules_on(&self, set: &[u16]) -> impl Iterator<Item = (Number, &Rule)> {
        let rules = self.rules.iter().flatten().take(SIZE).enumerate();
        rules.filter_map(move |(number, rule)| match rule {
            Some((rule, gone)) => {
                let meets = match gone {
                    Gone::These(pes) => pes.iter().any(|pe| set.contains(pe)),
                    Gone::Number(_) => true,
                };
                meets.then_some((number as Number, rule))
            }
            None => None,
        })
    }

    /// Which PEs are not there at all.
    pub(super) fn never_there(&self) -> Vec<u16> {
        match self.rules.as_ref().and_then(|rules| rules[SIZE].clone()) {
            Some((_, Gone::These(pes))) => pes,
            _ => Vec::new(),
        }
    }

    /// Which PEs rules take in a slot.
    pub(super) fn set_gone(&self, slot: u64) -> BTreeSet<u16> {
        let sets = self.gone_at(slot).flat_map(|gone| match gone {
            Gone::These(pes) => pes.clone(),
            Gone::Number(_) => unreachable!("sets only"),
        });
        sets.collect()
    }

    /// Whether there are rules, the rule is one, and what it takes is there.
    fn check_rule(&self, rule: Option<&(Rule, Gone)>) -> Result<(), Error> {
        if self.rules.is_none() {
            return Err(UsageError::BadRule.into());
        }
        let Some((rule, gone)) = rule else {
            return Ok(());
        };
        if rule.period == Span::ZERO || rule.length == Span::ZERO {
            return Err(UsageError::BadRule.into());
        }
        match (gone, self.kind) {
            (Gone::Number(pes), Kind::Counts) => self.check_number(*pes),
            (Gone::These(pes), Kind::Sets)
                if !pes.is_empty() && pes.iter().all(|pe| self.exists(*pe)) =>
            {
                Ok(())
            }
            _ => Err(UsageError::BadPes.into()),
        }
    }

    /// Whether so many can be gone.
    pub(super) fn check_number(&self, pes: PeCount) -> Result<(), Error> {
        first_that_applies(&[
            (pes.get() == 0, UsageError::ZeroPes.into()),
            (pes > self.pes(), Refusal::TooWide.into()),
        ])
    }

    fn exists(&self, pe: u16) -> bool {
        self.existing.get(usize::from(pe)) == Some(&true)
    }

    /// Whether the reservation is in the way of the rules of another book.
    fn gives_way(&self, row: &Row, then: &Self) -> bool {
        let end = self.now.get() + u64::from(self.slots);
        let mut slots = (self.now.get()..end).filter(|slot| row.covers(*slot));
        slots.any(|slot| match self.kind {
            Kind::Counts => {
                let there = self.rows.iter().filter(|row| row.covers(slot));
                let taken: u32 = there.map(|row| row.placed.pes.get()).sum();
                taken + then.number_gone(slot) > self.pes
            }
            _ => row.set.iter().any(|pe| then.set_gone(slot).contains(pe)),
        })
    }
}

impl Attempt {
    /// Says what is not there at all; who has left.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub(super) fn change_size(&mut self, gone: Option<Gone>) -> Result<Vec<Broken>, Error> {
        let always = Rule {
            phase: Span::ZERO,
            period: Span::new(1),
            length: Span::new(1),
        };
        self.change_rule(SIZE, gone.map(|gone| (always, gone)))
    }

    /// Sets a rule, or drops it; who has left.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub(super) fn set_rule(
        &mut self,
        number: usize,
        rule: Option<(Rule, Gone)>,
    ) -> Result<Vec<Broken>, Error> {
        if number >= SIZE {
            return Err(UsageError::BadRule.into());
        }
        self.change_rule(number, rule)
    }

    fn change_rule(
        &mut self,
        number: usize,
        rule: Option<(Rule, Gone)>,
    ) -> Result<Vec<Broken>, Error> {
        self.book().check_rule(rule.as_ref())?;
        // The same rule, however its phase is written.
        let rule = rule.map(|(rule, gone)| {
            let phase = Span::new(rule.phase.get() % rule.period.get());
            (Rule { phase, ..rule }, gone)
        });
        self.all_or_nothing(|attempt| {
            attempt.check_log(&[], 1)?;
            attempt.spend_more(attempt.book().horizon(), 0)?;
            attempt.add_entry();
            let mut then = attempt.book().clone();
            let rules = then.rules.as_mut().expect("it was checked");
            rules[number] = rule;
            let (mut broken, mut lifted) = (Vec::new(), Vec::new());
            while let Some((next, runs)) = attempt.next_to_give_way(&then) {
                if attempt.book().find(next)?.class == OUT {
                    return Err(Refusal::Pinned.into());
                }
                attempt.make_go(next, runs, &mut broken, &mut lifted)?;
            }
            attempt.take_rules(&then);
            lifted.sort_unstable_by_key(|(number, _): &(Number, Placement)| *number);
            broken.extend(attempt.find_places(&lifted)?);
            Ok(broken)
        })
    }

    /// Breaks the promise of somebody who runs, and lifts others.
    pub(super) fn make_go(
        &mut self,
        whose: Number,
        runs: bool,
        broken: &mut Vec<Broken>,
        lifted: &mut Vec<(Number, Placement)>,
    ) -> Result<(), Error> {
        match runs {
            true => broken.push(self.break_promise(whose)?),
            false => lifted.push((whose, self.lift(whose)?)),
        }
        Ok(())
    }

    /// Who goes next, and whether it runs. What is out of service goes last.
    fn next_to_give_way(&self, then: &Oracle) -> Option<(Number, bool)> {
        let book = self.book();
        let rows = book.rows.iter();
        let rows = rows.filter(|row| !row.is_open() && book.gives_way(row, then));
        let next = rows.max_by_key(|row| (row.class != OUT, gives_way(row)));
        next.map(|row| (row.number, row.has_started()))
    }
}

/// The greatest goes first: the one that was accepted last of the holds, then of the confirmed ones, then of the jobs from the queue, then of those that run.
pub(super) fn gives_way(row: &Row) -> (u8, Number) {
    let class = match row.state() {
        State::Held { .. } => 3,
        State::Confirmed => 2,
        State::Running => u8::from(row.ticket.is_some()),
    };
    (class, row.number)
}
