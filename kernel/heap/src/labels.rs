//! What a caller wants to know of reservations that survive.

use alloc::{boxed::Box, vec, vec::Vec};

use bookahead::{Handle, SnapshotError};
use serde::{Deserialize, Serialize};

use crate::{Survives, journal::Keeping};

/// 32 bytes of the caller's own for each reservation of a book, such as the number of a job and its owner, which survive with it: lent to nobody and read by nobody else. A label lasts until the
/// row of its reservation is given to another one and that one gets a label, so that it can still be asked for when an event tells of the end. Rows that have never been used come first, then the one that has been vacant longest: whoever tells of an end later, such as from an [`Outbox`](crate::Outbox), makes the book for more reservations than live
/// at a time and wait to be told of, or tells of the ends before booking more.
///
/// ```
/// use bookahead::{Commitment, PeCount, Policy, Request, Slot, Span};
/// use bookahead_heap::{Binding, BoxedBook, Labels, Sizes, Survives};
///
/// let sizes = Sizes { pes: 64, slots: 1_440, reservations: 200 };
/// let new = || -> Result<_, bookahead_heap::SizeError> { Ok((BoxedBook::new(Binding::Late, sizes)?, Labels::new(sizes.reservations))) };
/// let request = Request { ready: Slot::new(60), duration: Span::new(90), deadline: Slot::new(480), pes: PeCount::new(5) };
/// let mut desk = new()?;
/// let booking = desk.0.reserve(&request, Policy::FirstFit, Commitment::Confirmed).unwrap();
/// let mut label = [0; 32];
/// label[..3].copy_from_slice(b"Ada");
/// assert!(desk.1.set(booking.handle, label));
///
/// let mut later = new()?;
/// later.read_snapshot(&desk.snapshot()).unwrap();
/// assert_eq!(later.1.get(booking.handle), Some(&label));
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Labels {
    labels: Box<[Label]>,
    /// The indices of those that have changed since the last record, once a journal is kept.
    changed: Keeping<Vec<u32>>,
}

/// A label, and whose it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Label {
    handle: u64,
    bytes: [u8; 32],
}

impl Labels {
    /// No labels yet, for a book of so many reservations. O(reservations).
    #[must_use]
    pub fn new(reservations: usize) -> Self {
        Self {
            labels: vec![Label::default(); reservations].into_boxed_slice(),
            changed: Keeping::NONE,
        }
    }

    /// Sets the label of a reservation, and returns whether there is one for it: not for handles of larger books. O(1).
    pub fn set(&mut self, handle: Handle, bytes: [u8; 32]) -> bool {
        let Some(label) = self.labels.get_mut(handle.index()) else {
            return false;
        };
        let handle_bits = handle.to_bits();
        *label = Label {
            handle: handle_bits,
            bytes,
        };
        if let Ok(changed) = self.changed.get() {
            changed.push(handle.index() as u32);
        }
        true
    }

    /// Returns the label that was last set for this reservation. O(1).
    #[must_use]
    pub fn get(&self, handle: Handle) -> Option<&[u8; 32]> {
        let label = self.labels.get(handle.index())?;
        (label.handle == handle.to_bits()).then_some(&label.bytes)
    }

    /// Sets labels as bytes say.
    fn take(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        let labels: Vec<Label> = postcard::from_bytes(bytes).map_err(|_| SnapshotError::Stopped)?;
        for Label { handle, bytes } in labels {
            if !self.set(Handle::from_bits(handle), bytes) {
                return Err(SnapshotError::OtherBook);
            }
        }
        Ok(())
    }

    fn put(labels: &[Label]) -> Vec<u8> {
        // Cannot fail: a list takes all of it.
        postcard::to_allocvec(labels).unwrap_or_default()
    }

    fn used(&self) -> Vec<Label> {
        let labels = self.labels.iter().copied();
        labels.filter(|label| label.handle != 0).collect()
    }
}

impl Survives for Labels {
    fn keep_journal(&mut self) {
        self.changed = Keeping::begin(Vec::new());
    }

    fn journal(&mut self) -> Option<u64> {
        self.changed.journal()
    }

    fn write_record(&mut self, bytes: &mut Vec<u8>) -> Result<bool, SnapshotError> {
        let changed = self.changed.get()?;
        changed.sort_unstable();
        changed.dedup();
        let named = changed.drain(..);
        let labels: Vec<Label> = named.map(|index| self.labels[index as usize]).collect();
        if !labels.is_empty() {
            bytes.extend(Self::put(&labels));
        }
        Ok(!labels.is_empty())
    }

    fn apply_record(&mut self, record: &[u8]) -> Result<(), SnapshotError> {
        self.take(record)
    }

    fn snapshot(&mut self) -> Vec<u8> {
        Self::put(&self.used())
    }

    fn read_snapshot(&mut self, snapshot: &[u8]) -> Result<(), SnapshotError> {
        match self.used().is_empty() {
            true => self.take(snapshot),
            false => Err(SnapshotError::NotNew),
        }
    }

    fn state_hash(&mut self) -> u64 {
        crate::together::sum(&self.snapshot())
    }
}
