//! One stream of calls with its answers, so that every place the kernel runs in can be seen to decide alike.
//!
//! `calls.txt` holds the calls, `answers.txt` what a host answers; their comments and first line say how they are written. Firmware
//! compiles the calls in ([`CALLS`]) and prints its answers, a program in another language reads the files. [`Replay`] makes
//! every call on a book with late and on one with early binding, and on their queues. `overlays.txt` holds calls on a book with overlays, each
//! with its result, which [`overlays`] draws and makes. There is no allocation in here.
//!
//! ```
//! use bookahead_stream::{CALLS, EARLY, LATE, NO_NOTES, Replay};
//!
//! let (mut late, mut early, mut notes) = (LATE.unwrap(), EARLY.unwrap(), [NO_NOTES; 2]);
//! let mut replay = Replay::new(CALLS, late.view(), early.view(), &mut notes);
//! let mut answers = 0;
//! while replay.pass_slot(|_line| answers += 1)? {}
//! assert!(answers > 800);
//! # Ok::<(), bookahead_stream::Fault>(())
//! ```
//!
//! The files are rewritten with
//!
//! ```sh
//! cargo run -p bookahead-stream -- calls > examples/stream/calls.txt
//! cargo run -p bookahead-stream -- answers > examples/stream/answers.txt
//! cargo run -p bookahead-stream -- overlays > examples/stream/overlays.txt
//! ```
#![no_std]
#![forbid(unsafe_code)]

mod answer;
mod call;
mod deed;
mod flexible;
mod moving;
mod notes;
mod overlays;
mod replay;
mod ticks;

use bookahead::{
    CountBook, PeBook, PeCount, SizeError, Span,
    raw::{blocks, columns},
};

pub use answer::{Answer, Detail, HEADERS, Jobs, Line, NAMED, Noted, Offered};
pub use call::{Action, Call, Choice, Entries, Entry, Group, Manner, Recurrence};
pub use deed::{Deed, ENTRIES, PARTS, SAVEPOINTS, STEPS, Script, Step};
pub use flexible::{FORMS, Mould, Newcomer, Rules};
pub use notes::{NO_NOTES, Notes};
pub use overlays::{OVERLAID, OVERLAY_HEADERS, Overlaid, Told, overlays};
pub use replay::{Fault, Replay};
pub use ticks::Ticks;

/// The calls, as text.
pub const CALLS: &str = include_str!("../calls.txt");

/// How many slots the rings cover.
pub const SLOTS: u32 = 256;
/// How many processing elements the machine has.
pub const PES: u16 = 32;
/// How many reservations a book has room for.
pub const ROWS: usize = 32;
/// How many events one advance can report before it has to be called again.
pub const EVENTS: usize = 8;
/// How many jobs a queue has room for.
pub const WAITING: usize = 8;
/// How many offers are listed.
pub const OFFERS: usize = 4;
/// How many obstacles are listed.
pub const OBSTACLES: usize = 4;
/// Jobs are numbered from 0 to less than this.
pub const JOBS: usize = 1_472;

/// Memory of the book with late binding.
pub type Late = CountBook<{ blocks(SLOTS) }, { PES as usize }, ROWS>;
/// Memory of the book with early binding.
pub type Early = PeBook<u32, { blocks(SLOTS) }, { columns::<u32>(PES) }, ROWS>;

/// An empty book with late binding; an error only for sizes that do not fit.
pub const LATE: Result<Late, SizeError> = Late::new(PeCount::new(PES), Span::new(SLOTS));
/// An empty book with early binding; an error only for sizes that do not fit.
pub const EARLY: Result<Early, SizeError> = Early::new(PeCount::new(PES), Span::new(SLOTS));
