//! On what terms the tests overlay.

use bookahead::{
    Commitment, Exponential, Guarantee, PeCount, Probability, Reservation, RunTimeLaw, Slot, Span,
};

use crate::Number;

/// A reservation on top of others: its start, how many of its PEs are overlaid, and how probably it is kept.
pub type Overlaid<Name = Number> = (Name, Slot, PeCount, Probability);

/// The terms of an overlay, for both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Risk {
    /// What counts as keeping the promise.
    pub guarantee: Guarantee,
    /// How probable that has to be.
    pub threshold: Probability,
    /// The newcomer ends on average after a slot and this part of its duration.
    pub speed: u32,
    /// How long it is held, unless it is confirmed at once.
    pub ttl: Option<Span>,
    /// How many predecessors there is room for.
    pub list: usize,
    /// By how many elements the table of probabilities is too short.
    pub lacking: usize,
}

impl Risk {
    /// The terms of the commitment.
    #[must_use]
    pub fn commitment(&self) -> Commitment {
        let held = |ttl| Commitment::Held { ttl };
        self.ttl.map_or(Commitment::Confirmed, held)
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
        let mean = 1 + duration.get() / self.speed.max(1);
        RunTimeLaw::Exponential(Exponential::new(1, mean.into()).expect("it takes time"))
    }

    /// How long the table of probabilities is, on a machine of `pes` PEs.
    #[must_use]
    pub fn table(&self, pes: u16) -> usize {
        usize::from(pes).saturating_sub(self.lacking)
    }
}
