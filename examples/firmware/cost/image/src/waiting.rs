//! The calls of a job that waits in a queue.

use bookahead::{Advanced, BestEffortJob, Book, Error, Event, Queue, Slot, Ticket, raw::Ring};
use heapless::VecView;

/// What the calls take and where their answers go.
pub struct QueueCalls {
    job: BestEffortJob,
    submitted: Result<Ticket, Error>,
    ticket: Ticket,
    done: Result<(), Error>,
    slot: Slot,
    events: &'static mut VecView<Event>,
    advanced: Result<Advanced, Error>,
    next: Option<Slot>,
    shadow: Option<Slot>,
}

/// Submit, withdraw, advance, the next event and the shadow of the first job, for any discipline.
#[inline(always)]
pub fn waiting<R: Ring>(book: &mut Book<'_, R>, queue: &mut Queue<'_>, calls: &mut QueueCalls) {
    submit(book, queue, calls);
    withdraw(queue, calls);
    advance(book, queue, calls);
    next_event(book, queue, calls);
    shadow(book, queue, calls);
}

#[inline(never)]
fn submit<R: Ring>(book: &mut Book<'_, R>, queue: &mut Queue<'_>, calls: &mut QueueCalls) {
    calls.submitted = queue.submit(book, &calls.job);
}

#[inline(never)]
fn withdraw(queue: &mut Queue<'_>, calls: &mut QueueCalls) {
    calls.done = queue.withdraw(calls.ticket);
}

#[inline(never)]
fn advance<R: Ring>(book: &mut Book<'_, R>, queue: &mut Queue<'_>, calls: &mut QueueCalls) {
    calls.advanced = queue.advance(book, calls.slot, calls.events);
}

#[inline(never)]
fn next_event<R: Ring>(book: &mut Book<'_, R>, queue: &mut Queue<'_>, calls: &mut QueueCalls) {
    calls.next = queue.next_event(book);
}

#[inline(never)]
fn shadow<R: Ring>(book: &mut Book<'_, R>, queue: &mut Queue<'_>, calls: &mut QueueCalls) {
    calls.shadow = queue.shadow(book);
}
