//! What an interface has words for.

use alloc::vec::Vec;

use bookahead::Span;

use crate::{Answer, Call, Command, Ending, Law, Outcome, Reply, Risk, Sight, Transact};

/// What an interface to books has words for: a command is cut down to that before it is asked for there, and so is what comes of a
/// transaction before it is compared with what came of it there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Everything.
    #[default]
    Whole,
    /// What the C interface has functions for.
    C,
}

impl Scope {
    /// How many offers, obstacles or alternatives a list of the C interface has at most.
    pub const LIST_OF_C: usize = 64;
    /// How long the list of several alternatives is that the C interface makes for few.
    pub const SHORT_LIST_OF_C: usize = 8;
    /// How many savepoints a transaction of the C interface has.
    pub const SAVEPOINTS_OF_C: usize = 8;
    /// For how many predecessors of an overlay the C interface has room.
    pub const PREDECESSORS_OF_C: usize = 32;
}

impl Command {
    /// What is left of the command where it is asked for within `scope`.
    #[must_use]
    pub fn within(&self, scope: Scope) -> Self {
        let mut within = self.clone();
        if scope == Scope::Whole {
            return within;
        }
        match &mut within {
            Self::Explain(_, room) | Self::Offers(_, _, room) => {
                *room = Scope::LIST_OF_C.min(*room);
            }
            // Such a search ends when its list is full, and C has lists of these lengths, of which it copies what there is room for.
            Self::Alternatives(.., wanted) => {
                wanted.room = match wanted.room {
                    0 | 1 => wanted.room,
                    2..=Scope::SHORT_LIST_OF_C => Scope::SHORT_LIST_OF_C,
                    _ => Scope::LIST_OF_C,
                };
            }
            Self::Overlay(request, risk) => risk.restrict(request.duration),
            // Whoever does not fit as things are is refused at once without memory.
            Self::ShiftIn(_, _, log, _) => *log = 1.max(*log),
            Self::For(_, command) => **command = command.within(scope),
            Self::Transact(transact) => {
                let are_steps = transact.are_steps();
                keep(&mut transact.calls, &are_steps);
            }
            _ => {}
        }
        within
    }
}

impl Risk {
    /// One law for all, and the room that there is.
    fn restrict(&mut self, duration: Span) {
        if let Law::Part(part) = self.law {
            self.law = Law::Mean(1 + duration.get() / part.max(1));
        }
        self.list = Scope::PREDECESSORS_OF_C;
    }
}

impl Transact {
    /// Which calls are steps in C, one after the other: nobody asks in between who is in the way, moves are applied, time is taken by force and PEs are taken out by calls of their
    /// own, and there are so many savepoints.
    fn are_steps(&self) -> Vec<bool> {
        let (is_alone, mut savepoints) = (self.is_a_call_of_its_own(), 0);
        let is_step = |call: &Call| {
            savepoints += usize::from(*call == Call::Savepoint);
            let is_known = match call {
                Call::Apply(_) | Call::ExtendByForce(..) | Call::TakeOut(..) => is_alone,
                Call::Conflict(..) | Call::ConflictExactly(..) | Call::PesOf(_) => false,
                _ => true,
            };
            is_known && savepoints <= Scope::SAVEPOINTS_OF_C
        };
        self.calls.iter().map(is_step).collect()
    }

    /// Whether it is one of those calls for which C has a function of its own, and nothing else.
    #[must_use]
    pub fn is_a_call_of_its_own(&self) -> bool {
        match (&self.calls[..], self.ending) {
            ([Call::Apply(_)], end) => end == Ending::Commit,
            (calls, _) => {
                matches!(
                    calls,
                    [Call::ExtendByForce(..)
                        | Call::TakeOut(..)
                        | Call::SetRule(..)
                        | Call::Resize(_)]
                )
            }
        }
    }
}

/// Keeps those of which it is said.
fn keep<T>(all: &mut Vec<T>, are_kept: &[bool]) {
    let mut are_kept = are_kept.iter();
    all.retain(|_| are_kept.next().is_some_and(|is_kept| *is_kept));
}

impl Reply {
    /// What of the reply to a command can be told within `scope`.
    #[must_use]
    pub fn within(self, scope: Scope, command: &Command) -> Self {
        match (self, command) {
            (Self::Transacted(outcome), Command::Transact(transact)) => {
                Self::Transacted(outcome.within(scope, transact))
            }
            (reply, Command::For(_, command)) => reply.within(scope, command),
            (reply, _) => reply,
        }
    }
}

impl Outcome {
    /// What of it can be told within `scope`: in C only what the end shows, if it is reached, which is also who is broken by a rule, and not how much memory it took.
    #[must_use]
    pub fn within(mut self, scope: Scope, transact: &Transact) -> Self {
        if scope == Scope::Whole {
            return self;
        }
        keep(&mut self.answers, &transact.are_steps());
        let is_shown = transact.ending != Ending::Drop && !transact.is_a_call_of_its_own();
        let ends = is_shown && self.end.is_ok();
        let last = self.answers.len().checked_sub(1).filter(|_| ends);
        for (number, (answer, sight)) in self.answers.iter_mut().enumerate() {
            if let (Ok(Answer::Ruled(broken)), false) = (answer, transact.is_a_call_of_its_own()) {
                broken.clear();
            }
            if Some(number) == last {
                sight.logged = 0;
            } else {
                *sight = Sight::default();
            }
        }
        self
    }
}
