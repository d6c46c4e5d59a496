//! The slow, obvious, independent twin of the kernel, and the harness that drives both with the same commands.
//!
//! [`Oracle`] keeps a plain list of reservations and answers everything by looking at it slot by slot; [`Attempt`] is a transaction on a
//! copy of it, with a copy for each savepoint; [`PlainQueue`] keeps the jobs that wait, and tries each start out on a copy. [`papers`] holds
//! what papers print; by its algorithms the oracle answers elastic queries. [`Twin`] is the oracle as a side that performs commands
//! (`bookahead-commands`). [`Harness`] gives the same commands to a book and its twin and compares their replies and whatever else can be seen
//! from outside. [`generate`] draws commands from bytes, for random tests and for fuzzing alike.

pub mod arrangements;
pub mod changes;
pub mod conservative;
mod difference;
pub mod generate;
mod harness;
mod history;
pub mod joint;
mod oracle;
pub mod papers;
mod pareto;
mod plain;
mod queue;
mod schedule;
mod skyline;
mod tally;
mod twin;

pub use difference::Difference;
pub use harness::Harness;
pub use history::{Disagreement, Playable, Recorded, is_for, is_modest, is_small};
pub use oracle::{
    Attempt, JointOracle, JointPart, JointRefusal, Oracle, Spell, portion_window, rigid_forms,
};
pub use pareto::{Room, pareto_front, rooms};
pub use plain::{Feasible, Free, Timetable};
pub use queue::{PlainQueue, TicketNumber, Waiting};
pub use skyline::Skyline;
pub use tally::Tally;
pub use twin::Twin;
