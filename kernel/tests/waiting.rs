//! Requests that wait beside the queue until there is room, or until their latest start has passed.
#![cfg(feature = "plan")]

use bookahead::{
    Advanced, BestEffortJob, Book, Commitment, CountBook, Discipline, Error, Event, EventKind,
    JobQueue, PeCount, Policy, Queue, Refusal, Request, Slot, Span, Ticket, UsageError,
    WaitingList,
};
use heapless::Vec as Bounded;

/// 4 processing elements, 32 slots, 4 reservations, 2 jobs, 3 requests.
#[derive(Clone, PartialEq, Debug)]
struct Memory(CountBook<1, 4, 4>, JobQueue<2>, WaitingList<3>);

fn memory() -> Memory {
    let book = CountBook::new(PeCount::new(4), Span::new(32)).unwrap();
    Memory(book, JobQueue::new(Discipline::Easy), WaitingList::new())
}

impl Memory {
    fn with<T>(
        &mut self,
        act: impl FnOnce(&mut Book<'_, CountRing<'_>>, &mut Queue<'_>) -> T,
    ) -> T {
        let (mut book, mut queue) = (self.0.view(), self.2.beside(self.1.view()));
        let answer = act(&mut book, &mut queue);
        queue.check_invariants(&mut book).unwrap();
        answer
    }

    fn reserve(&mut self, request: &Request) -> bookahead::Handle {
        let booked = self.with(|book, _| book.reserve(request, FIRST, CONFIRMED));
        booked.unwrap().handle
    }

    fn wait(&mut self, request: &Request, key: u32) -> Result<Ticket, Error> {
        self.with(|book, queue| queue.wait(book, request, FIRST, CONFIRMED, key))
    }

    /// The events until then, each with its slot and the number of its ticket.
    fn advance(&mut self, to: u64) -> Vec<(u64, EventKind, u32)> {
        let mut events = Bounded::<Event, 32>::new();
        let done = self.with(|book, queue| queue.advance(book, Slot::new(to), &mut events));
        assert_eq!(done, Ok(Advanced::Done));
        let told = |event: &Event| {
            let ticket = event.ticket.map_or(0, Ticket::get);
            (event.at.get(), event.kind, ticket)
        };
        events.iter().map(told).collect()
    }

    fn next_event(&mut self) -> Option<u64> {
        self.with(|book, queue| queue.next_event(book).map(Slot::get))
    }
}

type CountRing<'m> = bookahead::raw::CountRing<'m, bookahead::raw::NativeScan>;
const FIRST: Policy = Policy::FirstFit;
const CONFIRMED: Commitment = Commitment::Confirmed;

fn request(ready: u64, duration: u32, deadline: u64, pes: u32) -> Request {
    Request {
        ready: Slot::new(ready),
        duration: Span::new(duration),
        deadline: Slot::new(deadline),
        pes: PeCount::new(pes),
    }
}

#[test]
fn the_highest_key_is_tried_first_and_equal_keys_in_the_order_they_came() {
    let mut memory = memory();
    let all = memory.reserve(&request(0, 8, 8, 4));
    let wide = request(0, 4, 9, 2);
    let tickets = [1, 5, 5].map(|key| memory.wait(&wide, key).unwrap().get());
    assert_eq!(tickets, [1, 2, 3]);
    assert_eq!(memory.advance(2), [(0, EventKind::Started, 0)]);
    memory.with(|book, _| book.cancel(all)).unwrap();
    let promised = [2, 3].map(|ticket| (2, EventKind::Promised, ticket));
    let started = [(2, EventKind::Started, 0); 2];
    assert_eq!(memory.advance(2), [promised, started].concat());
    let ended = [(6, EventKind::EndReached, 0); 2];
    let given_up = [(6, EventKind::GaveUp, 1)];
    assert_eq!(memory.advance(20), [&ended[..], &given_up].concat());
}

#[test]
fn a_request_beyond_the_horizon_is_promised_when_the_horizon_comes_to_its_deadline() {
    let mut memory = memory();
    let ticket = memory.wait(&request(33, 3, 40, 4), 0).unwrap().get();
    assert_eq!(memory.next_event(), Some(0), "it is still to be tried");
    assert_eq!(memory.advance(0), []);
    assert_eq!(memory.next_event(), Some(8));
    assert_eq!(memory.advance(7), []);
    assert_eq!(memory.advance(9), [(8, EventKind::Promised, ticket)]);
    assert_eq!(memory.next_event(), Some(33));
}

#[test]
fn a_request_is_given_up_in_the_slot_behind_its_latest_start() {
    let mut memory = memory();
    memory.reserve(&request(0, 20, 20, 3));
    let ticket = memory.wait(&request(0, 5, 10, 2), 0).unwrap();
    assert_eq!(memory.advance(5), [(0, EventKind::Started, 0)]);
    assert_eq!(memory.next_event(), Some(6));
    assert_eq!(memory.advance(9), [(6, EventKind::GaveUp, ticket.get())]);
    assert_eq!(memory.next_event(), Some(20));
    let unknown = Err(UsageError::UnknownTicket.into());
    assert_eq!(memory.with(|_, queue| queue.withdraw(ticket)), unknown);
}

#[test]
fn a_row_that_becomes_free_serves_who_was_refused_as_the_table_was_full() {
    let mut memory = memory();
    for slot in 0..4 {
        memory.reserve(&request(10 + slot, 1, 11 + slot, 1));
    }
    let ticket = memory.wait(&request(0, 2, 20, 1), 0).unwrap().get();
    assert_eq!(memory.advance(10), [(10, EventKind::Started, 0)]);
    let promised = (11, EventKind::Promised, ticket);
    assert!(memory.advance(11).contains(&promised));
}

#[test]
fn a_hold_that_lasts_until_its_start_leaves_its_room_to_the_next_slot() {
    let mut memory = memory();
    let hold = Commitment::Held { ttl: Span::new(9) };
    for _ in 0..2 {
        let held = request(4, 4, 8, 2);
        memory
            .with(|book, _| book.reserve(&held, FIRST, hold))
            .unwrap();
    }
    let ticket = memory.wait(&request(4, 2, 8, 2), 0).unwrap().get();
    let expired = (4, EventKind::Expired, 0);
    let promised = (5, EventKind::Promised, ticket);
    let started = (5, EventKind::Started, 0);
    assert_eq!(memory.advance(5), [expired, expired, promised, started]);
}

#[test]
fn what_has_no_place_in_the_list_of_events_is_done_by_the_next_advance() {
    let mut memory = memory();
    memory.reserve(&request(0, 20, 20, 3));
    memory.wait(&request(0, 5, 10, 2), 1).unwrap();
    memory.wait(&request(0, 5, 10, 1), 0).unwrap();
    let mut kinds = Vec::new();
    for to in [0, 6] {
        let to = Slot::new(to);
        loop {
            let mut events = Bounded::<Event, 1>::new();
            let far = memory.with(|book, queue| queue.advance(book, to, &mut events));
            kinds.extend(events.iter().map(|event| event.kind));
            let before = memory.clone();
            let mut none = Bounded::<Event, 0>::new();
            let again = memory.with(|book, queue| queue.advance(book, to, &mut none));
            assert_eq!((again, &memory), (far, &before));
            if far == Ok(Advanced::Done) {
                break;
            }
        }
    }
    let expected = [
        EventKind::Promised,
        EventKind::Started,
        EventKind::Started,
        EventKind::EndReached,
        EventKind::GaveUp,
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn what_could_never_be_met_does_not_wait() {
    let mut memory = memory();
    memory.advance(10);
    let refused: [(Request, Error); 6] = [
        (request(10, 0, 20, 1), UsageError::ZeroDuration.into()),
        (request(10, 1, 20, 0), UsageError::ZeroPes.into()),
        (request(10, 1, 20, 5), Refusal::TooWide.into()),
        (request(10, 33, 90, 1), Refusal::TooLong.into()),
        (request(10, 3, 12, 1), Refusal::WindowTooShort.into()),
        (request(2, 5, 14, 1), Refusal::WindowTooShort.into()),
    ];
    let before = memory.clone();
    for (request, error) in refused {
        assert_eq!(memory.wait(&request, 0), Err(error), "{request:?}");
    }
    let hold = Commitment::Held { ttl: Span::ZERO };
    let held = memory.with(|book, queue| queue.wait(book, &request(10, 1, 20, 1), FIRST, hold, 0));
    assert_eq!(held, Err(UsageError::ZeroHold.into()));
    memory.with(|book, _| book.set_incarnation(1));
    let foreign = memory.wait(&request(10, 1, 20, 1), 0);
    assert_eq!(foreign, Err(UsageError::ForeignQueue.into()));
    memory.with(|book, _| book.set_incarnation(0));
    assert_eq!(memory, before);
    for key in 0..3 {
        memory.wait(&request(2, 5, 15, 1), key).unwrap();
    }
    let before = memory.clone();
    let full = memory.wait(&request(2, 5, 15, 1), 9);
    assert_eq!(full, Err(Refusal::QueueFull.into()));
    assert_eq!(memory, before);
}

#[test]
fn a_queue_without_a_list_refuses_and_one_with_waiting_requests_goes_with_its_book() {
    let mut memory = memory();
    let (mut book, mut queue) = (memory.0.view(), memory.1.view());
    let waits = queue.wait(&mut book, &request(0, 1, 9, 1), FIRST, CONFIRMED, 0);
    assert_eq!(waits, Err(Refusal::QueueFull.into()));
    assert_eq!(queue.requests_capacity(), 0);
    memory.wait(&request(0, 1, 9, 1), 0).unwrap();
    let left_behind = memory.with(|book, queue| {
        book.next(Slot::new(1)).unwrap();
        queue.next(book, Slot::new(2))
    });
    assert_eq!(left_behind, Err(UsageError::QueueLeftBehind.into()));
}

#[test]
fn jobs_and_requests_have_tickets_of_one_counter_and_requests_come_first() {
    let mut memory = memory();
    let job = BestEffortJob {
        estimate: Span::new(3),
        pes: PeCount::new(4),
    };
    let job = memory.with(|book, queue| queue.submit(book, &job)).unwrap();
    let waits = memory.wait(&request(0, 3, 9, 4), 0).unwrap();
    assert_eq!((job.get(), waits.get()), (1, 2));
    let promised = [(0, EventKind::Promised, 2), (0, EventKind::Started, 0)];
    assert_eq!(memory.advance(0), promised);
    let ended = (3, EventKind::EndReached, 0);
    assert_eq!(
        memory.advance(3),
        [ended, (3, EventKind::BestEffortStarted, 1)]
    );
}
