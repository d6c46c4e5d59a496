//! Processing elements that leave, and come back.

use heapless::VecView;

use super::{Broken, Transaction};
use crate::{
    book::{Book, Commitment, covering},
    error::{Error, UsageError},
    fit::Job,
    handle::Handle,
    ledger::RowOf,
    pe::PeCount,
    request::Request,
    ring::Ring,
    time::{Slot, Span, Window},
};

/// How processing elements leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Outage {
    /// They are gone from now on: what runs on them is lost.
    Failure {
        /// When they will be back, as far as is known.
        until: Slot,
    },
    /// They are wanted: what runs on them goes on until its booked end, and they leave when it has ended.
    Maintenance {
        /// When they are wanted.
        window: Window,
    },
}

impl<R: Ring> Book<'_, R> {
    /// Returns whether a reservation is a part of an [outage](crate::Transaction::take_out). O(1).
    ///
    /// # Errors
    ///
    /// [`UsageError::UnknownHandle`], [`UsageError::StaleHandle`].
    pub fn is_outage(&self, handle: Handle) -> Result<bool, Error> {
        let (_, row) = self.ledger.find(handle)?;
        Ok(R::is_out(row))
    }
}

impl<R: Ring> Transaction<'_, '_, R> {
    /// Takes processing elements out of service, whoever has them. The set is given as for [`Book::reserve_exactly`].
    ///
    /// Reservations that have not started and have one of them in that time are lifted. Those that run are broken in a failure, and go on in maintenance.
    /// When the outage has its place, those lifted are placed again, the earliest accepted first: at the same start if possible, on other processing
    /// elements, else at the first start in their own window. Whoever finds no place leaves, and is appended to `broken` as far as there is room, after those that
    /// ran, each the earliest accepted first; the [moves](Self::moves) name all of them. A start that was reported as
    /// [fixed](crate::EventKind::StartFixed) may move. As a [plan](Self::plan) it says what it would cost, and changes nothing.
    ///
    /// What is out of service already, what [rules](Self::set_rule) take, and in maintenance what runs, stays. So the outage consists of parts: one begins in each slot in which one of the
    /// processing elements is there that no part has; it has all of those, until the first slot in which one of them is not. Each part is a reservation of
    /// [exactly these](crate::Book::reserve_exactly), and is appended to `parts` as far as there is room. It starts and ends as others do, with events; `extend_by_force` prolongs one that
    /// has started, `complete` and `cancel` end it early, and [`Book::is_outage`](crate::Book::is_outage) tells it from others. An outage never gives way to another
    /// one, nor to a job that takes longer. Where who stays ends early, the same call again takes what has become free.
    ///
    /// An outage without a known end is one up to the [horizon](crate::Book::horizon) that is prolonged by force after each advance: what has just come within the
    /// horizon is promised to nobody yet, so that moves and breaks nothing. Where a rule is in the way of that, the same call again goes on behind it.
    ///
    /// O((those in the way + parts) x (reservations + duration x columns) + those in the way x a first fit).
    ///
    /// ```
    /// # use bookahead::{Commitment, Layout, PeCount, PlacedBook, Policy, Request, Slot, Span};
    /// # let mut memory = PlacedBook::<u32, 1, 1, 8, 1, 0>::zeroed();
    /// # let mut book = memory.init(&Layout { groups: 4, kinds: &[2], missing: &[], levels: &[] }, Span::new(64))?;
    /// # let mut events = heapless::Vec::<bookahead::Event, 4>::new();
    /// use bookahead::{Broken, Outage, Pe, PeWorkspace};
    /// let request = |ready, pes| Request { ready: Slot::new(ready), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(pes) };
    /// let runs = book.reserve(&request(0, 3), Policy::FirstFit, Commitment::Confirmed)?;
    /// let _ = book.advance(Slot::new(1), &mut events)?;
    /// let next = book.reserve(&request(3, 4), Policy::FirstFit, Commitment::Confirmed)?;
    /// assert!(book.pes_of(next.handle)?.map(Pe::get).eq([3, 4, 5, 6]));
    ///
    /// // Group 1 fails, and will take until slot 10. Of the job that ran on 0, 1 and 2 nothing is left; the next one keeps its start.
    /// let mut workspace = PeWorkspace::<u32, 1, 8, 0>::new();
    /// let (mut parts, mut broken) = (heapless::Vec::<_, 4>::new(), heapless::Vec::<Broken, 4>::new());
    /// let mut transaction = book.transaction(workspace.view(), 1_000);
    /// transaction.take_out(Outage::Failure { until: Slot::new(10) }, &[0b1100], &mut parts, &mut broken)?;
    /// transaction.commit()?;
    /// assert_eq!((broken.len(), broken[0].handle), (1, runs.handle));
    /// assert_eq!(book.get(next.handle)?.window.start, Slot::new(3));
    /// assert!(book.pes_of(next.handle)?.map(Pe::get).eq([0, 1, 4, 5]));
    /// // It is back early.
    /// assert!(book.is_outage(parts[0])?);
    /// book.cancel(parts[0])?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::BadPes`], also in every book without a layout, [`UsageError::ZeroDuration`], [`Refusal::TooLong`](crate::Refusal::TooLong),
    /// [`Refusal::ReadyInPast`](crate::Refusal::ReadyInPast), [`Refusal::BeyondHorizon`](crate::Refusal::BeyondHorizon), [`Refusal::MoveLimit`](crate::Refusal::MoveLimit), [`Refusal::WorkLimit`](crate::Refusal::WorkLimit),
    /// [`Refusal::TableFull`](crate::Refusal::TableFull), also when the only vacant rows are of reservations that this transaction removed. In every case the transaction is as it was before,
    /// except for the work, and nothing is appended.
    pub fn take_out(
        &mut self,
        outage: Outage,
        pes: &[u32],
        parts: &mut VecView<Handle>,
        broken: &mut VecView<Broken>,
    ) -> Result<(), Error> {
        let (window, breaks) = match outage {
            Outage::Failure { until } => {
                let start = self.now();
                (Window { start, end: until }, true)
            }
            Outage::Maintenance { window } => (window, false),
        };
        let count = self.book.ring.choose_exactly(pes);
        let count = count.ok_or(UsageError::BadPes)?;
        Job::admit(self.book.ring.axis(), &part_of(window, count))?;
        let listed = (parts.len(), broken.len());
        let taken = self.all_or_nothing(|transaction| {
            let first = transaction.len;
            while let Some((index, row)) = transaction.next_to_go(window, breaks) {
                if row.is_running() {
                    transaction.break_promise(index, &row, broken)?;
                } else {
                    transaction.lift_row(index, &row)?;
                }
            }
            let lifted = first..transaction.len;
            transaction.insert_each(window, pes, parts)?;
            transaction.find_places(lifted, broken)
        });
        if taken.is_err() {
            parts.truncate(listed.0);
            broken.truncate(listed.1);
        }
        taken
    }

    /// Returns the next row that has to go, of those that have one of the set that was noted: first those that run, if they do.
    fn next_to_go(&self, window: Window, breaks: bool) -> Option<(usize, RowOf<R>)> {
        let rows = self.book.covering_rows(window).filter(|(index, row)| {
            let goes = breaks || !row.is_running();
            goes && !R::is_out(row) && self.book.ring.meets(*index)
        });
        let next = rows.min_by_key(|(_, row)| (!row.is_running(), row.accepted));
        next.map(|(index, row)| (index, *row))
    }

    /// Inserts the parts of an outage, for which all have gone that do not stay.
    fn insert_each(
        &mut self,
        window: Window,
        pes: &[u32],
        parts: &mut VecView<Handle>,
    ) -> Result<(), Error> {
        let mut at = window.start;
        while at < window.end {
            let behind = Window {
                start: at,
                end: window.end,
            };
            let (end, next) = self.note_those_there(behind, pes)?;
            let count = self.book.ring.noted();
            if count > 0 {
                let part = Window { start: at, end };
                let part = part_of(part, count);
                let handle = self.for_class(R::out(), |transaction| {
                    transaction.insert_asked(&part, at, Commitment::Confirmed)
                })?;
                // Whoever has lent too short a list finds the rest among the moves.
                let _ = parts.push(handle);
            }
            at = next;
        }
        Ok(())
    }

    /// Notes those of the set that are there at the beginning of a window, and returns the first slot in which one of them is not, and the next
    /// one in which any of the set comes or goes.
    fn note_those_there(&mut self, window: Window, pes: &[u32]) -> Result<(Slot, Slot), Error> {
        let Book { ring, ledger } = &mut *self.book;
        ring.choose_exactly(pes).ok_or(UsageError::BadPes)?;
        let first = Window {
            start: window.start,
            end: window.start.saturating_add(Span::new(1)),
        };
        let axis = *ring.axis();
        let offsets = axis.covered(window);
        let rows = covering(ledger, &axis, window).filter(|(index, _)| ring.meets(*index));
        let changes = rows.flat_map(|(_, row)| [row.start(), row.end()]);
        let next = changes.filter(|change| *change > window.start).min();
        for (index, _) in covering(ledger, &axis, first) {
            ring.leave_out(index);
        }
        let base_changes = axis.slot(ring.leave_out_base(offsets.clone()));
        let base_meets = axis.slot(ring.meets_base(offsets));
        let rows = self.book.covering_rows(window);
        let rows = rows.filter(|(index, _)| self.book.ring.meets(*index));
        let end = rows.map(|(_, row)| row.start()).min();
        let [end, next] = [end, next].map(|slot| slot.unwrap_or(window.end));
        Ok((end.min(base_meets), next.min(base_changes)))
    }
}

fn part_of(window: Window, pes: u32) -> Request {
    Request {
        ready: window.start,
        duration: window.len().unwrap_or_default(),
        deadline: window.end,
        pes: PeCount::new(pes),
    }
}
