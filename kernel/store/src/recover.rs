//! What is in a store.

use bookahead::SnapshotError;
use bookahead_heap::Survives;

use crate::{
    StoreError,
    files::Files,
    format::{
        LOG_HEAD, LOGS, RECORD_HEAD, Record, SNAPSHOTS, Snapshot, log_name, numbers, read_log_head,
        refuse_old, snapshot_name,
    },
};

/// Bytes at the end of the log that are no whole record, and for which no later record vouches: what was being written when the last process ended, and
/// was confirmed to nobody; or, if the disk has changed what it had, what was confirmed last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tail {
    /// The name of the file in the store's folder.
    pub file: String,
    /// Where in it the tail begins.
    pub offset: u64,
    /// How many bytes it has, up to the last one that has been written.
    pub bytes: u64,
}

/// What is in a store: the book, and the files from which it comes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Contents<B> {
    /// The book as the last record left it.
    pub book: B,
    /// The number of the last record: how many changes there have been.
    pub last: u64,
    /// The highest epoch: how often the store was opened to be written.
    pub epoch: u32,
    /// The numbers of all snapshots: those of the last records that they hold.
    pub snapshots: Vec<u64>,
    /// The numbers of the first records of all logs.
    pub logs: Vec<u64>,
    /// How many records were read in logs.
    pub records: u64,
    /// What stands behind the last of them.
    pub tail: Option<Tail>,
}

/// Writes a file under another name: it has its own only once it is whole. Returns nothing if there was no room.
pub(crate) fn write_whole<F: Files>(
    files: &mut F,
    new: &str,
    name: &str,
    bytes: &[u8],
) -> Result<Option<F::File>, StoreError> {
    let mut write = || {
        let mut file = files.create(new)?;
        files.write(&mut file, 0, bytes)?;
        files.sync(&mut file)?;
        files.rename(new, name)?;
        Ok(file)
    };
    let doing = format!("writing {name}");
    let file = StoreError::unless_full(write(), &doing)?;
    match file {
        Some(_) => files.sync_names().map_err(StoreError::failed(doing))?,
        // It may not be there, and the next one takes its place.
        None => drop(files.remove(new)),
    }
    Ok(file)
}

/// Writes a snapshot beside the others, and returns whether there was room for it.
pub(crate) fn write_snapshot<F: Files>(
    files: &mut F,
    snapshot: &Snapshot,
) -> Result<bool, StoreError> {
    let name = snapshot_name(snapshot.last);
    Ok(write_whole(files, "snapshot.new", &name, &snapshot.write())?.is_some())
}

/// Returns the numbers of all snapshots and logs in a folder.
pub(crate) fn files_of<F: Files>(files: &mut F) -> Result<(Vec<u64>, Vec<u64>), StoreError> {
    let names = files
        .list()
        .map_err(StoreError::failed("listing the files"))?;
    refuse_old(&names)?;
    Ok((numbers(&names, SNAPSHOTS), numbers(&names, LOGS)))
}

/// Reads a snapshot's file.
pub(crate) fn read_snapshot<F: Files>(files: &mut F, last: u64) -> Result<Snapshot, StoreError> {
    let name = snapshot_name(last);
    Snapshot::read(&read(files, &name)?, &name, last)
}

/// Makes a new book what the newest snapshot and the records behind it say, or begins a store with it.
pub(crate) fn recover<F: Files, B: Survives>(
    files: &mut F,
    mut book: B,
) -> Result<Contents<B>, StoreError> {
    let (snapshots, logs) = files_of(files)?;
    if snapshots.is_empty() && logs.is_empty() {
        let body = book.snapshot();
        let (last, epoch) = (0, 0);
        if !write_snapshot(files, &Snapshot { last, epoch, body })? {
            return Err(StoreError::DiskFull);
        }
        return Ok(Contents {
            book,
            last,
            epoch,
            snapshots: vec![0],
            logs,
            records: 0,
            tail: None,
        });
    }
    let mut contents = begin(files, book, snapshots, logs)?;
    contents.replay(files, u64::MAX)?;
    // The system may still hold in its own memory what it has given us.
    for first in &contents.logs {
        let name = log_name(*first);
        files
            .sync_old(&name)
            .map_err(StoreError::failed(format!("syncing {name}")))?;
    }
    files
        .sync_names()
        .map_err(StoreError::failed("syncing the folder"))?;
    Ok(contents)
}

/// Reads all that is in a store, and changes nothing: what would not be needed to open it, too. `book` is a new one of the kind and the sizes that the store
/// holds. O(bytes).
///
/// # Errors
///
/// As [`Store::open`](crate::Store::open), and [`StoreError::Damaged`] where there is no store.
pub fn verify<F: Files, B: Survives>(files: &mut F, book: B) -> Result<Contents<B>, StoreError> {
    let (snapshots, logs) = files_of(files)?;
    let mut contents = begin(files, book, snapshots, logs)?;
    let newest = contents.last;
    contents.replay(files, u64::MAX)?;
    let replaced = contents.verify_replaced(files, newest);
    replaced.map_err(|error| error.not_needed(&snapshot_name(newest)))?;
    Ok(contents)
}

/// Makes a new book what the newest snapshot says.
pub(crate) fn begin<F: Files, B: Survives>(
    files: &mut F,
    mut book: B,
    snapshots: Vec<u64>,
    logs: Vec<u64>,
) -> Result<Contents<B>, StoreError> {
    let Some(newest) = snapshots.last().copied() else {
        let (name, why) = match logs.first() {
            Some(first) => (
                log_name(*first),
                "there is no snapshot from which it goes on",
            ),
            None => (snapshot_name(0), "it is not there: there is no store"),
        };
        return Err(StoreError::damaged(&name, 0, why));
    };
    let snapshot = read_snapshot(files, newest)?;
    book.read_snapshot(&snapshot.body)
        .map_err(|error| of_whole(error, &snapshot_name(newest)))?;
    Ok(Contents {
        book,
        last: newest,
        epoch: snapshot.epoch,
        snapshots,
        logs,
        records: 0,
        tail: None,
    })
}

/// Says why a book cannot become what a snapshot of the right sum says. These bytes are what was written, so nothing is damaged: the book, or what stands beside it, is another one.
fn of_whole(error: SnapshotError, file: &str) -> StoreError {
    match error {
        SnapshotError::UnknownVersion(version) => StoreError::UnknownVersion {
            file: file.into(),
            version,
        },
        SnapshotError::Stopped | SnapshotError::NoSnapshot | SnapshotError::WrongSum => {
            StoreError::OtherBook(SnapshotError::OtherBook)
        }
        error => StoreError::OtherBook(error),
    }
}

impl<B> Contents<B> {
    /// Returns each log with the number of the first record of the next one.
    fn ends(&self) -> impl Iterator<Item = (u64, Option<u64>)> {
        let next = self.logs.iter().skip(1).copied().map(Some).chain([None]);
        self.logs.iter().copied().zip(next)
    }

    /// Returns the logs of which a snapshot of this number has taken the place. Some of them may have been removed.
    fn replaced(&self, snapshot: u64) -> impl Iterator<Item = (u64, Option<u64>)> {
        self.ends()
            .take_while(move |(_, end)| end.is_some_and(|end| end <= snapshot + 1))
    }

    /// Reads the snapshots and logs of which a snapshot of this number has taken the place.
    fn verify_replaced<F: Files>(&self, files: &mut F, snapshot: u64) -> Result<(), StoreError> {
        for last in self.snapshots.iter().filter(|last| **last < snapshot) {
            read_snapshot(files, *last)?;
        }
        for (first, _) in self.replaced(snapshot) {
            let (name, bytes) = read_log(files, first)?;
            let log = Scan::of(&name, &bytes, first)?;
            let log = log.records(&bytes, u64::MAX, &mut |_, _| Ok(()))?;
            log.end(&bytes, None)?;
        }
        Ok(())
    }
}

impl<B: Survives> Contents<B> {
    /// Applies the records behind the snapshot, up to one of this number. After an error, `last` is the last one that has been applied.
    pub(crate) fn replay<F: Files>(&mut self, files: &mut F, upto: u64) -> Result<(), StoreError> {
        let replaced = self.replaced(self.last).count();
        let logs: Vec<_> = self.ends().skip(replaced).collect();
        for (first, end) in logs {
            if self.last >= upto {
                return Ok(());
            }
            if first > self.last + 1 {
                let missing = format!("record {} is missing before it", self.last + 1);
                return Err(StoreError::damaged(&log_name(first), 0, missing));
            }
            let (name, bytes) = read_log(files, first)?;
            let scan = Scan::of(&name, &bytes, first)?;
            self.epoch = self.epoch.max(scan.epoch);
            let scan = scan.records(&bytes, upto, &mut |record, offset| {
                if record.number > self.last {
                    let applied = self.book.apply_record(record.body);
                    applied.map_err(|error| match error {
                        // Whole, and of a book that had room for it.
                        SnapshotError::OtherBook => StoreError::OtherBook(error),
                        _ => {
                            let why = format!("record {}: {error}", record.number);
                            StoreError::damaged(&name, offset, why)
                        }
                    })?;
                    self.last = record.number;
                }
                self.records += 1;
                Ok(())
            })?;
            if scan.next <= upto {
                self.tail = scan.end(&bytes, end)?;
            }
        }
        Ok(())
    }
}

/// How far the records of a log are whole.
struct Scan<'n> {
    name: &'n str,
    epoch: u32,
    /// The number of the next record, and where it would be.
    next: u64,
    offset: usize,
}

impl<'n> Scan<'n> {
    fn of(name: &'n str, bytes: &[u8], first: u64) -> Result<Self, StoreError> {
        Ok(Self {
            name,
            epoch: read_log_head(bytes, name, first)?,
            next: first,
            offset: LOG_HEAD,
        })
    }

    /// Goes on behind the last whole record, or behind that of a number.
    fn records(
        mut self,
        bytes: &[u8],
        upto: u64,
        each: &mut dyn FnMut(&Record<'_>, usize) -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        while self.next <= upto {
            let record = bytes.get(self.offset..).and_then(Record::read);
            let whole =
                record.filter(|record| (record.number, record.epoch) == (self.next, self.epoch));
            let Some(record) = whole else {
                break;
            };
            each(&record, self.offset)?;
            self.next += 1;
            self.offset += record.len();
        }
        Ok(self)
    }

    /// Looks at what stands behind the last whole record of a log, which `end` says to end there. If nothing vouches for it, it is a tail.
    fn end(&self, bytes: &[u8], end: Option<u64>) -> Result<Option<Tail>, StoreError> {
        let (next, offset) = (self.next, self.offset);
        if end == Some(next) {
            return Ok(None);
        }
        let damaged = |why: &str| {
            let why = format!("record {next} {why}");
            Err(StoreError::damaged(self.name, offset, why))
        };
        let behind = bytes.get(offset..).unwrap_or_default();
        // Zeros were allocated behind all records.
        let least = Record::claimed(behind).max(RECORD_HEAD);
        if behind.len() < least {
            return damaged("or what stood behind it is cut off");
        }
        let vouched = Record::all_in(behind, next + 1).any(|(record, _)| record.durable >= next);
        if end.is_some() || vouched {
            return damaged("is not whole");
        }
        let written = behind.iter().rposition(|byte| *byte != 0);
        Ok(written.map(|last| Tail {
            file: self.name.into(),
            offset: offset as u64,
            bytes: last as u64 + 1,
        }))
    }
}

/// Returns the name and the bytes of a log.
pub(crate) fn read_log<F: Files>(
    files: &mut F,
    first: u64,
) -> Result<(String, Vec<u8>), StoreError> {
    let name = log_name(first);
    let bytes = read(files, &name)?;
    Ok((name, bytes))
}

pub(crate) fn read<F: Files>(files: &mut F, name: &str) -> Result<Vec<u8>, StoreError> {
    files
        .read(name)
        .map_err(StoreError::failed(format!("reading {name}")))
}
