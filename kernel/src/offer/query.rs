//! What is asked elastically, and how it is answered.

use crate::{
    error::{Error, Refusal, UsageError},
    fit::Job,
    named::named,
    pe::PeCount,
    price::Tariff,
    ring::Axis,
    time::{Slot, Span, Window},
};

/// An elastic query: what could run between `ready` and `deadline`? Duration and processing elements are given or left open.
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
    /// Length of the run, if that matters.
    pub duration: Option<Span>,
    /// How many processing elements, if that matters.
    pub pes: Option<PeCount>,
}

/// How offers are looked for.
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
    /// From the fullest slots that will do outwards, so that holes are filled first.
    ///
    /// Source: `sulistio`, algorithm 1.
    #[default]
    StripPacking = 0,
    /// Everything that no other offer betters in start, length and width at once. No longer than the duration and no wider than the
    /// processing elements asked for.
    ///
    /// At one tariff the price follows the size, and any offer can be reduced: so whatever can be had, at its earliest start, is a
    /// portion of one of these at the same start and price.
    ParetoFront = 1,
}

named!(Search {
    StripPacking => "strip-packing",
    ParetoFront => "pareto-front",
});

/// In which order offers are listed; a solution comes first in any. Ties are in the order of discovery.
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
    /// As the search finds them: strip packing by what is free where the offer grew from, least first, then by time; the Pareto front
    /// by start, then widest first.
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

/// How a query is to be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OfferTerms {
    /// How offers are looked for.
    pub search: Search,
    /// In which order they are listed, and so which are left out when the list is full.
    pub order: OfferOrder,
    /// How long they are good for.
    pub ttl: Span,
    /// What they cost.
    pub tariff: Tariff,
}

/// What a list of offers amounts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Offered {
    /// The first offer is a solution: it meets both the duration and the processing elements that were asked for.
    pub solution: bool,
    /// There was more to offer than the list holds; what came last in the order asked for was left out.
    pub more: bool,
}

/// A query that makes sense, in offsets from `now`.
#[derive(Clone, Copy)]
pub(crate) struct Interval {
    pub(crate) ready: usize,
    pub(crate) deadline: usize,
    /// Slots wanted.
    pub(crate) duration: Option<usize>,
    /// Processing elements wanted.
    pub(crate) pes: Option<u16>,
    /// How many the machine has.
    pub(crate) machine: u16,
}

impl Interval {
    /// The query in offsets, if it makes sense at this time on this machine and everything in it has a price.
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
        // The dearest thing that could be offered.
        terms.tariff.reserved(length, axis.pes())?;
        Ok(Self {
            ready,
            deadline,
            duration: query.duration.map(|duration| duration.get() as usize),
            pes: query.pes.map(PeCount::get),
            machine: axis.pes().get(),
        })
    }

    /// Whether both are given, so that there can be a solution.
    pub(crate) const fn wants_solution(&self) -> bool {
        self.duration.is_some() && self.pes.is_some()
    }

    /// The rigid job that a solution would be, if one is wanted and the interval is long enough.
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

    /// How many slots are wanted, one by default.
    pub(crate) fn wanted(&self) -> usize {
        self.duration.unwrap_or(1)
    }

    /// How many may be busy for the wanted processing elements, one by default, to be free.
    pub(crate) fn max_busy(&self) -> u16 {
        self.machine.saturating_sub(self.pes.unwrap_or(1))
    }
}
