//! The bytes of a store. All numbers are little-endian; each sum is the CRC-32C of what stands before it and behind it.
//!
//! | file | bytes | what |
//! |---|---:|---|
//! | `log-N` | 4, 2, 2 | `BKLG`, version, 0 |
//! | | 8, 4, 4 | number of its first record, epoch, sum |
//! | each record | 4, 8, 4, 8, 4 | length, number, epoch, highest number known to be durable when it was written, sum |
//! | | length | what a book has written |
//! | `snapshot-N` | 4, 2, 2 | `BKST`, version, 0 |
//! | | 8, 4, 8, 4 | number of the last record before it, epoch, length, sum |
//! | | length | what a book has written |

use std::ops::Range;

const VERSION: u16 = 1;
const LOG: [u8; 4] = *b"BKLG";
const SNAPSHOT: [u8; 4] = *b"BKST";

/// The bytes before the first record of a log.
pub(crate) const LOG_HEAD: usize = 24;
/// The bytes before what a record holds.
const RECORD_HEAD: usize = 28;

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

/// The name of a log or a snapshot: names sort as numbers do.
pub(crate) fn log_name(first: u64) -> String {
    format!("log-{first:020}")
}

pub(crate) fn snapshot_name(last: u64) -> String {
    format!("snapshot-{last:020}")
}

/// Returns the numbers of the files that are named so, in order.
pub(crate) fn numbers(names: &[String], prefix: &str) -> Vec<u64> {
    let number = |name: &String| name.strip_prefix(prefix)?.parse().ok();
    let mut numbers: Vec<u64> = names.iter().filter_map(number).collect();
    numbers.sort_unstable();
    numbers
}

/// Returns what stands before the first record of a log.
pub(crate) fn log_head(first: u64, epoch: u32) -> Vec<u8> {
    let mut head = [LOG.as_slice(), &VERSION.to_le_bytes(), &[0; 2]].concat();
    head.extend(first.to_le_bytes());
    head.extend(epoch.to_le_bytes());
    head.extend(sum(&head, &[]).to_le_bytes());
    head
}

/// Returns the number of the first record of a log, and its epoch.
pub(crate) fn read_log_head(mut bytes: &[u8]) -> Option<(u64, u32)> {
    let head = bytes.get(..LOG_HEAD - 4)?;
    let known = (LOG, VERSION, [0; 2]);
    let found = (take(&mut bytes)?, half(&mut bytes)?, take(&mut bytes)?);
    let (first, epoch) = (long(&mut bytes)?, number(&mut bytes)?);
    (found == known && number(&mut bytes)? == sum(head, &[])).then_some((first, epoch))
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

    /// Returns how many bytes it takes.
    pub(crate) const fn len(&self) -> usize {
        RECORD_HEAD + self.body.len()
    }
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

    pub(crate) fn read(mut bytes: &[u8]) -> Option<Self> {
        let all = bytes;
        let known = (SNAPSHOT, VERSION, [0; 2]);
        let found = (take(&mut bytes)?, half(&mut bytes)?, take(&mut bytes)?);
        let (last, epoch) = (long(&mut bytes)?, number(&mut bytes)?);
        let length = long(&mut bytes)?;
        let head = all.get(..all.len().checked_sub(bytes.len())?)?;
        let expected = number(&mut bytes)?;
        let whole = found == known && bytes.len() as u64 == length && sum(head, bytes) == expected;
        whole.then(|| Self {
            last,
            epoch,
            body: bytes.to_vec(),
        })
    }
}
