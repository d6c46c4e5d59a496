//! The slow, obvious, independent twin of the kernel, and the harness that drives both with the same operations.
//!
//! [`Oracle`] keeps a plain list of reservations and answers everything by looking at it slot by slot; [`Attempt`] is a transaction on a
//! copy of it, with a copy for each savepoint; [`PlainQueue`] keeps the jobs that wait, and tries each start out on a copy. [`papers`] holds
//! what papers print; by its algorithms the oracle answers elastic queries. [`Operation`] is the one alphabet of unit, property, exhaustive
//! and fuzz tests, relative to the state of a book. [`Harness`] makes commands of it (`bookahead-commands`), which name slots and reservations,
//! gives each to both sides and compares their replies and whatever else can be seen from outside. [`Twin`] is the oracle as a side.

pub mod arrangements;
pub mod changes;
mod difference;
mod harness;
mod meaning;
mod operation;
mod oracle;
pub mod papers;
mod pareto;
mod plain;
mod queue;
mod skyline;
mod tally;
mod twin;

pub use difference::Difference;
pub use harness::Harness;
pub use meaning::{commitment, later, policy, window};
pub use operation::{
    Ask, Change, Disturbance, FORMS, Finish, Forgery, Hop, Inquiry, Juggle, Moulding, Operation,
    Pick, SHARES, STEPS, Script, Shapes, Share, Shift, Spot, Stake, Step, Submission, Taking,
    Terms, Thaw, Verb,
};
pub use oracle::{Attempt, Oracle, portion_window, rigid_forms};
pub use pareto::{Room, pareto_front, rooms};
pub use plain::{Feasible, Free, Timetable};
pub use queue::{PlainQueue, TicketNumber};
pub use skyline::Skyline;
pub use tally::Tally;
pub use twin::Twin;
