//! Every operation of a queue, beside every kind of ring.

use core::hint::black_box;

use bookahead::{
    BestEffortJob, Book, Discipline, Event, JobQueue, PeCount, Queue, Ticket,
    raw::{QueueParts, QueueState, Ring, WaitingJob},
};
use heapless::{Vec, VecView};

use crate::{
    keep,
    values::{a_slot, a_span},
};

/// The functions of the value types, and the memory.
#[inline(never)]
pub fn values() {
    keep(Discipline::code(black_box(Discipline::Easy)));
    keep(Discipline::name(black_box(Discipline::Easy)));
    keep(Discipline::from_code(black_box(1)));
    keep(Discipline::from_name(black_box("easy")));
    if let Some(ticket) = Ticket::from_number(black_box(7)) {
        keep(Ticket::get(black_box(ticket)));
    }
    keep(bookahead::raw::queue_bytes(black_box(10)));
    let mut memory = JobQueue::<4>::new(black_box(Discipline::Easy));
    keep(JobQueue::view(black_box(&mut memory)));
    keep(JobQueue::init(
        black_box(&mut memory),
        black_box(Discipline::Fcfs),
    ));
}

/// Calls everything, on a queue of unknown contents and length.
pub fn every_operation<R: Ring>(book: &mut Book<'_, R>) {
    let mut memory = (QueueState::default(), [WaitingJob::NONE; 4]);
    let jobs = parts(&mut memory);
    keep(QueueParts::init(jobs, black_box(Discipline::Easy)));
    let mut queue = black_box(QueueParts::view(parts(&mut memory)));
    let queue = &mut queue;

    keep(Queue::len(black_box(queue)));
    keep(Queue::is_empty(black_box(queue)));
    keep(Queue::capacity(black_box(queue)));
    keep(Queue::discipline(black_box(queue)));
    Queue::set_incarnation(black_box(queue), black_box(1));
    Queue::iter(black_box(queue)).for_each(keep);
    let job = black_box(BestEffortJob {
        estimate: a_span(),
        pes: PeCount::new(black_box(3)),
    });
    let submitted = Queue::submit(black_box(queue), black_box(book), &job);
    if let Ok(ticket) = black_box(submitted) {
        keep(Queue::withdraw(black_box(queue), ticket));
    }
    let mut events = Vec::<Event, 4>::new();
    let events: &mut VecView<Event> = black_box(&mut events);
    keep(Queue::advance(
        black_box(queue),
        black_box(book),
        a_slot(),
        events,
    ));
    keep(Queue::next(black_box(queue), black_box(book), a_slot()));
    keep(Queue::shadow(black_box(queue), black_box(book)));
    keep(Queue::next_event(black_box(queue), black_box(book)));
    keep(Queue::check_invariants(black_box(queue), black_box(book)));
}

fn parts((state, jobs): &mut (QueueState, [WaitingJob; 4])) -> QueueParts<'_> {
    QueueParts {
        state: black_box(state),
        jobs: black_box(jobs.as_mut_slice()),
    }
}
