//! Commits, cancels, completes, starts and removes reservations, for both kinds of ring.

use heapless::VecView;

use super::{
    Advanced, Plan,
    plan::{check_hold, entry},
};
use crate::{
    error::{Error, UsageError},
    event::{Event, EventKind},
    fit::Job,
    handle::Handle,
    ledger::{Ledger, RUNNING, Row},
    ring::{Occupancy, Width},
    time::{Slot, Span, Window},
};

/// The ring and the ledger of a book, changed together. The ring is `dyn`, so that a program that uses both rings
/// contains this code once.
pub(crate) struct Writer<'w, 'a, N> {
    pub(crate) ring: &'w mut dyn Occupancy,
    pub(crate) ledger: &'w mut Ledger<'a, N>,
}

impl<N: Width> Writer<'_, '_, N> {
    fn now(&self) -> Slot {
        self.ring.axis().now()
    }

    /// Counts a change of the bookings, which makes plans stale.
    pub(crate) const fn changed(&mut self) {
        self.ledger.changed();
    }

    /// Makes the reservation of a plan, strict and confirmed, or held for a time to live.
    pub(crate) fn commit(&mut self, plan: &Plan, hold: Option<Span>) -> Result<Handle, Error> {
        let (row, job, offset) = self.admit_again(plan, hold)?;
        let inserted = self.insert(row, &job, offset, hold);
        inserted.ok_or(UsageError::StalePlan.into())
    }

    /// Makes the reservation of a job at `offset` in a vacant row, strict and confirmed, or held for a time to live; nothing where it has no room.
    pub(crate) fn insert(
        &mut self,
        row: usize,
        job: &Job,
        offset: usize,
        hold: Option<Span>,
    ) -> Option<Handle> {
        if !self.ring.claim(row, job.window(offset), job.pes) {
            return None;
        }
        let axis = self.ring.axis();
        let (now, index) = (axis.now(), axis.index(offset));
        let entry = entry(now, job, offset, hold);
        let handle = self.ledger.insert(row, index, &entry);
        self.ledger
            .timers(now)
            .insert(row as u32, entry.due_when_fixed());
        self.changed();
        Some(handle)
    }

    /// Returns the row that a plan will take, its job, and the offset of its start. The version does not prove that the
    /// plan is this book's, so everything that the plan assumes is checked again.
    pub(crate) fn admit_again(
        &self,
        plan: &Plan,
        hold: Option<Span>,
    ) -> Result<(usize, Job, usize), Error> {
        check_hold(hold)?;
        if plan.version() != self.ledger.version() {
            return Err(UsageError::StalePlan.into());
        }
        let axis = self.ring.axis();
        let mut request = plan.request();
        // Time may have passed without a change of bookings; then the job is ready now.
        request.ready = request.ready.max(axis.now());
        let job = Job::admit(axis, &request).map_err(|_| UsageError::StalePlan)?;
        let offset = axis
            .offset(plan.window().start)
            .filter(|offset| (job.ready..=job.latest).contains(offset))
            .ok_or(UsageError::StalePlan)?;
        let row = self.ledger.next_row().ok_or(UsageError::StalePlan)?;
        Ok((row, job, offset))
    }

    /// See [`Book::cancel`](super::Book::cancel).
    pub(crate) fn cancel(&mut self, handle: Handle) -> Result<(), Error> {
        let (row, _) = self.ledger.find(handle)?;
        self.remove(row);
        self.changed();
        Ok(())
    }

    /// See [`Book::complete`](super::Book::complete).
    pub(crate) fn complete(&mut self, handle: Handle, at: Slot) -> Result<(), Error> {
        let now = self.now();
        let at = at.max(now);
        let (row, rest, news) = self.ledger.ending(handle, at)?;
        if !news {
            return Ok(());
        }
        if rest.is_empty() || at > now {
            self.release(row, rest);
            self.ledger.set_end(row, at, now);
        } else {
            self.remove(row);
        }
        self.changed();
        Ok(())
    }

    /// See [`Book::advance`](super::Book::advance); `to` has not passed.
    pub(crate) fn advance(&mut self, to: Slot, events: &mut VecView<Event>) -> Advanced {
        while let Some(row) = self.approach(to) {
            if events.is_full() {
                return Advanced::EventsWaiting;
            }
            // Cannot fail: the list is not full.
            let _ = events.push(self.step(row, to));
        }
        Advanced::Done
    }

    /// Frees the processing elements of the reservation in `row` during `window`.
    pub(crate) fn release(&mut self, row: usize, window: Window) {
        if let Some(pes) = self.ledger.rows.get(row).map(|row| row.pes.get()) {
            let offsets = self.ring.axis().covered(window);
            self.ring.release(row, offsets, pes);
        }
    }

    /// Removes the reservation in `row` and frees what is left of its window.
    pub(crate) fn remove(&mut self, row: usize) {
        self.take_out(row);
        self.ledger.vacate(row);
    }

    /// Takes the reservation in `row` out of ring, lists and timers, and frees what is left of its window.
    pub(crate) fn take_out(&mut self, row: usize) {
        let Some(old) = self.ledger.rows.get(row) else {
            return;
        };
        let (window, pes, running) = (old.window(), old.pes.get(), old.is_running());
        let index = self.list_index(old);
        if running {
            self.ring.unbind(row, pes);
        }
        self.release(row, window);
        self.ring.forget(row);
        self.ledger.take_out(row, index, self.ring.axis().now());
    }

    /// Returns the index of the list that a row belongs to: that of its start slot, or [`RUNNING`].
    pub(crate) fn list_index(&self, row: &Row<N>) -> usize {
        if row.is_running() {
            return RUNNING;
        }
        let axis = self.ring.axis();
        axis.index(axis.nearest(row.start()))
    }

    /// Starts the job in `row`.
    fn start(&mut self, row: usize, now: Slot) {
        let Some(job) = self.ledger.rows.get(row) else {
            return;
        };
        let (pes, index) = (job.pes.get(), self.list_index(job));
        self.ledger.start(row, index, now);
        self.ring.bind(row, pes);
    }

    /// Moves `now` to the slot of the next event that is due by `stop`, or to `stop` if there is none. Returns the row
    /// of that event.
    pub(crate) fn approach(&mut self, stop: Slot) -> Option<usize> {
        let now = self.now();
        let next = self.ledger.next_due(now).filter(|(_, due)| *due <= stop);
        let reached = next.map_or(stop, |(row, due)| {
            let row = self.ledger.rows.get(row);
            row.map_or(due, |row| row.happens_at(due))
        });
        if reached > now {
            self.ring.move_now(reached);
        }
        next.map(|(row, _)| row)
    }

    /// Processes the event that is due for the reservation in `row`, on the way to `to`. A reservation has at most three
    /// such events: its start becomes fixed, it starts, and it is removed.
    pub(crate) fn step(&mut self, row: usize, to: Slot) -> Event {
        let now = self.now();
        let event = self.ledger.rows.get(row).map(|job| Event {
            at: job.happens_at(now),
            handle: job.handle(row),
            kind: job.happens(to),
            ticket: job.ticket(),
        });
        // There is such a row, since something is due for it.
        let event = event.unwrap_or(Event {
            at: now,
            handle: Row::<N>::VACANT.handle(row),
            kind: EventKind::Missed,
            ticket: None,
        });
        match event.kind {
            EventKind::Started => self.start(row, now),
            EventKind::StartFixed => self.ledger.fix(row, now),
            _ => self.remove(row),
        }
        self.changed();
        event
    }
}
