//! The kernel's books as the side under test.

use std::{collections::HashMap, ops::RangeInclusive};

use bookahead::{
    Admission, Advanced, AfterFailure, Alteration, Alternative, BestEffortJob, Book, Booking,
    Commitment, Conflict, CountBook, Discipline, ElasticRequest, Error, Event, FormChoice, Handle,
    JobQueue, Juggling, MouldableRequest, Movable, Move, Obstacle, Offer, OfferTerms, Offered,
    Order, OverlayBook, Overlaying, Part, Pe, PeBook, PeCount, Placement, Plan, Policy, PriceTerms,
    Probability, Rectangle, Request, Reservation, Run, Savepoint, Series, Shifting, Slot, Span,
    Suggesting, Take, Ticket, Transaction, Version, Window,
    raw::{Column, ProfileStep, Ring, UndoEntry, UndoLog, columns},
};
use bookahead_heap::{BoxedCountBook, BoxedOverlayBook, BoxedPeBook};
use heapless::{Vec as Bounded, VecView};

use crate::{
    Answer, Answered, Call, Deal, Ending, Explained, Found, Happening, InTheWay, JuggleEnd,
    Juggled, Kind, LONG_HANDLES, LONG_OFFERS, Layer, Lent, Moulded, Moved, Obstruction, Outcome,
    Overlaid, Progress, Risk, Rules, Several, Sight, Sorting, Subject, Wanted, resolved, revenue,
};

/// What all books answer alike, given how many columns a set for so many PEs has.
macro_rules! forward {
    ($kind:expr, $columns:expr) => {
        type Handle = Handle;
        type Plan = Plan;

        fn kind(&self) -> Kind {
            $kind
        }
        fn now(&mut self) -> Slot {
            self.book.view().now()
        }
        fn horizon(&mut self) -> Span {
            self.book.view().horizon()
        }
        fn pes(&mut self) -> PeCount {
            self.book.view().pes()
        }
        fn len(&mut self) -> usize {
            self.book.view().len()
        }
        fn capacity(&mut self) -> usize {
            self.book.view().capacity()
        }
        fn version(&mut self) -> Version {
            self.book.view().version()
        }
        fn set_incarnation(&mut self, incarnation: u32) {
            self.book.view().set_incarnation(incarnation);
        }
        fn set_queue_incarnation(&mut self, incarnation: u32) {
            self.queue.view().set_incarnation(incarnation);
        }
        fn never() -> Handle {
            Handle::from_bits(u64::MAX)
        }
        fn plan(&mut self, request: &Request, policy: Policy) -> Result<(Plan, Slot), Error> {
            let plan = self.book.view().plan(request, policy)?;
            Ok((plan, plan.window().start))
        }
        fn plan_mouldable(
            &mut self,
            request: &MouldableRequest<'_>,
            policy: Policy,
            choice: FormChoice,
            terms: &PriceTerms,
        ) -> Result<Moulded<Plan>, Error> {
            let mut book = self.book.view();
            let moulded = book.plan_mouldable(request, policy, choice, terms)?;
            let plan = moulded.plan;
            Ok((plan, plan.request(), plan.window().start, moulded.price))
        }
        fn commit(&mut self, plan: &Plan, terms: Commitment) -> Result<Handle, Error> {
            self.book.view().commit(plan, terms)
        }
        fn book(
            &mut self,
            request: &Request,
            policy: Policy,
            terms: Commitment,
        ) -> Result<(Handle, Slot), Error> {
            let mut book = self.book.view();
            let booking = match terms {
                Commitment::Confirmed => book.reserve(request, policy)?,
                Commitment::Held { ttl } => book.hold(request, policy, ttl)?,
                Commitment::Flexible { .. } => {
                    let plan = book.plan(request, policy)?;
                    let start = plan.window().start;
                    return Ok((book.commit(&plan, terms)?, start));
                }
            };
            Ok((booking.handle, booking.start))
        }
        fn confirm(&mut self, handle: Handle) -> Result<(), Error> {
            self.book.view().confirm(handle)
        }
        fn cancel(&mut self, handle: Handle) -> Result<(), Error> {
            self.book.view().cancel(handle)
        }
        fn complete(&mut self, handle: Handle, at: Slot) -> Result<(), Error> {
            let told = at.saturating_add(self.late);
            self.book.view().complete(handle, told)
        }
        fn advance(&mut self, to: Slot, room: usize) -> Result<Progress<Handle>, Error> {
            let mut book = self.book.view();
            progress(room, |events| book.advance(to, events))
        }
        fn next(&mut self, to: Slot) -> Result<Option<Happening<Handle>>, Error> {
            Ok(self.book.view().next(to)?.map(happening))
        }
        fn alter(
            &mut self,
            handle: Handle,
            alteration: Alteration,
            log: usize,
        ) -> Several<Placement, Handle> {
            let mut undo = Undo::new(log, $columns(self.pes().get()));
            let mut book = self.book.view();
            let mut conflict = somebody(book.transaction(undo.log(), 0));
            let altered = book.alter(handle, alteration, undo.log(), &mut conflict);
            (altered, in_the_way(&conflict))
        }
        fn split(&mut self, handle: Handle, at: Slot, log: usize) -> Result<Handle, Error> {
            let mut undo = Undo::new(log, $columns(self.pes().get()));
            self.book.view().split(handle, at, undo.log())
        }
        fn transact(&mut self, deal: &Deal<'_, Handle>) -> Outcome<Handle> {
            let mut undo = Undo::new(deal.log, $columns(self.pes().get()));
            let mut book = self.book.view();
            let transaction = book.transaction(undo.log(), deal.work);
            run(transaction, deal)
        }
        fn reserve_series(
            &mut self,
            series: &Series<'_>,
            policy: Policy,
            terms: Commitment,
            log: usize,
            room: usize,
        ) -> Several<Vec<Handle>, Handle> {
            let mut undo = Undo::new(log, $columns(self.pes().get()));
            let mut book = self.book.view();
            let mut conflict = somebody(book.transaction(undo.log(), 0));
            let reserved = with_list::<_, _, LONG_HANDLES>(room, |handles| {
                let log = undo.log();
                // To be cleared.
                let _ = handles.push(Self::never());
                let reserved =
                    book.reserve_series(series, policy, terms, log, handles, &mut conflict);
                listed(reserved, handles).map(|((), handles)| handles)
            });
            (reserved, in_the_way(&conflict))
        }
        fn cancel_all(&mut self, handles: &[Handle]) -> Result<u32, Error> {
            self.book.view().cancel_all(handles)
        }
        fn reserve_together(
            &mut self,
            window: Window,
            parts: &[Part],
            terms: Commitment,
            log: usize,
            room: usize,
        ) -> Several<(Slot, Vec<Handle>), Handle> {
            let mut undo = Undo::new(log, $columns(self.pes().get()));
            let mut book = self.book.view();
            let mut conflict = somebody(book.transaction(undo.log(), 0));
            let reserved = with_list::<_, _, LONG_HANDLES>(room, |handles| {
                let (ready, deadline, log) = (window.start, window.end, undo.log());
                // To be cleared.
                let _ = handles.push(Self::never());
                let reserved = book.reserve_together(
                    ready,
                    deadline,
                    parts,
                    terms,
                    log,
                    handles,
                    &mut conflict,
                );
                listed(reserved, handles)
            });
            (reserved, in_the_way(&conflict))
        }
        fn explain(&mut self, request: &Request, room: usize) -> Result<Explained<Handle>, Error> {
            let mut book = self.book.view();
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
                    holders: in_the_way(&obstacle.holders),
                });
                Ok((explanation, obstacles.collect()))
            })
        }
        fn juggle(
            &mut self,
            newcomer: Option<(&Request, Commitment)>,
            rules: &Rules,
            lent: Lent,
            end: JuggleEnd,
        ) -> Result<Juggled<Handle>, Error> {
            let mut undo = Undo::new(lent.log, $columns(self.pes().get()));
            juggle(
                &mut self.book.view(),
                newcomer,
                rules,
                (lent, undo.log()),
                end,
            )
        }
        fn alternatives(
            &mut self,
            request: &Request,
            terms: Commitment,
            rules: &Rules,
            lent: Lent,
            wanted: &Wanted,
        ) -> Result<Found, Error> {
            let mut undo = Undo::new(lent.log, $columns(self.pes().get()));
            let mut book = self.book.view();
            alternatives(
                &mut book,
                (request, terms),
                rules,
                (lent, undo.log()),
                wanted,
            )
        }
        fn shift_in(
            &mut self,
            newcomer: (&Request, Commitment),
            rules: &Shifting,
            log: usize,
            end: JuggleEnd,
        ) -> Result<Juggled<Handle>, Error> {
            let mut undo = Undo::new(log, $columns(self.pes().get()));
            shift_in(&mut self.book.view(), newcomer, rules, undo.log(), end)
        }
        fn freeze(&mut self, handle: Handle) -> Result<(), Error> {
            self.book.view().freeze(handle)
        }
        fn is_frozen(&mut self, handle: Handle) -> Result<bool, Error> {
            self.book.view().is_frozen(handle)
        }
        fn covering(&mut self, window: Window) -> Vec<Handle> {
            self.book.view().covering(window).collect()
        }
        fn offers(
            &mut self,
            query: &ElasticRequest,
            terms: &OfferTerms,
            room: usize,
        ) -> Result<(Offered, Vec<Offer>), Error> {
            let mut book = self.book.view();
            with_list::<_, _, LONG_OFFERS>(room, |offers| {
                let offered = book.offers(query, terms, offers)?;
                Ok((offered, offers.to_vec()))
            })
        }
        fn accept(
            &mut self,
            offer: &Offer,
            take: Take,
            terms: Commitment,
        ) -> Result<(Handle, Slot), Error> {
            let booking = self.book.view().accept(offer, take, terms)?;
            Ok((booking.handle, booking.start))
        }
        fn under(mut self, discipline: Discipline) -> Self {
            let _ = self.queue.init(discipline);
            self
        }
        fn discipline(&mut self) -> Discipline {
            self.queue.view().discipline()
        }
        fn queue_capacity(&mut self) -> usize {
            self.queue.view().capacity()
        }
        fn submit(&mut self, job: &BestEffortJob) -> Result<Ticket, Error> {
            self.queue.view().submit(&self.book.view(), job)
        }
        fn withdraw(&mut self, ticket: Ticket) -> Result<(), Error> {
            self.queue.view().withdraw(ticket)
        }
        fn advance_queue(&mut self, to: Slot, room: usize) -> Result<Progress<Handle>, Error> {
            let (mut book, mut queue) = (self.book.view(), self.queue.view());
            progress(room, |events| queue.advance(&mut book, to, events))
        }
        fn waiting(&mut self) -> Vec<(Ticket, BestEffortJob)> {
            let queue = self.queue.view();
            let jobs: Vec<_> = queue.iter().collect();
            assert_eq!(
                (queue.len(), queue.is_empty()),
                (jobs.len(), jobs.is_empty())
            );
            jobs
        }
        fn shadow(&mut self) -> Option<Slot> {
            self.queue.view().shadow(&mut self.book.view())
        }
        fn next_queue_event(&mut self) -> Option<Slot> {
            self.queue.view().next_event(&self.book.view())
        }
        fn next_of_queue(&mut self, to: Slot) -> Result<Option<Happening<Handle>>, Error> {
            let (mut book, mut queue) = (self.book.view(), self.queue.view());
            Ok(queue.next(&mut book, to)?.map(happening))
        }
        fn get(&mut self, handle: Handle) -> Result<Reservation, Error> {
            self.book.view().get(handle)
        }
        fn pes_of(&mut self, handle: Handle) -> Result<Vec<u16>, Error> {
            let book = self.book.view();
            let ranges: Vec<_> = book.pe_ranges_of(handle)?.collect();
            let apart =
                |pair: &[RangeInclusive<Pe>]| pair[0].end().get() + 1 < pair[1].start().get();
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
        fn by_start(&mut self) -> Vec<(Handle, Reservation)> {
            self.book.view().iter().collect()
        }
        fn starting_at(&mut self, slot: Slot) -> Vec<Handle> {
            self.book.view().starting_at(slot).collect()
        }
        fn next_event(&mut self) -> Option<Slot> {
            self.book.view().next_event()
        }
        fn check_invariants(&mut self) -> Result<(), String> {
            let mut book = self.book.view();
            let verdict = book.check_invariants();
            let both = verdict.and_then(|()| self.queue.view().check_invariants(&mut book));
            both.map_err(|violation| format!("{violation:?}"))
        }
        fn free_during(&mut self, window: Window) -> Option<PeCount> {
            self.book.view().free_during(window)
        }
        fn rectangle(&mut self, start: Slot, duration: Span) -> Option<Rectangle> {
            self.book.view().rectangle(start, duration)
        }
        fn records(&mut self) -> Vec<ProfileStep> {
            self.book.view().records().collect()
        }
        fn candidate_starts(&mut self, request: &Request) -> Result<Vec<Slot>, Error> {
            let book = self.book.view();
            let starts = book.candidate_starts(request)?;
            Ok(starts.collect())
        }
    };
}

/// What books with overlays answer in addition.
macro_rules! overlays {
    () => {
        fn overlay(
            &mut self,
            request: &Request,
            risk: &Risk,
        ) -> Option<Result<Overlaid<Handle>, Error>> {
            let mut book = self.book.view();
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

        fn overlaid(&mut self, handle: Handle) -> Option<Layer<Handle>> {
            let book = self.book.view();
            let waits_for = book.waits_for(handle);
            Some((book.overlaid(handle), waits_for.map(Iterator::collect)))
        }
    };
}

/// A book of the kernel and the queue beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel<M, const JOBS: usize> {
    /// The book.
    pub book: M,
    /// The queue.
    pub queue: JobQueue<JOBS>,
    /// How much later than it is the book is told that a job ends early: nothing, except to plant a fault.
    pub late: Span,
}

impl<M, const JOBS: usize> Kernel<M, JOBS> {
    /// This book with an empty queue.
    #[must_use]
    pub fn new(book: M) -> Self {
        Self {
            book,
            queue: JobQueue::new(Discipline::Fcfs),
            late: Span::ZERO,
        }
    }
}

impl<const BLOCKS: usize, const PES: usize, const ROWS: usize, const JOBS: usize> Subject
    for Kernel<CountBook<BLOCKS, PES, ROWS>, JOBS>
{
    // No sets, so nothing beside the entries of an undo log.
    forward!(Kind::Counts, |_| 0);
}

impl<const BLOCKS: usize, const PES: usize, const ROWS: usize, const JOBS: usize> Subject
    for Kernel<OverlayBook<BLOCKS, PES, ROWS>, JOBS>
{
    forward!(Kind::Counts, |_| 0);
    overlays!();
}

impl<const JOBS: usize> Subject for Kernel<BoxedOverlayBook, JOBS> {
    forward!(Kind::Counts, |_| 0);
    overlays!();
}

impl<C: Column, const BLOCKS: usize, const COLUMNS: usize, const ROWS: usize, const JOBS: usize>
    Subject for Kernel<PeBook<C, BLOCKS, COLUMNS, ROWS>, JOBS>
{
    forward!(Kind::Sets, |_| COLUMNS);
}

impl<const JOBS: usize> Subject for Kernel<BoxedCountBook, JOBS> {
    forward!(Kind::Counts, |_| 0);
}

impl<C: Column, const JOBS: usize> Subject for Kernel<BoxedPeBook<C>, JOBS> {
    forward!(Kind::Sets, columns::<C>);
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

/// What `advance` does with a list that has room for so many events.
fn progress(
    room: usize,
    advance: impl FnOnce(&mut VecView<Event>) -> Result<Advanced, Error>,
) -> Result<Progress<Handle>, Error> {
    with_list::<_, _, 4096>(room, |events| {
        let how_far = advance(events)?;
        let told = events.iter().copied().map(happening);
        Ok((how_far, told.collect()))
    })
}

fn happening(event: Event) -> Happening<Handle> {
    Happening {
        at: event.at,
        whose: event.handle,
        kind: event.kind,
        ticket: event.ticket,
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

fn in_the_way(conflict: &Conflict) -> InTheWay<Handle> {
    let names = conflict.handles().to_vec();
    assert_eq!(
        (conflict.len(), conflict.is_empty()),
        (names.len() + conflict.more() as usize, names.is_empty())
    );
    InTheWay {
        names,
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

/// Makes the calls of a transaction and ends it.
fn run<R: Ring>(
    mut transaction: Transaction<'_, '_, R>,
    deal: &Deal<'_, Handle>,
) -> Outcome<Handle> {
    let (mut made, mut answers, mut savepoints) = (Vec::new(), Vec::new(), Vec::new());
    for call in deal.calls {
        let Some(call) = resolved(call, &made) else {
            break;
        };
        let answer = make(&mut transaction, &call, &mut savepoints);
        if let Ok(Answer::Made(handle)) = answer {
            made.push(handle);
        }
        let watched = deal.watched.iter().chain(&made);
        let sight = sight(&transaction, watched);
        answers.push((answer, sight));
    }
    let nothing = (Vec::new(), 0);
    let end = match deal.ending {
        Ending::Commit => transaction.commit().map(|()| nothing),
        Ending::Plan(room) => with_list::<_, _, LONG_HANDLES>(room, |moves| {
            // To be cleared.
            let _ = moves.push(Move {
                handle: Handle::from_bits(0),
                from: None,
                to: None,
            });
            let more = transaction.plan(moves)?;
            Ok((moves.iter().map(moved).collect(), more))
        }),
        Ending::Drop => {
            drop(transaction);
            Ok(nothing)
        }
    };
    Outcome { answers, end }
}

fn make<R: Ring>(
    transaction: &mut Transaction<'_, '_, R>,
    call: &Call<Handle>,
    savepoints: &mut Vec<Savepoint>,
) -> Answered<Handle> {
    Ok(match *call {
        Call::Lift(handle) => Answer::At(transaction.lift(handle)?),
        Call::Place(handle, place) => {
            transaction.place(handle, place)?;
            Answer::Done
        }
        Call::PlaceFirstFit(handle, from) => {
            Answer::Starts(transaction.place_first_fit(handle, from)?)
        }
        Call::Insert(request, start, terms) => {
            Answer::Made(transaction.insert(&request, start, terms)?)
        }
        Call::Remove(handle) => {
            transaction.remove(handle)?;
            Answer::Done
        }
        Call::Alter(handle, alteration) => Answer::At(transaction.alter(handle, alteration)?),
        Call::Split(handle, at) => Answer::Made(transaction.split(handle, at)?),
        Call::Savepoint => {
            savepoints.push(transaction.savepoint());
            Answer::Done
        }
        Call::RollbackTo(savepoint) => {
            let savepoint = savepoints[savepoint];
            transaction.rollback_to(savepoint)?;
            Answer::Done
        }
        Call::Apply(ref moves) => {
            let moves: Vec<Move> = moves.iter().map(unmoved).collect();
            transaction.apply(&moves)?;
            Answer::Done
        }
        Call::Conflict(own, place) => {
            Answer::Conflict(in_the_way(&transaction.conflict(own, &place)))
        }
    })
}

fn sight<'h, R: Ring>(
    transaction: &Transaction<'_, '_, R>,
    watched: impl Iterator<Item = &'h Handle>,
) -> Sight<Handle> {
    Sight {
        moves: transaction.moves().map(|to| moved(&to)).collect(),
        covering: transaction.covering(ALWAYS).collect(),
        known: watched.map(|handle| transaction.get(*handle)).collect(),
        work_left: transaction.work_left(),
        logged: transaction.logged(),
    }
}

/// All slots that there are.
const ALWAYS: Window = Window {
    start: Slot::new(0),
    end: Slot::new(u64::MAX),
};

fn moved(to: &Move) -> Moved<Handle> {
    Moved {
        whose: to.handle,
        from: to.from,
        to: to.to,
    }
}

fn unmoved(to: &Moved<Handle>) -> Move {
    Move {
        handle: to.whose,
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
) -> Result<Juggled<Handle>, Error> {
    let mut waiting = vec![Movable::NONE; lent.list];
    let revenues = revenues(book);
    let of = |handle| revenues[&handle];
    let rules = juggling(rules, lent, newcomer.map(|(request, _)| request), &of);
    let made = |booking: Booking| (booking.handle, booking.start);
    if end == JuggleEnd::AtOnce {
        let booking = match newcomer {
            Some((request, terms)) => {
                Some(book.juggle(request, terms, &rules, log, &mut waiting)?)
            }
            None => book.replan(&rules, log, &mut waiting).map(|()| None)?,
        };
        let moves = Vec::new();
        return Ok(Juggled {
            made: booking.map(made),
            moves,
        });
    }
    let mut transaction = book.transaction(log, rules.work);
    let booking = match newcomer {
        Some((request, terms)) => Some(transaction.juggle(request, terms, &rules, &mut waiting)?),
        None => transaction.replan(&rules, &mut waiting).map(|()| None)?,
    };
    let moves = transaction.moves().map(|change| moved(&change)).collect();
    if end == JuggleEnd::Commit {
        transaction.commit()?;
    }
    Ok(Juggled {
        made: booking.map(made),
        moves,
    })
}

fn shift_in<R: Ring>(
    book: &mut Book<'_, R>,
    (request, terms): (&Request, Commitment),
    rules: &Shifting,
    log: UndoLog<'_, R::Part>,
    end: JuggleEnd,
) -> Result<Juggled<Handle>, Error> {
    let made = |booking: Booking| Some((booking.handle, booking.start));
    if end == JuggleEnd::AtOnce {
        let booking = book.shift_in(request, terms, rules, log)?;
        let moves = Vec::new();
        return Ok(Juggled {
            made: made(booking),
            moves,
        });
    }
    let mut transaction = book.transaction(log, rules.work);
    let booking = transaction.shift_in(request, terms, rules)?;
    let moves = transaction.moves().map(|change| moved(&change)).collect();
    if end == JuggleEnd::Commit {
        transaction.commit()?;
    }
    Ok(Juggled {
        made: made(booking),
        moves,
    })
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
