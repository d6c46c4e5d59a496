//! However offers are found, they are those of algorithm 1 taken literally, or of the Pareto front by its definition.

use std::collections::HashSet;

use crate::common::crowd::{HEAVY, LIGHT, Load, change, log_uniform};
use crate::common::kernels;
use bookahead::{
    ElasticRequest, Offer, OfferOrder, OfferTerms, PeCount, Search, Slot, Span, Window,
};
use bookahead_commands::{Command, LONG_OFFERS, Reply, Subject};
use bookahead_oracle::generate::{Situation, later, tariff};
use bookahead_oracle::papers::sulistio::literal::{Osp, Query, consecutive_slots};
use bookahead_oracle::{Free, Harness, Room, pareto_front, portion_window, rooms};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A query for a sixth to all of what is left of the ring; duration and PEs are given as a rule, and often too much.
fn draw(rng: &mut ChaCha8Rng, situation: &Situation) -> (ElasticRequest, OfferTerms, usize) {
    let (pes, slots) = (
        situation.size.pes.get(),
        situation.size.horizon.get() as u16,
    );
    let lead = rng.random_range(0..slots - 1);
    let room = slots - lead;
    let ready = later(situation.now, lead.into());
    let length = rng.random_range((room / 6).max(1)..=room);
    let duration = rng
        .random_bool(0.7)
        .then(|| log_uniform(rng, u32::from(slots / 2).max(1)));
    let width = rng.random_bool(0.7).then(|| log_uniform(rng, pes));
    let query = ElasticRequest {
        ready,
        deadline: later(ready, length.into()),
        duration: duration.map(Span::new),
        pes: width.map(PeCount::new),
    };
    let terms = OfferTerms {
        search: Search::ALL[rng.random_range(0..Search::ALL.len())],
        order: OfferOrder::ALL[rng.random_range(0..OfferOrder::ALL.len())],
        ttl: Span::new(1),
        tariff: tariff(rng.random_range(0..3)),
    };
    let room = if rng.random_bool(0.3) {
        rng.random_range(0..8)
    } else {
        LONG_OFFERS
    };
    (query, terms, room)
}

/// What the book offers, none where it refuses; the twin offers the same.
fn ask(
    harness: &mut Harness,
    query: &ElasticRequest,
    terms: &OfferTerms,
    room: usize,
) -> Vec<Offer> {
    match harness.apply(&Command::Offers(*query, *terms, room)) {
        Ok(Reply::Offered(_, offers)) => offers,
        Ok(_) => Vec::new(),
        Err(difference) => panic!("{query:?}, {terms:?}: {difference}"),
    }
}

/// What a number of queries met.
#[derive(Debug, Default)]
struct Met {
    solutions: u32,
    alternatives: u32,
    nothing: u32,
    /// The most groups of equal slots in an interval.
    groups: u64,
    /// The most visits of groups that algorithm 1 made over more than ten of them, as a share of their square, in percent.
    visits: u64,
}

/// Asks `queries` times in states that keep changing.
fn queries(subject: Box<dyn Subject>, load: Load, queries: u32, seed: u64) -> Met {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut harness = Harness::new(subject);
    let mut met = Met::default();
    for _ in 0..queries {
        change(&mut harness, &mut rng, load);
        let (query, terms, room) = draw(&mut rng, &harness.situation);
        let offers = ask(&mut harness, &query, &terms, room);
        met.solutions += u32::from(offers.iter().any(|offer| offer.solution));
        met.alternatives += u32::from(offers.iter().any(|offer| !offer.solution));
        met.nothing += u32::from(offers.is_empty());
        count_visits(&harness, &query, &mut met);
        everything_is_a_portion(&mut harness, &query, &terms);
    }
    met
}

/// Algorithm 1 enters its loops at most once for each pair of groups.
fn count_visits(harness: &Harness, query: &ElasticRequest, met: &mut Met) {
    let slots = harness.twin.oracle.free_slots(interval(query));
    let query = Query {
        from: 0,
        to: slots.len() as u64,
        duration: query.duration.map(|span| span.get().into()),
        nodes: query.pes.map(|pes| pes.get().into()),
    };
    let groups = consecutive_slots(query.from, query.to, |slot| slots[slot as usize].clone());
    let mut osp = Osp::default();
    osp.offers(&query, &groups);
    let (visits, square) = (osp.visits(), (groups.len() * groups.len()) as u64);
    assert!(visits <= square, "{visits} visits for {}", groups.len());
    met.groups = met.groups.max(groups.len() as u64);
    if groups.len() > 10 {
        met.visits = met.visits.max(100 * visits / square);
    }
}

/// Each length and width, at its earliest start, is a portion of an offer of the whole Pareto front, and starts there.
fn everything_is_a_portion(harness: &mut Harness, query: &ElasticRequest, terms: &OfferTerms) {
    let anything = ElasticRequest {
        duration: None,
        pes: None,
        ..*query
    };
    let terms = OfferTerms {
        search: Search::ParetoFront,
        ..*terms
    };
    let front = ask(harness, &anything, &terms, LONG_OFFERS);
    let slots = harness.twin.oracle.free_slots(interval(query));
    // By start, so the first room of a length and width has its earliest start; a narrower one may start earlier still.
    let mut known = HashSet::new();
    for room in rooms(&slots, usize::MAX, u16::MAX.into()) {
        let start = Slot::new(query.ready.get() + room.start as u64);
        for width in (1..=room.width).rev() {
            if !known.insert((room.length, width)) {
                break;
            }
            let gives = |offer: &&Offer| {
                offer.pes.get() >= width
                    && offer.start_of(Span::new(room.length as u32)) == Some(start)
            };
            assert!(
                front.iter().any(|offer| gives(&offer)),
                "{room:?} of {front:?}"
            );
        }
    }
}

fn interval(query: &ElasticRequest) -> Window {
    Window {
        start: query.ready,
        end: query.deadline,
    }
}

/// Solutions, lists without one, and queries that find nothing.
pub fn check(subject: Box<dyn Subject>, load: Load, number: u32, seed: u64) {
    let met = queries(subject, load, number, seed);
    println!("{met:?}");
    assert!(
        met.solutions > number / 20 && met.alternatives > number / 5,
        "{met:?}"
    );
    assert!(
        met.nothing > 0 && met.groups > 10 && met.visits > 50,
        "{met:?}"
    );
}

// Per test 600 queries, and as many again for the whole front: in all 8 x 1,200 = 9,600 lists.
const QUERIES: u32 = 600;

#[test]
fn counts_light() {
    check(kernels::counts(16, 100, 60), LIGHT, QUERIES, 1);
}

#[test]
fn counts_heavy() {
    check(kernels::counts(64, 128, 160), HEAVY, QUERIES, 2);
}

#[test]
fn counts_heavy_long() {
    check(kernels::counts(100, 230, 160), HEAVY, QUERIES, 3);
}

#[test]
fn narrow_light() {
    check(kernels::narrow(16, 100, 60), LIGHT, QUERIES, 4);
}

#[test]
fn narrow_heavy() {
    check(kernels::narrow(64, 128, 160), HEAVY, QUERIES, 5);
}

#[test]
fn narrow_heavy_long() {
    check(kernels::narrow(100, 230, 160), HEAVY, QUERIES, 6);
}

#[test]
fn wide_light() {
    check(kernels::wide(16, 100, 60), LIGHT, QUERIES, 7);
}

#[test]
fn wide_heavy() {
    check(kernels::wide(64, 128, 160), HEAVY, QUERIES, 8);
}

/// Every start, length and width that is free, each against each: the front as it is defined.
fn by_definition(slots: &[Free], longest: usize, widest: u32) -> HashSet<Room> {
    let widths = |room: Room| (1..=room.width).map(move |width| Room { width, ..room });
    let all: Vec<Room> = rooms(slots, longest, widest)
        .into_iter()
        .flat_map(widths)
        .collect();
    let best = |room: &&Room| !all.iter().any(|other| other.dominates(room));
    all.iter().filter(best).copied().collect()
}

/// Every sequence of up to 6 counts up to 3, under several limits: (4^1 + .. + 4^6) x 9 = 49,140 fronts.
#[test]
fn the_front_is_what_nothing_dominates() {
    let mut fronts = 0;
    for length in 1..=6u32 {
        for number in 0..4usize.pow(length) {
            let digit = |place: u32| (number / 4usize.pow(place) % 4) as u16;
            let slots: Vec<_> = (0..length)
                .map(|place| Free::Count(digit(place).into()))
                .collect();
            for (longest, widest) in [1, 3, usize::MAX]
                .iter()
                .flat_map(|l| [(*l, 1), (*l, 2), (*l, 3)])
            {
                let front = pareto_front(&slots, longest, widest);
                let set: HashSet<_> = front.iter().copied().collect();
                assert_eq!(set, by_definition(&slots, longest, widest), "{slots:?}");
                assert_eq!(set.len(), front.len());
                fronts += 1;
            }
        }
    }
    assert_eq!(fronts, 49_140);
}

/// The earliest start that covers the seed, or lies in it, found by trying each.
#[test]
fn portions_are_put_to_the_seed() {
    let slot = |number: u64| Slot::new(number);
    let window = |start, end| Window {
        start: slot(start),
        end: slot(end),
    };
    let mut tried = 0;
    for (start, end) in (10..16).flat_map(|start| (start + 1..=16).map(move |end| (start, end))) {
        for (from, to) in (start..end).flat_map(|from| (from + 1..=end).map(move |to| (from, to))) {
            let offer = offer(window(start, end), window(from, to));
            for duration in 1..=end - start {
                let serves = |at: &u64| {
                    let (first, last) = (*at, at + duration);
                    let inside = first >= start && last <= end;
                    let covers = first <= from && last >= to;
                    let lies_in = first >= from && last <= to;
                    inside && (covers || duration < to - from && lies_in)
                };
                let found = (10..16).find(serves).map(slot);
                let span = Span::new(duration as u32);
                assert_eq!(offer.start_of(span), found, "{offer:?} {duration}");
                assert_eq!(Some(portion_window(&offer, span).start), found);
                tried += 1;
            }
        }
    }
    assert_eq!(tried, 504);
}

fn offer(window: Window, seed: Window) -> Offer {
    Offer {
        within: window,
        window,
        seed,
        expires: Slot::new(99),
        version: bookahead::Version::default(),
        price: bookahead::Money::ZERO,
        pes: bookahead::PeCount::new(1),
        solution: false,
    }
}
