//! What can be asked of a book and the queue beside it, and what they answer.

use alloc::{boxed::Box, vec::Vec};

use bookahead::{
    Advanced, Alteration, BestEffortJob, ClassError, Commitment, Discipline, ElasticRequest, Error,
    Explanation, Failing, Form, FormChoice, Meeting, Money, MouldableRequest, Offer, OfferTerms,
    Offered, Part, PeCount, Placement, Policy, Preemption, PriceTerms, Rectangle, Request,
    Reservation, Series, Shifting, Slot, Span, Take, Ticket, Version, Violation, Waiting, Window,
    raw::ProfileStep,
};

use crate::{
    Call, ClassNumber, Ending, Found, Happening, InTheWay, JuggleEnd, Juggled, Kind, Lent, Moved,
    Number, Obstruction, Outcome, Overlaid, Risk, Rules, Wanted, Wish,
};

/// A command. Reservations are named by number; a list has room for so many elements: up to 8 exactly, else for whatever can come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Note book and queue.
    Remember,
    /// Whether book and queue are as they were noted, bit for bit.
    IsUnchanged,
    /// How large book and queue are.
    Size,
    /// All that can be read without asking for anything.
    Look,
    /// What is known of a reservation.
    Get(Number),
    /// Its PEs.
    PesOf(Number),
    /// Until when could a running one go on?
    Extension(Number),
    /// Who covers a slot of the window.
    Covering(Window),
    /// Which rules take something in a slot of the window.
    RulesDuring(Window),
    /// How many PEs are free throughout.
    FreeDuring(Window),
    /// The maximal rectangle around a run.
    Rectangle(Slot, Span),
    /// How much of it is overlaid, and for whom it waits.
    Layer(Number),
    /// The starts that the search tries.
    CandidateStarts(Request),
    /// Where a plan would put it, which is not remembered.
    Find(Request, Policy),

    /// Add a class.
    ClassAdd(Wish),
    /// Which question of its class a request fails at a start.
    Failing(Request, Slot),
    /// Drop it.
    ClassDrop(ClassNumber),
    /// Do what another command says for reservations of a class; what asks for none is done as without.
    For(ClassNumber, Box<Command>),

    /// Make the book another one.
    SetIncarnation(u32),
    /// Make the queue another book's.
    SetQueueIncarnation(u32),
    /// Plan, and remember that.
    Plan(Request, Policy),
    /// Plan one of several forms, and remember that.
    PlanMouldable(Mould),
    /// Book what was planned last.
    Commit(Commitment),
    /// Plan and book.
    Book(Request, Policy, Commitment),
    /// Book exactly these PEs in exactly this window.
    BookExactly(Window, Vec<u16>, Commitment),
    /// Start a job without a known end.
    ReserveOpen(PeCount, Meeting),
    /// Give it one.
    AnnounceEnd(Number, Slot),
    /// Turn a hold into a reservation.
    Confirm(Number),
    /// Give a reservation up.
    Cancel(Number),
    /// End a running reservation.
    Complete(Number, Slot),
    /// Fix its start.
    Freeze(Number),
    /// Say which PEs it has.
    Bind(Number, Vec<u16>),
    /// Let time pass, with a list of events.
    Advance(Slot, usize),
    /// Let time pass to the next event.
    Next(Slot),

    /// Alter a reservation, with a workspace of so many entries.
    Alter(Number, Alteration, usize),
    /// Split it in two.
    Split(Number, Slot, usize),
    /// Run a transaction.
    Transact(Transact),
    /// Reserve the same again and again.
    Series(Recurrence),
    /// Reserve parts that start together.
    Together(Group),
    /// Give up those that still live.
    CancelAll(Vec<Number>),
    /// Say why a request does not fit, with a list of obstacles.
    Explain(Request, usize),
    /// Book a newcomer and move others, or without one arrange them anew.
    Juggle(Option<(Request, Commitment)>, Rules, Lent, JuggleEnd),
    /// Look for other windows.
    Alternatives(Request, Commitment, Rules, Lent, Wanted),
    /// Book a newcomer and shift others for it, with a workspace of so many entries.
    ShiftIn((Request, Commitment), Shifting, usize, JuggleEnd),
    /// Book a newcomer and move others to other PEs for it, trying so many targets at each start, with a workspace of so many entries.
    Relocate((Request, Commitment), u16, usize, JuggleEnd),
    /// Book on top of others.
    Overlay(Request, Risk),
    /// Ask elastically, with a list of offers.
    Offers(ElasticRequest, OfferTerms, usize),
    /// Book a portion of an offer.
    Accept(Offer, Take, Commitment),

    /// Put an empty queue of that discipline in the place of the old one.
    Queue(Discipline),
    /// Let a job wait.
    Submit(BestEffortJob),
    /// Take it out, or a request that waits.
    Withdraw(Ticket),
    /// Let a job that runs be preempted.
    MakePreemptible(Number, Preemption),
    /// Plan and book; where there is no room, jobs are preempted.
    ReservePreempting(Request, Policy, Commitment),
    /// Let a request wait, with a key.
    Wait(Request, Policy, Commitment, u32),
    /// Give it another key.
    SetKey(Ticket, u32),
    /// Which requests wait.
    Requests,
    /// When the first of those that wait starts at the latest.
    Shadow,
    /// Let time pass and waiting jobs start, with a list of events.
    AdvanceQueue(Slot, usize),
    /// The same, and whoever may be moved starts earlier where something has ended, with lists of events and of moves.
    AdvancePulling(Slot, Limits),
    /// Let time pass and waiting jobs start to the next event.
    NextOfQueue(Slot),
}

impl Command {
    /// What is said, for whatever class.
    #[must_use]
    pub fn inner(&self) -> &Self {
        match self {
            Self::For(_, command) => command.inner(),
            command => command,
        }
    }

    /// Until when it lets time pass.
    #[must_use]
    pub const fn until(&self) -> Option<Slot> {
        match self {
            Self::Advance(to, _)
            | Self::Next(to)
            | Self::AdvanceQueue(to, _)
            | Self::AdvancePulling(to, _)
            | Self::NextOfQueue(to) => Some(*to),
            _ => None,
        }
    }
}

/// The entries of a workspace, and the room of a list.
pub type Limits = (usize, usize);

/// A request with several forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mould {
    /// The earliest start.
    pub ready: Slot,
    /// When it is over.
    pub deadline: Slot,
    /// The forms.
    pub forms: Vec<Form>,
    /// Where each form would go.
    pub policy: Policy,
    /// Which form is taken.
    pub choice: FormChoice,
    /// What it costs, and may cost.
    pub terms: PriceTerms,
}

impl Mould {
    /// What is asked for, as the kernel wants it.
    #[must_use]
    pub fn request(&self) -> MouldableRequest<'_> {
        MouldableRequest {
            ready: self.ready,
            deadline: self.deadline,
            forms: &self.forms,
        }
    }
}

/// A series.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recurrence {
    /// Its first instance.
    pub first: Request,
    /// From one to the next.
    pub period: Span,
    /// How many there are, with the exceptions.
    pub count: u32,
    /// The numbers of those that are left out.
    pub exceptions: Vec<u32>,
    /// Where each goes.
    pub policy: Policy,
    /// As what.
    pub terms: Commitment,
    /// The entries of the workspace, and the room of the list of handles.
    pub limits: Limits,
}

impl Recurrence {
    /// The series, as the kernel wants it.
    #[must_use]
    pub fn series(&self) -> Series<'_> {
        Series {
            first: self.first,
            period: self.period,
            count: self.count,
            exceptions: &self.exceptions,
        }
    }
}

/// What is reserved together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// From when to when.
    pub window: Window,
    /// The parts.
    pub parts: Vec<Part>,
    /// As what.
    pub terms: Commitment,
    /// The entries of the workspace, and the room of the list of handles.
    pub limits: Limits,
}

/// A transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transact {
    /// How many entries its workspace has, at most [`LONG_LOG`](crate::LONG_LOG).
    pub log: usize,
    /// How much work it may do.
    pub work: u64,
    /// Its calls; a reservation that it makes has the next number, also again after a rollback.
    pub calls: Vec<Call>,
    /// How it ends.
    pub ending: Ending,
    /// What is known of them is told after each call, and of those that it has made.
    pub watched: Vec<Number>,
}

/// What a command answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// That it is done.
    Done,
    /// Why it is not, and who is in the way.
    Refused(Error, InTheWay),
    /// That the book has no layer for overlays.
    NoLayer,
    /// A class.
    Class(ClassNumber),
    /// Which question of a class fails.
    Fails(Option<Failing>),
    /// Why a class cannot be added.
    Unfit(ClassError),
    /// Whether it is so.
    Is(bool),
    /// How large it is.
    Size(Size),
    /// What can be seen.
    State(Box<State>),
    /// What is known of a reservation.
    Reservation(Reservation),
    /// Its PEs.
    Pes(Vec<u16>),
    /// Several reservations.
    Named(Vec<Number>),
    /// How many PEs are free.
    Free(Option<PeCount>),
    /// A maximal rectangle.
    Rectangle(Option<Rectangle>),
    /// Candidate starts.
    Starts(Vec<Slot>),
    /// When it would start.
    At(Slot),
    /// When the first waiting job starts at the latest.
    Shadow(Option<Slot>),
    /// The form that was planned, its start and its price.
    Moulded(Request, Slot, Money),
    /// A reservation and its start.
    Booked(Number, Slot),
    /// A reservation.
    Made(Number),
    /// A common start, and several reservations.
    Several(Option<Slot>, Vec<Number>),
    /// Where a reservation is now.
    Placed(Placement),
    /// How far time has passed, and what happened.
    Passed(Advanced, Vec<Happening>),
    /// How far time has passed, what happened, and who has moved.
    Pulled(Advanced, Vec<Happening>, Vec<Moved>),
    /// What happened next.
    Next(Option<Happening>),
    /// What came of a transaction.
    Transacted(Outcome),
    /// How many were cancelled.
    Cancelled(u32),
    /// Why a request does not fit, and what is in the way.
    Explained(Explanation, Vec<Obstruction>),
    /// What came of juggling or shifting.
    Juggled(Juggled),
    /// Other windows.
    Found(Found),
    /// A reservation on top of others.
    Overlaid(Overlaid),
    /// How much of a reservation is overlaid, and for whom it waits.
    Layer(Layer),
    /// Offers.
    Offered(Offered, Vec<Offer>),
    /// The ticket of a job or a request that waits.
    Waits(Ticket),
    /// The requests that wait, in the order in which they are tried.
    Requests(Vec<(Ticket, Waiting)>),
}

impl Reply {
    /// Why nothing was done.
    #[must_use]
    pub fn error(&self) -> Option<Error> {
        match self {
            Self::Refused(reason, _) => Some(*reason),
            _ => None,
        }
    }

    /// What `reply` makes of what was done, or why it was not.
    pub fn of<T>(done: Result<T, Error>, reply: impl FnOnce(T) -> Self) -> Self {
        match done {
            Ok(done) => reply(done),
            Err(reason) => Self::Refused(reason, InTheWay::nobody()),
        }
    }

    /// That it is done, or why not.
    #[must_use]
    pub fn done(done: Result<(), Error>) -> Self {
        Self::of(done, |()| Self::Done)
    }

    /// The same for what may be in somebody's way, which it is only where it is refused.
    ///
    /// # Panics
    ///
    /// When somebody is in the way of what was done.
    pub fn several<T>(
        (done, conflict): (Result<T, Error>, InTheWay),
        reply: impl FnOnce(T) -> Self,
    ) -> Self {
        match done {
            Ok(done) => {
                assert_eq!(conflict, InTheWay::nobody());
                reply(done)
            }
            Err(reason) => Self::Refused(reason, conflict),
        }
    }

    /// A reservation and its start.
    #[must_use]
    pub fn booked((number, start): (Number, Slot)) -> Self {
        Self::Booked(number, start)
    }

    /// How far time has passed, and what happened.
    #[must_use]
    pub fn passed((far, events): (Advanced, Vec<Happening>)) -> Self {
        Self::Passed(far, events)
    }
}

/// How large a book and its queue are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Which ring it has.
    pub kind: Kind,
    /// How many PEs there are.
    pub pes: PeCount,
    /// How many slots it looks ahead.
    pub horizon: Span,
    /// How many reservations may live at once.
    pub capacity: usize,
    /// Who passes whom in the queue.
    pub discipline: Discipline,
    /// How many jobs may wait.
    pub jobs: usize,
    /// Whether there is a layer for overlays.
    pub has_layer: bool,
}

/// All that can be read of a book and its queue without asking for anything.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// What the checkers say.
    pub invariants: Result<(), Violation>,
    /// The current slot.
    pub now: Slot,
    /// How many reservations live.
    pub length: usize,
    /// When the next event is due.
    pub next_event: Option<Slot>,
    /// The change points.
    pub records: Vec<ProfileStep>,
    /// All live reservations, by start.
    pub by_start: Vec<(Number, Reservation)>,
    /// What else is known of each of them.
    pub known: Vec<Known>,
    /// Which of them wait for the slots in which any starts, and for the current one.
    pub starting: Vec<(Slot, Vec<Number>)>,
    /// The waiting jobs, in order of submission.
    pub waiting: Vec<(Ticket, BestEffortJob)>,
    /// The tickets and planned starts of those that are planned.
    pub planned: Vec<(Ticket, Slot)>,
    /// The earliest start of the first of them.
    pub shadow: Option<Slot>,
    /// When something happens next, a look at the waiting jobs included.
    pub next_queue_event: Option<Slot>,
    /// Which state of which book it is.
    pub version: Version,
}

/// What is known of a live reservation.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// What it says when it is asked for.
    pub reservation: Result<Reservation, Error>,
    /// Whether its start is fixed.
    pub frozen: Result<bool, Error>,
    /// Its PEs, ascending.
    pub pes: Result<Vec<u16>, Error>,
    /// How much of it is overlaid and for whom it waits, where there is a layer for that.
    pub layer: Option<Layer>,
}

/// How much of a reservation is overlaid, and for whom it waits.
pub type Layer<Name = Number> = (Result<PeCount, Error>, Result<Vec<Name>, Error>);

/// The slots in which reservations start, by start, and the current one.
#[must_use]
pub fn starts(by_start: &[(Number, Reservation)], now: Slot) -> Vec<Slot> {
    let starts = by_start.iter().map(|(_, known)| known.window.start);
    let mut slots: Vec<Slot> = starts.chain([now]).collect();
    slots.dedup();
    slots
}
