//! Overlays at run time.

use heapless::VecView;

use crate::{
    book::{Advanced, Book},
    event::{Event, EventKind},
    ledger::{Phase, RowOf},
    ring::Ring,
    time::{Slot, Span, Window},
};

/// How a reservation starts whose time has come.
enum Start {
    Now,
    /// Once the running overlay in this row has been stopped.
    Instead(usize),
    /// Not yet.
    Late,
}

impl<R: Ring> Book<'_, R> {
    /// As [`Writer::approach`](crate::book::Writer::approach), with the events of overlays: an overlay that can become
    /// an ordinary booking comes before all else, and one whose late start has been reported waits in silence.
    pub(crate) fn approach_overlays(&mut self, stop: Slot) -> Option<usize> {
        // Each round reaches an event, or moves the start of an overlay by a slot.
        loop {
            if let Some(row) = self.settle_overlays() {
                return Some(row);
            }
            let index = self.writer().approach(stop)?;
            let row = *self.ledger.rows.get(index)?;
            let reported = row.phase == Phase::OVERLAID && row.duration < row.requested;
            if !reported || row.duration == Span::ZERO {
                return Some(index);
            }
            if !matches!(self.start_of(index, &row), Start::Late) {
                return Some(index);
            }
            self.postpone(index, &row);
        }
    }

    /// As [`Writer::advance`](crate::book::Writer::advance).
    pub(crate) fn advance_overlays(&mut self, to: Slot, events: &mut VecView<Event>) -> Advanced {
        while let Some(row) = self.approach_overlays(to) {
            if events.is_full() {
                return Advanced::EventsWaiting;
            }
            // Cannot fail: the list is not full.
            let _ = events.push(self.step(row, to));
        }
        self.self_check();
        Advanced::Done
    }

    /// As [`Writer::step`](crate::book::Writer::step), for the row that
    /// [`approach_overlays`](Self::approach_overlays) returned.
    pub(crate) fn step_overlays(&mut self, index: usize, to: Slot) -> Event {
        let row = self.ledger.rows.get(index).copied().unwrap_or_default();
        let event = |index: usize, row: &RowOf<R>, kind| Event {
            at: self.now(),
            handle: row.handle(index),
            kind,
            ticket: row.ticket(),
        };
        // Only an overlay that becomes an ordinary booking is returned before all are settled.
        if self.is_unsettled() {
            let event = event(index, &row, EventKind::OverlayBooked);
            self.book_overlaid(index, &row);
            return event;
        }
        if row.happens(to) == EventKind::Started {
            match self.start_of(index, &row) {
                Start::Now => (),
                Start::Instead(other) => {
                    let stopped = self.ledger.rows.get(other).copied().unwrap_or_default();
                    let event = event(other, &stopped, EventKind::CutShort);
                    self.writer().remove(other);
                    self.writer().changed();
                    return event;
                }
                Start::Late => {
                    let event = event(index, &row, EventKind::LateStart);
                    self.postpone(index, &row);
                    return event;
                }
            }
        }
        self.writer().step(index, to)
    }

    /// After a change of the bookings, turns what is overlaid into ordinary bookings as far as there is firm room, in
    /// order of acceptance. Returns the first row of which nothing would remain overlaid: that is an event of its own.
    /// O(overlays x (rows + duration)).
    fn settle_overlays(&mut self) -> Option<usize> {
        if !self.is_unsettled() {
            return None;
        }
        let mut last = None;
        while let Some((index, row)) = self.next_overlay(last) {
            last = Some(row.accepted);
            let pes = self.bookable(index, &row);
            if pes > 0 && pes == self.overlaid_of(index) {
                return Some(index);
            }
            self.book_overlaid(index, &row);
        }
        self.settled();
        None
    }

    /// Notes that overlays have been examined with the present bookings.
    fn settled(&mut self) {
        let revision = self.ledger.state.revision;
        self.ring.set_seen(revision);
        self.ledger.note_table();
    }

    /// Returns whether the bookings have changed since overlays were last settled.
    pub(crate) fn is_unsettled(&self) -> bool {
        self.ring.seen() != Some(self.ledger.state.revision)
    }

    /// Returns whether the bookings have changed so that an overlay may become an ordinary booking. O(rows x duration).
    pub(crate) fn is_settling(&self) -> bool {
        let mut rows = self.ledger.rows.iter().enumerate();
        self.is_unsettled()
            && rows.any(|(index, row)| row.is_live() && self.bookable(index, row) > 0)
    }

    /// Returns the first overlay accepted after number `last`. O(rows).
    fn next_overlay(&self, last: Option<u64>) -> Option<(usize, RowOf<R>)> {
        let rows = self.ledger.rows.iter().enumerate();
        let overlays = rows.filter(|(index, row)| {
            row.is_live()
                && self.overlaid_of(*index) > 0
                && last.is_none_or(|last| row.accepted > last)
        });
        let first = overlays.min_by_key(|(_, row)| row.accepted);
        first.map(|(index, row)| (index, *row))
    }

    /// Returns how much of the overlaid part of a row can become an ordinary booking. Nothing of a hold, which is not
    /// accepted yet.
    fn bookable(&self, index: usize, row: &RowOf<R>) -> u32 {
        let offsets = self.ring.axis().covered(row.window());
        if row.is_held() || offsets.is_empty() {
            return 0;
        }
        let overlaid = self.overlaid_of(index);
        if overlaid == 0 {
            return 0;
        }
        self.ring.firmly_free(offsets).min(overlaid)
    }

    /// Turns as much as possible of the overlaid part of a row into an ordinary booking.
    fn book_overlaid(&mut self, index: usize, row: &RowOf<R>) {
        let pes = self.bookable(index, row);
        if pes == 0 {
            return;
        }
        let (offsets, now) = (self.ring.axis().covered(row.window()), self.now());
        self.ring.book(index, offsets, pes);
        self.ledger.note(index);
        if self.overlaid_of(index) == 0 && row.phase == Phase::OVERLAID {
            self.ledger.enter(index, Phase::CONFIRMED, now);
        }
        self.writer().changed();
    }

    /// Returns how a reservation starts that is due. One with nothing overlaid always can: all running overlays together
    /// hold what it lacks. O(PEs + running).
    fn start_of(&self, index: usize, row: &RowOf<R>) -> Start {
        let lacking = row.pes.get().saturating_sub(self.ring.idle());
        if lacking == 0 {
            return Start::Now;
        }
        let firm = self.overlaid_of(index) == 0;
        let yields = self.running().filter(|(other, running)| {
            self.overlaid_of(*other) > 0 && (firm || running.accepted > row.accepted)
        });
        let (mut held, mut last) = (0_u32, None);
        for (other, running) in yields {
            held = held.saturating_add(running.pes.get());
            last = last.max(Some((running.accepted, other)));
        }
        match last {
            Some((_, other)) if held >= lacking => Start::Instead(other),
            _ => Start::Late,
        }
    }

    /// Moves the start of an overlay to the next slot; its end stays.
    fn postpone(&mut self, index: usize, row: &RowOf<R>) {
        let (now, settled) = (self.now(), !self.is_unsettled());
        let next = now.saturating_add(Span::new(1));
        let mut writer = self.writer();
        writer.release(
            index,
            Window {
                start: now,
                end: next,
            },
        );
        let before = writer.list_index(row);
        writer.ledger.unlink(index, before);
        writer.ledger.postpone(index, now);
        let axis = writer.ring.axis();
        let after = axis.index(axis.nearest(next));
        writer.ledger.link(index, after);
        // It leaves this slot to others, so a queue has to look again; overlays find no more room than before.
        writer.changed();
        if settled {
            self.settled();
        }
        self.self_check();
    }
}
