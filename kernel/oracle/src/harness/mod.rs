//! Drives a book and its twin with the same operations and compares all that can be seen.

mod alterations;
mod best_effort;
mod elastic;
mod juggling;
mod mould;
mod overlays;
mod passing;
mod several;
mod shifting;
mod transactions;

use std::collections::{BTreeMap, BTreeSet};

use bookahead::{Commitment, PeCount, Policy, Refusal, Request, Slot, Span, UsageError, Window};

use crate::difference::{same, sound};
use crate::meaning::{commitment, later, policy, window};
use crate::papers::li::search::choose;
use crate::{Ask, Difference, Disturbance, Operation, Pick, Tally, Twin, Verb};
use bookahead_commands::{Command, Moved, Number, Reply, State, Subject};

/// Both sides, and what was promised to whom.
#[derive(Clone)]
pub struct Harness {
    /// The side under test.
    pub subject: Box<dyn Subject>,
    /// The side that is right.
    pub twin: Twin,
    /// What has happened so far.
    pub tally: Tally,
    live: BTreeSet<Number>,
    /// The window that each accepted reservation was given, or was moved to by a transaction.
    promises: BTreeMap<Number, Window>,
    /// The PEs on which each running job was seen last.
    nodes: BTreeMap<Number, Vec<u16>>,
    /// Those whose start was reported as fixed.
    fixed: BTreeSet<Number>,
    /// Those whose start was reported as late, and who wait.
    late: BTreeSet<Number>,
    /// The latest last.
    ended: Vec<Number>,
    /// The moves of the latest plan.
    planned: Vec<Moved>,
}

/// How many that have ended are kept to be used again.
const ENDED_KEPT: usize = 32;

impl Harness {
    /// A harness around a fresh book.
    ///
    /// # Panics
    ///
    /// When it does not say how large it is.
    #[must_use]
    pub fn new(mut subject: Box<dyn Subject>) -> Self {
        let Reply::Size(size) = subject.perform(&Command::Size) else {
            panic!("a book has a size");
        };
        Self {
            subject,
            twin: Twin::of(&size),
            tally: Tally::default(),
            live: BTreeSet::new(),
            promises: BTreeMap::new(),
            nodes: BTreeMap::new(),
            fixed: BTreeSet::new(),
            late: BTreeSet::new(),
            ended: Vec::new(),
            planned: Vec::new(),
        }
    }

    /// Applies one operation to both sides and compares everything.
    ///
    /// # Errors
    ///
    /// The first difference found.
    pub fn apply(&mut self, operation: &Operation) -> Result<(), Difference> {
        self.tally.operations += 1;
        self.call(operation)?;
        self.compare()
    }

    /// Applies all of them.
    ///
    /// # Errors
    ///
    /// The first difference found.
    pub fn apply_all(&mut self, operations: &[Operation]) -> Result<(), Difference> {
        operations
            .iter()
            .try_for_each(|operation| self.apply(operation))
    }

    /// Lets both sides do what the command says, and compares what they answer.
    fn ask(&mut self, what: &'static str, command: &Command) -> Result<Reply, Difference> {
        let reply = self.subject.perform(command);
        same(what, &reply, &self.twin.perform(command))?;
        Ok(reply)
    }

    /// The same for what may change something: nothing has changed where it is refused.
    fn both(&mut self, what: &'static str, command: &Command) -> Result<Reply, Difference> {
        self.subject.perform(&Command::Remember);
        let reply = self.ask(what, command)?;
        self.check_refusal(&reply)?;
        Ok(reply)
    }

    /// The same for what changes nothing.
    fn read(&mut self, what: &'static str, command: &Command) -> Result<Reply, Difference> {
        self.subject.perform(&Command::Remember);
        let reply = self.ask(what, command)?;
        if let Some(reason) = reply.error() {
            self.tally.decline(reason);
        }
        self.unchanged("asking changes nothing")?;
        Ok(reply)
    }

    /// Notes a refusal, after which all is as it was remembered.
    fn check_refusal(&mut self, reply: &Reply) -> Result<(), Difference> {
        if let Some(reason) = reply.error() {
            self.tally.decline(reason);
        }
        match reply {
            Reply::Refused(..) | Reply::NoLayer => {
                self.unchanged("a call that fails changes nothing")
            }
            _ => Ok(()),
        }
    }

    /// Book and queue are as they were remembered, bit for bit.
    fn unchanged(&mut self, what: &'static str) -> Result<(), Difference> {
        same(
            what,
            &self.subject.perform(&Command::IsUnchanged),
            &Reply::Is(true),
        )
    }

    fn state(&mut self) -> Result<(State, State), Difference> {
        let look = Command::Look;
        match (self.subject.perform(&look), self.twin.perform(&look)) {
            (Reply::State(seen), Reply::State(expected)) => Ok((*seen, *expected)),
            (seen, expected) => {
                Err(same("what can be seen", &seen, &expected)
                    .expect_err("a twin can be looked at"))
            }
        }
    }

    fn call(&mut self, operation: &Operation) -> Result<(), Difference> {
        match *operation {
            Operation::Reserve(ask) => self.book(
                &self.request(ask),
                policy(ask.policy),
                Commitment::Confirmed,
            ),
            Operation::Hold { ask, ttl } => {
                let ttl = Span::new(ttl);
                self.book(
                    &self.request(ask),
                    policy(ask.policy),
                    Commitment::Held { ttl },
                )
            }
            Operation::Act(pick, verb) => self.act(pick, verb),
            Operation::Advance { by, room } => {
                let to = self.twin.oracle.now().saturating_add(Span::new(by.into()));
                self.advance(to, room.into())
            }
            Operation::Query(inquiry) => {
                let (query, terms) = self.question(inquiry);
                self.query(&query, &terms, inquiry.room.into()).map(drop)
            }
            Operation::QueryAccept {
                inquiry,
                taking,
                forgery,
                between,
            } => self.query_accept(inquiry, taking, forgery, between),
            Operation::Submit(submission) => self.submit(submission),
            Operation::Withdraw(pick) => self.withdraw(pick),
            Operation::AdvanceQueue { by, room } => {
                let to = self.twin.oracle.now().saturating_add(Span::new(by.into()));
                self.advance_queue(to, room.into())
            }
            Operation::PlanCommit { ask, ttl, between } => self.plan_commit(ask, ttl, between),
            Operation::Mould {
                moulding,
                ttl,
                between,
            } => self.mould(&moulding, ttl, between),
            Operation::ReserveAt {
                ready,
                duration,
                deadline,
                pes,
                policy: index,
            } => {
                let request = Request {
                    ready: Slot::new(ready),
                    duration: Span::new(duration),
                    deadline: Slot::new(deadline),
                    pes: PeCount::new(pes.into()),
                };
                self.book(&request, policy(index), Commitment::Confirmed)
            }
            Operation::AdvanceTo { to, room } => self.advance(Slot::new(to), room.into()),
            Operation::Juggle { ask, terms, how } => self.juggle(Some((ask, terms)), how),
            Operation::Shift { ask, terms, how } => self.shift(ask, terms, how),
            Operation::Overlay { ask, stake } => self.overlay(ask, stake),
            Operation::Replan(how) => self.juggle(None, how),
            Operation::Alternatives {
                ask,
                terms,
                how,
                sides,
                percent,
                end,
                room,
            } => self.alternatives((ask, terms), how, (sides, percent, end), room.into()),
            Operation::Alter { pick, change, log } => self.alter(pick, change, log.into()),
            Operation::Split { pick, after, log } => self.split(pick, after, log.into()),
            Operation::Transaction(script) => self.transaction(&script),
            Operation::Series {
                ask,
                ttl,
                period,
                count,
                without,
                log,
                room,
            } => {
                let numbers = (count, without);
                self.series(
                    ask,
                    commitment(ttl),
                    period,
                    numbers,
                    (log.into(), room.into()),
                )
            }
            Operation::CancelAll { picks, length } => {
                self.cancel_all(&picks[..usize::from(length) % (picks.len() + 1)])
            }
            Operation::Together {
                lead,
                length,
                parts,
                count,
                ttl,
                log,
                room,
            } => {
                let parts = &parts[..usize::from(count) % (parts.len() + 1)];
                let window = self.window(lead, length);
                self.together(window, parts, commitment(ttl), (log.into(), room.into()))
            }
            Operation::Explain { ask, room } => self.explain(&self.request(ask), room.into()),
            Operation::Covering { lead, length } => self.covering(self.window(lead, length)),
            Operation::Next { by, most } => {
                let to = self.twin.oracle.now().saturating_add(Span::new(by.into()));
                self.next(&Command::Next(to), most)
            }
            Operation::NextOfQueue { by, most } => {
                let to = self.twin.oracle.now().saturating_add(Span::new(by.into()));
                self.next(&Command::NextOfQueue(to), most)
            }
            Operation::Restore(incarnation) => self.restore(incarnation.into()),
        }
    }

    /// The request that `ask` means now.
    #[must_use]
    pub fn request(&self, ask: Ask) -> Request {
        ask.request(self.twin.oracle.now())
    }

    /// The window so many slots from now, of so many slots.
    fn window(&self, lead: i16, length: i16) -> Window {
        window(self.twin.oracle.now(), lead, length)
    }

    fn book(
        &mut self,
        request: &Request,
        policy: Policy,
        commitment: Commitment,
    ) -> Result<(), Difference> {
        self.search(request)?;
        let book = Command::Book(*request, policy, commitment);
        match self.both("start of the booking", &book)? {
            Reply::Booked(number, _) => self.accepted(number),
            _ => Ok(()),
        }
    }

    fn accepted(&mut self, number: Number) -> Result<(), Difference> {
        if let Reply::Reservation(known) = self.ask("what is promised", &Command::Get(number))? {
            self.promises.insert(number, known.window);
        }
        self.tally.accepted += 1;
        self.live.insert(number);
        Ok(())
    }

    /// Compares the search itself: all policies, all candidates, the rectangles of the feasible ones.
    ///
    /// # Errors
    ///
    /// The first difference found.
    pub fn search(&mut self, request: &Request) -> Result<(), Difference> {
        self.subject.perform(&Command::Remember);
        let feasible = self.twin.oracle.feasible(request);
        for policy in Policy::ALL {
            let expected = feasible.clone().and_then(|feasible| {
                let chosen = choose(policy, &feasible).ok_or(Refusal::NoRoom)?;
                Ok(chosen.start)
            });
            let found = self.subject.perform(&Command::Find(*request, policy));
            same(policy.name(), &found, &Reply::of(expected, Reply::At))?;
        }
        self.ask("candidate starts", &Command::CandidateStarts(*request))?;
        self.look_around(request)?;
        for found in feasible.unwrap_or_default() {
            let window = Window::starting(found.start, request.duration).expect("it fits");
            let free = self.subject.perform(&Command::FreeDuring(window));
            let count = PeCount::new(found.free.count());
            same("free during the run", &free, &Reply::Free(Some(count)))?;
            let around = Command::Rectangle(found.start, request.duration);
            let rectangle = self.subject.perform(&around);
            same(
                "rectangle",
                &rectangle,
                &Reply::Rectangle(Some(found.rectangle)),
            )?;
        }
        self.unchanged("searching changes nothing")
    }

    /// Windows nobody checked: the one asked for and the run at its beginning, outside the ring, empty or without room as they may be.
    fn look_around(&mut self, request: &Request) -> Result<(), Difference> {
        let Request {
            ready,
            duration,
            deadline,
            ..
        } = *request;
        for end in [deadline, ready.saturating_add(duration)] {
            let window = Window { start: ready, end };
            self.ask("free during any window", &Command::FreeDuring(window))?;
        }
        let rectangle = Command::Rectangle(ready, duration);
        self.ask("rectangle anywhere", &rectangle).map(drop)
    }

    fn plan_commit(
        &mut self,
        ask: Ask,
        ttl: Option<u8>,
        between: Disturbance,
    ) -> Result<(), Difference> {
        let plan = Command::Plan(self.request(ask), policy(ask.policy));
        let reply = self.ask("start of the plan", &plan)?;
        match reply.error() {
            None => self.commit_after(between, ttl),
            Some(reason) => {
                self.tally.decline(reason);
                Ok(())
            }
        }
    }

    /// Lets something happen to a plan just made, and commits it.
    fn commit_after(&mut self, between: Disturbance, ttl: Option<u8>) -> Result<(), Difference> {
        let then = self.twin.oracle.now();
        self.disturb(between)?;
        match self.both("commit", &Command::Commit(commitment(ttl)))? {
            Reply::Made(number) => {
                let later = self.twin.oracle.now() > then;
                self.tally
                    .note("plan", if later { "later" } else { "at once" });
                self.accepted(number)
            }
            _ => Ok(()),
        }
    }

    fn disturb(&mut self, between: Disturbance) -> Result<(), Difference> {
        match between {
            Disturbance::Nothing => Ok(()),
            Disturbance::Refused => {
                let request = self.request(Ask {
                    lead: 0,
                    duration: 0,
                    slack: 0,
                    pes: 1,
                    policy: 0,
                });
                self.book(&request, Policy::FirstFit, Commitment::Confirmed)
            }
            Disturbance::Plan(ask) => self.search(&self.request(ask)),
            Disturbance::Reserve(ask) => self.book(
                &self.request(ask),
                policy(ask.policy),
                Commitment::Confirmed,
            ),
            Disturbance::Act(pick, verb) => self.act(pick, verb),
            Disturbance::Advance(by) => {
                let to = self.twin.oracle.now().saturating_add(Span::new(by.into()));
                self.advance(to, usize::MAX)
            }
            Disturbance::AdvanceQueue(by) => {
                let to = self.twin.oracle.now().saturating_add(Span::new(by.into()));
                self.advance_queue(to, usize::MAX)
            }
            Disturbance::Alter(pick, change) => self.alter(pick, change, usize::MAX),
            Disturbance::Restore(incarnation) => self.restore(incarnation.into()),
        }
    }

    fn act(&mut self, pick: Pick, verb: Verb) -> Result<(), Difference> {
        let Some(number) = self.picked(pick) else {
            return Ok(());
        };
        let now = self.twin.oracle.now();
        let command = match verb {
            Verb::Confirm => Command::Confirm(number),
            Verb::Cancel => Command::Cancel(number),
            Verb::Complete(offset) => Command::Complete(number, later(now, offset)),
            Verb::CompleteAt(at) => Command::Complete(number, Slot::new(at)),
            Verb::Freeze => Command::Freeze(number),
        };
        let known = self.twin.oracle.clone();
        self.both("answer to the verb", &command)?;
        if self.twin.oracle == known {
            // Refused, or an end announced once more.
            return self.unchanged("what is known already changes nothing");
        }
        if self.twin.oracle.get(number).is_err() {
            self.end(number);
        }
        Ok(())
    }

    fn picked(&self, pick: Pick) -> Option<Number> {
        match pick {
            Pick::Live(nth) => {
                let index = usize::from(nth).checked_rem(self.live.len())?;
                self.live.iter().nth(index).copied()
            }
            Pick::Ended(nth) => {
                let index = usize::from(nth).checked_rem(self.ended.len())?;
                self.ended.iter().rev().nth(index).copied()
            }
            Pick::Lifted(_) => None,
            Pick::Never => Some(Number::MAX),
        }
    }

    fn end(&mut self, number: Number) {
        self.nodes.remove(&number);
        assert!(self.live.remove(&number), "it was live");
        if self.ended.len() == ENDED_KEPT {
            self.ended.remove(0);
        }
        self.ended.push(number);
    }

    /// Notes that somebody was in the way.
    fn note_conflict(&mut self, what: &'static str, reply: &Reply) {
        if let Reply::Refused(_, conflict) = reply
            && !conflict.names.is_empty()
        {
            self.tally
                .note(what, if conflict.more > 0 { "more" } else { "" });
        }
    }

    /// Compares all that can be read without asking for anything.
    ///
    /// # Errors
    ///
    /// The first difference found.
    pub fn compare(&mut self) -> Result<(), Difference> {
        self.subject.perform(&Command::Remember);
        let (seen, expected) = self.state()?;
        self.unchanged("looking changes nothing")?;
        same("invariants", &seen.invariants, &expected.invariants)?;
        same("now", &seen.now, &expected.now)?;
        same("length", &seen.length, &expected.length)?;
        same("next event", &seen.next_event, &expected.next_event)?;
        same("records", &seen.records, &expected.records)?;
        self.compare_promises(&seen)?;
        same("reservations by start", &seen.by_start, &expected.by_start)?;
        same("reservations", &seen.known, &expected.known)?;
        self.check_nodes(&seen)?;
        same("starting there", &seen.starting, &expected.starting)?;
        self.compare_ended()?;
        same("waiting jobs", &seen.waiting, &expected.waiting)?;
        same("shadow", &seen.shadow, &expected.shadow)?;
        let (next, to_be) = (seen.next_queue_event, expected.next_queue_event);
        same("next event with the queue", &next, &to_be)?;
        same("version", &seen.version, &expected.version)
    }

    /// Nothing but a transaction moves a reservation, whatever else is booked, started or given up.
    fn compare_promises(&mut self, seen: &State) -> Result<(), Difference> {
        for (number, known) in &seen.by_start {
            // One that nobody knows is found when the reservations are compared.
            if self.live.contains(number)
                && known.state != bookahead::State::Running
                && !self.twin.oracle.is_delayed(*number)
            {
                same(
                    "the window that was promised",
                    &Some(&known.window),
                    &self.promises.get(number),
                )?;
            }
        }
        Ok(())
    }

    /// A running job stays on its PEs; if it gets narrower, on the lowest-numbered of them.
    fn check_nodes(&mut self, seen: &State) -> Result<(), Difference> {
        for ((number, listed), known) in seen.by_start.iter().zip(&seen.known) {
            if let (bookahead::State::Running, Ok(set)) = (listed.state, &known.pes) {
                let before = self.nodes.insert(*number, set.clone());
                let stays = before.is_none_or(|before| before.starts_with(set));
                sound("a running job stays on its PEs", stays)?;
            }
        }
        Ok(())
    }

    fn compare_ended(&mut self) -> Result<(), Difference> {
        let latest: Vec<Number> = self.ended.iter().rev().take(4).copied().collect();
        let stale = Reply::done(Err(UsageError::StaleHandle.into()));
        for number in latest {
            for command in [Command::Get(number), Command::PesOf(number)] {
                let reply = self.subject.perform(&command);
                same("an ended reservation", &reply, &stale)?;
            }
        }
        Ok(())
    }
}
