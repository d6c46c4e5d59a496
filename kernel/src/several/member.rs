//! What a joint decision asks of each of its books, whatever their rings are.

use crate::{
    book::Book,
    error::{Error, Refusal},
    event::Event,
    fit::{self, Job},
    handle::Handle,
    ledger::{Phase, Placement, Row, RowOf},
    pe::PeCount,
    request::Request,
    ring::{Axis, CountRing, PeRing, Ring},
    time::{Slot, Span, Window},
    transaction::Workspace,
};
#[cfg(feature = "placement")]
use crate::{error::UsageError, placement::ClassId, ring::PlacedRing};

/// What is needed of one of several books.
///
/// ```
/// use bookahead::{Need, PeCount};
/// // Two nodes, no licence, five units of bandwidth.
/// let needs = [Need::new(PeCount::new(2)), Need::NONE, Need::new(PeCount::new(5))];
/// # let _ = needs;
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Need {
    pub(super) pes: PeCount,
    #[cfg(feature = "placement")]
    class: ClassId,
}

impl Need {
    /// Nothing is needed of this book.
    pub const NONE: Self = Self::new(PeCount::ZERO);

    /// Any `pes` processing elements or units of the book.
    #[must_use]
    pub const fn new(pes: PeCount) -> Self {
        Self {
            pes,
            #[cfg(feature = "placement")]
            class: ClassId::ANY,
        }
    }

    /// `pes` processing elements of a class of the book.
    #[cfg(feature = "placement")]
    #[must_use]
    pub const fn of_class(class: ClassId, pes: PeCount) -> Self {
        Self { pes, class }
    }
}

/// Who looks for a start in a book.
#[derive(Clone, Copy)]
pub(crate) enum Asker {
    Newcomer(Need),
    /// The reservation in this row, which has released its slots.
    Row(usize),
}

/// A ring whose reservations are all as firm as each other: all but the one with overlays.
pub trait Firm {}

impl<S: crate::ring::Scan, N: crate::ring::Width> Firm for CountRing<'_, S, N> {}
impl<C: crate::column::Column, S: crate::ring::Scan> Firm for PeRing<'_, C, S> {}
#[cfg(feature = "placement")]
impl<C: crate::column::Column, S: crate::ring::Scan> Firm for PlacedRing<'_, C, S> {}
#[cfg(feature = "outages")]
impl<R: Firm + crate::ring::SetParts> Firm for crate::ring::RuledRing<'_, R> {}

/// What [`Resource`] offers to the crate.
pub(crate) trait Member {
    fn axis(&self) -> &Axis;

    /// Returns how many rows there are.
    fn rows(&self) -> usize;

    /// Returns a row, live or not, as that of a book with the widest counts.
    fn row(&self, row: usize) -> Option<Row<u32>>;

    fn find(&self, handle: Handle) -> Result<(usize, Row<u32>), Error>;

    /// Checks the request of an asker, with its own number of processing elements, apart from free ones. Returns its job.
    fn admit(&self, asker: Asker, times: &Request) -> Result<Job, Error>;

    /// Returns the earliest start of an admitted asker's job, which may be ready later than it was admitted for, and so late that there is none.
    fn earliest(&mut self, asker: Asker, job: &Job) -> Option<usize>;

    /// Books an admitted newcomer's job whose window is a run for which there is room.
    fn book_at(&mut self, asker: Asker, run: &Job, hold: Option<Span>) -> Result<Handle, Error>;

    fn confirm_part(&mut self, handle: Handle) -> Result<(), Error>;

    fn cancel_part(&mut self, handle: Handle) -> Result<(), Error>;

    fn complete_part(&mut self, handle: Handle, at: Slot) -> Result<(), Error>;

    /// Returns what is due next: the slot, the phase that decides the order in it, and the row.
    fn due(&self) -> Option<(Slot, Phase, usize)>;

    /// Moves `now` on, if it is not there yet.
    fn move_now(&mut self, to: Slot);

    fn happen(&mut self, row: usize, to: Slot) -> Event;

    /// Frees the slots of a row, until it claims some again.
    fn release(&mut self, row: usize, window: Window);

    /// Claims for a row, which has released its own, the slots of another window: for a running one, on the processing elements that it has.
    fn claim(&mut self, row: usize, window: Window) -> bool;

    /// Claims for a row what it had before it released it.
    fn restore(&mut self, row: usize);

    /// Writes to a row the window that was claimed for it, which is all of its own window from now on.
    fn write_window(&mut self, row: usize, window: Window);
}

/// A book that several books can be decided with: any [`Book`] but one with overlays, and a quota. The trait is sealed.
#[allow(private_bounds, reason = "sealed: only the crate's own books")]
pub trait Resource: Member {}

impl<R: Ring + Firm> Resource for Book<'_, R> {}

impl<R: Ring> Book<'_, R> {
    /// Returns the class of an asker, and how many it asks for.
    fn asker(&self, asker: Asker) -> Result<(R::Class, PeCount), Error> {
        match asker {
            #[cfg(feature = "placement")]
            Asker::Newcomer(need) => {
                let class = self.ring.find_class(need.class);
                Ok((class.ok_or(UsageError::StaleClass)?, need.pes))
            }
            #[cfg(not(feature = "placement"))]
            Asker::Newcomer(need) => Ok((R::Class::default(), need.pes)),
            Asker::Row(row) => {
                let row = self.booked(row);
                R::may_choose(&row, 0)?;
                Ok((R::class_of(&row), row.pes.count()))
            }
        }
    }

    fn booked(&self, row: usize) -> RowOf<R> {
        self.ledger.rows.get(row).copied().unwrap_or_default()
    }
}

impl<R: Ring + Firm> Member for Book<'_, R> {
    fn axis(&self) -> &Axis {
        self.ring.axis()
    }

    fn rows(&self) -> usize {
        self.ledger.rows.len()
    }

    fn row(&self, row: usize) -> Option<Row<u32>> {
        self.ledger.rows.get(row).map(Row::widest)
    }

    fn find(&self, handle: Handle) -> Result<(usize, Row<u32>), Error> {
        let (index, row) = self.ledger.find(handle)?;
        Ok((index, row.widest()))
    }

    fn admit(&self, asker: Asker, times: &Request) -> Result<Job, Error> {
        let (class, pes) = self.asker(asker)?;
        let job = Job::admit(self.ring.axis(), &Request { pes, ..*times })?;
        self.ring.admit(class, job.pes)?;
        if matches!(asker, Asker::Newcomer(_)) && self.ledger.next_row().is_none() {
            return Err(Refusal::TableFull.into());
        }
        Ok(job)
    }

    fn earliest(&mut self, asker: Asker, job: &Job) -> Option<usize> {
        if job.ready > job.latest {
            return None;
        }
        let (class, _) = self.asker(asker).ok()?;
        self.for_class(class, |book| fit::earliest(&mut book.ring, job))
    }

    fn book_at(&mut self, asker: Asker, run: &Job, hold: Option<Span>) -> Result<Handle, Error> {
        let (class, _) = self.asker(asker)?;
        let row = self.ledger.next_row().ok_or(Refusal::TableFull)?;
        let handle = self.for_class(class, |book| {
            let inserted = book.writer().insert(row, run, run.ready, hold);
            book.set_asked(inserted);
            inserted
        });
        handle.ok_or(Refusal::NoRoom.into())
    }

    fn confirm_part(&mut self, handle: Handle) -> Result<(), Error> {
        self.confirm(handle)
    }

    fn cancel_part(&mut self, handle: Handle) -> Result<(), Error> {
        self.cancel(handle)
    }

    fn complete_part(&mut self, handle: Handle, at: Slot) -> Result<(), Error> {
        self.complete(handle, at)
    }

    fn due(&self) -> Option<(Slot, Phase, usize)> {
        let (row, due) = self.ledger.next_due(self.now())?;
        Some((due, self.booked(row).phase, row))
    }

    fn move_now(&mut self, to: Slot) {
        if to > self.now() {
            self.ring.move_now(to);
            self.self_check();
        }
    }

    fn happen(&mut self, row: usize, to: Slot) -> Event {
        self.step(row, to)
    }

    fn release(&mut self, row: usize, window: Window) {
        self.writer().release(row, window);
    }

    fn claim(&mut self, row: usize, window: Window) -> bool {
        let old = self.booked(row);
        self.for_class(R::class_of(&old), |book| {
            let offsets = book.ring.axis().covered(window);
            let (pes, running) = (old.pes.get(), old.is_running());
            book.ring.reclaim(row, offsets, pes, running)
        })
    }

    fn restore(&mut self, row: usize) {
        let old = self.booked(row);
        let offsets = self.ring.axis().covered(old.window());
        self.ring.restore(row, offsets, old.pes.get());
    }

    fn write_window(&mut self, row: usize, window: Window) {
        let (now, old) = (self.now(), self.booked(row));
        let (start, duration) = (window.start, window.len().unwrap_or_default());
        let mut new = Row {
            requested: duration,
            room: Span::new(old.lead.get().saturating_add(duration.get())),
            ..old
        };
        if !old.is_running() {
            let booked_at = old.ready.saturating_sub(old.ahead);
            new.ready = start;
            new.room = duration;
            new.ahead = start.since(booked_at).unwrap_or_default();
        }
        new.set_placement(&Placement {
            start,
            duration,
            ..old.placement()
        });
        self.ledger.note(row);
        self.ledger.timers(now).remove(row as u32);
        // As a transaction without a log, which has nothing to settle.
        let no_log = Workspace::new(&mut [], &mut [], &mut []);
        self.transaction(no_log, 0).set_row(row, &old, &new);
        let longest = &mut self.ledger.state.longest;
        *longest = duration.max(*longest);
        let due = self.ledger.rows.get_mut(row).map_or(now, |row| {
            row.fix_if_passed(now);
            row.due()
        });
        self.ledger.timers(now).insert(row as u32, due);
        self.writer().changed();
        self.self_check();
    }
}
