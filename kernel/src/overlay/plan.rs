//! Accepting an overlay.

use heapless::VecView;

use crate::{
    book::{Book, Commitment, Plan, entry},
    error::{Error, Refusal, UsageError},
    fit::{Candidates, Job},
    handle::Handle,
    ledger::{Phase, Reservation, mark},
    pe::PeCount,
    request::Request,
    ring::{Occupancy, OverlayRing, Profile, RingSearch, Scan},
    risk::{Guarantee, Load, Overlap, Probability, Run, RunTimeLaw},
    time::{Span, Window},
};

/// What is demanded of an overlay, and known about it.
#[derive(Clone, Copy, Debug)]
pub struct Overlaying<'l> {
    /// What counts as keeping the promise.
    pub guarantee: Guarantee,
    /// The least probability with which it has to be kept; of a [`Threshold`](crate::Threshold), what
    /// [`get`](crate::Threshold::get) returns.
    pub threshold: Probability,
    /// The law of the newcomer's run time.
    pub law: RunTimeLaw<'l>,
}

/// A placement on top of others, computed by [`Book::plan_overlay`]. It is valid as long as a [`Plan`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverlayPlan {
    plan: Plan,
    overlaid: PeCount,
    probability: Probability,
}

impl OverlayPlan {
    /// Rebuilds a plan from its parts, for callers that pass plans on as numbers. The probability is the caller's: it is
    /// not examined again.
    #[must_use]
    pub const fn new(plan: Plan, overlaid: PeCount, probability: Probability) -> Self {
        Self {
            plan,
            overlaid,
            probability,
        }
    }

    /// Returns the request, the window and the version of the book, as of an ordinary plan.
    #[must_use]
    pub const fn plan(&self) -> Plan {
        self.plan
    }

    /// Returns how many processing elements wait for others to end early.
    #[must_use]
    pub const fn overlaid(&self) -> PeCount {
        self.overlaid
    }

    /// Returns the probability, rounded down, that the promise is kept. With it,
    /// [`Stakes::expected_profit`](crate::Stakes::expected_profit) says what the overlay earns.
    #[must_use]
    pub const fn probability(&self) -> Probability {
        self.probability
    }
}

impl<S: Scan> Book<'_, OverlayRing<'_, S>> {
    /// Returns the start at which `request` would most probably be kept on top of what is booked, without changing the
    /// book; of equally probable starts the earliest. To be called after [`plan`](Self::plan) has refused the request
    /// for lack of room.
    ///
    /// The candidates are those of `plan`. At each, the reservations booked there with nothing overlaid are taken as
    /// predecessors that may end early, each by the law that `laws` returns for it; a running one by what is left of it.
    /// One whose end has been announced does not end earlier. See [`Overlap::kept`] for the probability.
    ///
    /// `predecessors`, which is cleared first, has room for as many as are booked in one slot, and `table` an entry for
    /// each processing element that they may leave; as many as the machine has always suffice.
    ///
    /// O(candidates x (running + longest booked duration + duration + predecessors x (PEs + cost of the law))).
    ///
    /// ```
    /// use bookahead::{Commitment,
    ///     Exponential, Guarantee, OverlayBook, Overlaying, PeCount, Policy, Probability, Refusal, Request, Run,
    ///     RunTimeLaw, Slot, Span, heapless,
    /// };
    /// let mut memory = OverlayBook::<1, 4, 8>::new(PeCount::new(4), Span::new(64)).unwrap();
    /// let mut book = memory.view();
    /// let request = |ready, duration, pes| Request {
    ///     ready: Slot::new(ready),
    ///     duration: Span::new(duration),
    ///     deadline: Slot::new(ready + u64::from(duration)),
    ///     pes: PeCount::new(pes),
    /// };
    /// let first = book.reserve(&request(0, 40, 3), Policy::FirstFit, Commitment::Confirmed)?;
    /// // Two more are wanted, while only one is free.
    /// let wanted = request(10, 10, 2);
    /// assert_eq!(book.plan(&wanted, Policy::FirstFit), Err(Refusal::NoRoom.into()));
    ///
    /// // Jobs take 5 slots on average, whatever they book.
    /// let law = RunTimeLaw::Exponential(Exponential::new(1, 5).unwrap());
    /// let threshold = Probability::rounding_up(4, 5).unwrap();
    /// let overlaying = Overlaying { guarantee: Guarantee::Access, threshold, law };
    /// let (mut predecessors, mut table) = (heapless::Vec::<Run, 8>::new(), [Probability::ZERO; 4]);
    /// let plan = book.plan_overlay(&wanted, &overlaying, |_, _| law, &mut predecessors, &mut table)?;
    /// // Kept if the first job ends within 10 slots: 1 - 1/e^2.
    /// assert!((plan.probability().get().to_num::<f64>() - 0.864_664_717).abs() < 1e-8);
    /// assert_eq!(plan.overlaid(), PeCount::new(1));
    ///
    /// let second = book.commit_overlay(&plan, Commitment::Confirmed)?;
    /// // Nobody gets what the overlay waits for.
    /// let third = Request { deadline: Slot::new(60), ..request(5, 10, 1) };
    /// assert_eq!(book.reserve(&third, Policy::FirstFit, Commitment::Confirmed)?.start, Slot::new(20));
    ///
    /// // The first job ends early.
    /// let _ = book.next(Slot::new(7))?;
    /// book.complete(first.handle, Slot::new(7))?;
    /// let booked = book.next(Slot::new(7))?.map(|event| event.kind);
    /// assert_eq!(booked, Some(bookahead::EventKind::OverlayBooked));
    /// assert_eq!(book.overlaid(second)?, PeCount::ZERO);
    /// # Ok::<(), bookahead::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`plan`](Self::plan) except [`Refusal::NoRoom`], in the same order; then
    /// [`Refusal::ScratchTooShort`], [`Refusal::TooRisky`].
    ///
    /// Source: `xiao`, section 4.1.
    pub fn plan_overlay<'l>(
        &self,
        request: &Request,
        overlaying: &Overlaying<'l>,
        laws: impl Fn(Handle, &Reservation) -> RunTimeLaw<'l>,
        predecessors: &mut VecView<Run<'l>>,
        table: &mut [Probability],
    ) -> Result<OverlayPlan, Error> {
        let axis = self.ring.axis();
        let job = Job::admit(axis, request)?;
        self.ledger.next_row().ok_or(Refusal::TableFull)?;
        let mut candidates = Candidates::new(&job);
        let mut best = None;
        while let Some(start) = candidates.next(self.ring.profile(), &job) {
            if self.lacking(&job, start) > self.ring.most_overlaid(job.window(start)) {
                continue;
            }
            self.find_predecessors(start, &laws, predecessors)?;
            let kept = self
                .kept(&job, start, overlaying, predecessors, table)
                .ok_or(Refusal::ScratchTooShort)?;
            if best.is_none_or(|(probability, _)| kept > probability) {
                best = Some((kept, start));
            }
        }
        let (probability, start) = best
            .filter(|(kept, _)| *kept >= overlaying.threshold)
            .ok_or(Refusal::TooRisky)?;
        let plan = Plan::new(*request, axis.slot(start), self.version());
        Ok(OverlayPlan {
            plan: plan.ok_or(Refusal::BeyondHorizon)?,
            overlaid: PeCount::new(self.lacking(&job, start)),
            probability,
        })
    }

    /// Commits a plan, confirmed or held. Those that the overlay waits for, and itself, are pinned from then on: they can
    /// be cancelled and completed, but not altered, and neither juggling nor shifting moves them.
    /// O(duration + log rows).
    ///
    /// See [`plan_overlay`](Self::plan_overlay) for an example.
    ///
    /// # Errors
    ///
    /// [`UsageError::FlexibleOverlay`] for a flexible commitment; then as [`commit`](Self::commit).
    pub fn commit_overlay(
        &mut self,
        plan: &OverlayPlan,
        commitment: Commitment,
    ) -> Result<Handle, Error> {
        if matches!(commitment, Commitment::Flexible { .. }) {
            return Err(UsageError::FlexibleOverlay.into());
        }
        let hold = commitment.hold();
        let (row, job, offset) = self.writer().admit_again(&plan.plan, hold)?;
        let overlaid = self.lacking(&job, offset);
        let window = job.window(offset);
        if PeCount::new(overlaid) != plan.overlaid
            || overlaid > self.ring.most_overlaid(window.clone())
        {
            return Err(UsageError::StalePlan.into());
        }
        let (now, index) = (self.now(), self.ring.axis().index(offset));
        self.ring.overlay(row, window, job.pes, overlaid);
        let mut entry = entry(now, &job, offset, hold);
        if overlaid > 0 && hold.is_none() {
            entry.phase = Phase::OVERLAID;
        }
        let handle = self.ledger.insert(row, index, &entry);
        self.ledger
            .timers(now)
            .insert(row as u32, entry.due_when_fixed());
        self.writer().changed();
        self.self_check();
        Ok(handle)
    }

    /// Returns how many processing elements a job lacks that starts at `start`: the overlaid part, the same in all its
    /// slots.
    fn lacking(&self, job: &Job, start: usize) -> u32 {
        let Profile { axis, counts, .. } = self.ring.profile();
        let free = axis
            .width()
            .saturating_sub(S::peak(counts, axis, job.window(start)).into());
        job.pes.saturating_sub(free)
    }

    /// Fills `predecessors` with the reservations that are booked at `start` and may end early.
    fn find_predecessors<'l>(
        &self,
        start: usize,
        laws: &impl Fn(Handle, &Reservation) -> RunTimeLaw<'l>,
        predecessors: &mut VecView<Run<'l>>,
    ) -> Result<(), Error> {
        let axis = self.ring.axis();
        let slot = Window {
            start: axis.slot(start),
            end: axis.slot(start.saturating_add(1)),
        };
        predecessors.clear();
        for (index, row) in self.covering_rows(slot) {
            if self.overlaid_of(index) > 0 || row.is_marked(mark::ENDING) {
                continue;
            }
            let run = Run {
                pes: row.pes.count(),
                window: row.window(),
                ran: axis.now().since(row.start()).unwrap_or_default(),
                law: laws(row.handle(index), &row.describe()),
            };
            let added = predecessors.push(run);
            added.map_err(|_| Refusal::ScratchTooShort)?;
        }
        Ok(())
    }

    /// Returns the probability that a job which starts at `start` is kept; `None` when the table is too short.
    fn kept(
        &self,
        job: &Job,
        start: usize,
        overlaying: &Overlaying<'_>,
        predecessors: &[Run<'_>],
        table: &mut [Probability],
    ) -> Option<Probability> {
        let axis = self.ring.axis();
        let window = job.window(start);
        let overlap = Overlap {
            newcomer: Run {
                pes: PeCount::new(job.pes),
                window: Window {
                    start: axis.slot(window.start),
                    end: axis.slot(window.end),
                },
                ran: Span::ZERO,
                law: overlaying.law,
            },
            free: self.ring.remaining(start),
            predecessors,
        };
        let remaining = |offset| self.ring.remaining(offset);
        // Where a predecessor is followed by somebody else, as much remains as before, but he cannot end early.
        let changes = window.skip(1).filter(|offset| {
            let at = axis.slot(*offset);
            remaining(*offset) != remaining(offset.saturating_sub(1))
                || predecessors.iter().any(|run| run.window.end == at)
        });
        let later = changes.map(|offset| Load {
            at: axis.slot(offset),
            free: remaining(offset),
        });
        overlap.kept(overlaying.guarantee, later, table)
    }
}
