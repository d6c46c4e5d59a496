//! What sequences of operations do not reach: handles from elsewhere, savepoints that are gone, lists that are not empty, books that do not fit.

use bookahead::{
    Advanced, Alteration, BestEffortJob, Commitment, Conflict, CountBook, Discipline,
    ElasticRequest, Error, Event, EventKind, Handle, JobQueue, Move, Offer, OfferOrder, OfferTerms,
    PeBook, PeCount, Placement, Policy, Refusal, Request, Search, Slot, Span, Tariff, Transaction,
    UsageError,
    raw::{BulkScan, Ring, UndoEntry, Workspace},
};
use bookahead_commands::{Memory, Scanned};
use bookahead_heap::{BoxedCountBook, BoxedPeBook, HostColumn, Sizes};

const SIZES: Sizes = Sizes {
    pes: 4,
    slots: 20,
    reservations: 8,
};

const REQUEST: Request = Request {
    ready: Slot::new(2),
    duration: Span::new(3),
    deadline: Slot::new(9),
    pes: PeCount::new(2),
};

/// Every call with a handle that no book gave out fails by that name and changes nothing.
fn refuses_unknown_handles<M: Memory>(mut memory: M) {
    let known = memory
        .view()
        .reserve(&REQUEST, Policy::FirstFit, Commitment::Confirmed)
        .unwrap()
        .handle;
    let before = memory.clone();
    let unknown = Error::from(UsageError::UnknownHandle);
    let row = known.to_bits() & u64::from(u32::MAX);
    let next_row = known.to_bits() + 1;
    let later_generation = known.to_bits() + (1 << 32);
    let mut sets = vec![M::Part::default(); 2 * memory.columns()];
    for bits in [next_row, later_generation, row | 0xffff_ffff, u64::MAX] {
        let (handle, mut book) = (Handle::from_bits(bits), memory.view());
        assert_eq!(book.get(handle), Err(unknown), "{handle:?}");
        assert_eq!(book.pes_of(handle).err(), Some(unknown), "{handle:?}");
        assert_eq!(book.confirm(handle), Err(unknown), "{handle:?}");
        assert_eq!(book.cancel(handle), Err(unknown), "{handle:?}");
        let completed = book.complete(handle, Slot::new(3));
        assert_eq!(completed, Err(unknown), "{handle:?}");
        let later = Alteration::Shift {
            start: Slot::new(4),
        };
        let (mut entries, mut conflict) = ([UndoEntry::NONE; 2], Conflict::NONE);
        let log = Workspace::new(&mut entries, &mut sets, &mut []);
        let altered = book.alter(handle, later, log, &mut conflict);
        assert_eq!((altered, conflict.is_empty()), (Err(unknown), true));
        let log = Workspace::new(&mut entries, &mut sets, &mut []);
        assert_eq!(book.split(handle, Slot::new(4), log), Err(unknown));
        assert_eq!(book.cancel_all([known, handle]), Err(unknown));
        let log = Workspace::new(&mut entries, &mut sets, &mut []);
        refuses_in_transactions(book.transaction(log, u64::MAX), handle);
    }
    assert!(memory == before);
}

/// The same of every call of a transaction.
fn refuses_in_transactions<R: Ring>(mut transaction: Transaction<'_, '_, R>, handle: Handle) {
    let unknown = Some(Error::from(UsageError::UnknownHandle));
    let place = Placement {
        start: Slot::new(2),
        duration: Span::new(3),
        pes: PeCount::new(2),
    };
    let moved = Move {
        handle,
        from: Some(place),
        to: None,
    };
    let narrow = Alteration::Narrow {
        pes: PeCount::new(1),
    };
    let refused = [
        transaction.lift(handle).err(),
        transaction.place(handle, place).err(),
        transaction.place_first_fit(handle, Slot::new(2)).err(),
        transaction.remove(handle).err(),
        transaction.alter(handle, narrow).err(),
        transaction.split(handle, Slot::new(3)).err(),
        transaction.apply(&[moved]).err(),
        transaction.get(handle).err(),
    ];
    assert!(
        refused.iter().all(|reason| *reason == unknown),
        "{refused:?}"
    );
    assert_eq!(transaction.logged(), 0);
    assert_eq!(transaction.commit(), Ok(()));
}

// 3 books, 4 handles each, 15 calls with each handle.
#[test]
fn unknown_handles_are_refused() {
    refuses_unknown_handles(Scanned::<_, BulkScan>::new(
        BoxedCountBook::new(SIZES).unwrap(),
    ));
    refuses_unknown_handles(Scanned::<_, BulkScan>::new(
        BoxedPeBook::<u32>::new(SIZES).unwrap(),
    ));
    refuses_unknown_handles(Scanned::<_, BulkScan>::new(
        BoxedPeBook::<HostColumn>::new(SIZES).unwrap(),
    ));
}

/// Events are added behind what the list holds, and only its free room counts.
#[test]
fn events_are_appended() {
    let mut memory = BoxedCountBook::new(SIZES).unwrap();
    let mut book = memory.view();
    let first = book
        .reserve(&REQUEST, Policy::FirstFit, Commitment::Confirmed)
        .unwrap();
    let second = book
        .reserve(&REQUEST, Policy::FirstFit, Commitment::Confirmed)
        .unwrap();
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
    let mut memory = BoxedCountBook::new(SIZES).unwrap();
    let mut book = memory.view();
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
    let mut memory = BoxedPeBook::<u32>::new(SIZES).unwrap();
    let mut jobs = JobQueue::<5>::new(Discipline::Fcfs);
    let (mut book, mut queue) = (memory.view(), jobs.view());
    let promised = book
        .reserve(&REQUEST, Policy::FirstFit, Commitment::Confirmed)
        .unwrap();
    let job = BestEffortJob {
        estimate: Span::new(3),
        pes: PeCount::new(3),
    };
    queue.submit(&mut book, &job).unwrap();
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
    let mut memory = BoxedPeBook::<u32>::new(SIZES).unwrap();
    let mut book = memory.view();
    let until_start = book
        .reserve(
            &REQUEST,
            Policy::FirstFit,
            Commitment::Held { ttl: Span::new(2) },
        )
        .unwrap();
    let earlier = book
        .reserve(
            &REQUEST,
            Policy::FirstFit,
            Commitment::Held { ttl: Span::new(1) },
        )
        .unwrap();
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

/// A savepoint made later than the one returned to is gone: neither another one nor as many changes as before bring it back.
#[test]
fn savepoints_do_not_come_back() {
    let mut memory = BoxedCountBook::new(SIZES).unwrap();
    let mut book = memory.view();
    let request = Request {
        deadline: Slot::new(20),
        ..REQUEST
    };
    let booked = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed);
    let handle = booked.unwrap().handle;
    for is_changed in [false, true] {
        let mut entries = [UndoEntry::NONE; 8];
        let log = Workspace::new(&mut entries, &mut [], &mut []);
        let mut transaction = book.transaction(log, u64::MAX);
        let shift = |start| Alteration::Shift {
            start: Slot::new(start),
        };
        let first = transaction.savepoint();
        transaction.alter(handle, shift(4)).unwrap();
        let second = transaction.savepoint();
        transaction.alter(handle, shift(6)).unwrap();
        assert_eq!(transaction.rollback_to(first), Ok(()));
        if is_changed {
            transaction.alter(handle, shift(8)).unwrap();
        } else {
            transaction.savepoint();
        }
        let bad = Err(UsageError::BadSavepoint.into());
        assert_eq!(transaction.rollback_to(second), bad);
        assert_eq!(transaction.rollback_to(first), Ok(()));
        // One made in the very state that is returned to notes nothing later.
        let same = transaction.savepoint();
        assert_eq!(transaction.rollback_to(first), Ok(()));
        assert_eq!(transaction.rollback_to(same), Ok(()));
    }
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
