//! What lies beside a book that is decided together with others: its ties, and the periods of a quota.

use alloc::{boxed::Box, vec, vec::Vec};

#[cfg(feature = "quota")]
use bookahead::Period;
use bookahead::{SnapshotError, Tie};
use serde::{Serialize, de::DeserializeOwned};

use crate::{Survives, journal::Keeping};

/// A list beside a book, which survives with it.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxedBeside<T> {
    list: Box<[T]>,
    /// The list as the last record has left it, once a journal is kept.
    last: Keeping<Box<[T]>>,
}

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
pub type BoxedTies = BoxedBeside<Tie>;

/// The [`Period`]s of a [`Quota`](bookahead::Quota), which survive with its book.
#[cfg(feature = "quota")]
pub type BoxedPeriods = BoxedBeside<Period>;

impl BoxedTies {
    /// No ties yet, beside a book of so many reservations. O(reservations).
    #[must_use]
    pub fn new(reservations: usize) -> Self {
        Self::of(vec![Tie::NONE; reservations])
    }

    /// Returns them, to be lent beside the book. O(1).
    pub fn ties(&mut self) -> &mut [Tie] {
        &mut self.list
    }
}

#[cfg(feature = "quota")]
impl BoxedPeriods {
    /// Periods in which nothing is used yet. O(periods).
    #[must_use]
    pub fn new(periods: Vec<Period>) -> Self {
        Self::of(periods)
    }

    /// Returns them, to be lent beside the book. O(1).
    pub fn periods(&mut self) -> &mut [Period] {
        &mut self.list
    }
}

/// What such a list is of.
trait Beside: Copy + PartialEq + Serialize + DeserializeOwned {
    /// Whether nothing has happened to it.
    fn is_new(&self) -> bool;

    /// Whether a snapshot has to say it: unless it is as any new one.
    fn is_said(&self) -> bool {
        !self.is_new()
    }
}

impl Beside for Tie {
    fn is_new(&self) -> bool {
        *self == Self::NONE
    }
}

#[cfg(feature = "quota")]
impl Beside for Period {
    fn is_new(&self) -> bool {
        self.used() == 0
    }

    /// Where it ends, and how much may be used in it, may be otherwise.
    fn is_said(&self) -> bool {
        true
    }
}

#[allow(private_bounds, reason = "only what lies beside the kernel's books")]
impl<T: Beside> BoxedBeside<T> {
    fn of(list: Vec<T>) -> Self {
        Self {
            list: list.into_boxed_slice(),
            last: Keeping::NONE,
        }
    }

    /// Sets members of the list as bytes say.
    fn take(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        let news: Vec<(u32, T)> =
            postcard::from_bytes(bytes).map_err(|_| SnapshotError::Stopped)?;
        for (index, member) in news {
            let place = self.list.get_mut(index as usize);
            *place.ok_or(SnapshotError::OtherBook)? = member;
        }
        Ok(())
    }

    /// Returns those that this is true of, as bytes, and how many.
    fn those(&self, is_one: impl Fn(usize, &T) -> bool) -> (Vec<u8>, usize) {
        let list = self.list.iter().enumerate();
        let those: Vec<(u32, T)> = list
            .filter(|(index, member)| is_one(*index, member))
            .map(|(index, member)| (index as u32, *member))
            .collect();
        // Cannot fail: a list takes all of it.
        let bytes = postcard::to_allocvec(&those).unwrap_or_default();
        (bytes, those.len())
    }
}

#[allow(private_bounds, reason = "as above")]
impl<T: Beside> Survives for BoxedBeside<T> {
    fn keep_journal(&mut self) {
        self.last = Keeping::begin(self.list.clone());
    }

    fn journal(&mut self) -> Option<u64> {
        self.last.journal()
    }

    fn write_record(&mut self, bytes: &mut Vec<u8>) -> Result<bool, SnapshotError> {
        let last = core::mem::take(self.last.get()?);
        let (news, len) = self.those(|index, member| last.get(index) != Some(member));
        let known = self.last.get()?;
        *known = last;
        if len > 0 {
            bytes.extend(news);
            known.clone_from(&self.list);
        }
        Ok(len > 0)
    }

    fn apply_record(&mut self, record: &[u8]) -> Result<(), SnapshotError> {
        self.take(record)
    }

    fn snapshot(&mut self) -> Vec<u8> {
        self.those(|_, member| member.is_said()).0
    }

    fn read_snapshot(&mut self, snapshot: &[u8]) -> Result<(), SnapshotError> {
        match self.list.iter().all(T::is_new) {
            true => self.take(snapshot),
            false => Err(SnapshotError::NotNew),
        }
    }

    fn state_hash(&mut self) -> u64 {
        crate::together::sum(&self.snapshot())
    }
}
