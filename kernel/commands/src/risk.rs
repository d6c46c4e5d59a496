//! On what terms reservations are booked on top of others.

use alloc::vec::Vec;

use bookahead::{
    Commitment, Exponential, Guarantee, History, PeCount, Probability, Reservation, RunTimeLaw,
    Slot, Span,
};

use crate::Number;

/// A reservation on top of others: its start, how many of its PEs are overlaid, and how probably it is kept.
pub type Overlaid<Name = Number> = (Name, Slot, PeCount, Probability);

/// The terms of an overlay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Risk {
    /// What counts as keeping the promise.
    pub guarantee: Guarantee,
    /// How probable that has to be.
    pub threshold: Probability,
    /// How long jobs run.
    pub law: Law,
    /// How long it is held, unless it is confirmed at once.
    pub ttl: Option<Span>,
    /// How many predecessors there is room for.
    pub list: usize,
    /// By how many elements the table of probabilities is too short.
    pub lacking: usize,
}

impl Risk {
    /// As what it is booked.
    #[must_use]
    pub fn commitment(&self) -> Commitment {
        let held = |ttl| Commitment::Held { ttl };
        self.ttl.map_or(Commitment::Confirmed, held)
    }

    /// How long the table of probabilities is, on a machine of `pes` PEs.
    #[must_use]
    pub fn table(&self, pes: u32) -> usize {
        (pes as usize).saturating_sub(self.lacking)
    }
}

/// How long jobs run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Law {
    /// On average a slot and this part of what was booked; for those that were made before, of what was booked divided by their PEs.
    Part(u32),
    /// On average so many slots.
    Mean(u32),
    /// As long as others did, counted in bins of so many slots.
    ServiceTimes(Span, Vec<u32>),
    /// As large a share of what was booked as others did, counted.
    UsedShares(Vec<u32>),
}

impl Law {
    /// What was counted, for [`history`](Self::history) to borrow.
    #[must_use]
    pub fn counters(&self) -> Vec<u32> {
        match self {
            Self::Part(_) | Self::Mean(_) => Vec::new(),
            Self::ServiceTimes(_, counters) | Self::UsedShares(counters) => counters.clone(),
        }
    }

    /// The history in the counters, if that is the law.
    #[must_use]
    pub fn history<'m>(&self, counters: &'m mut [u32]) -> Option<History<'m>> {
        match self {
            Self::Part(_) | Self::Mean(_) => None,
            Self::ServiceTimes(bin, _) => History::of_service_times(*bin, counters),
            Self::UsedShares(_) => History::of_used_shares(counters),
        }
    }

    /// The law of a reservation that was made before.
    #[must_use]
    pub fn of_known<'h>(
        &self,
        known: &Reservation,
        history: Option<&'h History<'_>>,
    ) -> RunTimeLaw<'h> {
        let mean = known.request.duration.get() / known.request.pes.get();
        self.of_newcomer(Span::new(mean), history)
    }

    /// The law of a newcomer with that duration.
    ///
    /// # Panics
    ///
    /// When it takes no time on average.
    #[must_use]
    pub fn of_newcomer<'h>(
        &self,
        duration: Span,
        history: Option<&'h History<'_>>,
    ) -> RunTimeLaw<'h> {
        let mean = match *self {
            Self::Part(part) => 1 + duration.get() / part.max(1),
            Self::Mean(mean) => mean,
            Self::ServiceTimes(..) | Self::UsedShares(_) => 1,
        };
        match history {
            Some(history) => RunTimeLaw::Empirical(history),
            None => {
                RunTimeLaw::Exponential(Exponential::new(1, mean.into()).expect("it takes time"))
            }
        }
    }
}
