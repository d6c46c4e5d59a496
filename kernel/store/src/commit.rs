//! Records on their way to the disk, and who brings them there.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use crate::{
    StoreError,
    files::Files,
    format::{LOG_HEAD, RECORD_HEAD, Snapshot, fitting, log_head, log_name, snapshot_name},
    recover::{write_snapshot, write_whole},
};

/// What a store and its committer have in common.
#[derive(Default)]
pub(crate) struct Shared {
    queue: Mutex<Queue>,
    /// Something is to be done.
    work: Condvar,
    /// Something has become durable, or has failed.
    done: Condvar,
}

/// Who wants to hear what became of a record.
pub(crate) type Hearer = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

#[derive(Default)]
pub(crate) struct Queue {
    /// Records that are not written yet, and the number of the last of them.
    pub(crate) records: Vec<u8>,
    pub(crate) last: u64,
    pub(crate) snapshot: Option<Snapshot>,
    /// The number of the last record that is durable.
    pub(crate) durable: u64,
    /// The number of the last record that the newest snapshot holds.
    pub(crate) compacted: u64,
    /// The bytes of the log that no record has taken, of those that wait neither.
    pub(crate) room: u64,
    /// The room that a call waits for.
    pub(crate) wanted: u64,
    /// Whether a thread commits.
    pub(crate) running: bool,
    pub(crate) failed: Option<StoreError>,
    /// Who is to hear of which record.
    hearers: Vec<(u64, Hearer)>,
    closing: bool,
}

impl Shared {
    pub(crate) fn new(last: u64, compacted: u64) -> Arc<Self> {
        let queue = Queue {
            last,
            durable: last,
            compacted,
            ..Queue::default()
        };
        Arc::new(Self {
            queue: Mutex::new(queue),
            ..Self::default()
        })
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Queue> {
        // Nobody panics in the middle of a change of it.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn wake(&self) {
        self.work.notify_one();
    }

    pub(crate) fn close(&self) {
        self.lock().closing = true;
        self.wake();
    }

    /// Returns the queue once there is so much room, or once it is known that there is none. Where nobody commits meanwhile, that is at once.
    pub(crate) fn room(&self, bytes: u64) -> Result<MutexGuard<'_, Queue>, StoreError> {
        let mut queue = self.lock();
        if queue.failed.is_none() && queue.room < bytes {
            queue.wanted = bytes;
            self.wake();
            let waits =
                |queue: &mut Queue| queue.running && queue.wanted > 0 && queue.failed.is_none();
            let waited = self.done.wait_while(queue, waits);
            queue = waited.unwrap_or_else(PoisonError::into_inner);
        }
        match &queue.failed {
            Some(error) => Err(error.clone()),
            None if queue.room < bytes => Err(StoreError::DiskFull),
            None => Ok(queue),
        }
    }

    fn fail(&self, error: &StoreError) {
        self.settle(|queue| queue.failed = Some(error.clone()));
    }

    /// Has it heard once what became of a record is known, or at once.
    pub(crate) fn tell(&self, number: u64, hearer: Hearer) {
        self.settle(|queue| queue.hearers.push((number, hearer)));
    }

    /// Changes what is known, and tells everybody of whose record it is known now.
    fn settle(&self, change: impl FnOnce(&mut Queue)) {
        let mut queue = self.lock();
        change(&mut queue);
        let (mut told, mut waits) = (Vec::new(), Vec::new());
        for (number, hearer) in std::mem::take(&mut queue.hearers) {
            match queue.is_durable(number) {
                Some(end) => told.push((end, hearer)),
                None => waits.push((number, hearer)),
            }
        }
        queue.hearers = waits;
        drop(queue);
        self.done.notify_all();
        for (end, hearer) in told {
            // Who panics keeps nobody else from hearing.
            let _ = catch_unwind(AssertUnwindSafe(|| hearer(end)));
        }
    }

    /// Waits until a record is durable.
    pub(crate) fn wait(&self, number: u64) -> Result<(), StoreError> {
        let queue = self.lock();
        let waits = |queue: &mut Queue| queue.durable < number && queue.failed.is_none();
        let queue = self.done.wait_while(queue, waits);
        let queue = queue.unwrap_or_else(PoisonError::into_inner);
        queue.is_durable(number).unwrap_or(Ok(()))
    }
}

impl Queue {
    /// Returns whether a record is durable or never will be, or nothing while it is not known.
    pub(crate) fn is_durable(&self, number: u64) -> Option<Result<(), StoreError>> {
        if self.durable >= number {
            return Some(Ok(()));
        }
        self.failed.clone().map(Err)
    }
}

/// A log that is being written, into room that has been allocated for it.
pub(crate) struct Log<File> {
    file: File,
    /// The number of its first record.
    first: u64,
    /// Where the next record goes.
    at: u64,
    /// How many bytes of it are on the disk: zeros from the last record on.
    end: u64,
}

impl<File> Log<File> {
    /// Returns how many bytes records may still take.
    const fn room(&self) -> u64 {
        self.end.saturating_sub(RECORD_HEAD as u64 + self.at)
    }
}

/// Brings records to the disk: all that have come since the last time, with one sync.
pub struct Committer<F: Files> {
    pub(crate) files: F,
    pub(crate) shared: Arc<Shared>,
    pub(crate) epoch: u32,
    /// The log that is being written, once there has been room for one.
    pub(crate) log: Option<Log<F::File>>,
    /// The number of the next record.
    pub(crate) next: u64,
    /// The numbers of the first records of all logs, and those of all snapshots.
    pub(crate) logs: Vec<u64>,
    pub(crate) snapshots: Vec<u64>,
}

/// Returns the room that is kept ahead of calls: a new log has it.
fn ahead<F: Files>(files: &F) -> u64 {
    files.segment() / 4 * 3
}

/// How long a full disk is left alone while answers wait for room.
const PAUSE: Duration = Duration::from_millis(100);

impl<F: Files> Committer<F> {
    /// Makes everything durable that is waiting, and returns whether that was anything. Room is allocated for calls to come.
    ///
    /// # Errors
    ///
    /// [`StoreError::Failed`] from the first time on that the disk fails. [`StoreError::DiskFull`] when there was no room for a snapshot, which is given up, or for a record, which
    /// waits for the next time.
    pub fn commit(&mut self) -> Result<bool, StoreError> {
        let (mut records, snapshot, wanted) = {
            let mut queue = self.shared.lock();
            if let Some(error) = &queue.failed {
                return Err(error.clone());
            }
            let records = std::mem::take(&mut queue.records);
            (records, queue.snapshot.take(), queue.wanted)
        };
        let news = !records.is_empty() || snapshot.is_some();
        let done = self.bring(&mut records, snapshot.as_ref(), wanted);
        let done = done.inspect_err(|error| self.shared.fail(error))?;
        let mut queue = self.shared.lock();
        if !records.is_empty() {
            records.append(&mut queue.records);
            queue.records = records;
            queue.snapshot = queue.snapshot.take().or(snapshot);
        }
        self.tell_room(&mut queue);
        queue.wanted = queue.wanted.saturating_sub(wanted);
        self.shared.done.notify_all();
        match done {
            true => Ok(news),
            false => Err(StoreError::DiskFull),
        }
    }

    /// Commits until the store is closed or the disk fails. From the beginning of it on, calls that find too little room wait for it.
    pub fn run(mut self) {
        self.shared.lock().running = true;
        loop {
            let idle = |queue: &mut Queue| {
                let nothing = queue.records.is_empty() && queue.snapshot.is_none();
                nothing && queue.wanted == 0 && !queue.closing
            };
            let queue = self.shared.work.wait_while(self.shared.lock(), idle);
            let closing = queue.unwrap_or_else(PoisonError::into_inner).closing;
            match self.commit() {
                Ok(true) => {}
                Ok(false) if !closing => {}
                Err(StoreError::DiskFull) if !closing => {
                    let queue = self.shared.lock();
                    if !queue.records.is_empty() {
                        drop(self.shared.work.wait_timeout(queue, PAUSE));
                    }
                }
                Ok(false) => return,
                // Who waits is told.
                Err(error) => return self.shared.fail(&error),
            }
        }
    }

    /// Writes what there is room for, and leaves the other records. Returns whether there was room for all.
    fn bring(
        &mut self,
        records: &mut Vec<u8>,
        snapshot: Option<&Snapshot>,
        wanted: u64,
    ) -> Result<bool, StoreError> {
        self.make_room(records.len() as u64)?;
        self.write(records)?;
        if !records.is_empty() {
            return Ok(false);
        }
        let compacted = snapshot.map_or(Ok(true), |snapshot| self.compact(snapshot))?;
        self.make_room(wanted.max(ahead(&self.files)))?;
        Ok(compacted)
    }

    fn write(&mut self, records: &mut Vec<u8>) -> Result<(), StoreError> {
        let Some(log) = &mut self.log else {
            return Ok(());
        };
        let (bytes, Some(last)) = fitting(records, log.room()) else {
            return Ok(());
        };
        let first = self.next;
        let failed = || StoreError::failed(format!("writing record {first}"));
        let fit = records.get(..bytes).unwrap_or_default();
        self.files
            .write(&mut log.file, log.at, fit)
            .map_err(failed())?;
        self.files.sync(&mut log.file).map_err(failed())?;
        log.at += bytes as u64;
        records.drain(..bytes);
        self.next = last + 1;
        self.shared.settle(|queue| queue.durable = last);
        Ok(())
    }

    /// Allocates room for so many bytes of records, if there is any on the disk.
    fn make_room(&mut self, bytes: u64) -> Result<(), StoreError> {
        let segment = self.files.segment();
        let Some(log) = &mut self.log else {
            return self.begin_log(bytes);
        };
        if log.room() >= bytes {
            return Ok(());
        }
        let more = (bytes - log.room()).next_multiple_of(segment);
        let zeros = vec![0; more as usize];
        let files = &mut self.files;
        let made = files.write(&mut log.file, log.end, &zeros);
        let made = made.and_then(|()| files.sync(&mut log.file));
        let doing = "allocating room in a log";
        match StoreError::unless_full(made, doing)? {
            Some(()) => log.end += more,
            // Others may use what a full disk has taken of it, and the next sync need not find room for it.
            None => files
                .truncate(&mut log.file, log.end)
                .map_err(StoreError::failed(doing))?,
        }
        Ok(())
    }

    /// Goes on in a new log with room for so many bytes, if there is any on the disk. It has its name only once it is whole.
    fn begin_log(&mut self, bytes: u64) -> Result<(), StoreError> {
        let (first, files) = (self.next, &mut self.files);
        let least = (LOG_HEAD + RECORD_HEAD) as u64 + bytes;
        let end = least.next_multiple_of(files.segment());
        let mut head = log_head(first, self.epoch);
        head.resize(end as usize, 0);
        let Some(file) = write_whole(files, "log.new", &log_name(first), &head)? else {
            return Ok(());
        };
        self.log = Some(Log {
            file,
            first,
            at: LOG_HEAD as u64,
            end,
        });
        self.logs.retain(|log| *log != first);
        self.logs.push(first);
        Ok(())
    }

    /// Allocates room for the first calls.
    pub(crate) fn begin(&mut self) -> Result<(), StoreError> {
        self.make_room(ahead(&self.files))?;
        self.tell_room(&mut self.shared.lock());
        Ok(())
    }

    fn tell_room(&self, queue: &mut Queue) {
        let room = self.log.as_ref().map_or(0, Log::room);
        queue.room = room.saturating_sub(queue.records.len() as u64);
    }

    /// Writes a snapshot, goes on in a new log, and removes what nobody needs any more. Returns whether there was room for it.
    fn compact(&mut self, snapshot: &Snapshot) -> Result<bool, StoreError> {
        if !write_snapshot(&mut self.files, snapshot)? {
            return Ok(false);
        }
        // Calls count on the room that there is.
        let room = self.log.as_ref().map_or(0, Log::room);
        self.begin_next(room)?;
        let removing = || StoreError::failed("removing what a snapshot has replaced");
        for old in std::mem::replace(&mut self.snapshots, vec![snapshot.last]) {
            if old < snapshot.last {
                self.files.remove(&snapshot_name(old)).map_err(removing())?;
            }
        }
        // A log ends where the next one begins.
        while let [old, next, ..] = self.logs[..] {
            if next > snapshot.last + 1 {
                break;
            }
            self.files.remove(&log_name(old)).map_err(removing())?;
            self.logs.remove(0);
        }
        self.begin_next(room)?;
        if !self.is_behind() && snapshot.last + 1 == self.next && self.give_up(room) {
            // The disk is full: what the snapshot has makes room for the next log.
            self.log = None;
            for old in std::mem::take(&mut self.logs) {
                self.files.remove(&log_name(old)).map_err(removing())?;
            }
            self.begin_next(room)?;
        }
        self.shared.lock().compacted = snapshot.last;
        Ok(true)
    }

    /// Whether the log has no record yet.
    fn is_behind(&self) -> bool {
        self.log.as_ref().is_some_and(|log| log.first == self.next)
    }

    /// Goes on in a new log, if there is any record in this one.
    fn begin_next(&mut self, bytes: u64) -> Result<(), StoreError> {
        match self.is_behind() {
            true => Ok(()),
            false => self.begin_log(bytes),
        }
    }

    /// Whether a log with so much room can be given up: that is too little for most calls, and none rests on it from now on.
    fn give_up(&self, room: u64) -> bool {
        let mut queue = self.shared.lock();
        let is_spent = queue.records.is_empty() && room < self.files.segment() / 4;
        if is_spent {
            queue.room = 0;
        }
        is_spent
    }
}
