//! Requests that wait for room beside a queue, and a queue that plans its jobs.

use core::hint::black_box;

use bookahead::{
    BestEffortJob, Book, Commitment, Discipline, Event, Handle, JobQueue, JobSchedule, Move,
    PeCount, PlannedQueue, Policy, Preemption, Queue, Schedule, StartBand, StartBands, WaitingList,
    raw::{
        BulkScan, Column, CountParts, Kept, PeParts, PlannedJob, Ring, Scan, ScheduleParts,
        ScheduleState, WaitingListParts, WaitingListState, WaitingRequest,
    },
};

use heapless::{Vec, VecView};

use crate::{
    books::{EarlyMemory, LateMemory},
    journal, keep, transactions,
    values::{a_request, a_slot, a_span},
};

/// The functions of their memory.
#[inline(never)]
pub fn values() {
    keep(bookahead::raw::waiting_list_bytes(black_box(10)));
    keep(bookahead::raw::schedule_bytes(black_box(10)));
    let mut jobs = JobQueue::<4>::new(black_box(Discipline::Easy));
    let mut waiting = WaitingList::<4>::new();
    keep(WaitingList::beside(black_box(&mut waiting), jobs.view()));
    let mut bands = StartBands::<4>::new();
    StartBands::note(black_box(&mut bands), a_span(), a_span());
    if let Some(band) = StartBands::band(black_box(&bands), a_span(), black_box(800)) {
        keep(StartBand::holds(black_box(&band), a_span()));
    }
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
    preempt(queue, book);
    if let Ok(ticket) = black_box(waits) {
        keep(Queue::set_key(black_box(queue), ticket, black_box(3)));
    }
}

/// What a queue does that plans its jobs, with the ring of a second book.
#[inline(never)]
pub fn every_plan<R: Kept>(book: &mut Book<'_, R>, second: Book<'_, R>) {
    let mut jobs = JobQueue::<4>::new(black_box(Discipline::Conservative));
    let (mut state, mut planned) = (ScheduleState::default(), [PlannedJob::NONE; 4]);
    let parts = ScheduleParts {
        state: black_box(&mut state),
        jobs: black_box(planned.as_mut_slice()),
    };
    let schedule = ScheduleParts::over(parts, second);
    keep(Schedule::capacity(black_box(&schedule)));
    let mut queue = black_box(Queue::planned(jobs.view(), schedule));
    let queue = &mut queue;
    journal::every_plan(queue, book);
    let job = BestEffortJob {
        estimate: a_span(),
        pes: black_box(PeCount::new(2)),
    };
    let _ = black_box(PlannedQueue::submit(
        black_box(queue),
        black_box(book),
        &job,
    ));
    keep(PlannedQueue::queue(black_box(queue)).len());
    PlannedQueue::queue_mut(black_box(queue)).set_incarnation(black_box(0));
    PlannedQueue::starts(black_box(queue)).for_each(keep);
    let mut memory = transactions::Memory::<R>::new();
    let mut moves = Vec::<Move, 4>::new();
    let mut events = Vec::<Event, 4>::new();
    keep(PlannedQueue::advance_pulling(
        black_box(queue),
        black_box(book),
        a_slot(),
        black_box(&mut events),
        &mut black_box(memory.view()),
        black_box(&mut moves),
    ));
    let _ = black_box(PlannedQueue::advance(
        black_box(queue),
        black_box(book),
        a_slot(),
        &mut events,
    ));
    let _ = black_box(PlannedQueue::next(
        black_box(queue),
        black_box(book),
        a_slot(),
    ));
    keep(PlannedQueue::next_event(black_box(queue), black_box(book)));
    let _ = black_box(PlannedQueue::check_invariants(
        black_box(queue),
        black_box(book),
    ));
}

/// Plans on books with late binding.
#[inline(never)]
pub fn late() {
    let (mut memory, mut second) = (LateMemory::<u16>::default(), LateMemory::<u16>::default());
    let mut schedule = JobSchedule::<4>::new();
    let over = JobSchedule::over(black_box(&mut schedule), CountParts::view(second.parts()));
    keep(over.capacity());
    every_plan(
        &mut CountParts::view(memory.parts()),
        CountParts::view(second.parts()),
    );
    every_plan(
        &mut CountParts::view_with::<BulkScan>(memory.parts()),
        CountParts::view_with::<BulkScan>(second.parts()),
    );
}

/// Plans on books with early binding.
#[inline(never)]
pub fn early<C: Column, S: Scan>(none: C) {
    let (mut memory, mut second) = (EarlyMemory::new(none), EarlyMemory::new(none));
    every_plan(
        &mut PeParts::view_with::<S>(memory.parts()),
        PeParts::view_with::<S>(second.parts()),
    );
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

/// Jobs make room for a reservation.
fn preempt<R: Ring>(queue: &mut Queue<'_>, book: &mut Book<'_, R>) {
    let terms = black_box(Preemption {
        min_run: a_span(),
        keeps: true,
    });
    keep(Book::make_preemptible(
        black_box(book),
        black_box(Handle::from_bits(1)),
        terms,
    ));
    keep(Queue::reserve_preempting(
        black_box(queue),
        black_box(book),
        &a_request(),
        black_box(Policy::FirstFit),
        black_box(Commitment::Confirmed),
    ));
}

fn parts((state, requests): &mut (WaitingListState, [WaitingRequest; 4])) -> WaitingListParts<'_> {
    WaitingListParts {
        state: black_box(state),
        requests: black_box(requests.as_mut_slice()),
    }
}
