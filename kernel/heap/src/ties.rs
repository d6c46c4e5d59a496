//! The ties beside a book that is decided together with others.

use alloc::{boxed::Box, vec, vec::Vec};

use bookahead::{SnapshotError, Tie};

use crate::Survives;

/// The [`Tie`]s of one of [`Several`](bookahead::Several) books, which survive with it. With all books and ties in one tuple, a joint reservation is one record.
///
/// ```
/// use bookahead::{JointRequest, Joined, Need, PeCount, Several, Slot, Span};
/// use bookahead_heap::{BoxedCountBook, BoxedTies, Sizes, Survives};
///
/// let sizes = Sizes { pes: 64, slots: 1_440, reservations: 200 };
/// let new = || -> Result<_, bookahead_heap::SizeError> {
///     let book = || Ok((BoxedCountBook::new(sizes)?, BoxedTies::new(200)));
///     Ok((book()?, book()?))
/// };
/// let (mut site, mut standby) = (new()?, new()?);
/// site.keep_journal();
/// let ((nodes, of_nodes), (licences, of_licences)) = &mut site;
/// let (mut nodes, mut licences) = (nodes.view(), licences.view());
/// let mut books = [
///     Joined { book: &mut nodes, ties: of_nodes.ties() },
///     Joined { book: &mut licences, ties: of_licences.ties() },
/// ];
/// let needs = [Need::new(PeCount::new(5)); 2];
/// let request = JointRequest { ready: Slot::new(60), duration: Span::new(90), deadline: Slot::new(480), needs: &needs };
/// Several::new(&mut books).unwrap().reserve(&request, None, 10_000).unwrap();
///
/// let mut record = Vec::new();
/// site.write_record(&mut record).unwrap();
/// standby.apply_record(&record).unwrap();
/// assert_eq!(standby.state_hash(), site.state_hash());
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BoxedTies {
    ties: Box<[Tie]>,
    /// The ties as the last record has left them, once a journal is kept.
    last: Option<Box<[Tie]>>,
}

impl BoxedTies {
    /// No ties yet, beside a book of so many reservations. O(reservations).
    #[must_use]
    pub fn new(reservations: usize) -> Self {
        let ties = vec![Tie::NONE; reservations].into_boxed_slice();
        Self { ties, last: None }
    }

    /// Returns them, to be lent beside the book. O(1).
    pub fn ties(&mut self) -> &mut [Tie] {
        &mut self.ties
    }

    /// Sets ties as bytes say.
    fn take(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        let ties: Vec<(u32, Tie)> =
            postcard::from_bytes(bytes).map_err(|_| SnapshotError::Stopped)?;
        for (index, tie) in ties {
            let place = self.ties.get_mut(index as usize);
            *place.ok_or(SnapshotError::OtherBook)? = tie;
        }
        Ok(())
    }

    /// Returns those that are not as in `last`, as bytes, and how many.
    fn news(&self, last: &[Tie]) -> (Vec<u8>, usize) {
        let ties = (0_u32..).zip(&self.ties).zip(last);
        let news: Vec<(u32, Tie)> = ties
            .filter(|((_, tie), last)| tie != last)
            .map(|((index, tie), _)| (index, *tie))
            .collect();
        // Cannot fail: a list takes all of it.
        (postcard::to_allocvec(&news).unwrap_or_default(), news.len())
    }
}

impl Survives for BoxedTies {
    fn keep_journal(&mut self) {
        self.last = Some(self.ties.clone());
    }

    fn write_record(&mut self, bytes: &mut Vec<u8>) -> Result<bool, SnapshotError> {
        let last = self.last.as_ref().ok_or(SnapshotError::NoJournal)?;
        let (news, len) = self.news(last);
        if len > 0 {
            bytes.extend(news);
            self.last = Some(self.ties.clone());
        }
        Ok(len > 0)
    }

    fn apply_record(&mut self, record: &[u8]) -> Result<(), SnapshotError> {
        self.take(record)
    }

    fn snapshot(&mut self) -> Vec<u8> {
        self.news(&vec![Tie::NONE; self.ties.len()]).0
    }

    fn read_snapshot(&mut self, snapshot: &[u8]) -> Result<(), SnapshotError> {
        match self.ties.iter().all(|tie| *tie == Tie::NONE) {
            true => self.take(snapshot),
            false => Err(SnapshotError::NotNew),
        }
    }

    fn state_hash(&mut self) -> u64 {
        crate::together::sum(&self.snapshot())
    }
}
