//! The kernel's books as the side under test.

mod lent;
mod memory;
mod moving;
mod names;
#[cfg(feature = "open")]
mod open;
mod transactions;

use alloc::{boxed::Box, vec, vec::Vec};
use core::{any::Any, ops::RangeInclusive};

use bookahead::{
    Advanced, Alteration, BestEffortJob, Book, Booking, ClassId, Commitment, Conflict, Error,
    Event, Handle, Obstacle, Pe, PeCount, Plan, PlannedQueue, Policy, Queue, Request, Slot, Span,
    Ticket, UsageError, Violation, WaitingList, Window,
    raw::{PlannedJob, Ring, ScheduleParts, ScheduleState, Workspace},
};
use bookahead_heap::BoxedWorkspace;
use heapless::VecView;

use crate::command::starts;
use crate::{
    ClassNumber, Command, Ending, JuggleEnd, Known, LONG_HANDLES, LONG_OFFERS, Limits, Mould,
    Obstruction, Outcome, Reply, Size, State, Subject, Transact, Wish,
};

use lent::{in_the_way, listed, somebody, with_list};
pub use memory::{Memory, QueueMemory};
pub use moving::Arranged;
use moving::{alternatives, juggle, shift_in};
pub use names::Names;
#[cfg(feature = "open")]
pub use open::{check, kernel_of, kernel_on, open};
use transactions::run;
pub use transactions::set_of;

/// How many requests may wait beside a queue.
pub const REQUESTS: usize = 4;

/// A book of the kernel and the queue beside it.
#[derive(Clone, Debug)]
pub struct Kernel<M, Q> {
    /// The book.
    pub book: M,
    /// The queue.
    pub queue: Q,
    /// The list of the requests that wait beside it.
    pub requests: WaitingList<REQUESTS>,
    /// The schedule of a queue that plans its jobs, over the ring of a second book.
    pub schedule: (ScheduleState, Vec<PlannedJob>),
    /// That book.
    pub second: M,
    /// How much later than it is the book is told that a job ends early: nothing, except to plant a fault.
    pub late: Span,
    names: Names,
    /// All classes that there have been, in order.
    classes: Vec<ClassId>,
    /// The class that is asked for.
    asked: ClassId,
    plan: Option<Plan>,
    remembered: Option<Box<(M, Q, WaitingList<REQUESTS>)>>,
}

impl<M: PartialEq, Q: PartialEq> PartialEq for Kernel<M, Q> {
    fn eq(&self, other: &Self) -> bool {
        (&self.book, &self.queue, &self.requests) == (&other.book, &other.queue, &other.requests)
            && self.schedule == other.schedule
    }
}

impl<M: Memory, Q: QueueMemory> Kernel<M, Q> {
    /// This book with this queue.
    #[must_use]
    pub fn new(book: M, mut queue: Q) -> Self {
        let jobs = queue.view().capacity();
        Self {
            second: book.clone(),
            schedule: (ScheduleState::default(), vec![PlannedJob::NONE; jobs]),
            book,
            queue,
            requests: WaitingList::new(),
            late: Span::ZERO,
            names: Names::default(),
            classes: Vec::new(),
            asked: ClassId::ANY,
            plan: None,
            remembered: None,
        }
    }

    /// The book, and the queue with its list of requests and its schedule.
    pub fn both<'r>(&'r mut self) -> (Book<'r, M::Ring<'r>>, PlannedQueue<'r, M::Ring<'r>>) {
        let (state, jobs) = &mut self.schedule;
        let schedule = ScheduleParts { state, jobs }.over(self.second.view());
        let queue = self.requests.beside(self.queue.view());
        (self.book.view(), queue.planned(schedule))
    }

    fn size(&mut self) -> Size {
        let (book, queue) = self.both();
        Size {
            kind: M::KIND,
            pes: book.pes(),
            horizon: book.horizon(),
            capacity: book.capacity(),
            discipline: queue.queue().discipline(),
            jobs: queue.queue().capacity(),
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
        let (state, jobs) = &mut self.schedule;
        let schedule = ScheduleParts { state, jobs }.over(self.second.view());
        let mut queue = self.requests.beside(self.queue.view()).planned(schedule);
        let (mut book, names) = (self.book.view(), &self.names);
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
        let shadow = queue.queue().shadow(&mut book);
        State {
            invariants: invariants(&mut book, &mut queue),
            now: book.now(),
            length: book.len(),
            next_event: book.next_event(),
            records: book.records().collect(),
            by_start,
            known,
            starting,
            waiting: waiting(queue.queue()),
            planned: planned(&queue),
            shadow,
            next_queue_event: queue.next_event(&book),
            version: book.version(),
        }
    }

    /// The memory for calls that move reservations: so many entries, and room for so many waiting reservations.
    fn workspace(&mut self, entries: usize, waiting: usize) -> BoxedWorkspace<M::Part> {
        BoxedWorkspace::with_columns(self.book.columns(), entries, waiting)
            .expect("a workspace for tests is small")
    }

    fn plan(&mut self, request: &Request, policy: Policy) -> Result<Slot, Error> {
        self.plan = None;
        let plan = self.book.view().plan((self.asked, request), policy)?;
        self.plan = Some(plan);
        Ok(plan.window().start)
    }

    fn mould(&mut self, mould: &Mould) -> Result<Reply, Error> {
        self.plan = None;
        let (asked, mut book) = (mould.request(), self.book.view());
        let moulded = book.plan_mouldable(
            (self.asked, &asked),
            mould.policy,
            mould.choice,
            &mould.terms,
        )?;
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
        self.book
            .view()
            .reserve((self.asked, request), policy, terms)
    }

    /// The id of a class; one that nobody has for a class that there has never been.
    fn class(&self, class: ClassNumber) -> ClassId {
        match (class as usize).checked_sub(1) {
            None => ClassId::ANY,
            Some(nth) => {
                let nobody = ClassId::from_number(u32::MAX);
                self.classes.get(nth).copied().unwrap_or(nobody)
            }
        }
    }

    fn class_add(&mut self, wish: &Wish) -> Reply {
        let ranges = wish.ranges();
        let id = match self.book.class_add(&wish.class(&ranges)) {
            Ok(id) => id,
            Err(fault) => return Reply::Unfit(fault),
        };
        let known = self.classes.iter().position(|known| *known == id);
        let nth = known.unwrap_or_else(|| {
            self.classes.push(id);
            self.classes.len() - 1
        });
        Reply::Class(nth as ClassNumber + 1)
    }

    fn transact(&mut self, transact: &Transact) -> Outcome {
        let mut workspace = self.workspace(transact.log, 0);
        let mut book = self.book.view();
        let numbers = book.numbers();
        let transaction = book.transaction(workspace.view(), transact.work);
        let (outcome, made) = run(transaction, transact, &self.names, self.asked, numbers);
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
            ClassId,
            Workspace<'_, M::Part>,
            &mut VecView<Handle>,
            &mut Conflict,
        ) -> Result<Option<Slot>, Error>,
    ) -> Reply {
        let mut workspace = self.workspace(log, 0);
        let mut book = self.book.view();
        let mut conflict = somebody(book.transaction(workspace.view(), 0));
        let reserved = with_list::<_, _, LONG_HANDLES>(room, |handles| {
            // To be cleared.
            let _ = handles.push(Handle::from_bits(u64::MAX));
            let asked = self.asked;
            let reserved = reserve(&mut book, asked, workspace.view(), handles, &mut conflict);
            listed(reserved, handles)
        });
        let conflict = in_the_way(&conflict, |handle| self.names.number(handle));
        Reply::several((reserved, conflict), |(start, handles)| {
            Reply::Several(start, self.names.begin_all(handles))
        })
    }

    fn alter(&mut self, handle: Handle, alteration: Alteration, log: usize) -> Reply {
        let mut workspace = self.workspace(log, 0);
        let mut book = self.book.view();
        let mut conflict = somebody(book.transaction(workspace.view(), 0));
        let altered = book.alter(handle, alteration, workspace.view(), &mut conflict);
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
            let explanation = book.explain((self.asked, request), obstacles)?;
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
        advance: impl for<'r> FnOnce(
            &mut Book<'r, M::Ring<'r>>,
            &mut PlannedQueue<'r, M::Ring<'r>>,
            &mut VecView<Event>,
        ) -> Result<Advanced, Error>,
    ) -> Reply {
        let (state, jobs) = &mut self.schedule;
        let schedule = ScheduleParts { state, jobs }.over(self.second.view());
        let mut queue = self.requests.beside(self.queue.view()).planned(schedule);
        let mut book = self.book.view();
        let told = with_list::<_, _, 4096>(room, |events| {
            let far = advance(&mut book, &mut queue, events)?;
            let told = events.iter().map(|event| self.names.happening(*event));
            Ok((far, told.collect()))
        });
        Reply::of(told, Reply::passed)
    }

    /// Lets time pass, and whoever may be moved start earlier.
    fn advance_pulling(&mut self, to: Slot, (room, list): Limits) -> Reply {
        let mut workspace = self.workspace(1, 0);
        let (state, jobs) = &mut self.schedule;
        let schedule = ScheduleParts { state, jobs }.over(self.second.view());
        let mut queue = self.requests.beside(self.queue.view()).planned(schedule);
        let mut book = self.book.view();
        let told = with_list::<_, _, 4096>(room, |events| {
            with_list::<_, _, LONG_HANDLES>(list, |moves| {
                let workspace = &mut workspace.view();
                let far = queue.advance_pulling(&mut book, to, events, workspace, moves)?;
                Ok((far, events.to_vec(), moves.to_vec()))
            })
        });
        Reply::of(told, |(far, events, moves)| {
            // Whoever was promised room has a number from then on.
            let events = events.into_iter().map(|event| self.names.happening(event));
            let events = events.collect();
            let moves = self.names.juggled((None, moves), JuggleEnd::Commit).moves;
            Reply::Pulled(far, events, moves)
        })
    }
}

impl<M: Memory, Q: QueueMemory> Subject for Kernel<M, Q> {
    fn copy(&self) -> Box<dyn Subject> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn Subject) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    fn perform(&mut self, command: &Command) -> Reply {
        match command {
            Command::Remember => {
                let (book, queue) = (self.book.clone(), self.queue.clone());
                self.remembered = Some(Box::new((book, queue, self.requests.clone())));
                Reply::Done
            }
            Command::IsUnchanged => {
                let remembered = self.remembered.as_deref();
                let now = (&self.book, &self.queue, &self.requests);
                Reply::Is(remembered.is_some_and(|(b, q, r)| now == (b, q, r)))
            }
            Command::Size => Reply::Size(self.size()),
            Command::Look => Reply::State(Box::new(self.state())),
            Command::ClassAdd(wish) => self.class_add(wish),
            Command::Failing(request, start) => {
                let failing = self.book.failing((self.asked, request), *start);
                Reply::of(failing, Reply::Fails)
            }
            Command::ClassDrop(class) => {
                let id = self.class(*class);
                Reply::done(self.book.class_drop(id))
            }
            Command::For(class, command) => {
                let asked = self.class(*class);
                let before = core::mem::replace(&mut self.asked, asked);
                let reply = self.perform(command);
                self.asked = before;
                reply
            }
            Command::Plan(request, policy) => Reply::of(self.plan(request, *policy), Reply::At),
            Command::PlanMouldable(mould) => Reply::of(self.mould(mould), |reply| reply),
            Command::Commit(terms) => {
                let plan = self.plan.ok_or(UsageError::StalePlan.into());
                let made =
                    plan.and_then(|plan| self.book.view().commit((self.asked, &plan), *terms));
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
                let mut workspace = self.workspace(*log, 0);
                let first = self.names.handle(*number);
                let rest = self.book.view().split(first, *at, workspace.view());
                Reply::of(rest, |rest| Reply::Made(self.names.begin(rest)))
            }
            Command::Transact(transact) => Reply::Transacted(self.transact(transact)),
            Command::Series(all) => {
                self.several(all.limits, |book, class, log, handles, conflict| {
                    let (series, policy) = (all.series(), all.policy);
                    let asked = (class, &series);
                    let done =
                        book.reserve_series(asked, policy, all.terms, log, handles, conflict);
                    done.map(|()| None)
                })
            }
            Command::Together(all) => {
                self.several(all.limits, |book, class, log, handles, conflict| {
                    let Window { start, end } = all.window;
                    let (parts, terms) = (&all.parts, all.terms);
                    let done = book.reserve_together(
                        start,
                        end,
                        (class, parts.as_slice()),
                        terms,
                        log,
                        handles,
                        conflict,
                    );
                    done.map(Some)
                })
            }
            Command::Explain(request, room) => {
                Reply::of(self.explain(request, *room), |reply| reply)
            }
            Command::Juggle(newcomer, rules, lent, end) => {
                let mut workspace = self.workspace(lent.log, lent.list);
                let asked = self.asked;
                let newcomer = newcomer.as_ref();
                let newcomer = newcomer.map(|(request, terms)| ((asked, request), *terms));
                let book = &mut self.book.view();
                let juggled = juggle(book, newcomer, rules, (*lent, workspace.view()), *end);
                Reply::of(juggled, |all| Reply::Juggled(self.names.juggled(all, *end)))
            }
            Command::ShiftIn((request, terms), rules, log, end) => {
                let mut workspace = self.workspace(*log, 0);
                let book = &mut self.book.view();
                let asked = (self.asked, request);
                let shifted = shift_in(book, (asked, *terms), rules, workspace.view(), *end);
                Reply::of(shifted, |all| Reply::Juggled(self.names.juggled(all, *end)))
            }
            Command::Relocate((request, terms), targets, log, end) => {
                let mut workspace = self.workspace(*log, 0);
                let newcomer = ((self.asked, request), *terms);
                let relocated = self
                    .book
                    .relocate(newcomer, *targets, workspace.view(), *end);
                Reply::of(relocated, |all| {
                    Reply::Juggled(self.names.juggled(all, *end))
                })
            }
            Command::Alternatives(request, terms, rules, lent, wanted) => {
                let mut workspace = self.workspace(lent.log, lent.list);
                let book = &mut self.book.view();
                let (lent, asked) = ((*lent, workspace.view()), (self.asked, request));
                let found = alternatives(book, (asked, *terms), rules, lent, wanted);
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
            Command::AdvancePulling(to, limits) => self.advance_pulling(*to, *limits),
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
            Command::Extension(number) => {
                let handle = self.names.handle(*number);
                Reply::of(self.book.view().extension(handle), Reply::At)
            }
            Command::Covering(window) => {
                Reply::Named(self.names.numbers(self.book.view().covering(*window)))
            }
            Command::RulesDuring(window) => {
                let book = self.book.view();
                Reply::Named(book.rules_during(*window).map(|rule| rule as u64).collect())
            }
            Command::Layer(number) => match self.book.layer(self.names.handle(*number)) {
                None => Reply::NoLayer,
                Some((overlaid, waits_for)) => Reply::Layer((
                    overlaid,
                    waits_for.map(|handles| self.names.numbers(handles)),
                )),
            },
            Command::FreeDuring(window) => Reply::Free(self.book.view().free_during(*window)),
            Command::Rectangle(start, duration) => {
                Reply::Rectangle(self.book.view().rectangle(*start, *duration))
            }
            Command::CandidateStarts(request) => {
                Reply::of(self.book.view().candidate_starts(request), |starts| {
                    Reply::Starts(starts.collect())
                })
            }
            Command::Find(request, policy) => Reply::of(
                self.book.view().plan((self.asked, request), *policy),
                |plan| Reply::At(plan.window().start),
            ),
            Command::SetIncarnation(incarnation) => {
                self.book.view().set_incarnation(*incarnation);
                Reply::Done
            }
            Command::SetQueueIncarnation(incarnation) => {
                self.both().1.queue_mut().set_incarnation(*incarnation);
                Reply::Done
            }
            Command::BookExactly(window, pes, terms) => {
                let (mut book, mut conflict) = (self.book.view(), Conflict::NONE);
                let set = set_of(pes, book.numbers());
                let made = book.reserve_exactly(*window, &set, *terms, &mut conflict);
                let conflict = in_the_way(&conflict, |handle| self.names.number(handle));
                Reply::several((made, conflict), |handle| {
                    Reply::Made(self.names.begin(handle))
                })
            }
            Command::ReserveOpen(pes, meeting) => {
                let mut conflict = Conflict::NONE;
                let made = self.book.view().reserve_open(*pes, *meeting, &mut conflict);
                let conflict = in_the_way(&conflict, |handle| self.names.number(handle));
                Reply::several((made, conflict), |handle| {
                    Reply::Made(self.names.begin(handle))
                })
            }
            Command::AnnounceEnd(number, at) => {
                let handle = self.names.handle(*number);
                Reply::done(self.book.view().announce_end(handle, *at))
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
            Command::Bind(number, pes) => {
                let mut book = self.book.view();
                let set = set_of(pes, book.numbers());
                Reply::done(book.bind(self.names.handle(*number), &set))
            }
            Command::Next(to) => Reply::of(self.book.view().next(*to), |event| {
                Reply::Next(event.map(|event| self.names.happening(event)))
            }),
            Command::CancelAll(numbers) => {
                let handles = numbers.iter().map(|number| self.names.handle(*number));
                Reply::of(self.book.view().cancel_all(handles), Reply::Cancelled)
            }
            Command::Offers(query, terms, room) => {
                with_list::<_, _, LONG_OFFERS>(*room, |offers| {
                    Reply::of(self.book.view().offers(query, terms, offers), |offered| {
                        Reply::Offered(offered, offers.to_vec())
                    })
                })
            }
            Command::Accept(offer, take, terms) => Reply::of(
                self.book.view().accept((self.asked, offer), *take, *terms),
                |booking| self.names.booked(booking),
            ),
            Command::Queue(discipline) => {
                self.queue.init(*discipline);
                self.requests = WaitingList::new();
                self.schedule.0 = ScheduleState::default();
                self.schedule.1.fill(PlannedJob::NONE);
                Reply::Done
            }
            Command::Submit(job) => {
                let asked = self.asked;
                let (mut book, mut queue) = self.both();
                Reply::of(queue.submit(&mut book, (asked, job)), Reply::Waits)
            }
            Command::Withdraw(ticket) => Reply::done(self.both().1.queue_mut().withdraw(*ticket)),
            Command::MakePreemptible(number, terms) => {
                let handle = self.names.handle(*number);
                Reply::done(self.book.view().make_preemptible(handle, *terms))
            }
            Command::ReservePreempting(request, policy, terms) => {
                let asked = (self.asked, request);
                let booked = {
                    let (mut book, mut queue) = self.both();
                    let queue = queue.queue_mut();
                    queue.reserve_preempting(&mut book, asked, *policy, *terms)
                };
                Reply::of(booked, |booking| self.names.booked(booking))
            }
            Command::Wait(request, policy, terms, key) => {
                let asked = self.asked;
                let (mut book, mut queue) = self.both();
                let waits =
                    queue
                        .queue_mut()
                        .wait(&mut book, (asked, request), *policy, *terms, *key);
                Reply::of(waits, Reply::Waits)
            }
            Command::SetKey(ticket, key) => {
                Reply::done(self.both().1.queue_mut().set_key(*ticket, *key))
            }
            Command::Requests => {
                Reply::Requests(self.both().1.queue().waiting_requests().collect())
            }
            Command::Shadow => {
                let (mut book, queue) = self.both();
                Reply::Shadow(queue.queue().shadow(&mut book))
            }
            Command::NextOfQueue(to) => {
                let next = {
                    let (mut book, mut queue) = self.both();
                    queue.next(&mut book, *to)
                };
                Reply::of(next, |event| {
                    Reply::Next(event.map(|event| self.names.happening(event)))
                })
            }
        }
    }
}

/// What the checkers of book and queue say.
fn invariants<R: Ring>(
    book: &mut Book<'_, R>,
    queue: &mut PlannedQueue<'_, R>,
) -> Result<(), Violation> {
    book.check_invariants()?;
    queue.check_invariants(book)
}

/// The planned starts, if jobs are planned.
fn planned<R: Ring>(queue: &PlannedQueue<'_, R>) -> Vec<(Ticket, Slot)> {
    queue.starts().collect()
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
