//! Who was promised what, beside the book: kept in the same store, so that both survive together.

use std::collections::BTreeMap;

use bookahead::{Handle, SnapshotError, Ticket};
use bookahead_heap::Survives;
use bookahead_slurm_protocol::Asked;
use serde::{Deserialize, Serialize};

use crate::desk::PerNode;

/// A promise, or one that somebody waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Promise {
    /// What was asked for.
    pub asked: Asked,
    /// What each node must have.
    pub per_node: PerNode,
    /// Where it stands.
    pub place: Place,
    /// When the token was issued.
    pub issued: i64,
    /// The start that the user was told last; 0 for none.
    pub start: i64,
    /// The job, once Slurm has it.
    pub job: Option<u32>,
    /// Whether Slurm has started it.
    pub started: bool,
}

/// Where a promise stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// It waits for room.
    Waiting(Ticket),
    /// It has a reservation in the book.
    Booked(Handle),
}

/// The promises by number, and the parts of what is out of service, by whom it has left for: a node's name, or that of a reservation of Slurm.
#[derive(Clone, Debug, Default)]
pub struct Table {
    next: u64,
    promises: BTreeMap<u64, Promise>,
    outs: BTreeMap<String, Vec<Handle>>,
    /// What the next record will say, once a journal is kept.
    changes: Option<Vec<Change>>,
}

/// An after-image.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Change {
    Next(u64),
    Promise(u64, Option<Promise>),
    Out(String, Vec<Handle>),
}

impl Table {
    /// The number of the next promise, which no other one gets.
    pub fn next_number(&mut self) -> u64 {
        self.change(Change::Next(self.next + 1));
        self.next
    }

    /// The promises by number.
    #[must_use]
    pub const fn promises(&self) -> &BTreeMap<u64, Promise> {
        &self.promises
    }

    /// Those that wait.
    pub fn waiting(&self) -> impl Iterator<Item = (u64, Promise)> {
        let waits = |(number, promise): (&u64, &Promise)| {
            matches!(promise.place, Place::Waiting(_)).then(|| (*number, promise.clone()))
        };
        self.promises.iter().filter_map(waits)
    }

    /// What is out of service.
    #[must_use]
    pub const fn outs(&self) -> &BTreeMap<String, Vec<Handle>> {
        &self.outs
    }

    /// Replaces a promise, or removes it.
    pub fn set(&mut self, number: u64, promise: Option<Promise>) {
        if self.promises.get(&number) != promise.as_ref() {
            self.change(Change::Promise(number, promise));
        }
    }

    /// Replaces the parts of what is out; there are none in the end.
    pub fn set_out(&mut self, name: &str, parts: Vec<Handle>) {
        if self.outs.get(name).map_or(&[][..], |parts| parts) != parts {
            self.change(Change::Out(name.into(), parts));
        }
    }

    fn change(&mut self, change: Change) {
        self.become_so(change.clone());
        if let Some(changes) = &mut self.changes {
            changes.push(change);
        }
    }

    fn become_so(&mut self, change: Change) {
        match change {
            Change::Next(next) => self.next = next,
            Change::Promise(number, Some(promise)) => drop(self.promises.insert(number, promise)),
            Change::Promise(number, None) => drop(self.promises.remove(&number)),
            Change::Out(name, parts) if parts.is_empty() => drop(self.outs.remove(&name)),
            Change::Out(name, parts) => drop(self.outs.insert(name, parts)),
        }
    }

    fn all(&self) -> Vec<Change> {
        let promises = self
            .promises
            .iter()
            .map(|(number, promise)| Change::Promise(*number, Some(promise.clone())));
        let outs = self
            .outs
            .iter()
            .map(|(name, parts)| Change::Out(name.clone(), parts.clone()));
        [Change::Next(self.next)]
            .into_iter()
            .chain(promises)
            .chain(outs)
            .collect()
    }
}

impl Survives for Table {
    fn keep_journal(&mut self) {
        self.changes = Some(Vec::new());
    }

    fn write_record(&mut self, bytes: &mut Vec<u8>) -> Result<bool, SnapshotError> {
        let changes = self.changes.as_mut().ok_or(SnapshotError::NoJournal)?;
        if changes.is_empty() {
            return Ok(false);
        }
        let record =
            postcard::to_allocvec(&std::mem::take(changes)).map_err(|_| SnapshotError::Stopped)?;
        bytes.extend_from_slice(&record);
        Ok(true)
    }

    fn apply_record(&mut self, record: &[u8]) -> Result<(), SnapshotError> {
        let changes: Vec<Change> =
            postcard::from_bytes(record).map_err(|_| SnapshotError::OtherBook)?;
        changes
            .into_iter()
            .for_each(|change| self.become_so(change));
        Ok(())
    }

    fn snapshot(&mut self) -> Vec<u8> {
        postcard::to_allocvec(&self.all()).unwrap_or_default()
    }

    fn read_snapshot(&mut self, snapshot: &[u8]) -> Result<(), SnapshotError> {
        self.apply_record(snapshot)
    }

    fn state_hash(&mut self) -> u64 {
        // FNV-1a.
        self.snapshot()
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_is_the_table() {
        let mut table = Table::default();
        assert_eq!((table.next_number(), table.next_number()), (1, 2));
        let mut again = Table::default();
        again.read_snapshot(&table.snapshot()).unwrap();
        assert_eq!(again.state_hash(), table.state_hash());
        assert_eq!(again.next_number(), 3, "no number is given twice");
        assert!(again.apply_record(&[0xff; 9]).is_err());
    }
}
