//! Bytes that a caller takes or gives, piece by piece, and what can be wrong with them.

use core::fmt;

use crate::violation::Violation;

/// The version of the formats that is written, and the only one that is read.
pub(crate) const VERSION: u16 = 1;

/// Why a book cannot be written as bytes, or cannot become what bytes say: a snapshot, or a record of a journal.
///
/// ```
/// use bookahead::{SnapshotError, Violation};
/// assert_eq!(SnapshotError::Stopped.to_string(), "the caller takes or gives no more bytes");
/// let damaged = SnapshotError::Damaged(Violation::Occupancy);
/// assert!(damaged.to_string().starts_with("the bytes hold no book: "));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum SnapshotError {
    /// The caller's function has taken or given no more.
    Stopped,
    /// Something has been booked in the book that is to become another.
    NotNew,
    /// The bytes do not begin as they should.
    NoSnapshot,
    /// The bytes were written in a format that is not known here.
    UnknownVersion(u16),
    /// The bytes, or the journal, are those of a book of another kind, of another size, or of more reservations than there is memory for.
    OtherBook,
    /// The record follows on another state than the one the book is in.
    NotNext,
    /// No journal is kept.
    NoJournal,
    /// The book has changed while the journal was not kept.
    Missed,
    /// A byte is not what was written.
    WrongSum,
    /// The bytes are whole, and no book is in a state like this.
    Damaged(Violation),
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stopped => "the caller takes or gives no more bytes",
            Self::NotNew => "a snapshot is read into a new book only",
            Self::NoSnapshot => "the bytes do not begin as a snapshot or a record does",
            Self::UnknownVersion(version) => {
                return write!(f, "the bytes are of format {version}: expected {VERSION}");
            }
            Self::OtherBook => "the bytes or the journal are of a book of another kind or size",
            Self::NotNext => "the record follows on another state of the book",
            Self::NoJournal => "no journal is kept",
            Self::Missed => "the book has changed while its journal was not kept",
            Self::WrongSum => "a byte of the snapshot is not what was written",
            Self::Damaged(violation) => {
                return write!(f, "the bytes hold no book: {violation}");
            }
        })
    }
}

impl core::error::Error for SnapshotError {}

/// Takes pieces of bytes; whether it goes on.
pub(crate) type Taker<'t> = dyn FnMut(&[u8]) -> bool + 't;
/// Fills pieces with bytes; whether it goes on.
pub(crate) type Giver<'t> = dyn FnMut(&mut [u8]) -> bool + 't;

/// The sum of bytes that Fowler, Noll and Vo call FNV-1a, in 64 bits.
pub(crate) struct Sum(u64);

impl Sum {
    const EMPTY: Self = Self(0xCBF2_9CE4_8422_2325);

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    /// Returns the sum of what is written.
    pub(crate) fn of(write: impl FnOnce(&mut Output<'_, '_>) -> Result<(), SnapshotError>) -> u64 {
        let mut sum = Self::EMPTY;
        let mut summed = |piece: &[u8]| {
            sum.add(piece);
            true
        };
        // Nobody stops it.
        let _ = write(&mut Output { to: &mut summed });
        sum.0
    }

    /// Writes, and the sum of it behind it.
    pub(crate) fn behind(
        to: &mut Taker<'_>,
        write: impl FnOnce(&mut Output<'_, '_>) -> Result<(), SnapshotError>,
    ) -> Result<(), SnapshotError> {
        let mut sum = Self::EMPTY;
        let mut summed = |piece: &[u8]| {
            sum.add(piece);
            to(piece)
        };
        write(&mut Output { to: &mut summed })?;
        Output { to }.long(sum.0)
    }

    /// Reads, and the sum of it behind it, which has to be right.
    pub(crate) fn checked<T>(
        from: &mut Giver<'_>,
        read: impl FnOnce(&mut Input<'_, '_>) -> Result<T, SnapshotError>,
    ) -> Result<T, SnapshotError> {
        let mut sum = Self::EMPTY;
        let mut summed = |piece: &mut [u8]| {
            let filled = from(piece);
            sum.add(piece);
            filled
        };
        let found = read(&mut Input { from: &mut summed })?;
        match (Input { from }).long()? == sum.0 {
            true => Ok(found),
            false => Err(SnapshotError::WrongSum),
        }
    }
}

/// So many bytes that are put together from numbers.
pub(crate) struct Piece<const LEN: usize> {
    bytes: [u8; LEN],
    len: usize,
}

impl<const LEN: usize> Piece<LEN> {
    pub(crate) const NEW: Self = Self {
        bytes: [0; LEN],
        len: 0,
    };

    /// Adds bytes behind the others. Inlined, since all places are known then.
    #[inline(always)]
    pub(crate) fn and<const MORE: usize>(mut self, more: [u8; MORE]) -> Self {
        let rest = self.bytes.get_mut(self.len..).unwrap_or_default();
        if let Some(to) = rest.first_chunk_mut() {
            *to = more;
            self.len = self.len.saturating_add(MORE);
        }
        self
    }

    #[inline(always)]
    pub(crate) const fn whole(self) -> [u8; LEN] {
        self.bytes
    }
}

/// Bytes that are written. All numbers are little-endian.
pub(crate) struct Output<'o, 't> {
    pub(crate) to: &'o mut Taker<'t>,
}

impl Output<'_, '_> {
    /// Writes how bytes begin: a name, the version, and the kind of the book.
    pub(crate) fn begin(&mut self, magic: [u8; 4], kind: u8) -> Result<(), SnapshotError> {
        self.put(&magic)?;
        self.put(&VERSION.to_le_bytes())?;
        self.put(&[kind, 0])
    }

    /// Writes a bit for each of so many numbers: whether it is one of `members`, which come in order.
    pub(crate) fn bits(
        &mut self,
        numbers: u16,
        members: impl Iterator<Item = u16>,
    ) -> Result<(), SnapshotError> {
        let mut members = members.peekable();
        for first in (0..numbers).step_by(64) {
            let mut part = 0_u64;
            while let Some(member) = members.next_if(|member| member.wrapping_sub(first) < 64) {
                part |= 1_u64.wrapping_shl(member.into());
            }
            let bytes = numbers.saturating_sub(first).div_ceil(8).min(8);
            let part = part.to_le_bytes();
            self.put(part.get(..bytes.into()).unwrap_or_default())?;
        }
        Ok(())
    }

    pub(crate) fn put(&mut self, piece: &[u8]) -> Result<(), SnapshotError> {
        match (self.to)(piece) {
            true => Ok(()),
            false => Err(SnapshotError::Stopped),
        }
    }

    pub(crate) fn number(&mut self, number: u32) -> Result<(), SnapshotError> {
        self.put(&number.to_le_bytes())
    }

    pub(crate) fn long(&mut self, number: u64) -> Result<(), SnapshotError> {
        self.put(&number.to_le_bytes())
    }
}

/// Bytes that are read.
pub(crate) struct Input<'i, 't> {
    pub(crate) from: &'i mut Giver<'t>,
}

impl Input<'_, '_> {
    pub(crate) fn take<const LEN: usize>(&mut self) -> Result<[u8; LEN], SnapshotError> {
        let mut piece = [0; LEN];
        if !(self.from)(&mut piece) {
            return Err(SnapshotError::Stopped);
        }
        Ok(piece)
    }

    /// Reads a bit for each of so many numbers, and returns whether `take` wants all of those that are members.
    pub(crate) fn bits(
        &mut self,
        numbers: u16,
        mut take: impl FnMut(u16) -> bool,
    ) -> Result<bool, SnapshotError> {
        let mut wanted = true;
        for first in (0..numbers).step_by(8) {
            let [byte] = self.take()?;
            for bit in (0..8).filter(|bit| byte & 1_u8.wrapping_shl(*bit) != 0) {
                let member = first.saturating_add(bit as u16);
                wanted = wanted && member < numbers && take(member);
            }
        }
        Ok(wanted)
    }

    pub(crate) fn number(&mut self) -> Result<u32, SnapshotError> {
        self.take().map(u32::from_le_bytes)
    }

    pub(crate) fn long(&mut self) -> Result<u64, SnapshotError> {
        self.take().map(u64::from_le_bytes)
    }
}

impl Input<'_, '_> {
    /// Reads how bytes begin: a name, the version, and the kind of the book.
    pub(crate) fn begin(&mut self, magic: [u8; 4], kind: u8) -> Result<(), SnapshotError> {
        if self.take()? != magic {
            return Err(SnapshotError::NoSnapshot);
        }
        let version = u16::from_le_bytes(self.take()?);
        if version != VERSION {
            return Err(SnapshotError::UnknownVersion(version));
        }
        match self.take()? == [kind, 0] {
            true => Ok(()),
            false => Err(SnapshotError::OtherBook),
        }
    }
}
