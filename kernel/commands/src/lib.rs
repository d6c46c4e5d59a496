//! One language for all that can be asked of a book and the queue beside it.
//!
//! A [`Command`] is a call with its arguments, a [`Reply`] what came of it. Both name reservations by the order of their acceptance, so
//! that they mean the same to every [`Subject`] that performs them: the kernel's books ([`Kernel`]) in any [`Memory`], and whatever else
//! claims to behave as they do. No operating system is needed, only an allocator.
//!
//! Each of them is a line of text as well, and a [`History`] is such lines one below the other.
//!
//! ```
//! use bookahead_commands::{Command, History, Kernel};
//! use bookahead::{CountBook, Discipline, JobQueue, PeCount, Span};
//!
//! let history = History::of(
//!     "size counts 32 64 8 fcfs 4 no
//!     book 3 10 13 20 first-fit confirmed
//!     = booked 0 3
//!     book 3 10 13 20 first-fit confirmed
//!     = refused no-room [ ] 0",
//! )?;
//! let book = CountBook::<1, 32, 8>::new(PeCount::new(32), Span::new(64))?;
//! let mut kernel = Kernel::new(book, JobQueue::<4>::new(Discipline::Fcfs));
//! for step in history {
//!     step?.perform(&mut kernel)?;
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod books;
mod by_hand;
mod classes;
mod command;
mod juggling;
mod risk;
mod scanned;
mod scope;
mod subject;
mod text;
mod vocabulary;

pub use books::{Arranged, Kernel, Memory, Names, QueueMemory, REQUESTS, set_of};
#[cfg(feature = "open")]
pub use books::{check, kernel_of, kernel_on, open};
pub use classes::{Allowed, ClassNumber, Machine, Placed, Preferred, Shaped, Wish};
pub use command::{
    Command, Group, Known, Layer, Limits, Mould, Recurrence, Reply, Size, State, Transact, starts,
};
pub use juggling::{Found, JuggleEnd, Juggled, Lent, Rules, Sorting, Wanted, revenue};
pub use risk::{Law, Overlaid, Risk};
pub use scanned::Scanned;
pub use scope::Scope;
pub use subject::{LONG_HANDLES, LONG_LOG, LONG_OFFERS, Subject};
pub use text::{Difference, History, Misread, Step};
pub use vocabulary::{
    Answer, Answered, Broken, Call, Ending, Explained, Gone, Happening, InTheWay, Kind, Moved,
    Number, Obstruction, Outcome, Progress, Several, Sight,
};
