//! Elastic reservations: queries of any kind, and offers that somebody may have written to.

use arbitrary::Arbitrary;
use bookahead_capi::*;

use crate::{
    Machine, NO_HANDLE, Wish,
    bad::{List, Pointer, Pointers, Result},
    promise,
};

#[derive(Arbitrary, Clone, Copy, Debug)]
pub struct Inquiry {
    wish: Wish,
    /// Whether duration and PEs are left open.
    open: [bool; 2],
    search: u8,
    order: u8,
    ttl: u8,
    base: u64,
    factor: u64,
    /// Whether the tariff is one that makes sense.
    usual: bool,
}

/// Part of an offer that was made, or of what somebody has made of it.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub struct Taking {
    nth: u8,
    forged: Forged,
    /// How much less than all of it.
    fewer: [i8; 2],
    ttl: Option<u8>,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
enum Forged {
    No,
    Window(u64, u64),
    Seed(u64, u64),
    Within(u64, u64),
    Pes(u32),
    Version(u64),
    Expires(u64),
}

const NOTHING: Window = Window { start: 1, end: 0 };

const NO_OFFER: Offer = Offer {
    within: NOTHING,
    window: NOTHING,
    seed: NOTHING,
    expires: 0,
    version: u64::MAX,
    incarnation: u32::MAX,
    price: 0,
    pes: u32::MAX,
    solution: u32::MAX,
};

impl Inquiry {
    fn terms(&self) -> OfferTerms {
        let usual = Tariff {
            base: self.base % 1_000_000,
            factor: BOOKAHEAD_FACTOR_ONE + self.factor % BOOKAHEAD_FACTOR_ONE,
            slot_units: 5,
        };
        let any = Tariff {
            base: self.base,
            factor: self.factor,
            slot_units: u32::from(self.ttl),
        };
        OfferTerms {
            search: u32::from(self.search % 3),
            order: u32::from(self.order % 6),
            ttl: self.ttl.into(),
            tariff: if self.usual { usual } else { any },
        }
    }
}

impl Forged {
    fn apply(self, offer: &mut Offer) {
        // From there on, so that most of it still makes sense.
        let bent = |window: Window, start: u64, end: u64| Window {
            start: window.start.wrapping_add(start),
            end: window.end.wrapping_add(end),
        };
        match self {
            Self::No => {}
            Self::Window(start, end) => offer.window = bent(offer.window, start, end),
            Self::Seed(start, end) => offer.seed = bent(offer.seed, start, end),
            Self::Within(start, end) => offer.within = bent(offer.within, start, end),
            Self::Pes(pes) => offer.pes = pes,
            Self::Version(version) => offer.version = version,
            Self::Expires(expires) => offer.expires = expires,
        }
    }
}

impl Machine {
    pub fn offers(&mut self, inquiry: Inquiry, room: u8, at: Pointers) -> u32 {
        let (request, _) = self.wish(inquiry.wish);
        let open = |open: bool, number| if open { BOOKAHEAD_ANY } else { number };
        let mut query = Query {
            ready: request.ready,
            deadline: request.deadline,
            duration: open(inquiry.open[0], request.duration),
            pes: open(inquiry.open[1], request.pes),
        };
        let terms = inquiry.terms();
        let mut list = List::new(room, NO_OFFER);
        let (mut solution, mut more) = (false, false);
        let (book, input) = (at.book.to(self.book), at.input.to(&mut query));
        let (first, count) = (list.first(at.output), list.count.place(Pointer::Good));
        let room = list.items.len();
        // SAFETY: as for `answer`.
        let code = unsafe {
            bookahead_offers(
                book,
                input,
                &terms,
                first,
                room,
                count,
                &mut solution,
                &mut more,
            )
        };
        let offers = list.get(code);
        assert!(!more || offers.len() == room);
        assert_eq!(
            solution,
            offers.first().is_some_and(|first| first.solution == 1)
        );
        for (place, offer) in offers.iter().enumerate() {
            self.judge(&query, &terms, offer);
            assert!(place == 0 || offer.solution == 0);
            let same = |other: &&Offer| other.window == offer.window;
            assert_eq!(offers.iter().filter(same).count(), 1);
        }
        self.offers = offers.to_vec();
        code
    }

    /// Whether the offer keeps what an offer promises.
    fn judge(&self, query: &Query, terms: &OfferTerms, offer: &Offer) {
        let Offer {
            within,
            window,
            seed,
            ..
        } = *offer;
        assert_eq!((within.start, within.end), (query.ready, query.deadline));
        assert!(within.start <= window.start && window.end <= within.end);
        assert!(window.start <= seed.start && seed.start < seed.end && seed.end <= window.end);
        let slots = u32::try_from(window.end - window.start).expect("it lies in the ring");
        let (mut price, mut free) = (0, 0);
        // SAFETY: the book is in the memory that `self` owns.
        unsafe {
            let code = bookahead_tariff_reserved(&terms.tariff, slots, offer.pes, &mut price);
            assert_eq!((code, price), (0, offer.price));
            let code = bookahead_free_during(self.book, window.start, window.end, &mut free);
            assert_eq!(code, 0);
        }
        assert!(0 < offer.pes && offer.pes <= free);
    }

    pub fn accept(&mut self, taking: Taking, at: Pointers) -> u32 {
        let (mut offer, duration, pes) = self.portion(taking);
        let nothing = Booking {
            handle: NO_HANDLE,
            start: u64::MAX,
        };
        let mut booking = Result::new(nothing);
        let (book, input) = (at.book.to(self.book), at.input.to(&mut offer));
        let place = booking.place(at.output);
        // SAFETY: as for `answer`.
        let code =
            unsafe { bookahead_accept(book, input, duration, pes, &promise(taking.ttl), place) };
        if let Some(booking) = booking.get(code, at.output) {
            self.handles.push(booking.handle);
            assert!(offer.window.start <= booking.start);
            assert!(booking.start + u64::from(duration) <= offer.window.end);
        }
        code
    }

    pub fn offer_start(&self, taking: Taking, at: Pointers) -> u32 {
        let (mut offer, duration, _) = self.portion(taking);
        let mut start = Result::new(u64::MAX);
        let input = at.input.to(&mut offer);
        // SAFETY: as for `answer`.
        let code = unsafe { bookahead_offer_start(input, duration, start.place(at.output)) };
        start.get(code, at.output);
        code
    }

    fn portion(&self, taking: Taking) -> (Offer, u32, u32) {
        let nth = usize::from(taking.nth).checked_rem(self.offers.len());
        let mut offer = nth.map_or(NO_OFFER, |nth| self.offers[nth]);
        taking.forged.apply(&mut offer);
        let slots = offer.window.end.wrapping_sub(offer.window.start) as u32;
        let [fewer_slots, fewer_pes] = taking.fewer.map(|fewer| u32::from(fewer.max(-1) as u8));
        // 255 is -1: one more than there is.
        let less = |number: u32, fewer: u32| match fewer {
            255 => number.wrapping_add(1),
            _ => number.saturating_sub(fewer),
        };
        (offer, less(slots, fewer_slots), less(offer.pes, fewer_pes))
    }
}

pub fn price(mut tariff: Tariff, units: u64, pes: u32, at: Pointers) -> u32 {
    let input = at.input.to(&mut tariff);
    let mut prices = [0; 3].map(|_| Result::new(u64::MAX));
    let [rate, reserved, best_effort] = &mut prices;
    // SAFETY: as for `answer`.
    let codes = unsafe {
        [
            bookahead_tariff_slot_rate(input, rate.place(at.output)),
            bookahead_tariff_reserved(input, units as u32, pes, reserved.place(at.output)),
            bookahead_tariff_best_effort(input, units, pes, best_effort.place(at.output)),
        ]
    };
    let found = [0, 1, 2].map(|nth| prices[nth].get(codes[nth], at.output));
    if let [Some(rate), Some(reserved), _] = found {
        let exact = u128::from(rate) * u128::from(units as u32) * u128::from(pes);
        assert_eq!(exact, u128::from(reserved));
    }
    codes[0]
}
