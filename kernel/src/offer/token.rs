//! Offers: tokens that take no room.

use crate::{
    book::Version,
    pe::PeCount,
    price::Money,
    time::{Slot, Span, Window},
};

/// Something that could be booked: a token of plain numbers, which takes no room and no row of the ledger.
/// [`Book::accept`](crate::Book::accept) looks at everything again.
///
/// [`Book::offers`](crate::Book::offers) has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Offer {
    /// The interval that was asked about.
    pub within: Window,
    /// What is offered.
    pub window: Window,
    /// The part from which the offer grew; what is booked covers it or lies in it. On the Pareto front the whole window.
    pub seed: Window,
    /// Worth nothing once `now` reaches it.
    pub expires: Slot,
    /// Of which state of which book it speaks.
    pub version: Version,
    /// What the whole of it costs.
    pub price: Money,
    /// How many processing elements are free throughout; on the Pareto front no more than was asked for.
    pub pes: PeCount,
    /// Whether it meets both the duration and the processing elements that were asked for.
    pub solution: bool,
}

/// How much of an offer is taken; [`Tariff::reserved`](crate::Tariff::reserved) says what that costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Take {
    /// For how long.
    pub duration: Span,
    /// How many processing elements.
    pub pes: PeCount,
}

impl Offer {
    /// All of it.
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

    /// Whether interval, window and seed lie in each other, in no longer a time than any book covers.
    pub(crate) fn holds_together(&self) -> bool {
        let starts = [self.within.start, self.window.start, self.seed.start];
        let ends = [self.seed.end, self.window.end, self.within.end];
        let nested = starts.is_sorted() && ends.is_sorted();
        nested && self.seed.start < self.seed.end && self.within.len().is_some()
    }

    /// Where a run of `duration` is put: at the earliest start from which it covers the seed, or, if the seed is longer, with the seed.
    /// `None` for no slots and for more than is offered. O(1).
    ///
    /// The paper leaves the place open. Those slots are why the offer is made, so they are filled.
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
