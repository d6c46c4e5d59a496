//! The store: a book, and what has been promised of it.

use std::{path::Path, sync::Arc, thread::JoinHandle};

use bookahead_heap::Survives;

use crate::{
    StoreError,
    commit::{Committer, Shared},
    files::{Disk, Files},
    format::{RECORD_HEAD, Record, Snapshot},
    reader::Reader,
    recover::{Contents, Tail, recover},
};

/// A book whose changes are durable before anybody is told of them.
///
/// One thread calls; the answers may be waited for anywhere. What all calls since the last sync have changed becomes durable with the next one, so that many
/// callers share the time that it takes.
///
/// ```
/// use bookahead::{Commitment, PeCount, Policy, Request, Slot, Span};
/// use bookahead_heap::{Binding, BoxedBook, Sizes};
/// use bookahead_store::Store;
///
/// # let folder = std::env::temp_dir().join(format!("bookahead-store-{}", std::process::id()));
/// let sizes = Sizes { pes: 64, slots: 1_440, reservations: 1_000 };
/// let request = Request { ready: Slot::new(60), duration: Span::new(90), deadline: Slot::new(480), pes: PeCount::new(48) };
/// let mut store = Store::open(&folder, BoxedBook::new(Binding::Early, sizes)?)?;
/// let answer = store.call(|book| book.reserve(&request, Policy::FirstFit, Commitment::Confirmed))?;
/// // On the disk now, whatever happens.
/// let booking = answer.wait()?.unwrap();
/// drop(store);
///
/// let mut store = Store::open(&folder, BoxedBook::new(Binding::Early, sizes)?)?;
/// let found = store.call(|book| book.get(booking.handle))?.wait()?;
/// assert_eq!(found.unwrap().window.start, Slot::new(60));
/// # drop(store);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Store<B> {
    book: B,
    shared: Arc<Shared>,
    /// The number of the last record.
    last: u64,
    epoch: u32,
    /// The room without which no call is begun.
    margin: u64,
    /// Whether a call is under way, which is so for ever once one has panicked.
    calling: bool,
    record: Vec<u8>,
    tail: Option<Tail>,
    reader: Reader<B>,
    thread: Option<JoinHandle<()>>,
}

impl<B: Survives> Store<B> {
    /// Opens the store in a folder, or makes a new one there, with a thread that commits. `book` is a new one of the kind and the sizes that the store holds: it becomes as the last confirmed call has left it, or as a later one has whose
    /// answer nobody was given. Advance it to the time it is then: what has happened meanwhile is reported event by event. Its incarnation is one more than in the newest snapshot, which is the
    /// same for all openings until the next one: plans and offers of before are stale where a booking has changed since. Where none has, they are accepted and hold, since nobody is told of one before all that it rests on is durable; but throw away those of
    /// before a [`repair`](crate::repair), which takes changes back. A queue that is no part of the store is told by [`set_incarnation`](bookahead::Queue::set_incarnation) which book it serves.
    /// O(snapshot + records since).
    ///
    /// # Errors
    ///
    /// [`StoreError::Locked`], [`StoreError::OtherBook`], [`StoreError::UnknownVersion`], [`StoreError::Failed`]; [`StoreError::DiskFull`] when a new store finds no room for its first snapshot; [`StoreError::Damaged`] with file and place where the disk has not kept what is known
    /// to have been there: nothing is changed then, and [`repair`](crate::repair) is what makes it open again.
    pub fn open(folder: &Path, book: B) -> Result<Self, StoreError> {
        let (mut store, committer) = Self::open_in(Disk::open(folder)?, book)?;
        // Calls may want room before the thread has begun.
        store.shared.lock().running = true;
        let thread = std::thread::Builder::new().name("bookahead-store".into());
        let thread = thread.spawn(|| committer.run());
        store.thread = Some(thread.map_err(StoreError::failed("starting a thread"))?);
        Ok(store)
    }

    /// Opens a store as [`open`](Self::open) does, without a thread: nothing is durable before the [`Committer`] has been told to [commit](Committer::commit). For programs that have a loop or
    /// threads of their own, and disks of other kinds.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_in<F: Files>(mut files: F, book: B) -> Result<(Self, Committer<F>), StoreError> {
        let found = recover(&mut files, book)?;
        let Contents {
            mut book,
            last,
            epoch,
            snapshots,
            logs,
            tail,
            ..
        } = found;
        book.keep_journal();
        let compacted = snapshots.last().copied().unwrap_or_default();
        let (epoch, shared) = (epoch.saturating_add(1), Shared::new(last, compacted));
        let margin = files.segment() / 4;
        let mut committer = Committer {
            files,
            shared: Arc::clone(&shared),
            epoch,
            log: None,
            next: last + 1,
            logs,
            snapshots,
        };
        committer.begin()?;
        let store = Self {
            book,
            reader: Reader::new(Arc::clone(&shared)),
            shared,
            last,
            epoch,
            margin,
            calling: false,
            record: Vec::new(),
            tail,
            thread: None,
        };
        Ok((store, committer))
    }

    /// Calls the book, and returns the answer for when it is durable, with all that it rests on. What the call has changed holds as a whole or not at all, whatever happens. Costs what the
    /// call does, and O(bytes of its record).
    ///
    /// # Errors
    ///
    /// As [`call_within`](Self::call_within), with a quarter of what a log grows by: 256 KiB, which is what thousands of reservations take.
    pub fn call<T>(&mut self, action: impl FnOnce(&mut B) -> T) -> Result<Pending<T>, StoreError> {
        self.call_within(self.margin, action)
    }

    /// Calls the book as [`call`](Self::call) does, if there is room on the disk for a record of so many bytes: none for a call that changes nothing, and what
    /// [`raw::record_bytes`](bookahead::raw::record_bytes) says for others. If a call takes more, and the disk is full, its answer waits until there is room, and so do all that rest on it.
    ///
    /// # Errors
    ///
    /// [`StoreError::DiskFull`] before the call is begun, if there is not that much room, nor more to be had. Without a thread also when so many calls wait that what was allocated is used up: [commit](Committer::commit) them, which allocates
    /// more. [`StoreError::Failed`] once the disk has failed; [`StoreError::Poisoned`] once a call has panicked; [`StoreError::Replaced`] when the call has put another book, or another part of it, in the place of this one, a copy too.
    pub fn call_within<T>(
        &mut self,
        bytes: u64,
        action: impl FnOnce(&mut B) -> T,
    ) -> Result<Pending<T>, StoreError> {
        if self.calling {
            return Err(StoreError::Poisoned);
        }
        let framed = match bytes {
            0 => 0,
            bytes => bytes.saturating_add(RECORD_HEAD as u64),
        };
        drop(self.shared.room(framed)?);
        self.calling = true;
        let journal = self.book.journal();
        let answer = action(&mut self.book);
        if journal.is_none() || self.book.journal() != journal {
            return Err(StoreError::Replaced);
        }
        self.record.clear();
        let news = self.book.write_record(&mut self.record);
        if news.map_err(StoreError::NotRecorded)? {
            self.last += 1;
            let mut queue = self.shared.lock();
            let record = Record {
                number: self.last,
                epoch: self.epoch,
                durable: queue.durable,
                body: &self.record,
            };
            record.write(&mut queue.records);
            queue.last = self.last;
            queue.room = queue.room.saturating_sub(record.len() as u64);
            drop(queue);
            self.shared.wake();
        }
        self.calling = false;
        Ok(Pending {
            answer,
            number: self.last,
            shared: Arc::clone(&self.shared),
        })
    }

    /// Has a snapshot written behind what is waiting, and what it replaces removed, so that the store takes less room and opens faster. Calls go on meanwhile; if the disk fails, those after it do. If the disk has no room for the snapshot, all stays as it is, and
    /// [`compacted`](Self::compacted) too; if it has none for a log beside the one that is full, that one goes first, if the snapshot has all of it. O(rows + live reservations x PEs).
    ///
    /// # Errors
    ///
    /// As [`call`](Self::call).
    pub fn compact(&mut self) -> Result<(), StoreError> {
        let snapshot = self.call_within(0, B::snapshot)?;
        let snapshot = Snapshot {
            last: self.last,
            epoch: self.epoch,
            body: snapshot.answer,
        };
        self.shared.lock().snapshot = Some(snapshot);
        self.shared.wake();
        Ok(())
    }

    /// Copies the book for readers, who see it once it is durable: a good time is behind some calls that belong together, or every so many of them. Costs the memory of the book and the time to copy it, and twice the memory until that is durable. O(memory).
    pub fn publish(&mut self)
    where
        B: Clone,
    {
        // Not in the middle of a change.
        if !self.calling {
            self.reader.publish(self.last, self.book.clone());
        }
    }

    /// Returns what gives published books to other threads. O(1).
    #[must_use]
    pub fn reader(&self) -> Reader<B> {
        self.reader.clone()
    }

    /// Returns how many changes there have been: the number of the last record. O(1).
    #[must_use]
    pub const fn last(&self) -> u64 {
        self.last
    }

    /// Returns how many of the changes are in the newest snapshot. O(1).
    #[must_use]
    pub fn compacted(&self) -> u64 {
        self.shared.lock().compacted
    }

    /// Returns what stood at the end of the log and was no whole record when the store was opened. O(1).
    #[must_use]
    pub const fn tail(&self) -> Option<&Tail> {
        self.tail.as_ref()
    }
}

/// Waits until all calls are durable, if the disk does not fail.
impl<B> Drop for Store<B> {
    fn drop(&mut self) {
        self.shared.close();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// An answer that nobody may be told yet.
#[must_use]
pub struct Pending<T> {
    answer: T,
    number: u64,
    shared: Arc<Shared>,
}

impl<T> Pending<T> {
    /// Waits until the answer is durable, and returns it.
    ///
    /// # Errors
    ///
    /// [`StoreError::Failed`] when it may never be: whether the call has happened is known when the store is opened again.
    pub fn wait(self) -> Result<T, StoreError> {
        self.shared.wait(self.number)?;
        Ok(self.answer)
    }

    /// Gives the answer to `told` once it is durable, on the thread that commits, or at once if it is durable already; an error as for [`wait`](Self::wait). A good time to send it, or to wake somebody: everybody else waits
    /// for it to return. O(answers that are told so and wait).
    ///
    /// ```
    /// # use bookahead::PeCount;
    /// # use bookahead_heap::{Binding, BoxedBook, Sizes};
    /// # use bookahead_store::Store;
    /// # let folder = std::env::temp_dir().join(format!("bookahead-then-{}", std::process::id()));
    /// # let sizes = Sizes { pes: 64, slots: 1_440, reservations: 1_000 };
    /// # let mut store = Store::open(&folder, BoxedBook::new(Binding::Early, sizes)?)?;
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// let answer = store.call(|book| book.pes())?;
    /// answer.then(move |answer| sender.send(answer).unwrap_or_default());
    /// assert_eq!(receiver.recv()??, PeCount::new(64));
    /// # drop(store);
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn then(self, told: impl FnOnce(Result<T, StoreError>) + Send + 'static)
    where
        T: Send + 'static,
    {
        let answer = self.answer;
        let told = move |end: Result<(), StoreError>| told(end.map(|()| answer));
        self.shared.tell(self.number, Box::new(told));
    }

    /// Returns the answer if it is durable, or itself if that is not known yet.
    ///
    /// # Errors
    ///
    /// As [`wait`](Self::wait), in the answer.
    pub fn poll(self) -> Result<Result<T, StoreError>, Self> {
        let durable = self.shared.lock().is_durable(self.number);
        match durable {
            Some(durable) => Ok(durable.map(|()| self.answer)),
            None => Err(self),
        }
    }
}
