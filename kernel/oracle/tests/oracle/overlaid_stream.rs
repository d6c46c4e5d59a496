//! Calibration: on a stream of requests to one book, no more overlays are violated than was promised.

use std::collections::BTreeMap;

use bookahead::{
    Commitment, EventKind, Exponential, Guarantee, Handle, OverlayBook, Overlaying, PeCount,
    Policy, Probability, Request, Run, RunTimeLaw, Slot, Span,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const PES: u16 = 16;
const SLOTS: u32 = 192;

/// Jobs take a third of what they book on average, but no more than all of it.
fn mean(booked: Span) -> u64 {
    u64::from(booked.get()).div_ceil(3)
}

fn law(booked: Span) -> RunTimeLaw<'static> {
    RunTimeLaw::Exponential(Exponential::new(1, mean(booked)).unwrap())
}

/// The first slot in which the job does not run any more of its own accord.
fn end(random: &mut ChaCha8Rng, start: Slot, booked: Span) -> Slot {
    let time = -random.random::<f64>().ln() * mean(booked) as f64;
    Slot::new(start.get() + (time.ceil() as u64).max(1))
}

/// What was promised of an overlay, and what came of it.
struct Promise {
    probability: f64,
    violated: bool,
    booked_end: Slot,
}

/// The overlays of a stream in which each accepted job runs for as long as its law says.
fn stream(seed: u64, guarantee: Guarantee, slots: u64) -> Vec<Promise> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut memory =
        OverlayBook::<3, { PES as usize }, 256>::new(PeCount::new(PES.into()), Span::new(SLOTS))
            .unwrap();
    let mut book = memory.view();
    let (mut ends, mut promises) = (BTreeMap::<u64, (Handle, Slot)>::new(), BTreeMap::new());
    let mut kept = Vec::new();
    for slot in 0..slots {
        while let Some(event) = book.next(Slot::new(slot)).unwrap() {
            let key = event.handle.to_bits();
            match event.kind {
                EventKind::Started => {
                    let known = book.get(event.handle).unwrap();
                    let end = end(&mut random, event.at, known.request.duration);
                    if let Some(promise) = promises.get_mut(&key) {
                        let promise: &mut Promise = promise;
                        let late = end > promise.booked_end;
                        promise.violated |= guarantee == Guarantee::Completion && late;
                    }
                    ends.insert(key, (event.handle, end));
                }
                EventKind::LateStart => promises.get_mut(&key).unwrap().violated = true,
                EventKind::OverlayBooked => (),
                kind => {
                    ends.remove(&key);
                    if let Some(mut promise) = promises.remove(&key) {
                        promise.violated |= kind == EventKind::CutShort;
                        kept.push(promise);
                    }
                }
            }
        }
        for _ in 0..2 {
            let duration = random.random_range(6..40);
            let ready = slot + random.random_range(0..60);
            let request = Request {
                ready: Slot::new(ready),
                duration: Span::new(duration),
                deadline: Slot::new(ready + u64::from(duration) + random.random_range(0..20)),
                pes: PeCount::new(random.random_range(1..=6_u16).into()),
            };
            if book
                .reserve(&request, Policy::FirstFit, Commitment::Confirmed)
                .is_ok()
            {
                continue;
            }
            let overlaying = Overlaying {
                guarantee,
                threshold: Probability::rounding_up(4, 5).unwrap(),
                law: law(request.duration),
            };
            let mut predecessors = heapless::Vec::<Run<'_>, { PES as usize }>::new();
            let mut table = [Probability::ZERO; PES as usize];
            let plan = book.plan_overlay(
                &request,
                &overlaying,
                |_, known| law(known.request.duration),
                &mut predecessors,
                &mut table,
            );
            if let Ok(plan) = plan {
                let handle = book.commit_overlay(&plan, Commitment::Confirmed).unwrap();
                let promise = Promise {
                    probability: plan.probability().get().to_num(),
                    violated: false,
                    booked_end: plan.plan().window().end,
                };
                assert!(promises.insert(handle.to_bits(), promise).is_none());
            }
        }
        // Who has finished when the next slot begins.
        for (key, (handle, end)) in ends.clone() {
            let known = book.get(handle).unwrap();
            if end.get() == slot + 1 && end <= known.window.end {
                book.complete(handle, end).unwrap();
                ends.remove(&key);
            }
        }
    }
    kept
}

fn calibrated(guarantee: Guarantee, slots: u64) {
    let promises: Vec<Promise> = (0..4)
        .flat_map(|seed| stream(seed, guarantee, slots))
        .collect();
    let count = promises.len() as f64;
    let violated = promises.iter().filter(|promise| promise.violated).count() as f64 / count;
    let allowed = promises.iter().map(|promise| 1.0 - promise.probability);
    let allowed = allowed.sum::<f64>() / count;
    println!("{guarantee:?}: {count} overlays, {violated:.4} violated, {allowed:.4} allowed");
    assert!(count > 100.0, "{count}");
    // The promises are lower bounds; three standard deviations of the count are noise.
    let noise = 3.0 * (allowed * (1.0 - allowed) / count).sqrt();
    assert!(
        violated <= allowed + noise,
        "{violated} > {allowed} + {noise}"
    );
    assert!(
        violated > 0.0,
        "a stream in which nothing goes wrong proves nothing"
    );
}

#[test]
fn no_more_overlays_lose_their_access_than_promised() {
    calibrated(Guarantee::Access, 2_500);
}

#[test]
fn no_more_overlays_stay_unfinished_than_promised() {
    calibrated(Guarantee::Completion, 2_500);
}
