//! Prices, and what an elastic query leads to.

use core::hint::black_box;

use bookahead::{
    Book, Commitment, DemandStep, ElasticRequest, Factor, Money, Offer, OfferOrder, OfferTerms,
    PeCount, RefundStep, Sale, Search, Take, Tariff, raw::Ring,
};
use heapless::{Vec, VecView};

use crate::{
    books::a_version,
    keep,
    values::{a_slot, a_span, a_window},
};

/// The functions of the value types.
#[inline(never)]
pub fn values() {
    keep(Search::code(black_box(Search::StripPacking)));
    keep(Search::name(black_box(Search::StripPacking)));
    keep(Search::from_code(black_box(1)));
    keep(Search::from_name(black_box("pareto-front")));
    keep(OfferOrder::code(black_box(OfferOrder::Longest)));
    keep(OfferOrder::name(black_box(OfferOrder::Longest)));
    keep(OfferOrder::from_code(black_box(1)));
    keep(OfferOrder::from_name(black_box("longest")));
    keep(Money::get(a_price()));
    let factor = black_box(Factor::from_bits(black_box(5 << 31)));
    keep(Tariff::new(a_price(), factor, black_box(5)));
    keep(Tariff::of_rates(a_price(), a_price()));
    let tariff = black_box(Tariff::FREE);
    keep(Tariff::slot_rate(&tariff));
    keep(Tariff::reserved(&tariff, a_span(), a_count()));
    keep(Tariff::best_effort(&tariff, black_box(5), a_count()));
    let rules = black_box(
        [RefundStep {
            notice: a_span(),
            millionths: black_box(7),
        }; 2],
    );
    let sale = black_box(Sale {
        paid: a_price(),
        slots: a_span(),
    });
    keep(Sale::refund(&sale, a_span(), a_span(), a_span(), &rules));
    keep(Offer::whole(&an_offer()));
    keep(Offer::start_of(&an_offer(), a_span()));
}

/// What a book does with them. The search and the order are not known one by one, so each call contains all of them.
pub fn every_operation<R: Ring>(book: &mut Book<'_, R>) {
    let terms = black_box(OfferTerms {
        search: black_box(Search::StripPacking),
        order: black_box(OfferOrder::Discovery),
        ttl: a_span(),
        tariff: black_box(Tariff::FREE),
    });
    let query = black_box(ElasticRequest {
        ready: a_slot(),
        deadline: a_slot(),
        duration: black_box(Some(a_span())),
        pes: black_box(Some(a_count())),
    });
    let mut offers = Vec::<Offer, 4>::new();
    let offers: &mut VecView<Offer> = black_box(&mut offers);
    keep(Book::offers(black_box(book), &query, &terms, offers));
    let steps = black_box(
        [DemandStep {
            busy: a_count(),
            rate: a_price(),
        }; 2],
    );
    keep(Book::price_by_demand(book, &steps, a_window(), a_count()));
    let take = black_box(Take {
        duration: a_span(),
        pes: a_count(),
    });
    let terms = black_box(Commitment::Held { ttl: a_span() });
    keep(Book::accept(black_box(book), &an_offer(), take, terms));
}

/// Some number of processing elements.
pub fn a_count() -> PeCount {
    black_box(PeCount::new(black_box(3)))
}

/// Some amount.
pub fn a_price() -> Money {
    black_box(Money::new(black_box(50_000)))
}

/// Some offer, which no book need have made.
fn an_offer() -> Offer {
    black_box(Offer {
        within: a_window(),
        window: a_window(),
        seed: a_window(),
        expires: a_slot(),
        version: a_version(),
        price: a_price(),
        pes: a_count(),
        solution: black_box(true),
    })
}
