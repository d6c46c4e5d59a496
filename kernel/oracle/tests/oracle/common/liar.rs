//! A twin that tells one lie, for the harness to notice.

use std::any::Any;

use bookahead::{Error, Money, PeCount, Refusal, Slot, Span, UsageError};
use bookahead_commands::{
    Answer, Command, Ending, InTheWay, Juggled, Kind, Outcome, Reply, State, Subject, Transact,
};
use bookahead_oracle::Twin;

/// What is not as the twin says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lie {
    /// Where an altered reservation is.
    Altered,
    /// Who is in the way of it.
    AlteredConflict,
    /// That a split is refused.
    Split,
    /// What the first step answers.
    Step,
    /// Who covers a slot after the first step.
    Covering,
    /// What is known of the first reservation after it.
    Known,
    /// What has moved.
    Moves,
    /// How much work is left.
    WorkLeft,
    /// How many entries of the log are in use.
    Logged,
    /// What a refused step, which is the second, left in the log.
    RefusedStep,
    /// The last step was not made.
    StepsMade,
    /// How a commit ends.
    Commit,
    /// How many moves a plan leaves out.
    PlanMore,
    /// That a plan, or a drop, leaves no trace.
    Trace,
    /// How long a series is.
    Series,
    /// Who is in the way of it.
    SeriesConflict,
    /// When all parts start.
    Together,
    /// Who is in the way of them.
    TogetherConflict,
    /// How many were cancelled.
    Cancelled,
    /// That cancelling nothing leaves no trace.
    CancelTrace,
    /// Whether a request fits.
    Explanation,
    /// How many obstacles there are.
    Obstacles,
    /// What is lacking.
    Lacking,
    /// Who holds it.
    Holders,
    /// That explaining leaves no trace.
    ExplainTrace,
    /// When a newcomer starts for which others were moved.
    Juggled,
    /// What has moved for it.
    JuggledMoves,
    /// That a plan of juggling leaves no trace.
    JuggleTrace,
    /// Which alternatives there are.
    Alternatives,
    /// That looking for them leaves no trace.
    AlternativesTrace,
    /// Whether a start is fixed.
    Frozen,
    /// Who covers a window.
    WhoCovers,
    /// The kind of the next event.
    Next,
    /// Whose event it is.
    Whose,
    /// The handle of a job that starts.
    Handle,
    /// That another book's queue is refused a job.
    ForeignSubmit,
    /// That it is refused an advance.
    ForeignAdvance,
    /// That it is refused an event.
    ForeignNext,
    /// That a plan is stale.
    Stale,
    /// What a form costs.
    Price,
    /// That planning a form leaves no trace.
    MouldTrace,
    /// Where a reservation is.
    Window,
    /// That what is refused leaves no trace.
    RefusalTrace,
}

/// A twin and its lie.
#[derive(Clone, Debug, PartialEq)]
pub struct Liar {
    twin: Twin,
    lie: Lie,
    /// What should not have been written, now and as it was remembered.
    trace: [u32; 2],
}

impl Liar {
    pub fn new(kind: Kind, lie: Lie) -> Self {
        Self {
            twin: Twin::new(kind, 4, 20, 6),
            lie,
            trace: [0; 2],
        }
    }

    /// Whether the command, answered so, should leave no trace and leaves one.
    fn leaves_trace(&self, command: &Command, reply: &Reply) -> bool {
        match (self.lie, command) {
            (Lie::MouldTrace, Command::PlanMouldable(_))
            | (Lie::CancelTrace, Command::CancelAll(_))
            | (Lie::ExplainTrace, Command::Explain(..)) => true,
            (Lie::JuggleTrace, Command::Juggle(..) | Command::ShiftIn(..))
            | (Lie::AlternativesTrace, Command::Alternatives(..)) => reply.error().is_none(),
            (Lie::RefusalTrace, Command::Book(..)) => reply.error().is_some(),
            (Lie::Trace, Command::Transact(transact)) => transact.ending != Ending::Commit,
            _ => false,
        }
    }
}

impl Subject for Liar {
    fn copy(&self) -> Box<dyn Subject> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn Subject) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    fn perform(&mut self, command: &Command) -> Reply {
        let reply = match (self.lie, command) {
            (Lie::Stale, Command::Commit(_)) => refused(UsageError::StalePlan),
            (Lie::Split, Command::Split(..)) => refused(Refusal::OutsideWindow),
            _ => self.twin.perform(command),
        };
        self.trace[0] += u32::from(self.leaves_trace(command, &reply));
        if matches!(command, Command::Remember) {
            self.trace[1] = self.trace[0];
        }
        match reply {
            Reply::Is(unchanged) => Reply::Is(unchanged && self.trace[0] == self.trace[1]),
            Reply::State(state) => Reply::State(Box::new(twisted_state(self.lie, *state))),
            Reply::Transacted(outcome) => {
                let Command::Transact(transact) = command else {
                    unreachable!("it was a transaction");
                };
                Reply::Transacted(twisted_outcome(self.lie, transact, outcome))
            }
            Reply::Juggled(juggled) => Reply::Juggled(twisted_moves(self.lie, juggled)),
            Reply::Refused(reason, conflict) => {
                let (reason, conflict) = twisted_refusal(self.lie, command, reason, conflict);
                Reply::Refused(reason, conflict)
            }
            reply => twisted(self.lie, reply),
        }
    }
}

fn refused(reason: impl Into<Error>) -> Reply {
    Reply::Refused(reason.into(), InTheWay::nobody())
}

fn one_more(mut conflict: InTheWay) -> InTheWay {
    conflict.more += 1;
    conflict
}

fn later(slot: Slot) -> Slot {
    slot.saturating_add(Span::new(1))
}

fn twisted_state(lie: Lie, mut state: State) -> State {
    match lie {
        Lie::Window => {
            for (_, known) in &mut state.by_start {
                known.window.start = later(known.window.start);
            }
        }
        Lie::Frozen => {
            for known in &mut state.known {
                known.frozen = known.frozen.map(|frozen| !frozen);
            }
        }
        _ => {}
    }
    state
}

fn twisted_outcome(lie: Lie, transact: &Transact, mut outcome: Outcome) -> Outcome {
    if let Some((answer, sight)) = outcome.answers.first_mut() {
        match lie {
            Lie::Step => *answer = Ok(Answer::Starts(Slot::new(7))),
            Lie::Covering => sight.covering.push(0),
            Lie::Known => sight.known.truncate(0),
            Lie::Moves => sight.moves.clear(),
            Lie::WorkLeft => sight.work_left -= 1,
            Lie::Logged => sight.logged += 1,
            _ => {}
        }
    }
    match lie {
        Lie::RefusedStep if transact.calls.len() > 1 => outcome.answers[1].1.logged += 1,
        Lie::StepsMade => drop(outcome.answers.pop()),
        Lie::Commit if transact.ending == Ending::Commit => {
            outcome.end = Err(UsageError::StillLifted.into());
        }
        Lie::PlanMore => outcome.end = outcome.end.map(|(moves, more)| (moves, more + 1)),
        _ => {}
    }
    outcome
}

/// What is told of juggling and of shifting.
fn twisted_moves(lie: Lie, mut juggled: Juggled) -> Juggled {
    match lie {
        Lie::Juggled => juggled.made = juggled.made.map(|(name, _)| (name, Slot::new(99))),
        Lie::JuggledMoves => drop(juggled.moves.pop()),
        _ => {}
    }
    juggled
}

fn twisted_refusal(
    lie: Lie,
    command: &Command,
    reason: Error,
    conflict: InTheWay,
) -> (Error, InTheWay) {
    match (lie, command) {
        (Lie::AlteredConflict, Command::Alter(..))
        | (Lie::SeriesConflict, Command::Series(_))
        | (Lie::TogetherConflict, Command::Together(_)) => (reason, one_more(conflict)),
        (Lie::ForeignSubmit, Command::Submit(_)) => (Refusal::QueueFull.into(), conflict),
        (Lie::ForeignAdvance, Command::AdvanceQueue(..))
        | (Lie::ForeignNext, Command::NextOfQueue(_)) => {
            (UsageError::TimeWentBack.into(), conflict)
        }
        _ => (reason, conflict),
    }
}

fn twisted(lie: Lie, mut reply: Reply) -> Reply {
    match (lie, &mut reply) {
        (Lie::Price, Reply::Moulded(.., price)) => *price = Money::new(price.get() + 1),
        (Lie::Altered, Reply::Placed(place)) => place.start = later(place.start),
        (Lie::Series, Reply::Several(None, numbers)) => drop(numbers.pop()),
        (Lie::Together, Reply::Several(Some(start), _)) => *start = later(*start),
        (Lie::Cancelled, Reply::Cancelled(number)) => *number += 1,
        (Lie::Explanation, Reply::Explained(explanation, _)) => {
            explanation.fits = Some(Slot::new(0));
        }
        (Lie::Obstacles, Reply::Explained(_, obstacles)) => drop(obstacles.pop()),
        (Lie::Lacking, Reply::Explained(_, obstacles)) => {
            obstacles[0].lacking = PeCount::new(9);
        }
        (Lie::Holders, Reply::Explained(_, obstacles)) => obstacles[0].holders.more += 1,
        (Lie::Alternatives, Reply::Found(found)) => drop(found.alternatives.pop()),
        (Lie::WhoCovers, Reply::Named(numbers)) => drop(numbers.pop()),
        (Lie::Next, Reply::Next(Some(event))) => event.at = later(event.at),
        (Lie::Whose, Reply::Next(Some(event))) => event.whose = event.whose.map(|whose| whose + 1),
        (Lie::Handle, Reply::Passed(_, events)) => {
            events.iter_mut().for_each(|event| event.whose = Some(0));
        }
        _ => {}
    }
    reply
}
