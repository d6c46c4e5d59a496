//! The log of a book, in a flash of two halves: a snapshot, and behind it the record of each change.
//!
//! A snapshot and a record are messages, of one item of the flash for each [`DATA`] bytes. An item says which it is of how many. So the last one completes the message, and what was cut
//! before that is no message. Behind what the book writes, a message has whose the new reservations are, a snapshot of all. When a half is full, a snapshot begins the other one; until it is complete, the old half is what counts.

use bookahead::{
    Book, SnapshotError,
    raw::{Kept, record_bytes},
};
use embassy_futures::block_on;
use embedded_storage_async::nor_flash::{NorFlash, NorFlashErrorKind};
use heapless::Vec;
use sequential_storage::{
    Error,
    cache::{Cache, Uncached},
    queue::{QueueConfig, QueueStorage},
};

use crate::{
    PES, ROWS,
    owners::{NOTE, Owners},
};

/// The pages of a half.
pub const PAGES: usize = 2;

/// What a message takes at most: a record of all reservations, and whose they are. A snapshot is shorter. The classes of a `PlacedBook` would come to both: `class_table_bytes`.
const MESSAGE: usize = record_bytes(ROWS, PES) + ROWS * NOTE;
/// What an item says of its message: the number of the snapshot, and which it is of how many items.
const HEAD: usize = 8;
/// What the bytes of an item are a multiple of, in flash that is written in words of up to so many bytes.
const WORD: usize = 16;
/// The bytes of a message in one item: what changes one reservation is one item, with its head.
const DATA: usize = (HEAD + record_bytes(1, PES) + NOTE).next_multiple_of(WORD) - HEAD;

/// Memory for a message: a static, since it would be copied about on the stack.
pub type Message = Vec<u8, MESSAGE>;
/// Nothing is remembered: an erasure of all pages would not be noticed.
type Memory = Cache<Uncached, Uncached, Uncached>;

/// Why the log does not go on.
#[derive(Debug)]
#[allow(dead_code, reason = "it is printed")]
pub enum Broken {
    /// What the storage says.
    Flash(Error<NorFlashErrorKind>),
    /// What the book says.
    Book(SnapshotError),
}

impl From<Error<NorFlashErrorKind>> for Broken {
    fn from(error: Error<NorFlashErrorKind>) -> Self {
        Self::Flash(error)
    }
}

impl From<SnapshotError> for Broken {
    fn from(error: SnapshotError) -> Self {
        Self::Book(error)
    }
}

/// The log.
pub struct Log<'m, F: NorFlash> {
    halves: [Half<F>; 2],
    /// The one that counts.
    current: usize,
    /// How many snapshots there have been.
    snapshots: u32,
    message: &'m mut Message,
}

impl<'m, F: NorFlash<Error = NorFlashErrorKind> + Clone> Log<'m, F> {
    /// Makes a new book, and who has what, as the flash says. The records of a journal that is kept from then on follow.
    pub fn open<R: Kept>(
        flash: F,
        book: &mut Book<'_, R>,
        owners: &mut Owners,
        message: &'m mut Message,
    ) -> Result<Self, Broken> {
        // An item takes 16 bytes more in flash.
        const ITEMS: usize = MESSAGE.div_ceil(DATA) * (16 + HEAD + DATA);
        const {
            assert!(
                WORD.is_multiple_of(F::WRITE_SIZE),
                "the storage pads items to whole words of the flash: take a wider word"
            );
            assert!(
                PAGES * F::ERASE_SIZE >= 2 * ITEMS,
                "a half holds a snapshot, and a record of all reservations behind it: take more pages"
            );
        }
        let mut log = Self {
            halves: [0, 1].map(|half| Half::new(flash.clone(), half)),
            current: 0,
            snapshots: 0,
            message,
        };
        for (index, half) in log.halves.iter_mut().enumerate() {
            let mut first = None;
            half.read(log.message, |number, _| {
                first = first.or(Some(number));
                Ok(())
            })?;
            if let Some(number) = first.filter(|number| *number > log.snapshots) {
                (log.current, log.snapshots) = (index, number);
            }
        }
        if log.snapshots == 0 {
            log.begin(book, owners)?;
            return Ok(log);
        }
        let mut is_snapshot = true;
        log.halves[log.current].read(log.message, |_, mut message| {
            match core::mem::take(&mut is_snapshot) {
                true => book.read_snapshot(&mut give(&mut message))?,
                false => book.apply_record(&mut give(&mut message))?,
            }
            owners.read(book, message);
            Ok(())
        })?;
        Ok(log)
    }

    /// Makes durable what has changed, and returns whether that was anything. Nobody may be told of it before.
    pub fn keep<R: Kept>(
        &mut self,
        book: &mut Book<'_, R>,
        owners: &mut Owners,
    ) -> Result<bool, Broken> {
        self.message.clear();
        if !book.write_record(&mut append(self.message))? {
            return Ok(false);
        }
        note(self.message, owners.take_new());
        match self.halves[self.current].write(self.snapshots, self.message) {
            // The snapshot has what the record says.
            Err(Error::FullStorage) => self.begin(book, owners)?,
            written => written?,
        }
        Ok(true)
    }

    /// How many snapshots have been begun in the life of the flash.
    pub const fn snapshots(&self) -> u32 {
        self.snapshots
    }

    /// Begins the other half with a snapshot.
    fn begin<R: Kept>(&mut self, book: &Book<'_, R>, owners: &mut Owners) -> Result<(), Broken> {
        self.message.clear();
        book.write_snapshot(&mut append(self.message))?;
        note(self.message, owners.live(book));
        let other = 1 - self.current;
        let half = &mut self.halves[other];
        block_on(half.items.erase_all())?;
        half.write(self.snapshots + 1, self.message)?;
        (self.current, self.snapshots) = (other, self.snapshots + 1);
        Ok(())
    }
}

/// A half of the flash.
struct Half<F: NorFlash> {
    items: QueueStorage<F, Memory>,
}

impl<F: NorFlash<Error = NorFlashErrorKind>> Half<F> {
    fn new(flash: F, half: u32) -> Self {
        let bytes = (PAGES * F::ERASE_SIZE) as u32;
        let config = QueueConfig::new(half * bytes..(half + 1) * bytes);
        Self {
            items: QueueStorage::new(flash, config, Cache::new_uncached()),
        }
    }

    /// Writes a message, the item that completes it last.
    fn write(&mut self, snapshot: u32, message: &[u8]) -> Result<(), Error<F::Error>> {
        let chunks = message.chunks(DATA);
        let of = chunks.len() as u16;
        for (index, chunk) in (0_u16..).zip(chunks) {
            let mut item = Vec::<u8, { HEAD + DATA }>::new();
            item.extend(snapshot.to_le_bytes());
            item.extend(index.to_le_bytes());
            item.extend(of.to_le_bytes());
            item.extend(chunk.iter().copied());
            block_on(self.items.push(&item, false))?;
        }
        Ok(())
    }

    /// Hands the complete messages to `take`, in order, with the number of their snapshot.
    fn read(
        &mut self,
        message: &mut Message,
        mut take: impl FnMut(u32, &[u8]) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        let mut buffer = [0; HEAD + DATA];
        let mut expected = 0;
        let mut items = block_on(self.items.iter())?;
        while let Some(item) = block_on(items.next(&mut buffer))? {
            let Some(([s0, s1, s2, s3, i0, i1, o0, o1], chunk)) = item.split_first_chunk() else {
                continue;
            };
            let index = u16::from_le_bytes([*i0, *i1]);
            if index == 0 {
                message.clear();
                expected = 0;
            }
            // What follows on nothing belongs to a message that was cut.
            if index != expected || message.extend_from_slice(chunk).is_err() {
                expected = u16::MAX;
                continue;
            }
            expected += 1;
            if expected == u16::from_le_bytes([*o0, *o1]) {
                take(u32::from_le_bytes([*s0, *s1, *s2, *s3]), message)?;
            }
        }
        Ok(())
    }
}

/// Appends what a book writes.
fn append(message: &mut Message) -> impl FnMut(&[u8]) -> bool {
    |piece| message.extend_from_slice(piece).is_ok()
}

/// Appends whose reservations are, for which a message has room.
fn note(message: &mut Message, notes: impl Iterator<Item = [u8; NOTE]>) {
    message.extend(notes.flatten());
}

/// Gives a book what it reads, and leaves the rest.
fn give(message: &mut &[u8]) -> impl FnMut(&mut [u8]) -> bool {
    |piece| {
        let Some((read, rest)) = message.split_at_checked(piece.len()) else {
            return false;
        };
        piece.copy_from_slice(read);
        *message = rest;
        true
    }
}
