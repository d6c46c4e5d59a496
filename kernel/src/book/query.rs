//! Queries: reservations, free processing elements, and the papers' records and rectangles.

use core::ops::RangeInclusive;

use super::Book;
use crate::{
    error::Error,
    fit::{Candidates, Job},
    handle::Handle,
    ledger::Reservation,
    pe::{Pe, PeCount},
    request::Request,
    ring::{Count, Ring, SlidingWindow},
    time::{Slot, Span, Window},
};

/// A step of the availability profile: a stretch of the ring in which nothing changes. It ends where the next step
/// begins.
///
/// Source: `li`, section 4 (AvailRectList).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ProfileStep {
    /// The first slot of the step.
    pub at: Slot,
    /// How many processing elements are busy in it.
    pub busy: PeCount,
}

/// A maximal availability rectangle: the longest stretch of time around a window during which all processing elements
/// that are free throughout the window stay free.
///
/// Source: `li`, section 4.2 (maximum availability rectangle), here limited by `now` and the horizon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Rectangle {
    /// The window of the rectangle.
    pub window: Window,
    /// How many processing elements are free throughout the window.
    pub free: PeCount,
}

impl<R: Ring> Book<'_, R> {
    /// Returns a live reservation. O(1).
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// use bookahead::State;
    /// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let reservation = book.get(booking.handle)?;
    /// assert_eq!((reservation.window.end, reservation.state), (Slot::new(8), State::Confirmed));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnknownHandle`](crate::UsageError::UnknownHandle), [`StaleHandle`](crate::UsageError::StaleHandle).
    pub fn get(&self, handle: Handle) -> Result<Reservation, Error> {
        self.ledger.get(handle)
    }

    /// Returns the processing elements that a reservation holds, in increasing order. With late binding, a reservation
    /// holds none before its start. O(PEs) for all of them.
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// assert_eq!(book.pes_of(booking.handle)?.count(), 0, "this book binds late");
    /// let mut events = heapless::Vec::<Event, 4>::new();
    /// let _ = book.advance(Slot::new(3), &mut events)?;
    /// let pes: Vec<_> = book.pes_of(booking.handle)?.map(|pe| pe.get()).collect();
    /// assert_eq!(pes, [0, 1, 2]);
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnknownHandle`](crate::UsageError::UnknownHandle), [`StaleHandle`](crate::UsageError::StaleHandle).
    pub fn pes_of(&self, handle: Handle) -> Result<impl Iterator<Item = Pe>, Error> {
        let (row, booked) = self.ledger.find(handle)?;
        let first = self.ring.next_pe(row, 0, true);
        let held = core::iter::successors(first, move |pe| {
            let next = usize::from(pe.get()).saturating_add(1);
            self.ring.next_pe(row, next, true)
        });
        // It holds no more, so nobody has to look behind the last one.
        Ok(held.take(booked.pes.get() as usize))
    }

    /// Returns the same processing elements as maximal ranges of neighbours. O(PEs / bits of a word + ranges) with early binding, O(PEs) with
    /// late.
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// use bookahead::Pe;
    /// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let mut events = heapless::Vec::<Event, 4>::new();
    /// let _ = book.advance(Slot::new(3), &mut events)?;
    /// let ranges: Vec<_> = book.pe_ranges_of(booking.handle)?.collect();
    /// assert_eq!(ranges, [Pe::new(0)..=Pe::new(2)]);
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnknownHandle`](crate::UsageError::UnknownHandle), [`StaleHandle`](crate::UsageError::StaleHandle).
    pub fn pe_ranges_of(
        &self,
        handle: Handle,
    ) -> Result<impl Iterator<Item = RangeInclusive<Pe>>, Error> {
        let (row, booked) = self.ledger.find(handle)?;
        let numbers = self.ring.numbers();
        let mut left = booked.pes.get();
        let mut from = 0;
        Ok(core::iter::from_fn(move || {
            // It holds no more, so nobody has to look behind the last one.
            if left == 0 {
                return None;
            }
            let first = self.ring.next_pe(row, from, true)?;
            let end = self.ring.next_pe(row, first.get().into(), false);
            let end = end.map_or(numbers, Pe::get).min(numbers);
            left = left.saturating_sub(end.saturating_sub(first.get()).into());
            from = end.into();
            Some(first..=Pe::new(end.saturating_sub(1)))
        }))
    }

    /// Returns all live reservations: first the running ones, then the future ones, each in order of start, ties in
    /// order of acceptance. O(horizon + reservations) for all of them.
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let later = book.reserve(&Request { ready: Slot::new(9), ..request }, Policy::FirstFit, Commitment::Confirmed)?;
    /// let sooner = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let handles: Vec<_> = book.iter().map(|(handle, _)| handle).collect();
    /// assert_eq!(handles, [sooner.handle, later.handle]);
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (Handle, Reservation)> {
        let to_come = self.ledger.starting(self.ring.axis(), 0..self.starts());
        self.ledger.running().chain(to_come).filter_map(|row| {
            let entry = self.ledger.rows.get(row)?;
            Some((entry.handle(row), entry.describe()))
        })
    }

    /// Returns the reservations that will start at `slot`, in order of acceptance. O(1) for each.
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// assert!(book.starting_at(Slot::new(3)).eq([booking.handle]));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// Source: `sulistio`, section 2.3.
    pub fn starting_at(&self, slot: Slot) -> impl Iterator<Item = Handle> {
        let offset = self.ring.axis().offset(slot);
        offset
            .filter(|offset| *offset < self.starts())
            .into_iter()
            .flat_map(|offset| self.ledger.listed(self.ring.axis().index(offset)))
            .filter_map(|row| Some(self.ledger.rows.get(row)?.handle(row)))
    }

    /// Returns before which offset all starts lie: on a ring of one slot, an overlay that is late to its end starts behind it.
    fn starts(&self) -> usize {
        let axis = self.ring.axis();
        let behind = R::OVERLAYS && axis.slots() < axis.storage();
        axis.slots().saturating_add(behind.into())
    }

    /// Returns the records of the ring from `now` on. Neighbouring records always differ, and a leading record with
    /// nothing busy is left out. O(horizon / 64 + records) for all of them.
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let records: Vec<_> = book.records().map(|record| (record.at.get(), record.busy.get())).collect();
    /// assert_eq!(records, [(3, 3), (8, 0)]);
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    pub fn records(&self) -> impl Iterator<Item = ProfileStep> {
        let axis = self.ring.axis();
        let slots = axis.slots();
        let next = move |from: usize| self.ring.edges().next_change(axis, from..slots);
        let busy = move |offset: usize| self.ring.counts().at(axis.index(offset)).get();
        let first = if busy(0) > 0 { Some(0) } else { next(0) };
        let offsets = core::iter::successors(first, move |offset| next(offset.saturating_add(1)));
        offsets.map(move |offset| ProfileStep {
            at: axis.slot(offset),
            busy: PeCount::new(busy(offset)),
        })
    }

    /// Returns the candidate starts of `request`, in increasing order. Policies that can skip starts examine fewer.
    /// O(window / 64 + candidates) for all of them.
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// // Ready at 3; the booking ends at 8; deadline less duration is 15.
    /// let starts: Vec<_> = book.candidate_starts(&request)?.map(|start| start.get()).collect();
    /// assert_eq!(starts, [3, 8, 15]);
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`plan`](Self::plan), as far as the request itself is the cause.
    ///
    /// Source: `li`, section 4.2.
    pub fn candidate_starts(&self, request: &Request) -> Result<impl Iterator<Item = Slot>, Error> {
        let job = Job::admit(self.ring.axis(), request)?;
        let profile = self.ring.profile();
        let mut candidates = Candidates::new(&job);
        Ok(core::iter::from_fn(move || {
            let start = candidates.next(profile, &job)?;
            Some(profile.axis.slot(start))
        }))
    }

    /// Returns how many processing elements are free throughout `window`; `None` unless `window` is a stretch of the
    /// ring. O(window x columns). Takes `&mut self` for scratch memory only.
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// use bookahead::Window;
    /// book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let window = Window { start: Slot::new(0), end: Slot::new(4) };
    /// assert_eq!(book.free_during(window), Some(PeCount::new(1)));
    /// assert_eq!(book.free_during(Window { end: Slot::new(49), ..window }), None);
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    pub fn free_during(&mut self, window: Window) -> Option<PeCount> {
        self.rectangle_in(window, true).map(|found| found.free)
    }

    /// Returns the maximal availability rectangle around the `duration` slots from `start`; `None` unless these are a
    /// stretch of the ring. O(window x columns + horizon / 8 x columns).
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
    /// let rectangle = book.rectangle(Slot::new(10), Span::new(2)).unwrap();
    /// assert_eq!((rectangle.window.start, rectangle.window.end), (Slot::new(8), Slot::new(48)));
    /// assert_eq!(rectangle.free, PeCount::new(4));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    pub fn rectangle(&mut self, start: Slot, duration: Span) -> Option<Rectangle> {
        self.rectangle_in(Window::starting(start, duration)?, false)
    }

    /// Returns the rectangle around `window`, or the window itself if it is `fixed`.
    fn rectangle_in(&mut self, window: Window, fixed: bool) -> Option<Rectangle> {
        let axis = self.ring.axis();
        let (start, end) = (axis.offset(window.start)?, axis.offset(window.end)?);
        let duration = end.checked_sub(start).filter(|duration| *duration > 0)?;
        let mut view = self.ring.sliding_window(duration, duration);
        let busy = view.sliding.slide_to(start);
        let within = if fixed {
            start..end
        } else {
            0..view.profile.axis.slots()
        };
        let offsets = view.sliding.rectangle(start..end, within);
        Some(Rectangle {
            window: Window {
                start: view.profile.axis.slot(offsets.start),
                end: view.profile.axis.slot(offsets.end),
            },
            free: PeCount::new(view.profile.axis.width().saturating_sub(busy)),
        })
    }
}
