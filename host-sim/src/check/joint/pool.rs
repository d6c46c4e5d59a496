//! What is booked of the machine, of a resource or of a quota, as far as it is known.

use std::collections::HashMap;

use super::super::profile::Profile;
use crate::{
    files::Booking,
    several::{Budget, Refuser},
};

/// One of the books that are decided as one.
pub(super) struct Pool {
    pub(super) who: Refuser,
    /// How messages name it.
    pub(super) name: String,
    /// How much there is at once.
    pub(super) limit: u64,
    budget: Option<Budget>,
    /// Seconds of a slot.
    slot: u64,
    profile: Profile,
    /// Amount x seconds in each period in which something is booked.
    used: HashMap<u64, u64>,
}

impl Pool {
    /// Nothing is booked yet.
    pub(super) fn new(
        (who, name): (Refuser, String),
        (limit, budget): (u64, Option<Budget>),
        slot: u64,
    ) -> Self {
        Self {
            who,
            name,
            limit,
            // A period of no length is noted elsewhere.
            budget: budget.filter(|budget| budget.period > 0),
            slot,
            profile: Profile::new(),
            used: HashMap::new(),
        }
    }

    /// How much may be had in a period: what is left over of a PE-slot is nothing.
    fn most(&self, budget: Budget) -> u64 {
        budget.pe_seconds / self.slot * self.slot
    }

    /// The periods that a window meets, and how many seconds of it lie in each.
    fn periods(budget: Budget, start: u64, end: u64) -> impl Iterator<Item = (u64, u64)> {
        let first = start / budget.period;
        let periods = (first..)
            .take_while(move |period| start < end && period.saturating_mul(budget.period) < end);
        periods.map(move |period| {
            let begin = period.saturating_mul(budget.period);
            let until = begin.saturating_add(budget.period);
            (period, end.min(until).saturating_sub(start.max(begin)))
        })
    }

    /// Books so much of it, or gives it back.
    pub(super) fn book(&mut self, Booking { start, end, pes }: Booking, back: bool) {
        let amount = i64::try_from(pes).unwrap_or(i64::MAX);
        self.profile
            .add(start..end, if back { -amount } else { amount });
        let Some(budget) = self.budget else { return };
        for (period, seconds) in Self::periods(budget, start, end) {
            let used = self.used.entry(period).or_default();
            let charge = seconds.saturating_mul(pes);
            *used = match back {
                true => used.saturating_sub(charge),
                false => used.saturating_add(charge),
            };
        }
    }

    /// What would be too much if that were booked, in words.
    pub(super) fn excess(&self, booking: Booking) -> Option<String> {
        let Booking { start, end, pes } = booking;
        let busy = u64::try_from(self.profile.most(start..end)).unwrap_or(0);
        let together = busy.saturating_add(pes);
        if together > self.limit {
            return Some(format!(
                "{together} at once, expected {} at most",
                self.limit
            ));
        }
        let budget = self.budget?;
        let most = self.most(budget);
        let mut periods = Self::periods(budget, start, end);
        periods.find_map(|(period, seconds)| {
            let used = self.used.get(&period).copied().unwrap_or(0);
            let together = used.saturating_add(seconds.saturating_mul(pes));
            (together > most).then(|| in_period(together, period, budget, most))
        })
    }

    /// What is too much of all that is booked in the end, in words.
    pub(super) fn too_much(&self) -> Option<String> {
        let peak = u64::try_from(self.profile.most(0..u64::MAX)).unwrap_or(0);
        if peak > self.limit {
            return Some(format!("{peak} at once, expected {} at most", self.limit));
        }
        let budget = self.budget?;
        let most = self.most(budget);
        let over = self.used.iter().filter(|(_, used)| **used > most).min();
        over.map(|(period, used)| in_period(*used, *period, budget, most))
    }

    /// How much is left all through a window.
    pub(super) fn left(&self, [start, end]: [u64; 2]) -> u64 {
        let busy = u64::try_from(self.profile.most(start..end)).unwrap_or(0);
        self.limit.saturating_sub(busy)
    }

    /// The periods that a window meets, from when to when, and what is used of each.
    pub(super) fn used(&self, [start, end]: [u64; 2]) -> impl Iterator<Item = ([u64; 2], u64)> {
        let budgets = self.budget.into_iter();
        budgets.flat_map(move |budget| {
            Self::periods(budget, start, end).map(move |(period, _)| {
                let from = period.saturating_mul(budget.period);
                let used = self.used.get(&period).copied().unwrap_or(0);
                ([from, from.saturating_add(budget.period)], used)
            })
        })
    }

    /// The first start between two times from which so much is free for so long.
    pub(super) fn earliest(&self, window: [u64; 2], duration: u64, amount: u64) -> Option<u64> {
        let limit = self.limit.checked_sub(amount)?;
        self.earliest_below(limit, window, [duration, amount])
    }

    /// The first start that periods allow, however much is taken at once.
    pub(super) fn earliest_in_periods(
        &self,
        window: [u64; 2],
        duration: u64,
        amount: u64,
    ) -> Option<u64> {
        self.earliest_below(u64::MAX, window, [duration, amount])
    }

    /// The first start that periods allow, where no more than `limit` are taken all through.
    fn earliest_below(
        &self,
        limit: u64,
        [from, latest]: [u64; 2],
        [duration, amount]: [u64; 2],
    ) -> Option<u64> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut start = from;
        loop {
            start = self.profile.earliest(start, duration, limit)?;
            if start > latest {
                return None;
            }
            match self.behind(start, duration, amount) {
                None => return Some(start),
                Some(later) => start = later,
            }
        }
    }

    /// The first start behind `start` at which a period allows what it does not there; nothing where all allow it.
    fn behind(&self, start: u64, duration: u64, amount: u64) -> Option<u64> {
        let budget = self.budget?;
        let end = start.saturating_add(duration);
        Self::periods(budget, start, end).find_map(|(period, seconds)| {
            let used = self.used.get(&period).copied().unwrap_or(0);
            let left = self.most(budget).saturating_sub(used);
            if seconds.saturating_mul(amount) <= left {
                return None;
            }
            // All that it may have of the period are the last of its slots.
            let slots = left / amount.max(1) / self.slot;
            let until = (period + 1).saturating_mul(budget.period);
            Some(until.saturating_sub(slots * self.slot))
        })
    }
}

fn in_period(used: u64, period: u64, budget: Budget, most: u64) -> String {
    let from = period.saturating_mul(budget.period);
    format!("{used} PE-seconds in the period from {from} on, expected {most} at most")
}
