//! The kernel's books as the side under test.

use std::{any::Any, collections::HashMap, ops::RangeInclusive};

use bookahead::{
    Admission, Advanced, AfterFailure, Alteration, Alternative, BestEffortJob, Book, Booking,
    Commitment, Conflict, CountBook, Discipline, Error, Event, EventKind, Handle, JobQueue,
    Juggling, Movable, Move, Obstacle, Order, OverlayBook, Overlaying, Pe, PeBook, PeCount,
    Placement, Plan, Policy, Probability, Queue, Request, Reservation, Run, Savepoint, Shifting,
    Slot, Span, Suggesting, Ticket, Transaction, UsageError, Window,
    raw::{
        Column, CountRing, NativeScan, OverlayRing, PeRing, Ring, Scan, UndoEntry, UndoLog, columns,
    },
};
use bookahead_heap::{BoxedCountBook, BoxedOverlayBook, BoxedPeBook};
use heapless::{Vec as Bounded, VecView};

use crate::command::starts;
use crate::subject::{booked, passed};
use crate::{
    Answer, Answered, Call, Command, Ending, Found, Happening, InTheWay, JuggleEnd, Juggled, Kind,
    Known, LONG_HANDLES, LONG_OFFERS, Layer, Lent, Limits, Mould, Moved, Number, Obstruction,
    Outcome, Overlaid, Reply, Risk, Rules, Scanned, Sight, Size, Sorting, State, Subject, Transact,
    Wanted, revenue,
};

/// The memory of a book.
pub trait Memory: Clone + PartialEq + 'static {
    /// What an undo log keeps of a set.
    type Part: Copy + Default + PartialEq;
    /// The book's ring.
    type Ring<'m>: Ring<Part = Self::Part>
    where
        Self: 'm;
    /// Which ring that is.
    const KIND: Kind;
    /// Whether it has a layer for overlays.
    const HAS_LAYER: bool = false;

    /// The book.
    fn view(&mut self) -> Book<'_, Self::Ring<'_>>;
    /// How many columns a set for so many PEs has.
    fn columns(pes: u16) -> usize;
    /// Books on top of others, where there is a layer for that: a reservation, its start, how much is overlaid, and the probability.
    fn overlay(
        &mut self,
        _request: &Request,
        _risk: &Risk,
    ) -> Option<Result<Overlaid<Handle>, Error>> {
        None
    }
    /// How much of a reservation is overlaid, and for whom it waits, where there is such a layer.
    fn layer(&mut self, _handle: Handle) -> Option<Layer<Handle>> {
        None
    }
}

/// Memory with late binding, searched as `$scan` says: no sets, so nothing beside the entries of an undo log.
macro_rules! counts {
    ($ring:ident, $scan:ident) => {
        type Part = ();
        type Ring<'m> = $ring<'m, $scan>;
        const KIND: Kind = Kind::Counts;

        fn view(&mut self) -> Book<'_, $ring<'_, $scan>> {
            self.view()
        }
        fn columns(_: u16) -> usize {
            0
        }
    };
}

/// Memory with late binding and overlays.
macro_rules! overlays {
    ($scan:ident) => {
        counts!(OverlayRing, $scan);
        const HAS_LAYER: bool = true;

        fn overlay(
            &mut self,
            request: &Request,
            risk: &Risk,
        ) -> Option<Result<Overlaid<Handle>, Error>> {
            let mut book = self.view();
            let overlaying = Overlaying {
                guarantee: risk.guarantee(),
                threshold: risk.threshold(),
                law: risk.own_law(request.duration),
            };
            let mut table = vec![Probability::ZERO; risk.table(book.pes().get())];
            let laws = |_, known: &Reservation| risk.law(known);
            let plan = with_list::<Run<'_>, _, 64>(risk.list(), |list| {
                book.plan_overlay(request, &overlaying, laws, list, &mut table)
            });
            let booked = plan.and_then(|plan| {
                let handle = book.commit_overlay(&plan, risk.ttl())?;
                let start = plan.plan().window().start;
                Ok((handle, start, plan.overlaid(), plan.probability()))
            });
            Some(booked)
        }
        fn layer(&mut self, handle: Handle) -> Option<Layer<Handle>> {
            let book = self.view();
            let waits_for = book.waits_for(handle);
            Some((book.overlaid(handle), waits_for.map(Iterator::collect)))
        }
    };
}

/// Memory with early binding, given how many columns a set for so many PEs has.
macro_rules! sets {
    ($column:ident, $scan:ident, $columns:expr) => {
        type Part = $column;
        type Ring<'m> = PeRing<'m, $column, $scan>;
        const KIND: Kind = Kind::Sets;

        fn view(&mut self) -> Book<'_, PeRing<'_, $column, $scan>> {
            self.view()
        }
        fn columns(pes: u16) -> usize {
            $columns(pes)
        }
    };
}

impl<const BLOCKS: usize, const PES: usize, const ROWS: usize> Memory
    for CountBook<BLOCKS, PES, ROWS>
{
    counts!(CountRing, NativeScan);
}

impl<S: Scan> Memory for Scanned<BoxedCountBook, S> {
    counts!(CountRing, S);
}

impl<const BLOCKS: usize, const PES: usize, const ROWS: usize> Memory
    for OverlayBook<BLOCKS, PES, ROWS>
{
    overlays!(NativeScan);
}

impl<S: Scan> Memory for Scanned<BoxedOverlayBook, S> {
    overlays!(S);
}

impl<C: Column + 'static, const BLOCKS: usize, const COLUMNS: usize, const ROWS: usize> Memory
    for PeBook<C, BLOCKS, COLUMNS, ROWS>
{
    sets!(C, NativeScan, |_| COLUMNS);
}

impl<C: Column + 'static, S: Scan> Memory for Scanned<BoxedPeBook<C>, S> {
    sets!(C, S, columns::<C>);
}

/// A book of the kernel and the queue beside it.
#[derive(Clone, Debug)]
pub struct Kernel<M, const JOBS: usize> {
    /// The book.
    pub book: M,
    /// The queue.
    pub queue: JobQueue<JOBS>,
    /// How much later than it is the book is told that a job ends early: nothing, except to plant a fault.
    pub late: Span,
    names: Names,
    plan: Option<Plan>,
    remembered: Option<Box<(M, JobQueue<JOBS>)>>,
}

impl<M: PartialEq, const JOBS: usize> PartialEq for Kernel<M, JOBS> {
    fn eq(&self, other: &Self) -> bool {
        (&self.book, &self.queue) == (&other.book, &other.queue)
    }
}

/// Which handle each number stands for.
#[derive(Clone, Debug, Default)]
struct Names {
    handles: Vec<Handle>,
    numbers: HashMap<Handle, Number>,
}

impl Names {
    /// The number of the next reservation.
    fn next(&self) -> Number {
        self.handles.len() as Number
    }

    /// One that was never given out stands for a number that was never given.
    fn handle(&self, number: Number) -> Handle {
        let known = usize::try_from(number)
            .ok()
            .and_then(|nth| self.handles.get(nth));
        known.copied().unwrap_or(Handle::from_bits(u64::MAX))
    }

    fn number(&self, handle: Handle) -> Number {
        self.numbers.get(&handle).copied().unwrap_or(Number::MAX)
    }

    fn numbers(&self, handles: impl IntoIterator<Item = Handle>) -> Vec<Number> {
        handles
            .into_iter()
            .map(|handle| self.number(handle))
            .collect()
    }

    /// Names a new reservation. A handle that was given out before keeps its number, which is not the one that is due.
    fn begin(&mut self, handle: Handle) -> Number {
        let next = self.next();
        let number = *self.numbers.entry(handle).or_insert(next);
        if number == next {
            self.handles.push(handle);
        }
        number
    }

    fn begin_all(&mut self, handles: Vec<Handle>) -> Vec<Number> {
        handles
            .into_iter()
            .map(|handle| self.begin(handle))
            .collect()
    }

    fn booked(&mut self, booking: Booking) -> Reply {
        booked((self.begin(booking.handle), booking.start))
    }

    /// A job that leaves the queue is new to the book.
    fn happening(&mut self, event: Event) -> Happening {
        Happening {
            at: event.at,
            whose: match event.kind {
                EventKind::BestEffortStarted => self.begin(event.handle),
                _ => self.number(event.handle),
            },
            kind: event.kind,
            ticket: event.ticket,
        }
    }

    /// What juggling came to. A newcomer that was only planned gets the number that it would have.
    fn juggled(&mut self, (made, moves): Arranged, end: JuggleEnd) -> Juggled {
        let newcomer = made.map(|booking| booking.handle);
        let number = match (newcomer, end) {
            (Some(handle), JuggleEnd::AtOnce | JuggleEnd::Commit) => self.begin(handle),
            _ => self.next(),
        };
        let whose = |handle| {
            if newcomer == Some(handle) {
                number
            } else {
                self.number(handle)
            }
        };
        let moves = moves.iter().map(|to| moved(to, whose));
        Juggled {
            made: made.map(|booking| (number, booking.start)),
            moves: moves.collect(),
        }
    }
}

/// A newcomer, and what has moved.
type Arranged = (Option<Booking>, Vec<Move>);

impl<M: Memory, const JOBS: usize> Kernel<M, JOBS> {
    /// This book with an empty queue.
    #[must_use]
    pub fn new(book: M) -> Self {
        Self {
            book,
            queue: JobQueue::new(Discipline::Fcfs),
            late: Span::ZERO,
            names: Names::default(),
            plan: None,
            remembered: None,
        }
    }

    fn size(&mut self) -> Size {
        let (book, queue) = (self.book.view(), self.queue.view());
        Size {
            kind: M::KIND,
            pes: book.pes(),
            horizon: book.horizon(),
            capacity: book.capacity(),
            discipline: queue.discipline(),
            jobs: queue.capacity(),
            has_layer: M::HAS_LAYER,
        }
    }

    fn state(&mut self) -> State {
        let listed: Vec<_> = self.book.view().iter().collect();
        let layers: Vec<_> = listed
            .iter()
            .map(|(handle, _)| {
                let (overlaid, waits_for) = self.book.layer(*handle)?;
                Some((
                    overlaid,
                    waits_for.map(|handles| self.names.numbers(handles)),
                ))
            })
            .collect();
        let (mut book, queue, names) = (self.book.view(), self.queue.view(), &self.names);
        let known = |((handle, _), layer): (&(Handle, _), _)| Known {
            reservation: book.get(*handle),
            frozen: book.is_frozen(*handle),
            pes: pes_of(&book, *handle),
            layer,
        };
        let known = listed.iter().zip(layers).map(known).collect();
        let by_start: Vec<_> = listed
            .iter()
            .map(|(handle, known)| (names.number(*handle), *known))
            .collect();
        let starting = |slot| (slot, names.numbers(book.starting_at(slot)));
        let starting = starts(&by_start, book.now())
            .into_iter()
            .map(starting)
            .collect();
        let shadow = queue.shadow(&mut book);
        State {
            invariants: invariants(&mut book, &queue),
            now: book.now(),
            length: book.len(),
            next_event: book.next_event(),
            records: book.records().collect(),
            by_start,
            known,
            starting,
            waiting: waiting(&queue),
            shadow,
            next_queue_event: queue.next_event(&book),
            version: book.version(),
        }
    }

    fn undo(&mut self, entries: usize) -> Undo<M::Part> {
        Undo::new(entries, M::columns(self.book.view().pes().get()))
    }

    fn plan(&mut self, request: &Request, policy: Policy) -> Result<Slot, Error> {
        self.plan = None;
        let plan = self.book.view().plan(request, policy)?;
        self.plan = Some(plan);
        Ok(plan.window().start)
    }

    fn mould(&mut self, mould: &Mould) -> Result<Reply, Error> {
        self.plan = None;
        let (asked, mut book) = (mould.request(), self.book.view());
        let moulded = book.plan_mouldable(&asked, mould.policy, mould.choice, &mould.terms)?;
        let plan = moulded.plan;
        self.plan = Some(plan);
        let start = plan.window().start;
        Ok(Reply::Moulded(plan.request(), start, moulded.price))
    }

    fn book(
        &mut self,
        request: &Request,
        policy: Policy,
        terms: Commitment,
    ) -> Result<Booking, Error> {
        let mut book = self.book.view();
        match terms {
            Commitment::Confirmed => book.reserve(request, policy),
            Commitment::Held { ttl } => book.hold(request, policy, ttl),
            Commitment::Flexible { .. } => {
                let plan = book.plan(request, policy)?;
                let start = plan.window().start;
                let handle = book.commit(&plan, terms)?;
                Ok(Booking { handle, start })
            }
        }
    }

    fn transact(&mut self, transact: &Transact) -> Outcome {
        let mut undo = self.undo(transact.log);
        let mut book = self.book.view();
        let transaction = book.transaction(undo.log(), transact.work);
        let (outcome, made) = run(transaction, transact, &self.names);
        if transact.ending == Ending::Commit && outcome.end.is_ok() {
            self.names.begin_all(made);
        }
        outcome
    }

    /// Reserves several, which may be in somebody's way, with a log and a list.
    fn several(
        &mut self,
        (log, room): Limits,
        reserve: impl FnOnce(
            &mut Book<'_, M::Ring<'_>>,
            UndoLog<'_, M::Part>,
            &mut VecView<Handle>,
            &mut Conflict,
        ) -> Result<Option<Slot>, Error>,
    ) -> Reply {
        let mut undo = self.undo(log);
        let mut book = self.book.view();
        let mut conflict = somebody(book.transaction(undo.log(), 0));
        let reserved = with_list::<_, _, LONG_HANDLES>(room, |handles| {
            // To be cleared.
            let _ = handles.push(Handle::from_bits(u64::MAX));
            let reserved = reserve(&mut book, undo.log(), handles, &mut conflict);
            listed(reserved, handles)
        });
        let conflict = in_the_way(&conflict, |handle| self.names.number(handle));
        Reply::several((reserved, conflict), |(start, handles)| {
            Reply::Several(start, self.names.begin_all(handles))
        })
    }

    fn alter(&mut self, handle: Handle, alteration: Alteration, log: usize) -> Reply {
        let mut undo = self.undo(log);
        let mut book = self.book.view();
        let mut conflict = somebody(book.transaction(undo.log(), 0));
        let altered = book.alter(handle, alteration, undo.log(), &mut conflict);
        let conflict = in_the_way(&conflict, |handle| self.names.number(handle));
        Reply::several((altered, conflict), Reply::Placed)
    }

    fn explain(&mut self, request: &Request, room: usize) -> Result<Reply, Error> {
        let (mut book, names) = (self.book.view(), &self.names);
        with_list::<_, _, LONG_HANDLES>(room, |obstacles| {
            // To be cleared.
            let _ = obstacles.push(Obstacle {
                start: Slot::new(0),
                lacking: PeCount::ZERO,
                at: Slot::new(0),
                holders: Conflict::NONE,
            });
            let explanation = book.explain(request, obstacles)?;
            let obstacles = obstacles.iter().map(|obstacle| Obstruction {
                start: obstacle.start,
                lacking: obstacle.lacking,
                at: obstacle.at,
                holders: in_the_way(&obstacle.holders, |handle| names.number(handle)),
            });
            Ok(Reply::Explained(explanation, obstacles.collect()))
        })
    }

    /// What `advance` does with a list that has room for so many events.
    fn advance(
        &mut self,
        room: usize,
        advance: impl FnOnce(
            &mut Book<'_, M::Ring<'_>>,
            &mut Queue<'_>,
            &mut VecView<Event>,
        ) -> Result<Advanced, Error>,
    ) -> Reply {
        let (mut book, mut queue) = (self.book.view(), self.queue.view());
        let told = with_list::<_, _, 4096>(room, |events| {
            let far = advance(&mut book, &mut queue, events)?;
            let told = events.iter().map(|event| self.names.happening(*event));
            Ok((far, told.collect()))
        });
        Reply::of(told, passed)
    }
}

impl<M: Memory, const JOBS: usize> Subject for Kernel<M, JOBS> {
    fn copy(&self) -> Box<dyn Subject> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn Subject) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    fn perform(&mut self, command: &Command) -> Reply {
        match command {
            Command::Remember => {
                self.remembered = Some(Box::new((self.book.clone(), self.queue.clone())));
                Reply::Done
            }
            Command::IsUnchanged => {
                let remembered = self.remembered.as_deref();
                Reply::Is(remembered.is_some_and(|(b, q)| (&self.book, &self.queue) == (b, q)))
            }
            Command::Size => Reply::Size(self.size()),
            Command::Look => Reply::State(Box::new(self.state())),
            Command::Plan(request, policy) => Reply::of(self.plan(request, *policy), Reply::At),
            Command::PlanMouldable(mould) => Reply::of(self.mould(mould), |reply| reply),
            Command::Commit(terms) => {
                let plan = self.plan.ok_or(UsageError::StalePlan.into());
                let made = plan.and_then(|plan| self.book.view().commit(&plan, *terms));
                Reply::of(made, |handle| Reply::Made(self.names.begin(handle)))
            }
            Command::Book(request, policy, terms) => {
                let booked = self.book(request, *policy, *terms);
                Reply::of(booked, |booking| self.names.booked(booking))
            }
            Command::Alter(number, alteration, log) => {
                self.alter(self.names.handle(*number), *alteration, *log)
            }
            Command::Split(number, at, log) => {
                let mut undo = self.undo(*log);
                let first = self.names.handle(*number);
                let rest = self.book.view().split(first, *at, undo.log());
                Reply::of(rest, |rest| Reply::Made(self.names.begin(rest)))
            }
            Command::Transact(transact) => Reply::Transacted(self.transact(transact)),
            Command::Series(all) => self.several(all.limits, |book, log, handles, conflict| {
                let (series, policy) = (all.series(), all.policy);
                let done = book.reserve_series(&series, policy, all.terms, log, handles, conflict);
                done.map(|()| None)
            }),
            Command::Together(all) => self.several(all.limits, |book, log, handles, conflict| {
                let Window { start, end } = all.window;
                let (parts, terms) = (&all.parts, all.terms);
                let done = book.reserve_together(start, end, parts, terms, log, handles, conflict);
                done.map(Some)
            }),
            Command::Explain(request, room) => {
                Reply::of(self.explain(request, *room), |reply| reply)
            }
            Command::Juggle(newcomer, rules, lent, end) => {
                let mut undo = self.undo(lent.log);
                let newcomer = newcomer.as_ref().map(|(request, terms)| (request, *terms));
                let book = &mut self.book.view();
                let juggled = juggle(book, newcomer, rules, (*lent, undo.log()), *end);
                Reply::of(juggled, |all| Reply::Juggled(self.names.juggled(all, *end)))
            }
            Command::ShiftIn((request, terms), rules, log, end) => {
                let mut undo = self.undo(*log);
                let book = &mut self.book.view();
                let shifted = shift_in(book, (request, *terms), rules, undo.log(), *end);
                Reply::of(shifted, |all| Reply::Juggled(self.names.juggled(all, *end)))
            }
            Command::Alternatives(request, terms, rules, lent, wanted) => {
                let mut undo = self.undo(lent.log);
                let book = &mut self.book.view();
                let lent = (*lent, undo.log());
                let found = alternatives(book, (request, *terms), rules, lent, wanted);
                Reply::of(found, Reply::Found)
            }
            Command::Overlay(request, risk) => match self.book.overlay(request, risk) {
                None => Reply::NoLayer,
                Some(booked) => Reply::of(booked, |(handle, start, overlaid, kept)| {
                    Reply::Overlaid((self.names.begin(handle), start, overlaid, kept))
                }),
            },
            Command::Advance(to, room) => {
                self.advance(*room, |book, _, events| book.advance(*to, events))
            }
            Command::AdvanceQueue(to, room) => self.advance(*room, |book, queue, events| {
                queue.advance(book, *to, events)
            }),
            Command::Get(number) => Reply::of(
                self.book.view().get(self.names.handle(*number)),
                Reply::Reservation,
            ),
            Command::PesOf(number) => Reply::of(
                pes_of(&self.book.view(), self.names.handle(*number)),
                Reply::Pes,
            ),
            Command::Covering(window) => {
                Reply::Named(self.names.numbers(self.book.view().covering(*window)))
            }
            Command::FreeDuring(window) => Reply::Free(self.book.view().free_during(*window)),
            Command::Rectangle(start, duration) => {
                Reply::Rectangle(self.book.view().rectangle(*start, *duration))
            }
            Command::CandidateStarts(request) => {
                Reply::of(self.book.view().candidate_starts(request), |starts| {
                    Reply::Starts(starts.collect())
                })
            }
            Command::Find(request, policy) => {
                Reply::of(self.book.view().plan(request, *policy), |plan| {
                    Reply::At(plan.window().start)
                })
            }
            Command::SetIncarnation(incarnation) => {
                self.book.view().set_incarnation(*incarnation);
                Reply::Done
            }
            Command::SetQueueIncarnation(incarnation) => {
                self.queue.view().set_incarnation(*incarnation);
                Reply::Done
            }
            Command::Confirm(number) => {
                Reply::done(self.book.view().confirm(self.names.handle(*number)))
            }
            Command::Cancel(number) => {
                Reply::done(self.book.view().cancel(self.names.handle(*number)))
            }
            Command::Complete(number, at) => {
                let told = at.saturating_add(self.late);
                Reply::done(self.book.view().complete(self.names.handle(*number), told))
            }
            Command::Freeze(number) => {
                Reply::done(self.book.view().freeze(self.names.handle(*number)))
            }
            Command::Next(to) => Reply::of(self.book.view().next(*to), |event| {
                Reply::Next(event.map(|event| self.names.happening(event)))
            }),
            Command::CancelAll(numbers) => {
                let handles: Vec<_> = numbers
                    .iter()
                    .map(|number| self.names.handle(*number))
                    .collect();
                Reply::of(self.book.view().cancel_all(&handles), Reply::Cancelled)
            }
            Command::Offers(query, terms, room) => {
                with_list::<_, _, LONG_OFFERS>(*room, |offers| {
                    Reply::of(self.book.view().offers(query, terms, offers), |offered| {
                        Reply::Offered(offered, offers.to_vec())
                    })
                })
            }
            Command::Accept(offer, take, terms) => {
                Reply::of(self.book.view().accept(offer, *take, *terms), |booking| {
                    self.names.booked(booking)
                })
            }
            Command::Queue(discipline) => {
                let _ = self.queue.init(*discipline);
                Reply::Done
            }
            Command::Submit(job) => Reply::of(
                self.queue.view().submit(&self.book.view(), job),
                Reply::Waits,
            ),
            Command::Withdraw(ticket) => Reply::done(self.queue.view().withdraw(*ticket)),
            Command::NextOfQueue(to) => Reply::of(
                self.queue.view().next(&mut self.book.view(), *to),
                |event| Reply::Next(event.map(|event| self.names.happening(event))),
            ),
        }
    }
}

/// What the checkers of book and queue say, as text.
fn invariants<R: Ring>(book: &mut Book<'_, R>, queue: &Queue<'_>) -> Result<(), String> {
    let verdict = book.check_invariants();
    let both = verdict.and_then(|()| queue.check_invariants(book));
    both.map_err(|violation| format!("{violation:?}"))
}

fn waiting(queue: &Queue<'_>) -> Vec<(Ticket, BestEffortJob)> {
    let jobs: Vec<_> = queue.iter().collect();
    assert_eq!(
        (queue.len(), queue.is_empty()),
        (jobs.len(), jobs.is_empty())
    );
    jobs
}

fn pes_of<R: Ring>(book: &Book<'_, R>, handle: Handle) -> Result<Vec<u16>, Error> {
    let ranges: Vec<_> = book.pe_ranges_of(handle)?.collect();
    let apart = |pair: &[RangeInclusive<Pe>]| pair[0].end().get() + 1 < pair[1].start().get();
    assert!(
        ranges.windows(2).all(apart),
        "as few ranges as possible: {ranges:?}"
    );
    let pes: Vec<u16> = book.pes_of(handle)?.map(|pe| pe.get()).collect();
    let ranges = ranges.into_iter();
    let in_ranges = ranges.flat_map(|range| range.start().get()..=range.end().get());
    assert!(in_ranges.eq(pes.iter().copied()), "the same PEs: {pes:?}");
    Ok(pes)
}

/// Runs `call` with a list that has room for so many; capacities are constants, so there is one list for each short length.
fn with_list<T, A, const LONG: usize>(room: usize, call: impl FnOnce(&mut VecView<T>) -> A) -> A {
    match room {
        0 => call(&mut Bounded::<_, 0>::new()),
        1 => call(&mut Bounded::<_, 1>::new()),
        2 => call(&mut Bounded::<_, 2>::new()),
        3 => call(&mut Bounded::<_, 3>::new()),
        4 => call(&mut Bounded::<_, 4>::new()),
        5 => call(&mut Bounded::<_, 5>::new()),
        6 => call(&mut Bounded::<_, 6>::new()),
        7 => call(&mut Bounded::<_, 7>::new()),
        _ => call(&mut Bounded::<_, LONG>::new()),
    }
}

/// The memory of an undo log.
struct Undo<P> {
    entries: Vec<UndoEntry>,
    sets: Vec<P>,
}

impl<P: Default> Undo<P> {
    fn new(entries: usize, columns: usize) -> Self {
        let sets = (0..entries * columns).map(|_| P::default());
        Self {
            entries: vec![UndoEntry::NONE; entries],
            sets: sets.collect(),
        }
    }

    fn log(&mut self) -> UndoLog<'_, P> {
        UndoLog::new(&mut self.entries, &mut self.sets)
    }
}

/// A conflict that names whoever there is, for a call to clear.
fn somebody<R: Ring>(transaction: Transaction<'_, '_, R>) -> Conflict {
    let everything = Placement {
        start: transaction.now(),
        duration: Span::new(u32::MAX),
        pes: PeCount::new(u16::MAX),
    };
    transaction.conflict(None, &everything)
}

fn in_the_way(conflict: &Conflict, number: impl Fn(Handle) -> Number) -> InTheWay {
    let handles = conflict.handles();
    assert_eq!(
        (conflict.len(), conflict.is_empty()),
        (handles.len() + conflict.more() as usize, handles.is_empty())
    );
    InTheWay {
        names: handles.iter().map(|handle| number(*handle)).collect(),
        more: conflict.more(),
    }
}

/// An answer with the handles that came with it; none may come with an error.
fn listed<T>(
    answer: Result<T, Error>,
    handles: &VecView<Handle>,
) -> Result<(T, Vec<Handle>), Error> {
    assert!(answer.is_ok() || handles.is_empty(), "{handles:?}");
    Ok((answer?, handles.to_vec()))
}

/// Which handle each number stands for inside a transaction.
struct Inside<'n> {
    names: &'n Names,
    made: Vec<Handle>,
    /// The savepoints, and how many reservations had been made before each.
    savepoints: Vec<(Savepoint, usize)>,
}

impl Inside<'_> {
    fn handle(&self, number: Number) -> Handle {
        let nth = number.checked_sub(self.names.next());
        let made = nth.and_then(|nth| self.made.get(usize::try_from(nth).ok()?));
        made.copied().unwrap_or_else(|| self.names.handle(number))
    }

    fn number(&self, handle: Handle) -> Number {
        let made = self.made.iter().position(|made| *made == handle);
        made.map_or_else(
            || self.names.number(handle),
            |nth| self.names.next() + nth as Number,
        )
    }

    fn make(&mut self, handle: Handle) -> Answer {
        self.made.push(handle);
        Answer::Made(self.number(handle))
    }

    fn call<R: Ring>(&mut self, transaction: &mut Transaction<'_, '_, R>, call: &Call) -> Answered {
        Ok(match *call {
            Call::Lift(number) => Answer::At(transaction.lift(self.handle(number))?),
            Call::Place(number, place) => {
                transaction.place(self.handle(number), place)?;
                Answer::Done
            }
            Call::PlaceFirstFit(number, from) => {
                Answer::Starts(transaction.place_first_fit(self.handle(number), from)?)
            }
            Call::Insert(request, start, terms) => {
                self.make(transaction.insert(&request, start, terms)?)
            }
            Call::Remove(number) => {
                transaction.remove(self.handle(number))?;
                Answer::Done
            }
            Call::Alter(number, alteration) => {
                Answer::At(transaction.alter(self.handle(number), alteration)?)
            }
            Call::Split(number, at) => {
                let rest = transaction.split(self.handle(number), at)?;
                self.make(rest)
            }
            Call::Savepoint => {
                let noted = (transaction.savepoint(), self.made.len());
                self.savepoints.push(noted);
                Answer::Done
            }
            Call::RollbackTo(savepoint) => {
                let (savepoint, made) = self.savepoints[savepoint];
                transaction.rollback_to(savepoint)?;
                self.made.truncate(made);
                Answer::Done
            }
            Call::Apply(ref moves) => {
                let to = |to: &Moved| Move {
                    handle: self.handle(to.whose),
                    from: to.from,
                    to: to.to,
                };
                let moves: Vec<Move> = moves.iter().map(to).collect();
                transaction.apply(&moves)?;
                Answer::Done
            }
            Call::Conflict(own, place) => {
                let own = own.map(|number| self.handle(number));
                let conflict = transaction.conflict(own, &place);
                Answer::Conflict(in_the_way(&conflict, |handle| self.number(handle)))
            }
        })
    }

    fn sight<R: Ring>(&self, transaction: &Transaction<'_, '_, R>, watched: &[Number]) -> Sight {
        let watched = watched.iter().map(|number| self.names.handle(*number));
        let known = watched.chain(self.made.iter().copied());
        let covering = transaction.covering(ALWAYS);
        let number = |handle| self.number(handle);
        Sight {
            moves: transaction.moves().map(|to| moved(&to, number)).collect(),
            covering: covering.map(number).collect(),
            known: known.map(|handle| transaction.get(handle)).collect(),
            work_left: transaction.work_left(),
            logged: transaction.logged(),
        }
    }
}

/// Makes the calls of a transaction and ends it; what came of it, and what it has made.
fn run<R: Ring>(
    mut transaction: Transaction<'_, '_, R>,
    transact: &Transact,
    names: &Names,
) -> (Outcome, Vec<Handle>) {
    let mut inside = Inside {
        names,
        made: Vec::new(),
        savepoints: Vec::new(),
    };
    let mut answers = Vec::new();
    for call in &transact.calls {
        let answer = inside.call(&mut transaction, call);
        answers.push((answer, inside.sight(&transaction, &transact.watched)));
    }
    let nothing = (Vec::new(), 0);
    let end = match transact.ending {
        Ending::Commit => transaction.commit().map(|()| nothing),
        Ending::Plan(room) => with_list::<_, _, LONG_HANDLES>(room, |moves| {
            // To be cleared.
            let _ = moves.push(Move {
                handle: Handle::from_bits(0),
                from: None,
                to: None,
            });
            let more = transaction.plan(moves)?;
            let number = |handle| inside.number(handle);
            Ok((moves.iter().map(|to| moved(to, number)).collect(), more))
        }),
        Ending::Drop => {
            drop(transaction);
            Ok(nothing)
        }
    };
    (Outcome { answers, end }, inside.made)
}

/// All slots that there are.
const ALWAYS: Window = Window {
    start: Slot::new(0),
    end: Slot::new(u64::MAX),
};

fn moved(to: &Move, number: impl Fn(Handle) -> Number) -> Moved {
    Moved {
        whose: number(to.handle),
        from: to.from,
        to: to.to,
    }
}

/// What each reservation is worth in the tests.
fn revenues<R: Ring>(book: &Book<'_, R>) -> HashMap<Handle, u64> {
    let worth = |(handle, known): (Handle, Reservation)| (handle, revenue(&known.request));
    book.iter().map(worth).collect()
}

/// The rules as the kernel wants them.
fn juggling<'r>(
    rules: &Rules,
    lent: Lent,
    newcomer: Option<&Request>,
    of: &'r dyn Fn(Handle) -> u64,
) -> Juggling<'r> {
    Juggling {
        order: match rules.sorting {
            Sorting::Deadline => Order::EarliestDeadline,
            Sorting::Flexibility => Order::LeastFlexible,
            Sorting::Size => Order::BiggestFirst,
            Sorting::Acceptance => Order::Fifo,
            Sorting::Shuffle(seed) => Order::Shuffle { seed },
            Sorting::Revenue => Order::Revenue {
                newcomer: newcomer.map_or(0, revenue),
                of,
            },
        },
        admission: if rules.always {
            Admission::Always
        } else {
            Admission::PlainFirst
        },
        after_failure: if rules.retry {
            AfterFailure::Retry
        } else {
            AfterFailure::Refuse
        },
        earliest: rules.earliest,
        max_moves: rules.max_moves,
        work: lent.work,
    }
}

fn juggle<R: Ring>(
    book: &mut Book<'_, R>,
    newcomer: Option<(&Request, Commitment)>,
    rules: &Rules,
    (lent, log): (Lent, UndoLog<'_, R::Part>),
    end: JuggleEnd,
) -> Result<Arranged, Error> {
    let mut waiting = vec![Movable::NONE; lent.list];
    let revenues = revenues(book);
    let of = |handle| revenues[&handle];
    let rules = juggling(rules, lent, newcomer.map(|(request, _)| request), &of);
    if end == JuggleEnd::AtOnce {
        let booking = match newcomer {
            Some((request, terms)) => {
                Some(book.juggle(request, terms, &rules, log, &mut waiting)?)
            }
            None => book.replan(&rules, log, &mut waiting).map(|()| None)?,
        };
        return Ok((booking, Vec::new()));
    }
    let mut transaction = book.transaction(log, rules.work);
    let booking = match newcomer {
        Some((request, terms)) => Some(transaction.juggle(request, terms, &rules, &mut waiting)?),
        None => transaction.replan(&rules, &mut waiting).map(|()| None)?,
    };
    let moves = transaction.moves().collect();
    if end == JuggleEnd::Commit {
        transaction.commit()?;
    }
    Ok((booking, moves))
}

fn shift_in<R: Ring>(
    book: &mut Book<'_, R>,
    (request, terms): (&Request, Commitment),
    rules: &Shifting,
    log: UndoLog<'_, R::Part>,
    end: JuggleEnd,
) -> Result<Arranged, Error> {
    if end == JuggleEnd::AtOnce {
        let booking = book.shift_in(request, terms, rules, log)?;
        return Ok((Some(booking), Vec::new()));
    }
    let mut transaction = book.transaction(log, rules.work);
    let booking = transaction.shift_in(request, terms, rules)?;
    let moves = transaction.moves().collect();
    if end == JuggleEnd::Commit {
        transaction.commit()?;
    }
    Ok((Some(booking), moves))
}

fn alternatives<R: Ring>(
    book: &mut Book<'_, R>,
    (request, terms): (&Request, Commitment),
    rules: &Rules,
    (lent, log): (Lent, UndoLog<'_, R::Part>),
    wanted: &Wanted,
) -> Result<Found, Error> {
    let mut waiting = vec![Movable::NONE; lent.list];
    let revenues = revenues(book);
    let of = |handle| revenues[&handle];
    let rules = juggling(rules, lent, Some(request), &of);
    let suggesting = Suggesting {
        sides: wanted.sides,
        max_percent: wanted.max_percent,
        behind: wanted.behind,
    };
    with_list::<_, _, LONG_HANDLES>(wanted.room, |found| {
        // To be cleared.
        let _ = found.push(Alternative {
            request: *request,
            start: Slot::new(0),
            shift: 0,
        });
        let searched = book.alternatives(
            request,
            terms,
            &rules,
            &suggesting,
            log,
            &mut waiting,
            found,
        )?;
        let told = found.iter().map(|found| {
            let ready = request.ready.get().saturating_add_signed(found.shift);
            let deadline = request.deadline.get().saturating_add_signed(found.shift);
            assert_eq!(
                (found.request.ready.get(), found.request.deadline.get()),
                (ready, deadline)
            );
            (found.shift, found.start)
        });
        Ok(Found {
            tried: searched.tried,
            limit: searched.limit,
            alternatives: told.collect(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_that_is_given_out_twice_is_not_a_new_reservation() {
        let mut names = Names::default();
        let handles = [7, 8, 7, 9].map(Handle::from_bits);
        assert_eq!(names.begin_all(handles.to_vec()), [0, 1, 0, 2]);
        assert_eq!(names.numbers(handles), [0, 1, 0, 2]);
        assert_eq!((names.handle(2), names.next()), (handles[3], 3));
        let never = Handle::from_bits(u64::MAX);
        assert_eq!((names.handle(3), names.number(never)), (never, Number::MAX));
    }
}
