//! What the harness asks of the side under test.

use std::fmt::Debug;

use bookahead::{
    Advanced, BestEffortJob, Discipline, Error, Misuse, Offer, OfferTerms, Offered, PeCount,
    Policy, Portion, Query, Record, Rectangle, Request, Reservation, Slot, Span, Terms, Ticket,
    Window,
};

use crate::{Feasible, Happening, Kind, Number, Oracle, PlainQueue};

/// How far an advance came, and the events on the way.
pub type Progress<H> = (Advanced, Vec<Happening<H>>);

/// Room for all offers of any query that the tests make.
pub const LONG_OFFERS: usize = 1024;

/// A book and a queue under test together with their memory.
///
/// `Clone` and `PartialEq` are those of the memory: the harness clones it before every call and compares it after a refused one.
pub trait Subject: Clone + PartialEq {
    /// How it names reservations.
    type Handle: Copy + Eq + Debug;
    /// A plan not yet committed.
    type Plan: Clone;

    /// Which ring it has.
    fn kind(&self) -> Kind;
    /// The current slot.
    fn now(&mut self) -> Slot;
    /// How many slots it looks ahead.
    fn horizon(&mut self) -> Span;
    /// How many PEs there are.
    fn pes(&mut self) -> PeCount;
    /// How many reservations live.
    fn len(&mut self) -> usize;
    /// Whether none lives.
    fn is_empty(&mut self) -> bool {
        self.len() == 0
    }
    /// How many may live at once.
    fn capacity(&mut self) -> usize;

    /// Searches; the plan comes with its start.
    fn plan(&mut self, request: &Request, policy: Policy) -> Result<(Self::Plan, Slot), Error>;
    /// Books what was planned.
    fn commit(&mut self, plan: &Self::Plan, terms: Terms) -> Result<Self::Handle, Error>;
    /// Plans and books.
    fn book(
        &mut self,
        request: &Request,
        policy: Policy,
        terms: Terms,
    ) -> Result<(Self::Handle, Slot), Error>;
    /// Turns a hold into a reservation.
    fn confirm(&mut self, handle: Self::Handle) -> Result<(), Error>;
    /// Gives a reservation up.
    fn cancel(&mut self, handle: Self::Handle) -> Result<(), Error>;
    /// Ends a running reservation.
    fn complete(&mut self, handle: Self::Handle, at: Slot) -> Result<(), Error>;
    /// Lets time pass, with a list of events that holds `room`: below 8 exactly, else at least 4,096.
    fn advance(&mut self, to: Slot, room: usize) -> Result<Progress<Self::Handle>, Error>;

    /// Asks elastically, with a list that holds `room`: below 8 exactly, else [`LONG_OFFERS`].
    fn offers(
        &mut self,
        query: &Query,
        terms: &OfferTerms,
        room: usize,
    ) -> Result<(Offered, Vec<Offer>), Error>;
    /// Books a portion of an offer.
    fn accept(
        &mut self,
        offer: &Offer,
        portion: Portion,
        terms: Terms,
    ) -> Result<(Self::Handle, Slot), Error>;

    /// The same with an empty queue of this discipline.
    #[must_use]
    fn under(self, discipline: Discipline) -> Self;
    /// Who passes whom in the queue.
    fn discipline(&mut self) -> Discipline;
    /// How many jobs may wait.
    fn queue_capacity(&mut self) -> usize;
    /// Lets a job wait.
    fn submit(&mut self, job: &BestEffortJob) -> Result<Ticket, Error>;
    /// Takes a waiting job out.
    fn withdraw(&mut self, ticket: Ticket) -> Result<(), Error>;
    /// As [`advance`](Self::advance), and waiting jobs start.
    fn advance_queue(&mut self, to: Slot, room: usize) -> Result<Progress<Self::Handle>, Error>;
    /// The waiting jobs, in order of submission.
    fn waiting(&mut self) -> Vec<(Ticket, BestEffortJob)>;
    /// The earliest start of the first of them.
    fn shadow(&mut self) -> Option<Slot>;
    /// When something happens next, a look at the waiting jobs included.
    fn next_queue_event(&mut self) -> Option<Slot>;

    /// What is known of a reservation.
    fn get(&mut self, handle: Self::Handle) -> Result<Reservation, Error>;
    /// Its PEs, ascending.
    fn pes_of(&mut self, handle: Self::Handle) -> Result<Vec<u16>, Error>;
    /// All live ones, by start.
    fn by_start(&mut self) -> Vec<(Self::Handle, Reservation)>;
    /// Those that wait for `slot`.
    fn starting_at(&mut self, slot: Slot) -> Vec<Self::Handle>;
    /// When the next event is due.
    fn next_event(&mut self) -> Option<Slot>;
    /// What the checkers of book and queue say, as text.
    fn check_invariants(&mut self) -> Result<(), String>;

    /// How many PEs are free throughout `window`.
    fn free_during(&mut self, window: Window) -> Option<PeCount>;
    /// The maximal rectangle around a run.
    fn rectangle(&mut self, start: Slot, duration: Span) -> Option<Rectangle>;
    /// The change points.
    fn records(&mut self) -> Vec<Record>;
    /// The starts that the search tries.
    fn candidate_starts(&mut self, request: &Request) -> Result<Vec<Slot>, Error>;
}

/// An oracle as the side under test, with which the harness itself is tested.
///
/// `version` counts what the oracle alone does not know: whether a plan is still good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twin {
    /// The oracle inside.
    pub oracle: Oracle,
    /// Its queue.
    pub queue: PlainQueue,
    /// How many calls have changed it.
    pub version: u64,
}

impl Twin {
    /// A fresh twin, whose queue has as much room as the book.
    #[must_use]
    pub fn new(kind: Kind, pes: u16, slots: u32, capacity: usize) -> Self {
        Self {
            oracle: Oracle::new(kind, pes, slots, capacity),
            queue: PlainQueue::new(Discipline::Fcfs, capacity),
            version: 0,
        }
    }

    /// Runs a call and counts it if it changed anything.
    fn changing<T>(&mut self, call: impl FnOnce(&mut Oracle) -> T) -> T {
        let before = self.oracle.clone();
        let answer = call(&mut self.oracle);
        self.version += u64::from(before != self.oracle);
        answer
    }
}

/// What a [`Twin`] remembers of a plan.
#[derive(Clone, Debug)]
pub struct TwinPlan {
    request: Request,
    found: Feasible,
    version: u64,
}

impl Subject for Twin {
    type Handle = Number;
    type Plan = TwinPlan;

    fn kind(&self) -> Kind {
        self.oracle.kind()
    }
    fn now(&mut self) -> Slot {
        self.oracle.now()
    }
    fn horizon(&mut self) -> Span {
        self.oracle.horizon()
    }
    fn pes(&mut self) -> PeCount {
        self.oracle.pes()
    }
    fn len(&mut self) -> usize {
        self.oracle.live().len()
    }
    fn capacity(&mut self) -> usize {
        self.oracle.capacity()
    }

    fn plan(&mut self, request: &Request, policy: Policy) -> Result<(TwinPlan, Slot), Error> {
        let found = self.oracle.plan(request, policy)?;
        let (request, version, start) = (*request, self.version, found.start);
        Ok((
            TwinPlan {
                request,
                found,
                version,
            },
            start,
        ))
    }
    fn commit(&mut self, plan: &TwinPlan, terms: Terms) -> Result<Number, Error> {
        if terms == (Terms::Held { ttl: Span::ZERO }) {
            return Err(Misuse::ZeroHold.into());
        }
        if plan.version != self.version {
            return Err(Misuse::StalePlan.into());
        }
        self.changing(|oracle| oracle.book_at(&plan.request, &plan.found, terms))
    }
    fn book(
        &mut self,
        request: &Request,
        policy: Policy,
        terms: Terms,
    ) -> Result<(Number, Slot), Error> {
        self.changing(|oracle| oracle.book(request, policy, terms))
    }
    fn confirm(&mut self, handle: Number) -> Result<(), Error> {
        self.changing(|oracle| oracle.confirm(handle))
    }
    fn cancel(&mut self, handle: Number) -> Result<(), Error> {
        self.changing(|oracle| oracle.cancel(handle))
    }
    fn complete(&mut self, handle: Number, at: Slot) -> Result<(), Error> {
        self.changing(|oracle| oracle.complete(handle, at))
    }
    fn advance(&mut self, to: Slot, room: usize) -> Result<Progress<Number>, Error> {
        self.changing(|oracle| oracle.advance(to, room))
    }

    fn offers(
        &mut self,
        query: &Query,
        terms: &OfferTerms,
        room: usize,
    ) -> Result<(Offered, Vec<Offer>), Error> {
        let (offered, mut offers) = self.oracle.offers(query, terms, room)?;
        for offer in &mut offers {
            offer.version = self.version;
        }
        Ok((offered, offers))
    }
    fn accept(
        &mut self,
        offer: &Offer,
        portion: Portion,
        terms: Terms,
    ) -> Result<(Number, Slot), Error> {
        let newest = self.version;
        self.changing(|oracle| oracle.accept(offer, portion, terms, newest))
    }

    fn under(mut self, discipline: Discipline) -> Self {
        self.queue = PlainQueue::new(discipline, self.queue.capacity());
        self
    }
    fn discipline(&mut self) -> Discipline {
        self.queue.discipline()
    }
    fn queue_capacity(&mut self) -> usize {
        self.queue.capacity()
    }
    fn submit(&mut self, job: &BestEffortJob) -> Result<Ticket, Error> {
        let number = self.queue.submit(&self.oracle, job)?;
        Ok(Ticket::from_number(number).expect("they are counted from 1"))
    }
    fn withdraw(&mut self, ticket: Ticket) -> Result<(), Error> {
        self.queue.withdraw(ticket.get())
    }
    fn advance_queue(&mut self, to: Slot, room: usize) -> Result<Progress<Number>, Error> {
        let mut queue = self.queue.clone();
        let progress = self.changing(|oracle| queue.advance(oracle, to, room))?;
        self.queue = queue;
        Ok(progress)
    }
    fn waiting(&mut self) -> Vec<(Ticket, BestEffortJob)> {
        let named = |(number, job): &(_, _)| Some((Ticket::from_number(*number)?, *job));
        self.queue.jobs().iter().filter_map(named).collect()
    }
    fn shadow(&mut self) -> Option<Slot> {
        self.queue.shadow(&self.oracle)
    }
    fn next_queue_event(&mut self) -> Option<Slot> {
        self.queue.next_event(&self.oracle)
    }

    fn get(&mut self, handle: Number) -> Result<Reservation, Error> {
        self.oracle
            .get(handle)
            .ok_or_else(|| Misuse::StaleHandle.into())
    }
    fn pes_of(&mut self, handle: Number) -> Result<Vec<u16>, Error> {
        let set = self.oracle.pes_of(handle).map(<[u16]>::to_vec);
        set.ok_or_else(|| Misuse::StaleHandle.into())
    }
    fn by_start(&mut self) -> Vec<(Number, Reservation)> {
        self.oracle.by_start()
    }
    fn starting_at(&mut self, slot: Slot) -> Vec<Number> {
        self.oracle.starting_at(slot)
    }
    fn next_event(&mut self) -> Option<Slot> {
        self.oracle.next_event()
    }
    fn check_invariants(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn free_during(&mut self, window: Window) -> Option<PeCount> {
        self.oracle.free_during(window)
    }
    fn rectangle(&mut self, start: Slot, duration: Span) -> Option<Rectangle> {
        self.oracle.rectangle(start, duration)
    }
    fn records(&mut self) -> Vec<Record> {
        self.oracle.records()
    }
    fn candidate_starts(&mut self, request: &Request) -> Result<Vec<Slot>, Error> {
        self.oracle.check_request(request)?;
        Ok(self.oracle.candidate_starts(request))
    }
}
