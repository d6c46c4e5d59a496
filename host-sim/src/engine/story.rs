//! What became of operations, and of a whole script.

use std::collections::HashMap;

use bookahead::Error;

use super::{
    outcome::{Outcome, Placed, Stretch, width},
    system::System,
};
use crate::{
    operation::Operation,
    outage::{Breaker, OutageKind},
    request::Demand,
};

/// One operation and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operated {
    /// What was to be done.
    pub operation: Operation,
    /// Whether it was done, or why not.
    pub decision: Result<(), Declined>,
    /// What became of the second part of a reservation that was split; it belongs to a demand of the operation's own number.
    pub part: Option<Outcome>,
}

/// A booking that was changed or made after its request had been decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Moved {
    /// When that happened (s).
    pub time: u64,
    /// What changed it.
    pub cause: Cause,
    /// The row or job that was the cause; nothing where time was.
    pub cause_job_id: Option<u64>,
    /// The job concerned.
    pub job_id: u64,
    /// What was booked before; nothing for the second part of a reservation that was split.
    pub from: Option<Stretch>,
    /// What is booked from then on.
    pub to: Stretch,
    /// The site, from 0 on.
    pub site: u16,
}

/// A run of a job that was ended for a reservation; the job came back to the queue.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Piece {
    /// The number of the job.
    pub job_id: u64,
    /// From when to when it ran (s).
    pub window: [u64; 2],
    /// The processing elements it ran on, as inclusive ranges in increasing order.
    pub pes: Vec<(u16, u16)>,
}

impl Piece {
    /// What was used, for nothing.
    #[must_use]
    pub fn stretch(&self) -> Stretch {
        let [start, end] = self.window;
        Stretch {
            start,
            end,
            pes: width(&self.pes),
        }
    }
}

/// What an outage took: one row for each part that begins at its own time, and one for a notice that never takes anything.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Gone {
    /// The number of the outage.
    pub id: u64,
    /// How its processing elements leave.
    pub kind: OutageKind,
    /// Since when this is known (s), a slot edge.
    pub announced: u64,
    /// From when to when they were to be away (s).
    pub window: [u64; 2],
    /// Which were to leave, as inclusive ranges in increasing order.
    pub asked: Vec<(u16, u16)>,
    /// Which of them this part took.
    pub pes: Vec<(u16, u16)>,
    /// From when to when it had them (s); nothing where it had none, or was taken back before.
    pub effect: Option<[u64; 2]>,
    /// Promises that it broke, in the first row of a notice.
    pub broken: usize,
    /// Reservations that it moved.
    pub moved: usize,
    /// Those of them that start later than they were promised.
    pub late: usize,
}

impl Gone {
    /// What was away, while it was.
    #[must_use]
    pub fn stretch(&self) -> Option<Stretch> {
        let [start, end] = self.effect?;
        Some(Stretch {
            start,
            end,
            pes: width(&self.pes),
        })
    }
}

/// What changes bookings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Cause {
    /// The strategy places reservations anew for a newcomer.
    Juggle,
    /// The strategy shifts reservations aside for a newcomer.
    Shift,
    /// Reservations take other processing elements at their own starts, for a newcomer.
    Relocate,
    /// The strategy places reservations anew where something has become free.
    Replan,
    /// Reservations start earlier where something has been given back.
    PullForward,
    /// What lay on top of others has its processing elements to itself, since they ended early.
    OverlayBooked,
    /// Its processing elements left.
    Outage,
    /// A rule takes its processing elements.
    Rule,
    /// A running job takes longer than was booked.
    Overrun,
    /// A job of the queue ends for a newcomer, or goes on where that is no longer needed.
    Preempt,
    /// An operation of this name. There is none in a run that is kept; it is the last, since bytes count the others without it.
    #[serde(skip)]
    Operation(#[serde(skip)] &'static str),
}

impl Cause {
    /// Those of strategies.
    pub const OF_STRATEGIES: [Self; 5] = [
        Self::Juggle,
        Self::Shift,
        Self::Replan,
        Self::Relocate,
        Self::PullForward,
    ];
    /// Those that cannot wait.
    pub(crate) const DISPLACING: [Self; 3] = [Self::Outage, Self::Rule, Self::Overrun];

    /// The name in files; an operation may have that of a strategy's cause.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Operation(name) => name,
            Self::Juggle => "juggle",
            Self::Shift => "shift",
            Self::Relocate => "relocate",
            Self::Replan => "replan",
            Self::PullForward => "pull-forward",
            Self::OverlayBooked => "overlay-booked",
            Self::Outage => "outage",
            Self::Rule => "rule",
            Self::Overrun => "overrun",
            Self::Preempt => "preempt",
        }
    }
}

impl From<Breaker> for Cause {
    fn from(by: Breaker) -> Self {
        match by {
            Breaker::Outage(_) => Self::Outage,
            Breaker::Rule(_) => Self::Rule,
            Breaker::Overrun(_) => Self::Overrun,
        }
    }
}

impl Moved {
    /// Whether a strategy moved it, and no operation.
    pub(super) fn is_by_strategy(&self) -> bool {
        Cause::OF_STRATEGIES.contains(&self.cause)
    }
}

/// Why an operation was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declined {
    /// No reservation of that number had been accepted.
    UnknownTarget,
    /// The reservation was over: it had ended, was cancelled or had expired.
    EndedTarget,
    /// The kernel's own reason.
    Kernel(Error),
}

impl Declined {
    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UnknownTarget => "unknown-target",
            Self::EndedTarget => "ended-target",
            Self::Kernel(reason) => reason.name(),
        }
    }
}

/// Gives the state of a run as bytes.
pub type State<'s> = dyn FnMut() -> crate::error::Result<Vec<u8>> + 's;

/// What a run tells.
#[derive(Clone, Debug)]
pub enum Told {
    /// What became of the next demand; with the key of a job of the queue, where keys order it.
    Outcome(Outcome, Option<u32>),
    /// What became of the next operation, before the demand in front of which it stands.
    Operated(Operated),
    /// A booking was changed.
    Moved(Moved),
    /// A run of a job was ended for a reservation, before what became of the job.
    Piece(Piece),
    /// What an outage took, when everything is over.
    Gone(Gone),
}

/// Hears what became of what arrived as soon as that is certain, in the order of a [`Story`].
pub trait Listener {
    /// Hears what is told next.
    ///
    /// # Errors
    /// Whatever is wrong with where it is noted.
    fn hear(&mut self, told: Told) -> crate::error::Result<()>;

    /// Before anything is told: the state that [`pause`](Self::pause) gave, where the run goes on from there. It is not told again what had been told then.
    ///
    /// # Errors
    /// Whatever is wrong with where it was kept.
    fn resume(&mut self) -> crate::error::Result<Option<Vec<u8>>> {
        Ok(None)
    }

    /// After each demand that arrives: `state` gives the state of the run, from which the same run can go on later.
    ///
    /// # Errors
    /// Whatever is wrong with where it is kept, and [`Error::Internal`](crate::error::Error::Internal) of the state itself.
    fn pause(&mut self, _state: &mut State<'_>) -> crate::error::Result<()> {
        Ok(())
    }
}

impl Listener for Story {
    fn hear(&mut self, told: Told) -> crate::error::Result<()> {
        match told {
            Told::Outcome(outcome, key) => {
                let key = key.map(|key| (outcome.demand.job_id(), key));
                self.keys.extend(key);
                self.outcomes.push(outcome);
            }
            Told::Operated(operated) => self.operated.push(operated),
            Told::Moved(moved) => self.moves.push(moved),
            Told::Piece(piece) => self.pieces.push(piece),
            Told::Gone(gone) => self.gone.push(gone),
        }
        Ok(())
    }
}

/// All that became of a script.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Story {
    /// One for each demand.
    pub outcomes: Vec<Outcome>,
    /// One for each operation.
    pub operated: Vec<Operated>,
    /// Every booking that was changed, in the order in which that happened.
    pub moves: Vec<Moved>,
    /// What outages took.
    pub gone: Vec<Gone>,
    /// Runs of jobs that were ended for reservations, in the order of their ends.
    pub pieces: Vec<Piece>,
    /// The keys of the jobs of the queue by their numbers, where they are ordered by keys.
    pub keys: HashMap<u64, u32>,
}

/// What became of demands and operations, in their order.
pub(crate) enum InOrder<'s> {
    /// Of a demand, with its key.
    Outcome(&'s Outcome, Option<u32>),
    /// Of an operation.
    Operated(&'s Operated),
}

impl Story {
    /// Goes through demands and operations in their order.
    pub(crate) fn in_order(&self, mut tell: impl FnMut(InOrder<'_>)) {
        let mut operated = self.operated.iter().peekable();
        for (index, outcome) in self.outcomes.iter().enumerate() {
            while let Some(done) = operated.next_if(|done| done.operation.after <= index) {
                tell(InOrder::Operated(done));
            }
            let key = self.keys.get(&outcome.demand.job_id());
            tell(InOrder::Outcome(outcome, key.copied()));
        }
        operated.for_each(|done| tell(InOrder::Operated(done)));
    }

    /// Whether there was nothing but firm demands; see [`Script::is_plain`](crate::operation::Script::is_plain).
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let held = |outcome: &Outcome| matches!(outcome.demand, Demand::Hold(_));
        self.operated.is_empty() && !self.outcomes.iter().any(held)
    }

    /// Whether something may have broken promises: outages, rules, or jobs that went on by force.
    #[must_use]
    pub fn may_break(&self, system: &System) -> bool {
        let operations = self.operated.iter().map(|done| done.operation);
        system.displaces(&operations.collect::<Vec<_>>())
    }

    /// Everything that got a place: demands, and second parts of reservations that were split.
    pub fn placed(&self) -> impl Iterator<Item = &Placed> {
        let parts = self.operated.iter().filter_map(|done| done.part.as_ref());
        let all = self.outcomes.iter().chain(parts);
        all.filter_map(|outcome| outcome.decision.as_ref().ok())
    }
}

impl From<Vec<Outcome>> for Story {
    fn from(outcomes: Vec<Outcome>) -> Self {
        Self {
            outcomes,
            ..Self::default()
        }
    }
}
