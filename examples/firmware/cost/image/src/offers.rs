//! The calls of an elastic reservation.

use bookahead::{
    Book, Booking, Commitment, ElasticRequest, Error, Offer, OfferTerms, Offered, Search, Take,
    raw::Ring,
};
use heapless::VecView;

/// What the calls take and where their answers go.
pub struct Counter {
    query: ElasticRequest,
    terms: OfferTerms,
    offers: &'static mut VecView<Offer>,
    offered: Result<Offered, Error>,
    chosen: Offer,
    take: Take,
    promise: Commitment,
    booking: Result<Booking, Error>,
}

/// Offers found by `search`, in any order, and taking one.
#[inline(always)]
pub fn elastic<R: Ring>(book: &mut Book<'_, R>, counter: &mut Counter, search: Search) {
    offers(book, counter, search);
    accept(book, counter);
}

#[inline(never)]
fn offers<R: Ring>(book: &mut Book<'_, R>, counter: &mut Counter, search: Search) {
    let terms = OfferTerms {
        search,
        ..counter.terms
    };
    counter.offered = book.offers(&counter.query, &terms, counter.offers);
}

#[inline(never)]
fn accept<R: Ring>(book: &mut Book<'_, R>, counter: &mut Counter) {
    counter.booking = book.accept(&counter.chosen, counter.take, counter.promise);
}
