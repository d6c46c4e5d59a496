//! Elastic reservations: offers, and taking one.

use heapless::VecView;

use super::{Book, Booking, Commitment, Plan};
use crate::{
    error::{Error, Refusal, UsageError},
    fit::Job,
    offer::{
        ElasticRequest, Interval, Offer, OfferTerms, Offered, Search, Shortlist, Take,
        pareto_front, strip_packing,
    },
    request::Request,
    ring::Ring,
    time::Span,
};

impl<R: Ring> Book<'_, R> {
    /// Answers what could run between the query's `ready` and `deadline`: fills `offers`, which is cleared first, with as many as it
    /// holds, and changes nothing else. With both duration and processing elements given, an offer that meets both is a solution and
    /// comes first; otherwise what is not given is one slot or one processing element in strip packing, and has no limit on the Pareto
    /// front. The others follow in the order asked for, no window twice.
    ///
    /// An offer takes no room: another booking may overtake it before it is [accepted](Self::accept).
    ///
    /// ```
    /// use bookahead::{
    ///     CountBook, Offer, OfferOrder, OfferTerms, PeCount, Policy, Take, ElasticRequest, Request, Search, Slot, Span,
    ///     Tariff, Commitment,
    /// };
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// // From 3 to 8 only one of four processing elements is left.
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// book.reserve(&request, Policy::FirstFit)?;
    /// let query = ElasticRequest {
    ///     ready: Slot::new(0),
    ///     deadline: Slot::new(10),
    ///     duration: Some(Span::new(4)),
    ///     pes: Some(PeCount::new(2)),
    /// };
    /// let terms = OfferTerms {
    ///     search: Search::StripPacking, order: OfferOrder::Longest, ttl: Span::new(2), tariff: Tariff::FREE,
    /// };
    /// let mut offers = heapless::Vec::<Offer, 8>::new();
    /// let offered = book.offers(&query, &terms, &mut offers)?;
    /// // Two processing elements for four slots cannot be had, but for the three before the booking, and the two behind it.
    /// assert!(!offered.solution && !offered.more);
    /// let lengths: Vec<_> = offers.iter().map(|offer| offer.whole().duration.get()).collect();
    /// assert_eq!(lengths, [3, 2]);
    ///
    /// // Two slots will do; they are kept free for as long as the customer thinks about it.
    /// let take = Take { duration: Span::new(2), pes: PeCount::new(2) };
    /// let booking = book.accept(&offers[0], take, Commitment::Held { ttl: Span::new(1) })?;
    /// assert_eq!(booking.start, Slot::new(0));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// With `groups` the stretches of the interval in which nothing changes: strip packing on counts is O(interval + groups x list)
    /// when a solution is wanted and O(interval + groups x (longest offer / 32 + list)) otherwise, on sets O(groups x (duration x columns +
    /// list)); the Pareto front is O(releases x groups x (groups x columns + first fit + list)). Takes `&mut self` for scratch memory
    /// only.
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::ZeroHold`] for a time to live of no slots, [`UsageError::ZeroDuration`], [`UsageError::ZeroPes`],
    /// [`Refusal::TooWide`], [`Refusal::ReadyInPast`], [`Refusal::WindowTooShort`] for an interval without a slot,
    /// [`Refusal::BeyondHorizon`], [`Refusal::PriceOverflow`] when the whole machine throughout the interval has no price,
    /// [`Refusal::NoRoom`] when there is nothing to offer. A duration longer than the interval is no error, since less may be offered.
    ///
    /// Source: `sulistio`, section 3; the Pareto front is ours.
    pub fn offers(
        &mut self,
        query: &ElasticRequest,
        terms: &OfferTerms,
        offers: &mut VecView<Offer>,
    ) -> Result<Offered, Error> {
        offers.clear();
        let axis = *self.ring.axis();
        let interval = Interval::admit(&axis, query, terms)?;
        let version = self.version();
        let mut shortlist = Shortlist::new(offers, &axis, query, terms, version);
        match terms.search {
            Search::StripPacking => strip_packing(&mut self.ring, &interval, &mut shortlist),
            Search::ParetoFront => pareto_front(&mut self.ring, &interval, &mut shortlist),
        }
        shortlist.offered().ok_or(Refusal::NoRoom.into())
    }

    /// Books `portion` of an offer, as a promise or as a hold, where [`Offer::start_of`] puts it. The book may have changed since the
    /// offer was made: what counts is that the room is still there. O(duration x columns + log rows).
    ///
    /// The reservation lies in the interval of the query, from the later of its beginning and `now`.
    ///
    /// ```
    /// # use bookahead::{CountBook, Offer, OfferTerms, OfferOrder, PeCount, Policy, ElasticRequest, Refusal, Request};
    /// # use bookahead::{Search, Slot, Span, Tariff, Commitment};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let query = ElasticRequest { ready: Slot::new(0), deadline: Slot::new(10), duration: None, pes: None };
    /// # let terms = OfferTerms {
    /// #     search: Search::StripPacking, order: OfferOrder::Longest, ttl: Span::new(2), tariff: Tariff::FREE,
    /// # };
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let mut offers = heapless::Vec::<Offer, 8>::new();
    /// book.offers(&query, &terms, &mut offers)?;
    /// // While the customer thinks, another books.
    /// book.reserve(&request, Policy::FirstFit)?;
    /// let overtaken = book.accept(&offers[0], offers[0].whole(), Commitment::Confirmed);
    /// assert_eq!(overtaken, Err(Refusal::Overtaken.into()));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::ZeroHold`], [`UsageError::ZeroDuration`], [`UsageError::ZeroPes`], [`UsageError::BadOffer`] for an
    /// offer that no book of so many processing elements makes, or that speaks of another book or of a state to come, [`UsageError::BeyondOffer`] for more than was offered,
    /// [`Refusal::OfferExpired`] also when the start has passed, [`UsageError::BadOffer`] for what ends beyond the horizon,
    /// [`Refusal::TableFull`], [`Refusal::Overtaken`].
    pub fn accept(
        &mut self,
        offer: &Offer,
        take: Take,
        commitment: Commitment,
    ) -> Result<Booking, Error> {
        if commitment == (Commitment::Held { ttl: Span::ZERO }) {
            return Err(UsageError::ZeroHold.into());
        }
        if take.duration == Span::ZERO {
            return Err(UsageError::ZeroDuration.into());
        }
        if take.pes.get() == 0 {
            return Err(UsageError::ZeroPes.into());
        }
        let version = self.version();
        let foreign = offer.version.incarnation != version.incarnation
            || offer.version.revision > version.revision;
        if !offer.holds_together() || foreign || offer.pes > self.pes() {
            return Err(UsageError::BadOffer.into());
        }
        let start = offer
            .start_of(take.duration)
            .filter(|_| take.pes <= offer.pes)
            .ok_or(UsageError::BeyondOffer)?;
        let now = self.now();
        if offer.expires <= now || start < now {
            return Err(Refusal::OfferExpired.into());
        }
        let request = Request {
            ready: offer.within.start.max(now),
            duration: take.duration,
            deadline: offer.within.end,
            pes: take.pes,
        };
        Job::admit(self.ring.axis(), &request).map_err(|_| UsageError::BadOffer)?;
        if self.ledger.next_row().is_none() {
            return Err(Refusal::TableFull.into());
        }
        let plan = Plan::new(request, start, version).ok_or(UsageError::BadOffer)?;
        // Nothing but room can be missing now.
        let handle = self
            .commit(&plan, commitment)
            .map_err(|_| Refusal::Overtaken)?;
        Ok(Booking { handle, start })
    }
}
