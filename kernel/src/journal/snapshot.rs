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
//! | | the table: with a layout, the layout and the classes, see `placement/kept.rs`; with overlays, 8 bytes that say when they were last examined; with rules, these, see `ring/kept.rs` |
//! | 4 for each used row | how often it was given out |
//! | 1 | 1 for a live row, which goes on, and 0 for others |
//! | 48 | its times, its number among the accepted, its PEs, its phase and terms |
//! | 4 | of a book of units: the upper halves of both numbers of units; it then has no bits of PEs |
//! | a bit for each number of a PE | which it has: of all rows with early binding, of those that run with late binding |
//! | 2 | with overlays: how many of its PEs are overlaid |
//! | 4, 4 for each | how many rows are vacant, and which, in the order in which they are used again |
//! | 8 | the FNV-1a sum of all bytes before |

use crate::{
    book::Book,
    bytes::{Input, Output, SnapshotError, Sum},
    ledger::Counters,
    pe::PeCount,
    ring::Kept,
    time::{Slot, Span},
    violation::Violation,
};

const MAGIC: [u8; 4] = *b"BKSN";

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
        Sum::behind(write, |out| {
            self.write_state(out, self.version().incarnation)
        })
    }

    /// Returns a number that is the same for books whose next answers are the same, whatever their incarnations, and that differs for nearly all others: the FNV-1a sum
    /// of what a snapshot holds. O(rows + live reservations x PEs).
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        Sum::of(|out| self.write_state(out, 0))
    }

    fn write_state(&self, out: &mut Output<'_, '_>, incarnation: u32) -> Result<(), SnapshotError> {
        let axis = self.ring.axis();
        let counters = self.ledger.counters();
        out.begin(MAGIC, R::KIND)?;
        out.number(axis.pes().get())?;
        out.number(axis.horizon().get())?;
        out.number(counters.used)?;
        out.long(axis.now().get())?;
        out.long(counters.revision)?;
        out.long(counters.accepted)?;
        out.number(counters.longest.get())?;
        out.number(incarnation)?;
        self.ring.write_table(out)?;
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
                self.write_live(index, row, out)?;
            }
        }
        out.number(self.ledger.vacant_in_order().count() as u32)?;
        for row in self.ledger.vacant_in_order() {
            out.number(row as u32)?;
        }
        Ok(())
    }

    /// Makes a new book what a snapshot says: calls `read` to fill one piece of at most 48 bytes after the other, until it returns `false`. Handles of the book that was
    /// written are handles of this one. Its incarnation is one more, so that plans and offers made before are stale, and a queue of before answers [`ForeignQueue`](crate::UsageError::ForeignQueue) until [`set_incarnation`](crate::Queue::set_incarnation). Any bytes may be read: what
    /// is read passes [`check_invariants`](Self::check_invariants). O(rows^2 + the cost of that), and near O(rows + that) where few reservations start in the same slot.
    ///
    /// # Errors
    ///
    /// Every [`SnapshotError`]. The book is new then, as before.
    pub fn read_snapshot(
        &mut self,
        read: &mut dyn FnMut(&mut [u8]) -> bool,
    ) -> Result<(), SnapshotError> {
        if !self.ledger.is_new() || !self.ring.is_new() || self.now() != Slot::new(0) {
            return Err(SnapshotError::NotNew);
        }
        let whole = Sum::checked(read, |input| self.read_state(input)).and_then(|incarnation| {
            self.check_invariants().map_err(SnapshotError::Damaged)?;
            Ok(incarnation)
        });
        match whole {
            Ok(incarnation) => self.set_incarnation(incarnation.wrapping_add(1)),
            Err(_) => self.begin_again(),
        }
        self.begin_record();
        whole.map(drop)
    }

    /// Reads all but the sum, and returns the incarnation.
    fn read_state(&mut self, input: &mut Input<'_, '_>) -> Result<u32, SnapshotError> {
        let (counters, now, incarnation) = self.read_header(input)?;
        if now > self.now() {
            self.ring.move_now(now);
        }
        self.ring.read_table(input)?;
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
        Ok(incarnation)
    }

    /// Reads what stands before the rows: counters, `now`, and the incarnation.
    fn read_header(
        &self,
        input: &mut Input<'_, '_>,
    ) -> Result<(Counters, Slot, u32), SnapshotError> {
        input.begin(MAGIC, R::KIND)?;
        let pes = PeCount::new(input.number()?);
        let slots = Span::new(input.number()?);
        let used = input.number()?;
        let same = pes == self.pes() && slots == self.horizon();
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
}
