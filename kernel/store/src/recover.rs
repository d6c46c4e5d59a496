//! What a store finds when it is opened.

use bookahead::SnapshotError;
use bookahead_heap::Survives;

use crate::{
    StoreError,
    files::Files,
    format::{LOG_HEAD, Record, Snapshot, log_name, numbers, read_log_head, snapshot_name},
};

/// Bytes at the end of the log that are no whole record, and for which no later record vouches: what was being written when the last process ended, and
/// was confirmed to nobody; or, if the disk has lost or changed what it had, what was confirmed last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tail {
    /// The name of the file in the store's folder.
    pub file: String,
    /// Where in it the tail begins.
    pub offset: u64,
    /// How many bytes it has.
    pub bytes: u64,
}

/// A book as the store left it.
pub(crate) struct Recovered<B> {
    pub(crate) book: B,
    /// The number of its last record.
    pub(crate) last: u64,
    /// The highest epoch there has been.
    pub(crate) epoch: u32,
    /// The numbers of all snapshots, and those of the first records of all logs.
    pub(crate) snapshots: Vec<u64>,
    pub(crate) logs: Vec<u64>,
    pub(crate) tail: Option<Tail>,
}

/// Writes a snapshot beside the others: it has its name only once it is whole.
pub(crate) fn write_snapshot<F: Files>(
    files: &mut F,
    snapshot: &Snapshot,
) -> Result<(), StoreError> {
    let name = snapshot_name(snapshot.last);
    let mut written = || {
        let mut file = files.create("snapshot.new")?;
        files.append(&mut file, &snapshot.write())?;
        files.sync(&mut file)?;
        files.rename("snapshot.new", &name)?;
        files.sync_names()
    };
    written().map_err(StoreError::failed(format!("writing {name}")))
}

/// Makes a new book what the newest snapshot and the records behind it say, or begins a store with it.
pub(crate) fn recover<F: Files, B: Survives>(
    files: &mut F,
    mut book: B,
) -> Result<Recovered<B>, StoreError> {
    let names = files
        .list()
        .map_err(StoreError::failed("listing the files"))?;
    let logs = numbers(&names, "log-");
    let snapshots = numbers(&names, "snapshot-");
    let Some(newest) = snapshots.last().copied() else {
        if let Some(first) = logs.first() {
            return Err(StoreError::damaged(
                &log_name(*first),
                0,
                "there is no snapshot from which it goes on",
            ));
        }
        let body = book.snapshot();
        let (last, epoch) = (0, 0);
        let snapshot = Snapshot { last, epoch, body };
        write_snapshot(files, &snapshot)?;
        return Ok(Recovered {
            book,
            last,
            epoch,
            snapshots: vec![0],
            logs,
            tail: None,
        });
    };
    let name = snapshot_name(newest);
    let bytes = read(files, &name)?;
    let snapshot = Snapshot::read(&bytes)
        .filter(|snapshot| snapshot.last == newest)
        .ok_or_else(|| StoreError::damaged(&name, 0, "it is not what was written"))?;
    book.read_snapshot(&snapshot.body)
        .map_err(|error| match error {
            SnapshotError::OtherBook | SnapshotError::NotNew => StoreError::OtherBook(error),
            other => StoreError::damaged(&name, 0, other.to_string()),
        })?;
    let mut recovered = Recovered {
        book,
        last: newest,
        epoch: snapshot.epoch,
        snapshots,
        logs,
        tail: None,
    };
    recovered.replay(files)?;
    Ok(recovered)
}

impl<B: Survives> Recovered<B> {
    /// Applies the records behind the snapshot.
    fn replay<F: Files>(&mut self, files: &mut F) -> Result<(), StoreError> {
        let logs = self.logs.clone();
        for (index, first) in logs.iter().enumerate() {
            // A log ends where the next one begins, whatever stands behind.
            let end = logs.get(index + 1).copied();
            if end.is_some_and(|end| end <= self.last + 1) {
                continue;
            }
            let name = log_name(*first);
            if *first > self.last + 1 {
                let missing = format!("record {} is missing before it", self.last + 1);
                return Err(StoreError::damaged(&name, 0, missing));
            }
            let bytes = read(files, &name)?;
            // The system may still hold in its own memory what it has given us.
            files
                .sync_old(&name)
                .map_err(StoreError::failed(format!("syncing {name}")))?;
            self.replay_log(&name, &bytes, *first, end)?;
        }
        files
            .sync_names()
            .map_err(StoreError::failed("syncing the folder"))
    }

    fn replay_log(
        &mut self,
        name: &str,
        bytes: &[u8],
        first: u64,
        end: Option<u64>,
    ) -> Result<(), StoreError> {
        let head = read_log_head(bytes).filter(|head| head.0 == first);
        let mut next = first;
        let mut offset = 0;
        if let Some((_, epoch)) = head {
            self.epoch = self.epoch.max(epoch);
            offset = LOG_HEAD;
            loop {
                let record = bytes.get(offset..).and_then(Record::read);
                let Some(record) =
                    record.filter(|record| record.number == next && record.epoch == epoch)
                else {
                    break;
                };
                if next > self.last {
                    self.book.apply_record(record.body).map_err(|error| {
                        StoreError::damaged(name, offset, format!("record {next}: {error}"))
                    })?;
                    self.last = next;
                }
                next += 1;
                offset += record.len();
            }
        }
        if end == Some(next) {
            return Ok(());
        }
        // The log ends here, unless somebody knew more of it.
        let missing = || StoreError::damaged(name, offset, format!("record {next} is not whole"));
        let vouched = (offset..bytes.len()).any(|at| {
            let rest = bytes.get(at..).unwrap_or_default();
            Record::may_be(rest, next + 1..next + bytes.len() as u64)
                && Record::read(rest).is_some_and(|record| record.durable >= next)
        });
        if end.is_some() || vouched {
            return Err(missing());
        }
        if offset < bytes.len() {
            self.tail = Some(Tail {
                file: name.into(),
                offset: offset as u64,
                bytes: (bytes.len() - offset) as u64,
            });
        }
        Ok(())
    }
}

fn read<F: Files>(files: &mut F, name: &str) -> Result<Vec<u8>, StoreError> {
    files
        .read(name)
        .map_err(StoreError::failed(format!("reading {name}")))
}
