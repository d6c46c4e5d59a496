//! What ends, starts and removes reservations, whichever ring the book has.

use crate::{
    Event, EventKind, Slot, Window,
    ledger::{Ledger, Row},
    ring::Occupancy,
};

/// The ring and the ledger of a book, changed together. Through `dyn`, so that this code exists once in a program that has both rings.
pub(crate) struct Writer<'w, 'a> {
    pub(crate) ring: &'w mut dyn Occupancy,
    pub(crate) ledger: &'w mut Ledger<'a>,
}

impl Writer<'_, '_> {
    fn now(&self) -> Slot {
        self.ring.axis().now()
    }

    /// Gives back what the reservation in `row` has of `window`.
    pub(crate) fn release(&mut self, row: usize, window: Window) {
        if let Some(pes) = self.ledger.rows.get(row).map(|row| row.pes.get()) {
            let offsets = self.ring.axis().covered(window);
            self.ring.release(row, offsets, pes);
        }
    }

    /// Removes the reservation in `row` and frees what is left of its window.
    pub(crate) fn remove(&mut self, row: usize) {
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
        self.ledger.remove(row, index, self.ring.axis().now());
    }

    /// Which of the lists by start a row belongs to: the one at an index of the ring, or for `None` that of the running ones.
    pub(crate) fn list_index(&self, row: &Row) -> Option<usize> {
        let axis = self.ring.axis();
        (!row.is_running()).then(|| axis.place(axis.nearest(row.start())))
    }

    /// The job in `row` starts.
    pub(crate) fn start(&mut self, row: usize) {
        let Some(job) = self.ledger.rows.get(row) else {
            return;
        };
        let (pes, index) = (job.pes.get(), self.list_index(job));
        if let Some(index) = index {
            self.ledger.start(row, index, self.ring.axis().now());
            self.ring.bind(row, pes);
        }
    }

    /// Moves `now` to the slot of the next event by the time that `now` is `stop`, on the way to `to`, or to `stop` if there is none.
    pub(crate) fn approach(&mut self, stop: Slot, to: Slot) -> Option<(usize, Event)> {
        let next = self.ledger.next_event(stop, to);
        let reached = next.map_or(stop, |(_, event)| event.at);
        if reached > self.now() {
            self.ring.pass(reached);
        }
        next
    }

    /// Makes the event true that [`Self::approach`] has found.
    pub(crate) fn happen(&mut self, row: usize, event: &Event) {
        if event.kind == EventKind::Started {
            self.start(row);
        } else {
            self.remove(row);
        }
    }
}
