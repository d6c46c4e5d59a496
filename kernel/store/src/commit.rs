//! Records on their way to the disk, and who brings them there.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::{
    StoreError,
    files::Files,
    format::{Snapshot, log_head, log_name, snapshot_name},
    recover::write_snapshot,
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

#[derive(Default)]
pub(crate) struct Queue {
    /// Records that are not written yet, and the number of the last of them.
    pub(crate) records: Vec<u8>,
    pub(crate) last: u64,
    pub(crate) snapshot: Option<Snapshot>,
    /// The number of the last record that is durable.
    pub(crate) durable: u64,
    pub(crate) failed: Option<StoreError>,
    closing: bool,
}

impl Shared {
    pub(crate) fn new(last: u64) -> Arc<Self> {
        let queue = Queue {
            last,
            durable: last,
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

/// Brings records to the disk: all that have come since the last time, with one sync.
pub struct Committer<F: Files> {
    pub(crate) files: F,
    pub(crate) shared: Arc<Shared>,
    pub(crate) epoch: u32,
    /// The log that is being written, once there is something to write.
    pub(crate) log: Option<F::File>,
    /// The number of the next record.
    pub(crate) next: u64,
    /// The numbers of the first records of all logs, and those of all snapshots.
    pub(crate) logs: Vec<u64>,
    pub(crate) snapshots: Vec<u64>,
}

impl<F: Files> Committer<F> {
    /// Makes everything durable that is waiting, and returns whether that was anything.
    ///
    /// # Errors
    ///
    /// [`StoreError::Failed`] from the first time on that the disk fails.
    pub fn commit(&mut self) -> Result<bool, StoreError> {
        let (records, last, snapshot) = {
            let mut queue = self.shared.lock();
            if let Some(error) = &queue.failed {
                return Err(error.clone());
            }
            let records = std::mem::take(&mut queue.records);
            (records, queue.last, queue.snapshot.take())
        };
        let news = !records.is_empty() || snapshot.is_some();
        let written = self
            .write(&records, last)
            .and_then(|()| snapshot.map_or(Ok(()), |snapshot| self.compact(&snapshot)));
        if let Err(error) = written {
            self.shared.lock().failed = Some(error.clone());
            self.shared.done.notify_all();
            return Err(error);
        }
        Ok(news)
    }

    /// Commits until the store is closed or the disk fails.
    pub fn run(mut self) {
        loop {
            let idle = |queue: &mut Queue| {
                queue.records.is_empty() && queue.snapshot.is_none() && !queue.closing
            };
            let queue = self.shared.work.wait_while(self.shared.lock(), idle);
            let closing = queue.unwrap_or_else(PoisonError::into_inner).closing;
            match self.commit() {
                Ok(true) => {}
                Ok(false) if !closing => {}
                Ok(false) | Err(_) => return,
            }
        }
    }

    fn write(&mut self, records: &[u8], last: u64) -> Result<(), StoreError> {
        if records.is_empty() {
            return Ok(());
        }
        let first = self.next;
        let failed = || StoreError::failed(format!("writing record {first}"));
        let files = &mut self.files;
        let new = self.log.is_none();
        let mut log = match self.log.take() {
            Some(log) => log,
            None => {
                let name = log_name(first);
                let mut log = files.create(&name).map_err(failed())?;
                let head = log_head(first, self.epoch);
                files.append(&mut log, &head).map_err(failed())?;
                self.logs.retain(|log| *log != first);
                self.logs.push(first);
                log
            }
        };
        files.append(&mut log, records).map_err(failed())?;
        files.sync(&mut log).map_err(failed())?;
        if new {
            files.sync_names().map_err(failed())?;
        }
        self.log = Some(log);
        self.next = last + 1;
        self.shared.lock().durable = last;
        self.shared.done.notify_all();
        Ok(())
    }

    /// Writes a snapshot, goes on in a new log, and removes what nobody needs any more.
    fn compact(&mut self, snapshot: &Snapshot) -> Result<(), StoreError> {
        write_snapshot(&mut self.files, snapshot)?;
        self.log = None;
        let removing = || StoreError::failed("removing what a snapshot has replaced");
        for old in std::mem::replace(&mut self.snapshots, vec![snapshot.last]) {
            if old < snapshot.last {
                self.files.remove(&snapshot_name(old)).map_err(removing())?;
            }
        }
        // The snapshot is newer than the beginning of the last log, and so has all that is in those before it.
        let last = self.logs.len().saturating_sub(1);
        for old in self.logs.drain(..last) {
            self.files.remove(&log_name(old)).map_err(removing())?;
        }
        Ok(())
    }
}
