//! Processing elements that leave, and come back.

use heapless::VecView;

use super::{Broken, Transaction};
use crate::{
    book::{Book, Commitment, covering},
    error::{Error, UsageError},
    fit::Job,
    handle::Handle,
    ledger::RowOf,
    pe::{PeCount, has},
    request::Request,
    ring::{Count, CountScan, Ring},
    rule::Absent,
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
    /// Takes processing elements out of service, whoever has them: so many with late binding, and on a machine with a layout these, given as for
    /// [`Book::reserve_exactly`].
    ///
    /// With a layout, reservations that have not started and have one of them in that time are lifted. Those that run are broken in a failure, and go on in maintenance.
    /// With late binding, reservations are in the way as long as too few are free in a slot that they cover: holds are lifted first, then confirmed ones, and in a failure running jobs of a
    /// queue are broken after them, then running ones, of each the latest accepted first. When the outage has its place, those lifted are placed again, the earliest accepted first: at the same start if possible, on other processing
    /// elements, else at the first start in their own window. Whoever finds no place leaves, and is appended to `broken` as far as there is room, the earliest accepted first, after those that
    /// ran, which are in the order in which they were broken: with a layout the earliest accepted first as well; the [moves](Self::moves) name all of them. A start that was reported as
    /// [fixed](crate::EventKind::StartFixed) may move. As a [plan](Self::plan) it says what it would cost, and changes nothing.
    ///
    /// What is out of service already, what [rules](Self::set_rule) take, and in maintenance what runs, stays. So the outage consists of parts: one begins in each slot in which one of the
    /// processing elements is there that no part has; it has all of those, until the first slot in which one of them is not. Each part is a reservation of
    /// [exactly these](crate::Book::reserve_exactly), and is appended to `parts` as far as there is room. It starts and ends as others do, with events; `extend_by_force` prolongs one that
    /// has started, `complete` and `cancel` end it early, and [`Book::is_outage`](crate::Book::is_outage) tells it from others. An outage never gives way to another
    /// one, nor to a job that takes longer. Where who stays ends early, the same call again takes what has become free.
    ///
    /// With late binding a part has as many as are there and still wanted in its first slot, until the first slot in which fewer are. Who stays counts, and not on which processing elements: outages of a number add up, as far as there
    /// are so many. Which ones it has, is known when it starts: the lowest-numbered idle ones, as for any reservation. Where who stays ends early, ask again for as many as are still wanted.
    /// In a failure they may be named, as far as they have numbers: who runs on one of these is broken, and nobody else who runs; as many leave as are not out of service already. Once that is committed, [`Book::bind`](crate::Book::bind) says that the first part has these.
    ///
    /// An outage without a known end is one up to the [horizon](crate::Book::horizon) that is prolonged by force after each advance: what has just come within the
    /// horizon is promised to nobody yet, so that moves and breaks nothing. Where a rule or another outage is in the way of that, its last part has not started and cannot be prolonged: [remove](Self::remove) the parts that have not started, and take out what they were of anew, up to the new horizon, in one transaction. The same call again would do as well, with one more part for each advance.
    ///
    /// O((those in the way + parts) x (reservations + duration x columns) + those in the way x a first fit); where late binding is told names, and those that run x PEs, once for each that is broken.
    ///
    /// ```
    /// # use bookahead::{Commitment, Layout, PeCount, PlacedBook, Policy, Request, Slot, Span};
    /// # let mut memory = PlacedBook::<u32, 1, 1, 8, 1, 0>::zeroed();
    /// # let mut book = memory.init(&Layout { groups: 4, kinds: &[2], missing: &[], levels: &[] }, Span::new(64))?;
    /// # let mut events = heapless::Vec::<bookahead::Event, 4>::new();
    /// use bookahead::{Absent, Broken, Outage, Pe, PeWorkspace};
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
    /// let these = Absent::These(&[0b1100]);
    /// transaction.take_out(Outage::Failure { until: Slot::new(10) }, these, &mut parts, &mut broken)?;
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
    /// Checked in this order: [`UsageError::BadPes`], also for a number on a machine with a layout, for a set in maintenance with late binding or of units, and in every book with early binding or overlays without a layout,
    /// [`UsageError::ZeroPes`], [`Refusal::TooWide`](crate::Refusal::TooWide) for a number, [`UsageError::ZeroDuration`], [`Refusal::TooLong`](crate::Refusal::TooLong),
    /// [`Refusal::ReadyInPast`](crate::Refusal::ReadyInPast), [`Refusal::BeyondHorizon`](crate::Refusal::BeyondHorizon), [`Refusal::MoveLimit`](crate::Refusal::MoveLimit), [`Refusal::WorkLimit`](crate::Refusal::WorkLimit),
    /// [`Refusal::TableFull`](crate::Refusal::TableFull), also when the only vacant rows are of reservations that this transaction removed. In every case the transaction is as it was before,
    /// except for the work, and nothing is appended.
    pub fn take_out(
        &mut self,
        outage: Outage,
        absent: Absent<'_>,
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
        let pes = self.book.ring.choose(absent)?;
        let named = match absent {
            Absent::These(pes) if R::COUNTS_DECIDE => Some(pes),
            _ => None,
        };
        if named.is_some() && !breaks {
            return Err(UsageError::BadPes.into());
        }
        Job::admit(self.book.ring.axis(), &part_of(window, pes))?;
        let listed = (parts.len(), broken.len());
        let taken = self.all_or_nothing(|transaction| {
            let first = transaction.len;
            let mut pes = pes;
            if let Some(named) = named {
                while let Some((index, row)) = transaction.next_on(named) {
                    transaction.break_promise(index, &row, broken)?;
                }
                pes = pes.saturating_sub(transaction.out_of(named));
            }
            let breaks = breaks && named.is_none();
            while let Some((index, row)) = transaction.next_to_go(window, breaks, pes) {
                if row.is_running() {
                    transaction.break_promise(index, &row, broken)?;
                } else {
                    transaction.lift_row(index, &row)?;
                }
            }
            let lifted = first..transaction.len;
            transaction.insert_each(window, absent, pes, parts)?;
            transaction.find_places(lifted, broken)
        });
        if taken.is_err() {
            parts.truncate(listed.0);
            broken.truncate(listed.1);
        }
        taken
    }

    /// Returns those that run now on one of these, and how many of these each has.
    fn on(&self, pes: &[u32]) -> impl Iterator<Item = (usize, &RowOf<R>, u32)> {
        let Book { ring, ledger } = &*self.book;
        let now = Window {
            start: ring.axis().now(),
            end: ring.axis().now().saturating_add(Span::new(1)),
        };
        let runs = covering(ledger, ring.axis(), now).filter(|(_, row)| row.is_running());
        runs.filter_map(move |(index, row)| {
            let own = core::iter::successors(ring.next_pe(index, 0, true), move |pe| {
                ring.next_pe(index, usize::from(pe.get()).saturating_add(1), true)
            });
            let own = own.filter(|pe| has(pes, pe.get().into())).count() as u32;
            (own > 0).then_some((index, row, own))
        })
    }

    /// Returns the row that was accepted first of those that run now on one of these, and that are not out of service.
    fn next_on(&self, pes: &[u32]) -> Option<(usize, RowOf<R>)> {
        let rows = self.on(pes).filter(|(_, row, _)| !R::is_out(row));
        let next = rows.min_by_key(|(_, row, _)| row.accepted);
        next.map(|(index, row, _)| (index, *row))
    }

    /// Returns how many of these are out of service now.
    fn out_of(&self, pes: &[u32]) -> u32 {
        let out = self.on(pes).filter(|(_, row, _)| R::is_out(row));
        out.map(|(.., own)| own).sum()
    }

    /// Returns the next row that has to go, and goes if it runs only where that breaks it: with a layout of those that have one of the set that was noted, first those that run; with late binding of those
    /// that cover a slot in which fewer than `pes` are free.
    fn next_to_go(&self, window: Window, breaks: bool, pes: u32) -> Option<(usize, RowOf<R>)> {
        let ring = &self.book.ring;
        let most = ring.axis().width().saturating_sub(pes);
        let rows = self.book.covering_rows(window).filter(|(index, row)| {
            let goes = (breaks || !row.is_running()) && !R::is_out(row);
            if !R::COUNTS_DECIDE {
                return goes && ring.meets(*index);
            }
            let offsets = ring.axis().covered(row.window().overlap(window));
            let short =
                || R::Scan::first_above(ring.counts(), ring.axis(), offsets, Count::of(most));
            goes && short().is_some()
        });
        let next = match R::COUNTS_DECIDE {
            true => rows.max_by_key(|(_, row)| row.gives_way()),
            false => rows.min_by_key(|(_, row)| (!row.is_running(), row.accepted)),
        };
        next.map(|(index, row)| (index, *row))
    }

    /// Inserts the parts of an outage, for which all have gone that do not stay.
    fn insert_each(
        &mut self,
        window: Window,
        absent: Absent<'_>,
        pes: u32,
        parts: &mut VecView<Handle>,
    ) -> Result<(), Error> {
        let before = self.book.ledger.state.accepted;
        let mut at = window.start;
        while at < window.end {
            let behind = Window {
                start: at,
                end: window.end,
            };
            let (count, end, next) = match R::COUNTS_DECIDE {
                true => self.count_those_there(behind, pes, before),
                false => self.note_those_there(behind, absent)?,
            };
            if count > 0 {
                let part = Window { start: at, end };
                let part = part_of(part, count);
                let handle = self.for_class(R::exactly(), |transaction| {
                    transaction.insert_asked(&part, at, Commitment::Confirmed)
                })?;
                if let Some(row) = self.book.ledger.rows.get_mut(handle.row as usize) {
                    R::set_out(row);
                }
                // Whoever has lent too short a list finds the rest among the moves.
                let _ = parts.push(handle);
            }
            at = next;
        }
        Ok(())
    }

    /// Returns how many of the `pes` that an outage wants, whose parts were accepted behind `before`, are there at the beginning of a window and still wanted, the first slot in which so many are
    /// not, and the next one in which more may be.
    fn count_those_there(&self, window: Window, pes: u32, before: u64) -> (u32, Slot, Slot) {
        let Book { ring, .. } = &*self.book;
        let axis = ring.axis();
        let rows = self.book.covering_rows(window);
        let own = rows.filter(|(_, row)| R::is_out(row) && row.accepted >= before);
        let (had, own_end) = own.fold((0_u32, window.end), |(had, end), (_, row)| {
            (had.saturating_add(row.pes.get()), end.min(row.end()))
        });
        let offsets = axis.covered(window);
        let busy = ring.counts().at(axis.index(offsets.start)).get();
        let free = axis.width().saturating_sub(busy);
        let count = free.min(pes.saturating_sub(had));
        let most = Count::of(axis.width().saturating_sub(count));
        let end = R::Scan::first_above(ring.counts(), axis, offsets.clone(), most);
        let behind = offsets.start.saturating_add(1)..offsets.end;
        let next = ring.edges().next_release(axis, behind);
        let [end, next] = [end, next].map(|offset| offset.map_or(window.end, |at| axis.slot(at)));
        (count, end, next.min(own_end).min(end))
    }

    /// Notes those of the set that are there at the beginning of a window, and returns how many, the first slot in which one of them is not, and the next
    /// one in which any of the set comes or goes.
    fn note_those_there(
        &mut self,
        window: Window,
        absent: Absent<'_>,
    ) -> Result<(u32, Slot, Slot), Error> {
        let Book { ring, ledger } = &mut *self.book;
        ring.choose(absent)?;
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
        let count = self.book.ring.noted();
        Ok((count, end.min(base_meets), next.min(base_changes)))
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
