//! Elastic queries beside one pass over the counts or the sets of their interval, and beside the paper's algorithm taken literally.

use std::hint::black_box;
use std::ops::Range;

use bookahead::{
    Book, ElasticRequest, Offer, OfferOrder, OfferTerms, Request, Search, Span, Tariff, Window,
    raw::Ring,
};
use bookahead_oracle::papers::sulistio::uncounted::{Offered, osp};

use crate::kernel;
use crate::{Floor, MACHINE, Mean, Scene, Stopwatch};

/// Queries between two looks at the clock.
const BATCH: usize = 16;
/// Offers that a caller has room for.
const OFFERS: usize = 32;

type List = heapless::Vec<Offer, OFFERS>;

/// Mean nanoseconds of one query.
pub struct Elastic {
    /// One pass over the counts of the interval.
    pub floor: Mean,
    /// One pass over its sets.
    pub sets_floor: Mean,
    /// The paper's algorithm.
    pub paper: Mean,
    /// The kernel's, on counts.
    pub count: Mean,
    /// The same, each query by itself: for the median.
    pub each: Mean,
    /// Without a number of processing elements, so that everything long enough is listed.
    pub open: Mean,
    /// On sets.
    pub pe: Mean,
    /// On sets without a number of processing elements.
    pub pe_open: Mean,
}

/// Measures the queries of `scene` in its steady state, in turns.
///
/// # Panics
///
/// When the kernel's counts do not answer what the paper's algorithm does.
#[must_use]
pub fn measure(watch: &Stopwatch, scene: &Scene, rounds: usize) -> Elastic {
    let (mut count, mut pe) = (kernel::late(scene), kernel::early(scene));
    let (mut count, mut pe) = (count.view(), pe.view());
    kernel::replay(&mut count, scene);
    kernel::replay(&mut pe, scene);
    let (counts, sets) = (counts(scene), sets(scene));
    let mut list = List::new();
    assert_alike(&mut count, &counts, &scene.queries);
    let mut elastic = Elastic {
        floor: Mean::over(BATCH),
        sets_floor: Mean::over(BATCH),
        paper: Mean::over(BATCH),
        count: Mean::over(BATCH),
        each: Mean::over(1),
        open: Mean::over(BATCH),
        pe: Mean::over(BATCH),
        pe_open: Mean::over(BATCH),
    };
    let query = |request: &Request| asked(request, true);
    let open = |request: &Request| asked(request, false);
    for _ in 0..rounds {
        for (turn, batch) in scene.queries.chunks_exact(BATCH).enumerate() {
            let floor = watch.time(batch, |request| peak(&counts[interval(request)]));
            elastic.floor.add(turn, floor);
            let floor = watch.time(batch, |request| sets.union(interval(request)));
            elastic.sets_floor.add(turn, floor);
            let paper = watch.time(batch, |request| literal(&counts, request));
            elastic.paper.add(turn, paper);
            let sum = watch.time(batch, |request| {
                offer(&mut count, &query(request), &mut list)
            });
            elastic.count.add(turn, sum);
            let sum = watch.time(batch, |request| {
                offer(&mut count, &open(request), &mut list)
            });
            elastic.open.add(turn, sum);
            let sum = watch.time(batch, |request| offer(&mut pe, &query(request), &mut list));
            elastic.pe.add(turn, sum);
            let sum = watch.time(batch, |request| offer(&mut pe, &open(request), &mut list));
            elastic.pe_open.add(turn, sum);
        }
        for (turn, request) in scene.queries.iter().enumerate() {
            let sum = watch.time(&[*request], |request| {
                offer(&mut count, &query(request), &mut list)
            });
            elastic.each.add(turn, sum);
        }
    }
    elastic
}

fn asked(request: &Request, with_pes: bool) -> ElasticRequest {
    ElasticRequest {
        ready: request.ready,
        deadline: request.deadline,
        duration: Some(request.duration),
        pes: with_pes.then_some(request.pes),
    }
}

#[inline(never)]
fn offer<R: Ring>(book: &mut Book<'_, R>, query: &ElasticRequest, list: &mut List) -> usize {
    const TERMS: OfferTerms = OfferTerms {
        search: Search::StripPacking,
        order: OfferOrder::Discovery,
        ttl: Span::new(1),
        tariff: Tariff::FREE,
    };
    let _ = black_box(book.offers(query, black_box(&TERMS), list));
    list.len()
}

/// How many are busy in each slot.
fn counts(scene: &Scene) -> Vec<u16> {
    let mut counts = vec![0; scene.slots as usize];
    for booking in scene.bookings() {
        for count in &mut counts[slots(booking.window)] {
            *count += booking.pes.len() as u16;
        }
    }
    counts
}

/// Which are busy in each slot.
fn sets(scene: &Scene) -> Floor {
    let mut sets = Floor::new(scene.slots as usize);
    for booking in scene.bookings() {
        sets.flip(slots(booking.window), booking.pes.words());
    }
    sets
}

fn slots(window: Window) -> Range<usize> {
    window.start.get() as usize..window.end.get() as usize
}

fn interval(request: &Request) -> Range<usize> {
    request.ready.get() as usize..request.deadline.get() as usize
}

#[inline(never)]
fn peak(counts: &[u16]) -> u16 {
    counts.iter().fold(0, |peak, count| peak.max(*count))
}

#[inline(never)]
fn literal(counts: &[u16], request: &Request) -> Vec<Offered> {
    let (duration, pes) = (request.duration.get() as usize, request.pes.get() as u16);
    osp(
        interval(request),
        |slot| MACHINE - counts[slot],
        duration,
        pes,
    )
}

/// The kernel's offers are the literal ones, windows that came up before left out.
fn assert_alike<R: Ring>(book: &mut Book<'_, R>, counts: &[u16], requests: &[Request]) {
    let mut list = List::new();
    let (mut solved, mut unsolved) = (0, 0);
    for request in requests {
        offer(book, &asked(request, true), &mut list);
        let mut expected = literal(counts, request);
        let mut seen = std::collections::BTreeSet::new();
        expected.retain(|(start, end, _)| seen.insert((*start, *end)));
        expected.truncate(OFFERS);
        let known = |offer: &Offer| {
            let Range { start, end } = slots(offer.window);
            (start, end, offer.pes.get() as u16)
        };
        assert_eq!(list.iter().map(known).collect::<Vec<_>>(), expected);
        if list.first().is_some_and(|first| first.solution) {
            solved += 1;
        } else {
            unsolved += 1;
        }
    }
    assert!(solved > 0 && unsolved > 0, "some are solved, some are not");
}
