//! Snapshots: a book as bytes, from which it can be made again elsewhere.
//!
//! Written is what a book has promised and what its next answers depend on. What follows from that is computed again when it is read: the
//! slots, their summaries and bits, the lists by start, the timers. All numbers are little-endian.
//!
//! | bytes | what |
//! |---:|---|
//! | 4 | `BKSN` |
//! | 2, 1, 1 | version of the format, kind of the book, 0 |
//! | 4, 4, 4 | PEs, slots, rows that have ever been used |
//! | 8, 8, 8, 4 | `now`, revision, number of acceptances, the longest booked duration there has been |
//! | 4 | incarnation |
//! | 4 for each used row | how often it was given out |
//! | 1 | 1 for a live row, which goes on, and 0 for others |
//! | 48 | its times, its number among the accepted, its PEs, its phase and terms |
//! | a bit for each PE | which it has: of all rows with early binding, of those that run with late binding |
//! | 4, 4 for each | how many rows are vacant, and which, in the order in which they are used again |
//! | 8 | the FNV-1a sum of all bytes before |

use core::fmt;

use crate::{
    book::Book,
    ledger::{Counters, ROW_BYTES, Row},
    pe::{Pe, PeCount},
    ring::Kept,
    time::{Slot, Span},
    violation::Violation,
};

const MAGIC: [u8; 4] = *b"BKSN";
/// The version of the format that is written, and the only one that is read.
const VERSION: u16 = 1;

/// Why bytes are no snapshot of a book, or cannot be one of this book.
///
/// ```
/// use bookahead::{SnapshotError, Violation};
/// assert_eq!(SnapshotError::Stopped.to_string(), "the caller's side of a snapshot stopped");
/// let damaged = SnapshotError::Damaged(Violation::Occupancy);
/// assert!(damaged.to_string().starts_with("the snapshot holds no book: "));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum SnapshotError {
    /// The caller's function has taken or given no more.
    Stopped,
    /// Something has been booked in the book that is to become another.
    NotNew,
    /// The bytes do not begin as a snapshot does.
    NoSnapshot,
    /// The snapshot was written in a format that is not known here.
    UnknownVersion(u16),
    /// The snapshot is that of a book of another kind, of another size, or of more reservations than there is memory for.
    OtherBook,
    /// A byte is not what was written.
    WrongSum,
    /// The bytes are whole, and no book is in a state like this.
    Damaged(Violation),
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stopped => "the caller's side of a snapshot stopped",
            Self::NotNew => "a snapshot is read into a new book only",
            Self::NoSnapshot => "the bytes do not begin as a snapshot does",
            Self::UnknownVersion(version) => {
                return write!(
                    f,
                    "the format of the snapshot is {version}: expected {VERSION}"
                );
            }
            Self::OtherBook => "the snapshot is of a book of another kind or size",
            Self::WrongSum => "a byte of the snapshot is not what was written",
            Self::Damaged(violation) => {
                return write!(f, "the snapshot holds no book: {violation}");
            }
        })
    }
}

impl core::error::Error for SnapshotError {}

/// The sum of bytes that Fowler, Noll and Vo call FNV-1a, in 64 bits.
struct Sum(u64);

impl Sum {
    const EMPTY: Self = Self(0xCBF2_9CE4_8422_2325);

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}

/// Takes the pieces of a snapshot; whether it goes on.
type Taker<'t> = dyn FnMut(&[u8]) -> bool + 't;
/// Fills the pieces of a snapshot; whether it goes on.
type Giver<'t> = dyn FnMut(&mut [u8]) -> bool + 't;

struct Output<'o, 't> {
    to: &'o mut Taker<'t>,
    sum: Sum,
}

impl Output<'_, '_> {
    fn put(&mut self, piece: &[u8]) -> Result<(), SnapshotError> {
        self.sum.add(piece);
        match (self.to)(piece) {
            true => Ok(()),
            false => Err(SnapshotError::Stopped),
        }
    }

    fn number(&mut self, number: u32) -> Result<(), SnapshotError> {
        self.put(&number.to_le_bytes())
    }

    fn long(&mut self, number: u64) -> Result<(), SnapshotError> {
        self.put(&number.to_le_bytes())
    }
}

struct Input<'i, 't> {
    from: &'i mut Giver<'t>,
    sum: Sum,
}

impl Input<'_, '_> {
    fn take<const LEN: usize>(&mut self) -> Result<[u8; LEN], SnapshotError> {
        let mut piece = [0; LEN];
        if !(self.from)(&mut piece) {
            return Err(SnapshotError::Stopped);
        }
        self.sum.add(&piece);
        Ok(piece)
    }

    fn number(&mut self) -> Result<u32, SnapshotError> {
        self.take().map(u32::from_le_bytes)
    }

    fn long(&mut self) -> Result<u64, SnapshotError> {
        self.take().map(u64::from_le_bytes)
    }
}

impl<R: Kept> Book<'_, R> {
    /// Writes a snapshot of the book: calls `write` with one piece of at most 48 bytes after the other, until it returns `false`. Plans, offers and queues
    /// are not part of a book. O(rows + live reservations x PEs).
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, PeCount, Policy, Request, Slot, SnapshotError, Span};
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// # let mut memory = [bookahead::fixture::memory(), bookahead::fixture::memory()];
    /// let [mut book, mut later] = memory.each_mut().map(|memory| memory.view());
    /// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let mut file = Vec::new();
    /// book.write_snapshot(&mut |piece| {
    ///     file.extend_from_slice(piece);
    ///     true
    /// })?;
    /// // After a restart.
    /// let mut rest = &file[..];
    /// later.read_snapshot(&mut |piece| {
    ///     let Some((read, behind)) = rest.split_at_checked(piece.len()) else { return false };
    ///     piece.copy_from_slice(read);
    ///     rest = behind;
    ///     true
    /// })?;
    /// assert_eq!(later.get(booking.handle)?.window.start, Slot::new(3));
    /// assert_eq!(later.state_hash(), book.state_hash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SnapshotError::Stopped`] when `write` returns `false`.
    pub fn write_snapshot(
        &self,
        write: &mut dyn FnMut(&[u8]) -> bool,
    ) -> Result<(), SnapshotError> {
        let mut out = Output {
            to: write,
            sum: Sum::EMPTY,
        };
        self.write_state(&mut out, self.version().incarnation)?;
        let sum = out.sum.0;
        out.long(sum)
    }

    /// Returns a number that is the same for books whose next answers are the same, whatever their incarnations, and that differs for nearly all others: the FNV-1a sum
    /// of what a snapshot holds. O(rows + live reservations x PEs).
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut out = Output {
            to: &mut |_| true,
            sum: Sum::EMPTY,
        };
        // Nobody stops it.
        let _ = self.write_state(&mut out, 0);
        out.sum.0
    }

    fn write_state(&self, out: &mut Output<'_, '_>, incarnation: u32) -> Result<(), SnapshotError> {
        let axis = self.ring.axis();
        let counters = self.ledger.counters();
        out.put(&MAGIC)?;
        out.put(&VERSION.to_le_bytes())?;
        out.put(&[R::KIND, 0])?;
        out.number(axis.pes().get())?;
        out.number(axis.horizon().get())?;
        out.number(counters.used)?;
        out.long(axis.now().get())?;
        out.long(counters.revision)?;
        out.long(counters.accepted)?;
        out.number(counters.longest.get())?;
        out.number(incarnation)?;
        for (index, row) in self
            .ledger
            .rows
            .iter()
            .enumerate()
            .take(counters.used as usize)
        {
            out.number(row.generation)?;
            out.put(&[u8::from(row.is_live())])?;
            if row.is_live() {
                out.put(&row.to_bytes())?;
                if R::EARLY || row.is_running() {
                    self.write_pes(index, out)?;
                }
            }
        }
        out.number(self.ledger.vacant_in_order().count() as u32)?;
        for row in self.ledger.vacant_in_order() {
            out.number(row as u32)?;
        }
        Ok(())
    }

    /// Writes the processing elements of a row, a bit for each of the machine.
    fn write_pes(&self, row: usize, out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        let width = usize::from(self.ring.axis().width());
        let mut next = self.ring.next_pe(row, 0, true).map(Pe::get);
        for first in (0..width).step_by(8) {
            let mut byte = 0_u8;
            while let Some(pe) = next.filter(|pe| usize::from(*pe) < first.saturating_add(8)) {
                byte |= 1_u8.wrapping_shl(u32::from(pe));
                let behind = usize::from(pe).saturating_add(1);
                next = self.ring.next_pe(row, behind, true).map(Pe::get);
            }
            out.put(&[byte])?;
        }
        Ok(())
    }

    /// Makes a new book what a snapshot says: calls `read` to fill one piece of at most 48 bytes after the other, until it returns `false`. Handles of the book that was
    /// written are handles of this one. Its incarnation is one more, so that plans and offers made before are stale. Any bytes may be read: what
    /// is read passes [`check_invariants`](Self::check_invariants). O(rows^2 + the cost of that), and near O(rows + that) where few reservations start in the same slot.
    ///
    /// # Errors
    ///
    /// Every [`SnapshotError`]. The book is new then, as before.
    pub fn read_snapshot(
        &mut self,
        read: &mut dyn FnMut(&mut [u8]) -> bool,
    ) -> Result<(), SnapshotError> {
        if !self.ledger.is_new() || self.now() != Slot::new(0) {
            return Err(SnapshotError::NotNew);
        }
        let mut input = Input {
            from: read,
            sum: Sum::EMPTY,
        };
        let read = self.read_state(&mut input);
        if read.is_err() {
            self.begin_again();
        }
        read
    }

    fn read_state(&mut self, input: &mut Input<'_, '_>) -> Result<(), SnapshotError> {
        let (counters, now, incarnation) = self.read_header(input)?;
        if now > self.now() {
            self.ring.move_now(now);
        }
        self.ledger.take_counters(&counters);
        for index in 0..counters.used as usize {
            let generation = input.number()?;
            match input.take()? {
                [0] => self.ledger.take_spent(index, generation),
                [1] => self.read_live(index, generation, input)?,
                _ => return Err(SnapshotError::Damaged(Violation::Rows)),
            }
        }
        let vacant = input.number()?;
        if vacant > counters.used {
            return Err(SnapshotError::Damaged(Violation::Rows));
        }
        for _ in 0..vacant {
            let row = input.number()?;
            if !self.ledger.take_vacant(row as usize) {
                return Err(SnapshotError::Damaged(Violation::Rows));
            }
        }
        let sum = input.sum.0;
        if input.long()? != sum {
            return Err(SnapshotError::WrongSum);
        }
        self.check_invariants().map_err(SnapshotError::Damaged)?;
        self.set_incarnation(incarnation.wrapping_add(1));
        Ok(())
    }

    /// Reads what stands before the rows: counters, `now`, and the incarnation.
    fn read_header(
        &self,
        input: &mut Input<'_, '_>,
    ) -> Result<(Counters, Slot, u32), SnapshotError> {
        if input.take()? != MAGIC {
            return Err(SnapshotError::NoSnapshot);
        }
        let version = u16::from_le_bytes(input.take()?);
        if version != VERSION {
            return Err(SnapshotError::UnknownVersion(version));
        }
        let kind: [u8; 2] = input.take()?;
        let pes = PeCount::new(input.number()?);
        let slots = Span::new(input.number()?);
        let used = input.number()?;
        let same = kind == [R::KIND, 0] && pes == self.pes() && slots == self.horizon();
        if !same || used as usize > self.capacity() {
            return Err(SnapshotError::OtherBook);
        }
        let now = Slot::new(input.long()?);
        let counters = Counters {
            revision: input.long()?,
            accepted: input.long()?,
            longest: Span::new(input.number()?),
            used,
        };
        match now <= Slot::LAST_NOW {
            true => Ok((counters, now, input.number()?)),
            false => Err(SnapshotError::Damaged(Violation::Window)),
        }
    }

    fn read_live(
        &mut self,
        index: usize,
        generation: u32,
        input: &mut Input<'_, '_>,
    ) -> Result<(), SnapshotError> {
        let bytes: [u8; ROW_BYTES] = input.take()?;
        let axis = *self.ring.axis();
        let now = axis.now();
        let row = Row::from_bytes(&bytes, generation);
        let row = row.filter(|row| row.is_live() && row.is_sound(now));
        let row = row.filter(|row| row.end() <= axis.end() && row.due() >= now);
        let row = row.ok_or(SnapshotError::Damaged(Violation::Window))?;
        let start = match row.is_running() {
            true => None,
            false => axis.offset(row.start()).map(|offset| axis.index(offset)),
        };
        let taken = match R::EARLY || row.is_running() {
            true => self.read_pes(index, row.pes.get(), input),
            false => Ok(()),
        };
        let offsets = axis.covered(row.window());
        let taken =
            taken.and_then(
                |()| match self.ring.reclaim(index, offsets, row.pes.get(), true) {
                    true => Ok(()),
                    false => Err(SnapshotError::Damaged(Violation::Occupancy)),
                },
            );
        if taken.is_err() {
            // It is in no list yet, so that nobody else would.
            self.ring.unbind(index, u16::MAX);
            self.ring.forget(index);
            return taken;
        }
        self.ledger.take_live(index, &row, start, now);
        Ok(())
    }

    /// Reads the processing elements of a row that is to have so many.
    fn read_pes(
        &mut self,
        row: usize,
        pes: u16,
        input: &mut Input<'_, '_>,
    ) -> Result<(), SnapshotError> {
        let width = usize::from(self.ring.axis().width());
        let mut given = 0_u16;
        for first in (0..width).step_by(8) {
            let [byte] = input.take()?;
            for bit in (0..8).filter(|bit| byte & 1_u8.wrapping_shl(*bit) != 0) {
                let pe = first.saturating_add(bit as usize);
                if pe >= width || !self.ring.give(row, pe) {
                    return Err(SnapshotError::Damaged(Violation::Binding));
                }
                given = given.saturating_add(1);
            }
        }
        match given == pes {
            true => Ok(()),
            false => Err(SnapshotError::Damaged(Violation::Binding)),
        }
    }

    /// Becomes as it was when nothing had been booked.
    fn begin_again(&mut self) {
        let axis = *self.ring.axis();
        for (index, row) in self.ledger.rows.iter().enumerate() {
            if row.is_live() {
                self.ring
                    .release(index, axis.covered(row.window()), row.pes.get());
                if row.is_running() {
                    self.ring.unbind(index, row.pes.get());
                }
                self.ring.forget(index);
            }
        }
        self.ledger.begin_again();
        self.ring.axis_mut().begin_again();
    }
}
