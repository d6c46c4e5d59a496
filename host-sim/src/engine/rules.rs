//! Rules come and go: what the kernel is asked to do then, and what becomes of those in the way.

use std::collections::VecDeque;

use bookahead::{Absent, PeCount, Slot, SlotClock, heapless, raw::Ring};

use super::{
    defect::{broken, internal},
    drive::Run,
    overruns::Displaced,
};
use crate::{
    error::{Error, Result},
    outage::Breaker,
    rule::{self, Name, Rule},
    saved::{Saved, saves},
};

/// The rules of a run.
pub(super) struct Rules {
    names: Vec<Name>,
    /// When which of them comes or goes, in that order; who goes then, goes first.
    changes: VecDeque<(Slot, bool, usize)>,
}

impl Rules {
    pub(super) fn new(rules: &[Rule], clock: SlotClock) -> Self {
        let changes = rules.iter().enumerate().flat_map(|(number, rule)| {
            let [since, until] = rule.holds(clock.slot_seconds().into());
            [(since, true), (until, false)].map(|(second, comes)| (second, comes, number))
        });
        // What lies behind the end of time never happens.
        let changes = changes.filter_map(|(second, comes, number)| {
            let slot = clock.slot_rounding_up(second)?;
            let comes_to_pass = slot <= Slot::LAST_NOW && clock.seconds(slot).is_some();
            comes_to_pass.then_some((slot, comes, number))
        });
        let mut changes: Vec<_> = changes.collect();
        changes.sort_unstable();
        Self {
            names: rules.iter().map(|rule| rule.name).collect(),
            changes: changes.into(),
        }
    }

    /// When one comes or goes next.
    pub(super) fn next(&self) -> Option<Slot> {
        self.changes.front().map(|(slot, ..)| *slot)
    }

    /// The number of a rule in its file, from 1 on.
    pub(super) fn number(&self, by: Breaker) -> Option<u64> {
        let mut names = self.names.iter();
        let place = names.position(|name| by == Breaker::Rule(*name))?;
        Some(place as u64 + 1)
    }
}

impl Saved for Rules {
    saves!(changes);
}

impl<R: Ring> Run<'_, R> {
    /// The rules that come or go by `slot`, which time has reached.
    pub(super) fn change_rules(&mut self, slot: Slot) -> Result<()> {
        let is_due = |(at, ..): &mut (Slot, bool, usize)| *at <= slot;
        while let Some((_, comes, number)) = self.rules.changes.pop_front_if(is_due) {
            self.change_rule(number, comes)?;
        }
        Ok(())
    }

    fn change_rule(&mut self, number: usize, comes: bool) -> Result<()> {
        let scheduler = &mut self.scheduler;
        let rule = scheduler.rules.get(number).cloned();
        let rule = rule.ok_or_else(|| internal("nobody knows this rule"))?;
        let set = match &rule.pes {
            rule::Absent::Number(_) => Vec::new(),
            rule::Absent::These(pes) => scheduler.bits(pes.numbers()),
        };
        let absent = match rule.pes {
            rule::Absent::Number(pes) => Absent::Number(PeCount::new(pes.into())),
            rule::Absent::These(_) => Absent::These(&set),
        };
        let in_slots = rule.in_slots(scheduler.clock.slot_seconds());
        let in_slots = in_slots.ok_or_else(|| internal("a rule of no whole slots"))?;
        let workspace = scheduler.workspace.view();
        let mut transaction = scheduler.book.transaction(workspace, u64::MAX);
        // The moves name all of them.
        let mut gone = heapless::Vec::<_, 0>::new();
        let changed = transaction.set_rule(number, comes.then_some((in_slots, absent)), &mut gone);
        changed.map_err(|reason| {
            Error::Usage(format!(
                "rule {} cannot be taken into the book: {reason}",
                rule.name
            ))
        })?;
        let done = Displaced::by(transaction.moves());
        transaction.commit().map_err(broken)?;
        let time = self.scheduler.seconds(self.scheduler.book.now())?;
        self.displaced(Breaker::Rule(rule.name), time, &done)?;
        Ok(())
    }
}
