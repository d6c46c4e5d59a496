//! The offers kept so far: as many as the list holds, in the requested order.

use core::ops::Range;

use heapless::VecView;

use super::{ElasticRequest, Offer, OfferOrder, OfferTerms, Offered};
use crate::{
    pe::PeCount,
    ring::Axis,
    time::{Span, Window},
    version::Version,
};

/// A maximal free rectangle that the search came to, in offsets.
pub(crate) struct FreeArea {
    pub(crate) window: Range<usize>,
    pub(crate) seed: Range<usize>,
    pub(crate) free: u32,
    pub(crate) solution: bool,
}

/// The list of the caller, kept in order while offers are added.
pub(crate) struct Shortlist<'l, 'q> {
    list: &'l mut VecView<Offer>,
    axis: &'q Axis,
    query: &'q ElasticRequest,
    terms: &'q OfferTerms,
    version: Version,
    /// Whether an offer was left out.
    more: bool,
}

impl<'l, 'q> Shortlist<'l, 'q> {
    pub(crate) fn new(
        list: &'l mut VecView<Offer>,
        axis: &'q Axis,
        query: &'q ElasticRequest,
        terms: &'q OfferTerms,
        version: Version,
    ) -> Self {
        Self {
            list,
            axis,
            query,
            terms,
            version,
            more: false,
        }
    }

    /// Inserts an offer, unless the list is full of offers that come before it, or has an offer with the same window.
    /// `rank` returns the position in the order of discovery, which is asked for O(log list) times. O(list).
    pub(crate) fn insert(&mut self, find: &FreeArea, rank: impl Fn(&Offer) -> u64) {
        let offer = self.offer(find);
        let order = self.terms.order;
        let key = |offer: &Offer| (!offer.solution, standing(order, offer), rank(offer));
        let own = key(&offer);
        let twin = |list: &[Offer]| list.iter().position(|other| other.window == offer.window);
        let full = self.list.is_full();
        // An offer that comes after a full list can only change `more`.
        let behind = full && self.list.last().is_none_or(|last| key(last) <= own);
        if behind && self.more {
            return;
        }
        let mut place = twin(self.list);
        if place.is_none() {
            self.more |= full;
            if behind {
                return;
            }
            if full {
                self.list.pop();
            }
            let _ = self.list.push(offer);
            place = self.list.len().checked_sub(1);
        }
        let Some(place) = place else { return };
        // Of two offers with the same window, the one discovered first is kept.
        if let Some(there) = self.list.get_mut(place).filter(|there| own < key(there)) {
            *there = offer;
        }
        let sorted = self.list.get(..place).unwrap_or_default();
        let first = sorted.partition_point(|other| key(other) <= own);
        if let Some(later) = self.list.get_mut(first..=place)
            && let Some(last) = later.last()
        {
            let mut moved = *last;
            for offer in later {
                core::mem::swap(offer, &mut moved);
            }
        }
    }

    /// Returns the least rank from which on offers change nothing, whatever they are.
    pub(crate) fn limit(&self, rank: impl Fn(&Offer) -> u64) -> u64 {
        let decided = self.more && self.terms.order == OfferOrder::Discovery;
        match self.list.last() {
            Some(last) if decided && !last.solution => rank(last),
            Some(_) if decided => 0,
            _ => u64::MAX,
        }
    }

    /// Returns the summary of the list, if anything was found.
    pub(crate) fn offered(&self) -> Option<Offered> {
        let first = self.list.first();
        let offered = Offered {
            solution: first.is_some_and(|first| first.solution),
            more: self.more,
        };
        (first.is_some() || self.more).then_some(offered)
    }

    fn offer(&self, find: &FreeArea) -> Offer {
        let window = |offsets: &Range<usize>| Window {
            start: self.axis.slot(offsets.start),
            end: self.axis.slot(offsets.end),
        };
        let pes = PeCount::new(find.free);
        let duration = Span::new(find.window.len() as u32);
        Offer {
            within: Window {
                start: self.query.ready,
                end: self.query.deadline,
            },
            window: window(&find.window),
            seed: window(&find.seed),
            expires: self.axis.now().saturating_add(self.terms.ttl),
            version: self.version,
            // The whole interval has a price, so a part of it has one.
            price: self
                .terms
                .tariff
                .reserved(duration, pes)
                .unwrap_or_default(),
            pes,
            solution: find.solution,
        }
    }
}

/// Returns the sort key of an offer in this order, least first.
fn standing(order: OfferOrder, offer: &Offer) -> u64 {
    match order {
        OfferOrder::Discovery => 0,
        OfferOrder::Longest => !u64::from(offer.whole().duration.get()),
        OfferOrder::Widest => !u64::from(offer.pes.get()),
        OfferOrder::Earliest => offer.window.start.get(),
        OfferOrder::Cheapest => offer.price.get(),
    }
}
