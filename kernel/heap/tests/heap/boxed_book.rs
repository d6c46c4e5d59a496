//! A book of either binding answers as the book of that binding does.

use bookahead::{
    Alteration, BestEffortJob, Book, Commitment, Conflict, Discipline, Event, Handle, PeCount,
    Policy, Refusal, Request, Slot, Span, UsageError, Window, raw::Ring,
};
use bookahead_heap::{
    Binding, BoxedBook, BoxedCountBook, BoxedJobQueue, BoxedPeBook, BoxedWorkspace, HostColumn,
    Sizes,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const CONFIRMED: Commitment = Commitment::Confirmed;

fn sizes(pes: u32) -> Sizes {
    Sizes {
        pes,
        slots: 200,
        reservations: 20,
    }
}

fn request(ready: u64, duration: u32, pes: u32) -> Request {
    Request {
        ready: Slot::new(ready),
        duration: Span::new(duration),
        deadline: Slot::new(ready + 60),
        pes: PeCount::new(pes),
    }
}

/// The same calls to both: each pair of answers is equal.
fn compare<R: Ring>(
    mut book: Book<'_, R>,
    lent: &mut BoxedWorkspace<R::Part>,
    boxed: &mut BoxedBook,
) {
    let all = book.pes().get();
    let mut handles = Vec::new();
    for (request, policy) in [
        (request(3, 10, all), Policy::FirstFit),
        (request(3, 5, all - 1), Policy::PeWorstFit),
        (request(0, 3, 1), Policy::DurationBestFit),
    ] {
        assert_eq!(boxed.plan(&request, policy), book.plan(&request, policy));
        let booking = book.reserve(&request, policy, CONFIRMED).unwrap();
        assert_eq!(boxed.reserve(&request, policy, CONFIRMED), Ok(booking));
        handles.push(booking.handle);
    }
    for handle in handles.iter().copied() {
        let sets: Vec<_> = book.pes_of(handle).unwrap().collect();
        assert_eq!(boxed.pes_of(handle), Ok(sets));
        assert_eq!(boxed.get(handle), book.get(handle));
    }
    let later = Alteration::Shift {
        start: Slot::new(40),
    };
    let (mut one, mut other) = (Conflict::NONE, Conflict::NONE);
    let shifted = book.alter(handles[0], later, lent.view(), &mut one);
    assert!(shifted.is_ok());
    assert_eq!(boxed.alter(handles[0], later, &mut other), shifted);
    let at = Slot::new(45);
    let second = book.split(handles[0], at, lent.view());
    assert_eq!(boxed.split(handles[0], at), second);
    assert!(boxed.iter().into_iter().eq(book.iter()));
    assert!(boxed.records().into_iter().eq(book.records()));
    let window = Window::starting(Slot::new(0), Span::new(50)).unwrap();
    assert_eq!(boxed.free_during(window), book.free_during(window));
    assert!(boxed.profile(window).into_iter().eq(book.profile(window)));
    let covering: Vec<Handle> = book.covering(window).collect();
    assert_eq!(boxed.covering(window), covering);
    let unknown = Handle::from_bits(77 << 32);
    assert_eq!(boxed.confirm(unknown), book.confirm(unknown));
    assert_eq!(boxed.cancel_all(&handles[1..2]), Ok(1));
    assert_eq!(book.cancel_all(handles[1..2].iter().copied()), Ok(1));
    let mut events = [heapless::Vec::<Event, 8>::new(), heapless::Vec::new()];
    let [one, other] = &mut events;
    let to = Slot::new(50);
    assert_eq!(boxed.advance(to, one), book.advance(to, other));
    assert_eq!(events[0], events[1]);
    assert_eq!((boxed.now(), boxed.version()), (book.now(), book.version()));
    assert_eq!(boxed.check_invariants(), Ok(()));
}

#[test]
fn a_book_of_either_binding_answers_as_the_book_of_that_binding() {
    let open = |binding, pes| {
        let mut boxed = BoxedBook::new(binding, sizes(pes)).unwrap();
        boxed.set_workspace(10, 10).unwrap();
        boxed
    };
    let mut late = BoxedCountBook::new(sizes(200)).unwrap();
    let mut lent = BoxedWorkspace::late(10, 10).unwrap();
    compare(late.view(), &mut lent, &mut open(Binding::Late, 200));
    let mut narrow = BoxedPeBook::<u32>::new(sizes(100)).unwrap();
    let mut lent = BoxedWorkspace::early(100, 10, 10).unwrap();
    compare(narrow.view(), &mut lent, &mut open(Binding::Early, 100));
    let mut wide = BoxedPeBook::<HostColumn>::new(sizes(200)).unwrap();
    let mut lent = BoxedWorkspace::early(200, 10, 10).unwrap();
    compare(wide.view(), &mut lent, &mut open(Binding::Early, 200));
}

#[test]
fn without_a_workspace_nothing_is_altered() {
    let mut book = BoxedBook::new(Binding::Late, sizes(4)).unwrap();
    let handle = book
        .reserve(&request(5, 10, 4), Policy::FirstFit, CONFIRMED)
        .unwrap()
        .handle;
    let later = Alteration::Shift {
        start: Slot::new(6),
    };
    let mut conflict = Conflict::NONE;
    let refused = book.alter(handle, later, &mut conflict);
    assert_eq!(refused, Err(Refusal::MoveLimit.into()));
    book.set_workspace(1, 0).unwrap();
    assert!(book.alter(handle, later, &mut conflict).is_ok());
}

#[test]
fn a_queue_advances_the_book_that_it_serves() {
    let mut book = BoxedBook::new(Binding::Early, sizes(4)).unwrap();
    let mut memory = BoxedJobQueue::new(Discipline::Easy, 4).unwrap();
    let queue = &mut memory.view();
    let job = BestEffortJob {
        estimate: Span::new(3),
        pes: PeCount::new(4),
    };
    let ticket = book.submit(queue, &job).unwrap();
    let started = book.next_of_queue(queue, Slot::new(1)).unwrap().unwrap();
    assert_eq!(started.ticket, Some(ticket));
    book.submit(queue, &job).unwrap();
    assert_eq!(book.shadow(queue), Some(Slot::new(3)));
    assert_eq!(book.next(Slot::new(1)), Ok(None));
    let behind = Err(UsageError::QueueLeftBehind.into());
    assert_eq!(book.next_of_queue(queue, Slot::new(9)), behind);
}

#[cfg(feature = "plan")]
#[test]
fn a_queue_with_a_schedule_plans_beside_a_book_of_either_binding() {
    for (binding, pes) in [
        (Binding::Late, 4),
        (Binding::Early, 4),
        (Binding::Early, 200),
    ] {
        let open = || BoxedBook::new(binding, sizes(pes)).unwrap();
        let (mut book, mut second) = (open(), open());
        let queue = BoxedJobQueue::new(Discipline::Conservative, 4).unwrap();
        let mut queue = queue.with_schedule().unwrap();
        let job = BestEffortJob {
            estimate: Span::new(3),
            pes: PeCount::new(pes),
        };
        let tickets = [(); 2].map(|()| book.submit_planned(&mut queue, &mut second, &job));
        let [first, other] = tickets.map(Result::unwrap);
        let starts = book.planned_starts(&mut queue, &mut second);
        assert_eq!(
            starts,
            Ok(vec![(first, Slot::new(0)), (other, Slot::new(3))])
        );
        let mut events = heapless::Vec::<Event, 8>::new();
        let to = Slot::new(1);
        let done = book.advance_planned(&mut queue, &mut second, to, &mut events);
        assert_eq!(done, Ok(bookahead::Advanced::Done));
        assert_eq!(
            (events.len(), events[0].ticket),
            (1, Some(first)),
            "{events:?}"
        );
        let next = book.next_event_planned(&mut queue, &mut second);
        assert_eq!(next, Ok(Some(Slot::new(3))));
        let ended = book.next_planned(&mut queue, &mut second, Slot::new(3));
        assert_eq!(ended.unwrap().unwrap().handle, events[0].handle);
        // One of another size or binding has no schedule for this book.
        let other = [(binding, 3), (Binding::Late, 201), (Binding::Early, 129)];
        for (binding, pes) in other {
            let mut wrong = BoxedBook::new(binding, sizes(pes)).unwrap();
            let refused = book.submit_planned(&mut queue, &mut wrong, &job);
            assert_eq!(refused, Err(UsageError::NoSchedule.into()));
        }
    }
}

/// What a profile says of a window by the records of the whole ring.
fn profile_by_records(book: &mut BoxedBook, window: Window) -> Vec<(Slot, PeCount)> {
    let (start, end) = (window.start.max(book.now()), window.end);
    let end = end.min(book.now().saturating_add(book.horizon()));
    let records = book.records();
    let before = records.iter().rfind(|record| record.at <= start);
    let first = (start, before.map_or(PeCount::ZERO, |record| record.busy));
    let within = records
        .iter()
        .filter(|record| start < record.at && record.at < end);
    let steps = within.map(|record| (record.at, record.busy));
    let all = core::iter::once(first).chain(steps);
    all.filter(|(at, _)| *at < end).collect()
}

#[test]
fn the_profile_of_a_window_is_what_the_records_say_of_it() {
    for binding in Binding::ALL {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut book = BoxedBook::new(binding, sizes(9)).unwrap();
        for turn in 0..2_000 {
            let now = book.now().get();
            let asked = request(now + rng.random_range(0..140), rng.random_range(1..30), 4);
            let _ = book.reserve(&asked, Policy::FirstFit, CONFIRMED);
            if turn % 10 == 0 {
                let to = Slot::new(now + rng.random_range(0..12));
                while book.next(to).unwrap().is_some() {}
            }
            let start = Slot::new((now + rng.random_range(0..260)).saturating_sub(30));
            let window = Window::starting(start, Span::new(rng.random_range(0..250))).unwrap();
            let steps = book.profile(window).into_iter();
            let steps: Vec<_> = steps.map(|step| (step.at, step.busy)).collect();
            assert_eq!(steps, profile_by_records(&mut book, window), "{window:?}");
        }
    }
}
