//! One language for all that can be asked of a book and the queue beside it.
//!
//! A [`Command`] is a call with its arguments, a [`Reply`] what came of it. Both name reservations by the order of their acceptance, so
//! that they mean the same to every [`Subject`] that performs them: the kernel's books ([`Kernel`]) in any [`Memory`], and whatever else
//! claims to behave as they do. No operating system is needed, only an allocator.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod books;
mod by_hand;
mod command;
mod juggling;
mod risk;
mod scanned;
mod subject;
mod vocabulary;

pub use books::{Kernel, Memory, QueueMemory};
pub use command::{
    Command, Group, Known, Layer, Limits, Mould, Recurrence, Reply, Size, State, Transact, starts,
};
pub use juggling::{Found, JuggleEnd, Juggled, Lent, Rules, Sorting, Wanted, revenue};
pub use risk::{Law, Overlaid, Risk};
pub use scanned::Scanned;
pub use subject::{LONG_HANDLES, LONG_LOG, LONG_OFFERS, Subject};
pub use vocabulary::{
    Answer, Answered, Call, Ending, Explained, Happening, InTheWay, Kind, Moved, Number,
    Obstruction, Outcome, Progress, Several, Sight,
};
