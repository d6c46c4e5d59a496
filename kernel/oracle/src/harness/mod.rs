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

use std::collections::{BTreeMap, BTreeSet, HashSet};

use bookahead::{
    Commitment, Error, PeCount, Policy, Refusal, Request, Slot, Span, State, UsageError, Window,
};

use crate::difference::{same, sound};
use crate::papers::li::search::choose;
use crate::{
    Ask, Difference, Disturbance, InTheWay, LONG_OFFERS, Moved, Number, Operation, Oracle, Pick,
    PlainQueue, Subject, Tally, Verb,
};

/// Both sides, and which handle stands for which reservation.
#[derive(Clone)]
pub struct Harness<S: Subject> {
    /// The side under test.
    pub subject: S,
    /// The side that is right.
    pub oracle: Oracle,
    /// Its queue.
    pub queue: PlainQueue,
    /// What has happened so far.
    pub tally: Tally,
    live: BTreeMap<Number, S::Handle>,
    /// The window that each accepted reservation was given, or was moved to by a transaction.
    promises: BTreeMap<Number, Window>,
    /// The PEs on which each running job was seen last.
    nodes: BTreeMap<Number, Vec<u16>>,
    /// Those whose start was reported as fixed.
    fixed: BTreeSet<Number>,
    /// Those whose start was reported as late, and who wait.
    late: BTreeSet<Number>,
    /// The latest last.
    ended: Vec<(Number, S::Handle)>,
    /// All handles that have been given out.
    given: HashSet<S::Handle>,
    /// The moves of the latest plan, on both sides.
    planned: (Vec<Moved>, Vec<Moved<S::Handle>>),
}

/// How many ended handles are kept to be used again.
const ENDED_KEPT: usize = 32;

impl<S: Subject> Harness<S> {
    /// A harness around a fresh book.
    pub fn new(mut subject: S) -> Self {
        let kind = subject.kind();
        let (pes, horizon) = (subject.pes().get(), subject.horizon().get());
        let oracle = Oracle::new(kind, pes, horizon, subject.capacity());
        Self {
            queue: PlainQueue::new(subject.discipline(), subject.queue_capacity()),
            subject,
            oracle,
            tally: Tally::default(),
            live: BTreeMap::new(),
            promises: BTreeMap::new(),
            nodes: BTreeMap::new(),
            fixed: BTreeSet::new(),
            late: BTreeSet::new(),
            ended: Vec::new(),
            given: HashSet::new(),
            planned: (Vec::new(), Vec::new()),
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

    /// The handle of a live reservation.
    #[must_use]
    pub fn handle(&self, number: Number) -> Option<S::Handle> {
        self.live.get(&number).copied()
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
                let to = self.oracle.now().saturating_add(Span::new(by.into()));
                self.advance(to, room.into())
            }
            Operation::Query(inquiry) => {
                let (query, commitment) = self.question(inquiry);
                self.query(&query, &commitment, inquiry.room.into())
                    .map(drop)
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
                let to = self.oracle.now().saturating_add(Span::new(by.into()));
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
                    pes: PeCount::new(pes),
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
                let to = self.oracle.now().saturating_add(Span::new(by.into()));
                self.next(to, most)
            }
            Operation::NextOfQueue { by, most } => {
                let to = self.oracle.now().saturating_add(Span::new(by.into()));
                self.next_of_queue(to, most)
            }
            Operation::Restore(incarnation) => self.restore(incarnation.into()),
        }
    }

    /// The request that `ask` means now.
    #[must_use]
    pub fn request(&self, ask: Ask) -> Request {
        let ready = self
            .oracle
            .now()
            .get()
            .saturating_add_signed(ask.lead.into());
        let end = ready.saturating_add(ask.duration.into());
        Request {
            ready: Slot::new(ready),
            duration: Span::new(ask.duration.into()),
            deadline: Slot::new(end.saturating_add_signed(ask.slack.into())),
            pes: PeCount::new(ask.pes),
        }
    }

    /// The window so many slots from now, of so many slots.
    fn window(&self, lead: i16, length: i16) -> Window {
        let start = self.oracle.now().get().saturating_add_signed(lead.into());
        Window {
            start: Slot::new(start),
            end: Slot::new(start.saturating_add_signed(length.into())),
        }
    }

    /// Notes a refusal, after which nothing may have changed.
    fn declined(&mut self, before: &S, reason: Error) -> Result<(), Difference> {
        self.tally.decline(reason);
        sound("a call that fails changes nothing", self.subject == *before)
    }

    fn book(
        &mut self,
        request: &Request,
        policy: Policy,
        commitment: Commitment,
    ) -> Result<(), Difference> {
        self.search(request)?;
        let before = self.subject.clone();
        let booked = self.subject.book(request, policy, commitment);
        let expected = self.oracle.book(request, policy, commitment);
        same(
            "start of the booking",
            &booked.map(|(_, start)| start),
            &expected.map(|(_, start)| start),
        )?;
        match (booked, expected) {
            (Ok((handle, _)), Ok((number, _))) => self.accepted(number, handle),
            (Err(reason), _) | (_, Err(reason)) => self.declined(&before, reason),
        }
    }

    fn accepted(&mut self, number: Number, handle: S::Handle) -> Result<(), Difference> {
        let promised = self.subject.get(handle).map(|booked| booked.window);
        let known = self.oracle.get(number).expect("it was just accepted");
        same("what is promised", &promised, &Ok(known.window))?;
        self.promises.insert(number, known.window);
        self.tally.accepted += 1;
        self.begin(number, handle)
    }

    /// Notes that a reservation lives from now on. No handle is given out twice.
    fn begin(&mut self, number: Number, handle: S::Handle) -> Result<(), Difference> {
        let new = self.given.insert(handle);
        sound("a new reservation has a new handle", new)?;
        self.live.insert(number, handle);
        Ok(())
    }

    /// Compares the search itself: all policies, all candidates, the rectangles of the feasible ones.
    ///
    /// # Errors
    ///
    /// The first difference found.
    pub fn search(&mut self, request: &Request) -> Result<(), Difference> {
        let before = self.subject.clone();
        let feasible = self.oracle.feasible(request);
        for policy in Policy::ALL {
            let expected = feasible.clone().and_then(|feasible| {
                let chosen = choose(policy, &feasible).ok_or(Refusal::NoRoom)?;
                Ok(chosen.start)
            });
            let planned = self.subject.plan(request, policy).map(|(_, start)| start);
            same(policy.name(), &planned, &expected)?;
        }
        let candidates = self
            .oracle
            .check_request(request)
            .map(|()| self.oracle.candidate_starts(request));
        same(
            "candidate starts",
            &self.subject.candidate_starts(request),
            &candidates,
        )?;
        self.look_around(request)?;
        if let Ok(feasible) = feasible {
            for found in feasible {
                let window = Window::starting(found.start, request.duration).expect("it fits");
                let free = Some(PeCount::new(found.free.count()));
                same(
                    "free during the run",
                    &self.subject.free_during(window),
                    &free,
                )?;
                let rectangle = self.subject.rectangle(found.start, request.duration);
                same("rectangle", &rectangle, &Some(found.rectangle))?;
            }
        }
        sound("searching changes nothing", self.subject == before)
    }

    /// Windows nobody checked: the one asked for and the run at its beginning, outside the ring, empty or without room as they may be.
    fn look_around(&mut self, request: &Request) -> Result<(), Difference> {
        let Request {
            ready,
            duration,
            deadline,
            ..
        } = *request;
        let asked = Window {
            start: ready,
            end: deadline,
        };
        let run = Window {
            start: ready,
            end: ready.saturating_add(duration),
        };
        for window in [asked, run] {
            same(
                "free during any window",
                &self.subject.free_during(window),
                &self.oracle.free_during(window),
            )?;
        }
        let (rectangle, expected) = (
            self.subject.rectangle(ready, duration),
            self.oracle.rectangle(ready, duration),
        );
        same("rectangle anywhere", &rectangle, &expected)
    }

    fn plan_commit(
        &mut self,
        ask: Ask,
        ttl: Option<u8>,
        between: Disturbance,
    ) -> Result<(), Difference> {
        let request = self.request(ask);
        let planned = self.subject.plan(&request, policy(ask.policy));
        let expected = self.oracle.plan(&request, policy(ask.policy));
        same(
            "start of the plan",
            &planned
                .as_ref()
                .map(|(_, start)| *start)
                .map_err(|error| *error),
            &expected
                .as_ref()
                .map(|found| found.start)
                .map_err(|error| *error),
        )?;
        match planned {
            Ok((plan, start)) => self.commit_after(between, &plan, &request, start, ttl),
            Err(reason) => {
                self.tally.decline(reason);
                Ok(())
            }
        }
    }

    /// Lets something happen to a plan just made, and commits it.
    fn commit_after(
        &mut self,
        between: Disturbance,
        plan: &S::Plan,
        request: &Request,
        start: Slot,
        ttl: Option<u8>,
    ) -> Result<(), Difference> {
        let (version, then) = (self.oracle.version(), self.oracle.now());
        self.disturb(between)?;
        let commitment = commitment(ttl);
        let before = self.subject.clone();
        let committed = self.subject.commit(plan, commitment);
        let expected = self.oracle.commit(request, start, version, commitment);
        same("commit", &committed.map(drop), &expected.map(drop))?;
        match (committed, expected) {
            (Ok(handle), Ok(number)) => {
                let later = self.oracle.now() > then;
                self.tally
                    .note("plan", if later { "later" } else { "at once" });
                self.accepted(number, handle)
            }
            (Err(reason), _) | (_, Err(reason)) => self.declined(&before, reason),
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
                let to = self.oracle.now().saturating_add(Span::new(by.into()));
                self.advance(to, usize::MAX)
            }
            Disturbance::AdvanceQueue(by) => {
                let to = self.oracle.now().saturating_add(Span::new(by.into()));
                self.advance_queue(to, usize::MAX)
            }
            Disturbance::Alter(pick, change) => self.alter(pick, change, usize::MAX),
            Disturbance::Restore(incarnation) => self.restore(incarnation.into()),
        }
    }

    fn act(&mut self, pick: Pick, verb: Verb) -> Result<(), Difference> {
        let Some((number, handle)) = self.picked(pick) else {
            return Ok(());
        };
        let now = self.oracle.now().get();
        let (before, known) = (self.subject.clone(), self.oracle.clone());
        let (subject, oracle) = (&mut self.subject, &mut self.oracle);
        let (answer, expected) = match verb {
            Verb::Confirm => (subject.confirm(handle), oracle.confirm(number)),
            Verb::Cancel => (subject.cancel(handle), oracle.cancel(number)),
            Verb::Complete(offset) => {
                let at = Slot::new(now.saturating_add_signed(offset.into()));
                (subject.complete(handle, at), oracle.complete(number, at))
            }
            Verb::CompleteAt(at) => {
                let at = Slot::new(at);
                (subject.complete(handle, at), oracle.complete(number, at))
            }
            Verb::Freeze => (subject.freeze(handle), oracle.freeze(number)),
        };
        same("answer to the verb", &answer, &expected)?;
        if let Err(reason) = expected {
            return self.declined(&before, reason);
        }
        if self.oracle == known {
            // An end announced once more.
            return sound(
                "what is known already changes nothing",
                self.subject == before,
            );
        }
        if self.oracle.get(number).is_err() {
            self.end(number);
        }
        Ok(())
    }

    fn picked(&self, pick: Pick) -> Option<(Number, S::Handle)> {
        match pick {
            Pick::Live(nth) => {
                let index = usize::from(nth).checked_rem(self.live.len())?;
                let (number, handle) = self.live.iter().nth(index)?;
                Some((*number, *handle))
            }
            Pick::Ended(nth) => {
                let index = usize::from(nth).checked_rem(self.ended.len())?;
                self.ended.iter().rev().nth(index).copied()
            }
            Pick::Lifted(_) => None,
            Pick::Never => Some((Number::MAX, S::never())),
        }
    }

    fn end(&mut self, number: Number) {
        self.nodes.remove(&number);
        let handle = self.live.remove(&number).expect("it was live");
        self.keep_ended(number, handle);
    }

    fn keep_ended(&mut self, number: Number, handle: S::Handle) {
        if self.ended.len() == ENDED_KEPT {
            self.ended.remove(0);
        }
        self.ended.push((number, handle));
    }

    fn number(&self, handle: S::Handle) -> Option<Number> {
        let entry = self.live.iter().find(|(_, live)| **live == handle);
        entry.map(|(number, _)| *number)
    }

    /// Compares who is said to be in the way.
    fn same_conflict(
        &mut self,
        what: &'static str,
        conflict: &InTheWay<S::Handle>,
        expected: &InTheWay,
    ) -> Result<(), Difference> {
        let names = conflict.names.iter();
        let numbered: Vec<_> = names.map(|handle| self.number(*handle)).collect();
        let named: Vec<_> = expected.names.iter().copied().map(Some).collect();
        same(what, &(numbered, conflict.more), &(named, expected.more))?;
        if !expected.names.is_empty() {
            self.tally
                .note(what, if expected.more > 0 { "more" } else { "" });
        }
        Ok(())
    }

    /// Compares all that can be read without asking for anything.
    ///
    /// # Errors
    ///
    /// The first difference found.
    pub fn compare(&mut self) -> Result<(), Difference> {
        same("invariants", &self.subject.check_invariants(), &Ok(()))?;
        same("now", &self.subject.now(), &self.oracle.now())?;
        same("length", &self.subject.len(), &self.oracle.live().len())?;
        same(
            "next event",
            &self.subject.next_event(),
            &self.oracle.next_event(),
        )?;
        same("records", &self.subject.records(), &self.oracle.records())?;
        self.compare_promises()?;
        self.compare_reservations()?;
        self.compare_overlays()?;
        self.compare_ended()?;
        self.compare_queue()?;
        same("version", &self.subject.version(), &self.oracle.version())
    }

    /// Nothing but a transaction moves a reservation, whatever else is booked, started or given up.
    fn compare_promises(&mut self) -> Result<(), Difference> {
        for (handle, known) in self.subject.by_start() {
            // One that nobody knows is found when the reservations are compared.
            if let Some(number) = self.number(handle)
                && known.state != State::Running
                && !self.oracle.is_delayed(number)
            {
                same(
                    "the window that was promised",
                    &Some(&known.window),
                    &self.promises.get(&number),
                )?;
            }
        }
        Ok(())
    }

    fn compare_reservations(&mut self) -> Result<(), Difference> {
        let listed = self.subject.by_start();
        let expected = self.oracle.by_start();
        let numbered: Vec<_> = listed
            .iter()
            .map(|(handle, known)| (self.number(*handle), *known))
            .collect();
        let named: Vec<_> = expected
            .iter()
            .map(|(number, known)| (Some(*number), *known))
            .collect();
        same("reservations by start", &numbered, &named)?;
        for ((handle, _), (number, known)) in listed.iter().zip(&expected) {
            same("reservation", &self.subject.get(*handle), &Ok(*known))?;
            let frozen = self.subject.is_frozen(*handle);
            same(
                "whether its start is fixed",
                &frozen,
                &self.oracle.is_frozen(*number),
            )?;
            let set = self.oracle.pes_of(*number).map(<[u16]>::to_vec);
            same("its PEs", &self.subject.pes_of(*handle), &set)?;
            if let (State::Running, Ok(set)) = (known.state, set) {
                self.check_nodes(*number, set)?;
            }
        }
        self.compare_starts(expected.iter().map(|(_, known)| known.window.start))
    }

    /// A running job stays on its PEs; if it gets narrower, on the lowest-numbered of them.
    fn check_nodes(&mut self, number: Number, set: Vec<u16>) -> Result<(), Difference> {
        let before = self.nodes.get(&number);
        let stays = before.is_none_or(|before| before.starts_with(&set));
        self.nodes.insert(number, set);
        sound("a running job stays on its PEs", stays)
    }

    fn compare_starts(&mut self, starts: impl Iterator<Item = Slot>) -> Result<(), Difference> {
        // A slot in which nothing starts, too.
        let mut slots: Vec<Slot> = starts.chain([self.oracle.now()]).collect();
        slots.dedup();
        for slot in slots {
            let handles = self.subject.starting_at(slot);
            let numbers: Vec<_> = handles.iter().map(|handle| self.number(*handle)).collect();
            let expected: Vec<_> = self
                .oracle
                .starting_at(slot)
                .into_iter()
                .map(Some)
                .collect();
            same("starting there", &numbers, &expected)?;
        }
        Ok(())
    }

    fn compare_ended(&mut self) -> Result<(), Difference> {
        for (_, handle) in self.ended.iter().rev().take(4) {
            let stale = Error::from(UsageError::StaleHandle);
            same(
                "an ended reservation",
                &self.subject.get(*handle),
                &Err(stale),
            )?;
            same("its PEs", &self.subject.pes_of(*handle), &Err(stale))?;
        }
        Ok(())
    }
}

fn policy(index: u8) -> Policy {
    Policy::ALL[usize::from(index) % Policy::ALL.len()]
}

fn commitment(ttl: Option<u8>) -> Commitment {
    ttl.map_or(Commitment::Confirmed, |ttl| Commitment::Held {
        ttl: Span::new(ttl.into()),
    })
}
