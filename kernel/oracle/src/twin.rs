//! The twin as a side under test.

use std::any::Any;

use bookahead::{
    Discipline, Error, Insertion, Policy, Refusal, Request, Slot, Ticket, UsageError, Version,
};

use crate::{Oracle, PlainQueue, TicketNumber, Waiting};
use bookahead_commands::{
    ClassNumber, Command, Ending, Kind, Known, Mould, Outcome, Placed, Reply, Size, State, Subject,
    Transact, starts,
};

/// An oracle as the side under test, with which the harness itself is tested, and as the side that is right.
#[derive(Clone, Debug)]
pub struct Twin {
    /// The oracle inside.
    pub oracle: Oracle,
    /// Its queue.
    pub queue: PlainQueue,
    /// Whether it stands for a book with a layer for overlays.
    pub has_layer: bool,
    plan: Option<Plan>,
    remembered: Option<Box<(Oracle, PlainQueue)>>,
}

impl PartialEq for Twin {
    fn eq(&self, other: &Self) -> bool {
        (&self.oracle, &self.queue, &self.plan) == (&other.oracle, &other.queue, &other.plan)
    }
}

/// What a twin remembers of a plan.
#[derive(Clone, Debug, PartialEq)]
struct Plan {
    request: Request,
    start: Slot,
    version: Version,
}

/// A queue beside a book, which has no schedule with a layer of overlays, or with rules.
fn plain_queue(discipline: Discipline, jobs: usize, kind: Kind, has_layer: bool) -> PlainQueue {
    let queue = PlainQueue::new(discipline, jobs);
    match has_layer || kind.has_rules() {
        true => queue.without_schedule(),
        false => queue,
    }
}

impl Twin {
    /// A fresh twin, whose queue has as much room as the book.
    #[must_use]
    pub fn new(kind: Kind, pes: u32, slots: u32, capacity: usize) -> Self {
        Self {
            oracle: Oracle::new(kind, pes, slots, capacity),
            queue: PlainQueue::new(Discipline::Fcfs, capacity),
            has_layer: false,
            plan: None,
            remembered: None,
        }
    }

    /// The twin of a fresh book of that size.
    #[must_use]
    pub fn of(size: &Size) -> Self {
        Self {
            queue: plain_queue(size.discipline, size.jobs, size.kind, size.has_layer),
            has_layer: size.has_layer,
            ..Self::new(size.kind, size.pes.get(), size.horizon.get(), size.capacity)
        }
    }

    /// The twin of a fresh book of that size, on a machine with a layout.
    #[must_use]
    pub fn on(size: &Size, placed: &Placed) -> Self {
        let (slots, capacity) = (size.horizon.get(), size.capacity);
        Self {
            oracle: Oracle::on(size.kind, &placed.machine, slots, capacity, placed.classes),
            ..Self::of(size)
        }
    }

    pub(crate) fn size(&self) -> Size {
        Size {
            kind: self.oracle.kind(),
            pes: self.oracle.pes(),
            horizon: self.oracle.horizon(),
            capacity: self.oracle.capacity(),
            discipline: self.queue.discipline(),
            jobs: self.queue.capacity(),
            has_layer: self.has_layer,
        }
    }

    fn state(&self) -> State {
        let (oracle, queue) = (&self.oracle, &self.queue);
        let by_start = oracle.by_start();
        let known = |number| Known {
            reservation: oracle.get(number),
            frozen: oracle.is_frozen(number),
            pes: oracle.pes_of(number).map(<[u16]>::to_vec),
            layer: self
                .has_layer
                .then(|| (oracle.overlaid(number), oracle.waits_for(number))),
        };
        let starting = |slot| (slot, oracle.starting_at(slot));
        let waiting = |waiting: &Waiting| Some((Ticket::from_number(waiting.ticket)?, waiting.job));
        State {
            invariants: Ok(()),
            now: oracle.now(),
            length: by_start.len(),
            next_event: oracle.next_event(),
            records: oracle.records(),
            known: by_start.iter().map(|(number, _)| known(*number)).collect(),
            starting: starts(&by_start, oracle.now())
                .into_iter()
                .map(starting)
                .collect(),
            by_start,
            waiting: queue.jobs().iter().filter_map(waiting).collect(),
            planned: queue.starts(),
            shadow: queue.shadow(oracle),
            next_queue_event: queue.next_event(oracle),
            version: oracle.version(),
        }
    }

    fn remember(&mut self, request: Request, start: Slot) {
        let version = self.oracle.version();
        self.plan = Some(Plan {
            request,
            start,
            version,
        });
    }

    fn plan(&mut self, request: &Request, policy: Policy) -> Result<Slot, Error> {
        self.plan = None;
        let start = self.oracle.plan(request, policy)?.start;
        self.remember(*request, start);
        Ok(start)
    }

    fn mould(&mut self, mould: &Mould) -> Result<Reply, Error> {
        self.plan = None;
        let (asked, oracle) = (mould.request(), &self.oracle);
        let moulded = oracle.plan_mouldable(&asked, mould.policy, mould.choice, &mould.terms);
        let (request, start, price) = moulded?;
        self.remember(request, start);
        Ok(Reply::Moulded(request, start, price))
    }

    /// Performs a command for a class.
    fn perform_for(&mut self, class: ClassNumber, command: &Command) -> Reply {
        let asks = match command {
            Command::Commit(_) => self.plan.is_some(),
            Command::Juggle(newcomer, ..) => newcomer.is_some(),
            Command::Together(all) => !all.parts.is_empty(),
            Command::Find(..)
            | Command::Plan(..)
            | Command::PlanMouldable(_)
            | Command::Book(..)
            | Command::Failing(..)
            | Command::Transact(_)
            | Command::Series(_)
            | Command::Explain(..)
            | Command::Alternatives(..)
            | Command::ShiftIn(..)
            | Command::Relocate(..)
            | Command::Submit(_)
            | Command::Wait(..)
            | Command::ReservePreempting(..)
            | Command::Accept(..) => true,
            _ => false,
        };
        if !asks {
            return self.perform(command);
        }
        let before = self.oracle.ask(class);
        let reply = match self.oracle.check_class() {
            // Others may succeed beside what is inserted, and a queue looks at its book first.
            Err(stale)
                if !matches!(
                    command,
                    Command::Transact(_)
                        | Command::Submit(_)
                        | Command::Wait(..)
                        | Command::ReservePreempting(..)
                ) =>
            {
                if matches!(command, Command::Plan(..) | Command::PlanMouldable(_)) {
                    self.plan = None;
                }
                Reply::done(Err(stale))
            }
            _ => self.perform(command),
        };
        self.oracle.ask(before);
        reply
    }

    fn transact(&mut self, transact: &Transact) -> Outcome {
        let mut attempt = self.oracle.attempt(transact.log, transact.work);
        let first = self.oracle.accepted();
        let mut answers = Vec::new();
        for call in &transact.calls {
            let answer = attempt.call(call);
            let made = first..attempt.book().accepted();
            let known: Vec<_> = transact.watched.iter().copied().chain(made).collect();
            answers.push((answer, attempt.sight(&known)));
        }
        let nothing = (Vec::new(), 0);
        let end = match transact.ending {
            Ending::Commit => self.oracle.commit_attempt(attempt).map(|()| nothing),
            Ending::Plan(room) => attempt.plan(room),
            Ending::Drop => Ok(nothing),
        };
        Outcome { answers, end }
    }
}

fn ticket(number: TicketNumber) -> Reply {
    Reply::Waits(Ticket::from_number(number).expect("they are counted from 1"))
}

impl Subject for Twin {
    fn copy(&self) -> Box<dyn Subject> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn Subject) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    fn perform(&mut self, command: &Command) -> Reply {
        let (oracle, queue) = (&mut self.oracle, &mut self.queue);
        match command {
            Command::Remember => {
                self.remembered = Some(Box::new((oracle.clone(), queue.clone())));
                Reply::Done
            }
            Command::IsUnchanged => {
                let remembered = self.remembered.as_deref();
                Reply::Is(remembered.is_some_and(|(o, q)| (&*oracle, &*queue) == (o, q)))
            }
            Command::Size => Reply::Size(self.size()),
            Command::Look => Reply::State(Box::new(self.state())),
            Command::Get(number) => Reply::of(oracle.get(*number), Reply::Reservation),
            Command::PesOf(number) => {
                Reply::of(oracle.pes_of(*number), |pes| Reply::Pes(pes.to_vec()))
            }
            Command::Extension(number) => Reply::of(oracle.extension(*number), Reply::At),
            Command::Covering(window) => Reply::Named(oracle.covering(*window)),
            Command::RulesDuring(window) => Reply::Named(oracle.rules_during(*window)),
            Command::Layer(_) if !self.has_layer => Reply::NoLayer,
            Command::Layer(number) => {
                Reply::Layer((oracle.overlaid(*number), oracle.waits_for(*number)))
            }
            Command::FreeDuring(window) => Reply::Free(oracle.free_during(*window)),
            Command::Rectangle(start, duration) => {
                Reply::Rectangle(oracle.rectangle(*start, *duration))
            }
            Command::CandidateStarts(request) => Reply::of(oracle.check_request(request), |()| {
                Reply::Starts(oracle.candidate_starts(request))
            }),
            Command::Find(request, policy) => Reply::of(oracle.plan(request, *policy), |found| {
                Reply::At(found.start)
            }),
            Command::ClassAdd(wish) => match oracle.class_add(wish) {
                Ok(class) => Reply::Class(class),
                Err(fault) => Reply::Unfit(fault),
            },
            Command::Failing(request, start) => {
                Reply::of(oracle.failing(request, *start), Reply::Fails)
            }
            Command::ClassDrop(class) => Reply::done(oracle.class_drop(*class)),
            Command::For(class, command) => self.perform_for(*class, command),
            Command::SetIncarnation(incarnation) => {
                oracle.set_incarnation(*incarnation);
                Reply::Done
            }
            Command::SetQueueIncarnation(incarnation) => {
                queue.set_incarnation(*incarnation);
                Reply::Done
            }
            Command::Plan(request, policy) => Reply::of(self.plan(request, *policy), Reply::At),
            Command::PlanMouldable(mould) => Reply::of(self.mould(mould), |reply| reply),
            Command::Commit(terms) => {
                let Some(plan) = &self.plan else {
                    return Reply::done(Err(UsageError::StalePlan.into()));
                };
                let made = oracle.commit(&plan.request, plan.start, plan.version, *terms);
                Reply::of(made, Reply::Made)
            }
            Command::BookExactly(window, pes, terms) => {
                Reply::several(oracle.reserve_exactly(*window, pes, *terms), Reply::Made)
            }
            Command::ReserveOpen(pes, meeting) => {
                Reply::several(oracle.reserve_open(*pes, *meeting), Reply::Made)
            }
            Command::AnnounceEnd(number, at) => Reply::done(oracle.announce_end(*number, *at)),
            Command::Book(request, policy, terms) => {
                Reply::of(oracle.book(request, *policy, *terms), Reply::booked)
            }
            Command::MakePreemptible(number, terms) => {
                Reply::done(oracle.make_preemptible(*number, *terms))
            }
            Command::ReservePreempting(request, policy, terms) => Reply::of(
                queue.book_cutting(oracle, request, *policy, *terms),
                Reply::booked,
            ),
            Command::Confirm(number) => Reply::done(oracle.confirm(*number)),
            Command::Cancel(number) => Reply::done(oracle.cancel(*number)),
            Command::Complete(number, at) => Reply::done(oracle.complete(*number, *at)),
            Command::Freeze(number) => Reply::done(oracle.freeze(*number)),
            Command::Bind(number, pes) => Reply::done(oracle.bind(*number, pes)),
            Command::Advance(to, room) => Reply::of(oracle.advance(*to, *room), Reply::passed),
            Command::Next(to) => Reply::of(oracle.next(*to), Reply::Next),
            Command::Alter(number, alteration, log) => {
                Reply::several(oracle.alter(*number, *alteration, *log), Reply::Placed)
            }
            Command::Split(number, at, log) => {
                Reply::of(oracle.split(*number, *at, *log), Reply::Made)
            }
            Command::Transact(transact) => Reply::Transacted(self.transact(transact)),
            Command::Series(all) => {
                let (log, room) = all.limits;
                let reserved =
                    oracle.reserve_series(&all.series(), all.policy, all.terms, log, room);
                Reply::several(reserved, |numbers| Reply::Several(None, numbers))
            }
            Command::Together(all) => {
                let (log, room) = all.limits;
                let reserved =
                    oracle.reserve_together(all.window, &all.parts, all.terms, log, room);
                Reply::several(reserved, |(start, numbers)| {
                    Reply::Several(Some(start), numbers)
                })
            }
            Command::CancelAll(numbers) => Reply::of(oracle.cancel_all(numbers), Reply::Cancelled),
            Command::Explain(request, room) => Reply::of(
                oracle.explain(request, *room),
                |(explanation, obstacles)| Reply::Explained(explanation, obstacles),
            ),
            Command::Juggle(newcomer, rules, _, end) => {
                let newcomer = newcomer.as_ref().map(|(request, terms)| (request, *terms));
                Reply::of(oracle.juggle(newcomer, rules, *end), Reply::Juggled)
            }
            Command::Alternatives(request, terms, rules, _, wanted) => Reply::of(
                oracle.alternatives(request, *terms, rules, wanted),
                Reply::Found,
            ),
            Command::Relocate((request, terms), targets, log, end) => {
                let relocated = oracle.relocate((request, *terms), *targets, *log, *end);
                Reply::of(relocated, Reply::Juggled)
            }
            Command::ShiftIn((request, terms), rules, log, end) => match rules.insertion {
                Insertion::Slides { .. } => {
                    let shifted = oracle.shift_in((request, *terms), rules, *log, *end);
                    Reply::of(shifted, Reply::Juggled)
                }
                // Only slides have a twin.
                Insertion::FewestMoves | Insertion::LeastShift => {
                    Reply::done(Err(Refusal::WorkLimit.into()))
                }
            },
            Command::Overlay(..) if !self.has_layer => Reply::NoLayer,
            Command::Overlay(request, risk) => {
                Reply::of(oracle.overlay(request, risk), Reply::Overlaid)
            }
            Command::Offers(query, terms, room) => {
                Reply::of(oracle.offers(query, terms, *room), |(offered, offers)| {
                    Reply::Offered(offered, offers)
                })
            }
            Command::Accept(offer, take, terms) => {
                Reply::of(oracle.accept(offer, *take, *terms), Reply::booked)
            }
            Command::Queue(discipline) => {
                *queue = plain_queue(*discipline, queue.capacity(), oracle.kind(), self.has_layer);
                Reply::Done
            }
            Command::Submit(job) => Reply::of(queue.submit(oracle, job), ticket),
            Command::Wait(request, policy, commitment, key) => {
                let asked = bookahead::Waiting {
                    request: *request,
                    policy: *policy,
                    commitment: *commitment,
                    key: *key,
                };
                Reply::of(queue.wait(oracle, asked), ticket)
            }
            Command::SetKey(ticket, key) => Reply::done(queue.set_key(ticket.get(), *key)),
            Command::Requests => Reply::Requests(queue.requests()),
            Command::Withdraw(ticket) => Reply::done(queue.withdraw(ticket.get())),
            Command::Shadow => Reply::Shadow(queue.shadow(oracle)),
            Command::AdvanceQueue(to, room) => {
                Reply::of(queue.advance(oracle, *to, *room), Reply::passed)
            }
            Command::AdvancePulling(to, limits) => Reply::of(
                queue.advance_pulling(oracle, *to, *limits),
                |(far, events, moves)| Reply::Pulled(far, events, moves),
            ),
            Command::NextOfQueue(to) => Reply::of(queue.next(oracle, *to), Reply::Next),
        }
    }
}
