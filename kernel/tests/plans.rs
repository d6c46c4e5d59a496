//! Plans, holds and offers, and what makes them stale.

use bookahead::{
    Advanced, Commitment, CountBook, Event, EventKind, PeCount, Policy, Request, Slot, Span, State,
    UsageError,
};

fn request(ready: u64, deadline: u64) -> Request {
    Request {
        ready: Slot::new(ready),
        duration: Span::new(5),
        deadline: Slot::new(deadline),
        pes: PeCount::new(3),
    }
}

#[test]
fn time_that_passes_without_an_event_leaves_a_plan_good() {
    let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(60)).unwrap();
    let mut book = memory.view();
    book.reserve(&request(40, 50), Policy::FirstFit, Commitment::Confirmed)
        .unwrap();
    let plan = book.plan(&request(10, 30), Policy::FirstFit).unwrap();
    let version = book.version();
    assert_eq!(book.next(Slot::new(10)), Ok(None));
    assert_eq!(book.version(), version);
    let handle = book.commit(&plan, Commitment::Confirmed).unwrap();
    assert_eq!(book.get(handle).unwrap().window.start, Slot::new(10));
}

#[test]
fn a_plan_whose_start_has_passed_is_stale() {
    let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(60)).unwrap();
    let mut book = memory.view();
    let plan = book.plan(&request(10, 30), Policy::FirstFit).unwrap();
    assert_eq!(book.next(Slot::new(11)), Ok(None));
    let stale = Err(UsageError::StalePlan.into());
    assert_eq!(book.commit(&plan, Commitment::Confirmed), stale);
}

#[test]
fn a_plan_made_before_its_ready_time_passed_is_ready_now() {
    let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(60)).unwrap();
    let mut book = memory.view();
    book.reserve(&request(0, 5), Policy::FirstFit, Commitment::Confirmed)
        .unwrap();
    let mut events = bookahead::heapless::Vec::<Event, 4>::new();
    let _ = book.advance(Slot::new(0), &mut events).unwrap();
    // Ready at 2, but until 5 there is no room.
    let plan = book.plan(&request(2, 30), Policy::FirstFit).unwrap();
    assert_eq!(book.next(Slot::new(4)), Ok(None));
    let handle = book.commit(&plan, Commitment::Confirmed).unwrap();
    let booked = book.get(handle).unwrap();
    assert_eq!(
        (booked.request.ready, booked.window.start),
        (Slot::new(4), Slot::new(5))
    );
}

#[test]
fn a_plan_of_another_book_is_stale() {
    let mut memory =
        [(); 2].map(|()| CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(60)).unwrap());
    let [mut one, mut other] = memory.each_mut().map(|memory| memory.view());
    other.set_incarnation(1);
    assert_eq!(one.version().revision, other.version().revision);
    let plan = one.plan(&request(10, 30), Policy::FirstFit).unwrap();
    let stale = Err(UsageError::StalePlan.into());
    assert_eq!(other.commit(&plan, Commitment::Confirmed), stale);
    assert!(one.commit(&plan, Commitment::Confirmed).is_ok());
}

/// A hold whose start is reached is there until time goes on; once the next advance, even to the same slot, took it away.
#[test]
fn a_hold_can_be_confirmed_in_the_slot_of_its_start() {
    let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(60)).unwrap();
    let mut book = memory.view();
    let held = book
        .reserve(
            &request(0, 30),
            Policy::FirstFit,
            Commitment::Held { ttl: Span::new(9) },
        )
        .unwrap();
    for _ in 0..3 {
        assert_eq!(book.next(Slot::new(0)), Ok(None));
    }
    let state = State::Held {
        expires: Slot::new(0),
    };
    assert_eq!(book.get(held.handle).unwrap().state, state);
    assert_eq!(book.next_event(), Some(Slot::new(1)));
    book.confirm(held.handle).unwrap();
    let started = book.next(Slot::new(0)).unwrap().unwrap();
    assert_eq!(started.kind, EventKind::Started);
}

#[test]
fn a_hold_that_nobody_confirms_expires_at_its_start_before_anything_later() {
    let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(60)).unwrap();
    let mut book = memory.view();
    let hold = book
        .reserve(
            &request(3, 8),
            Policy::FirstFit,
            Commitment::Held { ttl: Span::new(9) },
        )
        .unwrap();
    let one = Request {
        pes: PeCount::new(1),
        ..request(3, 8)
    };
    let beside = book
        .reserve(&one, Policy::FirstFit, Commitment::Confirmed)
        .unwrap();
    let mut small = memory.clone();
    let mut steps = vec![];
    let mut book = memory.view();
    for to in 0..=9 {
        while let Some(event) = book.next(Slot::new(to)).unwrap() {
            steps.push((event.at.get(), event.handle, event.kind));
        }
        if to == 3 {
            assert!(book.get(hold.handle).is_ok(), "in the slot of its start");
        }
    }
    let expected = [
        (3, beside.handle, EventKind::Started),
        (3, hold.handle, EventKind::Expired),
        (8, beside.handle, EventKind::EndReached),
    ];
    assert_eq!(steps, expected);
    // In one jump the same, and with a full list time stands at the start.
    let mut book = small.view();
    let mut events = bookahead::heapless::Vec::<Event, 1>::new();
    let advanced = book.advance(Slot::new(7), &mut events).unwrap();
    assert_eq!(advanced, Advanced::EventsWaiting);
    assert_eq!(
        (book.now(), events[0].handle),
        (Slot::new(3), beside.handle)
    );
    book.confirm(hold.handle).unwrap();
    events.clear();
    let advanced = book.advance(Slot::new(7), &mut events).unwrap();
    assert_eq!(advanced, Advanced::Done);
    assert_eq!(events[0].handle, hold.handle);
    assert_eq!(events[0].kind, EventKind::Started);
}

#[test]
fn what_was_asked_for_survives_an_announced_end() {
    let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(60)).unwrap();
    let mut book = memory.view();
    let booking = book
        .reserve(&request(0, 30), Policy::FirstFit, Commitment::Confirmed)
        .unwrap();
    assert!(book.next(Slot::new(0)).unwrap().is_some());
    book.complete(booking.handle, Slot::new(2)).unwrap();
    let known = book.get(booking.handle).unwrap();
    assert_eq!(known.request.duration, Span::new(5));
    assert_eq!(known.window.end, Slot::new(2));
}
