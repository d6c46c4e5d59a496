//! Requests that wait for room beside a queue.

use core::hint::black_box;

use bookahead::{
    Book, Commitment, Discipline, Event, JobQueue, Move, Policy, Queue, WaitingList,
    raw::{Ring, WaitingListParts, WaitingListState, WaitingRequest},
};

use heapless::{Vec, VecView};

use crate::{
    keep, transactions,
    values::{a_request, a_slot, a_span},
};

/// The functions of their memory.
#[inline(never)]
pub fn values() {
    keep(bookahead::raw::waiting_list_bytes(black_box(10)));
    let mut jobs = JobQueue::<4>::new(black_box(Discipline::Easy));
    let mut waiting = WaitingList::<4>::new();
    keep(WaitingList::beside(black_box(&mut waiting), jobs.view()));
}

/// What a queue does for them.
#[inline(never)]
pub fn every_operation<R: Ring>(book: &mut Book<'_, R>) {
    let mut jobs = JobQueue::<4>::new(black_box(Discipline::Easy));
    let mut list = (WaitingListState::default(), [WaitingRequest::NONE; 4]);
    keep(WaitingListParts::init(parts(&mut list), jobs.view()));
    let beside = WaitingListParts::beside(parts(&mut list), jobs.view());
    let mut queue = black_box(beside);
    let queue = &mut queue;
    keep(Queue::requests_capacity(black_box(queue)));
    Queue::waiting_requests(black_box(queue)).for_each(keep);
    let terms = black_box(Commitment::Held { ttl: a_span() });
    let policy = black_box(Policy::FirstFit);
    let waits = Queue::wait(
        black_box(queue),
        black_box(book),
        &a_request(),
        policy,
        terms,
        black_box(2),
    );
    pull(queue, book);
    if let Ok(ticket) = black_box(waits) {
        keep(Queue::set_key(black_box(queue), ticket, black_box(3)));
    }
}

/// Flexible reservations start earlier.
fn pull<R: Ring>(queue: &mut Queue<'_>, book: &mut Book<'_, R>) {
    let mut memory = transactions::Memory::<R>::new();
    let mut moves = Vec::<Move, 4>::new();
    let moves: &mut VecView<Move> = black_box(&mut moves);
    let workspace = &mut black_box(memory.view());
    keep(Book::pull_forward(
        black_box(book),
        a_slot(),
        workspace,
        moves,
    ));
    let mut events = Vec::<Event, 4>::new();
    let events: &mut VecView<Event> = black_box(&mut events);
    keep(Queue::advance_pulling(
        black_box(queue),
        black_box(book),
        a_slot(),
        events,
        workspace,
        moves,
    ));
}

fn parts((state, requests): &mut (WaitingListState, [WaitingRequest; 4])) -> WaitingListParts<'_> {
    WaitingListParts {
        state: black_box(state),
        requests: black_box(requests.as_mut_slice()),
    }
}
