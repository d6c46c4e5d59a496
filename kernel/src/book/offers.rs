//! Elastic reservations: making offers, and accepting one.

use heapless::VecView;

use super::{Ask, Book, Booking, Commitment, Plan, asking};
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
    /// Lists what could run between the query's `ready` and `deadline`: fills `offers`, which is cleared first, with as
    /// many offers as it holds, and changes nothing else. If both duration and processing elements are given, an offer
    /// that meets both is a solution and comes first. Otherwise, what is not given counts as one slot or one processing
    /// element in strip packing, and is unlimited on the Pareto front. The other offers follow in the requested order,
    /// no window twice.
    ///
    /// An offer reserves no capacity: another booking may take that capacity before the offer is
    /// [accepted](Self::accept).
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
    /// book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
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
    /// // Two processing elements are never free for four slots, only for the three before the booking and the two after it.
    /// assert!(!offered.solution && !offered.more);
    /// let lengths: Vec<_> = offers.iter().map(|offer| offer.whole().duration.get()).collect();
    /// assert_eq!(lengths, [3, 2]);
    ///
    /// // The customer takes two slots, on hold for one slot.
    /// let take = Take { duration: Span::new(2), pes: PeCount::new(2) };
    /// let booking = book.accept(&offers[0], take, Commitment::Held { ttl: Span::new(1) })?;
    /// assert_eq!(booking.start, Slot::new(0));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// Let `groups` be the stretches of the interval in which nothing changes. Strip packing on counts is
    /// O(interval + groups x list) when a solution is wanted and O(interval + groups x (longest offer / 64 + list))
    /// otherwise; on sets it is O(groups x (longest offer / 8 x columns + list)), and O(interval / 8 x columns + groups x (longest
    /// offer / 512 x columns + list)) over columns of 512 bits. The Pareto front is
    /// O(releases x groups x (groups x columns + first fit + list)). Takes `&mut self` for scratch memory only.
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

    /// Books the part `take` of an offer, firmly or as a hold, at the start that [`Offer::start_of`] returns. The book
    /// may have changed since the offer was made, as long as the capacity is still free.
    /// O(duration x columns + log rows).
    ///
    /// The ready time of the reservation is the later of the interval's beginning and `now`; its deadline is the
    /// interval's end.
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
    /// // Before the customer accepts, another booking takes the capacity.
    /// book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let overtaken = book.accept(&offers[0], offers[0].whole(), Commitment::Confirmed);
    /// assert_eq!(overtaken, Err(Refusal::Overtaken.into()));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::ZeroHold`], [`UsageError::ZeroDuration`], [`UsageError::ZeroPes`],
    /// [`UsageError::BadOffer`] for an offer that this book cannot have made (its windows are inconsistent or too long
    /// for any book, it has more processing elements than the machine, or it is of another incarnation or a later
    /// revision), [`UsageError::BeyondOffer`] for more than was offered, [`Refusal::OfferExpired`], also when the start
    /// has passed, [`UsageError::BadOffer`] for an interval that ends beyond the horizon, [`Refusal::TableFull`],
    /// [`Refusal::Overtaken`].
    pub fn accept<'q>(
        &mut self,
        offer: impl Ask<'q, R, Offer>,
        take: Take,
        commitment: Commitment,
    ) -> Result<Booking, Error> {
        asking!(self.ring, offer, |offer| self
            .accept_asked(offer, take, commitment))
    }

    /// As [`accept`](Self::accept), for the class that asks.
    fn accept_asked(
        &mut self,
        offer: &Offer,
        take: Take,
        commitment: Commitment,
    ) -> Result<Booking, Error> {
        commitment.check()?;
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
        // All else has been checked, so this fails only for lack of capacity.
        let handle = self
            .commit_asked(&plan, commitment)
            .map_err(|_| Refusal::Overtaken)?;
        Ok(Booking { handle, start })
    }
}
