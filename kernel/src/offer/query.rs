//! Elastic queries, and the terms on which they are answered.

use crate::{
    error::{Error, Refusal, UsageError},
    fit::Job,
    named::named,
    pe::PeCount,
    price::Tariff,
    ring::Axis,
    time::{Slot, Span, Window},
};

/// An elastic request: what could run between `ready` and `deadline`? The duration and the number of processing elements
/// may be given or left open.
///
/// ```
/// use bookahead::{PeCount, ElasticRequest, Slot, Span};
/// // Anything for two processing elements between 11 and 16.
/// let query = ElasticRequest {
///     ready: Slot::new(11),
///     deadline: Slot::new(16),
///     duration: None,
///     pes: Some(PeCount::new(2)),
/// };
/// # let _ = query;
/// ```
///
/// Source: `sulistio`, section 2.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ElasticRequest {
    /// Earliest start.
    pub ready: Slot,
    /// Latest end, exclusive.
    pub deadline: Slot,
    /// Length of the run; `None` leaves it open.
    pub duration: Option<Span>,
    /// How many processing elements; `None` leaves it open.
    pub pes: Option<PeCount>,
}

/// The search for offers.
///
/// ```
/// use bookahead::Search;
/// assert_eq!(Search::from_name("pareto-front"), Some(Search::ParetoFront));
/// assert_eq!(Search::from_code(0), Some(Search::StripPacking));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[repr(u8)]
pub enum Search {
    /// Strip packing: offers grow outwards from the fullest slots that leave enough processing elements free, so that
    /// gaps are filled first.
    ///
    /// Source: `sulistio`, algorithm 1.
    #[default]
    StripPacking = 0,
    /// The Pareto front: every offer that no other betters in start, length and width at once. No offer is longer than
    /// the requested duration or wider than the requested processing elements.
    ///
    /// The price follows the size, and any offer can be reduced. So whatever can be reserved, at its earliest start, is
    /// part of one of these offers at the same start and price.
    ParetoFront = 1,
}

named!(Search {
    StripPacking => "strip-packing",
    ParetoFront => "pareto-front",
});

/// The order in which offers are listed. A solution comes first in any order; ties are in order of discovery.
///
/// ```
/// use bookahead::OfferOrder;
/// assert_eq!(OfferOrder::Cheapest.name(), "cheapest");
/// assert_eq!(OfferOrder::from_code(1), Some(OfferOrder::Longest));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[repr(u8)]
pub enum OfferOrder {
    /// The order of discovery: for strip packing, by the number of free processing elements where the offer grew from,
    /// least first, then by time; for the Pareto front, by start, then widest first.
    #[default]
    Discovery = 0,
    /// The longest first.
    Longest = 1,
    /// The widest first.
    Widest = 2,
    /// The earliest first.
    Earliest = 3,
    /// The cheapest first.
    Cheapest = 4,
}

named!(OfferOrder {
    Discovery => "discovery",
    Longest => "longest",
    Widest => "widest",
    Earliest => "earliest",
    Cheapest => "cheapest",
});

/// The terms on which a query is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OfferTerms {
    /// The search for offers.
    pub search: Search,
    /// The order in which offers are listed, and so which are left out when the list is full.
    pub order: OfferOrder,
    /// How long the offers are valid.
    pub ttl: Span,
    /// The tariff that sets the price of the offers.
    pub tariff: Tariff,
}

/// The summary of a list of offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Offered {
    /// Whether the first offer is a solution: it meets both the requested duration and the requested processing
    /// elements.
    pub solution: bool,
    /// Whether there were more offers than the list holds; the last ones in the requested order were left out.
    pub more: bool,
}

/// A valid query, in offsets from `now`.
#[derive(Clone, Copy)]
pub(crate) struct Interval {
    pub(crate) ready: usize,
    pub(crate) deadline: usize,
    /// The requested number of slots.
    pub(crate) duration: Option<usize>,
    /// The requested number of processing elements.
    pub(crate) pes: Option<u32>,
    /// How many the machine has.
    pub(crate) machine: u32,
}

impl Interval {
    /// Returns the query in offsets, if it is valid at this time on this machine and everything in it has a price.
    pub(crate) fn admit(
        axis: &Axis,
        query: &ElasticRequest,
        terms: &OfferTerms,
    ) -> Result<Self, Error> {
        if terms.ttl == Span::ZERO {
            return Err(UsageError::ZeroHold.into());
        }
        if query.duration == Some(Span::ZERO) {
            return Err(UsageError::ZeroDuration.into());
        }
        if query.pes == Some(PeCount::ZERO) {
            return Err(UsageError::ZeroPes.into());
        }
        if query.pes > Some(axis.pes()) {
            return Err(Refusal::TooWide.into());
        }
        if query.ready < axis.now() {
            return Err(Refusal::ReadyInPast.into());
        }
        if query.deadline <= query.ready {
            return Err(Refusal::WindowTooShort.into());
        }
        let beyond = Refusal::BeyondHorizon;
        let deadline = axis.offset(query.deadline).ok_or(beyond)?;
        let ready = axis.offset(query.ready).ok_or(beyond)?;
        let interval = Window {
            start: query.ready,
            end: query.deadline,
        };
        let length = interval.len().unwrap_or_default();
        // The most expensive offer possible.
        terms.tariff.reserved(length, axis.pes())?;
        Ok(Self {
            ready,
            deadline,
            duration: query.duration.map(|duration| duration.get() as usize),
            pes: query.pes.map(|pes| pes.get()),
            machine: axis.width(),
        })
    }

    /// Returns whether duration and processing elements are both given, so that there can be a solution.
    pub(crate) const fn wants_solution(&self) -> bool {
        self.duration.is_some() && self.pes.is_some()
    }

    /// Returns the rigid job of a solution, if one is wanted and the interval is long enough.
    pub(crate) fn solution(&self) -> Option<Job> {
        let (duration, pes) = (self.duration?, self.pes?);
        let latest = self.deadline.checked_sub(duration)?;
        (latest >= self.ready).then_some(Job {
            ready: self.ready,
            latest,
            duration,
            pes,
            max_busy: self.max_busy(),
        })
    }

    /// Returns the requested number of slots, 1 by default.
    pub(crate) fn wanted(&self) -> usize {
        self.duration.unwrap_or(1)
    }

    /// Returns how many processing elements may be busy so that the requested number, 1 by default, is free.
    pub(crate) fn max_busy(&self) -> u32 {
        self.machine.saturating_sub(self.pes.unwrap_or(1))
    }
}
