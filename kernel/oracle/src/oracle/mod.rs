//! A list of reservations, and every answer looked up in it.

mod alter;
mod attempt;
mod best_effort;
mod classes;
mod elastic;
mod explain;
mod forward;
mod joint;
mod juggle;
mod mould;
mod open_ended;
mod outage;
mod overlay;
mod overrun;
mod passing;
mod placing;
mod preempt;
mod relocate;
mod row;
mod rules;
mod several;
mod shift;
mod world;

pub use attempt::Attempt;
pub use elastic::portion_window;
pub use joint::{JointOracle, JointPart, JointRefusal, Spell};
pub(crate) use juggle::{is_by_deadline, limit_of};
pub use mould::rigid_forms;
pub(crate) use passing::Due;

use std::rc::Rc;

use bookahead::{
    Commitment, Error, PeCount, Placement, Policy, Rectangle, Refusal, Request, Reservation, Slot,
    Span, Ticket, UsageError, Version, Window, raw::ProfileStep,
};

use crate::papers::li::search::choose;
use crate::{Feasible, Free, Timetable};
use bookahead_commands::{ClassNumber, Kind, Number};
use classes::Kin;
use row::{Life, Row, Terms};
use world::World;

/// The twin: the same answers as a book, without a ring, without a ledger, without haste.
///
/// ```
/// use bookahead::{PeCount, Policy, Request, Slot, Span};
/// use bookahead_commands::Kind;
/// use bookahead_oracle::Oracle;
/// let mut oracle = Oracle::new(Kind::Sets, 4, 16, 8);
/// let request = Request {
///     ready: Slot::new(2),
///     duration: Span::new(3),
///     deadline: Slot::new(9),
///     pes: PeCount::new(2),
/// };
/// let (number, start) = oracle.reserve(&request, Policy::FirstFit).unwrap();
/// assert_eq!((number, start), (0, Slot::new(2)));
/// assert_eq!(oracle.pes_of(number), Ok(&[0, 1][..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oracle {
    kind: Kind,
    /// Whether PEs have numbers.
    numbered: bool,
    pes: u32,
    slots: u32,
    capacity: usize,
    now: Slot,
    accepted: Number,
    /// How often the bookings have changed.
    revision: u64,
    incarnation: u32,
    /// The changes up to which overlays were looked at.
    seen: u64,
    /// In order of acceptance.
    rows: Vec<Row>,
    /// The rules by number, where there are any.
    rules: Option<rules::Table>,
    /// The machine, where it has a layout.
    world: Option<World>,
    /// For each number whether there is such a PE.
    existing: Vec<bool>,
    /// The classes that there have been, in order, which copies share: a long life has many.
    classes: Rc<Vec<Kin>>,
    /// How many classes there may be at a time.
    class_capacity: usize,
    /// The class that is asked for, by number.
    asked: ClassNumber,
    /// The classes of the jobs in the queue, as far as they are known.
    waited_for: Vec<ClassNumber>,
}

impl Oracle {
    /// An empty book of `capacity` rows for `pes` PEs, looking `slots` slots ahead of slot 0.
    #[must_use]
    pub fn new(kind: Kind, pes: u32, slots: u32, capacity: usize) -> Self {
        Self {
            kind: kind.binding(),
            numbered: kind != Kind::Units,
            rules: kind.has_rules().then(rules::none),
            pes,
            slots,
            capacity,
            now: Slot::new(0),
            accepted: 0,
            revision: 0,
            incarnation: 0,
            seen: 0,
            rows: Vec::new(),
            existing: vec![true; pes as usize],
            world: None,
            classes: Rc::default(),
            class_capacity: 0,
            asked: 0,
            waited_for: Vec::new(),
        }
    }

    /// Which ring it stands for.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match (self.kind, &self.rules) {
            (Kind::Counts, Some(_)) => Kind::RuledCounts,
            (Kind::Sets, Some(_)) => Kind::RuledSets,
            (Kind::Counts, None) if !self.numbered => Kind::Units,
            (kind, _) => kind,
        }
    }

    /// Which state of which book this is.
    #[must_use]
    pub fn version(&self) -> Version {
        Version {
            revision: self.revision,
            incarnation: self.incarnation,
        }
    }

    /// Makes it another book, or the same after a restart.
    pub fn set_incarnation(&mut self, incarnation: u32) {
        self.incarnation = incarnation;
    }

    /// The current slot.
    #[must_use]
    pub fn now(&self) -> Slot {
        self.now
    }

    /// How many slots it looks ahead.
    #[must_use]
    pub fn horizon(&self) -> Span {
        Span::new(self.slots)
    }

    /// The first slot behind those that it looks at.
    fn end(&self) -> Slot {
        self.now.saturating_add(self.horizon())
    }

    /// How many PEs there are.
    #[must_use]
    pub fn pes(&self) -> PeCount {
        PeCount::new(self.pes)
    }

    /// How many reservations may live at once.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// The numbers of the live reservations, in order of acceptance.
    #[must_use]
    pub fn live(&self) -> Vec<Number> {
        self.rows.iter().map(|row| row.number).collect()
    }

    /// What is free in every slot of the ring.
    #[must_use]
    pub fn timetable(&self) -> Timetable {
        let now = self.now.get();
        Timetable {
            now: self.now,
            pes: self.pes,
            slots: (now..now + u64::from(self.slots))
                .map(|slot| self.free_at(slot))
                .collect(),
        }
    }

    pub(crate) fn free_at(&self, slot: u64) -> Free {
        let busy = self.rows.iter().filter(|row| row.covers(slot));
        match self.kind {
            Kind::Counts => {
                // More than all may be taken where something is overlaid.
                let taken: u32 = busy.map(|row| row.placed.pes.get()).sum();
                Free::Count(self.pes.saturating_sub(taken + self.number_gone(slot)))
            }
            _ => {
                let mut free = self.eligible();
                let mut booked = vec![false; free.len()];
                let mut gone = self.set_gone(slot);
                gone.retain(|pe| !self.is_open_on(*pe));
                for &pe in busy.flat_map(|row| &row.set).chain(&gone) {
                    assert!(
                        !booked[usize::from(pe)],
                        "PE {pe} is booked twice in slot {slot}"
                    );
                    booked[usize::from(pe)] = true;
                    free[usize::from(pe)] = false;
                }
                Free::Set(free)
            }
        }
    }

    /// How many PEs are free throughout `window`; `None` for an empty window and one that leaves the ring.
    #[must_use]
    pub fn free_during(&self, window: Window) -> Option<PeCount> {
        let free = self.timetable().free_during(window)?;
        Some(PeCount::new(free.count()))
    }

    /// The maximal rectangle around a run; `None` when it leaves the ring or has no length.
    #[must_use]
    pub fn rectangle(&self, start: Slot, duration: Span) -> Option<Rectangle> {
        self.timetable().rectangle(start, duration)
    }

    /// The change points of the ring.
    #[must_use]
    pub fn records(&self) -> Vec<ProfileStep> {
        self.timetable().records()
    }

    /// The starts that the search tries.
    #[must_use]
    pub fn candidate_starts(&self, request: &Request) -> Vec<Slot> {
        // Those of the whole machine.
        self.for_class(0).timetable().candidate_starts(request)
    }

    /// Whether the request makes sense here and now, looking at everything but what is booked.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn check_request(&self, request: &Request) -> Result<(), Error> {
        let ready = u128::from(request.ready.get());
        let deadline = u128::from(request.deadline.get());
        let duration = u128::from(request.duration.get());
        let now = u128::from(self.now.get());
        let slots = u128::from(self.slots);
        first_that_applies(&[
            (duration == 0, UsageError::ZeroDuration.into()),
            (request.pes.get() == 0, UsageError::ZeroPes.into()),
            (request.pes.get() > self.pes, Refusal::TooWide.into()),
            (duration > slots, Refusal::TooLong.into()),
            (ready < now, Refusal::ReadyInPast.into()),
            (deadline < ready + duration, Refusal::WindowTooShort.into()),
            (deadline > now + slots, Refusal::BeyondHorizon.into()),
        ])?;
        self.admits(self.asked, request.pes.get())
    }

    /// The same, looking at whether there is a row left, too.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn check(&self, request: &Request) -> Result<(), Error> {
        self.check_request(request)?;
        if self.rows.len() >= self.capacity {
            return Err(Refusal::TableFull.into());
        }
        Ok(())
    }

    /// Every feasible candidate, in increasing order.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check).
    pub fn feasible(&self, request: &Request) -> Result<Vec<Feasible>, Error> {
        self.check(request)?;
        let starts = self.candidate_starts(request);
        let serves = |free: &Free| self.serves(self.asked, free, request.pes.get());
        Ok(self.timetable().feasible(request, &starts, serves))
    }

    /// The candidate that the policy takes.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check), or that there is no room.
    pub fn plan(&self, request: &Request, policy: Policy) -> Result<Feasible, Error> {
        let feasible = self.feasible(request)?;
        let chosen = choose(policy, &feasible).ok_or(Refusal::NoRoom)?;
        Ok(chosen.clone())
    }

    /// Plans and books.
    ///
    /// # Errors
    ///
    /// As [`plan`](Self::plan); a hold of no slots is misuse before anything else.
    pub fn book(
        &mut self,
        request: &Request,
        policy: Policy,
        commitment: Commitment,
    ) -> Result<(Number, Slot), Error> {
        check_terms(commitment)?;
        let found = self.plan(request, policy)?;
        let number = self.book_at(request, found.start, commitment);
        Ok((number, found.start))
    }

    /// Books what was planned when the book had this version.
    ///
    /// # Errors
    ///
    /// UsageError, when it would be a hold of no slots, the bookings have changed since, or the start has passed.
    pub fn commit(
        &mut self,
        request: &Request,
        start: Slot,
        version: Version,
        commitment: Commitment,
    ) -> Result<Number, Error> {
        check_terms(commitment)?;
        if version != self.version() || start < self.now {
            return Err(UsageError::StalePlan.into());
        }
        let request = Request {
            ready: request.ready.max(self.now),
            ..*request
        };
        let window = Window::starting(start, request.duration).expect("it was planned");
        let free = self.timetable().free_during(window);
        // Where it was planned for another class.
        if !free.is_some_and(|free| self.serves(self.asked, &free, request.pes.get())) {
            return Err(UsageError::StalePlan.into());
        }
        Ok(self.book_at(&request, start, commitment))
    }

    /// Books where there is room.
    fn book_at(&mut self, request: &Request, start: Slot, commitment: Commitment) -> Number {
        let number = self.enter(request, start, commitment);
        self.changed();
        number
    }

    /// A new reservation, where there is room for it.
    ///
    /// # Panics
    ///
    /// When there is none.
    fn enter(&mut self, request: &Request, start: Slot, commitment: Commitment) -> Number {
        let placed = Placement {
            start,
            duration: request.duration,
            pes: request.pes,
        };
        let window = Window::starting(start, request.duration).expect("it ends by the deadline");
        let free = self.timetable().free_during(window).expect("in the ring");
        let set = match &free {
            Free::Count(free) => {
                assert!(*free >= request.pes.get(), "it was said to fit");
                Vec::new()
            }
            Free::Set(free) => self.choice(self.asked, free, request.pes.get()),
        };
        self.push_as(*request, placed, commitment, set)
    }

    /// Appends a reservation that is what its commitment says.
    fn push_as(
        &mut self,
        request: Request,
        placed: Placement,
        commitment: Commitment,
        set: Vec<u16>,
    ) -> Number {
        let (life, terms) = match commitment {
            Commitment::Held { ttl } => (Life::Held { ttl }, None),
            Commitment::Confirmed => (Life::Confirmed, None),
            Commitment::Flexible { kind, freeze } => {
                let frozen_at = None;
                let terms = Terms {
                    kind,
                    freeze,
                    frozen_at,
                };
                (Life::Confirmed, Some(terms))
            }
        };
        let number = self.push(request, placed, life, set, None);
        self.row(number).expect("it was just made").terms = terms;
        number
    }

    fn push(
        &mut self,
        request: Request,
        placed: Placement,
        life: Life,
        set: Vec<u16>,
        ticket: Option<Ticket>,
    ) -> Number {
        let number = self.accepted;
        self.accepted += 1;
        self.rows.push(Row {
            number,
            request,
            booked_at: self.now,
            life,
            placed,
            set,
            ticket,
            terms: None,
            overlaid: 0,
            delayed: false,
            lifted: false,
            preemption: None,
            cut: false,
            class: self.asked,
            meets: None,
        });
        number
    }

    /// Notes that the bookings are not what they were.
    fn changed(&mut self) {
        self.revision += 1;
    }

    /// Books for good.
    ///
    /// # Errors
    ///
    /// As [`plan`](Self::plan).
    pub fn reserve(&mut self, request: &Request, policy: Policy) -> Result<(Number, Slot), Error> {
        self.book(request, policy, Commitment::Confirmed)
    }

    /// Books for `ttl` slots, until confirmed.
    ///
    /// # Errors
    ///
    /// As [`book`](Self::book).
    pub fn hold(
        &mut self,
        request: &Request,
        policy: Policy,
        ttl: Span,
    ) -> Result<(Number, Slot), Error> {
        self.book(request, policy, Commitment::Held { ttl })
    }

    /// Why there is no reservation with this number.
    fn missing(&self, number: Number) -> Error {
        if number < self.accepted {
            UsageError::StaleHandle.into()
        } else {
            UsageError::UnknownHandle.into()
        }
    }

    fn find(&self, number: Number) -> Result<&Row, Error> {
        let row = self.rows.iter().find(|row| row.number == number);
        row.ok_or_else(|| self.missing(number))
    }

    fn row(&mut self, number: Number) -> Result<&mut Row, Error> {
        let missing = self.missing(number);
        let row = self.rows.iter_mut().find(|row| row.number == number);
        row.ok_or(missing)
    }

    fn remove(&mut self, number: Number) {
        self.rows.retain(|row| row.number != number);
        self.look_at_others();
    }

    /// Turns a hold into a reservation.
    ///
    /// # Errors
    ///
    /// UsageError, when it has ended, is no hold, or is over.
    pub fn confirm(&mut self, number: Number) -> Result<(), Error> {
        let now = self.now;
        let row = self.row(number)?;
        let Life::Held { ttl } = row.life else {
            return Err(UsageError::NotHeld.into());
        };
        let lasts_until = row.booked_at.saturating_add(ttl);
        if lasts_until < row.placed.start && lasts_until <= now {
            return Err(UsageError::HoldExpired.into());
        }
        row.life = Life::Confirmed;
        self.changed();
        Ok(())
    }

    /// Gives a reservation up.
    ///
    /// # Errors
    ///
    /// UsageError, when it has ended.
    pub fn cancel(&mut self, number: Number) -> Result<(), Error> {
        self.find(number)?;
        self.remove(number);
        self.changed();
        Ok(())
    }

    /// A running reservation ends at `at`, or now if that has passed.
    ///
    /// # Errors
    ///
    /// UsageError, when it does not run, or `at` lies behind its end.
    pub fn complete(&mut self, number: Number, at: Slot) -> Result<(), Error> {
        let now = self.now;
        let row = self.row(number)?;
        if !row.has_started() {
            return Err(UsageError::NotRunning.into());
        }
        if row.is_open() && at > now {
            self.close(number, at)?;
        }
        let row = self.row(number)?;
        let booked_end = row.window().end;
        if at > booked_end {
            return Err(UsageError::AfterBookedEnd.into());
        }
        let end = at.max(now);
        if end == now && end < booked_end {
            self.remove(number);
        } else if end == booked_end && row.life == Life::Ending && !row.cut {
            return Ok(());
        } else {
            row.cut = false;
            row.placed.duration = end.since(row.placed.start).expect("shorter than it was");
            row.life = Life::Ending;
        }
        self.changed();
        Ok(())
    }

    /// What is known of a live reservation.
    ///
    /// # Errors
    ///
    /// UsageError, when there is none.
    pub fn get(&self, number: Number) -> Result<Reservation, Error> {
        Ok(self.find(number)?.known())
    }

    /// The PEs of a live reservation, ascending; none while none are bound.
    ///
    /// # Errors
    ///
    /// UsageError, when there is none.
    pub fn pes_of(&self, number: Number) -> Result<&[u16], Error> {
        let row = self.find(number)?;
        // In a transaction, a running job that gets narrower keeps the lowest-numbered ones; the others are free when it is committed.
        let kept = row.set.get(..row.placed.pes.get() as usize);
        Ok(kept.unwrap_or(&row.set))
    }

    /// Where a live reservation is booked.
    ///
    /// # Errors
    ///
    /// UsageError, when there is none.
    pub fn placement(&self, number: Number) -> Result<Placement, Error> {
        Ok(self.find(number)?.placed)
    }

    /// Whether the end of a live reservation has been announced.
    #[must_use]
    pub fn is_ending(&self, number: Number) -> bool {
        self.find(number).is_ok_and(|row| row.life == Life::Ending)
    }

    /// The live reservations by start, ties by acceptance.
    #[must_use]
    pub fn by_start(&self) -> Vec<(Number, Reservation)> {
        let rows = self.ordered(|_| true).into_iter();
        rows.map(|row| (row.number, row.known())).collect()
    }

    /// Those that cover a slot of `window`, in the same order.
    #[must_use]
    pub fn covering(&self, window: Window) -> Vec<Number> {
        let covers = |row: &Row| {
            let covered = row.window();
            !row.lifted && covered.start < window.end && window.start < covered.end
        };
        let rows =
            self.ordered(|row| !window.is_empty() && !row.window().is_empty() && covers(row));
        rows.into_iter().map(|row| row.number).collect()
    }

    /// Those that are `wanted`, by start, ties by acceptance.
    fn ordered(&self, wanted: impl Fn(&Row) -> bool) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.rows.iter().filter(|row| wanted(row)).collect();
        rows.sort_by_key(|row| (!row.has_started(), row.placed.start, row.number));
        rows
    }

    /// The reservations booked for `slot` that have not started, by acceptance.
    #[must_use]
    pub fn starting_at(&self, slot: Slot) -> Vec<Number> {
        let waiting = |row: &&Row| row.placed.start == slot && !row.has_started();
        self.rows
            .iter()
            .filter(waiting)
            .map(|row| row.number)
            .collect()
    }
}

/// A hold of no slots is misuse before anything else.
pub(crate) fn check_terms(commitment: Commitment) -> Result<(), Error> {
    if commitment == (Commitment::Held { ttl: Span::ZERO }) {
        return Err(UsageError::ZeroHold.into());
    }
    Ok(())
}

/// The first reason that applies, as an error.
fn first_that_applies(reasons: &[(bool, Error)]) -> Result<(), Error> {
    match reasons.iter().find(|(applies, _)| *applies) {
        Some((_, reason)) => Err(*reason),
        None => Ok(()),
    }
}

/// The lowest-numbered `wanted` of the free PEs.
fn lowest(free: &[bool], wanted: PeCount) -> Vec<u16> {
    let numbers = (0u16..)
        .zip(free)
        .filter(|(_, free)| **free)
        .map(|(pe, _)| pe);
    let set: Vec<u16> = numbers.take(wanted.get() as usize).collect();
    assert_eq!(
        set.len(),
        wanted.get() as usize,
        "a start always finds its PEs"
    );
    set
}
