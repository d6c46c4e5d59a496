//! Offers: tokens that reserve no capacity.

use crate::{
    pe::PeCount,
    price::Money,
    time::{Slot, Span, Window},
    version::Version,
};

/// An offer: a token of plain numbers for something that could be booked. It reserves no capacity and takes no row of
/// the ledger. [`Book::accept`](crate::Book::accept) checks everything again.
///
/// See [`Book::offers`](crate::Book::offers) for an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Offer {
    /// The interval of the query.
    pub within: Window,
    /// The slots that are offered.
    pub window: Window,
    /// The part from which the offer grew: a booking covers it or lies in it. On the Pareto front it is the whole
    /// window.
    pub seed: Window,
    /// The slot at which the offer expires: it is invalid once `now` reaches it.
    pub expires: Slot,
    /// The version of the book for which the offer was made.
    pub version: Version,
    /// The price of the whole offer.
    pub price: Money,
    /// How many processing elements are free throughout; on the Pareto front no more than were requested.
    pub pes: PeCount,
    /// Whether it meets both the requested duration and the requested processing elements.
    pub solution: bool,
}

/// The part of an offer that is taken; [`Tariff::reserved`](crate::Tariff::reserved) returns its price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Take {
    /// The duration.
    pub duration: Span,
    /// The number of processing elements.
    pub pes: PeCount,
}

impl Offer {
    /// Returns the whole offer, to be taken.
    ///
    /// ```
    /// # use bookahead::{Money, Offer, PeCount, Take, Slot, Span, Version, Window};
    /// # let window = Window { start: Slot::new(10), end: Slot::new(20) };
    /// # let seed = Window { start: Slot::new(14), end: Slot::new(16) };
    /// # let offer = Offer {
    /// #     within: window, window, seed, expires: Slot::new(5), version: Version::default(), price: Money::ZERO,
    /// #     pes: PeCount::new(3), solution: false,
    /// # };
    /// let whole = Take { duration: Span::new(10), pes: PeCount::new(3) };
    /// assert_eq!((offer.window.len(), offer.whole()), (Some(Span::new(10)), whole));
    /// ```
    #[must_use]
    pub fn whole(&self) -> Take {
        Take {
            duration: self.window.len().unwrap_or_default(),
            pes: self.pes,
        }
    }

    /// Returns whether the seed lies in the window and the window in the interval, which is no longer than any book
    /// covers.
    pub(crate) fn holds_together(&self) -> bool {
        let starts = [self.within.start, self.window.start, self.seed.start];
        let ends = [self.seed.end, self.window.end, self.within.end];
        let nested = starts.is_sorted() && ends.is_sorted();
        nested && self.seed.start < self.seed.end && self.within.len().is_some()
    }

    /// Returns the start of a run of `duration`: the earliest at which it covers the seed, or, if the seed is longer,
    /// the start of the seed. `None` for no slots and for more than is offered. O(1).
    ///
    /// The paper does not say where the run is placed. It covers the seed here, because the offer was made to fill
    /// those slots.
    ///
    /// ```
    /// # use bookahead::{Money, Offer, PeCount, Take, Slot, Span, Version, Window};
    /// # let window = Window { start: Slot::new(10), end: Slot::new(20) };
    /// # let seed = Window { start: Slot::new(14), end: Slot::new(16) };
    /// # let offer = Offer {
    /// #     within: window, window, seed, expires: Slot::new(5), version: Version::default(), price: Money::ZERO,
    /// #     pes: PeCount::new(3), solution: false,
    /// # };
    /// // From 10 to 20, grown from 14 to 16.
    /// let start = |duration| offer.start_of(Span::new(duration)).map(|start| start.get());
    /// assert_eq!([start(1), start(3), start(8)], [Some(14), Some(13), Some(10)]);
    /// assert_eq!(start(11), None);
    /// ```
    #[must_use]
    pub fn start_of(&self, duration: Span) -> Option<Slot> {
        let longest = self.window.len()?;
        if duration == Span::ZERO || duration > longest {
            return None;
        }
        let covering = self.seed.end.saturating_sub(duration);
        let at_seed = covering.min(self.seed.start);
        Some(at_seed.max(self.window.start))
    }
}
