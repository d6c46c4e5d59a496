//! Books as bytes, and what changes in them.

use core::{fmt::Write, hint::black_box};

use bookahead::{
    Book, Discipline, JobQueue, Journal, PlannedQueue, Queue, SnapshotError, WaitingList,
    raw::{JournalParts, JournalState, Kept, Note},
};

use crate::{keep, values::Sink};

/// What a book is written to, and read from.
#[inline(never)]
pub fn every_operation<R: Kept>(book: Book<'_, R>) {
    let (mut state, mut notes) = (JournalState::default(), [Note::NONE; 8]);
    let mut book = book;
    let journal = JournalParts {
        state: black_box(&mut state),
        notes: black_box(notes.as_mut_slice()),
    };
    keep(Book::keep_journal(black_box(&mut book), journal));
    keep(Book::write_snapshot(black_box(&book), &mut write));
    keep(Book::state_hash(black_box(&book)));
    keep(Book::read_snapshot(black_box(&mut book), &mut read));
    keep(Book::apply_record(black_box(&mut book), &mut read));
    keep(Book::record_len(black_box(&book)));
    keep(Book::write_record(black_box(&mut book), &mut write));
    queues(&mut book);
    let reason = SnapshotError::UnknownVersion(black_box(7));
    keep(write!(Sink, "{reason}"));
}

/// What a queue of the book is written to, and read from.
#[inline(never)]
fn queues<R: Kept>(book: &mut Book<'_, R>) {
    let mut memory = [(); 2].map(|()| {
        let jobs = JobQueue::<4>::new(black_box(Discipline::Easy));
        (jobs, WaitingList::<4>::new())
    });
    let [mut queue, mut last] = memory
        .each_mut()
        .map(|(jobs, list)| black_box(list.beside(jobs.view())));
    keep(Queue::write_snapshot(black_box(&queue), &mut write));
    keep(Queue::state_hash(black_box(&queue)));
    let queue = &mut queue;
    keep(Queue::read_snapshot(black_box(queue), book, &mut read));
    keep(Queue::apply_record(black_box(queue), book, &mut read));
    keep(Queue::write_record(
        black_box(queue),
        black_box(&mut last),
        &mut write,
    ));
}

/// What a queue that plans its jobs is written to, and read from.
pub fn every_plan<R: Kept>(queue: &mut PlannedQueue<'_, R>, book: &Book<'_, R>) {
    keep(PlannedQueue::write_snapshot(black_box(queue), &mut write));
    keep(PlannedQueue::read_snapshot(
        black_box(queue),
        black_box(book),
        &mut read,
    ));
    keep(PlannedQueue::apply_record(
        black_box(queue),
        book,
        &mut read,
    ));
}

/// The functions of a journal's memory.
#[inline(never)]
pub fn values() {
    let mut journal = Journal::<4>::new();
    keep(Journal::parts(black_box(&mut journal)));
    keep(bookahead::raw::journal_bytes(black_box(10)));
    keep(bookahead::raw::record_bytes(black_box(10), black_box(7)));
    keep(bookahead::raw::class_table_bytes(
        black_box(8),
        black_box(2),
        black_box(3),
    ));
}

fn write(piece: &[u8]) -> bool {
    keep(piece.len());
    black_box(true)
}

fn read(piece: &mut [u8]) -> bool {
    piece.fill(black_box(1));
    black_box(true)
}
