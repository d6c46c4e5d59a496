//! The slow, obvious, independent twin of the kernel, and the harness that drives both with the same operations.
//!
//! [`Oracle`] keeps a plain list of reservations and answers everything by looking at it slot by slot. [`Operation`] is the
//! one alphabet of unit, property, exhaustive and fuzz tests. [`Harness`] applies an operation to both sides and
//! compares whatever can be seen from outside.

mod books;
mod difference;
mod harness;
mod operation;
mod oracle;
mod plain;
mod subject;
mod tally;
mod vocabulary;

pub use difference::Difference;
pub use harness::Harness;
pub use operation::{Ask, Disturbance, Operation, Pick, Verb};
pub use oracle::Oracle;
pub use plain::{Feasible, Free, Timetable, choose};
pub use subject::{Progress, Subject, Twin, TwinPlan};
pub use tally::Tally;
pub use vocabulary::{Happening, Kind, Number};
