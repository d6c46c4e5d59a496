//! Whole calls on a book, ledger and all, with both rings.

// Criterion's macro makes a public function without a word.
#![allow(missing_docs)]

use std::hint::black_box;

use bookahead::{Book, Commitment, Event, PeCount, Policy, Request, Slot, Span, raw::Ring};
use bookahead_benches::Scene;
use bookahead_benches::kernel::{early, late, replay};
use criterion::{Criterion, criterion_group, criterion_main};

const LIVE: usize = 1_000;
const QUERIES: usize = 512;
const SEED: u64 = 2;

/// Calls on a book in the steady state, each of which leaves it as it was.
fn steady<R: Ring>(criterion: &mut Criterion, name: &str, book: &mut Book<'_, R>, scene: &Scene) {
    replay(book, scene);
    let mut queries = scene.queries.iter().cycle().copied();
    let mut next = || queries.next().expect("they go round");
    let mut group = criterion.benchmark_group(format!("book/{name}"));
    group.bench_function("plan", |bencher| {
        bencher.iter(|| book.plan(&next(), Policy::FirstFit))
    });
    group.bench_function("reserve and cancel", |bencher| {
        bencher.iter(|| {
            if let Ok(booking) = book.reserve(&next(), Policy::FirstFit, Commitment::Confirmed) {
                book.cancel(black_box(booking.handle)).expect("it lives");
            }
        });
    });
    group.bench_function("hold, confirm and cancel", |bencher| {
        bencher.iter(|| {
            if let Ok(booking) = book.reserve(
                &next(),
                Policy::FirstFit,
                Commitment::Held { ttl: Span::new(50) },
            ) {
                book.confirm(black_box(booking.handle)).expect("it is held");
                book.cancel(booking.handle).expect("it lives");
            }
        });
    });
    group.bench_function("next event", |bencher| bencher.iter(|| book.next_event()));
    group.bench_function("records", |bencher| bencher.iter(|| book.records().count()));
}

/// A job's life on an otherwise empty book: reserved, started, completed early, time moved on.
fn life<R: Ring>(criterion: &mut Criterion, name: &str, book: &mut Book<'_, R>) {
    let mut events = heapless::Vec::<Event, 8>::new();
    criterion.bench_function(&format!("life/{name}"), |bencher| {
        bencher.iter(|| {
            let now = book.now();
            let booking = book
                .reserve(&soon(now), Policy::FirstFit, Commitment::Confirmed)
                .expect("the book is empty");
            let _ = book.advance(booking.start, &mut events);
            let early = now.saturating_add(Span::new(10));
            book.complete(booking.handle, early).expect("it runs");
            let _ = book.advance(early, &mut events);
            assert_eq!(events.len(), 2, "started and completed");
            events.clear();
        });
    });
}

fn soon(now: Slot) -> Request {
    Request {
        ready: now.saturating_add(Span::new(5)),
        duration: Span::new(20),
        deadline: now.saturating_add(Span::new(50)),
        pes: PeCount::new(100),
    }
}

fn books(criterion: &mut Criterion) {
    let scene = Scene::new(LIVE, QUERIES, SEED);
    steady(criterion, "pe", &mut early(&scene).view(), &scene);
    steady(criterion, "count", &mut late(&scene).view(), &scene);
    life(criterion, "pe", &mut early(&scene).view());
    life(criterion, "count", &mut late(&scene).view());
}

criterion_group!(benches, books);
criterion_main!(benches);
