//! One stream of calls with its answers, so that every place the kernel runs in can be seen to decide alike.
//!
//! `calls.txt` holds the calls, `answers.txt` what a host answers; their comments and first line say how they are written. Firmware
//! compiles the calls in ([`CALLS`]) and prints its answers, a program in another language reads the files. [`Replay`] makes
//! every call on a book with late and on one with early binding. There is no allocation in here.
//!
//! ```
//! use bookahead_stream::{CALLS, EARLY, LATE, NO_BOOKINGS, Replay};
//!
//! let (mut late, mut early, mut bookings) = (LATE.unwrap(), EARLY.unwrap(), [NO_BOOKINGS; 2]);
//! let mut replay = Replay::new(CALLS, late.view(), early.view(), &mut bookings);
//! let mut answers = 0;
//! while replay.pass_slot(|_answer| answers += 1)? {}
//! assert!(answers > 800);
//! # Ok::<(), bookahead_stream::Fault>(())
//! ```
//!
//! The files are rewritten with
//!
//! ```sh
//! cargo run -p bookahead-stream -- calls > examples/stream/calls.txt
//! cargo run -p bookahead-stream -- answers > examples/stream/answers.txt
//! ```
#![no_std]
#![forbid(unsafe_code)]

mod answer;
mod call;
mod replay;

use bookahead::{Booking, CountBook, Handle, PeBook, Slot, blocks, columns};

pub use answer::{Answer, HEADER};
pub use call::{Action, Call, Entries, Entry};
pub use replay::{Fault, Replay};

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
/// Jobs are numbered from 0 to less than this.
pub const JOBS: usize = 512;

/// Memory of the book with late binding.
pub type Late = CountBook<{ blocks(SLOTS) }, { PES as usize }, ROWS>;
/// Memory of the book with early binding.
pub type Early = PeBook<u32, { blocks(SLOTS) }, { columns::<u32>(PES) }, ROWS>;
/// What each job was answered, by its number.
pub type Bookings = [Booking; JOBS];

/// An empty book with late binding, `None` only for sizes that do not fit.
pub const LATE: Option<Late> = Late::new(PES, SLOTS);
/// An empty book with early binding, `None` only for sizes that do not fit.
pub const EARLY: Option<Early> = Early::new(PES, SLOTS);
/// Memory for [`Bookings`]: all zeros, which a linker need not store.
pub const NO_BOOKINGS: Bookings = [Booking {
    handle: Handle::from_bits(0),
    start: Slot::new(0),
}; JOBS];
