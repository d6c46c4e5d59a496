//! What sequences of operations cannot reach: handles from elsewhere, lists that are not empty, books that do not fit.

use crate::common::kernels;
use bookahead::{
    Advanced, Alteration, BestEffortJob, Commitment, CountBook, ElasticRequest, Error, Event,
    EventKind, Handle, Offer, OfferOrder, OfferTerms, PeBook, PeCount, Placement, Policy, Refusal,
    Request, Search, Slot, Span, Tariff, UsageError,
};
use bookahead_oracle::{Call, Deal, Ending, Moved, Name, Subject};

const REQUEST: Request = Request {
    ready: Slot::new(2),
    duration: Span::new(3),
    deadline: Slot::new(9),
    pes: PeCount::new(2),
};

/// Every call with a handle that no book gave out fails by that name and changes nothing.
fn refuses_unknown_handles<S: Subject<Handle = Handle>>(mut subject: S) {
    let (known, _) = subject
        .book(&REQUEST, Policy::FirstFit, Commitment::Confirmed)
        .unwrap();
    let before = subject.clone();
    let unknown = Error::from(UsageError::UnknownHandle);
    let row = known.to_bits() & u64::from(u32::MAX);
    let next_row = known.to_bits() + 1;
    let later_generation = known.to_bits() + (1 << 32);
    for bits in [next_row, later_generation, row | 0xffff_ffff, u64::MAX] {
        let handle = Handle::from_bits(bits);
        assert_eq!(subject.get(handle), Err(unknown), "{handle:?}");
        assert_eq!(subject.pes_of(handle), Err(unknown), "{handle:?}");
        assert_eq!(subject.confirm(handle), Err(unknown), "{handle:?}");
        assert_eq!(subject.cancel(handle), Err(unknown), "{handle:?}");
        assert_eq!(
            subject.complete(handle, Slot::new(3)),
            Err(unknown),
            "{handle:?}"
        );
        let later = Alteration::Shift {
            start: Slot::new(4),
        };
        let (altered, conflict) = subject.alter(handle, later, 1);
        assert_eq!((altered, conflict.names), (Err(unknown), vec![]));
        assert_eq!(subject.split(handle, Slot::new(4), 2), Err(unknown));
        assert_eq!(subject.cancel_all(&[known, handle]), Err(unknown));
        refuses_in_transactions(&mut subject, handle);
    }
    assert!(subject == before);
}

/// The same of every call of a transaction, but for a conflict: there it is nobody's.
fn refuses_in_transactions<S: Subject>(subject: &mut S, handle: S::Handle) {
    let name = Name::Known(handle);
    let place = Placement {
        start: Slot::new(2),
        duration: Span::new(3),
        pes: PeCount::new(2),
    };
    let moved = Moved {
        whose: name,
        from: Some(place),
        to: None,
    };
    let narrow = Alteration::Narrow {
        pes: PeCount::new(1),
    };
    let calls = [
        Call::Lift(name),
        Call::Place(name, place),
        Call::PlaceFirstFit(name, Slot::new(2)),
        Call::Remove(name),
        Call::Alter(name, narrow),
        Call::Split(name, Slot::new(3)),
        Call::Apply(vec![moved]),
    ];
    let deal = Deal {
        log: 2,
        work: u64::MAX,
        calls: &calls,
        ending: Ending::Commit,
        watched: &[handle],
    };
    let outcome = subject.transact(&deal);
    assert_eq!(outcome.answers.len(), calls.len());
    for (answer, sight) in outcome.answers {
        let unknown = Error::from(UsageError::UnknownHandle);
        assert_eq!((answer, sight.logged), (Err(unknown), 0), "{handle:?}");
        assert_eq!(sight.known, [Err(unknown)], "{handle:?}");
    }
    assert_eq!(outcome.end, Ok((vec![], 0)));
}

// 3 books, 4 handles each, 15 calls with each handle.
#[test]
fn unknown_handles_are_refused() {
    refuses_unknown_handles(kernels::counts(4, 20, 8));
    refuses_unknown_handles(kernels::narrow(4, 20, 8));
    refuses_unknown_handles(kernels::wide(4, 20, 8));
}

/// Events are added behind what the list holds, and only its free room counts.
#[test]
fn events_are_appended() {
    let mut memory = kernels::counts(4, 20, 8);
    let mut book = memory.book.view();
    let first = book.reserve(&REQUEST, Policy::FirstFit).unwrap();
    let second = book.reserve(&REQUEST, Policy::FirstFit).unwrap();
    let mut events = heapless::Vec::<Event, 2>::new();
    assert_eq!(book.advance(Slot::new(0), &mut events), Ok(Advanced::Done));
    let old = Event {
        at: Slot::new(0),
        handle: second.handle,
        kind: EventKind::Missed,
        ticket: None,
    };
    events.push(old).unwrap();
    assert_eq!(
        book.advance(Slot::new(4), &mut events),
        Ok(Advanced::EventsWaiting)
    );
    let started = |handle| Event {
        at: Slot::new(2),
        handle,
        kind: EventKind::Started,
        ticket: None,
    };
    assert_eq!(events.as_slice(), [old, started(first.handle)]);
    assert_eq!(book.now(), Slot::new(2));
    events.clear();
    assert_eq!(book.advance(Slot::new(4), &mut events), Ok(Advanced::Done));
    assert_eq!(events.as_slice(), [started(second.handle)]);
}

/// A list of offers holds those of the last query and nothing else, none after a refusal.
#[test]
fn offers_are_listed_anew() {
    let mut memory = kernels::counts(4, 20, 8);
    let mut book = memory.book.view();
    let query = ElasticRequest {
        ready: Slot::new(2),
        deadline: Slot::new(9),
        duration: None,
        pes: None,
    };
    let terms = OfferTerms {
        search: Search::StripPacking,
        order: OfferOrder::Discovery,
        ttl: Span::new(3),
        tariff: Tariff::FREE,
    };
    let mut offers = heapless::Vec::<Offer, 2>::new();
    book.offers(&query, &terms, &mut offers).unwrap();
    let first = offers.clone();
    assert_eq!(first.len(), 1);
    book.offers(&query, &terms, &mut offers).unwrap();
    assert_eq!(offers, first);
    let empty = ElasticRequest {
        deadline: Slot::new(2),
        ..query
    };
    let refused = book.offers(&empty, &terms, &mut offers);
    assert_eq!(refused, Err(Refusal::WindowTooShort.into()));
    assert!(offers.is_empty());
}

/// Starts of waiting jobs are added behind what the list holds, too.
#[test]
fn starts_are_appended() {
    let mut memory = kernels::narrow(4, 20, 8);
    let (mut book, mut queue) = (memory.book.view(), memory.queue.view());
    let promised = book.reserve(&REQUEST, Policy::FirstFit).unwrap();
    let job = BestEffortJob {
        estimate: Span::new(3),
        pes: PeCount::new(3),
    };
    queue.submit(&book, &job).unwrap();
    let mut events = heapless::Vec::<Event, 3>::new();
    let far = queue.advance(&mut book, Slot::new(4), &mut events);
    assert_eq!(far, Ok(Advanced::Done));
    events.push(events[0]).unwrap();
    let far = queue.advance(&mut book, Slot::new(6), &mut events);
    assert_eq!(far, Ok(Advanced::EventsWaiting));
    assert!(
        events[..2]
            .iter()
            .all(|event| event.handle == promised.handle)
    );
    assert_eq!(events[2].kind, EventKind::EndReached);
    events.remove(0);
    let far = queue.advance(&mut book, Slot::new(6), &mut events);
    assert_eq!(far, Ok(Advanced::Done));
    let told = events.iter().map(|event| (event.at.get(), event.kind));
    assert!(told.eq([
        (2, EventKind::Started),
        (5, EventKind::EndReached),
        (5, EventKind::BestEffortStarted),
    ]));
}

/// A hold that lasts until its start can be confirmed while its expiry waits to be reported; one that ended before cannot.
#[test]
fn a_hold_waiting_to_expire() {
    let mut memory = kernels::narrow(4, 20, 8);
    let mut book = memory.book.view();
    let until_start = book.hold(&REQUEST, Policy::FirstFit, Span::new(2)).unwrap();
    let earlier = book.hold(&REQUEST, Policy::FirstFit, Span::new(1)).unwrap();
    let mut full = heapless::Vec::<Event, 0>::new();
    assert_eq!(
        book.advance(Slot::new(2), &mut full),
        Ok(Advanced::EventsWaiting)
    );
    assert_eq!(book.now(), Slot::new(1));
    assert_eq!(
        book.confirm(earlier.handle),
        Err(UsageError::HoldExpired.into())
    );
    book.cancel(earlier.handle).unwrap();
    // Its start is reached, and it is over when time goes on.
    assert_eq!(book.advance(Slot::new(2), &mut full), Ok(Advanced::Done));
    assert_eq!(
        book.advance(Slot::new(3), &mut full),
        Ok(Advanced::EventsWaiting)
    );
    assert_eq!(book.now(), Slot::new(2));
    assert_eq!(book.confirm(until_start.handle), Ok(()));
}

#[test]
fn books_that_do_not_fit_are_refused() {
    assert!(CountBook::<1, 4, 8>::new(PeCount::new(5), Span::new(20)).is_err());
    assert!(CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(65)).is_err());
    assert!(CountBook::<1, 4, 8>::new(PeCount::new(0), Span::new(20)).is_err());
    assert!(PeBook::<u32, 1, 1, 8>::new(PeCount::new(33), Span::new(20)).is_err());
    assert!(PeBook::<u32, 1, 1, 8>::new(PeCount::new(4), Span::new(0)).is_err());
    assert!(PeBook::<[u64; 8], 1, 1, 8>::new(PeCount::new(512), Span::new(64)).is_ok());
}
