//! Elastic queries: what is offered, and what comes of accepting it.

use std::cmp::Reverse;

use bookahead::{
    Commitment, ElasticRequest, Error, Money, Offer, OfferOrder, OfferTerms, Offered, PeCount,
    Refusal, Request, Search, Slot, Span, Take, UsageError, Window,
};

use super::{Oracle, check_terms};
use crate::Free;
use crate::papers::sulistio::literal::{
    self, Osp, Query, consecutive_slots, listed, portion_start,
};
use crate::pareto::pareto_front;
use bookahead_commands::Number;

impl Oracle {
    /// What is free in each slot of `interval`, which lies in the ring.
    #[must_use]
    pub fn free_slots(&self, interval: Window) -> Vec<Free> {
        (interval.start.get()..interval.end.get())
            .map(|slot| self.free_at(slot))
            .collect()
    }

    /// The offers of a query: a solution, the others in the order asked for, as many as there is room for.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn offers(
        &self,
        query: &ElasticRequest,
        terms: &OfferTerms,
        room: usize,
    ) -> Result<(Offered, Vec<Offer>), Error> {
        self.check_query(query, terms)?;
        let mut offers = match terms.search {
            Search::StripPacking => self.strip_packing(query, terms),
            Search::ParetoFront => self.pareto(query, terms),
        };
        if offers.is_empty() {
            return Err(Refusal::NoRoom.into());
        }
        sort(&mut offers, terms.order);
        let more = offers.len() > room;
        offers.truncate(room);
        let solution = offers.first().is_some_and(|offer| offer.solution);
        Ok((Offered { solution, more }, offers))
    }

    fn check_query(&self, query: &ElasticRequest, terms: &OfferTerms) -> Result<(), Error> {
        let (ready, deadline) = (query.ready, query.deadline);
        let end = u128::from(self.now.get()) + u128::from(self.slots);
        let too_wide = query.pes.is_some_and(|pes| pes.get() > self.pes);
        let reasons: [(bool, Error); 7] = [
            (terms.ttl == Span::ZERO, UsageError::ZeroHold.into()),
            (
                query.duration == Some(Span::ZERO),
                UsageError::ZeroDuration.into(),
            ),
            (query.pes == Some(PeCount::ZERO), UsageError::ZeroPes.into()),
            (too_wide, Refusal::TooWide.into()),
            (ready < self.now, Refusal::ReadyInPast.into()),
            (deadline <= ready, Refusal::WindowTooShort.into()),
            (
                u128::from(deadline.get()) > end,
                Refusal::BeyondHorizon.into(),
            ),
        ];
        if let Some((_, reason)) = reasons.into_iter().find(|(applies, _)| *applies) {
            return Err(reason);
        }
        let everything = price(terms, deadline.get() - ready.get(), self.pes);
        everything.map(drop).ok_or(Refusal::PriceOverflow.into())
    }

    fn strip_packing(&self, query: &ElasticRequest, terms: &OfferTerms) -> Vec<Offer> {
        let asked = Query {
            from: query.ready.get(),
            to: query.deadline.get(),
            duration: query.duration.map(|span| span.get().into()),
            nodes: query.pes.map(|pes| pes.get().into()),
        };
        let slot_list = consecutive_slots(asked.from, asked.to, |slot| self.free_at(slot));
        let offers = listed(Osp::default().offers(&asked, &slot_list));
        let offer = |packed: &literal::Offer<Free>| {
            let window = window(packed.start, packed.end);
            Offer {
                seed: self::window(packed.seed.0, packed.seed.1),
                solution: packed.solution,
                ..self.offer(query, terms, window, packed.nodes.count())
            }
        };
        offers.iter().map(offer).collect()
    }

    fn pareto(&self, query: &ElasticRequest, terms: &OfferTerms) -> Vec<Offer> {
        let longest = query
            .duration
            .map_or(usize::MAX, |span| span.get() as usize);
        let widest = query.pes.map_or(u32::MAX, PeCount::get);
        let front = pareto_front(&self.free_slots(interval(query)), longest, widest);
        let offers = front.into_iter().map(|room| {
            let start = query.ready.get() + room.start as u64;
            let window = window(start, start + room.length as u64);
            let all = (query.duration, query.pes) == (window.len(), Some(PeCount::new(room.width)));
            Offer {
                solution: all,
                ..self.offer(query, terms, window, room.width)
            }
        });
        offers.collect()
    }

    /// An offer of the whole of `window` that grew from all of it and solves nothing.
    fn offer(&self, query: &ElasticRequest, terms: &OfferTerms, window: Window, pes: u32) -> Offer {
        let slots = window.end.get() - window.start.get();
        Offer {
            within: interval(query),
            window,
            seed: window,
            pes: PeCount::new(pes),
            price: price(terms, slots, pes).expect("the whole interval can be paid"),
            solution: false,
            version: self.version(),
            expires: Slot::new(self.now.get() + u64::from(terms.ttl.get())),
        }
    }

    /// Books a portion of an offer.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn accept(
        &mut self,
        offer: &Offer,
        take: Take,
        terms: Commitment,
    ) -> Result<(Number, Slot), Error> {
        let run = self.check_acceptance(offer, take, terms)?;
        let free = self.timetable().free_during(run).expect("in the ring");
        if !self.serves(self.asked, &free, take.pes.get()) {
            return Err(Refusal::Overtaken.into());
        }
        let request = Request {
            ready: offer.within.start.max(self.now),
            duration: take.duration,
            deadline: offer.within.end,
            pes: take.pes,
        };
        let number = self.book_at(&request, run.start, terms);
        Ok((number, run.start))
    }

    /// Where the portion would run, looking at everything but what is booked.
    fn check_acceptance(
        &self,
        offer: &Offer,
        take: Take,
        terms: Commitment,
    ) -> Result<Window, Error> {
        check_terms(terms)?;
        let length = offer
            .window
            .end
            .get()
            .saturating_sub(offer.window.start.get());
        let larger = u64::from(take.duration.get()) > length || take.pes > offer.pes;
        let nested = inside(offer.seed, offer.window) && inside(offer.window, offer.within);
        let made_here = offer.version.incarnation == self.incarnation
            && offer.version.revision <= self.revision
            && offer.pes.get() <= self.pes;
        let sound = nested && offer.within.len().is_some() && made_here;
        let reasons: [(bool, Error); 4] = [
            (take.duration == Span::ZERO, UsageError::ZeroDuration.into()),
            (take.pes == PeCount::ZERO, UsageError::ZeroPes.into()),
            (!sound, UsageError::BadOffer.into()),
            (larger, UsageError::BeyondOffer.into()),
        ];
        if let Some((_, reason)) = reasons.into_iter().find(|(applies, _)| *applies) {
            return Err(reason);
        }
        let run = portion_window(offer, take.duration);
        let end = u128::from(self.now.get()) + u128::from(self.slots);
        let reasons: [(bool, Error); 3] = [
            (
                self.now >= offer.expires || run.start < self.now,
                Refusal::OfferExpired.into(),
            ),
            (
                u128::from(offer.within.end.get()) > end,
                UsageError::BadOffer.into(),
            ),
            (self.rows.len() >= self.capacity, Refusal::TableFull.into()),
        ];
        match reasons.into_iter().find(|(applies, _)| *applies) {
            Some((_, reason)) => Err(reason),
            None => Ok(run),
        }
    }
}

fn interval(query: &ElasticRequest) -> Window {
    Window {
        start: query.ready,
        end: query.deadline,
    }
}

/// Whether `inner` holds a slot, and `outer` all its slots.
fn inside(inner: Window, outer: Window) -> bool {
    inner.start < inner.end && outer.start <= inner.start && inner.end <= outer.end
}

fn window(start: u64, end: u64) -> Window {
    Window {
        start: Slot::new(start),
        end: Slot::new(end),
    }
}

/// Equation 3, given what a PE costs for a slot; `None` beyond the largest amount.
fn price(terms: &OfferTerms, slots: u64, pes: u32) -> Option<Money> {
    let rate = u128::from(terms.tariff.slot_rate().get());
    let sum = rate * u128::from(slots) * u128::from(pes);
    u64::try_from(sum).ok().map(Money::new)
}

/// A solution first, then in the order asked for; equals stay as they are.
fn sort(offers: &mut [Offer], order: OfferOrder) {
    let length = |offer: &Offer| Reverse(offer.window.end.get() - offer.window.start.get());
    match order {
        OfferOrder::Discovery => {}
        OfferOrder::Longest => offers.sort_by_key(length),
        OfferOrder::Widest => offers.sort_by_key(|offer| Reverse(offer.pes)),
        OfferOrder::Earliest => offers.sort_by_key(|offer| offer.window.start),
        OfferOrder::Cheapest => offers.sort_by_key(|offer| offer.price.get()),
    }
    offers.sort_by_key(|offer| !offer.solution);
}

/// Where `duration` slots of a sound offer go: as early as they cover the group the offer grew from, or from its start if they are fewer.
#[must_use]
pub fn portion_window(offer: &Offer, duration: Span) -> Window {
    let (within, seed) = (offer.window, offer.seed);
    let (seed, duration) = ((seed.start.get(), seed.end.get()), duration.get().into());
    let start = portion_start(within.start.get(), seed, duration);
    window(start, start + duration)
}
