//! Books and what lies beside them survive together: as one record of each call, and as one snapshot.

use alloc::{boxed::Box, vec, vec::Vec};

use bookahead::SnapshotError;

use crate::{
    BoxedJobQueue, LeadsQueue, Survives,
    journal::{Keeping, append},
};

/// A book with a queue beside it, which survive together.
///
/// ```
/// use bookahead::{BestEffortJob, Discipline, PeCount, Span};
/// use bookahead_heap::{Binding, BoxedBook, BoxedJobQueue, Queued, Sizes, Survives};
///
/// let new = || -> Result<_, bookahead_heap::SizeError> {
///     let book = BoxedBook::new(Binding::Late, Sizes { pes: 64, slots: 1_440, reservations: 200 })?;
///     Ok(Queued::new(book, BoxedJobQueue::new(Discipline::Easy, 50)?))
/// };
/// let (mut desk, mut standby) = (new()?, new()?);
/// desk.keep_journal();
/// let job = BestEffortJob { estimate: Span::new(30), pes: PeCount::new(4) };
/// desk.book.submit(&mut desk.queue.view(), &job).unwrap();
/// let mut record = Vec::new();
/// desk.write_record(&mut record).unwrap();
/// standby.apply_record(&record).unwrap();
/// assert_eq!(standby.queue.view().len(), 1);
/// assert_eq!(standby.state_hash(), desk.state_hash());
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Queued<B> {
    /// The book.
    pub book: B,
    /// The queue that serves it.
    pub queue: BoxedJobQueue,
    /// The queue as the last record has left it, once a journal is kept.
    last: Keeping<Box<BoxedJobQueue>>,
}

impl<B> Queued<B> {
    /// This book with this queue.
    pub const fn new(book: B, queue: BoxedJobQueue) -> Self {
        Self {
            book,
            queue,
            last: Keeping::NONE,
        }
    }
}

impl<B: LeadsQueue> Survives for Queued<B> {
    fn keep_journal(&mut self) {
        self.book.keep_journal();
        self.last = Keeping::begin(Box::new(self.queue.clone()));
    }

    fn journal(&mut self) -> Option<u64> {
        Some(mixed(self.book.journal()?, self.last.journal()?))
    }

    fn write_record(&mut self, bytes: &mut Vec<u8>) -> Result<bool, SnapshotError> {
        let Self { book, queue, last } = self;
        let last = last.get()?;
        let before = bytes.len();
        let news = part(bytes, |bytes| book.write_record(bytes))?;
        let more = part(bytes, |bytes| {
            append(bytes, |write| {
                queue.view().write_record(&mut last.view(), write)
            })
        })?;
        Ok(told(news || more, bytes, before))
    }

    fn apply_record(&mut self, mut record: &[u8]) -> Result<(), SnapshotError> {
        let Self { book, queue, .. } = self;
        each(&mut record, |record| book.apply_record(record))?;
        each(&mut record, |record| {
            book.apply_to_queue(&mut queue.view(), record)
        })?;
        nothing_behind(record)
    }

    fn snapshot(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        whole(&mut bytes, &self.book.snapshot());
        let (queue, mut body) = (self.queue.view(), Vec::new());
        // A list takes all of it.
        let _ = append(&mut body, |write| queue.write_snapshot(write));
        whole(&mut bytes, &body);
        bytes
    }

    fn read_snapshot(&mut self, mut snapshot: &[u8]) -> Result<(), SnapshotError> {
        let Self { book, queue, .. } = self;
        each(&mut snapshot, |snapshot| book.read_snapshot(snapshot))?;
        each(&mut snapshot, |snapshot| {
            book.read_queue(&mut queue.view(), snapshot)
        })?;
        nothing_behind(snapshot)
    }

    fn state_hash(&mut self) -> u64 {
        mixed(self.book.state_hash(), self.queue.view().state_hash())
    }
}

/// Several that survive together, one after the other.
trait Parts {
    fn parts(&mut self) -> Vec<&mut dyn Survives>;
}

/// Two that survive together, such as a book and the [`Labels`](crate::Labels) of its reservations.
impl<A: Survives, B: Survives> Parts for (A, B) {
    fn parts(&mut self) -> Vec<&mut dyn Survives> {
        vec![&mut self.0, &mut self.1]
    }
}

/// Several books.
impl<B: Survives> Parts for Vec<B> {
    fn parts(&mut self) -> Vec<&mut dyn Survives> {
        self.iter_mut().map(|book| book as _).collect()
    }
}

/// With one record of each call, and one snapshot.
impl<P: Parts> Survives for P {
    fn keep_journal(&mut self) {
        for one in self.parts() {
            one.keep_journal();
        }
    }

    fn journal(&mut self) -> Option<u64> {
        let parts = self.parts();
        let begin = parts.len() as u64;
        let mut parts = parts.into_iter();
        parts.try_fold(begin, |sum, one| Some(mixed(sum, one.journal()?)))
    }

    fn write_record(&mut self, bytes: &mut Vec<u8>) -> Result<bool, SnapshotError> {
        let before = bytes.len();
        let mut news = false;
        for one in self.parts() {
            news |= part(bytes, |bytes| one.write_record(bytes))?;
        }
        Ok(told(news, bytes, before))
    }

    fn apply_record(&mut self, mut record: &[u8]) -> Result<(), SnapshotError> {
        for one in self.parts() {
            each(&mut record, |record| one.apply_record(record))?;
        }
        nothing_behind(record)
    }

    fn snapshot(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for one in self.parts() {
            whole(&mut bytes, &one.snapshot());
        }
        bytes
    }

    fn read_snapshot(&mut self, mut snapshot: &[u8]) -> Result<(), SnapshotError> {
        for one in self.parts() {
            each(&mut snapshot, |snapshot| one.read_snapshot(snapshot))?;
        }
        nothing_behind(snapshot)
    }

    fn state_hash(&mut self) -> u64 {
        let parts = self.parts().into_iter();
        parts.fold(0, |sum, one| mixed(sum, one.state_hash()))
    }
}

/// Appends the bytes of a part behind their number, and returns what `write` does.
fn part<T>(
    bytes: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>) -> Result<T, SnapshotError>,
) -> Result<T, SnapshotError> {
    let mut body = Vec::new();
    let written = write(&mut body)?;
    whole(bytes, &body);
    Ok(written)
}

fn whole(bytes: &mut Vec<u8>, part: &[u8]) {
    bytes.extend_from_slice(&(part.len() as u64).to_le_bytes());
    bytes.extend_from_slice(part);
}

/// Takes back what was appended where there is no news in it.
fn told(news: bool, bytes: &mut Vec<u8>, before: usize) -> bool {
    if !news {
        bytes.truncate(before);
    }
    news
}

/// Gives the next part to a call, unless nothing was written for it.
fn each(
    bytes: &mut &[u8],
    read: impl FnOnce(&[u8]) -> Result<(), SnapshotError>,
) -> Result<(), SnapshotError> {
    let (len, rest) = bytes.split_first_chunk().ok_or(SnapshotError::Stopped)?;
    let len = usize::try_from(u64::from_le_bytes(*len)).map_err(|_| SnapshotError::Stopped)?;
    let (part, rest) = rest.split_at_checked(len).ok_or(SnapshotError::Stopped)?;
    *bytes = rest;
    match part {
        [] => Ok(()),
        _ => read(part),
    }
}

fn nothing_behind(bytes: &[u8]) -> Result<(), SnapshotError> {
    match bytes {
        [] => Ok(()),
        _ => Err(SnapshotError::OtherBook),
    }
}

/// Returns a sum of bytes.
pub(crate) fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |sum, byte| mixed(sum, (*byte).into()))
}

/// Returns a sum of sums in order.
const fn mixed(sum: u64, next: u64) -> u64 {
    (sum.rotate_left(23) ^ next).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
