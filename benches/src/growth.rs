//! Searches in books of several sizes, filled by the kernel itself: what takes hours in the paper's structure.

use std::hint::black_box;

use bookahead::{Book, Commitment, Policy, Request, raw::Ring};
use bookahead_heap::{BoxedCountBook, BoxedPeBook, HostColumn, Sizes};

use crate::{Mean, Scale, Stopwatch, Workload};

/// Queries of each book.
const QUERIES: usize = 2_048;
/// Queries between two looks at the clock.
const BATCH: usize = 16;

/// Mean nanoseconds of a search under each of `policies`, in books with early binding of two scales.
///
/// # Panics
///
/// When the machine lacks the memory.
#[must_use]
pub fn on_sets<const POLICIES: usize>(
    watch: &Stopwatch,
    scales: [Scale; 2],
    policies: [Policy; POLICIES],
    seed: u64,
    rounds: usize,
) -> [([f64; 2], Policy); POLICIES] {
    let mut memories = scales.map(|scale| {
        BoxedPeBook::<HostColumn>::new(sizes(scale, seed)).expect("a host has the memory")
    });
    let books = memories.each_mut().map(BoxedPeBook::view);
    measure(watch, books, scales, policies, seed, rounds)
}

/// As [`on_sets`], with late binding.
///
/// # Panics
///
/// As [`on_sets`].
#[must_use]
pub fn on_counts<const POLICIES: usize>(
    watch: &Stopwatch,
    scales: [Scale; 2],
    policies: [Policy; POLICIES],
    seed: u64,
    rounds: usize,
) -> [([f64; 2], Policy); POLICIES] {
    let mut memories =
        scales.map(|scale| BoxedCountBook::new(sizes(scale, seed)).expect("a host has the memory"));
    let books = memories.each_mut().map(BoxedCountBook::view);
    measure(watch, books, scales, policies, seed, rounds)
}

fn sizes(scale: Scale, seed: u64) -> Sizes {
    Sizes {
        pes: scale.machine.into(),
        slots: Workload::scaled(scale, seed).slots(),
        reservations: scale.live + 1,
    }
}

/// The books take turns, batch by batch.
fn measure<'m, R: Ring + 'm, const POLICIES: usize>(
    watch: &Stopwatch,
    mut books: [Book<'m, R>; 2],
    scales: [Scale; 2],
    policies: [Policy; POLICIES],
    seed: u64,
    rounds: usize,
) -> [([f64; 2], Policy); POLICIES] {
    let mut queries = [Vec::new(), Vec::new()];
    for ((book, scale), queries) in books.iter_mut().zip(scales).zip(&mut queries) {
        let mut workload = Workload::scaled(scale, seed);
        fill(book, &mut workload);
        queries.extend((0..QUERIES).map(|_| workload.request()));
    }
    policies.map(|policy| {
        let mut means = [BATCH; 2].map(Mean::over);
        for _ in 0..rounds {
            for turn in 0..QUERIES / BATCH {
                let batch = turn * BATCH..(turn + 1) * BATCH;
                for ((book, queries), mean) in books.iter_mut().zip(&queries).zip(&mut means) {
                    let batch = &queries[batch.clone()];
                    let sum = watch.time(batch, |request| search(book, request, policy));
                    mean.add(turn, sum);
                }
            }
        }
        (means.map(|mean| mean.value()), policy)
    })
}

#[inline(never)]
fn search<R: Ring>(book: &mut Book<'_, R>, request: &Request, policy: Policy) -> bool {
    black_box(book.plan(black_box(request), policy)).is_ok()
}

/// Reserves by first fit up to as many as are to live, and then as many again, each for one that is cancelled.
fn fill<R: Ring>(book: &mut Book<'_, R>, workload: &mut Workload) {
    workload.fill(book, |book, request, _| {
        book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)
    });
}
