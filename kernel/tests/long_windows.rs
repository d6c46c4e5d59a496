//! Windows so long that a search over sets uses up its allowance of single windows and hands over to the sweep.
//!
//! The bookings are steps of one PE each, on another PE every few slots: few are busy at a time, so the counts say nothing, but over
//! a long window nearly all are busy at some time.

mod numbers;

use bookahead::{
    Advanced, Book, Commitment, Event, PeCount, Policy, Request, Slot, Span, Window,
    raw::{Column, PeRing},
};
use bookahead_heap::{BoxedPeBook, Sizes};
use numbers::Numbers;

/// No multiple of 64, so that there is room beyond the horizon.
const SLOTS: u64 = 2_011;
const ROWS: usize = 600;

fn ask(ready: u64, duration: u64, deadline: u64, pes: u16) -> Request {
    Request {
        ready: Slot::new(ready),
        duration: Span::new(duration as u32),
        deadline: Slot::new(deadline),
        pes: PeCount::new(pes.into()),
    }
}

/// Books the steps of one round: the PEs below the wanted one are filled while it is booked.
fn build_steps<C: Column>(book: &mut Book<'_, PeRing<'_, C>>, round: u64, numbers: &mut Numbers) {
    let (now, pes) = (book.now().get(), u64::from(book.pes().get()));
    for step in 0..(SLOTS - 63) / 8 {
        if numbers.below(10) == 0 {
            continue;
        }
        let start = now + step * 8 + numbers.below(3);
        let len = 1 + numbers.below(6);
        let exactly = |pes| ask(start, len, start + len, pes);
        let below = ((step + round) % pes) as u16;
        let filler = book.reserve(&exactly(below), Policy::FirstFit, Commitment::Confirmed);
        // Where there is no room for it the step is left out.
        let _ = book.reserve(&exactly(1), Policy::FirstFit, Commitment::Confirmed);
        if let Ok(filler) = filler {
            book.cancel(filler.handle).unwrap();
        }
    }
}

/// First fit and PE worst fit as they are defined, over every candidate.
fn by_definition<C: Column>(
    book: &mut Book<'_, PeRing<'_, C>>,
    request: &Request,
) -> (Option<Slot>, Option<Slot>) {
    let candidates: Vec<Slot> = book.candidate_starts(request).unwrap().collect();
    let mut feasible = Vec::new();
    for start in candidates {
        let window = Window::starting(start, request.duration).unwrap();
        let free = book.free_during(window).unwrap();
        if free >= request.pes {
            feasible.push((start, free));
        }
    }
    let most = feasible.iter().map(|(_, free)| *free).max();
    let best = feasible.iter().find(|(_, free)| Some(*free) == most);
    (
        feasible.first().map(|(start, _)| *start),
        best.map(|(start, _)| *start),
    )
}

fn leaps_agree_with_the_definition<C: Column>(pes: u16) {
    let mut memory = BoxedPeBook::<C>::new(Sizes {
        pes,
        slots: SLOTS as u32,
        reservations: ROWS,
    })
    .unwrap();
    let mut book = memory.view();
    let mut numbers = Numbers(12_345);
    let (mut fits, mut refusals) = (0, 0);
    for round in 0..4 {
        build_steps(&mut book, round, &mut numbers);
        let now = book.now().get();
        for _ in 0..40 {
            let duration = 100 + numbers.below(500);
            let ready = now + numbers.below(200);
            let deadline = (ready + duration + numbers.below(1_800)).min(now + SLOTS);
            let request = ask(
                ready,
                duration,
                deadline,
                1 + numbers.below(u64::from(pes)) as u16,
            );
            let (first, most_free) = by_definition(&mut book, &request);
            let mut start = |policy| {
                book.plan(&request, policy)
                    .ok()
                    .map(|plan| plan.window().start)
            };
            assert_eq!(start(Policy::FirstFit), first, "{request:?}");
            assert_eq!(start(Policy::PeWorstFit), most_free, "{request:?}");
            if first.is_some() {
                fits += 1
            } else {
                refusals += 1
            }
        }
        let mut events = heapless::Vec::<Event, 64>::new();
        while book.advance(Slot::new(now + 733), &mut events).unwrap() == Advanced::EventsWaiting {
            events.clear();
        }
    }
    assert!(
        fits >= 10 && refusals >= 10,
        "{fits} fits, {refusals} refusals of 160"
    );
}

#[test]
fn leaps_over_long_windows_agree_with_the_definition() {
    leaps_agree_with_the_definition::<u32>(32);
    leaps_agree_with_the_definition::<u32>(60);
    leaps_agree_with_the_definition::<[u64; 8]>(32);
    leaps_agree_with_the_definition::<[u64; 8]>(600);
}
