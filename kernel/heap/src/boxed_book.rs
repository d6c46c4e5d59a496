//! A book whose binding and sizes are known at run time.

use alloc::{boxed::Box, vec::Vec};
use core::ops::RangeInclusive;

use bookahead::{
    Advanced, Alteration, Alternative, BestEffortJob, Booking, Commitment, Conflict, DemandStep,
    ElasticRequest, Error, Event, Explanation, FormChoice, Handle, Juggling, Money,
    MouldableRequest, MouldedPlan, Obstacle, Offer, OfferTerms, Offered, Part, Pe, PeCount,
    Placement, Plan, Policy, PriceTerms, Queue, Rectangle, Request, Reservation, Resource, Series,
    Shifting, Slot, Span, Suggested, Suggesting, Take, Ticket, Version, Violation, Window,
    raw::{ProfileStep, Unnumbered},
};
use heapless::VecView;

#[cfg(feature = "journal")]
use crate::{LeadsQueue, Survives};
#[cfg(feature = "journal")]
use bookahead::SnapshotError;
#[cfg(feature = "plan")]
use {
    crate::BoxedJobQueue,
    bookahead::{Move, Preemption, UsageError},
};

use crate::{
    BoxedCountBook, BoxedPeBook, BoxedUnitBook, BoxedWorkspace, HostColumn, SizeError, Sizes,
    arrays::NUMBERED,
};

/// The number of processing elements up to which narrow columns are used: a set of so few would leave a column of 512 mostly empty.
const NARROW: u32 = 128;

/// The time at which processing elements are assigned.
///
/// ```
/// use bookahead_heap::Binding;
/// assert_eq!(Binding::from_name("early"), Some(Binding::Early));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binding {
    /// When the job starts; in a [`BoxedBook`] of more than 65,535 processing elements never, since these are units without numbers.
    Late,
    /// When the reservation is made.
    Early,
}

impl Binding {
    /// Both bindings.
    pub const ALL: [Self; 2] = [Self::Late, Self::Early];

    /// Returns the name in configurations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Late => "late",
            Self::Early => "early",
        }
    }

    /// Returns the binding with that [`name`](Self::name).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|binding| binding.name() == name)
    }
}

/// A book of either binding, with the column type chosen by size, and the workspace that some calls need. It answers the calls of a
/// [`Book`](bookahead::Book); lists are returned whole. Each call costs what the book's does, and a match.
///
/// It has no transactions of single steps, rules, open-ended jobs, classes or overlays. For these, take the book of the binding itself, such as
/// [`BoxedCountBook`], [`BoxedPeBook`] or those of the features `outages`, `placement` and `risk`, whose `view` is a `Book`.
///
/// ```
/// use bookahead::{Commitment, PeCount, Policy, Request, Slot, Span};
/// use bookahead_heap::{Binding, BoxedBook, Sizes};
///
/// let mut book = BoxedBook::new(Binding::Early, Sizes { pes: 640, slots: 1_440, reservations: 200 })?;
/// let request = Request { ready: Slot::new(60), duration: Span::new(90), deadline: Slot::new(480), pes: PeCount::new(500) };
/// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed).unwrap();
/// assert_eq!(booking.start, Slot::new(60));
/// assert_eq!(book.pe_ranges_of(booking.handle).unwrap().len(), 1);
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoxedBook {
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Late(BoxedCountBook, BoxedWorkspace<()>),
    Units(BoxedUnitBook, BoxedWorkspace<Unnumbered>),
    Narrow(BoxedPeBook<u32>, BoxedWorkspace<u32>),
    Wide(BoxedPeBook<HostColumn>, BoxedWorkspace<HostColumn>),
}

/// Does what is said with the memory and the workspace, of whichever type they are.
macro_rules! with {
    ($kind:expr, |$memory:ident, $workspace:ident| $action:expr) => {
        match $kind {
            Kind::Late($memory, $workspace) => $action,
            Kind::Units($memory, $workspace) => $action,
            Kind::Narrow($memory, $workspace) => $action,
            Kind::Wide($memory, $workspace) => $action,
        }
    };
}

impl BoxedBook {
    /// Returns the bytes of the arrays and scalars of a book of these sizes, without a workspace.
    ///
    /// ```
    /// use bookahead_heap::{Binding, BoxedBook, BoxedCountBook, Sizes};
    /// assert_eq!(BoxedBook::bytes(Binding::Late, Sizes { pes: 16, slots: 1_440, reservations: 200 }), BoxedCountBook::bytes(Sizes { pes: 16, slots: 1_440, reservations: 200 }));
    /// ```
    #[must_use]
    pub const fn bytes(binding: Binding, sizes: Sizes) -> usize {
        match binding {
            Binding::Late if sizes.pes > NUMBERED => BoxedUnitBook::bytes(sizes),
            Binding::Late => BoxedCountBook::bytes(sizes),
            Binding::Early if sizes.pes <= NARROW => BoxedPeBook::<u32>::bytes(sizes),
            Binding::Early => BoxedPeBook::<HostColumn>::bytes(sizes),
        }
    }

    /// Creates an empty book of these sizes at slot 0, with a workspace of no entries. With late binding and more than 65,535 processing elements it is one
    /// of units as a [`BoxedUnitBook`], in which [`pes_of`](Self::pes_of) and [`pe_ranges_of`](Self::pe_ranges_of) list none of a running job either. O(memory).
    ///
    /// # Errors
    ///
    /// [`SizeError`] for sizes that no book can have, and when there is not enough memory.
    pub fn new(binding: Binding, sizes: Sizes) -> Result<Self, SizeError> {
        Self::new_within(usize::MAX, binding, sizes)
    }

    /// Creates a book as [`new`](Self::new) does, in at most `limit` bytes as [`bytes`](Self::bytes) counts them.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and [`SizeError::TooMuchMemory`] beyond the limit, before anything is allocated.
    pub fn new_within(limit: usize, binding: Binding, sizes: Sizes) -> Result<Self, SizeError> {
        let kind = match binding {
            Binding::Late if sizes.pes > NUMBERED => Kind::Units(
                BoxedUnitBook::new_within(limit, sizes)?,
                BoxedWorkspace::late(0, 0)?,
            ),
            Binding::Late => Kind::Late(
                BoxedCountBook::new_within(limit, sizes)?,
                BoxedWorkspace::late(0, 0)?,
            ),
            Binding::Early if sizes.pes <= NARROW => Kind::Narrow(
                BoxedPeBook::new_within(limit, sizes)?,
                BoxedWorkspace::early(sizes.pes, 0, 0)?,
            ),
            Binding::Early => Kind::Wide(
                BoxedPeBook::new_within(limit, sizes)?,
                BoxedWorkspace::early(sizes.pes, 0, 0)?,
            ),
        };
        Ok(Self { kind })
    }

    /// Makes a workspace with `entries` entries, for up to `waiting` waiting reservations, for the calls that change several reservations;
    /// see [`Workspace`](bookahead::raw::Workspace). Until then `alter` is refused with `MoveLimit`, and so is whatever else
    /// needs an entry. O(entries x columns).
    ///
    /// # Errors
    ///
    /// [`SizeError`] when there is not enough memory; the former workspace stays then.
    pub fn set_workspace(&mut self, entries: usize, waiting: usize) -> Result<(), SizeError> {
        match &mut self.kind {
            Kind::Late(_, workspace) => *workspace = BoxedWorkspace::late(entries, waiting)?,
            Kind::Units(_, workspace) => *workspace = BoxedWorkspace::late(entries, waiting)?,
            Kind::Narrow(memory, workspace) => {
                *workspace = BoxedWorkspace::early(memory.view().pes().get(), entries, waiting)?;
            }
            Kind::Wide(memory, workspace) => {
                *workspace = BoxedWorkspace::early(memory.view().pes().get(), entries, waiting)?;
            }
        }
        Ok(())
    }
}

/// The calls of a book, one a line: what the book of either kind is asked, and with which workspace.
macro_rules! calls {
    ($of:literal, |$book:ident, $workspace:ident| $($(#[$note:meta])* $name:ident($($argument:ident: $kind:ty),*) -> $answer:ty = $asked:expr;)*) => {
        impl BoxedBook {
            $(
                #[doc = concat!("As the call of [`", $of, "`](bookahead::", $of, ") of this name, or of the name that follows.")]
                $(#[$note])*
                #[allow(clippy::missing_errors_doc, reason = "the book's documentation has them")]
                pub fn $name(&mut self $(, $argument: $kind)*) -> $answer {
                    with!(&mut self.kind, |memory, lent| {
                        #[allow(unused_mut, reason = "few calls need both")]
                        let (mut $book, $workspace) = (memory.view(), lent.view());
                        let _ = &$workspace;
                        $asked
                    })
                }
            )*
        }
    };
}

calls! { "Book", |book, workspace|
    now() -> Slot = book.now();
    horizon() -> Span = book.horizon();
    pes() -> PeCount = book.pes();
    len() -> usize = book.len();
    is_empty() -> bool = book.is_empty();
    capacity() -> usize = book.capacity();
    retired() -> usize = book.retired();
    version() -> Version = book.version();
    next_event() -> Option<Slot> = book.next_event();
    set_incarnation(incarnation: u32) -> () = book.set_incarnation(incarnation);
    confirm(handle: Handle) -> Result<(), Error> = book.confirm(handle);
    cancel(handle: Handle) -> Result<(), Error> = book.cancel(handle);
    freeze(handle: Handle) -> Result<(), Error> = book.freeze(handle);
    complete(handle: Handle, at: Slot) -> Result<(), Error> = book.complete(handle, at);
    is_frozen(handle: Handle) -> Result<bool, Error> = book.is_frozen(handle);
    next(to: Slot) -> Result<Option<Event>, Error> = book.next(to);
    advance(to: Slot, events: &mut VecView<Event>) -> Result<Advanced, Error> = book.advance(to, events);
    plan(request: &Request, policy: Policy) -> Result<Plan, Error> = book.plan(request, policy);
    plan_mouldable(request: &MouldableRequest<'_>, policy: Policy, choice: FormChoice, terms: &PriceTerms) -> Result<MouldedPlan, Error> = book.plan_mouldable(request, policy, choice, terms);
    commit(plan: &Plan, commitment: Commitment) -> Result<Handle, Error> = book.commit(plan, commitment);
    reserve(request: &Request, policy: Policy, commitment: Commitment) -> Result<Booking, Error> = book.reserve(request, policy, commitment);
    offers(query: &ElasticRequest, terms: &OfferTerms, offers: &mut VecView<Offer>) -> Result<Offered, Error> = book.offers(query, terms, offers);
    accept(offer: &Offer, take: Take, commitment: Commitment) -> Result<Booking, Error> = book.accept(offer, take, commitment);
    explain(request: &Request, obstacles: &mut VecView<Obstacle>) -> Result<Explanation, Error> = book.explain(request, obstacles);
    get(handle: Handle) -> Result<Reservation, Error> = book.get(handle);
    free_during(window: Window) -> Option<PeCount> = book.free_during(window);
    rectangle(start: Slot, duration: Span) -> Option<Rectangle> = book.rectangle(start, duration);
    check_invariants() -> Result<(), Violation> = book.check_invariants();
    cancel_all(handles: &[Handle]) -> Result<u32, Error> = book.cancel_all(handles.iter().copied());
    pes_of(handle: Handle) -> Result<Vec<Pe>, Error> = Ok(book.pes_of(handle)?.collect());
    /// None of a book of units, as [`new`](Self::new) says.
    pe_ranges_of(handle: Handle) -> Result<Vec<RangeInclusive<Pe>>, Error> = Ok(book.pe_ranges_of(handle)?.collect());
    candidate_starts(request: &Request) -> Result<Vec<Slot>, Error> = Ok(book.candidate_starts(request)?.collect());
    iter() -> Vec<(Handle, Reservation)> = book.iter().collect();
    starting_at(slot: Slot) -> Vec<Handle> = book.starting_at(slot).collect();
    covering(window: Window) -> Vec<Handle> = book.covering(window).collect();
    records() -> Vec<ProfileStep> = book.records().collect();
    profile(window: Window) -> Vec<ProfileStep> = book.profile(window).collect();
    price_by_demand(steps: &[DemandStep], window: Window, pes: PeCount) -> Result<Money, Error> = book.price_by_demand(steps, window, pes);
    alter(handle: Handle, alteration: Alteration, conflict: &mut Conflict) -> Result<Placement, Error> = book.alter(handle, alteration, workspace, conflict);
    split(handle: Handle, at: Slot) -> Result<Handle, Error> = book.split(handle, at, workspace);
    reserve_series(series: &Series<'_>, policy: Policy, commitment: Commitment, handles: &mut VecView<Handle>, conflict: &mut Conflict) -> Result<(), Error> = book.reserve_series(series, policy, commitment, workspace, handles, conflict);
    reserve_together(ready: Slot, deadline: Slot, parts: &[Part], commitment: Commitment, handles: &mut VecView<Handle>, conflict: &mut Conflict) -> Result<Slot, Error> = book.reserve_together(ready, deadline, parts, commitment, workspace, handles, conflict);
    juggle(request: &Request, commitment: Commitment, rules: &Juggling<'_>) -> Result<Booking, Error> = book.juggle(request, commitment, rules, workspace);
    replan(rules: &Juggling<'_>) -> Result<(), Error> = book.replan(rules, workspace);
    shift_in(request: &Request, commitment: Commitment, rules: &Shifting) -> Result<Booking, Error> = book.shift_in(request, commitment, rules, workspace);
    alternatives(request: &Request, commitment: Commitment, rules: &Juggling<'_>, wanted: &Suggesting, found: &mut VecView<Alternative>) -> Result<Suggested, Error> = book.alternatives(request, commitment, rules, wanted, workspace, found);
}

#[cfg(feature = "outages")]
calls! { "Book", |book, workspace|
    bind(handle: Handle, pes: &[u32]) -> Result<(), Error> = book.bind(handle, pes);
    is_outage(handle: Handle) -> Result<bool, Error> = book.is_outage(handle);
}

#[cfg(any(feature = "outages", feature = "plan"))]
calls! { "Book", |book, workspace|
    extension(handle: Handle) -> Result<Slot, Error> = book.extension(handle);
}

#[cfg(feature = "plan")]
calls! { "Book", |book, workspace|
    make_preemptible(handle: Handle, terms: Preemption) -> Result<(), Error> = book.make_preemptible(handle, terms);
    pull_forward(earliest: Slot, moves: &mut VecView<Move>) -> Result<Advanced, Error> = book.pull_forward(earliest, &mut { workspace }, moves);
}

impl BoxedBook {
    /// Returns the book as one of several that are decided together, see [`Several`](bookahead::Several). Allocates a view. The book inside a quota has to be of a known kind, such as
    /// [`BoxedCountBook`].
    ///
    /// ```
    /// use bookahead::{JointRequest, Joined, Need, PeCount, Several, Slot, Span, Tie};
    /// use bookahead_heap::{Binding, BoxedBook, Sizes};
    ///
    /// let sizes = |pes| Sizes { pes, slots: 64, reservations: 8 };
    /// let (mut nodes, mut licences) = (BoxedBook::new(Binding::Early, sizes(16))?, BoxedBook::new(Binding::Late, sizes(3))?);
    /// let (mut nodes, mut licences) = (nodes.resource(), licences.resource());
    /// let mut ties = [[Tie::NONE; 8]; 2];
    /// let [of_nodes, of_licences] = &mut ties;
    /// let mut books = [
    ///     Joined { book: &mut *nodes, ties: of_nodes },
    ///     Joined { book: &mut *licences, ties: of_licences },
    /// ];
    /// let needs = [4, 2].map(|pes| Need::new(PeCount::new(pes)));
    /// let request = JointRequest { ready: Slot::new(0), duration: Span::new(10), deadline: Slot::new(25), needs: &needs };
    /// let mut site = Several::new(&mut books).unwrap();
    /// let starts = [(); 2].map(|()| site.reserve(&request, None, 1_000).unwrap().start.get());
    /// assert_eq!(starts, [0, 10]);
    /// # Ok::<(), bookahead_heap::SizeError>(())
    /// ```
    #[must_use]
    pub fn resource(&mut self) -> Box<dyn Resource + '_> {
        with!(&mut self.kind, |memory, _workspace| Box::new(memory.view()))
    }
}

#[cfg(feature = "journal")]
impl Survives for BoxedBook {
    fn keep_journal(&mut self) {
        with!(&mut self.kind, |memory, _workspace| memory.keep_journal());
    }

    fn journal(&mut self) -> Option<u64> {
        with!(&mut self.kind, |memory, _workspace| memory.journal())
    }

    fn write_record(&mut self, bytes: &mut Vec<u8>) -> Result<bool, SnapshotError> {
        with!(&mut self.kind, |memory, _workspace| memory
            .write_record(bytes))
    }

    fn apply_record(&mut self, record: &[u8]) -> Result<(), SnapshotError> {
        with!(&mut self.kind, |memory, _workspace| memory
            .apply_record(record))
    }

    fn snapshot(&mut self) -> Vec<u8> {
        with!(&mut self.kind, |memory, _workspace| memory.snapshot())
    }

    fn read_snapshot(&mut self, snapshot: &[u8]) -> Result<(), SnapshotError> {
        with!(&mut self.kind, |memory, _workspace| memory
            .read_snapshot(snapshot))
    }

    fn state_hash(&mut self) -> u64 {
        with!(&mut self.kind, |memory, _workspace| memory.state_hash())
    }
}

#[cfg(feature = "journal")]
impl LeadsQueue for BoxedBook {
    fn read_queue(&mut self, queue: &mut Queue<'_>, snapshot: &[u8]) -> Result<(), SnapshotError> {
        with!(&mut self.kind, |memory, _workspace| memory
            .read_queue(queue, snapshot))
    }

    fn apply_to_queue(
        &mut self,
        queue: &mut Queue<'_>,
        record: &[u8],
    ) -> Result<(), SnapshotError> {
        with!(&mut self.kind, |memory, _workspace| memory
            .apply_to_queue(queue, record))
    }
}

calls! { "Queue", |book, workspace|
    submit(queue: &mut Queue<'_>, job: &BestEffortJob) -> Result<Ticket, Error> = queue.submit(&mut book, job);
    ///
    /// That is [`Queue::advance`](bookahead::Queue::advance).
    advance_queue(queue: &mut Queue<'_>, to: Slot, events: &mut VecView<Event>) -> Result<Advanced, Error> = queue.advance(&mut book, to, events);
    ///
    /// That is [`Queue::next`](bookahead::Queue::next).
    next_of_queue(queue: &mut Queue<'_>, to: Slot) -> Result<Option<Event>, Error> = queue.next(&mut book, to);
    ///
    /// That is [`Queue::next_event`](bookahead::Queue::next_event).
    next_event_of_queue(queue: &Queue<'_>) -> Option<Slot> = queue.next_event(&book);
    shadow(queue: &Queue<'_>) -> Option<Slot> = queue.shadow(&mut book);
}

#[cfg(feature = "plan")]
calls! { "Queue", |book, workspace|
    wait(queue: &mut Queue<'_>, request: &Request, policy: Policy, commitment: Commitment, key: u32) -> Result<Ticket, Error> = queue.wait(&mut book, request, policy, commitment, key);
}

/// The calls of a queue that plans its jobs, one a line: what is asked of it, beside the book.
#[cfg(feature = "plan")]
macro_rules! planned {
    (|$queue:ident, $book:ident| $($(#[$note:meta])* $name:ident($($argument:ident: $kind:ty),*) -> $answer:ty = $asked:expr;)*) => {
        impl BoxedBook {
            $(
                $(#[$note])*
                ///
                /// # Errors
                ///
                /// Those of that call, and [`UsageError::NoSchedule`] for a second book of another binding or size.
                pub fn $name(&mut self, queue: &mut BoxedJobQueue, second: &mut Self $(, $argument: $kind)*) -> Result<$answer, Error> {
                    with_second!((&mut self.kind, &mut second.kind), |memory, second| {
                        let ($book, $queue) = (&mut memory.view(), &mut queue.planned(second.view()));
                        $asked
                    })
                }
            )*
        }
    };
}

/// Does what is said with the memory of both books, if they are of one type.
#[cfg(feature = "plan")]
macro_rules! with_second {
    ($kinds:expr, |$memory:ident, $second:ident| $action:expr) => {
        match $kinds {
            (Kind::Late($memory, _), Kind::Late($second, _)) => $action,
            (Kind::Units($memory, _), Kind::Units($second, _)) => $action,
            (Kind::Narrow($memory, _), Kind::Narrow($second, _)) => $action,
            (Kind::Wide($memory, _), Kind::Wide($second, _)) => $action,
            _ => Err(UsageError::NoSchedule.into()),
        }
    };
}

#[cfg(feature = "plan")]
planned! { |queue, book|
    /// Submits a job to a queue that [plans](bookahead::PlannedQueue) it, in a schedule over the ring of a second, empty book of the same binding and size, with a reservation for each
    /// job that may be planned. See [`PlannedQueue::submit`](bookahead::PlannedQueue::submit).
    ///
    /// ```
    /// use bookahead::{BestEffortJob, Discipline, PeCount, Slot, Span};
    /// use bookahead_heap::{Binding, BoxedBook, BoxedJobQueue, Sizes};
    ///
    /// let book = |reservations| BoxedBook::new(Binding::Early, Sizes { pes: 16, slots: 1_440, reservations });
    /// let (mut book, mut second) = (book(200)?, book(50)?);
    /// let mut queue = BoxedJobQueue::new(Discipline::Conservative, 50)?.with_schedule()?;
    /// let job = BestEffortJob { estimate: Span::new(30), pes: PeCount::new(9) };
    /// for _ in 0..2 {
    ///     book.submit_planned(&mut queue, &mut second, &job).unwrap();
    /// }
    /// let starts = book.planned_starts(&mut queue, &mut second).unwrap();
    /// assert_eq!(starts.iter().map(|(_, start)| start.get()).collect::<Vec<_>>(), [0, 30]);
    /// # Ok::<(), bookahead_heap::SizeError>(())
    /// ```
    submit_planned(job: &BestEffortJob) -> Ticket = queue.submit(book, job);
    /// See [`PlannedQueue::advance`](bookahead::PlannedQueue::advance).
    advance_planned(to: Slot, events: &mut VecView<Event>) -> Advanced = queue.advance(book, to, events);
    /// See [`PlannedQueue::next`](bookahead::PlannedQueue::next).
    next_planned(to: Slot) -> Option<Event> = queue.next(book, to);
    /// See [`PlannedQueue::next_event`](bookahead::PlannedQueue::next_event).
    next_event_planned() -> Option<Slot> = Ok(queue.next_event(book));
    /// See [`PlannedQueue::starts`](bookahead::PlannedQueue::starts).
    planned_starts() -> Vec<(Ticket, Slot)> = {
        let _ = book;
        Ok(queue.starts().collect())
    };
}
