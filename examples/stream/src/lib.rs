//! Histories with golden answers, so that every place the kernel runs in can be seen to decide alike.
//!
//! A history is commands with the replies that are expected to them, in the text form of `bookahead-commands`. Firmware compiles them in,
//! and the command of this crate replays them, or any other, on a side of choice:
//!
//! ```sh
//! cargo run -p bookahead-stream -- replay examples/stream/pe.txt --on kernel
//! ```
//!
//! The histories here are those of one sequence of calls on a book with late and on one with early binding, others on a book with overlays,
//! on a machine with a layout, with rules, and of requests that wait beside a queue, which ends with jobs launched elsewhere than late binding says.
//! The expected replies are rewritten with
//!
//! ```sh
//! cargo run -p bookahead-stream -- histories
//! ```
#![no_std]
#![forbid(unsafe_code)]

mod ticks;

pub use ticks::Ticks;

/// On a book with late binding.
pub const COUNT: &str = include_str!("../count.txt");
/// On a book with early binding.
pub const PE: &str = include_str!("../pe.txt");
/// On a book with late binding and overlays.
pub const OVERLAY: &str = include_str!("../overlay.txt");
/// On a book with late binding, of requests that wait for room beside its queue.
pub const WAITING: &str = include_str!("../waiting.txt");
/// On a book with early binding and rules.
pub const RULED: &str = include_str!("../ruled.txt");
/// On a machine with a layout.
pub const PLACED: &str = include_str!("../placed.txt");
