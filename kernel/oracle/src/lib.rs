//! The slow, obvious, independent twin of the kernel, and the harness that drives both with the same operations.
//!
//! [`Oracle`] keeps a plain list of reservations and answers everything by looking at it slot by slot; [`Attempt`] is a transaction on a
//! copy of it, with a copy for each savepoint; [`PlainQueue`] keeps the jobs that wait, and tries each start out on a copy. [`papers`] holds
//! what papers print; by its algorithms the oracle answers elastic queries. [`Operation`] is the one alphabet of unit, property, exhaustive
//! and fuzz tests, relative to the state of a book. [`Harness`] makes [`Command`]s of it, which name slots and reservations, gives each to both
//! sides and compares their [`Reply`]s and whatever else can be seen from outside. A side is a [`Subject`]: the kernel's books ([`Kernel`]) and the
//! twin ([`Twin`]).

pub mod arrangements;
mod books;
mod by_hand;
pub mod changes;
mod command;
mod difference;
mod harness;
mod juggling;
mod meaning;
mod operation;
mod oracle;
pub mod papers;
mod pareto;
mod plain;
mod queue;
mod risk;
mod scanned;
mod skyline;
mod subject;
mod tally;
mod vocabulary;

pub use books::{Kernel, Memory};
pub use command::{
    Command, Group, Known, Layer, Limits, Mould, Recurrence, Reply, Size, State, Transact,
};
pub use difference::Difference;
pub use harness::Harness;
pub use juggling::{Found, JuggleEnd, Juggled, Lent, Rules, Sorting, Wanted, revenue};
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
pub use risk::{Overlaid, Risk};
pub use scanned::Scanned;
pub use skyline::Skyline;
pub use subject::{LONG_HANDLES, LONG_LOG, LONG_OFFERS, Subject, Twin};
pub use tally::Tally;
pub use vocabulary::{
    Answer, Answered, Call, Ending, Explained, Happening, InTheWay, Kind, Moved, Number,
    Obstruction, Outcome, Progress, Several, Sight,
};
