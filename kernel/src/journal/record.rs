//! Records: what has changed in a book since the record before, to be applied to a book that was as this one.
//!
//! | bytes | what |
//! |---:|---|
//! | 4 | `BKRC` |
//! | 2, 1, 1 | version of the format, kind of the book, 0 |
//! | 8, 8 | `now` and revision of the book on which it follows |
//! | 8, 8, 8, 4, 4 | `now`, revision, number of acceptances, longest booked duration and rows ever used of the book that it leads to |
//! | 4 | how many rows it names |
//! | 1 | 1 when the table has changed: it follows, as in a snapshot, that of rules behind the next ones |
//! | 4, 4, 1 for each | which, how often it was given out, and 1 for a live row |
//! | 4, 48 ... | for each live one: which, and its row as in a snapshot |
//! | 4 | for each of the others: which, in the order in which they are used again |
//!
//! It has no sum of its own: whoever stores records frames them, and knows best against what.

use crate::{
    book::Book,
    bytes::{Input, Output, Piece, SnapshotError, VERSION},
    ledger::{Counters, JournalParts, JournalState, ROW_BYTES, Row, RowOf, mark},
    ring::Kept,
    time::{Slot, Span},
    violation::Violation,
};

const MAGIC: [u8; 4] = *b"BKRC";

/// The bytes before those of the rows.
const HEAD: usize = 61;

/// The slots and counters that a record leads to.
struct Head {
    now: Slot,
    counters: Counters,
    named: u32,
}

const DAMAGED_ROWS: SnapshotError = SnapshotError::Damaged(Violation::Rows);

impl<'a, R: Kept> Book<'a, R> {
    /// Keeps a journal as long as this view of the book lives: notes which reservations change, for [`write_record`](Self::write_record). Lend it to every
    /// view of the book, and before anything changes. A new journal begins with the state that the book has now, of which a
    /// [snapshot](Self::write_snapshot) is what its records follow on. A call that changes the book costs O(1) more for each reservation that it changes.
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, Event, Journal, PeCount, Policy, Request, Slot, SnapshotError, Span};
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// # let mut memory = [bookahead::fixture::memory(), bookahead::fixture::memory()];
    /// let [mut book, mut standby] = memory.each_mut().map(|memory| memory.view());
    /// let mut journal = Journal::<8>::new();
    /// book.keep_journal(journal.parts())?;
    /// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let mut record = Vec::new();
    /// let bytes = book.record_len()?;
    /// assert!(book.write_record(&mut |piece| {
    ///     record.extend_from_slice(piece);
    ///     true
    /// })?);
    /// assert_eq!((record.len(), book.record_len()?), (bytes, 0));
    /// // Once it is on the disk, or with the standby, the customer may be told.
    /// let mut rest = &record[..];
    /// standby.apply_record(&mut |piece| {
    ///     let Some((read, behind)) = rest.split_at_checked(piece.len()) else { return false };
    ///     piece.copy_from_slice(read);
    ///     rest = behind;
    ///     true
    /// })?;
    /// assert_eq!(standby.get(booking.handle), book.get(booking.handle));
    /// assert_eq!(standby.state_hash(), book.state_hash());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SnapshotError::OtherBook`] for a journal of fewer reservations than the book may have. [`SnapshotError::Missed`] for a journal that has been kept
    /// of another book, or where this one has changed or got another incarnation since: write a snapshot, and begin a new journal.
    pub fn keep_journal(&mut self, journal: JournalParts<'a>) -> Result<(), SnapshotError> {
        if journal.notes.len() < self.capacity() {
            return Err(SnapshotError::OtherBook);
        }
        let version = self.version();
        let new = journal.state.kept == 0;
        if !new && !journal.has_seen(version.revision, version.incarnation) {
            return Err(SnapshotError::Missed);
        }
        self.ledger.journal = Some(journal);
        if new {
            self.begin_record();
        }
        Ok(())
    }

    /// Writes what has changed since the record before, or since the journal began, and returns whether that was anything: calls `write` with one piece of at most 61 bytes
    /// after the other, until it returns `false`. After each call, that is a record of the call, which holds as a whole or not at all; after several, of
    /// all of them together. [`raw::record_bytes`](crate::raw::record_bytes) says how much it is at most. O(reservations changed x PEs).
    ///
    /// # Errors
    ///
    /// [`SnapshotError::NoJournal`]; [`SnapshotError::Stopped`] when `write` returns `false`: then the same, and what changes until then, is written by the next call.
    pub fn write_record(
        &mut self,
        write: &mut dyn FnMut(&[u8]) -> bool,
    ) -> Result<bool, SnapshotError> {
        let news = self.news()?;
        if let Some(before) = news {
            self.write_changes(&before, &mut Output { to: write })?;
        }
        self.begin_record();
        Ok(news.is_some())
    }

    /// Returns how many bytes [`write_record`](Self::write_record) would write now, 0 when nothing has changed. O(reservations changed x PEs).
    ///
    /// # Errors
    ///
    /// [`SnapshotError::NoJournal`].
    pub fn record_len(&self) -> Result<usize, SnapshotError> {
        let mut bytes = 0_usize;
        if let Some(before) = self.news()? {
            let mut count = |piece: &[u8]| {
                bytes = bytes.saturating_add(piece.len());
                true
            };
            self.write_changes(&before, &mut Output { to: &mut count })?;
        }
        Ok(bytes)
    }

    /// What the book was when the last record was written, if it has changed since.
    fn news(&self) -> Result<Option<JournalState>, SnapshotError> {
        let journal = self.ledger.journal.as_ref();
        let before = *journal.ok_or(SnapshotError::NoJournal)?.state;
        let now = (self.now(), self.ledger.counters());
        let changed = (before.now, before.counters) != now || before.table != 0;
        // That a rule has met a job is no change of the bookings.
        let changed = changed || R::RULES && self.ledger.noted().next().is_some();
        Ok(changed.then_some(before))
    }

    fn write_changes(
        &self,
        before: &JournalState,
        out: &mut Output<'_, '_>,
    ) -> Result<(), SnapshotError> {
        let counters = self.ledger.counters();
        let named = self.ledger.noted().count() as u32;
        let head: [u8; HEAD] = Piece::NEW
            .and(MAGIC)
            .and(VERSION.to_le_bytes())
            .and([R::KIND, 0])
            .and(before.now.get().to_le_bytes())
            .and(before.counters.revision.to_le_bytes())
            .and(self.now().get().to_le_bytes())
            .and(counters.revision.to_le_bytes())
            .and(counters.accepted.to_le_bytes())
            .and(counters.longest.get().to_le_bytes())
            .and(counters.used.to_le_bytes())
            .and(named.to_le_bytes())
            .and([u8::from(before.table != 0)])
            .whole();
        out.put(&head)?;
        if before.table != 0 && !R::TABLE_BEHIND {
            self.ring.write_table(out)?;
        }
        for (index, row) in self.ledger.noted() {
            let name: [u8; 9] = Piece::NEW
                .and((index as u32).to_le_bytes())
                .and(row.generation.to_le_bytes())
                .and([u8::from(row.is_live())])
                .whole();
            out.put(&name)?;
        }
        if before.table != 0 && R::TABLE_BEHIND {
            self.ring.write_table(out)?;
        }
        for (index, row) in self.ledger.noted().filter(|(_, row)| row.is_live()) {
            out.number(index as u32)?;
            self.write_live(index, row, out)?;
        }
        for (index, _) in self.ledger.noted().filter(|(_, row)| !row.is_live()) {
            out.number(index as u32)?;
        }
        Ok(())
    }

    /// Becomes what a record says: calls `read` to fill one piece of at most 48 bytes after the other, until it returns `false`. Nothing is decided anew, so that handles, processing
    /// elements and all next answers are those of the book that wrote it. Any bytes may be read: what is read passes
    /// [`check_invariants`](Self::check_invariants). A journal that is kept begins anew. O(reservations named x (duration x columns + PEs)), and of those that are live and start in a
    /// slot, or run, O(that many) each. Where classes have changed, O(rows x columns) more; in books with rules, O(rows x rules), and where rules have changed, O((horizon + stretches) x columns).
    ///
    /// # Errors
    ///
    /// [`SnapshotError::NoSnapshot`], [`SnapshotError::UnknownVersion`], [`SnapshotError::OtherBook`] also for a book that has fewer rows than there were reservations, and
    /// [`SnapshotError::NotNext`] when the record follows on another slot or on other bookings than the book has: the book stays as it is. That a record is missing in which nothing but classes has changed is not noticed here: whoever stores records and may lose one of several numbers them. [`SnapshotError::Stopped`] and [`SnapshotError::Damaged`] in the middle of a record: the book is new then, and begins
    /// again with a snapshot.
    pub fn apply_record(
        &mut self,
        read: &mut dyn FnMut(&mut [u8]) -> bool,
    ) -> Result<(), SnapshotError> {
        let mut input = Input { from: read };
        let head = self.read_head(&mut input)?;
        let applied = self.read_changes(&head, &mut input);
        if applied.is_err() {
            self.begin_again();
        }
        self.begin_record();
        applied
    }

    /// Reads what stands before the rows, and compares it with the book.
    fn read_head(&self, input: &mut Input<'_, '_>) -> Result<Head, SnapshotError> {
        input.begin(MAGIC, R::KIND)?;
        let counters = self.ledger.counters();
        let since = (Slot::new(input.long()?), input.long()?);
        if since != (self.now(), counters.revision) {
            return Err(SnapshotError::NotNext);
        }
        let head = Head {
            now: Slot::new(input.long()?),
            counters: Counters {
                revision: input.long()?,
                accepted: input.long()?,
                longest: Span::new(input.number()?),
                used: input.number()?,
            },
            named: input.number()?,
        };
        let used = head.counters.used;
        let forward = head.now >= self.now()
            && head.now <= Slot::LAST_NOW
            && head.counters.longest >= counters.longest
            && head.counters.accepted >= counters.accepted
            && head.counters.used >= counters.used
            && head.named <= used;
        match forward {
            true if used as usize > self.capacity() => Err(SnapshotError::OtherBook),
            true => Ok(head),
            false => Err(SnapshotError::NotNext),
        }
    }

    fn read_changes(
        &mut self,
        head: &Head,
        input: &mut Input<'_, '_>,
    ) -> Result<(), SnapshotError> {
        let table = match input.take()? {
            [0] => false,
            [1] => true,
            _ => return Err(DAMAGED_ROWS),
        };
        if table && !R::TABLE_BEHIND {
            self.read_table(input)?;
        }
        let used = self.ledger.counters().used;
        let mut renewed = Renewed::default();
        for _ in 0..head.named {
            let (index, generation) = (input.number()?, input.number()?);
            let live = match input.take()? {
                [0] => false,
                [1] => true,
                _ => return Err(DAMAGED_ROWS),
            };
            if index >= head.counters.used {
                return Err(DAMAGED_ROWS);
            }
            self.lift_named(index as usize, generation, live, &mut renewed)?;
        }
        if renewed.fresh != head.counters.used.saturating_sub(used) {
            return Err(DAMAGED_ROWS);
        }
        self.ledger.take_counters(&head.counters);
        if !self.ledger.take_from_vacant(renewed.taken) {
            return Err(DAMAGED_ROWS);
        }
        let now = self.now();
        let next = self.ledger.next_due(now).and_then(|(row, due)| {
            let row = self.ledger.rows.get(row)?;
            Some(row.happens_at(due))
        });
        if next.is_some_and(|next| next < head.now) {
            return Err(SnapshotError::Damaged(Violation::Timer));
        }
        if head.now > now {
            self.ring.move_now(head.now);
        }
        if table && R::TABLE_BEHIND {
            self.read_table(input)?;
        }
        for _ in 0..renewed.live {
            let index = input.number()? as usize;
            let row = self.ledger.lifted(index).ok_or(DAMAGED_ROWS)?;
            self.read_live(index, row.generation, input)?;
            renewed.lifted = renewed.lifted.saturating_sub(1);
        }
        for _ in renewed.live..head.named {
            let index = input.number()? as usize;
            if self.ledger.lifted(index).is_some() {
                self.ledger.vacate(index);
                renewed.lifted = renewed.lifted.saturating_sub(1);
            } else if self.ledger.rows.get(index).is_none_or(Row::is_live) {
                return Err(DAMAGED_ROWS);
            }
        }
        let mut rows = self.ledger.rows.iter().enumerate();
        let served =
            |(index, row): (usize, &RowOf<R>)| !row.is_live() || self.ring.serves(index, row);
        if table && !rows.all(served) {
            return Err(SnapshotError::Damaged(Violation::Class));
        }
        if R::RULES && !self.is_armed() {
            return Err(SnapshotError::Damaged(Violation::Timer));
        }
        match renewed.lifted {
            0 => Ok(()),
            _ => Err(DAMAGED_ROWS),
        }
    }

    /// Reads the table, which is that of this machine.
    fn read_table(&mut self, input: &mut Input<'_, '_>) -> Result<(), SnapshotError> {
        self.ring.read_table(input).map_err(|error| match error {
            SnapshotError::OtherBook => SnapshotError::Damaged(Violation::Class),
            other => other,
        })
    }

    /// Takes the reservation of a row that is named out of ring, lists and timers, until it is read or becomes vacant.
    fn lift_named(
        &mut self,
        index: usize,
        generation: u32,
        live: bool,
        renewed: &mut Renewed,
    ) -> Result<(), SnapshotError> {
        let old = self.ledger.rows.get(index).copied().ok_or(DAMAGED_ROWS)?;
        if old.is_marked(mark::LIFTED) || generation < old.generation.max(1) {
            return Err(DAMAGED_ROWS);
        }
        if !old.is_live() && !live && generation == old.generation {
            // It was given out and taken back in a plan.
            return Ok(());
        }
        let spent = old.generation == u32::MAX && !old.is_live();
        if spent {
            return Err(DAMAGED_ROWS);
        }
        let listed = !old.is_live() && old.generation > 0;
        renewed.fresh = renewed.fresh.saturating_add(u32::from(old.generation == 0));
        renewed.taken = renewed.taken.saturating_add(u32::from(listed));
        renewed.live = renewed.live.saturating_add(u32::from(live));
        renewed.lifted = renewed.lifted.saturating_add(1);
        if old.is_live() {
            #[cfg(feature = "outages")]
            if R::RULES {
                self.close(index, self.now());
            }
            self.writer().take_out(index);
        }
        self.ledger.lift_named(index, generation, listed);
        Ok(())
    }

    /// Begins the next record with the state of the book, where a journal is kept.
    pub(super) fn begin_record(&mut self) {
        let now = self.now();
        self.ledger.begin_record(now);
    }
}

/// How many rows a record names of each kind.
#[derive(Default)]
struct Renewed {
    live: u32,
    /// Those that have never been used before.
    fresh: u32,
    /// Those that were in the list of vacant rows.
    taken: u32,
    /// Those that are still to be read, or to become vacant.
    lifted: u32,
}

/// Returns how many bytes a record takes at most that names `rows` rows of a book of `pes` processing elements. A call that reserves, confirms, cancels or completes names one row, an advance
/// one for each event, and a transaction one for each entry of its log. Where classes have changed,
/// the table of classes comes to it (`raw::class_table_bytes`, with the feature `placement`), and where rules have, 17 times 14 bytes and their sets; and `pes` counts the numbers of missing ones too. A snapshot of as many rows is shorter; the table of classes is always in it.
///
/// ```
/// assert_eq!(bookahead::raw::record_bytes(1, 32), 61 + 8 + 9 + 4 + 48 + 4 + 2);
/// ```
#[must_use]
pub const fn record_bytes(rows: usize, pes: u16) -> usize {
    let row = (9 + 4 + ROW_BYTES + 2).saturating_add(pes.div_ceil(8) as usize);
    (HEAD + 8).saturating_add(rows.saturating_mul(row))
}
