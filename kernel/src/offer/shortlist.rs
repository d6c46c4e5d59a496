//! The offers kept so far: as many as there is room for, in the order asked for.

use core::ops::Range;

use heapless::VecView;

use super::{Offer, OfferOrder, OfferTerms, Offered, Query};
use crate::{PeCount, Span, Window, ring::Axis};

/// What a search has come upon, in offsets.
pub(crate) struct Find {
    pub(crate) window: Range<usize>,
    pub(crate) seed: Range<usize>,
    pub(crate) free: u16,
    pub(crate) solution: bool,
}

/// The list of the caller, kept in order while offers come in.
pub(crate) struct Shortlist<'l, 'q> {
    list: &'l mut VecView<Offer>,
    axis: &'q Axis,
    query: &'q Query,
    terms: &'q OfferTerms,
    version: u64,
    offered: Offered,
}

impl<'l, 'q> Shortlist<'l, 'q> {
    pub(crate) fn new(
        list: &'l mut VecView<Offer>,
        axis: &'q Axis,
        query: &'q Query,
        terms: &'q OfferTerms,
        version: u64,
    ) -> Self {
        list.clear();
        let offered = Offered {
            solution: false,
            more: false,
        };
        Self {
            list,
            axis,
            query,
            terms,
            version,
            offered,
        }
    }

    /// Enters an offer unless others come before it and fill the list, or its window is in the list. `rank` is the place in the order
    /// of discovery. O(list).
    pub(crate) fn enter(&mut self, find: &Find, rank: impl Fn(&Offer) -> u64) {
        let offer = self.offer(find);
        self.offered.solution |= offer.solution;
        let order = self.terms.order;
        let key = |offer: &Offer| (!offer.solution, standing(order, offer), rank(offer));
        let same = |other: &Offer| other.window == offer.window;
        let mut place = self.list.iter().position(same);
        if place.is_none() {
            if self.list.is_full() {
                self.offered.more = true;
                if self.list.last().is_none_or(|last| key(last) <= key(&offer)) {
                    return;
                }
                self.list.pop();
            }
            let _ = self.list.push(offer);
            place = self.list.len().checked_sub(1);
        }
        let Some(mut place) = place else { return };
        // Of equal windows the one discovered first stays.
        if let Some(there) = self
            .list
            .get_mut(place)
            .filter(|there| key(&offer) < key(there))
        {
            *there = offer;
        }
        while let Some(above) = place.checked_sub(1)
            && let Some([before, this]) = self.list.get_mut(above..=place)
            && key(this) < key(before)
        {
            core::mem::swap(before, this);
            place = above;
        }
    }

    pub(crate) fn offered(&self) -> Option<Offered> {
        let anything = !self.list.is_empty() || self.offered.more;
        anything.then_some(self.offered)
    }

    fn offer(&self, find: &Find) -> Offer {
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
            // The whole interval has a price, so a part of it has.
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

/// What the order goes by, least first.
fn standing(order: OfferOrder, offer: &Offer) -> u64 {
    match order {
        OfferOrder::Discovery => 0,
        OfferOrder::Longest => !u64::from(offer.whole().duration.get()),
        OfferOrder::Widest => !u64::from(offer.pes.get()),
        OfferOrder::Earliest => offer.window.start.get(),
        OfferOrder::Cheapest => offer.price.get(),
    }
}
