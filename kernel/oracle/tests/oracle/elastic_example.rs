//! Figure 1 and equations 2 and 3 of `sulistio`, and small cases of its algorithm worked by hand, on the twin and on both rings.

use crate::common::{job, kernels};
use bookahead::{
    Commitment, ElasticRequest, Error, Factor, Money, Offer, OfferOrder, OfferTerms, Offered,
    PeCount, Policy, Refusal, Request, Search, Slot, Span, Take, Tariff, UsageError, Window,
};
use bookahead_commands::{Command, Kind, Subject};
use bookahead_oracle::Harness;
use bookahead_oracle::papers::sulistio::example::{self, BOOKED, OFFER, QUERY, play, tariff};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn window(start: u64, end: u64) -> Window {
    Window {
        start: Slot::new(start),
        end: Slot::new(end),
    }
}

const fn terms(search: Search, order: OfferOrder) -> OfferTerms {
    OfferTerms {
        search,
        order,
        ttl: Span::new(1),
        tariff: Tariff::FREE,
    }
}

fn query(ready: u64, deadline: u64, duration: Option<u32>, pes: Option<u16>) -> ElasticRequest {
    ElasticRequest {
        ready: Slot::new(ready),
        deadline: Slot::new(deadline),
        duration: duration.map(Span::new),
        pes: pes.map(|pes| PeCount::new(pes.into())),
    }
}

/// Runs `example` on the twin and on the kernel's books of `pes` PEs and 32 slots.
macro_rules! everywhere {
    ($pes:expr, $example:ident) => {
        $example(Harness::new(kernels::twin(Kind::Counts, $pes, 32, 16)));
        $example(Harness::new(kernels::twin(Kind::Sets, $pes, 32, 16)));
        $example(Harness::new(kernels::counts($pes, 32, 16)));
        $example(Harness::new(kernels::narrow($pes, 32, 16)));
        $example(Harness::new(kernels::wide($pes, 32, 16)));
    };
}

/// Figure 1: three nodes, what users 1 to 4 have booked, and the query of user 5.
fn figure_1(mut harness: Harness) {
    let answer = play(&*harness.subject).unwrap();
    assert_eq!(answer.offers, [(OFFER, true)]);
    assert_eq!(answer.booked, Some(OFFER));
    // All that an offer says, and that it holds once only.
    let bookings = BOOKED.map(|(start, end, nodes)| job(start, end, nodes as u32));
    harness.apply_all(&bookings).unwrap();
    let (asked, (start, end, nodes)) = (example::query(), OFFER);
    let (within, found) = (window(QUERY.from, QUERY.to), window(start, end));
    let terms = OfferTerms {
        tariff: tariff(),
        ..terms(Search::StripPacking, OfferOrder::Discovery)
    };
    let (offered, offers) = harness.subject.offers(&asked, &terms, 8).unwrap();
    let expected = Offer {
        within,
        window: found,
        seed: found,
        expires: Slot::new(1),
        version: offers[0].version,
        price: Money::new(4_000_000),
        pes: PeCount::new((nodes as u16).into()),
        solution: true,
    };
    assert_eq!(offers, [expected]);
    assert_eq!((offered.solution, offered.more), (true, false));
    let whole = offers[0].whole();
    let (handle, _) = harness
        .subject
        .accept(&offers[0], whole, Commitment::Confirmed)
        .unwrap();
    let request = harness.subject.get(handle).unwrap().request;
    assert_eq!(
        (request.ready, request.deadline),
        (within.start, within.end)
    );
    let again = harness
        .subject
        .accept(&offers[0], whole, Commitment::Confirmed);
    assert_eq!(again, Err(Refusal::Overtaken.into()));
}

#[test]
fn figure_1_everywhere() {
    everywhere!(3, figure_1);
}

/// Equations 2 and 3 for several nodes; those for one stand with the paper's numbers.
#[test]
fn equations_2_and_3() {
    assert_eq!(
        tariff().reserved(Span::new(3), PeCount::new(7)),
        Ok(Money::new(21_000_000))
    );
    assert_eq!(
        tariff().best_effort(7, PeCount::new(3)),
        Ok(Money::new(1_050_000))
    );
}

/// The rate of a slot as a fraction: the numerator over 2^32, halves up. 10,000 tariffs.
#[test]
fn rates_are_rounded_once() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..10_000 {
        let mut below = |exponents: std::ops::Range<u32>| {
            let exponent = rng.random_range(exponents);
            rng.random_range(0..1u64 << exponent)
        };
        let (base, units, bits) = (below(1..40), below(1..16) as u32, below(32..40));
        let made = Tariff::new(Money::new(base), Factor::from_bits(bits), units);
        let product = u128::from(base) * u128::from(units) * u128::from(bits);
        let rate = (product + (1 << 31)) >> 32;
        let expected = (bits >= 1 << 32).then(|| Money::new(rate.try_into().unwrap()));
        assert_eq!(made.map(|tariff| tariff.slot_rate()), expected);
    }
}

/// What is listed: window, seed, PEs.
type Listed = ((u64, u64), (u64, u64), u16);

/// Makes `free[i]` of 4 PEs free in slot i, and compares what strip packing lists.
fn packs(
    mut harness: Harness,
    free: &[u16],
    wanted: (Option<u32>, Option<u16>),
    solution: bool,
    expected: &[Listed],
) {
    for (slot, free) in (0u64..).zip(free).filter(|(_, free)| **free < 4) {
        harness
            .apply(&job(slot, slot + 1, (4 - free).into()))
            .unwrap();
    }
    let asked = query(0, free.len() as u64, wanted.0, wanted.1);
    let terms = terms(Search::StripPacking, OfferOrder::Discovery);
    let (offered, offers) = harness.subject.offers(&asked, &terms, 8).unwrap();
    let pair = |window: Window| (window.start.get(), window.end.get());
    let listed: Vec<Listed> = offers
        .iter()
        .map(|offer| (pair(offer.window), pair(offer.seed), offer.pes.get() as u16))
        .collect();
    assert_eq!(listed, expected, "{free:?} {wanted:?}");
    assert_eq!(offered.solution, solution);
    assert!(offers.iter().skip(1).all(|offer| !offer.solution));
}

/// Cases of algorithm 1, worked by hand.
fn algorithm_1(harness: Harness) {
    let packs = |free: &[u16], wanted, solution, expected: &[Listed]| {
        packs(harness.clone(), free, wanted, solution, expected);
    };
    // The least that is free first, and to the left first: the slot behind it would do as well.
    packs(&[3, 2, 3], (Some(2), Some(2)), true, &[((0, 2), (1, 2), 2)]);
    // To the right where too few are free on the left.
    packs(&[1, 2, 3], (Some(2), Some(2)), true, &[((1, 3), (1, 2), 2)]);
    // Whole groups are added, so an offer may be longer than asked for.
    packs(
        &[3, 3, 3, 2],
        (Some(2), Some(2)),
        true,
        &[((0, 4), (3, 4), 2)],
    );
    // Of equal groups the earlier first; a group of none is skipped.
    packs(
        &[2, 0, 2],
        (None, None),
        false,
        &[((0, 1), (0, 1), 2), ((2, 3), (2, 3), 2)],
    );
    // Too few in the middle: skipped, and in the way of both sides.
    packs(
        &[2, 1, 2],
        (Some(3), Some(2)),
        false,
        &[((0, 1), (0, 1), 2), ((2, 3), (2, 3), 2)],
    );
    // The first solution is the last offer, although slots 0 and 4 would do.
    packs(
        &[4, 1, 2, 1, 3],
        (Some(1), Some(2)),
        true,
        &[((2, 3), (2, 3), 2)],
    );
    // What was found before it stays, behind it.
    packs(
        &[2, 1, 3, 3],
        (Some(2), Some(2)),
        true,
        &[((2, 4), (2, 4), 3), ((0, 1), (0, 1), 2)],
    );
    // Without PEs nothing is a solution, so the search goes on.
    packs(
        &[2, 1, 3, 3],
        (Some(1), None),
        false,
        &[
            ((1, 2), (1, 2), 1),
            ((0, 1), (0, 1), 2),
            ((2, 4), (2, 4), 3),
        ],
    );
    // Both groups grow into the same offer, which is listed once, with the group that came first.
    packs(
        &[2, 3, 0],
        (Some(3), Some(1)),
        false,
        &[((0, 2), (0, 1), 2)],
    );
    packs(&[3, 2, 0], (Some(2), None), false, &[((0, 2), (1, 2), 2)]);
    // Long enough by itself, a group does not grow.
    packs(
        &[4, 3, 3, 4],
        (Some(2), None),
        false,
        &[
            ((1, 3), (1, 3), 3),
            ((0, 3), (0, 1), 3),
            ((1, 4), (3, 4), 3),
        ],
    );
}

#[test]
fn algorithm_1_everywhere() {
    everywhere!(4, algorithm_1);
}

/// PE 0 is busy in slot 0, PE 1 in slot 1: one of two is free throughout, but only where PEs have no names.
fn named_pes(mut harness: Harness) {
    let bookings = [job(0, 1, 1), job(1, 2, 1), job(1, 2, 1), Command::Cancel(1)];
    harness.apply_all(&bookings).unwrap();
    let asked = query(0, 2, Some(2), Some(1));
    let terms = terms(Search::StripPacking, OfferOrder::Discovery);
    let (offered, offers) = harness.subject.offers(&asked, &terms, 8).unwrap();
    let windows: Vec<_> = offers.iter().map(|offer| offer.window).collect();
    match harness.subject.size().kind {
        Kind::Counts => {
            assert!(offered.solution);
            assert_eq!(windows, [window(0, 2)]);
        }
        _ => {
            assert!(!offered.solution);
            assert_eq!(windows, [window(0, 1), window(1, 2)]);
        }
    }
}

#[test]
fn named_pes_everywhere() {
    everywhere!(2, named_pes);
}

/// One, three and two of three PEs free: the front, in each order, and cut to two.
fn front(mut harness: Harness) {
    harness.apply_all(&[job(0, 1, 2), job(2, 3, 1)]).unwrap();
    let asked = query(0, 3, None, None);
    let sizes = |harness: &mut Harness, order, room| {
        let terms = OfferTerms {
            tariff: tariff(),
            ..terms(Search::ParetoFront, order)
        };
        let (offered, offers) = harness.subject.offers(&asked, &terms, room).unwrap();
        let size = |offer: &Offer| {
            let dollars = offer.price.get() / 1_000_000;
            let (start, end) = (offer.window.start.get(), offer.window.end.get());
            assert_eq!((offer.seed, offer.solution), (offer.window, false));
            (start, end - start, offer.pes.get(), dollars)
        };
        (offered.more, offers.iter().map(size).collect::<Vec<_>>())
    };
    let (long, wide, large) = ((0, 3, 1, 3), (1, 1, 3, 3), (1, 2, 2, 4));
    let whole = |offers: [_; 3]| (false, offers.to_vec());
    let harness = &mut harness;
    assert_eq!(
        sizes(harness, OfferOrder::Discovery, 8),
        whole([long, wide, large])
    );
    assert_eq!(
        sizes(harness, OfferOrder::Longest, 8),
        whole([long, large, wide])
    );
    assert_eq!(
        sizes(harness, OfferOrder::Widest, 8),
        whole([wide, large, long])
    );
    assert_eq!(
        sizes(harness, OfferOrder::Earliest, 8),
        whole([long, wide, large])
    );
    assert_eq!(
        sizes(harness, OfferOrder::Cheapest, 8),
        whole([long, wide, large])
    );
    assert_eq!(
        sizes(harness, OfferOrder::Widest, 2),
        (true, vec![wide, large])
    );
    // Two slots and two PEs are wanted: the solution, and what comes earlier.
    let terms = terms(Search::ParetoFront, OfferOrder::Discovery);
    let asked = query(0, 3, Some(2), Some(2));
    let (offered, offers) = harness.subject.offers(&asked, &terms, 8).unwrap();
    let windows: Vec<_> = offers.iter().map(|offer| offer.window).collect();
    assert_eq!(
        offered,
        Offered {
            solution: true,
            more: false
        }
    );
    assert_eq!(windows, [window(1, 3), window(0, 2)]);
}

#[test]
fn front_everywhere() {
    everywhere!(3, front);
}

/// A portion goes to the fullest slots: an offer from 0 to 4 that grew from slot 3.
fn portions(mut harness: Harness) {
    harness.apply(&job(3, 4, 2)).unwrap();
    let asked = query(0, 4, Some(4), Some(1));
    let terms = terms(Search::StripPacking, OfferOrder::Discovery);
    let (_, offers) = harness.subject.offers(&asked, &terms, 8).unwrap();
    assert_eq!(
        (offers[0].window, offers[0].seed),
        (window(0, 4), window(3, 4))
    );
    let mut starts = Vec::new();
    for duration in [1, 3] {
        let take = Take {
            duration: Span::new(duration),
            pes: PeCount::new(1),
        };
        let held = Commitment::Held { ttl: Span::new(9) };
        let (_, start) = harness.subject.accept(&offers[0], take, held).unwrap();
        starts.push(start.get());
    }
    assert_eq!(starts, [3, 1]);
}

#[test]
fn portions_everywhere() {
    everywhere!(4, portions);
}

/// An offer of 2 PEs and 8 slots out of 4 and 32, where both are free.
fn offered(subject: &mut Box<dyn Subject>) -> Offer {
    let terms = OfferTerms {
        ttl: Span::new(3),
        ..terms(Search::StripPacking, OfferOrder::Discovery)
    };
    let asked = query(2, 10, Some(3), Some(2));
    let (_, offers) = subject.offers(&asked, &terms, 8).unwrap();
    offers[0]
}

/// The acceptance fails for this reason, and nothing changes.
fn fails(
    subject: &mut Box<dyn Subject>,
    offer: &Offer,
    take: Take,
    terms: Commitment,
    reason: impl Into<Error>,
) {
    let before = subject.clone();
    let reason = reason.into();
    assert_eq!(subject.accept(offer, take, terms), Err(reason));
    assert!(**subject == *before, "{reason} has changed something");
}

/// Calls that make no sense anywhere: of several reasons the first in the documented order is given.
fn senseless_acceptances(mut harness: Harness) {
    let offer = offered(&mut harness.subject);
    let later = Offer {
        version: bookahead::Version {
            revision: offer.version.revision + 1,
            ..offer.version
        },
        ..offer
    };
    let crooked = Offer {
        seed: window(1, 3),
        ..offer
    };
    let endless = Offer {
        within: window(0, 1 << 33),
        ..offer
    };
    let more = Take {
        pes: PeCount::new(5),
        ..offer.whole()
    };
    let no_pes = Take {
        pes: PeCount::ZERO,
        ..more
    };
    let nothing = Take {
        duration: Span::ZERO,
        ..no_pes
    };
    let no_hold = Commitment::Held { ttl: Span::ZERO };
    let wider = Offer {
        pes: PeCount::new(5),
        ..offer
    };
    let subject = &mut harness.subject;
    for any in [offer, later] {
        fails(subject, &any, nothing, no_hold, UsageError::ZeroHold);
        fails(
            subject,
            &any,
            nothing,
            Commitment::Confirmed,
            UsageError::ZeroDuration,
        );
        fails(
            subject,
            &any,
            no_pes,
            Commitment::Confirmed,
            UsageError::ZeroPes,
        );
    }
    for forged in [later, crooked, endless, wider] {
        fails(
            subject,
            &forged,
            more,
            Commitment::Confirmed,
            UsageError::BadOffer,
        );
    }
    fails(
        subject,
        &offer,
        more,
        Commitment::Confirmed,
        UsageError::BeyondOffer,
    );
}

/// The reasons that this book has at this time, in their order; the table is full from the third on.
fn late_acceptances(mut harness: Harness) {
    let offer = offered(&mut harness.subject);
    let whole = offer.whole();
    let longer = Take {
        duration: Span::new(9),
        ..whole
    };
    let beyond_ring = Offer {
        within: window(2, 33),
        ..offer
    };
    let expired = Offer {
        expires: Slot::new(0),
        ..beyond_ring
    };
    let firm = Commitment::Confirmed;
    let subject = &mut harness.subject;
    fails(subject, &expired, longer, firm, UsageError::BeyondOffer);
    fails(subject, &expired, whole, firm, Refusal::OfferExpired);
    let subject = &mut filled(subject.clone());
    fails(subject, &beyond_ring, whole, firm, UsageError::BadOffer);
    fails(subject, &offer, whole, firm, Refusal::TableFull);
    let (handle, _) = subject.state().by_start[0];
    subject.cancel(handle).unwrap();
    fails(subject, &offer, whole, firm, Refusal::Overtaken);
}

/// With 16 reservations of all 4 PEs.
fn filled(mut subject: Box<dyn Subject>) -> Box<dyn Subject> {
    for _ in 0..16 {
        let request = Request {
            ready: Slot::new(0),
            duration: Span::new(2),
            deadline: Slot::new(32),
            pes: PeCount::new(4),
        };
        let booked = subject.book(&request, Policy::FirstFit, Commitment::Confirmed);
        assert!(booked.is_ok(), "two slots for each");
    }
    subject
}

#[test]
fn wrong_acceptances_everywhere() {
    everywhere!(4, senseless_acceptances);
    everywhere!(4, late_acceptances);
}
