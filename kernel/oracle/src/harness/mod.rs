//! Gives a book and its twin the same commands and compares all that can be seen.

mod juggling;
mod names;
mod notes;
mod passing;
mod shifting;
mod transactions;

use std::collections::{BTreeMap, BTreeSet};

use bookahead::{Offer, PeCount, Policy, Refusal, Request, Slot, Span, UsageError, Window};
use bookahead_commands::{Command, Number, Reply, Scope, State, Subject};

use crate::difference::{same, sound};
use crate::generate::Situation;
use crate::papers::li::search::choose;
use crate::{Difference, Tally, Twin, portion_window};

/// Both sides, and what was promised to whom.
#[derive(Clone)]
pub struct Harness {
    /// The side under test.
    pub subject: Box<dyn Subject>,
    /// The side that is right.
    pub twin: Twin,
    /// What the side under test has words for.
    scope: Scope,
    /// What has happened so far.
    pub tally: Tally,
    /// What is known of the book, from which the next command can be drawn.
    pub situation: Situation,
    /// The window that each accepted reservation was given, or was moved to by a transaction.
    promises: BTreeMap<Number, Window>,
    /// The PEs on which each running job was seen last.
    nodes: BTreeMap<Number, Vec<u16>>,
    /// Those whose start was reported as fixed.
    fixed: BTreeSet<Number>,
    /// Those whose start was reported as late, and who wait.
    late: BTreeSet<Number>,
}

impl Harness {
    /// A harness around a fresh book.
    ///
    /// # Panics
    ///
    /// When it does not say how large it is.
    #[must_use]
    pub fn new(subject: Box<dyn Subject>) -> Self {
        Self::within(Scope::Whole, subject)
    }

    /// The same around a book that not all can be asked of.
    ///
    /// # Panics
    ///
    /// When it does not say how large it is.
    #[must_use]
    pub fn within(scope: Scope, mut subject: Box<dyn Subject>) -> Self {
        let Reply::Size(size) = subject.perform(&Command::Size) else {
            panic!("a book has a size");
        };
        Self::beside(scope, subject, Twin::of(&size))
    }

    /// The same beside a twin that knows what a size does not say.
    #[must_use]
    pub fn beside(scope: Scope, subject: Box<dyn Subject>, twin: Twin) -> Self {
        let size = twin.size();
        Self {
            subject,
            scope,
            twin,
            tally: Tally::default(),
            situation: Situation::new(size),
            promises: BTreeMap::new(),
            nodes: BTreeMap::new(),
            fixed: BTreeSet::new(),
            late: BTreeSet::new(),
        }
    }

    /// Whether the same commands go on from here as from there: both sides, and all that is known of them, are the same, whatever was counted.
    #[must_use]
    pub fn goes_on_as(&self, other: &Self) -> bool {
        fn seen(harness: &Harness) -> impl PartialEq {
            let Harness {
                promises,
                nodes,
                fixed,
                late,
                ..
            } = harness;
            (&harness.situation, promises, nodes, fixed, late)
        }
        self.subject.equals(&*other.subject) && self.twin == other.twin && seen(self) == seen(other)
    }

    /// Gives one command to both sides and compares everything; what they answer.
    ///
    /// # Errors
    ///
    /// The first difference found.
    pub fn apply(&mut self, command: &Command) -> Result<Reply, Difference> {
        self.tally.operations += 1;
        let command = &mut command.within(self.scope);
        self.watch_known(command);
        let reply = self.perform(command)?;
        self.situation.note(command, &reply);
        self.compare()?;
        Ok(reply)
    }

    /// Leaves of what a transaction watches those that there are: those that it makes are told of anyway.
    fn watch_known(&self, command: &mut Command) {
        match command {
            Command::For(_, command) => self.watch_known(command),
            Command::Transact(transact) => {
                let known = 0..self.twin.oracle.accepted();
                transact.watched.retain(|number| known.contains(number));
            }
            _ => {}
        }
    }

    /// The same of several commands, without their answers.
    ///
    /// # Errors
    ///
    /// The first difference found.
    pub fn apply_all(&mut self, commands: &[Command]) -> Result<(), Difference> {
        commands
            .iter()
            .try_for_each(|command| self.apply(command).map(drop))
    }

    /// Gives the command to both sides, compares what they answer, and takes it in.
    fn perform(&mut self, command: &Command) -> Result<Reply, Difference> {
        self.remember();
        match command {
            // The harness asks these itself, whatever happens.
            Command::Remember | Command::IsUnchanged | Command::Look => return Ok(Reply::Done),
            Command::Juggle(newcomer, rules, lent, end) => {
                return self.juggle(*newcomer, (rules, *lent), *end);
            }
            Command::ShiftIn(newcomer, rules, log, end) => {
                return self.shift_in(*newcomer, (rules, *log), *end);
            }
            Command::Alternatives(request, terms, rules, lent, wanted) => {
                return self.alternatives((request, *terms), rules, *lent, wanted);
            }
            Command::Transact(transact) => return self.transact(transact),
            Command::Book(request, ..) | Command::Find(request, _) => self.search(request)?,
            Command::Accept(offer, ..) if self.situation.offers.contains(offer) => {
                compare_places(offer)?;
            }
            _ => {}
        }
        let asked = command.inner();
        let known = is_said_again(asked).then(|| self.twin.oracle.clone());
        let state = match asked {
            Command::Alter(number, ..) | Command::Split(number, ..) | Command::Bind(number, _) => {
                self.state_of(*number)
            }
            _ => "",
        };
        let reply = self.ask(command)?;
        self.check_refusal(&reply)?;
        if is_read(asked, &reply) || known.is_some_and(|known| known == self.twin.oracle) {
            self.unchanged("what only asks changes nothing")?;
        }
        self.take_in(asked, &reply, state)?;
        Ok(reply)
    }

    fn remember(&mut self) {
        self.subject.perform(&Command::Remember);
    }

    /// Lets both sides do what the command says, and compares what they answer; the twin's reply, which has all that there is to be told.
    fn ask(&mut self, command: &Command) -> Result<Reply, Difference> {
        let reply = sorted(self.subject.perform(command));
        let expected = sorted(self.twin.perform(command));
        let told = expected.clone().within(self.scope, command);
        same(names::of(command), &reply, &told)?;
        Ok(expected)
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

    /// Compares the search itself: all policies, all candidates, the rectangles of the feasible ones.
    ///
    /// # Errors
    ///
    /// The first difference found.
    pub fn search(&mut self, request: &Request) -> Result<(), Difference> {
        self.remember();
        let feasible = self.twin.oracle.feasible(request);
        for policy in Policy::ALL {
            let expected = feasible.clone().and_then(|feasible| {
                let chosen = choose(policy, &feasible).ok_or(Refusal::NoRoom)?;
                Ok(chosen.start)
            });
            let found = self.subject.perform(&Command::Find(*request, policy));
            same(policy.name(), &found, &Reply::of(expected, Reply::At))?;
        }
        self.ask(&Command::CandidateStarts(*request))?;
        self.look_around(request)?;
        for found in feasible.unwrap_or_default() {
            let window = Window::starting(found.start, request.duration).expect("it fits");
            let free = self.subject.perform(&Command::FreeDuring(window));
            let count = PeCount::new(found.free.count());
            same("free during the run", &free, &Reply::Free(Some(count)))?;
            let around = Command::Rectangle(found.start, request.duration);
            let rectangle = self.subject.perform(&around);
            let expected = Reply::Rectangle(Some(found.rectangle));
            same("rectangle", &rectangle, &expected)?;
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
            self.ask(&Command::FreeDuring(window))?;
        }
        self.ask(&Command::Rectangle(ready, duration)).map(drop)
    }

    /// Compares all that can be read without asking for anything.
    ///
    /// # Errors
    ///
    /// The first difference found.
    pub fn compare(&mut self) -> Result<(), Difference> {
        self.remember();
        let look = Command::Look;
        let both = (self.subject.perform(&look), self.twin.perform(&look));
        let (Reply::State(seen), Reply::State(expected)) = &both else {
            return same("what can be seen", &both.0, &both.1);
        };
        self.unchanged("looking changes nothing")?;
        same("invariants", &seen.invariants, &expected.invariants)?;
        same("now", &seen.now, &expected.now)?;
        same("length", &seen.length, &expected.length)?;
        same("next event", &seen.next_event, &expected.next_event)?;
        same("records", &seen.records, &expected.records)?;
        self.compare_promises(seen)?;
        same("reservations by start", &seen.by_start, &expected.by_start)?;
        same("reservations", &seen.known, &expected.known)?;
        self.check_nodes(seen)?;
        same("starting there", &seen.starting, &expected.starting)?;
        same("waiting jobs", &seen.waiting, &expected.waiting)?;
        same("planned jobs", &seen.planned, &expected.planned)?;
        same("shadow", &seen.shadow, &expected.shadow)?;
        let (next, to_be) = (seen.next_queue_event, expected.next_queue_event);
        same("next event with the queue", &next, &to_be)?;
        same("version", &seen.version, &expected.version)?;
        self.situation.look(expected);
        if self.scope == Scope::Whole
            && let Reply::Requests(requests) = self.ask(&Command::Requests)?
        {
            self.situation.requests = requests.iter().map(|(ticket, _)| *ticket).collect();
        }
        self.situation.next = self.twin.oracle.accepted();
        self.compare_ended()
    }

    /// Nothing but a transaction moves a reservation, whatever else is booked, started or given up.
    fn compare_promises(&self, seen: &State) -> Result<(), Difference> {
        for (number, known) in &seen.by_start {
            let promised = self.promises.get(number);
            // One that nobody knows is found when the reservations are compared.
            if promised.is_some()
                && known.state != bookahead::State::Running
                && !self.twin.oracle.is_delayed(*number)
            {
                let window = Some(&known.window);
                same("the window that was promised", &window, &promised)?;
            }
        }
        Ok(())
    }

    /// A running job stays on its PEs; if it gets narrower, on the lowest-numbered of them, or on a machine
    /// with a layout on those that its class or its owner chooses.
    fn check_nodes(&mut self, seen: &State) -> Result<(), Difference> {
        for ((number, listed), known) in seen.by_start.iter().zip(&seen.known) {
            if let (bookahead::State::Running, Ok(set)) = (listed.state, &known.pes) {
                let before = self.nodes.insert(*number, set.clone());
                let stays = before.is_none_or(|before| {
                    before.starts_with(set)
                        || self.twin.oracle.has_layout() && set.iter().all(|pe| before.contains(pe))
                });
                sound("a running job stays on its PEs", stays)?;
            }
        }
        Ok(())
    }

    fn compare_ended(&mut self) -> Result<(), Difference> {
        let latest: Vec<Number> = self.situation.ended.iter().rev().take(4).copied().collect();
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

/// Whether the command, answered so, only asks.
fn is_read(command: &Command, reply: &Reply) -> bool {
    match command {
        Command::Size
        | Command::Get(_)
        | Command::PesOf(_)
        | Command::Extension(_)
        | Command::Layer(_)
        | Command::Shadow
        | Command::Requests
        | Command::Covering(_)
        | Command::RulesDuring(_)
        | Command::FreeDuring(_)
        | Command::Rectangle(..)
        | Command::CandidateStarts(_)
        | Command::Find(..)
        | Command::Plan(..)
        | Command::PlanMouldable(_)
        | Command::Explain(..)
        | Command::Failing(..)
        | Command::Offers(..) => true,
        _ => matches!(reply, Reply::Cancelled(0)),
    }
}

/// Whether the command may say what is known already, such as an end announced once more.
fn is_said_again(command: &Command) -> bool {
    matches!(
        command,
        Command::Confirm(_) | Command::Cancel(_) | Command::Complete(..) | Command::Freeze(_)
    )
}

/// Where portions of an offer of the book would go, short ones and long ones.
fn compare_places(offer: &Offer) -> Result<(), Difference> {
    let longest = offer.whole().duration.get();
    for duration in [1, 2, longest / 2, longest - 1, longest] {
        let start = offer.start_of(Span::new(duration));
        let there = portion_window(offer, Span::new(duration)).start;
        let expected: Option<Slot> = (duration > 0).then_some(there);
        if duration <= longest {
            same("start of a take", &start, &expected)?;
        }
    }
    same(
        "start of more than is offered",
        &offer.start_of(Span::new(longest + 1)),
        &None,
    )
}

/// Moves in order of acceptance, as which reservation is lifted first is not promised.
fn sorted(mut reply: Reply) -> Reply {
    if let Reply::Juggled(juggled) = &mut reply {
        juggled.moves.sort_unstable_by_key(|moved| moved.whose);
    }
    reply
}
