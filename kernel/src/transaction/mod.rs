//! Transactions: several changes to accepted reservations that are committed together or not at all.

mod alter;
mod apart;
mod end;
#[cfg(feature = "placement")]
mod exactly;
mod moves;
#[cfg(feature = "outages")]
mod outage;
#[cfg(feature = "outages")]
mod overrun;
#[cfg(feature = "placement")]
mod relocate;
#[cfg(feature = "outages")]
mod rules;
mod series;
mod together;
mod undo;
mod workspace;

pub use alter::Alteration;
pub use moves::Move;
#[cfg(feature = "outages")]
pub use outage::Outage;
#[cfg(feature = "outages")]
pub use overrun::Broken;
pub use series::Series;
pub use together::Part;
pub use workspace::{
    CountWorkspace, LateWorkspace, Movable, PeWorkspace, UndoEntry, UnitWorkspace, Workspace,
    workspace_bytes,
};

#[cfg(any(feature = "outages", feature = "placement"))]
use core::ops::Range;

use crate::{
    book::{Ask, Book, Booking, Commitment, Conflict, asking, entry},
    error::{Error, Refusal, UsageError},
    fit::{self, Job},
    handle::Handle,
    ledger::{Phase, Placement, Reservation, Row, RowOf, mark},
    pe::{Pe, PeCount},
    request::Request,
    ring::Ring,
    time::{Slot, Span, Window},
};

/// A transaction: several changes of a book that take effect together on [`commit`](Self::commit), or not at all.
/// Dropping a transaction restores the book, bit for bit.
///
/// A reservation is *lifted* to free its processing elements temporarily, and *placed* elsewhere inside its own window.
/// Two jobs swap places by lifting both before placing either. The transaction borrows the book, so no other code sees
/// the intermediate states.
///
/// Two limits bound a transaction. The [workspace](crate::raw::Workspace) that the caller lends has an entry for each
/// reservation that is touched, and another one for each that is touched again after a savepoint; when it is full, that is
/// [`MoveLimit`](Refusal::MoveLimit). The work, in slots written or searched, is granted at the beginning; a call that
/// would need more is [`WorkLimit`](Refusal::WorkLimit). Either error leaves the transaction as it was.
///
/// ```
/// use bookahead::{Commitment, CountBook, CountWorkspace, PeCount, Placement, Policy, Request, Slot, Span};
/// # let mut memory = bookahead::fixture::memory();
/// # let mut book = memory.view();
/// // Two jobs that need the whole machine, one after the other; each window is longer than its job.
/// let request = Request {
///     ready: Slot::new(0), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(4),
/// };
/// let first = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?.handle;
/// let second = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?.handle;
///
/// let mut workspace = CountWorkspace::<2, 0>::new();
/// let mut swap = book.transaction(workspace.view(), 1_000);
/// let (one, other) = (swap.lift(first)?, swap.lift(second)?);
/// swap.place(first, other)?;
/// swap.place(second, one)?;
/// swap.commit()?;
/// assert_eq!(book.get(second)?.window.start, Slot::new(0));
/// # Ok::<(), bookahead::Error>(())
/// ```
///
/// Forgetting a transaction (`core::mem::forget`) leaves the book with the transaction half done, which
/// [`check_invariants`](Book::check_invariants) reports.
pub struct Transaction<'t, 'a, R: Ring> {
    pub(crate) book: &'t mut Book<'a, R>,
    pub(crate) workspace: Workspace<'t, R::Part>,
    /// Entries in use.
    len: usize,
    /// Entries before this one were written before the newest savepoint.
    segment: usize,
    /// Savepoints and rollbacks so far.
    age: u32,
    /// Work that is left.
    work: u64,
    /// The ledger's bound on durations when the transaction began.
    longest: Span,
}

/// A state of a [`Transaction`] to which it can be rolled back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Savepoint {
    len: usize,
    age: u32,
}

impl<'a, R: Ring> Book<'a, R> {
    /// Begins a transaction in the memory of `workspace` that may do `work` slots of work. O(1).
    ///
    /// See [`Transaction`] for an example.
    pub fn transaction<'t>(
        &'t mut self,
        workspace: Workspace<'t, R::Part>,
        work: u64,
    ) -> Transaction<'t, 'a, R> {
        Transaction {
            longest: self.ledger.state.longest,
            book: self,
            workspace,
            len: 0,
            segment: 0,
            age: 0,
            work,
        }
    }
}

impl<R: Ring> Transaction<'_, '_, R> {
    /// Returns the present slot. O(1).
    #[must_use]
    pub fn now(&self) -> Slot {
        self.book.now()
    }

    /// Returns how much work is left, in slots. O(1).
    #[must_use]
    pub fn work_left(&self) -> u64 {
        self.work
    }

    /// Returns how many entries of the workspace are in use. O(1).
    #[must_use]
    pub fn logged(&self) -> usize {
        self.len
    }

    /// Returns a reservation as it stands in the transaction; a lifted one is returned with the window it had. O(1).
    ///
    /// # Errors
    ///
    /// [`UsageError::UnknownHandle`], [`UsageError::StaleHandle`].
    pub fn get(&self, handle: Handle) -> Result<Reservation, Error> {
        self.book.get(handle)
    }

    /// Returns the processing elements that a reservation holds as it stands in the transaction, so that moves in space can be looked at before they are
    /// committed; those that it had for a lifted one, and those that it keeps for a running one that has got narrower. Order, cost and errors as of
    /// [`Book::pes_of`].
    ///
    /// # Errors
    ///
    /// [`UsageError::UnknownHandle`], [`UsageError::StaleHandle`].
    pub fn pes_of(&self, handle: Handle) -> Result<impl Iterator<Item = Pe>, Error> {
        self.book.pes_of(handle)
    }

    /// Returns the reservations that cover a slot of `window`, except lifted ones, as [`Book::covering`].
    pub fn covering(&self, window: Window) -> impl Iterator<Item = Handle> {
        self.book.covering(window)
    }

    /// Returns the reservations and rules in the way of a placement: of the reservation `handle`, or of a new one for `None`.
    /// With late binding, these are the reservations that cover a slot in which too few processing elements are free.
    /// With early binding, these are all that cover a slot of the placement, or those that hold one of its processing elements for a reservation that
    /// runs, or that has exactly these. What the reservation itself holds counts as free; an unknown handle counts
    /// as new. O(running + (window + longest duration) + those that cover it x window), and in a book with rules O(window x rules) more.
    pub fn conflict(&self, handle: Option<Handle>, placement: &Placement) -> Conflict {
        let own = handle.and_then(|handle| self.book.ledger.find(handle).ok());
        let own = own.map(|(index, _)| index);
        let mut conflict = Conflict::NONE;
        self.book.add_conflict(own, placement, false, &mut conflict);
        conflict
    }

    /// Lifts a reservation: frees its processing elements temporarily. It keeps its handle and its promise, and must be
    /// placed again before the transaction ends. Returns where it was placed. O(duration x columns).
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::UnknownHandle`], [`UsageError::StaleHandle`],
    /// [`UsageError::AlreadyLifted`], [`Refusal::Pinned`], [`UsageError::WrongState`] for a job whose end is announced, and for an open-ended one,
    /// [`Refusal::MoveLimit`], [`Refusal::WorkLimit`].
    pub fn lift(&mut self, handle: Handle) -> Result<Placement, Error> {
        let (index, row) = self.booked(handle)?;
        if row.is_marked(mark::ENDING) {
            return Err(UsageError::WrongState.into());
        }
        self.lift_row(index, &row)?;
        Ok(row.placement())
    }

    /// Places a lifted reservation, which keeps its former processing elements where they are free. Its duration and
    /// its number of processing elements may differ from before; its promise stays the same. A running reservation
    /// keeps its start. O(duration x columns + reservations with the same start).
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::UnknownHandle`], [`UsageError::StaleHandle`], [`UsageError::NotLifted`],
    /// [`UsageError::ZeroDuration`], [`UsageError::ZeroPes`], [`UsageError::WrongState`] for a running one at another
    /// start or on more processing elements, [`Refusal::TooWide`], [`Refusal::OutsideWindow`] outside its own window,
    /// or for a running one that would have ended already, [`Refusal::ReadyInPast`] for a start that has passed,
    /// [`Refusal::BeyondHorizon`], [`Refusal::MoveLimit`], [`Refusal::WorkLimit`], [`Refusal::NoRoom`].
    pub fn place(&mut self, handle: Handle, placement: Placement) -> Result<(), Error> {
        let (index, row) = self.lifted(handle)?;
        self.check_placement(&row, &placement)?;
        self.check_log(&[index])?;
        self.spend(placement.duration.get().into())?;
        self.place_row(index, &row, &placement)
    }

    /// Places a lifted reservation at the earliest start in its own window at which enough processing elements are
    /// free, not before `earliest` or `now`, with its former duration and number of processing elements. Returns the
    /// start. Costs as first fit, and as [`place`](Self::place).
    ///
    /// # Errors
    ///
    /// As [`place`](Self::place), and [`UsageError::WrongState`] for a running one.
    pub fn place_first_fit(&mut self, handle: Handle, earliest: Slot) -> Result<Slot, Error> {
        let (index, row) = self.lifted(handle)?;
        if row.is_running() {
            return Err(UsageError::WrongState.into());
        }
        // No number of processing elements is 0, so this passes only where they may be others.
        R::may_choose(&row, 0)?;
        let from = row.ready.max(earliest).max(self.now());
        self.check_log(&[index])?;
        let job = self.job_of(&row, from).ok_or(Refusal::NoRoom)?;
        self.place_job(index, &row, &job)
    }

    /// Makes a new reservation at a given start. Its handle is valid once the transaction is committed.
    /// O(duration x columns + reservations with the same start).
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::ZeroHold`], those of [`Book::plan`] as far as the request itself is the
    /// cause, [`Refusal::OutsideWindow`], [`Refusal::TableFull`], also when the only vacant rows are of reservations
    /// that this transaction removed, [`Refusal::MoveLimit`], [`Refusal::WorkLimit`], [`Refusal::NoRoom`].
    pub fn insert<'q>(
        &mut self,
        request: impl Ask<'q, R, Request>,
        start: Slot,
        commitment: Commitment,
    ) -> Result<Handle, Error> {
        asking!(self.book.ring, request, |request| self
            .insert_asked(request, start, commitment))
    }

    /// As [`insert`](Self::insert), for the class that asks.
    pub(crate) fn insert_asked(
        &mut self,
        request: &Request,
        start: Slot,
        commitment: Commitment,
    ) -> Result<Handle, Error> {
        commitment.check()?;
        let axis = self.book.ring.axis();
        let job = Job::admit(axis, request)?;
        self.book.ring.admit(self.book.ring.asked(), job.pes)?;
        let offset = axis
            .offset(start)
            .filter(|offset| (job.ready..=job.latest).contains(offset))
            .ok_or(Refusal::OutsideWindow)?;
        let index = self.book.ledger.next_row().ok_or(Refusal::TableFull)?;
        self.check_log(&[index])?;
        self.spend(job.duration as u64)?;
        self.insert_at(index, &job, offset, commitment)
    }

    /// Makes a new reservation at the earliest start at which it fits. As [`Self::insert`], and the cost of first fit.
    pub(crate) fn insert_first_fit(
        &mut self,
        request: &Request,
        commitment: Commitment,
    ) -> Result<Booking, Error> {
        let (index, job) = self.admit(request, commitment)?;
        self.check_log(&[index])?;
        let offset = self.first_fit(&job)?;
        let handle = self.insert_at(index, &job, offset, commitment)?;
        let start = self.book.ring.axis().slot(offset);
        Ok(Booking { handle, start })
    }

    /// Returns the row and the job of a request that can be inserted, apart from free processing elements.
    pub(crate) fn admit(
        &self,
        request: &Request,
        commitment: Commitment,
    ) -> Result<(usize, Job), Error> {
        commitment.check()?;
        let job = Job::admit(self.book.ring.axis(), request)?;
        self.book.ring.admit(self.book.ring.asked(), job.pes)?;
        let index = self.book.ledger.next_row().ok_or(Refusal::TableFull)?;
        Ok((index, job))
    }

    /// Removes a reservation, lifted or not. Its row becomes vacant when the transaction is committed. O(duration x columns); for an open-ended job, O((horizon + stretches) x columns).
    ///
    /// # Errors
    ///
    /// [`UsageError::UnknownHandle`], [`UsageError::StaleHandle`], [`Refusal::MoveLimit`], [`Refusal::WorkLimit`].
    pub fn remove(&mut self, handle: Handle) -> Result<(), Error> {
        let (index, row) = self.find(handle)?;
        self.check_log(&[index])?;
        let slots = match row.is_open() {
            true => self.book.ring.axis().slots() as u64,
            false => row.duration.get().into(),
        };
        self.spend(slots)?;
        self.touch(index);
        #[cfg(feature = "outages")]
        if R::RULES && row.is_open() {
            self.book.ring.close(index, row.pes.get(), 0);
        }
        let mut writer = self.book.writer();
        if !row.is_open() && !row.is_marked(mark::LIFTED) {
            writer.release(index, row.window());
        }
        let list = writer.list_index(&row);
        writer.ledger.unlink(index, list);
        if let Some(row) = writer.ledger.rows.get_mut(index) {
            row.phase = Phase::VACANT;
            row.marks &= !mark::LIFTED;
        }
        Ok(())
    }

    /// Returns the index and a copy of the row of a handle.
    fn find(&self, handle: Handle) -> Result<(usize, RowOf<R>), Error> {
        self.book
            .ledger
            .find(handle)
            .map(|(index, row)| (index, *row))
    }

    /// As [`Self::find`], for a reservation that is not lifted.
    fn booked(&self, handle: Handle) -> Result<(usize, RowOf<R>), Error> {
        let (index, row) = self.find(handle)?;
        if row.is_marked(mark::LIFTED) {
            return Err(UsageError::AlreadyLifted.into());
        }
        if self.book.is_pinned(index, &row) {
            return Err(Refusal::Pinned.into());
        }
        if row.is_open() {
            return Err(UsageError::WrongState.into());
        }
        Ok((index, row))
    }

    /// As [`Self::find`], for a reservation that is lifted.
    fn lifted(&self, handle: Handle) -> Result<(usize, RowOf<R>), Error> {
        let (index, row) = self.find(handle)?;
        if !row.is_marked(mark::LIFTED) {
            return Err(UsageError::NotLifted.into());
        }
        Ok((index, row))
    }

    /// Checks whether a reservation may be placed there, apart from free processing elements.
    fn check_placement(&self, row: &RowOf<R>, placement: &Placement) -> Result<(), Error> {
        let axis = self.book.ring.axis();
        let Placement {
            start,
            duration,
            pes,
        } = *placement;
        if duration == Span::ZERO {
            return Err(UsageError::ZeroDuration.into());
        }
        if pes == PeCount::ZERO {
            return Err(UsageError::ZeroPes.into());
        }
        let running = row.is_running();
        if running && (start != row.start() || pes > row.pes.count()) {
            return Err(UsageError::WrongState.into());
        }
        if pes > axis.pes() {
            return Err(Refusal::TooWide.into());
        }
        let end = start.checked_add(duration).ok_or(Refusal::OutsideWindow)?;
        let over = running && end <= axis.now();
        if start < row.ready || end > row.deadline() || over {
            return Err(Refusal::OutsideWindow.into());
        }
        if start < axis.now() && !running {
            return Err(Refusal::ReadyInPast.into());
        }
        if end > axis.end() {
            return Err(Refusal::BeyondHorizon.into());
        }
        let pes = pes.get();
        self.book.ring.admit(R::class_of(row), pes)?;
        R::may_choose(row, pes)
    }

    /// Lifts the reservation in row `index`, which is `row` and not lifted.
    pub(crate) fn lift_row(&mut self, index: usize, row: &RowOf<R>) -> Result<(), Error> {
        self.check_log(&[index])?;
        self.spend(row.duration.get().into())?;
        self.touch(index);
        self.book.writer().release(index, row.window());
        self.set_mark(index, mark::LIFTED, true);
        Ok(())
    }

    /// Returns when each of those was accepted that entries of the log have lifted, and its row.
    #[cfg(any(feature = "outages", feature = "placement"))]
    fn lifted_rows(&self, entries: Range<usize>) -> impl Iterator<Item = (u64, usize)> {
        let entries = self.workspace.entries.get(entries).unwrap_or_default();
        entries.iter().filter_map(|entry| {
            let index = entry.index as usize;
            let row = self.book.ledger.rows.get(index)?;
            row.is_marked(mark::LIFTED).then_some((row.accepted, index))
        })
    }

    /// Places the lifted reservation in row `index`, which is `row`, as early as `job` allows. Returns the start.
    pub(crate) fn place_job(
        &mut self,
        index: usize,
        row: &RowOf<R>,
        job: &Job,
    ) -> Result<Slot, Error> {
        let offset = self.for_class(R::class_of(row), |transaction| transaction.first_fit(job))?;
        let start = self.book.ring.axis().slot(offset);
        let placement = Placement {
            start,
            ..row.placement()
        };
        self.place_row(index, row, &placement)?;
        Ok(start)
    }

    /// Returns the earliest start of a job.
    fn first_fit(&mut self, job: &Job) -> Result<usize, Error> {
        let reach = job.window(job.latest).end.saturating_sub(job.ready);
        self.spend((reach as u64).saturating_add(job.duration as u64))?;
        let found = fit::earliest(&mut self.book.ring, job);
        Ok(found.ok_or(Refusal::NoRoom)?)
    }

    /// Returns a reservation's run as a job to search a start for, not before `from`; `None` when its window is too
    /// short for that.
    fn job_of(&self, row: &RowOf<R>, from: Slot) -> Option<Job> {
        let latest = row.deadline().get().checked_sub(row.duration.get().into());
        self.job_between(row, from, Slot::new(latest?))
    }

    /// As [`Self::job_of`], with a latest start.
    pub(crate) fn job_between(&self, row: &RowOf<R>, from: Slot, latest: Slot) -> Option<Job> {
        let axis = self.book.ring.axis();
        let (ready, latest) = (axis.offset(from)?, axis.offset(latest)?);
        (ready <= latest).then_some(())?;
        Some(Job {
            ready,
            latest,
            duration: row.duration.get() as usize,
            pes: row.pes.get(),
            max_busy: axis.width().checked_sub(row.pes.get())?,
        })
    }

    /// Claims processing elements for the row, which holds none, and lists it by its new start.
    pub(crate) fn place_row(
        &mut self,
        index: usize,
        row: &RowOf<R>,
        placement: &Placement,
    ) -> Result<(), Error> {
        let mut placed = *row;
        placed.set_placement(placement);
        let logged = self.touch(index);
        let claimed = self.claim(index, &placed);
        self.write_place(index, row, &placed, (logged, claimed))
    }

    /// Writes to a row that `row` was, and that was logged, what was claimed for it, or forgets that it was logged if nothing could be claimed.
    #[inline(always)]
    fn write_place(
        &mut self,
        index: usize,
        row: &RowOf<R>,
        placed: &RowOf<R>,
        (logged, claimed): (usize, bool),
    ) -> Result<(), Error> {
        if !claimed {
            self.untouch(logged);
            return Err(Refusal::NoRoom.into());
        }
        self.set_row(index, row, placed);
        self.set_mark(index, mark::LIFTED, false);
        Ok(())
    }

    /// Claims for the row the processing elements and slots of `placed`.
    fn claim(&mut self, index: usize, placed: &RowOf<R>) -> bool {
        self.book.for_class(R::class_of(placed), |book| {
            let ring = &mut book.ring;
            let offsets = ring.axis().covered(placed.window());
            ring.reclaim(index, offsets, placed.pes.get(), placed.is_running())
        })
    }

    /// Runs `action` with the ring asking for a class.
    #[inline(always)]
    pub(crate) fn for_class<Answer>(
        &mut self,
        class: R::Class,
        action: impl FnOnce(&mut Self) -> Answer,
    ) -> Answer {
        let before = self.book.ring.ask(class);
        let answer = action(self);
        self.book.ring.ask(before);
        answer
    }

    /// Writes the promise and placement of `new` to a logged row, which was `old`, and lists it by its start.
    pub(crate) fn set_row(&mut self, index: usize, old: &RowOf<R>, new: &RowOf<R>) {
        let writer = self.book.writer();
        let (before, after) = (writer.list_index(old), writer.list_index(new));
        let moved = old.start() != new.start();
        if moved {
            writer.ledger.unlink(index, before);
        }
        if let Some(row) = writer.ledger.rows.get_mut(index) {
            *row = Row {
                next: row.next,
                previous: row.previous,
                timer: row.timer,
                marks: row.marks,
                ..*new
            };
        }
        if moved {
            writer.ledger.link(index, after);
        }
        let longest = &mut writer.ledger.state.longest;
        *longest = new.duration.max(*longest);
    }

    /// Claims the processing elements of a new reservation, and inserts it into the vacant row at `index`.
    pub(crate) fn insert_at(
        &mut self,
        index: usize,
        job: &Job,
        offset: usize,
        commitment: Commitment,
    ) -> Result<Handle, Error> {
        if !self.book.ring.claim(index, job.window(offset), job.pes) {
            return Err(Refusal::NoRoom.into());
        }
        let mut entry = entry(self.now(), job, offset, commitment.hold());
        if let Commitment::Flexible { kind, freeze } = commitment {
            entry.set_terms(kind, freeze);
        }
        R::set_class(&mut entry, self.book.ring.asked());
        Ok(self.insert_row(index, &entry))
    }

    /// Inserts a new reservation, whose processing elements are claimed, into the vacant row at `index`.
    fn insert_row(&mut self, index: usize, entry: &RowOf<R>) -> Handle {
        let logged = self.touch_vacant(index);
        let list = self.book.writer().list_index(entry);
        let entry = Row {
            timer: logged as u32,
            marks: entry.marks | mark::LOGGED,
            ..*entry
        };
        self.book.ledger.insert(index, list, &entry)
    }

    fn set_mark(&mut self, index: usize, mark: u8, set: bool) {
        if let Some(row) = self.book.ledger.rows.get_mut(index) {
            row.marks = if set {
                row.marks | mark
            } else {
                row.marks & !mark
            };
        }
    }

    /// Deducts `slots` from the work that is left, or refuses.
    pub(crate) fn spend(&mut self, slots: u64) -> Result<(), Error> {
        self.work = self.work.checked_sub(slots).ok_or(Refusal::WorkLimit)?;
        Ok(())
    }
}
