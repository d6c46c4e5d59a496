//! Books that are written and read again in the middle of their lives: nobody who asks them notices.

use bookahead::{
    Book, Commitment, Discipline, JobQueue, PeCount, Policy, Request, SnapshotError, Span,
    raw::{BulkScan, Column, Kept, Scan},
};
use bookahead_commands::{Command, Kernel, Memory, Reply, Scanned, Subject};
use bookahead_heap::{BoxedCountBook, BoxedPeBook, HostColumn, SizeError};

use crate::common::kernels::{JOBS, sizes};
use crate::long_lives::{CROWDED, crowded_life};

/// Memory whose book can be written.
trait Survivor: Memory + std::fmt::Debug {
    /// The same book in other memory, which is new.
    fn survive(&mut self, new: &mut Self, moment: u64);
}

/// The same of memory whose books have rings of their own types.
macro_rules! survives {
    () => {
        fn survive(&mut self, new: &mut Self, moment: u64) {
            let untouched = new.clone();
            let bytes = written(&self.view());
            let mut other = new.clone();
            refused(&mut new.view(), &mut other.view(), &bytes, moment);
            assert_eq!(*new, untouched, "whoever is refused has changed nothing");
            same(&self.view(), &mut new.view(), &bytes);
            let (mut one, mut other) = (self.clone(), new.clone());
            go_on(&mut one.view(), &mut other.view());
            if moment % 64 == 0 {
                assert_eq!(longest(self), longest(new));
            }
        }
    };
}

impl<S: Scan + std::fmt::Debug> Survivor for Scanned<BoxedCountBook, S> {
    survives!();
}

impl<C: Column + std::fmt::Debug + 'static, S: Scan + std::fmt::Debug> Survivor
    for Scanned<BoxedPeBook<C>, S>
{
    survives!();
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

fn read<R: Kept>(book: &mut Book<'_, R>, mut bytes: &[u8]) -> Result<(), SnapshotError> {
    let read = book.read_snapshot(&mut |piece| {
        let Some((next, rest)) = bytes.split_at_checked(piece.len()) else {
            return false;
        };
        piece.copy_from_slice(next);
        bytes = rest;
        true
    });
    assert!(read.is_err() || bytes.is_empty(), "all of it is read");
    read
}

/// Bytes that are no longer those that were written are refused: one is another, or the last ones are missing. With the right sum they are a book or
/// they are not, and in either case nothing breaks.
fn refused<R: Kept>(new: &mut Book<'_, R>, other: &mut Book<'_, R>, bytes: &[u8], moment: u64) {
    let mut changed = bytes.to_vec();
    let at = (moment.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as usize % changed.len();
    changed[at] ^= 1 << (moment % 8);
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
fn longest(memory: &impl std::fmt::Debug) -> String {
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

/// A book that is written and read again before every third command.
#[derive(Clone)]
struct Surviving<M> {
    kernel: Kernel<M, JobQueue<JOBS>>,
    new: M,
    moments: u64,
}

impl<M: Survivor> Subject for Surviving<M> {
    fn perform(&mut self, command: &Command) -> Reply {
        if matches!(command, Command::Remember) {
            self.moments += 1;
            if self.moments.is_multiple_of(3) {
                let mut new = self.new.clone();
                self.kernel.book.survive(&mut new, self.moments);
                self.kernel.book = new;
            }
        }
        self.kernel.perform(command)
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

fn surviving<M: Survivor>(memory: Result<M, SizeError>) -> Box<dyn Subject> {
    let new = memory.expect("it is small");
    let queue = JobQueue::<JOBS>::new(Discipline::Fcfs);
    Box::new(Surviving {
        kernel: Kernel::new(new.clone(), queue),
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
