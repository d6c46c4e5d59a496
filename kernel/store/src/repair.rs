//! A damaged store is opened again, without what is lost.

use bookahead_heap::Survives;

use crate::{
    StoreError,
    files::Files,
    format::{Record, Snapshot, read_log_head, snapshot_name},
    recover::{Contents, begin, files_of, read, read_log, write_snapshot},
};

/// What a [`repair`] has found, and what it has done.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Repaired {
    /// What was wrong first.
    pub damage: StoreError,
    /// The number of the last record that holds; nothing if there was no snapshot to go on from, so that the store begins anew.
    pub last: Option<u64>,
    /// The highest number that is known to have been given: all between are lost, and those above that nobody knows of.
    pub highest: u64,
    /// Those of the lost records that can still be read, in order.
    pub lost: Vec<LostRecord>,
    /// The names that the files have now of which something is lost.
    pub aside: Vec<String>,
}

/// A record that is lost, since one before it is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LostRecord {
    /// Its number.
    pub number: u64,
    /// The name of the file in which it was.
    pub file: String,
    /// Where in it.
    pub offset: u64,
    /// What the book has written.
    pub body: Vec<u8>,
}

/// Makes a damaged store one that opens again, and returns nothing if it does so anyway. What can be reached from a snapshot record by record is kept, as a new snapshot; all
/// behind is cut, and nothing of it comes back. Files of which something is lost are kept under other names. If it is interrupted, the store is as damaged as before, or less.
/// `book` makes new books of the kind and the sizes that the store holds. O(bytes), and O(bytes x length of records) of what is lost.
///
/// # Errors
///
/// [`StoreError::OtherBook`], [`StoreError::UnknownVersion`], [`StoreError::Failed`]; [`StoreError::DiskFull`] when there is no room for copies, before anything is changed.
pub fn repair<F: Files, B: Survives>(
    files: &mut F,
    book: impl Fn() -> B,
) -> Result<Option<Repaired>, StoreError> {
    let (snapshots, logs) = files_of(files)?;
    if snapshots.is_empty() && logs.is_empty() {
        return Ok(None);
    }
    let (mut damage, mut aside) = (None, Vec::new());
    let mut found = None;
    for (index, number) in snapshots.iter().enumerate().rev() {
        let until = snapshots.get(..=index).unwrap_or_default().to_vec();
        match reach(files, &book, &until, &logs) {
            Ok((contents, broken)) => {
                damage = damage.or(broken);
                found = Some(contents);
                break;
            }
            Err(error @ StoreError::Damaged { .. }) => {
                damage = damage.or(Some(error));
                aside.push(snapshot_name(*number));
            }
            Err(error) => return Err(error),
        }
    }
    if found.is_none() && damage.is_none() {
        damage = begin(files, book(), snapshots.clone(), logs.clone()).err();
    }
    let Some(damage) = damage else {
        return Ok(None);
    };
    let last = found.as_ref().map(|contents| contents.last);
    let reached = last.unwrap_or_default();
    let mut highest = snapshots.last().copied().unwrap_or_default().max(reached);
    let mut epoch = found.as_ref().map_or(0, |contents| contents.epoch);
    let mut lost = Vec::new();
    for (index, first) in logs.iter().enumerate() {
        let end = logs.get(index + 1);
        if last.is_some() && end.is_some_and(|end| *end <= reached + 1) {
            continue;
        }
        let (name, bytes) = read_log(files, *first)?;
        highest = highest.max(first.saturating_sub(1));
        // Nothing that is written from now on looks like what was.
        epoch = epoch.max(read_log_head(&bytes, &name, *first).unwrap_or_default());
        for (record, offset) in Record::all_in(&bytes, *first) {
            highest = highest.max(record.number).max(record.durable);
            epoch = epoch.max(record.epoch);
            if record.number > reached || last.is_none() {
                lost.push(LostRecord {
                    number: record.number,
                    file: name.clone(),
                    offset: offset as u64,
                    body: record.body.to_vec(),
                });
            }
        }
        aside.push(name);
    }
    lost.sort_by_key(|record| record.number);
    let copies = set_aside(files, &aside)?;
    if let Some(mut contents) = found {
        let body = contents.book.snapshot();
        let last = contents.last;
        if !write_snapshot(files, &Snapshot { last, epoch, body })? {
            return Err(StoreError::DiskFull);
        }
    }
    let kept = last.map(snapshot_name);
    // Ascending, so that what is behind a gap is never the end of the store.
    aside.sort();
    for name in aside.iter().filter(|name| kept.as_ref() != Some(name)) {
        files
            .remove(name)
            .map_err(StoreError::failed(format!("removing {name}")))?;
    }
    files
        .sync_names()
        .map_err(StoreError::failed("syncing the folder"))?;
    Ok(Some(Repaired {
        damage,
        last,
        highest,
        lost,
        aside: copies,
    }))
}

/// Makes a book what the last of some snapshots says, and as many records behind it as can be applied. Returns what is wrong with the next one, too.
fn reach<F: Files, B: Survives>(
    files: &mut F,
    book: &impl Fn() -> B,
    snapshots: &[u64],
    logs: &[u64],
) -> Result<(Contents<B>, Option<StoreError>), StoreError> {
    let from = |book: B, files: &mut F| begin(files, book, snapshots.to_vec(), logs.to_vec());
    let mut contents = from(book(), files)?;
    match contents.replay(files, u64::MAX) {
        Ok(()) => Ok((contents, None)),
        Err(error @ StoreError::Damaged { .. }) => {
            // What does not apply may have been applied in part.
            let (last, mut again) = (contents.last, from(book(), files)?);
            again.replay(files, last)?;
            again.epoch = again.epoch.max(contents.epoch);
            Ok((again, Some(error)))
        }
        Err(error) => Err(error),
    }
}

/// Copies files, so that they are there whatever happens to those that are read. Returns the names of the copies.
fn set_aside<F: Files>(files: &mut F, names: &[String]) -> Result<Vec<String>, StoreError> {
    let there = files
        .list()
        .map_err(StoreError::failed("listing the files"))?;
    let mut copies = Vec::new();
    for name in names {
        let mut numbered = (1_u64..).map(|number| format!("{name}.damaged-{number}"));
        let copy = numbered.find(|copy| !there.contains(copy));
        let copy = copy.unwrap_or_default();
        let bytes = read(files, name)?;
        let mut write = || {
            let mut file = files.create(&copy)?;
            files.write(&mut file, 0, &bytes)?;
            files.sync(&mut file)
        };
        StoreError::unless_full(write(), &format!("writing {copy}"))?
            .ok_or(StoreError::DiskFull)?;
        copies.push(copy);
    }
    files
        .sync_names()
        .map_err(StoreError::failed("syncing the folder"))?;
    Ok(copies)
}
