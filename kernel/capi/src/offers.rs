//! Elastic reservations: offers, and taking one.

use bookahead as kernel;
use heapless::Vec;
use kernel::{Book as KernelBook, Money, Offered, PeCount, Slot, Span, Take, raw::Ring};

use crate::{
    Book, Booking, Code, Commitment, Tariff,
    code::{Failure, answer, known},
    pointer::{List, Out, read},
    with::{asked, with_book},
};

/// In a query: whatever there is.
pub const BOOKAHEAD_ANY: u32 = u32::MAX;

/// The most offers that one call lists.
pub const BOOKAHEAD_MOST_OFFERS: usize = 64;

/// Lists no longer than this are made with less stack.
const FEW: usize = 8;

// The header says what a list takes.
const _: () = assert!(size_of::<kernel::Offer>() == 88);

/// How offers are looked for. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Search {
    /// From the fullest slots that will do outwards, so that holes are filled first.
    StripPacking = 0,
    /// Everything that no other offer betters in start, length and width at once. No longer than the duration and no wider than the
    /// PEs asked for.
    ParetoFront = 1,
}

/// In which order offers are listed; a solution comes first in any. Ties are in the order of discovery. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum OfferOrder {
    /// As the search finds them: strip packing by what is free where the offer grew from, least first, then by time; the Pareto front
    /// by start, then widest first.
    Discovery = 0,
    /// The longest first.
    Longest = 1,
    /// The widest first.
    Widest = 2,
    /// The earliest first.
    Earliest = 3,
    /// The cheapest first.
    Cheapest = 4,
}

/// What could run between `ready` and `deadline`?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Query {
    /// The earliest start.
    pub ready: u64,
    /// The latest end, exclusive.
    pub deadline: u64,
    /// The length of the run in slots, or `BOOKAHEAD_ANY`.
    pub duration: u32,
    /// How many PEs, or `BOOKAHEAD_ANY`.
    pub pes: u32,
}

/// How a query is to be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct OfferTerms {
    /// One of `bookahead_search`.
    pub search: u32,
    /// One of `bookahead_offer_order`, which also says what is left out when there are too many.
    pub order: u32,
    /// For how many slots the offers are good.
    pub ttl: u32,
    /// What they cost. For no prices: a base of 0, a factor of `BOOKAHEAD_FACTOR_ONE`.
    pub tariff: Tariff,
}

/// A stretch of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Window {
    /// Its first slot.
    pub start: u64,
    /// The slot behind its last one.
    pub end: u64,
}

/// Something that could be booked. It takes no room and no row; everything in it is looked at again when it is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Offer {
    /// The interval that was asked about.
    pub within: Window,
    /// What is offered.
    pub window: Window,
    /// The part from which the offer grew; what is booked covers it or lies in it. On the Pareto front the whole window.
    pub seed: Window,
    /// Worth nothing once `now` reaches it.
    pub expires: u64,
    /// How often a booking of the book had changed when it was made.
    pub version: u64,
    /// What the whole of it costs, in micro-units.
    pub price: u64,
    /// How many PEs are free throughout; on the Pareto front no more than was asked for.
    pub pes: u32,
    /// 1 when it meets both the duration and the PEs that were asked for, else 0.
    pub solution: u32,
    /// The incarnation of the book that made it, see `bookahead_set_incarnation`.
    pub incarnation: u32,
}

impl Query {
    fn to_kernel(self) -> kernel::ElasticRequest {
        let given = |number: u32| (number != BOOKAHEAD_ANY).then_some(number);
        kernel::ElasticRequest {
            ready: Slot::new(self.ready),
            deadline: Slot::new(self.deadline),
            duration: given(self.duration).map(Span::new),
            pes: given(self.pes).map(PeCount::new),
        }
    }
}

impl OfferTerms {
    fn to_kernel(self) -> Result<kernel::OfferTerms, Failure> {
        Ok(kernel::OfferTerms {
            search: known(self.search, kernel::Search::from_code, Code::UnknownSearch)?,
            order: known(
                self.order,
                kernel::OfferOrder::from_code,
                Code::UnknownOrder,
            )?,
            ttl: Span::new(self.ttl),
            tariff: self.tariff.to_kernel()?,
        })
    }
}

impl From<kernel::Window> for Window {
    fn from(window: kernel::Window) -> Self {
        Self {
            start: window.start.get(),
            end: window.end.get(),
        }
    }
}

impl From<Window> for kernel::Window {
    fn from(window: Window) -> Self {
        Self {
            start: Slot::new(window.start),
            end: Slot::new(window.end),
        }
    }
}

impl From<&kernel::Offer> for Offer {
    fn from(offer: &kernel::Offer) -> Self {
        Self {
            within: offer.within.into(),
            window: offer.window.into(),
            seed: offer.seed.into(),
            expires: offer.expires.get(),
            version: offer.version.revision,
            price: offer.price.get(),
            pes: offer.pes.get(),
            solution: u32::from(offer.solution),
            incarnation: offer.version.incarnation,
        }
    }
}

impl Offer {
    /// As the kernel has it.
    fn to_kernel(self) -> kernel::Offer {
        kernel::Offer {
            within: self.within.into(),
            window: self.window.into(),
            seed: self.seed.into(),
            expires: Slot::new(self.expires),
            version: kernel::Version {
                revision: self.version,
                incarnation: self.incarnation,
            },
            price: Money::new(self.price),
            pes: PeCount::new(self.pes),
            solution: self.solution != 0,
        }
    }
}

/// Lists what could run between the query's `ready` and `deadline`, `count` offers, and takes no room. With both duration and PEs given, an offer
/// that meets both is a solution, which is said, and comes first; otherwise what is not given is one slot or one PE in strip packing, and has no limit on the
/// Pareto front. No window is listed twice.
///
/// At most `capacity` offers are listed, and never more than `BOOKAHEAD_MOST_OFFERS`; `more` says whether some were left out, those that came last in the
/// order asked for. The list is made on the stack, 88 bytes for each of 8 offers, or of `BOOKAHEAD_MOST_OFFERS` for a `capacity` above 8.
///
/// With groups the stretches of the interval in which nothing changes, and list the offers listed: strip packing with late binding is
/// O(interval + groups x list) when duration and PEs are given and O(interval + groups x (longest offer / 64 + list)) otherwise, with early binding O(groups x
/// (duration x columns + list)); the Pareto front is O(releases x groups x (groups x columns + first fit + list)).
///
/// Answers UNKNOWN_SEARCH, UNKNOWN_ORDER, TARIFF_OUT_OF_RANGE, ZERO_HOLD for a `ttl` of no slots, ZERO_DURATION, ZERO_PES, TOO_WIDE, READY_IN_PAST,
/// WINDOW_TOO_SHORT for an interval without a slot, BEYOND_HORIZON, PRICE_OVERFLOW when the whole machine throughout the interval has no price,
/// NO_ROOM when there is nothing to offer. A duration longer than the interval is no error, since less may be offered.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_offers(
    book: *mut Book,
    query: *const Query,
    terms: *const OfferTerms,
    offers: *mut Offer,
    capacity: usize,
    count: *mut usize,
    solution: *mut bool,
    more: *mut bool,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (count, solution, more) = (Out::new(count)?, Out::new(solution)?, Out::new(more)?);
        let offers = List::new(offers, capacity)?;
        let terms = read(terms)?.to_kernel()?;
        let query = read(query)?.to_kernel();
        let (length, offered) = with_book!(book, |book| {
            if capacity <= FEW {
                list::<_, FEW>(&mut book, &query, &terms, &offers)?
            } else {
                list::<_, BOOKAHEAD_MOST_OFFERS>(&mut book, &query, &terms, &offers)?
            }
        });
        count.set(length);
        solution.set(offered.solution);
        more.set(offered.more);
        Ok(())
    })
}

/// Lists up to `N` offers, and says how many and what there is.
///
/// # Safety
///
/// As [`List::fill`].
// Not inlined, so that only the call that wants a long list takes the stack for one.
#[inline(never)]
unsafe fn list<R: Ring, const N: usize>(
    book: &mut KernelBook<'_, R>,
    query: &kernel::ElasticRequest,
    terms: &kernel::OfferTerms,
    offers: &List<Offer>,
) -> Result<(usize, Offered), Failure> {
    let mut found = Vec::<kernel::Offer, N>::new();
    let mut offered = book.offers(query, terms, &mut found)?;
    // SAFETY: passed on.
    let length = unsafe { offers.fill(found.iter(), 0) };
    // What comes first in a longer list is what a shorter one holds.
    offered.more |= length < found.len();
    offered.solution &= length > 0;
    Ok((length, offered))
}

/// Gives where `duration` slots of an offer would be booked: at the earliest start from which they cover the seed, or, if the seed is
/// longer, with the seed. O(1).
///
/// Answers BEYOND_OFFER for no slots and for more than is offered.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_offer_start(
    offer: *const Offer,
    duration: u32,
    start: *mut u64,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let start = Out::new(start)?;
        let found = read(offer)?.to_kernel().start_of(Span::new(duration));
        start.set(found.ok_or(Code::BeyondOffer)?.get());
        Ok(())
    })
}

/// Books `duration` slots on `pes` PEs of an offer, at `bookahead_offer_start`, as `commitment` says, see there, or changes nothing. The book may have
/// changed since the offer was made: what counts is that the room is still there. O(duration x columns + log rows).
///
/// Answers as `bookahead_commitment` says; ZERO_DURATION, ZERO_PES; BAD_OFFER for what this book cannot have offered; BEYOND_OFFER for more than was
/// offered; OFFER_EXPIRED, also when the start has passed; TABLE_FULL; OVERTAKEN when the room is no longer there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_accept(
    book: *mut Book,
    offer: *const Offer,
    duration: u32,
    pes: u32,
    commitment: *const Commitment,
    booking: *mut Booking,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let booking = Out::new(booking)?;
        let (offer, commitment) = (read(offer)?, Commitment::read(commitment)?);
        let (offer, commitment) = (offer.to_kernel(), commitment.to_kernel()?);
        let take = Take {
            duration: Span::new(duration),
            pes: PeCount::new(pes),
        };
        booking.set(with_book!(book, |book, class| book.accept(
            asked!(class, &offer),
            take,
            commitment
        )?));
        Ok(())
    })
}
