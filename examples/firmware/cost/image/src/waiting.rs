//! The calls of a job that waits in a queue.

use bookahead::{Advanced, BestEffortJob, Book, Error, Event, Queue, Slot, Ticket, raw::Ring};
use heapless::VecView;

/// What the calls take and where their answers go.
pub struct Line {
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
pub fn waiting<R: Ring>(book: &mut Book<'_, R>, queue: &mut Queue<'_>, line: &mut Line) {
    submit(book, queue, line);
    withdraw(queue, line);
    advance(book, queue, line);
    next_event(book, queue, line);
    shadow(book, queue, line);
}

#[inline(never)]
fn submit<R: Ring>(book: &mut Book<'_, R>, queue: &mut Queue<'_>, line: &mut Line) {
    line.submitted = queue.submit(book, &line.job);
}

#[inline(never)]
fn withdraw(queue: &mut Queue<'_>, line: &mut Line) {
    line.done = queue.withdraw(line.ticket);
}

#[inline(never)]
fn advance<R: Ring>(book: &mut Book<'_, R>, queue: &mut Queue<'_>, line: &mut Line) {
    line.advanced = queue.advance(book, line.slot, line.events);
}

#[inline(never)]
fn next_event<R: Ring>(book: &mut Book<'_, R>, queue: &mut Queue<'_>, line: &mut Line) {
    line.next = queue.next_event(book);
}

#[inline(never)]
fn shadow<R: Ring>(book: &mut Book<'_, R>, queue: &mut Queue<'_>, line: &mut Line) {
    line.shadow = queue.shadow(book);
}
