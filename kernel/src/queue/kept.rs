//! Queues as bytes: snapshots, and records of what has changed since.
//!
//! A record is the difference of two queues, so nothing has to be noted when a queue changes: who keeps records keeps a second queue, which is as the last
//! record has left it. A snapshot is the difference to an empty queue.
//!
//! | bytes | what |
//! |---:|---|
//! | 4 | `BKQS` for a snapshot, `BKQR` for a record |
//! | 2, 1, 1 | version of the format, 1 with a list of waiting requests, 0 |
//! | 8, 4, 4, 4 | of the queue that it follows on: `seen`, last ticket, how many jobs and how many requests wait; all 0 for a snapshot |
//! | 8, 4, 4, 4, 1, 1 | of the queue that it leads to: `seen`, where the next pass begins, last ticket, slot reached, discipline, 1 where it follows its book and 2 more while running jobs may be cut |
//! | 8, 8, 8, 8, 4 | with a list: `seen`, `tried`, `alarm`, `leaving`, where the next pass begins |
//! | 1, 4 | 1: so many jobs stay |
//! | 1 | 2: the next job is gone |
//! | 1 | 0: there are no more |
//! | 1, 4 | then once more 1: so many stay |
//! | 1, 12 | 3: a job comes here |
//! | 1 | 0: there are no more |
//! | | with a list: the same for requests, which take 38 bytes |
//! | 4, 8 | a snapshot: incarnation, and the FNV-1a sum of all bytes before |

use super::{Queue, QueueState, WaitingJob, job::PesOfClass, line};
#[cfg(feature = "plan")]
use super::{WaitingListState, WaitingRequest};
use crate::{
    book::Book,
    bytes::{Input, Output, Piece, SnapshotError, Sum},
    ring::Ring,
    violation::Violation,
};

const SNAPSHOT: [u8; 4] = *b"BKQS";
const RECORD: [u8; 4] = *b"BKQR";

/// The bit of a byte that says that jobs may be cut.
#[cfg(feature = "plan")]
const CUT: u8 = 2;

pub(super) const DAMAGED: SnapshotError = SnapshotError::Damaged(Violation::Queue);

/// What a record says of the queue that it follows on.
type Since = (u64, u32, u32, u32);

impl Queue<'_> {
    /// Writes a snapshot of the queue: calls `write` with one piece of at most 38 bytes after the other, until it returns `false`. The book has a
    /// [snapshot of its own](Book::write_snapshot). O(jobs + requests).
    ///
    /// ```
    /// use bookahead::{BestEffortJob, CountBook, Discipline, JobQueue, PeCount, SnapshotError, Span};
    /// # fn giver<'b>(mut rest: &'b [u8]) -> impl FnMut(&mut [u8]) -> bool + 'b {
    /// #     move |piece| {
    /// #         let Some((read, behind)) = rest.split_at_checked(piece.len()) else { return false };
    /// #         piece.copy_from_slice(read);
    /// #         rest = behind;
    /// #         true
    /// #     }
    /// # }
    /// let new = || CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48));
    /// let (mut memory, mut jobs) = (new().unwrap(), JobQueue::<8>::new(Discipline::Easy));
    /// let (mut book, mut queue) = (memory.view(), jobs.view());
    /// let job = BestEffortJob { estimate: Span::new(3), pes: PeCount::new(2) };
    /// let ticket = queue.submit(&mut book, &job).unwrap();
    /// let (mut book_file, mut queue_file) = (Vec::new(), Vec::new());
    /// book.write_snapshot(&mut |piece| { book_file.extend_from_slice(piece); true })?;
    /// queue.write_snapshot(&mut |piece| { queue_file.extend_from_slice(piece); true })?;
    ///
    /// // After a restart: the book first, for the queue is judged by it.
    /// let (mut memory, mut jobs) = (new().unwrap(), JobQueue::<8>::new(Discipline::Fcfs));
    /// let (mut book, mut queue) = (memory.view(), jobs.view());
    /// book.read_snapshot(&mut giver(&book_file))?;
    /// queue.read_snapshot(&book, &mut giver(&queue_file))?;
    /// assert_eq!(queue.iter().next(), Some((ticket, job)));
    /// assert_eq!(queue.discipline(), Discipline::Easy);
    /// # Ok::<(), SnapshotError>(())
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
            self.write_difference(SNAPSHOT, None, out)?;
            out.number(self.state.incarnation)
        })
    }

    /// Returns a number that is the same for queues whose next answers are the same, as [`Book::state_hash`]. O(jobs + requests).
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        Sum::of(|out| self.write_difference(SNAPSHOT, None, out))
    }

    /// Makes an empty queue what a snapshot says, for the book that was written with it and has been read before: calls `read` to fill one piece of at most 38 bytes
    /// after the other, until it returns `false`. Its incarnation is one more, as the book's. Any bytes may be read: what is read passes
    /// [`check_invariants`](Self::check_invariants). O(jobs + requests).
    ///
    /// # Errors
    ///
    /// [`SnapshotError::NotNew`] when a ticket has been given out; [`SnapshotError::OtherBook`] when there is not memory for all, or a list of waiting requests on
    /// one side only; all others of [`Book::read_snapshot`]. The queue is empty then.
    pub fn read_snapshot<R: Ring>(
        &mut self,
        book: &Book<'_, R>,
        read: &mut dyn FnMut(&mut [u8]) -> bool,
    ) -> Result<(), SnapshotError> {
        if self.state.tickets != 0 || self.is_awaited() {
            return Err(SnapshotError::NotNew);
        }
        let discipline = self.state.discipline;
        let whole = Sum::checked(read, |input| {
            self.read_difference(SNAPSHOT, input)?;
            input.number()
        })
        .and_then(|incarnation| {
            self.check_read(book)?;
            Ok(incarnation)
        });
        match whole {
            Ok(incarnation) => self.state.incarnation = incarnation.wrapping_add(1),
            Err(_) => self.begin_again(discipline),
        }
        whole.map(drop)
    }

    /// Writes by what the queue differs from `last`, which is as the record before has left it, or as it was when records began; makes `last` as this one, and returns
    /// whether they differed. Calls `write` with one piece of at most 38 bytes after the other, until it returns `false`. Together with the
    /// [record of the book](Book::write_record) it is the record of a call. O(jobs + requests), of which those that came are written.
    ///
    /// ```
    /// # use bookahead::{BestEffortJob, CountBook, Discipline, JobQueue, PeCount, SnapshotError, Span};
    /// # let mut memory = CountBook::<1, 4, 8>::new(PeCount::new(4), Span::new(48)).unwrap();
    /// let [mut jobs, mut last, mut standby] = [(); 3].map(|()| JobQueue::<8>::new(Discipline::Easy));
    /// let (mut book, mut queue) = (memory.view(), jobs.view());
    /// let job = BestEffortJob { estimate: Span::new(3), pes: PeCount::new(2) };
    /// queue.submit(&mut book, &job).unwrap();
    /// let mut record = Vec::new();
    /// assert!(queue.write_record(&mut last.view(), &mut |piece| { record.extend_from_slice(piece); true })?);
    /// let mut rest = &record[..];
    /// standby.view().apply_record(&book, &mut |piece| {
    ///     let Some((read, behind)) = rest.split_at_checked(piece.len()) else { return false };
    ///     piece.copy_from_slice(read);
    ///     rest = behind;
    ///     true
    /// })?;
    /// assert_eq!(standby.view().state_hash(), queue.state_hash());
    /// # Ok::<(), SnapshotError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SnapshotError::OtherBook`] when `last` has less memory, or only one of them a list of waiting requests; [`SnapshotError::Stopped`] when `write` returns
    /// `false`. `last` stays as it is then.
    pub fn write_record(
        &self,
        last: &mut Queue<'_>,
        write: &mut dyn FnMut(&[u8]) -> bool,
    ) -> Result<bool, SnapshotError> {
        if !self.fits(last) {
            return Err(SnapshotError::OtherBook);
        }
        last.state.incarnation = self.state.incarnation;
        let news = !self.is_as(last);
        if news {
            self.write_difference(RECORD, Some(last), &mut Output { to: write })?;
            last.become_as(self);
        }
        Ok(news)
    }

    /// Becomes what a record says, for a book that has become what its own record says: calls `read` to fill one piece of at most 38 bytes after the other,
    /// until it returns `false`. Any bytes may be read: what is read passes [`check_invariants`](Self::check_invariants). O(jobs + requests), for each one that comes or goes.
    ///
    /// # Errors
    ///
    /// [`SnapshotError::NoSnapshot`], [`SnapshotError::UnknownVersion`], [`SnapshotError::OtherBook`] for a list of waiting requests on one side only, and [`SnapshotError::NotNext`] when the queue is not as
    /// that on which the record follows: the queue stays as it is. [`SnapshotError::Stopped`], [`SnapshotError::OtherBook`] and [`SnapshotError::Damaged`] in the middle of a record: the queue is empty then, and begins again
    /// with a snapshot.
    pub fn apply_record<R: Ring>(
        &mut self,
        book: &Book<'_, R>,
        read: &mut dyn FnMut(&mut [u8]) -> bool,
    ) -> Result<(), SnapshotError> {
        let mut input = Input { from: read };
        input.begin(RECORD, self.kind())?;
        if self.read_since(&mut input)? != self.since() {
            return Err(SnapshotError::NotNext);
        }
        let discipline = self.state.discipline;
        let applied = self.read_changes(&mut input);
        let applied = applied.and_then(|()| self.check_read(book));
        if applied.is_err() {
            self.begin_again(discipline);
        }
        applied
    }

    /// Returns the number of this kind of queue in bytes: whether requests may wait beside it.
    fn kind(&self) -> u8 {
        #[cfg(feature = "plan")]
        if self.list.is_some() {
            return 1;
        }
        0
    }

    fn since(&self) -> Since {
        #[cfg(feature = "plan")]
        let requests = self.requests().len() as u32;
        #[cfg(not(feature = "plan"))]
        let requests = 0;
        let state = &*self.state;
        (state.seen, state.tickets, state.len, requests)
    }

    /// Returns whether what waits in this queue has room in the other.
    fn fits(&self, other: &Self) -> bool {
        #[cfg(feature = "plan")]
        if self.kind() != other.kind() || self.requests().len() > other.requests_capacity() {
            return false;
        }
        self.len() <= other.capacity()
    }

    fn is_as(&self, other: &Self) -> bool {
        #[cfg(feature = "plan")]
        {
            let states = (&self.list, &other.list);
            let states = (
                states.0.as_ref().map(|list| *list.state),
                states.1.as_ref().map(|list| *list.state),
            );
            if states.0 != states.1 || self.requests() != other.requests() {
                return false;
            }
        }
        *self.state == *other.state && self.waiting() == other.waiting()
    }

    /// Becomes as another queue, for all of which there is room.
    fn become_as(&mut self, other: &Queue<'_>) {
        *self.state = *other.state;
        copy(other.waiting(), self.jobs);
        #[cfg(feature = "plan")]
        if let (Some(list), Some(other)) = (&mut self.list, &other.list) {
            *list.state = *other.state;
            copy(other.waiting(), list.requests);
        }
    }

    /// Becomes as it was when no ticket had been given out.
    pub(super) fn begin_again(&mut self, discipline: u8) {
        *self.state = QueueState {
            incarnation: self.state.incarnation,
            discipline,
            ..QueueState::default()
        };
        self.jobs.fill(WaitingJob::NONE);
        #[cfg(feature = "plan")]
        if let Some(list) = &mut self.list {
            *list.state = WaitingListState::default();
            list.requests.fill(WaitingRequest::NONE);
        }
    }

    /// Writes by what the queue differs from another, or from an empty one.
    fn write_difference(
        &self,
        magic: [u8; 4],
        last: Option<&Queue<'_>>,
        out: &mut Output<'_, '_>,
    ) -> Result<(), SnapshotError> {
        out.begin(magic, self.kind())?;
        let (seen, tickets, jobs, requests) = last.map(Queue::since).unwrap_or_default();
        let state = &*self.state;
        out.long(seen)?;
        let since: [u8; 12] = Piece::NEW
            .and(tickets.to_le_bytes())
            .and(jobs.to_le_bytes())
            .and(requests.to_le_bytes())
            .whole();
        out.put(&since)?;
        let scalars: [u8; 22] = Piece::NEW
            .and(state.seen.to_le_bytes())
            .and(state.resume.to_le_bytes())
            .and(state.tickets.to_le_bytes())
            .and(state.reached.to_le_bytes())
            .and([state.discipline, self.flags()])
            .whole();
        out.put(&scalars)?;
        #[cfg(feature = "plan")]
        if let Some(list) = &self.list {
            let scalars: [u8; 36] = Piece::NEW
                .and(list.state.seen.to_le_bytes())
                .and(list.state.tried.get().to_le_bytes())
                .and(list.state.alarm.get().to_le_bytes())
                .and(list.state.leaving.to_le_bytes())
                .and(list.state.resume.to_le_bytes())
                .whole();
            out.put(&scalars)?;
        }
        let jobs = last.map_or(&[][..], |last| last.waiting());
        let age = |job: &WaitingJob| state.age(job.ticket);
        write_edits(
            jobs,
            self.waiting(),
            |one, other| age(one) > age(other),
            out,
        )?;
        #[cfg(feature = "plan")]
        if self.list.is_some() {
            let requests = last.map_or(&[][..], |last| last.requests());
            let before =
                |one: &WaitingRequest, other: &WaitingRequest| self.rank(one) > self.rank(other);
            write_edits(requests, self.requests(), before, out)?;
        }
        Ok(())
    }

    /// Reads a difference to an empty queue.
    fn read_difference(
        &mut self,
        magic: [u8; 4],
        input: &mut Input<'_, '_>,
    ) -> Result<(), SnapshotError> {
        input.begin(magic, self.kind())?;
        match self.read_since(input)? == Since::default() {
            true => self.read_changes(input),
            false => Err(DAMAGED),
        }
    }

    fn read_since(&self, input: &mut Input<'_, '_>) -> Result<Since, SnapshotError> {
        Ok((
            input.long()?,
            input.number()?,
            input.number()?,
            input.number()?,
        ))
    }

    fn read_changes(&mut self, input: &mut Input<'_, '_>) -> Result<(), SnapshotError> {
        self.state.seen = input.long()?;
        self.state.resume = input.number()?;
        self.state.tickets = input.number()?;
        self.state.reached = input.number()?;
        let [discipline, flags] = input.take()?;
        self.state.discipline = discipline;
        self.set_flags(flags);
        #[cfg(feature = "plan")]
        if let Some(list) = &mut self.list {
            list.state.seen = input.long()?;
            list.state.tried = crate::time::Slot::new(input.long()?);
            list.state.alarm = crate::time::Slot::new(input.long()?);
            list.state.leaving = input.long()?;
            list.state.resume = input.number()?;
        }
        read_edits(self.jobs, &mut self.state.len, input)?;
        #[cfg(feature = "plan")]
        if let Some(list) = &mut self.list {
            read_edits(list.requests, &mut list.state.len, input)?;
        }
        Ok(())
    }

    /// Returns whether the queue follows its book, and in bit 1 whether jobs may be cut: without the feature `plan`, such a queue is refused.
    const fn flags(&self) -> u8 {
        #[cfg(feature = "plan")]
        return self.state.follows | self.state.cut << 1;
        #[cfg(not(feature = "plan"))]
        self.state.follows
    }

    const fn set_flags(&mut self, flags: u8) {
        #[cfg(feature = "plan")]
        let flags = {
            self.state.cut = (flags & CUT) >> 1;
            flags & !CUT
        };
        self.state.follows = flags;
    }

    /// Checks what has been read. For which classes somebody waits, the book's own bytes say.
    fn check_read<R: Ring>(&self, book: &Book<'_, R>) -> Result<(), SnapshotError> {
        match self.state.follows <= 1 && self.is_sound(book) {
            true => Ok(()),
            false => Err(DAMAGED),
        }
    }
}

fn copy<E: Copy + Default>(from: &[E], to: &mut [E]) {
    let mut from = from.iter();
    for entry in to {
        *entry = from.next().copied().unwrap_or_default();
    }
}

/// One who waits, as bytes.
pub(super) trait Entry: Copy + Default + PartialEq {
    fn write(&self, out: &mut Output<'_, '_>) -> Result<(), SnapshotError>;
    fn read(input: &mut Input<'_, '_>) -> Result<Self, SnapshotError>;
}

impl Entry for WaitingJob {
    fn write(&self, out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        let bytes: [u8; 12] = Piece::NEW
            .and(self.ticket.to_le_bytes())
            .and(self.estimate.get().to_le_bytes())
            .and(self.pes.0.to_le_bytes())
            .whole();
        out.put(&bytes)
    }

    fn read(input: &mut Input<'_, '_>) -> Result<Self, SnapshotError> {
        Ok(Self {
            ticket: input.number()?,
            estimate: crate::time::Span::new(input.number()?),
            pes: PesOfClass(input.number()?),
        })
    }
}

#[cfg(feature = "plan")]
impl Entry for WaitingRequest {
    fn write(&self, out: &mut Output<'_, '_>) -> Result<(), SnapshotError> {
        out.put(&self.to_bytes())
    }

    fn read(input: &mut Input<'_, '_>) -> Result<Self, SnapshotError> {
        Self::from_input(input)
    }
}

const END: u8 = 0;
const STAY: u8 = 1;
const GONE: u8 = 2;
const COME: u8 = 3;

/// Writes how `old` becomes `new`: who goes, then who comes, so that no more are there on the way than at one of its ends. Whatever `before` says of who is first, that
/// is what it becomes; if both are in that order, whoever is in both stays. O(old + new).
fn write_edits<E: Entry>(
    old: &[E],
    new: &[E],
    before: impl Fn(&E, &E) -> bool,
    out: &mut Output<'_, '_>,
) -> Result<(), SnapshotError> {
    write_side(old, new, &before, GONE, out)?;
    write_side(old, new, &before, COME, out)
}

/// Writes who stays, and who goes or who comes.
fn write_side<E: Entry>(
    mut old: &[E],
    mut new: &[E],
    before: &impl Fn(&E, &E) -> bool,
    side: u8,
    out: &mut Output<'_, '_>,
) -> Result<(), SnapshotError> {
    // Each round leaves fewer of one of them.
    loop {
        let pairs = old.iter().zip(new);
        let same = pairs.take_while(|(one, other)| one == other).count();
        if same > 0 {
            out.put(&[STAY])?;
            out.number(same as u32)?;
            old = old.get(same..).unwrap_or_default();
            new = new.get(same..).unwrap_or_default();
        }
        match (old.split_first(), new.split_first()) {
            (Some((gone, rest)), next) if next.is_none_or(|(next, _)| before(gone, next)) => {
                if side == GONE {
                    out.put(&[GONE])?;
                }
                old = rest;
            }
            (_, Some((come, rest))) => {
                if side == COME {
                    out.put(&[COME])?;
                    come.write(out)?;
                }
                new = rest;
            }
            (_, None) => return out.put(&[END]),
        }
    }
}

/// Does what [`write_edits`] has written. O(entries) for each one that comes or goes.
fn read_edits<E: Entry>(
    line: &mut [E],
    len: &mut u32,
    input: &mut Input<'_, '_>,
) -> Result<(), SnapshotError> {
    read_side(line, len, input)?;
    read_side(line, len, input)
}

fn read_side<E: Entry>(
    line: &mut [E],
    len: &mut u32,
    input: &mut Input<'_, '_>,
) -> Result<(), SnapshotError> {
    let mut place = 0_usize;
    // Each round comes nearer to the end of the memory, or leaves fewer behind its place.
    loop {
        match input.take()? {
            [END] => return Ok(()),
            [STAY] => {
                let same = input.number()? as usize;
                place = place.saturating_add(same);
                if same == 0 || place > *len as usize {
                    return Err(DAMAGED);
                }
            }
            [GONE] if line::remove(line, len, place) => (),
            [COME] => {
                if !line::insert(line, len, place, E::read(input)?) {
                    return Err(SnapshotError::OtherBook);
                }
                place = place.saturating_add(1);
            }
            _ => return Err(DAMAGED),
        }
    }
}
