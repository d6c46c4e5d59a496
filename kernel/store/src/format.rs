//! The bytes of a store. All numbers are little-endian; each sum is the CRC-32C of what stands before it and behind it.
//!
//! | file | bytes | what |
//! |---|---:|---|
//! | `N.log` | 4, 2, 2 | `BKLG`, version, 0 |
//! | | 8, 4, 4 | number of its first record, epoch, sum |
//! | each record | 4, 8, 4, 8, 4 | length, number, epoch, highest number known to be durable when it was written, sum |
//! | | length | what a book has written |
//! | | 28 or more | zeros: room that was allocated ahead and is still free |
//! | `N.snapshot` | 4, 2, 2 | `BKST`, version, 0 |
//! | | 8, 4, 8, 4 | number of the last record before it, epoch, length, sum |
//! | | length | what a book has written |
//!
//! Later versions keep magic, version, and the place of the sum, so that a file of another version is told from a damaged one. Version 1 had other names, which are refused.

use std::ops::Range;

use crate::StoreError;

/// The version of the store's format that is written, and so far the only one that is read.
pub const VERSION: u16 = 2;
const LOG: [u8; 4] = *b"BKLG";
const SNAPSHOT: [u8; 4] = *b"BKST";

/// The bytes before the first record of a log.
pub(crate) const LOG_HEAD: usize = 24;
/// The bytes before what a snapshot holds.
const SNAPSHOT_HEAD: usize = 32;
/// The bytes before what a record holds. As many zeros stay behind the last record of a log.
pub(crate) const RECORD_HEAD: usize = 28;

/// Returns the next bytes of a slice, which begins behind them then.
fn take<const LEN: usize>(bytes: &mut &[u8]) -> Option<[u8; LEN]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

fn long(bytes: &mut &[u8]) -> Option<u64> {
    take(bytes).map(u64::from_le_bytes)
}

fn number(bytes: &mut &[u8]) -> Option<u32> {
    take(bytes).map(u32::from_le_bytes)
}

fn half(bytes: &mut &[u8]) -> Option<u16> {
    take(bytes).map(u16::from_le_bytes)
}

fn sum(head: &[u8], body: &[u8]) -> u32 {
    crc32c::crc32c_append(crc32c::crc32c(head), body)
}

/// The names of logs and snapshots end so.
pub(crate) const LOGS: &str = ".log";
pub(crate) const SNAPSHOTS: &str = ".snapshot";

pub(crate) fn log_name(first: u64) -> String {
    format!("{first:010}{LOGS}")
}

pub(crate) fn snapshot_name(last: u64) -> String {
    format!("{last:010}{SNAPSHOTS}")
}

/// Returns the numbers of the files whose names end so, in order.
pub(crate) fn numbers(names: &[String], suffix: &str) -> Vec<u64> {
    let number = |name: &String| {
        let number = name.strip_suffix(suffix)?.parse().ok()?;
        (*name == format!("{number:010}{suffix}")).then_some(number)
    };
    let mut numbers: Vec<u64> = names.iter().filter_map(number).collect();
    numbers.sort_unstable();
    numbers
}

/// Reads magic and version, which come first in a file; the sum is right.
fn begin(bytes: &mut &[u8], magic: [u8; 4], name: &str) -> Result<(), StoreError> {
    let damaged = || StoreError::damaged(name, 0, "it does not begin as it should");
    let found = take(bytes).ok_or_else(damaged)?;
    let (version, unused) = (half(bytes).ok_or_else(damaged)?, take(bytes));
    match (found == magic, version) {
        (true, VERSION) if unused == Some([0; 2]) => Ok(()),
        (true, version) if version != VERSION => Err(StoreError::UnknownVersion {
            file: name.into(),
            version,
        }),
        _ => Err(damaged()),
    }
}

/// Refuses files of version 1, by which a store would not find what is in it.
pub(crate) fn refuse_old(names: &[String]) -> Result<(), StoreError> {
    let old = |name: &&String| name.starts_with("log-") || name.starts_with("snapshot-");
    match names.iter().find(old) {
        Some(file) => Err(StoreError::UnknownVersion {
            file: file.clone(),
            version: 1,
        }),
        None => Ok(()),
    }
}

/// Returns what stands before the first record of a log.
pub(crate) fn log_head(first: u64, epoch: u32) -> Vec<u8> {
    let mut head = [LOG.as_slice(), &VERSION.to_le_bytes(), &[0; 2]].concat();
    head.extend(first.to_le_bytes());
    head.extend(epoch.to_le_bytes());
    head.extend(sum(&head, &[]).to_le_bytes());
    head
}

/// Returns the epoch of the log that begins with this record.
pub(crate) fn read_log_head(mut bytes: &[u8], name: &str, first: u64) -> Result<u32, StoreError> {
    let damaged = || StoreError::damaged(name, 0, "its head is not what was written");
    let (head, rest) = bytes.split_at_checked(LOG_HEAD - 4).ok_or_else(damaged)?;
    if number(&mut &*rest) != Some(sum(head, &[])) {
        return Err(damaged());
    }
    begin(&mut bytes, LOG, name)?;
    match (long(&mut bytes), number(&mut bytes)) {
        (Some(found), Some(epoch)) if found == first => Ok(epoch),
        _ => Err(damaged()),
    }
}

/// A record of a log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record<'b> {
    pub(crate) number: u64,
    pub(crate) epoch: u32,
    /// The highest number that was known to be durable.
    pub(crate) durable: u64,
    pub(crate) body: &'b [u8],
}

impl<'b> Record<'b> {
    /// Appends the record to others.
    pub(crate) fn write(&self, to: &mut Vec<u8>) {
        let from = to.len();
        to.extend((self.body.len() as u32).to_le_bytes());
        to.extend(self.number.to_le_bytes());
        to.extend(self.epoch.to_le_bytes());
        to.extend(self.durable.to_le_bytes());
        let sum = sum(to.get(from..).unwrap_or_default(), self.body);
        to.extend(sum.to_le_bytes());
        to.extend(self.body);
    }

    /// Returns the record with which bytes begin, if it is whole.
    pub(crate) fn read(mut bytes: &'b [u8]) -> Option<Self> {
        let head = bytes.get(..RECORD_HEAD - 4)?;
        let length = number(&mut bytes)? as usize;
        let (number_of, epoch) = (long(&mut bytes)?, number(&mut bytes)?);
        let (durable, expected) = (long(&mut bytes)?, number(&mut bytes)?);
        let body = bytes.get(..length)?;
        (sum(head, body) == expected).then_some(Self {
            number: number_of,
            epoch,
            durable,
            body,
        })
    }

    /// Returns whether bytes may begin with a record of such a number, without reading all of it.
    pub(crate) fn may_be(bytes: &[u8], numbers: Range<u64>) -> bool {
        let number = bytes.get(4..).and_then(|mut bytes| long(&mut bytes));
        number.is_some_and(|number| numbers.contains(&number))
    }

    /// Returns all whole records in the bytes of a log, wherever they begin, and where.
    pub(crate) fn all_in(bytes: &'b [u8], first: u64) -> impl Iterator<Item = (Self, usize)> {
        let numbers = first..first.saturating_add(bytes.len() as u64);
        let mut from = 0;
        std::iter::from_fn(move || {
            let rest = |at| bytes.get(at..).unwrap_or_default();
            let may_be = |at: &usize| Self::may_be(rest(*at), numbers.clone());
            let whole = |at| Self::read(rest(at)).map(|record| (record, at));
            let found = (from..bytes.len()).filter(may_be).find_map(whole)?;
            from = found.1 + found.0.len();
            Some(found)
        })
    }

    /// Returns how many bytes it takes.
    pub(crate) const fn len(&self) -> usize {
        RECORD_HEAD + self.body.len()
    }

    /// Returns how many bytes the record takes with which bytes begin, whether it is whole or not. None at all where nothing has been written.
    pub(crate) fn claimed(mut bytes: &[u8]) -> usize {
        match number(&mut bytes) {
            Some(length @ 1..) => RECORD_HEAD.saturating_add(length as usize),
            _ => 0,
        }
    }
}

/// Returns how many bytes those of some records take that fit into so much room, and the number of the last of them.
pub(crate) fn fitting(records: &[u8], room: u64) -> (usize, Option<u64>) {
    let (mut bytes, mut last) = (0, None);
    while let Some(record) = records.get(bytes..).filter(|rest| !rest.is_empty()) {
        let behind = bytes + Record::claimed(record);
        if behind as u64 > room {
            break;
        }
        last = record.get(4..).and_then(|mut bytes| long(&mut bytes));
        bytes = behind;
    }
    (bytes, last)
}

/// A snapshot of a book in a file.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    /// The number of the last record whose changes it holds.
    pub(crate) last: u64,
    pub(crate) epoch: u32,
    pub(crate) body: Vec<u8>,
}

impl Snapshot {
    pub(crate) fn write(&self) -> Vec<u8> {
        let mut bytes = [SNAPSHOT.as_slice(), &VERSION.to_le_bytes(), &[0; 2]].concat();
        bytes.extend(self.last.to_le_bytes());
        bytes.extend(self.epoch.to_le_bytes());
        bytes.extend((self.body.len() as u64).to_le_bytes());
        bytes.extend(sum(&bytes, &self.body).to_le_bytes());
        bytes.extend(&self.body);
        bytes
    }

    /// Reads the snapshot behind a record of this number.
    pub(crate) fn read(all: &[u8], name: &str, last: u64) -> Result<Self, StoreError> {
        let damaged = || StoreError::damaged(name, 0, "it is not what was written");
        let (head, rest) = all
            .split_at_checked(SNAPSHOT_HEAD - 4)
            .ok_or_else(damaged)?;
        let (expected, body) = rest.split_at_checked(4).ok_or_else(damaged)?;
        if number(&mut &*expected) != Some(sum(head, body)) {
            return Err(damaged());
        }
        let mut bytes = head;
        begin(&mut bytes, SNAPSHOT, name)?;
        let found = (long(&mut bytes), number(&mut bytes), long(&mut bytes));
        match found {
            (Some(found), Some(epoch), Some(length))
                if (found, length) == (last, body.len() as u64) =>
            {
                Ok(Self {
                    last,
                    epoch,
                    body: body.to_vec(),
                })
            }
            _ => Err(damaged()),
        }
    }
}
