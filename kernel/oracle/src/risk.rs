//! On what terms the tests overlay.

use bookahead::{
    Commitment, Exponential, Guarantee, PeCount, Probability, Reservation, RunTimeLaw, Slot, Span,
};

use crate::{Number, Stake};

/// A reservation on top of others: its start, how many of its PEs are overlaid, and how probably it is kept.
pub type Overlaid<Name = Number> = (Name, Slot, PeCount, Probability);

/// The terms of an overlay, for both sides.
#[derive(Clone, Copy, Debug)]
pub struct Risk(pub Stake);

impl Risk {
    /// What counts as keeping the promise.
    #[must_use]
    pub fn guarantee(&self) -> Guarantee {
        if self.0.completion {
            Guarantee::Completion
        } else {
            Guarantee::Access
        }
    }

    /// How probable that has to be.
    #[must_use]
    pub fn threshold(&self) -> Probability {
        Probability::rounding_up(u32::from(self.0.percent % 101), 100).expect("at most 1")
    }

    /// How long it is held, unless it is confirmed at once.
    #[must_use]
    pub fn ttl(&self) -> Option<Span> {
        self.0.ttl.map(|ttl| Span::new(ttl.into()))
    }

    /// The same.
    #[must_use]
    pub fn commitment(&self) -> Commitment {
        let held = |ttl| Commitment::Held { ttl };
        self.ttl().map_or(Commitment::Confirmed, held)
    }

    /// The law of a reservation that was made before: the wider it is, the earlier it ends.
    #[must_use]
    pub fn law(&self, known: &Reservation) -> RunTimeLaw<'static> {
        let mean = known.request.duration.get() / u32::from(known.request.pes.get());
        self.own_law(Span::new(mean))
    }

    /// The law of a newcomer with that duration.
    #[must_use]
    pub fn own_law(&self, duration: Span) -> RunTimeLaw<'static> {
        let mean = 1 + duration.get() / (1 + u32::from(self.0.speed % 8));
        RunTimeLaw::Exponential(Exponential::new(1, mean.into()).expect("it takes time"))
    }

    /// How many predecessors there is room for.
    #[must_use]
    pub fn list(&self) -> usize {
        match self.0.list {
            list @ 0..4 => list.into(),
            _ => 64,
        }
    }

    /// How long the table of probabilities is, on a machine of `pes` PEs.
    #[must_use]
    pub fn table(&self, pes: u16) -> usize {
        usize::from(pes) - usize::from(self.0.list == 4)
    }
}
