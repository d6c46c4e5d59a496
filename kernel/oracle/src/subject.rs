//! What the harness asks of the side under test.

use std::fmt::Debug;
use std::hash::Hash;

use bookahead::{
    Advanced, Alteration, BestEffortJob, Commitment, Discipline, ElasticRequest, Error, FormChoice,
    Insertion, Money, MouldableRequest, Offer, OfferTerms, Offered, Part, PeCount, Placement,
    Policy, PriceTerms, Rectangle, Refusal, Request, Reservation, Series, Shifting, Slot, Span,
    Take, Ticket, Version, Window, raw::ProfileStep,
};

use crate::{
    Answer, Call, Ending, Explained, Found, Happening, JuggleEnd, Juggled, Kind, Lent, Moved, Name,
    Number, Oracle, Outcome, Overlaid, PlainQueue, Risk, Rules, Several, Wanted,
};

/// How far an advance came, and the events on the way.
pub type Progress<H> = (Advanced, Vec<Happening<H>>);

/// How much of a reservation is overlaid, and for whom it waits.
pub type Layer<H> = (Result<PeCount, Error>, Result<Vec<H>, Error>);

/// A plan of a mouldable request: of which form, from when on, at what price.
pub type Moulded<P> = (P, Request, Slot, Money);

/// Room for all offers of any query that the tests make.
pub const LONG_OFFERS: usize = 1024;

/// The longest undo log of the tests.
pub const LONG_LOG: usize = 32;

/// Room for the handles, moves and obstacles of any call that the tests make.
pub const LONG_HANDLES: usize = 1024;

/// A book and a queue under test together with their memory.
///
/// `Clone` and `PartialEq` are those of the memory: the harness clones it before every call and compares it after a refused one.
pub trait Subject: Clone + PartialEq {
    /// How it names reservations.
    type Handle: Copy + Eq + Hash + Debug;
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
    /// Which state of which book it is.
    fn version(&mut self) -> Version;
    /// Makes the book another one.
    fn set_incarnation(&mut self, incarnation: u32);
    /// Makes the queue another book's.
    fn set_queue_incarnation(&mut self, incarnation: u32);
    /// A handle that is never given out.
    fn never() -> Self::Handle;

    /// Searches; the plan comes with its start.
    fn plan(&mut self, request: &Request, policy: Policy) -> Result<(Self::Plan, Slot), Error>;
    /// Searches for each form, and chooses one.
    fn plan_mouldable(
        &mut self,
        request: &MouldableRequest<'_>,
        policy: Policy,
        choice: FormChoice,
        terms: &PriceTerms,
    ) -> Result<Moulded<Self::Plan>, Error>;
    /// Books what was planned.
    fn commit(&mut self, plan: &Self::Plan, terms: Commitment) -> Result<Self::Handle, Error>;
    /// Plans and books.
    fn book(
        &mut self,
        request: &Request,
        policy: Policy,
        terms: Commitment,
    ) -> Result<(Self::Handle, Slot), Error>;
    /// Turns a hold into a reservation.
    fn confirm(&mut self, handle: Self::Handle) -> Result<(), Error>;
    /// Gives a reservation up.
    fn cancel(&mut self, handle: Self::Handle) -> Result<(), Error>;
    /// Ends a running reservation.
    fn complete(&mut self, handle: Self::Handle, at: Slot) -> Result<(), Error>;
    /// Lets time pass, with a list of events that holds `room`: below 8 exactly, else at least 4,096.
    fn advance(&mut self, to: Slot, room: usize) -> Result<Progress<Self::Handle>, Error>;

    /// Lets time pass to the next event.
    fn next(&mut self, to: Slot) -> Result<Option<Happening<Self::Handle>>, Error>;

    /// Alters a reservation, with an undo log of `log` entries; who is in the way if there is no room.
    fn alter(
        &mut self,
        handle: Self::Handle,
        alteration: Alteration,
        log: usize,
    ) -> Several<Placement, Self::Handle>;
    /// Splits a reservation in two.
    fn split(&mut self, handle: Self::Handle, at: Slot, log: usize) -> Result<Self::Handle, Error>;
    /// Runs a transaction, as far as its calls name reservations that it has made; what can be seen of those `watched` is told after
    /// each call.
    fn transact(&mut self, deal: &Deal<'_, Self::Handle>) -> Outcome<Self::Handle>;
    /// Reserves a series, with a list that holds `room` handles: below 8 exactly, else [`LONG_HANDLES`].
    fn reserve_series(
        &mut self,
        series: &Series<'_>,
        policy: Policy,
        terms: Commitment,
        log: usize,
        room: usize,
    ) -> Several<Vec<Self::Handle>, Self::Handle>;
    /// Gives up those that still live.
    fn cancel_all(&mut self, handles: &[Self::Handle]) -> Result<u32, Error>;
    /// Reserves parts that start together, with such a list.
    fn reserve_together(
        &mut self,
        window: Window,
        parts: &[Part],
        terms: Commitment,
        log: usize,
        room: usize,
    ) -> Several<(Slot, Vec<Self::Handle>), Self::Handle>;
    /// Says why a request does not fit, with a list that holds `room` obstacles: below 8 exactly, else [`LONG_HANDLES`].
    fn explain(&mut self, request: &Request, room: usize)
    -> Result<Explained<Self::Handle>, Error>;
    /// Books a newcomer and moves others, or without one arranges them anew.
    fn juggle(
        &mut self,
        newcomer: Option<(&Request, Commitment)>,
        rules: &Rules,
        lent: Lent,
        end: JuggleEnd,
    ) -> Result<Juggled<Self::Handle>, Error>;
    /// Books a newcomer, and shifts others for it.
    fn shift_in(
        &mut self,
        newcomer: (&Request, Commitment),
        rules: &Shifting,
        log: usize,
        end: JuggleEnd,
    ) -> Result<Juggled<Self::Handle>, Error>;
    /// Books on top of others; `None` in a book without a layer for that.
    fn overlay(
        &mut self,
        _request: &Request,
        _risk: &Risk,
    ) -> Option<Result<Overlaid<Self::Handle>, Error>> {
        None
    }
    /// How much of a reservation is overlaid, and for whom it waits; `None` as above.
    fn overlaid(&mut self, _handle: Self::Handle) -> Option<Layer<Self::Handle>> {
        None
    }
    /// Looks for other windows.
    fn alternatives(
        &mut self,
        request: &Request,
        terms: Commitment,
        rules: &Rules,
        lent: Lent,
        wanted: &Wanted,
    ) -> Result<Found, Error>;
    /// Fixes the start of a reservation.
    fn freeze(&mut self, handle: Self::Handle) -> Result<(), Error>;
    /// Whether its start is fixed.
    fn is_frozen(&mut self, handle: Self::Handle) -> Result<bool, Error>;
    /// Who covers a slot of `window`.
    fn covering(&mut self, window: Window) -> Vec<Self::Handle>;

    /// Asks elastically, with a list that holds `room`: below 8 exactly, else [`LONG_OFFERS`].
    fn offers(
        &mut self,
        query: &ElasticRequest,
        terms: &OfferTerms,
        room: usize,
    ) -> Result<(Offered, Vec<Offer>), Error>;
    /// Books a portion of an offer.
    fn accept(
        &mut self,
        offer: &Offer,
        take: Take,
        terms: Commitment,
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
    /// As [`next`](Self::next), and waiting jobs start.
    fn next_of_queue(&mut self, to: Slot) -> Result<Option<Happening<Self::Handle>>, Error>;
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
    fn records(&mut self) -> Vec<ProfileStep>;
    /// The starts that the search tries.
    fn candidate_starts(&mut self, request: &Request) -> Result<Vec<Slot>, Error>;
}

/// A transaction to run.
#[derive(Clone, Copy, Debug)]
pub struct Deal<'d, H> {
    /// How many entries its undo log has, at most [`LONG_LOG`].
    pub log: usize,
    /// How much work it may do.
    pub work: u64,
    /// Its calls.
    pub calls: &'d [Call<Name<H>>],
    /// How it ends; for a plan with a list that holds so many moves: below 8 exactly, else [`LONG_HANDLES`].
    pub ending: Ending,
    /// The reservations to look at.
    pub watched: &'d [H],
}

/// The call with the handles that its names stand for, given those that the transaction has made; `None` when one of them is missing.
#[must_use]
pub fn resolved<H: Copy>(call: &Call<Name<H>>, made: &[H]) -> Option<Call<H>> {
    let handle = |name: Name<H>| match name {
        Name::Known(handle) => Some(handle),
        Name::Made(nth) => made.get(nth).copied(),
    };
    Some(match *call {
        Call::Lift(name) => Call::Lift(handle(name)?),
        Call::Place(name, place) => Call::Place(handle(name)?, place),
        Call::PlaceFirstFit(name, from) => Call::PlaceFirstFit(handle(name)?, from),
        Call::Insert(request, start, terms) => Call::Insert(request, start, terms),
        Call::Remove(name) => Call::Remove(handle(name)?),
        Call::Alter(name, alteration) => Call::Alter(handle(name)?, alteration),
        Call::Split(name, at) => Call::Split(handle(name)?, at),
        Call::Savepoint => Call::Savepoint,
        Call::RollbackTo(savepoint) => Call::RollbackTo(savepoint),
        Call::Apply(ref moves) => {
            let moved = |moved: &Moved<Name<H>>| {
                Some(Moved {
                    whose: handle(moved.whose)?,
                    from: moved.from,
                    to: moved.to,
                })
            };
            Call::Apply(moves.iter().map(moved).collect::<Option<_>>()?)
        }
        Call::Conflict(None, place) => Call::Conflict(None, place),
        Call::Conflict(Some(name), place) => Call::Conflict(Some(handle(name)?), place),
    })
}

/// An oracle as the side under test, with which the harness itself is tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Twin {
    /// The oracle inside.
    pub oracle: Oracle,
    /// Its queue.
    pub queue: PlainQueue,
}

impl Twin {
    /// A fresh twin, whose queue has as much room as the book.
    #[must_use]
    pub fn new(kind: Kind, pes: u16, slots: u32, capacity: usize) -> Self {
        Self {
            oracle: Oracle::new(kind, pes, slots, capacity),
            queue: PlainQueue::new(Discipline::Fcfs, capacity),
        }
    }
}

/// What a [`Twin`] remembers of a plan.
#[derive(Clone, Debug)]
pub struct TwinPlan {
    request: Request,
    start: Slot,
    version: Version,
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
    fn version(&mut self) -> Version {
        self.oracle.version()
    }
    fn set_incarnation(&mut self, incarnation: u32) {
        self.oracle.set_incarnation(incarnation);
    }
    fn set_queue_incarnation(&mut self, incarnation: u32) {
        self.queue.set_incarnation(incarnation);
    }
    fn never() -> Number {
        Number::MAX
    }

    fn plan(&mut self, request: &Request, policy: Policy) -> Result<(TwinPlan, Slot), Error> {
        let start = self.oracle.plan(request, policy)?.start;
        let plan = TwinPlan {
            request: *request,
            start,
            version: self.oracle.version(),
        };
        Ok((plan, start))
    }
    fn plan_mouldable(
        &mut self,
        request: &MouldableRequest<'_>,
        policy: Policy,
        choice: FormChoice,
        terms: &PriceTerms,
    ) -> Result<Moulded<TwinPlan>, Error> {
        let moulded = self.oracle.plan_mouldable(request, policy, choice, terms);
        let (request, start, price) = moulded?;
        let version = self.oracle.version();
        let plan = TwinPlan {
            request,
            start,
            version,
        };
        Ok((plan, request, start, price))
    }
    fn commit(&mut self, plan: &TwinPlan, terms: Commitment) -> Result<Number, Error> {
        self.oracle
            .commit(&plan.request, plan.start, plan.version, terms)
    }
    fn book(
        &mut self,
        request: &Request,
        policy: Policy,
        terms: Commitment,
    ) -> Result<(Number, Slot), Error> {
        self.oracle.book(request, policy, terms)
    }
    fn confirm(&mut self, handle: Number) -> Result<(), Error> {
        self.oracle.confirm(handle)
    }
    fn cancel(&mut self, handle: Number) -> Result<(), Error> {
        self.oracle.cancel(handle)
    }
    fn complete(&mut self, handle: Number, at: Slot) -> Result<(), Error> {
        self.oracle.complete(handle, at)
    }
    fn advance(&mut self, to: Slot, room: usize) -> Result<Progress<Number>, Error> {
        self.oracle.advance(to, room)
    }
    fn next(&mut self, to: Slot) -> Result<Option<Happening>, Error> {
        self.oracle.next(to)
    }

    fn alter(&mut self, handle: Number, alteration: Alteration, log: usize) -> Several<Placement> {
        self.oracle.alter(handle, alteration, log)
    }
    fn split(&mut self, handle: Number, at: Slot, log: usize) -> Result<Number, Error> {
        self.oracle.split(handle, at, log)
    }
    fn transact(&mut self, deal: &Deal<'_, Number>) -> Outcome {
        let mut attempt = self.oracle.attempt(deal.log, deal.work);
        let (mut made, mut answers) = (Vec::new(), Vec::new());
        for call in deal.calls {
            let Some(call) = resolved(call, &made) else {
                break;
            };
            let answer = attempt.call(&call);
            if let Ok(Answer::Made(number)) = answer {
                made.push(number);
            }
            let known: Vec<_> = deal.watched.iter().chain(&made).copied().collect();
            answers.push((answer, attempt.sight(&known)));
        }
        let nothing = (Vec::new(), 0);
        let end = match deal.ending {
            Ending::Commit => self.oracle.commit_attempt(attempt).map(|()| nothing),
            Ending::Plan(room) => attempt.plan(room),
            Ending::Drop => Ok(nothing),
        };
        Outcome { answers, end }
    }
    fn reserve_series(
        &mut self,
        series: &Series<'_>,
        policy: Policy,
        terms: Commitment,
        log: usize,
        room: usize,
    ) -> Several<Vec<Number>> {
        self.oracle.reserve_series(series, policy, terms, log, room)
    }
    fn cancel_all(&mut self, handles: &[Number]) -> Result<u32, Error> {
        self.oracle.cancel_all(handles)
    }
    fn reserve_together(
        &mut self,
        window: Window,
        parts: &[Part],
        terms: Commitment,
        log: usize,
        room: usize,
    ) -> Several<(Slot, Vec<Number>)> {
        self.oracle
            .reserve_together(window, parts, terms, log, room)
    }
    fn explain(&mut self, request: &Request, room: usize) -> Result<Explained, Error> {
        self.oracle.explain(request, room)
    }
    fn juggle(
        &mut self,
        newcomer: Option<(&Request, Commitment)>,
        rules: &Rules,
        _lent: Lent,
        end: JuggleEnd,
    ) -> Result<Juggled, Error> {
        self.oracle.juggle(newcomer, rules, end)
    }
    fn alternatives(
        &mut self,
        request: &Request,
        terms: Commitment,
        rules: &Rules,
        _lent: Lent,
        wanted: &Wanted,
    ) -> Result<Found, Error> {
        self.oracle.alternatives(request, terms, rules, wanted)
    }
    fn shift_in(
        &mut self,
        newcomer: (&Request, Commitment),
        rules: &Shifting,
        log: usize,
        end: JuggleEnd,
    ) -> Result<Juggled, Error> {
        // Only slides have a twin.
        match rules.insertion {
            Insertion::Slides { .. } => self.oracle.shift_in(newcomer, rules, log, end),
            Insertion::FewestMoves | Insertion::LeastShift => Err(Refusal::WorkLimit.into()),
        }
    }
    fn freeze(&mut self, handle: Number) -> Result<(), Error> {
        self.oracle.freeze(handle)
    }
    fn is_frozen(&mut self, handle: Number) -> Result<bool, Error> {
        self.oracle.is_frozen(handle)
    }
    fn covering(&mut self, window: Window) -> Vec<Number> {
        self.oracle.covering(window)
    }

    fn offers(
        &mut self,
        query: &ElasticRequest,
        terms: &OfferTerms,
        room: usize,
    ) -> Result<(Offered, Vec<Offer>), Error> {
        self.oracle.offers(query, terms, room)
    }
    fn accept(
        &mut self,
        offer: &Offer,
        take: Take,
        terms: Commitment,
    ) -> Result<(Number, Slot), Error> {
        self.oracle.accept(offer, take, terms)
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
        self.queue.advance(&mut self.oracle, to, room)
    }
    fn next_of_queue(&mut self, to: Slot) -> Result<Option<Happening>, Error> {
        self.queue.next(&mut self.oracle, to)
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
        self.oracle.get(handle)
    }
    fn pes_of(&mut self, handle: Number) -> Result<Vec<u16>, Error> {
        self.oracle.pes_of(handle).map(<[u16]>::to_vec)
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
    fn records(&mut self) -> Vec<ProfileStep> {
        self.oracle.records()
    }
    fn candidate_starts(&mut self, request: &Request) -> Result<Vec<Slot>, Error> {
        self.oracle.check_request(request)?;
        Ok(self.oracle.candidate_starts(request))
    }
}
