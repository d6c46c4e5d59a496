//! Converts the stream into histories and proves that every answer is the same.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use bookahead::{
    Admission, Advanced, AfterFailure, Commitment, CountBook, Discipline, Discount, Error,
    EventKind, Guarantee, History as Counted, JobQueue, Money, Offer, OverlayBook, PeBook, PeCount,
    Placement, Policy, PriceTerms, Probability, Refusal, Request, Slot, Span, Take, Ticket,
    UsageError, Version, Window,
};
use bookahead_commands::{
    Answer as Reached, Call as Inner, Command, Ending, Group, Happening, InTheWay, JuggleEnd,
    Juggled, Kernel, Law, Lent, Mould, Moved, Number, Recurrence, Reply, Risk, Rules, Sight, Size,
    Sorting, Subject, Transact, Wanted,
};
use bookahead_stream::{
    Action, Answer, CALLS, Call, Deed, Detail, ENTRIES, EVENTS, Entries, Entry, HEADERS, Jobs,
    Line, NAMED, Noted, OBSTACLES, OFFERS, OVERLAY_HEADERS, Offered, PARTS, PES, ROWS, SLOTS,
    Script, WAITING,
};

const ANSWERS: &str = include_str!("../answers.txt");
const OVERLAYS: &str = include_str!("../overlays.txt");
/// No reservation has this number.
const NEVER: Number = 999_999;
const LOG: usize = ENTRIES;

type Late = CountBook<{ bookahead::raw::blocks(SLOTS) }, { PES as usize }, ROWS>;
type Early = PeBook<u32, { bookahead::raw::blocks(SLOTS) }, 1, ROWS>;
type Overlaid = OverlayBook<1, 16, 24>;

pub fn all(folder: &Path) -> Result<String, Box<dyn std::error::Error>> {
    let (pes, slots) = (PeCount::new(PES), Span::new(SLOTS));
    let queue = || JobQueue::<WAITING>::new(Discipline::Fcfs);
    let late = Box::new(Kernel::new(Late::new(pes, slots)?, queue()));
    let early = Box::new(Kernel::new(Early::new(pes, slots)?, queue()));
    fs::write(folder.join("count.txt"), Side::new("late", late).stream())?;
    fs::write(folder.join("pe.txt"), Side::new("early", early).stream())?;
    let overlaid = Overlaid::new(PeCount::new(16), Span::new(64))?;
    let overlaid = Box::new(Kernel::new(overlaid, queue()));
    fs::write(
        folder.join("overlay.txt"),
        Side::new("", overlaid).overlays(),
    )?;
    Ok(String::new())
}

/// A side, what is known of its jobs, and the history so far.
struct Side {
    binding: &'static str,
    subject: Box<dyn Subject>,
    text: String,
    expected: Vec<&'static str>,
    agreed: usize,
    booked: BTreeMap<u16, (Number, Slot)>,
    tickets: BTreeMap<u16, Ticket>,
    offers: Vec<Offer>,
    planned: Option<Slot>,
    moves: Vec<Moved>,
    pes: BTreeMap<Number, Vec<u16>>,
    now: Slot,
    made: u64,
}

impl Side {
    fn new(binding: &'static str, subject: Box<dyn Subject>) -> Self {
        let lines = ANSWERS.lines().skip(HEADERS.len());
        let mut side = Self {
            binding,
            subject,
            text: String::new(),
            expected: lines.filter(|line| line.starts_with(binding)).collect(),
            agreed: 0,
            booked: BTreeMap::new(),
            tickets: BTreeMap::new(),
            offers: Vec::new(),
            planned: None,
            moves: Vec::new(),
            pes: BTreeMap::new(),
            now: Slot::new(0),
            made: 0,
        };
        let size = side.ask(&Command::Size);
        writeln!(side.text, "{size}").unwrap();
        side
    }

    fn ask(&mut self, command: &Command) -> Reply {
        let line = command.to_string();
        assert_eq!(line.parse::<Command>().as_ref(), Ok(command), "{line}");
        self.subject.perform(command)
    }

    fn perform(&mut self, command: Command) -> Reply {
        let reply = self.ask(&command);
        assert_eq!(reply.to_string().parse::<Reply>().as_ref(), Ok(&reply));
        writeln!(self.text, "{command}\n= {reply}").unwrap();
        reply
    }

    /// The next line of the answers is this one.
    fn say(&mut self, line: &Line) {
        self.is_next(&line.to_string());
    }

    fn is_next(&mut self, line: &str) {
        let expected = self.expected.get(self.agreed);
        let last: Vec<_> = self.text.lines().rev().take(8).collect();
        assert_eq!(Some(&line), expected, "{} {last:#?}", self.agreed);
        self.agreed += 1;
    }

    fn number(&self, job: u16) -> Number {
        self.booked.get(&job).map_or(NEVER, |(number, _)| *number)
    }

    fn start(&self, job: u16) -> Slot {
        let known = self.booked.get(&job);
        known.map_or(Slot::new(0), |(_, start)| *start)
    }

    fn job_of(&self, number: Number) -> Option<u16> {
        let mut jobs = self.booked.iter();
        jobs.find(|(_, known)| known.0 == number)
            .map(|(job, _)| *job)
    }

    fn book(&mut self, job: u16, number: Number, start: Slot) {
        self.booked.insert(job, (number, start));
    }

    fn jobs(&self, conflict: &InTheWay) -> Jobs {
        conflict
            .names
            .iter()
            .map(|name| self.job_of(*name))
            .collect()
    }

    fn answer(&mut self, slot: Slot, what: &'static str, job: u16, code: u16, start: Option<Slot>) {
        let number = self.number(job);
        let mut set = 0;
        let held = match self.ask(&Command::PesOf(number)) {
            Reply::Pes(pes) => pes,
            _ => Vec::new(),
        };
        for pe in &held {
            set |= 1 << pe;
        }
        if number != NEVER && self.pes.get(&number) != Some(&held) {
            self.perform(Command::PesOf(number));
            self.pes.insert(number, held);
        }
        let start = start.unwrap_or(self.start(job));
        let binding = self.binding;
        self.say(&Line::Answer(Answer {
            binding,
            slot,
            what,
            job,
            code,
            start,
            pes: set,
        }));
    }

    fn note(&mut self, job: u16, detail: Detail) {
        let (binding, slot) = (self.binding, self.now);
        self.say(&Line::Note(Noted {
            binding,
            slot,
            job,
            detail,
        }));
    }

    fn stream(mut self) -> String {
        let mut entries = Entries::new(CALLS).map(Result::unwrap).peekable();
        for slot in 0.. {
            let now = Slot::new(slot);
            self.advance(now);
            self.now = now;
            if slot % 100 == 99 {
                self.perform(Command::Look);
            }
            while let Some(entry) = entries.next_if(|entry| entry.slot() <= now) {
                match entry {
                    Entry::Call(_, call) => self.make(&call),
                    Entry::End(_) => {
                        self.perform(Command::Look);
                        assert_eq!(self.agreed, self.expected.len());
                        return self.text;
                    }
                }
            }
        }
        unreachable!()
    }

    fn advance(&mut self, to: Slot) {
        loop {
            let (events, done) = if to.get().is_multiple_of(2) {
                match self.perform(Command::AdvanceQueue(to, EVENTS)) {
                    Reply::Passed(far, events) => (events, far == Advanced::Done),
                    other => panic!("{other:?}"),
                }
            } else {
                match self.perform(Command::NextOfQueue(to)) {
                    Reply::Next(event) => (event.into_iter().collect(), event.is_none()),
                    other => panic!("{other:?}"),
                }
            };
            self.now = to;
            for event in events {
                self.event(event);
            }
            if done {
                return;
            }
        }
    }

    fn event(&mut self, event: Happening) {
        let job = if event.kind == EventKind::BestEffortStarted {
            let ticket = event.ticket.unwrap();
            let mut jobs = self.tickets.iter();
            let (job, _) = jobs.find(|(_, known)| **known == ticket).unwrap();
            let job = *job;
            self.book(job, event.whose, event.at);
            job
        } else {
            self.job_of(event.whose).unwrap()
        };
        self.answer(event.at, event.kind.name(), job, 0, None);
    }

    fn make(&mut self, call: &Call) {
        let Call { job, action } = call;
        self.made += 1;
        if let Action::Reserve(request, policy) | Action::Hold(request, policy, _) = action {
            self.look_around(request, *policy);
        }
        let remembers = self.made.is_multiple_of(16);
        if remembers {
            self.perform(Command::Remember);
        }
        let mut details = Vec::new();
        let done = self.call(*job, action, &mut details);
        if remembers {
            self.perform(Command::IsUnchanged);
        }
        let code = done.as_ref().err().map_or(0, |error| error.code());
        self.answer(
            self.now,
            action.name(),
            *job,
            code,
            done.unwrap_or_default(),
        );
        for detail in details {
            self.note(*job, detail);
        }
        if matches!(action, Action::Offers(..)) {
            let (binding, slot, job) = (self.binding, self.now, *job);
            for offer in self.offers.clone() {
                self.say(&Line::Offer(Offered {
                    binding,
                    slot,
                    job,
                    offer,
                }));
            }
        }
    }

    /// Questions that the stream does not ask.
    fn look_around(&mut self, request: &Request, policy: Policy) {
        let window = Window {
            start: request.ready,
            end: request.deadline,
        };
        match self.made % 40 {
            0 => drop(self.perform(Command::Find(*request, policy))),
            4 => drop(self.perform(Command::CandidateStarts(*request))),
            8 => drop(self.perform(Command::FreeDuring(window))),
            12 => drop(self.perform(Command::Rectangle(request.ready, request.duration))),
            16 => drop(self.perform(Command::Get(self.made / 4))),
            20 => drop(self.perform(Command::Size)),
            _ => {}
        }
    }

    fn call(
        &mut self,
        job: u16,
        action: &Action,
        details: &mut Vec<Detail>,
    ) -> Result<Option<Slot>, Error> {
        let number = self.number(job);
        let held =
            |ttl: Option<Span>| ttl.map_or(Commitment::Confirmed, |ttl| Commitment::Held { ttl });
        let done = |reply: Reply| match reply {
            Reply::Done => Ok(None),
            Reply::Refused(error, _) => Err(error),
            other => panic!("{other:?}"),
        };
        match action {
            Action::Reserve(request, policy) => {
                self.booking(job, Command::Book(*request, *policy, Commitment::Confirmed))
            }
            Action::Hold(request, policy, ttl) => self.booking(
                job,
                Command::Book(*request, *policy, Commitment::Held { ttl: *ttl }),
            ),
            Action::Accept(choice) => {
                let offer = self.offers.get(choice.nth).copied().unwrap_or(NO_OFFER);
                let whole = offer.whole();
                let take = Take {
                    duration: choice.duration.unwrap_or(whole.duration),
                    pes: choice.pes.unwrap_or(whole.pes),
                };
                self.booking(job, Command::Accept(offer, take, choice.terms()))
            }
            Action::Commit(ttl) => self.commit(job, held(*ttl)),
            Action::CommitAs(terms) => self.commit(job, *terms),
            Action::Split(of, at) => match self.perform(Command::Split(self.number(*of), *at, LOG))
            {
                Reply::Made(number) => {
                    self.book(job, number, *at);
                    Ok(None)
                }
                other => done(other),
            },
            Action::Confirm => done(self.perform(Command::Confirm(number))),
            Action::Cancel => done(self.perform(Command::Cancel(number))),
            Action::Complete(at) => done(self.perform(Command::Complete(number, *at))),
            Action::Freeze => done(self.perform(Command::Freeze(number))),
            Action::Offers(query, manner) => {
                self.offers.clear();
                match self.perform(Command::Offers(*query, manner.terms(), OFFERS)) {
                    Reply::Offered(_, offers) => {
                        self.offers = offers;
                        Ok(None)
                    }
                    other => done(other),
                }
            }
            Action::Queue(discipline) => {
                self.perform(Command::Queue(*discipline));
                let incarnation = self.incarnation();
                self.perform(Command::SetQueueIncarnation(incarnation));
                self.tickets.clear();
                Ok(None)
            }
            Action::Submit(waiting) => match self.perform(Command::Submit(*waiting)) {
                Reply::Waits(ticket) => {
                    self.tickets.insert(job, ticket);
                    Ok(None)
                }
                other => done(other),
            },
            Action::Withdraw => {
                let never = Ticket::from_number(u32::MAX).unwrap();
                let ticket = self.tickets.get(&job).copied().unwrap_or(never);
                done(self.perform(Command::Withdraw(ticket)))
            }
            Action::Shadow => match self.perform(Command::Shadow) {
                Reply::Shadow(shadow) => Ok(Some(shadow.unwrap_or_default())),
                other => done(other),
            },
            Action::Plan(request, policy) => {
                self.planned = None;
                match self.perform(Command::Plan(*request, *policy)) {
                    Reply::At(start) => {
                        self.planned = Some(start);
                        Ok(Some(start))
                    }
                    other => done(other),
                }
            }
            Action::Incarnation(book, queue) => {
                self.perform(Command::SetIncarnation(*book));
                done(self.perform(Command::SetQueueIncarnation(*queue)))
            }
            Action::Alter(alteration) => {
                match self.perform(Command::Alter(number, *alteration, LOG)) {
                    Reply::Placed(place) => {
                        self.book(job, number, place.start);
                        Ok(None)
                    }
                    other => self.refused(other, details),
                }
            }
            Action::Series(series) => {
                let series = Recurrence {
                    first: series.first,
                    period: series.period,
                    count: series.count,
                    exceptions: series.exceptions.to_vec(),
                    policy: series.policy,
                    terms: held(series.ttl),
                    limits: (LOG, PARTS),
                };
                self.several(job, Command::Series(series), details)
            }
            Action::Together(group) => {
                let group = Group {
                    window: Window {
                        start: group.ready,
                        end: group.deadline,
                    },
                    parts: group.parts.to_vec(),
                    terms: held(group.ttl),
                    limits: (LOG, PARTS),
                };
                self.several(job, Command::Together(group), details)
            }
            Action::CancelAll(count) => {
                let jobs = (job..job.saturating_add(*count)).take(PARTS);
                let numbers = jobs.map(|job| self.number(job)).collect();
                match self.perform(Command::CancelAll(numbers)) {
                    Reply::Cancelled(count) => Ok(Some(Slot::new(count.into()))),
                    other => done(other),
                }
            }
            Action::Explain(request) => match self.perform(Command::Explain(*request, OBSTACLES)) {
                Reply::Explained(explanation, obstacles) => {
                    for obstacle in obstacles {
                        let jobs = self.jobs(&obstacle.holders);
                        let lacking = obstacle.lacking.get();
                        details.push(Detail::Obstacle(
                            obstacle.start,
                            obstacle.at,
                            lacking,
                            jobs,
                            obstacle.holders.more,
                        ));
                    }
                    details.push(Detail::Explanation(explanation));
                    Ok(Some(explanation.fits.unwrap_or_default()))
                }
                other => done(other),
            },
            Action::Covering(window) => match self.perform(Command::Covering(*window)) {
                Reply::Named(numbers) => {
                    let jobs = numbers.iter().map(|number| self.job_of(*number));
                    details.push(Detail::Covering(jobs.take(NAMED).collect()));
                    Ok(Some(window.start))
                }
                other => done(other),
            },
            Action::Transaction(script) => self.transaction(script, details),
            Action::Apply(work, entries) => {
                let transact = Transact {
                    log: *entries,
                    work: *work,
                    calls: vec![Inner::Apply(self.moves.clone())],
                    ending: Ending::Commit,
                    watched: Vec::new(),
                };
                // What is not applied is not committed.
                let mut tried = self.subject.copy();
                let failed = match tried.perform(&Command::Transact(transact.clone())) {
                    Reply::Transacted(outcome) => outcome.answers[0].0.is_err(),
                    other => panic!("{other:?}"),
                };
                let ending = if failed { Ending::Drop } else { Ending::Commit };
                match self.perform(Command::Transact(Transact { ending, ..transact })) {
                    Reply::Transacted(outcome) => {
                        outcome.answers[0].0.clone()?;
                        outcome.end?;
                        self.move_all(&self.moves.clone());
                        Ok(Some(Slot::new(0)))
                    }
                    other => done(other),
                }
            }
            Action::Mould(mould) => {
                self.planned = None;
                let terms = PriceTerms {
                    tariff: bookahead_stream::Manner {
                        search: bookahead::Search::ALL[0],
                        order: bookahead::OfferOrder::ALL[0],
                        ttl: Span::ZERO,
                        base: mould.base,
                    }
                    .terms()
                    .tariff,
                    discount: Discount {
                        per_duration: 1 << 30,
                        most: 1 << 31,
                    },
                    budget: mould.budget,
                };
                let asked = Mould {
                    ready: mould.ready,
                    deadline: mould.deadline,
                    forms: mould.forms.to_vec(),
                    policy: mould.policy,
                    choice: mould.choice,
                    terms,
                };
                match self.perform(Command::PlanMouldable(asked)) {
                    Reply::Moulded(chosen, start, price) => {
                        self.planned = Some(start);
                        details.push(Detail::Form(chosen.duration, chosen.pes, price));
                        Ok(Some(start))
                    }
                    other => done(other),
                }
            }
            Action::Juggle(newcomer, rules, plan) => {
                let newcomer = (newcomer.request, newcomer.terms);
                let (rules, lent) = juggling(rules);
                if self.made.is_multiple_of(3) {
                    let wanted = Wanted {
                        sides: bookahead::Sides::Both,
                        max_percent: 200,
                        behind: bookahead::Behind::Deadline,
                        room: 3,
                    };
                    self.perform(Command::Alternatives(
                        newcomer.0, newcomer.1, rules, lent, wanted,
                    ));
                }
                self.rearranged(
                    job,
                    Command::Juggle(Some(newcomer), rules, lent, ending(*plan)),
                    *plan,
                    details,
                )
            }
            Action::Replan(rules, plan) => {
                let (rules, lent) = juggling(rules);
                self.rearranged(
                    job,
                    Command::Juggle(None, rules, lent, ending(*plan)),
                    *plan,
                    details,
                )
            }
            Action::ShiftIn(newcomer, rules, plan) => {
                let newcomer = (newcomer.request, newcomer.terms);
                self.rearranged(
                    job,
                    Command::ShiftIn(newcomer, *rules, LOG, ending(*plan)),
                    *plan,
                    details,
                )
            }
        }
    }

    fn incarnation(&mut self) -> u32 {
        match self.ask(&Command::Look) {
            Reply::State(state) => state.version.incarnation,
            other => panic!("{other:?}"),
        }
    }

    fn booking(&mut self, job: u16, command: Command) -> Result<Option<Slot>, Error> {
        match self.perform(command) {
            Reply::Booked(number, start) => {
                self.book(job, number, start);
                Ok(None)
            }
            Reply::Refused(error, _) => Err(error),
            other => panic!("{other:?}"),
        }
    }

    fn commit(&mut self, job: u16, terms: Commitment) -> Result<Option<Slot>, Error> {
        match self.perform(Command::Commit(terms)) {
            Reply::Made(number) => {
                self.book(job, number, self.planned.unwrap());
                Ok(None)
            }
            Reply::Refused(error, _) => Err(error),
            other => panic!("{other:?}"),
        }
    }

    fn refused(&mut self, reply: Reply, details: &mut Vec<Detail>) -> Result<Option<Slot>, Error> {
        let Reply::Refused(error, conflict) = reply else {
            panic!("{reply:?}");
        };
        if !conflict.names.is_empty() {
            details.push(Detail::Conflict(self.jobs(&conflict), conflict.more));
        }
        Err(error)
    }

    fn several(
        &mut self,
        job: u16,
        command: Command,
        details: &mut Vec<Detail>,
    ) -> Result<Option<Slot>, Error> {
        match self.perform(command) {
            Reply::Several(start, numbers) => {
                for (job, number) in (job..).zip(numbers) {
                    let start = self.place_of(number).unwrap().start;
                    self.book(job, number, start);
                }
                Ok(start)
            }
            other => self.refused(other, details),
        }
    }

    /// Where a reservation is.
    fn place_of(&mut self, number: Number) -> Option<Placement> {
        match self.ask(&Command::Get(number)) {
            Reply::Reservation(known) => Some(Placement {
                start: known.window.start,
                duration: known.window.len().unwrap_or_default(),
                pes: known.request.pes,
            }),
            _ => None,
        }
    }

    fn rearranged(
        &mut self,
        job: u16,
        command: Command,
        plan: bool,
        details: &mut Vec<Detail>,
    ) -> Result<Option<Slot>, Error> {
        let Juggled { made, moves } = match self.perform(command) {
            Reply::Juggled(juggled) => juggled,
            Reply::Refused(error, _) => return Err(error),
            other => panic!("{other:?}"),
        };
        if plan {
            for to in moves {
                details.push(Detail::Move(self.job_of(to.whose), to.from, to.to));
            }
            return Ok(made.map(|(_, start)| start));
        }
        for (job, (number, start)) in self.booked.clone() {
            let Some(now) = self.place_of(number) else {
                continue;
            };
            if now.start != start {
                self.perform(Command::Get(number));
                let from = Placement { start, ..now };
                details.push(Detail::Move(Some(job), Some(from), Some(now)));
                self.book(job, number, now.start);
            }
        }
        if let Some((number, start)) = made {
            self.book(job, number, start);
        }
        Ok(None)
    }

    fn move_all(&mut self, moves: &[Moved]) {
        for to in moves {
            if let (Some(place), Some(job)) = (to.to, self.job_of(to.whose)) {
                self.book(job, to.whose, place.start);
            }
        }
    }

    fn transaction(
        &mut self,
        script: &Script,
        details: &mut Vec<Detail>,
    ) -> Result<Option<Slot>, Error> {
        let mut run = Run {
            first: self.next_number(),
            calls: Vec::new(),
            made: Vec::new(),
            alive: 0,
            savepoints: BTreeMap::new(),
            noted: 0,
            refused: None,
        };
        let mut failed = None;
        for (number, step) in script.steps.iter().enumerate() {
            let call = run.call_of(self, &step.deed, number);
            let answered = match call {
                None => Ok(Reached::Done),
                Some(call) => {
                    run.calls.push(call);
                    let outcome = self.tried(script, &run.calls);
                    let answered = outcome.last().unwrap().0.clone();
                    run.follow(&step.deed, number, &answered);
                    answered
                }
            };
            let booked = match (&answered, step.deed) {
                (Ok(Reached::Done), Deed::Place(_, place)) => Some(place),
                (Ok(Reached::At(place)), _) => Some(*place),
                (Ok(Reached::Starts(start)), _) => Some(Placement {
                    start: *start,
                    duration: Span::ZERO,
                    pes: PeCount::ZERO,
                }),
                _ => None,
            };
            let code = answered.as_ref().err().map_or(0, |error| error.code());
            details.push(Detail::Step {
                number,
                code,
                booked,
            });
            if let Err(error) = answered {
                if step.optional {
                    run.refused = Some(number);
                } else {
                    if error == Refusal::NoRoom.into()
                        && let Some(call) = run.in_the_way(self, &step.deed)
                    {
                        run.calls.push(call);
                    }
                    failed = Some(error);
                    break;
                }
            }
        }
        let ending = match (&failed, script.plan) {
            (Some(_), _) => Ending::Drop,
            (None, true) => Ending::Plan(LOG),
            (None, false) => Ending::Commit,
        };
        let transact = Transact {
            log: script.entries,
            work: script.work,
            calls: run.calls.clone(),
            ending,
            watched: Vec::new(),
        };
        let outcome = match self.perform(Command::Transact(transact)) {
            Reply::Transacted(outcome) => outcome,
            other => panic!("{other:?}"),
        };
        let last = outcome.answers.last();
        if let Some(error) = failed {
            if let Some((Ok(Reached::Conflict(conflict)), _)) = last
                && !conflict.names.is_empty()
            {
                details.push(Detail::Conflict(run.jobs(self, conflict), conflict.more));
            }
            return Err(error);
        }
        outcome.end?;
        let (moves, work_left) = last.map_or((Vec::new(), script.work), |(_, sight)| {
            (sight.moves.clone(), sight.work_left)
        });
        for to in &moves {
            details.push(Detail::Move(run.job_of(self, to.whose), to.from, to.to));
        }
        if script.plan {
            self.moves = moves;
        } else {
            for (job, number) in run.made {
                let change = moves.iter().find(|to| to.whose == number);
                if let Some(place) = change.and_then(|change| change.to) {
                    self.book(job, number, place.start);
                }
            }
            self.move_all(&moves);
        }
        Ok(Some(Slot::new(work_left)))
    }

    fn tried(&mut self, script: &Script, calls: &[Inner]) -> Vec<(Result<Reached, Error>, Sight)> {
        let transact = Transact {
            log: script.entries,
            work: script.work,
            calls: calls.to_vec(),
            ending: Ending::Drop,
            watched: Vec::new(),
        };
        match self.subject.copy().perform(&Command::Transact(transact)) {
            Reply::Transacted(outcome) => outcome.answers,
            other => panic!("{other:?}"),
        }
    }

    /// The number that the next reservation gets: found by making one on a copy.
    fn next_number(&mut self) -> Number {
        let mut copy = self.subject.copy();
        let start = self.now.saturating_add(Span::new(200));
        let request = Request {
            ready: start,
            duration: Span::new(1),
            deadline: start.saturating_add(Span::new(1)),
            pes: PeCount::new(1),
        };
        for number in 0.. {
            let _ = copy.perform(&Command::Cancel(number));
            if let Reply::Booked(number, _) = copy.perform(&Command::Book(
                request,
                Policy::FirstFit,
                Commitment::Confirmed,
            )) {
                return number;
            }
        }
        unreachable!()
    }
}

/// A transaction that is being translated.
struct Run {
    first: Number,
    calls: Vec<Inner>,
    made: Vec<(u16, Number)>,
    /// How many of those that were made have not been given up by a rollback.
    alive: u64,
    /// By place: the nth savepoint, the step, and how many had been made.
    savepoints: BTreeMap<u8, (usize, usize, u64)>,
    noted: usize,
    refused: Option<usize>,
}

impl Run {
    fn number(&self, side: &Side, job: u16) -> Number {
        let made = self.made.iter().rfind(|(made, _)| *made == job);
        made.map_or_else(|| side.number(job), |(_, number)| *number)
    }

    fn job_of(&self, side: &Side, number: Number) -> Option<u16> {
        let made = self.made.iter().rfind(|(_, made)| *made == number);
        made.map(|(job, _)| *job).or_else(|| side.job_of(number))
    }

    fn jobs(&self, side: &Side, conflict: &InTheWay) -> Jobs {
        side.jobs(conflict)
    }

    fn call_of(&self, side: &Side, deed: &Deed, _number: usize) -> Option<Inner> {
        let of = |job| self.number(side, job);
        let back = |place: &u8| {
            let nth = self.savepoints.get(place).map_or(99, |(nth, ..)| *nth);
            Inner::RollbackTo(nth)
        };
        Some(match deed {
            Deed::Lift(job) => Inner::Lift(of(*job)),
            Deed::Place(job, place) => Inner::Place(of(*job), *place),
            Deed::PlaceFirstFit(job, from) => Inner::PlaceFirstFit(of(*job), *from),
            Deed::Insert(_, start, request, ttl) => Inner::Insert(
                *request,
                *start,
                ttl.map_or(Commitment::Confirmed, |ttl| Commitment::Held { ttl }),
            ),
            Deed::Remove(job) => Inner::Remove(of(*job)),
            Deed::Alter(job, alteration) => Inner::Alter(of(*job), *alteration),
            Deed::Split(_, job, at) => Inner::Split(of(*job), *at),
            // The stream itself had no place for it, and said what the kernel says of a savepoint that there is not.
            Deed::Savepoint(8..) => Inner::RollbackTo(99),
            Deed::Savepoint(_) => Inner::Savepoint,
            Deed::Rollback(place) => back(place),
            Deed::RollbackIfRefused(place) => {
                let noted = self.savepoints.get(place).map(|(_, step, _)| *step);
                match noted {
                    Some(noted) if self.refused.is_none_or(|refused| refused <= noted) => {
                        return None;
                    }
                    _ => back(place),
                }
            }
        })
    }

    fn follow(&mut self, deed: &Deed, number: usize, answered: &Result<Reached, Error>) {
        match (deed, answered) {
            (Deed::Insert(job, ..) | Deed::Split(job, ..), Ok(Reached::Made(made))) => {
                assert_eq!(*made, self.first + self.alive);
                self.alive += 1;
                self.made.push((*job, *made));
            }
            (Deed::Savepoint(place), Ok(_)) => {
                self.savepoints
                    .insert(*place, (self.noted, number, self.alive));
                self.noted += 1;
            }
            (Deed::Rollback(place) | Deed::RollbackIfRefused(place), Ok(_)) => {
                self.alive = self.savepoints[place].2;
            }
            _ => {}
        }
    }

    fn in_the_way(&self, side: &Side, deed: &Deed) -> Option<Inner> {
        match *deed {
            Deed::Place(job, place) => Some(Inner::Conflict(Some(self.number(side, job)), place)),
            Deed::Insert(_, start, request, _) => Some(Inner::Conflict(
                None,
                Placement {
                    start,
                    duration: request.duration,
                    pes: request.pes,
                },
            )),
            _ => None,
        }
    }
}

fn ending(plan: bool) -> JuggleEnd {
    if plan {
        JuggleEnd::Plan
    } else {
        JuggleEnd::AtOnce
    }
}

fn juggling(rules: &bookahead_stream::Rules) -> (Rules, Lent) {
    let sorting = [
        Sorting::Deadline,
        Sorting::Flexibility,
        Sorting::Size,
        Sorting::Acceptance,
        Sorting::Shuffle(rules.seed),
    ];
    let lent = Lent {
        log: LOG,
        list: ROWS,
        work: rules.work,
    };
    let rules = Rules {
        sorting: sorting[rules.order],
        always: rules.admission == Admission::Always,
        retry: rules.after_failure == AfterFailure::Retry,
        earliest: rules.earliest,
        max_moves: rules.max_moves,
    };
    (rules, lent)
}

const NO_OFFER: Offer = {
    let never = Window {
        start: Slot::new(0),
        end: Slot::new(0),
    };
    Offer {
        within: never,
        window: never,
        seed: never,
        expires: Slot::new(0),
        version: Version {
            revision: 0,
            incarnation: 0,
        },
        price: Money::ZERO,
        pes: PeCount::ZERO,
        solution: false,
    }
};

impl Side {
    fn overlays(mut self) -> String {
        self.expected = OVERLAYS.lines().skip(OVERLAY_HEADERS.len()).collect();
        let (mut times, mut shares) = ([0_u32; 9], [0_u32; 9]);
        let bin = Span::new(3);
        let code = |reply: &Reply| reply.error().map_or(0, Error::code);
        while let Some(line) = self.expected.get(self.agreed).copied() {
            let mut words = line.split(' ');
            let what = words.next().unwrap();
            let n: Vec<u64> = words.map(|word| word.parse().unwrap()).collect();
            let job = n[0] as u16;
            let number = self.number(job);
            let request = || Request {
                ready: Slot::new(n[1]),
                duration: Span::new(n[2] as u32),
                deadline: Slot::new(n[3]),
                pes: PeCount::new(n[4] as u16),
            };
            self.made += 1;
            if self.made.is_multiple_of(100) {
                self.perform(Command::Look);
            }
            match what {
                "reserve" => {
                    let book = Command::Book(request(), Policy::FirstFit, Commitment::Confirmed);
                    let reply = self.perform(book);
                    let start = match reply {
                        Reply::Booked(number, start) => {
                            self.book(job, number, start);
                            start.get()
                        }
                        _ => 0,
                    };
                    let [a, b, c, d, e, ..] = n[..] else { panic!() };
                    self.is_next(&format!(
                        "reserve {a} {b} {c} {d} {e} {} {start}",
                        code(&reply)
                    ));
                }
                "overlay" => {
                    let [_, _, _, _, _, law, slots, guarantee, threshold, hold, ..] = n[..] else {
                        panic!()
                    };
                    let risk = Risk {
                        guarantee: if guarantee == 0 {
                            Guarantee::Access
                        } else {
                            Guarantee::Completion
                        },
                        threshold: Probability::rounding_up(threshold as u32, 16)
                            .unwrap_or_default(),
                        law: match law {
                            0 => Law::ServiceTimes(bin, times.to_vec()),
                            1 => Law::UsedShares(shares.to_vec()),
                            _ => Law::Mean(slots as u32 + 1),
                        },
                        ttl: hold
                            .checked_sub(8)
                            .filter(|ttl| *ttl > 0)
                            .map(|ttl| Span::new(ttl as u32)),
                        list: 24,
                        lacking: 0,
                    };
                    let reply = self.perform(Command::Overlay(request(), risk));
                    let found = match reply {
                        Reply::Overlaid((number, start, overlaid, probability)) => {
                            self.book(job, number, start);
                            format!(
                                "{} {} {}",
                                start.get(),
                                overlaid.get(),
                                probability.get().to_bits()
                            )
                        }
                        _ => "0 0 0".to_owned(),
                    };
                    let asked: Vec<_> = n[..10].iter().map(u64::to_string).collect();
                    self.is_next(&format!(
                        "overlay {} {} {found}",
                        asked.join(" "),
                        code(&reply)
                    ));
                }
                "complete" => {
                    let reply = self.perform(Command::Complete(number, self.now));
                    self.is_next(&format!(
                        "complete {job} {} {} {}",
                        n[1],
                        n[2],
                        code(&reply)
                    ));
                    if code(&reply) == 0 {
                        let [booked, ran] = [n[1], n[2]].map(|slots| Span::new(slots as u32));
                        Counted::of_service_times(bin, &mut times)
                            .unwrap()
                            .record(booked, ran);
                        Counted::of_used_shares(&mut shares)
                            .unwrap()
                            .record(booked, ran);
                    }
                }
                "confirm" => {
                    let reply = self.perform(Command::Confirm(number));
                    self.is_next(&format!("confirm {job} {}", code(&reply)));
                }
                "cancel" => {
                    let reply = self.perform(Command::Cancel(number));
                    self.is_next(&format!("cancel {job} {}", code(&reply)));
                }
                "advance" => {
                    let to = Slot::new(n[0]);
                    self.is_next(&format!("advance {}", to.get()));
                    while let Reply::Next(Some(event)) = self.perform(Command::Next(to)) {
                        self.overlay_event(event);
                    }
                    self.now = to;
                }
                other => panic!("{other} {line}"),
            }
        }
        assert_eq!(self.agreed, self.expected.len());
        let rest = self.now.saturating_add(Span::new(40));
        while let Reply::Passed(Advanced::EventsWaiting, _) =
            self.perform(Command::Advance(rest, 4))
        {}
        self.perform(Command::Look);
        self.text
    }

    fn overlay_event(&mut self, event: Happening) {
        let job = self.job_of(event.whose).unwrap_or(24);
        let layer = Command::Layer(event.whose);
        let marked = matches!(
            event.kind,
            EventKind::LateStart | EventKind::CutShort | EventKind::OverlayBooked
        );
        let reply = if marked {
            self.perform(layer)
        } else {
            self.ask(&layer)
        };
        let Reply::Layer((overlaid, waits)) = reply else {
            panic!("{reply:?}")
        };
        let overlaid = overlaid.unwrap_or_default().get();
        self.is_next(&format!(
            "event {} {} {job} {overlaid}",
            event.at.get(),
            event.kind.code()
        ));
        if event.kind == EventKind::LateStart
            && let Ok(waits) = waits
        {
            self.is_next(&format!("waits {job} {}", waits.len()));
        }
    }
}

#[allow(unused)]
fn unused(_: Size, _: UsageError) {}
