//! Books that are written and read again in the middle of their lives, as snapshots and as records of what has changed: nobody who asks them notices.

use std::fmt::Debug;

use bookahead::{
    Book, Commitment, Discipline, JobQueue, PeCount, Policy, Request, SnapshotError, Span,
    raw::{BulkScan, JournalParts, JournalState, Kept, Note, record_bytes},
};
use bookahead_commands::{Command, Kernel, Kind, Memory, Reply, Scanned, Subject};
use bookahead_heap::{BoxedCountBook, BoxedPeBook, HostColumn, SizeError};

use crate::common::kernels::{JOBS, sizes};
use crate::long_lives::{CROWDED, crowded_life};

/// Makes the same book in other memory, which is new.
fn survive<M: Memory + Debug>(old: &mut M, new: &mut M, moment: u64)
where
    for<'m> M::Ring<'m>: Kept,
{
    let untouched = new.clone();
    let bytes = written(&old.view());
    let mut other = new.clone();
    refused(&mut new.view(), &mut other.view(), &bytes, moment);
    assert!(*new == untouched, "whoever is refused has changed nothing");
    same(&old.view(), &mut new.view(), &bytes);
    let (mut one, mut other) = (old.clone(), new.clone());
    go_on(&mut one.view(), &mut other.view());
    if moment.is_multiple_of(64) {
        assert_eq!(longest(old), longest(new));
    }
}

fn written<R: Kept>(book: &Book<'_, R>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let whole = book.write_snapshot(&mut |piece| {
        bytes.extend_from_slice(piece);
        true
    });
    assert_eq!(whole, Ok(()));
    // Whoever stops is told so.
    let mut left = moment_of(&bytes) % 9;
    let stopped = book.write_snapshot(&mut |_| {
        left = left.saturating_sub(1);
        left > 0
    });
    assert_eq!(stopped, Err(SnapshotError::Stopped));
    bytes
}

fn moment_of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |sum, byte| sum + u64::from(*byte))
}

/// Gives these bytes to a call that reads, and returns how many of them it has left.
fn giving(
    mut bytes: &[u8],
    call: impl FnOnce(&mut dyn FnMut(&mut [u8]) -> bool) -> Result<(), SnapshotError>,
) -> (Result<(), SnapshotError>, usize) {
    let read = call(&mut |piece| {
        let Some((next, rest)) = bytes.split_at_checked(piece.len()) else {
            return false;
        };
        piece.copy_from_slice(next);
        bytes = rest;
        true
    });
    (read, bytes.len())
}

fn read<R: Kept>(book: &mut Book<'_, R>, bytes: &[u8]) -> Result<(), SnapshotError> {
    let (read, left) = giving(bytes, |read| book.read_snapshot(read));
    assert!(read.is_err() || left == 0, "all of it is read");
    read
}

/// Which byte and which bit are to be others.
fn damage(bytes: &[u8], moment: u64) -> (usize, Vec<u8>) {
    let mut changed = bytes.to_vec();
    let at = (moment.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as usize % changed.len();
    changed[at] ^= 1 << (moment % 8);
    (at, changed)
}

/// Bytes that are no longer those that were written are refused: one is another, or the last ones are missing. With the right sum they are a book or
/// they are not, and in either case nothing breaks.
fn refused<R: Kept>(new: &mut Book<'_, R>, other: &mut Book<'_, R>, bytes: &[u8], moment: u64) {
    let (at, changed) = damage(bytes, moment);
    assert!(read(new, &changed).is_err(), "byte {at} is another");
    assert_eq!(read(new, &bytes[..at]), Err(SnapshotError::Stopped));
    let (body, _) = changed.split_at(changed.len() - 8);
    let sum = body.iter().fold(0xCBF2_9CE4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3)
    });
    let _ = read(other, &[body, &sum.to_le_bytes()].concat());
    assert_eq!(other.check_invariants(), Ok(()));
}

fn same<R: Kept>(old: &Book<'_, R>, new: &mut Book<'_, R>, bytes: &[u8]) {
    assert_eq!(read(new, bytes), Ok(()));
    let incarnation = old.version().incarnation;
    assert_eq!(new.version().incarnation, incarnation + 1);
    assert_eq!(new.state_hash(), old.state_hash());
    if new.version().revision > 0 {
        assert_eq!(read(new, bytes), Err(SnapshotError::NotNew));
    }
    // The twin knows nothing of other incarnations.
    new.set_incarnation(incarnation);
    assert_eq!(written(new), bytes);
}

/// The longest duration that there has been, which no answer of a life shows: it is spent as work.
fn longest(memory: &impl Debug) -> String {
    let memory = format!("{memory:?}");
    let (_, behind) = memory.split_once("longest: ").expect("a ledger has one");
    behind.chars().take_while(|letter| *letter != ' ').collect()
}

/// Both give the same handles: which rows are used again, and in which order, shows in nothing else.
fn go_on<R: Kept>(one: &mut Book<'_, R>, other: &mut Book<'_, R>) {
    let request = Request {
        ready: one.now(),
        duration: Span::new(1),
        deadline: one.now().saturating_add(one.horizon()),
        pes: PeCount::new(1),
    };
    for _ in 0..4 {
        let reserve = |book: &mut Book<'_, R>| {
            book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)
        };
        assert_eq!(reserve(one), reserve(other));
    }
}

/// Memory whose books keep a journal.
#[derive(Clone)]
struct Journaled<M> {
    memory: M,
    state: JournalState,
    notes: Vec<Note>,
}

/// Notes are no part of a book: whoever was refused may have left some.
impl<M: PartialEq> PartialEq for Journaled<M> {
    fn eq(&self, other: &Self) -> bool {
        self.memory == other.memory
    }
}

impl<M: Memory + Debug> Memory for Journaled<M>
where
    for<'m> M::Ring<'m>: Kept,
{
    type Part = M::Part;
    type Ring<'m> = M::Ring<'m>;
    const KIND: Kind = M::KIND;

    fn view(&mut self) -> Book<'_, M::Ring<'_>> {
        let mut book = self.memory.view();
        let journal = JournalParts {
            state: &mut self.state,
            notes: &mut self.notes,
        };
        assert_eq!(book.keep_journal(journal), Ok(()), "it has missed nothing");
        book
    }

    fn columns(&mut self) -> usize {
        self.memory.columns()
    }
}

/// A book that is read from a snapshot into new memory before every third command, and a second one that follows it by records. Sometimes the second one takes its place.
#[derive(Clone)]
struct Surviving<M> {
    kernel: Kernel<Journaled<M>, JobQueue<JOBS>>,
    standby: M,
    new: M,
    moments: u64,
}

impl<M: Memory + Debug> Surviving<M>
where
    for<'m> M::Ring<'m>: Kept,
{
    /// The standby does what the book has done.
    fn follow(&mut self, command: &Command) {
        let mut record = Vec::new();
        let mut book = self.kernel.book.view();
        let news = book.write_record(&mut |piece| {
            record.extend_from_slice(piece);
            true
        });
        assert_eq!(news, Ok(!record.is_empty()));
        assert_eq!(book.write_record(&mut |_| false), Ok(false));
        let mut damaged = self.standby.clone();
        let mut standby = self.standby.view();
        if !record.is_empty() {
            let rows = u32::from_le_bytes(record[56..60].try_into().unwrap()) as usize;
            assert!(record.len() <= record_bytes(rows, book.pes().get() as u16));
            torn(&mut damaged.view(), &record, self.moments);
            let applied = giving(&record, |read| standby.apply_record(read));
            assert_eq!(applied, (Ok(()), 0), "{command:?}");
            let (again, _) = giving(&record, |read| standby.apply_record(read));
            assert_eq!(again, Err(SnapshotError::NotNext));
        }
        assert_eq!(standby.state_hash(), book.state_hash(), "{command:?}");
    }
}

/// A record that is no longer what was written is refused, or leads to a sound book.
fn torn<R: Kept>(book: &mut Book<'_, R>, record: &[u8], moment: u64) {
    let hash = book.state_hash();
    let (at, changed) = damage(record, moment);
    let (read, _) = giving(&changed, |read| book.apply_record(read));
    assert_eq!(book.check_invariants(), Ok(()), "byte {at}: {read:?}");
    let known = match read {
        Ok(()) => return,
        Err(SnapshotError::Stopped | SnapshotError::Damaged(_)) => 0,
        Err(_) => hash,
    };
    if known == 0 {
        assert!(book.is_empty() && book.version().revision == 0);
    } else {
        assert_eq!(book.state_hash(), known);
        let (cut, _) = giving(&record[..at.max(24)], |read| book.apply_record(read));
        assert_eq!(cut, Err(SnapshotError::Stopped));
    }
}

impl<M: Memory + Debug> Subject for Surviving<M>
where
    for<'m> M::Ring<'m>: Kept,
{
    fn perform(&mut self, command: &Command) -> Reply {
        if matches!(command, Command::Remember) {
            self.moments += 1;
            if self.moments.is_multiple_of(7) {
                let incarnation = self.kernel.book.view().version().incarnation;
                self.kernel.book.memory = self.standby.clone();
                // The twin knows nothing of other incarnations.
                let mut book = self.kernel.book.memory.view();
                book.set_incarnation(incarnation);
            } else if self.moments.is_multiple_of(3) {
                let mut new = self.new.clone();
                survive(&mut self.kernel.book.memory, &mut new, self.moments);
                self.kernel.book.memory = new;
            }
        }
        let reply = self.kernel.perform(command);
        self.follow(command);
        reply
    }

    fn copy(&self) -> Box<dyn Subject> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn Subject) -> bool {
        let other: &dyn std::any::Any = other;
        let other = other.downcast_ref::<Self>();
        other.is_some_and(|other| self.kernel == other.kernel)
    }
}

fn surviving<M: Memory + Debug>(memory: Result<M, SizeError>) -> Box<dyn Subject>
where
    for<'m> M::Ring<'m>: Kept,
{
    let new = memory.expect("it is small");
    let queue = JobQueue::<JOBS>::new(Discipline::Fcfs);
    let book = Journaled {
        memory: new.clone(),
        state: JournalState::default(),
        notes: vec![Note::NONE; 40],
    };
    Box::new(Surviving {
        kernel: Kernel::new(book, queue),
        standby: new.clone(),
        new,
        moments: 0,
    })
}

#[test]
fn counts_survive() {
    let memory = BoxedCountBook::new(sizes(CROWDED.pes, CROWDED.slots, 40));
    crowded_life(surviving(memory.map(Scanned::<_, BulkScan>::new)), 11);
}

#[test]
fn counts_with_few_rows_survive() {
    let memory = BoxedCountBook::new(sizes(CROWDED.pes, CROWDED.slots, 9));
    crowded_life(surviving(memory.map(Scanned::<_, BulkScan>::new)), 12);
}

#[test]
fn narrow_sets_survive() {
    let memory = BoxedPeBook::<u32>::new(sizes(CROWDED.pes, CROWDED.slots, 40));
    crowded_life(surviving(memory.map(Scanned::<_, BulkScan>::new)), 13);
}

#[test]
fn wide_sets_survive() {
    let memory = BoxedPeBook::<HostColumn>::new(sizes(CROWDED.pes, CROWDED.slots, 40));
    crowded_life(surviving(memory.map(Scanned::<_, BulkScan>::new)), 14);
}
