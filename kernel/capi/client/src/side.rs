//! A book and a queue behind the C interface, as a side that performs commands.

use std::any::Any;

use bookahead::{
    Advanced, Booking, ClassError, Commitment, Explanation, Failing, Handle, Meeting, Money, Offer,
    Offered, PeCount, Policy, Request, Slot, Take, UsageError, Window,
};
use bookahead_capi::{self as c, Binding};
use bookahead_commands::{
    ClassNumber, Command, Group, InTheWay, JuggleEnd, Kind, LONG_HANDLES, Limits, Mould, Names,
    Number, Obstruction, Placed, Recurrence, Reply, Scope, Size, Subject, Wish, set_of,
};

use crate::{
    Careless,
    argument::{List, Place},
    caller::{Caller, Memory},
    convert::{self, InC, commitment, error, in_the_way},
    standby::Standby,
};

/// A book and a queue in memory that a C program owns.
#[derive(Clone, Debug)]
pub struct CapiSide {
    pub(crate) c: Caller,
    pub(crate) names: Names,
    /// What was offered last.
    pub(crate) offers: Vec<c::Offer>,
    plan: Option<c::Plan>,
    remembered: Option<Memory>,
    /// All classes that there have been, in order, and the one that is asked for.
    classes: Vec<u32>,
    asked: u32,
    /// How many numbers PEs have.
    pub(crate) numbers: u16,
    standby: Option<Standby>,
}

impl PartialEq for CapiSide {
    fn eq(&self, other: &Self) -> bool {
        self.c.memory == other.c.memory
    }
}

/// Why a call is refused, and who is in the way.
pub struct Refused(u32, InTheWay);

impl From<u32> for Refused {
    fn from(code: u32) -> Self {
        Self(code, InTheWay::nobody())
    }
}

impl CapiSide {
    /// What can be asked of it.
    pub const SCOPE: Scope = Scope::C;

    /// An empty book for so many PEs, slots and reservations, and an empty queue for so many jobs, called by somebody so careless.
    ///
    /// # Panics
    ///
    /// When there are no such books or queues.
    #[must_use]
    pub fn new(binding: Binding, sizes: [u32; 3], jobs: u32, careless: Careless) -> Self {
        let numbers = sizes[0] as u16;
        Self::with(Caller::new(binding, sizes, jobs, careless), numbers)
    }

    fn with(c: Caller, numbers: u16) -> Self {
        Self {
            standby: Standby::of(&c),
            c,
            names: Names::default(),
            offers: Vec::new(),
            plan: None,
            remembered: None,
            classes: Vec::new(),
            asked: 0,
            numbers,
        }
    }

    /// An empty book on a machine with a layout and an empty queue of that size, called by somebody so careless.
    ///
    /// # Panics
    ///
    /// When there are no such books or queues.
    #[must_use]
    pub fn on(size: &Size, placed: &Placed, careless: Careless) -> Self {
        let (machine, missing) = (&placed.machine, convert::missing(&placed.machine));
        let layout = convert::layout(machine, &missing);
        let number = |number: usize| number.try_into().expect("no book has that many");
        let [rows, classes, order, jobs] =
            [size.capacity, placed.classes, placed.order, size.jobs].map(number);
        let sizes = [size.horizon.c(), rows, classes, order];
        let binding = match size.kind.has_rules() {
            true => Binding::PlacedRuled,
            false => Binding::Placed,
        };
        let mut caller = Caller::on(binding, &layout, sizes, jobs, careless);
        assert_eq!(
            caller.layout_check(&layout, &Place::new()),
            Ok(size.pes.c())
        );
        caller.clear_queue(size.discipline, jobs);
        let of_group: u16 = machine.kinds.iter().map(|pes| u16::from(*pes)).sum();
        Self::with(caller, machine.groups * of_group)
    }

    /// An empty book and an empty queue of that size, called by somebody so careless.
    ///
    /// # Panics
    ///
    /// When there are no such books or queues.
    #[must_use]
    pub fn of(size: &Size, careless: Careless) -> Self {
        let binding = match (size.kind, size.has_layer) {
            (Kind::RuledCounts, _) => Binding::LateRuled,
            (Kind::RuledSets, _) => Binding::EarlyRuled,
            (Kind::Sets, _) => Binding::Early,
            (Kind::Units, _) => Binding::Units,
            (Kind::Counts, false) => Binding::Late,
            (Kind::Counts, true) => Binding::Overlaid,
        };
        let rows = size.capacity.try_into().expect("no book has that many");
        let jobs = size.jobs.try_into().expect("no queue has that many");
        let sizes = [size.pes.c(), size.horizon.c(), rows];
        let mut side = Self::new(binding, sizes, jobs, careless);
        side.c.clear_queue(size.discipline, jobs);
        side
    }

    /// How many calls were made with a mistake.
    #[must_use]
    pub const fn mistakes(&self) -> u64 {
        self.c.careless.mistakes
    }

    pub(crate) fn handle(&self, number: Number) -> c::Handle {
        self.names.handle(number).c()
    }

    pub(crate) fn numbers(&self, handles: Vec<c::Handle>) -> Vec<Number> {
        self.names.numbers(handles.into_iter().map(Handle::of))
    }

    pub(crate) fn begin(&mut self, made: c::Handle) -> Number {
        self.names.begin(InC::of(made))
    }

    fn begin_all(&mut self, made: Vec<c::Handle>) -> Vec<Number> {
        self.names
            .begin_all(made.into_iter().map(Handle::of).collect())
    }

    fn booked(&mut self, booking: c::Booking) -> Reply {
        self.names.booked(Booking {
            handle: InC::of(booking.handle),
            start: InC::of(booking.start),
        })
    }

    /// Works a plan out, and forgets it unless it is kept.
    fn plan(&mut self, request: &Request, policy: Policy, keeps: bool) -> Result<Reply, u32> {
        self.plan = self.plan.filter(|_| !keeps);
        let plan = self.c.plan(&request.c(), policy.code())?;
        assert_eq!(plan.request, request.c());
        self.plan = if keeps { Some(plan) } else { self.plan };
        Ok(Reply::At(InC::of(plan.start)))
    }

    fn mould(&mut self, mould: &Mould) -> Result<Reply, u32> {
        self.plan = None;
        let forms: Vec<_> = mould.forms.iter().map(|form| form.c()).collect();
        let window = convert::window(mould.ready.c(), mould.deadline.c()).c();
        let (policy, choice) = (mould.policy.code(), mould.choice.code());
        let terms = convert::price_terms(&mould.terms);
        let (plan, price) = self
            .c
            .plan_mouldable(window, &forms, policy, choice, &terms)?;
        self.plan = Some(plan);
        let (rigid, start) = (InC::of(plan.request), InC::of(plan.start));
        Ok(Reply::Moulded(rigid, start, Money::of(price)))
    }

    fn commit(&mut self, terms: Commitment) -> Result<Reply, u32> {
        let plan = self.plan.ok_or(u32::from(UsageError::StalePlan.code()))?;
        let made = self.c.commit(&plan, &commitment(terms))?;
        Ok(Reply::Made(self.begin(made)))
    }

    /// Who is in the way of a call that was refused, if the book was asked at all; nobody is of any other.
    fn judge<T>(&self, done: Result<T, u32>, conflict: &Place<c::Conflict>) -> Result<T, Refused> {
        let conflict = conflict.get();
        let is_told = conflict.listed as usize <= c::BOOKAHEAD_CONFLICT_LISTED;
        assert!(
            done.is_err() || (conflict.listed, conflict.more, conflict.rules) == (0, 0, 0),
            "{conflict:?}"
        );
        done.map_err(|code| match is_told {
            true => Refused(
                code,
                in_the_way(&conflict, |handle| self.names.number(handle)),
            ),
            false => code.into(),
        })
    }

    fn alter(
        &mut self,
        number: Number,
        to: bookahead::Alteration,
        log: usize,
    ) -> Result<Reply, Refused> {
        let (lent, conflict, name) = (self.c.lend(log, 0), Place::new(), self.handle(number));
        let altered = self
            .c
            .alter(name, &convert::alteration(to), &lent, &conflict);
        Ok(Reply::Placed(InC::of(self.judge(altered, &conflict)?)))
    }

    fn series(&mut self, all: &Recurrence) -> Result<Reply, Refused> {
        let (lent, handles) = (self.c.lend(all.limits.0, 0), List::new(all.limits.1));
        let series = c::Series {
            first: all.first.c(),
            period: all.period.c(),
            count: all.count,
            exceptions: all.exceptions.as_ptr(),
            exception_count: all.exceptions.len(),
        };
        let (policy, terms, conflict) = (all.policy.code(), commitment(all.terms), Place::new());
        let count = self
            .c
            .reserve_series(&series, policy, &terms, &lent, &handles, &conflict);
        let count = self.judge(count, &conflict)?;
        Ok(Reply::Several(None, self.begin_all(handles.taken(count))))
    }

    fn together(&mut self, all: &Group) -> Result<Reply, Refused> {
        let (lent, handles) = (self.c.lend(all.limits.0, 0), List::new(all.limits.1));
        let parts: Vec<_> = all.parts.iter().map(|part| part.c()).collect();
        let (window, terms, conflict) = (all.window.c(), commitment(all.terms), Place::new());
        let start = self
            .c
            .reserve_together(window, &parts, &terms, &lent, &handles, &conflict);
        let start = self.judge(start, &conflict)?;
        let made = self.begin_all(handles.taken(parts.len()));
        Ok(Reply::Several(Some(InC::of(start)), made))
    }

    fn explain(&mut self, request: &Request, room: usize) -> Result<Reply, u32> {
        let list = List::new(room);
        let (count, explained) = self.c.explain(&request.c(), &list)?;
        let slot = |slot| (slot != c::BOOKAHEAD_NEVER).then(|| Slot::of(slot));
        let explanation = Explanation {
            fits: slot(explained.fits),
            more: explained.more,
            earlier: slot(explained.earlier),
            later: slot(explained.later),
        };
        let obstruction = |obstacle: c::Obstacle| Obstruction {
            start: InC::of(obstacle.start),
            lacking: InC::of(obstacle.lacking),
            at: InC::of(obstacle.at),
            holders: in_the_way(&obstacle.holders, |handle| self.names.number(handle)),
        };
        let obstacles = list.taken(count).into_iter().map(obstruction);
        Ok(Reply::Explained(explanation, obstacles.collect()))
    }

    fn accept(&mut self, offer: &Offer, take: Take, terms: Commitment) -> Result<Reply, u32> {
        let (offer, terms) = (convert::offer(offer), commitment(terms));
        let booking = self
            .c
            .accept(&offer, take.duration.c(), take.pes.c(), &terms)?;
        Ok(self.booked(booking))
    }

    fn class_add(&mut self, wish: &Wish) -> Result<Reply, u32> {
        let groups = convert::groups(wish);
        let fault = Place::new();
        let number = match self.c.class_add(&convert::class(wish, &groups), &fault) {
            Ok(number) => number,
            Err(code) if code == c::Code::BadClass as u32 => {
                let mut all = ClassError::ALL.iter();
                let fault = all.find(|error| u32::from(error.code()) == fault.get());
                return Ok(Reply::Unfit(*fault.expect("a fault")));
            }
            Err(code) => return Err(code),
        };
        let known = self.classes.iter().position(|known| *known == number);
        let nth = known.unwrap_or_else(|| {
            self.classes.push(number);
            self.classes.len() - 1
        });
        Ok(Reply::Class(nth as ClassNumber + 1))
    }

    /// The number of a class; one that nobody has for a class that there has never been.
    fn class(&self, class: ClassNumber) -> u32 {
        match (class as usize).checked_sub(1) {
            None => 0,
            Some(nth) => self.classes.get(nth).copied().unwrap_or(u32::MAX),
        }
    }

    /// What is asked for is of that class; a book without classes knows class 0 only.
    fn of_class(&mut self, class: ClassNumber, command: &Command) -> Result<Reply, Refused> {
        let asked = self.class(class);
        let before = std::mem::replace(&mut self.asked, asked);
        let reply = match self.c.class_ask(asked) {
            Err(code) if asked != 0 => Err(code.into()),
            _ => self.change(command),
        };
        self.asked = before;
        let back = self.c.class_ask(before);
        assert!(back.is_ok() || before == 0, "{back:?}");
        if let Ok(Reply::Booked(number, _)) = reply {
            let class = self.c.class_of(self.handle(number));
            assert!(class == Ok(asked) || back.is_err(), "{class:?}");
        }
        reply
    }

    fn failing(&mut self, request: &Request, start: Slot) -> Result<Reply, u32> {
        let c::Failing { kind, lacking } = self.c.failing(&request.c(), start.c())?;
        let kinds = [
            None,
            Some(Failing::Number {
                lacking: PeCount::new(lacking),
            }),
            Some(Failing::Groups { lacking }),
            Some(Failing::Block { lacking }),
        ];
        assert!(kind > 0 || lacking == 0, "{lacking} are lacking");
        Ok(Reply::Fails(kinds[kind as usize]))
    }

    fn book_exactly(
        &mut self,
        window: Window,
        pes: &[u16],
        terms: Commitment,
    ) -> Result<Reply, Refused> {
        let (set, conflict) = (set_of(pes, self.numbers), Place::new());
        let made = self
            .c
            .reserve_exactly(window.c(), &set, &commitment(terms), &conflict);
        let made = self.judge(made, &conflict)?;
        Ok(Reply::Made(self.begin(made)))
    }

    fn reserve_open(&mut self, pes: PeCount, meeting: Meeting) -> Result<Reply, Refused> {
        let (conflict, meeting) = (
            Place::new(),
            match meeting {
                Meeting::Refuse => c::Meeting::Refuse,
                Meeting::Allow => c::Meeting::Allow,
            },
        );
        let made = self.c.reserve_open(pes.c(), meeting as u8, &conflict);
        let made = self.judge(made, &conflict)?;
        Ok(Reply::Made(self.begin(made)))
    }

    /// Lets time pass, with the queue or without it.
    fn advance(&mut self, to: Slot, room: usize, queued: bool) -> Result<Reply, u32> {
        let list = List::new(room.min(4096));
        let (count, waiting) = match queued {
            true => self.c.queue_advance(to.c(), &list)?,
            false => self.c.advance(to.c(), &list)?,
        };
        let far = match waiting {
            true => Advanced::EventsWaiting,
            false => Advanced::Done,
        };
        let events = list.taken(count).into_iter().map(convert::event);
        let events = events.map(|event| self.names.happening(event));
        Ok(Reply::Passed(far, events.collect()))
    }

    /// Time passes, and whoever may be moved starts earlier.
    fn advance_pulling(&mut self, to: Slot, (room, list): Limits) -> Result<Reply, u32> {
        let (events, moves) = (List::new(room.min(4096)), List::new(list.min(LONG_HANDLES)));
        let lent = self.c.lend(1, 0);
        let told = self
            .c
            .queue_advance_pulling(to.c(), &events, &lent, &moves)?;
        let (count, waiting, moved) = told;
        let far = match waiting {
            true => Advanced::EventsWaiting,
            false => Advanced::Done,
        };
        let events = events.taken(count).into_iter().map(convert::event);
        let events = events.map(|event| self.names.happening(event)).collect();
        let moves: Vec<_> = moves.all()[..moved].iter().map(convert::move_of).collect();
        let moves = self.names.juggled((None, moves), JuggleEnd::Commit).moves;
        Ok(Reply::Pulled(far, events, moves))
    }

    /// The same to the next event.
    fn next(&mut self, to: Slot, queued: bool) -> Result<Reply, u32> {
        let (event, happened) = match queued {
            true => self.c.queue_next(to.c())?,
            false => self.c.next(to.c())?,
        };
        let event = happened.then(|| self.names.happening(convert::event(event)));
        Ok(Reply::Next(event))
    }

    fn change(&mut self, command: &Command) -> Result<Reply, Refused> {
        match command {
            Command::SetIncarnation(number) => self.c.set_incarnation(*number)?,
            Command::SetQueueIncarnation(number) => self.c.queue_set_incarnation(*number)?,
            Command::Confirm(number) => self.c.confirm(self.handle(*number))?,
            Command::Cancel(number) => self.c.cancel(self.handle(*number))?,
            Command::Complete(number, at) => self.c.complete(self.handle(*number), at.c())?,
            Command::Freeze(number) => self.c.freeze(self.handle(*number))?,
            Command::Bind(number, pes) => {
                let set = set_of(pes, self.numbers);
                self.c.bind(self.handle(*number), &set)?
            }
            Command::AnnounceEnd(number, at) => {
                self.c.announce_end(self.handle(*number), at.c())?;
            }
            Command::MakePreemptible(number, terms) => {
                let name = self.handle(*number);
                self.c
                    .make_preemptible(name, terms.min_run.get(), terms.keeps.into())?;
            }
            Command::Withdraw(ticket) => self.c.withdraw(ticket.get())?,
            Command::SetKey(ticket, key) => self.c.set_key(ticket.get(), *key)?,
            Command::Queue(discipline) => {
                let jobs = self.c.queue_status()?.capacity;
                self.c.clear_queue(*discipline, jobs);
            }
            Command::ClassDrop(class) => self.c.class_drop(self.class(*class))?,
            Command::Remember => self.remembered = Some(self.c.memory.clone()),
            _ => return self.tell(command),
        }
        Ok(Reply::Done)
    }

    /// What the command is answered, where that is more than that it is done.
    fn tell(&mut self, command: &Command) -> Result<Reply, Refused> {
        Ok(match command {
            Command::IsUnchanged => Reply::Is(self.remembered.as_ref() == Some(&self.c.memory)),
            Command::Plan(request, policy) => self.plan(request, *policy, true)?,
            Command::Find(request, policy) => self.plan(request, *policy, false)?,
            Command::PlanMouldable(mould) => self.mould(mould)?,
            Command::Commit(terms) => self.commit(*terms)?,
            Command::Book(request, policy, terms) => {
                let terms = commitment(*terms);
                let booking = self.c.reserve(&request.c(), policy.code(), &terms)?;
                self.booked(booking)
            }
            Command::ClassAdd(wish) => self.class_add(wish)?,
            Command::For(class, command) => self.of_class(*class, command)?,
            Command::Failing(request, start) => self.failing(request, *start)?,
            Command::BookExactly(window, pes, terms) => self.book_exactly(*window, pes, *terms)?,
            Command::ReserveOpen(pes, meeting) => self.reserve_open(*pes, *meeting)?,
            Command::Extension(number) => {
                let until = self.c.extension(self.handle(*number))?;
                Reply::At(InC::of(until))
            }
            Command::Relocate((request, terms), targets, log, end) => {
                self.relocate((request, *terms), *targets, *log, *end)?
            }
            Command::Advance(to, room) => self.advance(*to, *room, false)?,
            Command::Next(to) => self.next(*to, false)?,
            Command::AdvanceQueue(to, room) => self.advance(*to, *room, true)?,
            Command::AdvancePulling(to, limits) => self.advance_pulling(*to, *limits)?,
            Command::NextOfQueue(to) => self.next(*to, true)?,
            Command::Alter(number, to, log) => self.alter(*number, *to, *log)?,
            Command::Split(number, at, log) => {
                let lent = self.c.lend(*log, 0);
                let rest = self.c.split(self.handle(*number), at.c(), &lent)?;
                Reply::Made(self.begin(rest))
            }
            Command::Transact(transact) => Reply::Transacted(self.transact(transact)),
            Command::Series(all) => self.series(all)?,
            Command::Together(all) => self.together(all)?,
            Command::CancelAll(numbers) => {
                let handles: Vec<_> = numbers.iter().map(|number| self.handle(*number)).collect();
                Reply::Cancelled(self.c.cancel_all(&handles)? as u32)
            }
            Command::Explain(request, room) => self.explain(request, *room)?,
            Command::Juggle(newcomer, rules, lent, end) => {
                self.juggle(newcomer.as_ref(), rules, *lent, *end)?
            }
            Command::Alternatives(request, terms, rules, lent, wanted) => {
                self.alternatives((request, *terms), rules, *lent, wanted)?
            }
            Command::ShiftIn((request, terms), rules, log, end) => {
                self.shift_in((request, *terms), rules, *log, *end)?
            }
            Command::Overlay(request, risk) => self.overlay(request, risk)?,
            Command::Offers(query, terms, room) => {
                let (list, terms) = (List::new(*room), convert::offer_terms(terms));
                let (count, solution, more) =
                    self.c.offers(&convert::query(query), &terms, &list)?;
                self.offers = list.taken(count);
                let offers = self.offers.iter().map(convert::offer_of).collect();
                Reply::Offered(Offered { solution, more }, offers)
            }
            Command::Accept(offer, take, terms) => self.accept(offer, *take, *terms)?,
            Command::Submit(job) => {
                let ticket = Option::of(self.c.submit(&job.c())?);
                Reply::Waits(ticket.expect("no job has ticket 0"))
            }
            Command::ReservePreempting(request, policy, terms) => {
                let terms = commitment(*terms);
                let request = &request.c();
                let booking = self.c.reserve_preempting(request, policy.code(), &terms)?;
                self.booked(booking)
            }
            Command::Wait(request, policy, terms, key) => {
                let terms = commitment(*terms);
                let ticket = self.c.wait(&request.c(), policy.code(), &terms, *key)?;
                Reply::Waits(Option::of(ticket).expect("no request has ticket 0"))
            }
            _ => self.look_up(command)?,
        })
    }
}

impl Subject for CapiSide {
    fn copy(&self) -> Box<dyn Subject> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn Subject) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    fn perform(&mut self, command: &Command) -> Reply {
        self.aside();
        let done = self.change(command);
        if let Some(standby) = &mut self.standby {
            standby.follow(&mut self.c);
        }
        match done {
            Ok(reply) => reply,
            Err(Refused(code, _)) if code == c::Code::NoOverlays as u32 => Reply::NoLayer,
            // A book without a layout knows no class, and has no room for one.
            Err(Refused(code, nobody)) if code == c::Code::NoLayout as u32 => match command {
                Command::ClassAdd(_) => Reply::Unfit(ClassError::ClassesFull),
                _ => Reply::Refused(UsageError::StaleClass.into(), nobody),
            },
            Err(Refused(code, conflict)) => Reply::Refused(error(code), conflict),
        }
    }
}
