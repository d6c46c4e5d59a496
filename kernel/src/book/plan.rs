//! Reserving in two steps: a plan is computed first, then committed completely or not at all.

use super::{Ask, Book, asking};
use crate::{
    error::{Error, Refusal, UsageError},
    fit::{self, Job},
    flexibility::{Flexibility, Freeze},
    handle::Handle,
    ledger::{Phase, Row},
    pe::RowPes,
    policy::Policy,
    request::Request,
    ring::{Ring, Width},
    time::{Slot, Span, Window},
    version::Version,
};

/// A placement for a request, computed by [`Book::plan`]. It is valid until a booking changes or its start has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Plan {
    request: Request,
    window: Window,
    version: Version,
}

impl Plan {
    /// Rebuilds a plan from its [`request`](Self::request), its [`window`](Self::window)'s start and its
    /// [`version`](Self::version), for callers that pass plans on as numbers. `None` unless a job that starts at
    /// `start` runs within the request's window.
    ///
    /// ```
    /// # use bookahead::{CountBook, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// use bookahead::Plan;
    /// let plan = book.plan(&request, Policy::FirstFit)?;
    /// assert_eq!(Plan::new(plan.request(), plan.window().start, plan.version()), Some(plan));
    /// assert_eq!(Plan::new(plan.request(), Slot::new(2), plan.version()), None, "not ready");
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    #[must_use]
    pub fn new(request: Request, start: Slot, version: Version) -> Option<Self> {
        let within = start >= request.ready && Some(start) <= request.latest_start();
        let window = Window::starting(start, request.duration)?;
        within.then_some(Self {
            request,
            window,
            version,
        })
    }

    /// Returns the version of the book that the plan was made for.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.version
    }

    /// Returns the request.
    #[must_use]
    pub const fn request(&self) -> Request {
        self.request
    }

    /// Returns the slots in which the job would run.
    #[must_use]
    pub const fn window(&self) -> Window {
        self.window
    }
}

/// What a reservation that is made promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Commitment {
    /// A firm reservation with a strict start: only its owner moves it.
    Confirmed,
    /// A hold: it reserves capacity, and expires unless it is confirmed within `ttl` slots, or by its start if that is
    /// sooner.
    Held {
        /// The time to live of the hold.
        ttl: Span,
    },
    /// A firm reservation that [juggling](Book::juggle) and [shifting](Book::shift_in) may move inside its own window
    /// until its start is fixed.
    Flexible {
        /// What the customer asked for.
        kind: Flexibility,
        /// When its start becomes fixed.
        freeze: Freeze,
    },
}

impl Commitment {
    /// Returns the time to live of a hold.
    pub(crate) const fn hold(self) -> Option<Span> {
        match self {
            Self::Held { ttl } => Some(ttl),
            Self::Confirmed | Self::Flexible { .. } => None,
        }
    }

    /// Checks that it is not a hold of no slots, which would expire at once.
    pub(crate) fn check(self) -> Result<(), Error> {
        check_hold(self.hold())
    }
}

/// Checks that a hold has a slot.
pub(crate) fn check_hold(hold: Option<Span>) -> Result<(), Error> {
    if hold == Some(Span::ZERO) {
        return Err(UsageError::ZeroHold.into());
    }
    Ok(())
}

/// A reservation that has just been made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Booking {
    /// The handle of the reservation.
    pub handle: Handle,
    /// The slot at which the job will start.
    pub start: Slot,
}

impl<R: Ring> Book<'_, R> {
    /// Returns whether and when `request` can run, without changing the book.
    ///
    /// ```
    /// # use bookahead::{CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// // At which start would each policy place the job?
    /// for policy in Policy::ALL {
    ///     assert_eq!(book.plan(&request, policy)?.window().start, Slot::new(3));
    /// }
    /// assert!(book.is_empty());
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// First fit: O(window x columns) at worst, mostly far less; with columns of 512 bits O(columns x log duration)
    /// more for each leap. PE worst fit: as first fit, and O(duration / 64) more for each improvement, of which there
    /// are at most as many as PEs. The others: as first fit, or with late binding
    /// O(window + candidates x duration / 64), since the peak of a window is searched again once the window has moved
    /// past it; all but PE best fit add a rectangle for each candidate start, O(candidates x horizon / 8 x columns) at
    /// worst. With late binding on hosts (64 bits), all but first fit take O(window + window x duration / 4,096) for the peaks of
    /// the windows, and a rectangle of O(horizon / 64) for each 64 starts and for each start that is not ruled out by
    /// that. Takes `&mut self` for scratch memory only.
    ///
    /// # Errors
    ///
    /// Checked in this order: [`UsageError::ZeroDuration`], [`UsageError::ZeroPes`], [`Refusal::TooWide`], [`Refusal::TooLong`],
    /// [`Refusal::ReadyInPast`], [`Refusal::WindowTooShort`], [`Refusal::BeyondHorizon`], [`Refusal::TableFull`],
    /// [`Refusal::NoRoom`].
    #[cfg_attr(target_pointer_width = "64", inline)]
    pub fn plan<'q>(
        &mut self,
        request: impl Ask<'q, R, Request>,
        policy: Policy,
    ) -> Result<Plan, Error> {
        asking!(self.ring, request, |request| self
            .plan_asked(request, policy))
    }

    /// As [`plan`](Self::plan), for the class that asks.
    #[cfg_attr(target_pointer_width = "64", inline(always))]
    pub(crate) fn plan_asked(&mut self, request: &Request, policy: Policy) -> Result<Plan, Error> {
        let start = self.planned_start(request, policy)?;
        Ok(Plan {
            request: *request,
            window: Window {
                start,
                end: start.saturating_add(request.duration),
            },
            version: self.version(),
        })
    }

    /// Returns the start of a plan. Apart from the plan, so that hosts do not copy that; on small devices the code is less without.
    #[cfg_attr(target_pointer_width = "64", inline(never))]
    #[cfg_attr(not(target_pointer_width = "64"), inline(always))]
    fn planned_start(&mut self, request: &Request, policy: Policy) -> Result<Slot, Error> {
        let admitted = Job::admit(self.ring.axis(), request);
        // By reference: in many programs, a copy would be the only code that needs `memcpy`.
        let job = admitted.as_ref().map_err(|error| *error)?;
        self.ring.admit(self.ring.asked(), job.pes)?;
        if self.ledger.next_row().is_none() {
            return Err(Refusal::TableFull.into());
        }
        let start = fit::choose(&mut self.ring, job, policy).ok_or(Refusal::NoRoom)?;
        Ok(self.ring.axis().slot(start))
    }

    /// Commits a plan, that is, makes its reservation. O(duration x columns + log rows).
    ///
    /// ```
    /// # use bookahead::{CountBook, UsageError, PeCount, Policy, Request, Slot, Span, Commitment};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(0), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// let plan = book.plan(&request, Policy::PeWorstFit)?;
    /// book.commit(&plan, Commitment::Confirmed)?;
    /// // The book has changed, so the plan is stale.
    /// assert_eq!(book.commit(&plan, Commitment::Confirmed), Err(UsageError::StalePlan.into()));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UsageError::ZeroHold`] for a hold of no slots; [`UsageError::StalePlan`] when a booking has changed or the
    /// start has passed since the plan was made, or when the plan is another book's.
    pub fn commit<'q>(
        &mut self,
        plan: impl Ask<'q, R, Plan>,
        commitment: Commitment,
    ) -> Result<Handle, Error> {
        asking!(self.ring, plan, |plan| self.commit_asked(plan, commitment))
    }

    /// As [`commit`](Self::commit), for the class that asks.
    pub(crate) fn commit_asked(
        &mut self,
        plan: &Plan,
        commitment: Commitment,
    ) -> Result<Handle, Error> {
        let committed = self.commit_strictly(plan, commitment.hold());
        if let Ok(handle) = committed {
            self.make_flexible(handle, commitment);
        }
        committed
    }

    /// Reserves for `request`: [`plan`](Self::plan), then [`commit`](Self::commit). Cost and errors are theirs, with
    /// [`UsageError::ZeroHold`] before all others.
    ///
    /// ```
    /// # use bookahead::{Commitment, CountBook, Event, PeCount, Policy, Request, Slot, Span};
    /// # let mut memory = bookahead::fixture::memory();
    /// # let mut book = memory.view();
    /// # let request = Request {
    /// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
    /// # };
    /// use bookahead::{EventKind, Refusal};
    /// assert_eq!(book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?.start, Slot::new(3));
    /// let too_wide = Request { pes: PeCount::new(5), ..request };
    /// assert_eq!(book.reserve(&too_wide, Policy::FirstFit, Commitment::Confirmed), Err(Refusal::TooWide.into()));
    ///
    /// // A hold expires unless it is confirmed in time.
    /// let held = book.reserve(&request, Policy::FirstFit, Commitment::Held { ttl: Span::new(2) })?;
    /// let event = book.next(Slot::new(2))?.unwrap();
    /// assert_eq!((event.kind, event.handle), (EventKind::Expired, held.handle));
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    #[inline(always)]
    pub fn reserve<'q>(
        &mut self,
        request: impl Ask<'q, R, Request>,
        policy: Policy,
        commitment: Commitment,
    ) -> Result<Booking, Error> {
        asking!(self.ring, request, |request| self
            .reserve_asked(request, policy, commitment))
    }

    /// As [`reserve`](Self::reserve), for the class that asks.
    #[inline(always)]
    pub(crate) fn reserve_asked(
        &mut self,
        request: &Request,
        policy: Policy,
        commitment: Commitment,
    ) -> Result<Booking, Error> {
        let booked = self.reserve_strictly(request, policy, commitment.hold());
        if let Ok(booking) = &booked {
            self.make_flexible(booking.handle, commitment);
        }
        booked
    }

    /// Plans and commits a strict reservation.
    fn reserve_strictly(
        &mut self,
        request: &Request,
        policy: Policy,
        hold: Option<Span>,
    ) -> Result<Booking, Error> {
        check_hold(hold)?;
        let plan = self.plan_asked(request, policy)?;
        Ok(Booking {
            handle: self.commit_strictly(&plan, hold)?,
            start: plan.window.start,
        })
    }

    /// Commits a plan as a strict reservation of the class that asks.
    fn commit_strictly(&mut self, plan: &Plan, hold: Option<Span>) -> Result<Handle, Error> {
        let committed = self.writer().commit(plan, hold);
        self.set_asked(committed.ok());
        committed
    }

    /// Notes of which class a reservation that was made is: of the one that asks.
    #[inline(always)]
    pub(crate) fn set_asked(&mut self, made: Option<Handle>) {
        if let Some(handle) = made
            && let Some(row) = self.ledger.rows.get_mut(handle.row as usize)
        {
            R::set_class(row, self.ring.asked());
        }
        self.self_check();
    }

    /// Makes a strict reservation what its commitment says. Apart from making it, and inlined, so that a program that
    /// makes no flexible ones has none of the code for them.
    #[inline(always)]
    fn make_flexible(&mut self, handle: Handle, commitment: Commitment) {
        if let Commitment::Flexible { kind, freeze } = commitment {
            let now = self.now();
            self.ledger.make_flexible(handle, kind, freeze, now);
            self.self_check();
        }
    }
}

/// Returns the ledger row of a job that is booked at `now` and starts at `offset`, confirmed and strict, or held.
pub(crate) fn entry<N: Width>(now: Slot, job: &Job, offset: usize, hold: Option<Span>) -> Row<N> {
    let slots = |from: usize, to: usize| Span::new(to.saturating_sub(from) as u32);
    let ahead = slots(0, job.ready);
    let duration = slots(0, job.duration);
    let mut row = Row {
        ready: now.saturating_add(ahead),
        room: slots(job.ready, job.window(job.latest).end),
        requested: duration,
        lead: slots(job.ready, offset),
        duration,
        ahead,
        pes: RowPes::new(job.pes),
        requested_pes: RowPes::new(job.pes),
        phase: Phase::CONFIRMED,
        ..Row::VACANT
    };
    if let Some(ttl) = hold {
        row.note = ttl.get();
        row.phase = row.phase_of_hold();
    }
    row
}
