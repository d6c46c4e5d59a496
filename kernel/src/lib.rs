//! Advance reservations: can this job have `n` processing elements for `d` slots between ready and deadline - when, and which ones?
//!
//! A [`Book`] answers that and keeps every promise it made. It runs on memory of fixed size that the caller owns - a `static` in
//! firmware, a heap on a host - counts time in slots, and takes no clock, allocator or thread: a decision taken in a
//! simulation is bit for bit the decision taken in the shipped system.
//!
//! ```
//! use bookahead::{Event, PeBook, PeCount, Policy, Request, Slot, Span};
//!
//! // 64 slots, one column of 32 PEs, 16 reservations; PEs are assigned when a reservation is made.
//! let mut memory = PeBook::<u32, 1, 1, 16>::new(PeCount::new(8), Span::new(64)).unwrap();
//! let mut book = memory.view();
//! let request = Request {
//!     ready: Slot::new(5),
//!     duration: Span::new(10),
//!     deadline: Slot::new(30),
//!     pes: PeCount::new(6),
//! };
//! let booking = book.reserve(&request, Policy::PeWorstFit)?;
//! assert_eq!(booking.start, Slot::new(5));
//!
//! // Time passes when the caller says so; what happened is reported.
//! let mut events = heapless::Vec::<Event, 8>::new();
//! let _ = book.advance(Slot::new(5), &mut events)?;
//! assert_eq!(events[0].handle, booking.handle);
//! # Ok::<(), bookahead::Error>(())
//! ```
//!
//! Papers are cited by short names: `li` is Li, Pei, Wu, Shen, "Resource availability-aware advance reservation for parallel jobs with
//! deadlines" (2014); `sulistio` is Sulistio, Kim, Buyya, "On incorporating an on-line strip packing algorithm into elastic
//! grid reservation-based systems" (2007).
#![no_std]
#![forbid(unsafe_code)]
// No call may panic: arithmetic says what happens at its limits, and slices are asked, not indexed.
#![deny(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable
)]
// Decisions are taken in integers, or they would differ between machines.
#![deny(clippy::float_arithmetic)]

mod book;
mod error;
mod event;
mod fit;
#[doc(hidden)]
pub mod fixture;
mod ledger;
mod named;
mod offer;
mod pe;
mod policy;
mod price;
mod queue;
pub mod raw;
mod request;
mod ring;
mod storage;
mod time;
mod transaction;
mod violation;

pub use book::{
    Advanced, Book, Booking, Commitment, Explanation, Obstacle, Plan, Rectangle, Version,
};
pub use error::{Error, Refusal, UsageError};
pub use event::{Event, EventKind};
/// Bounded lists, for events and other answers.
pub use heapless;
pub use ledger::{Handle, Placement, Reservation, State};
pub use offer::{ElasticRequest, Offer, OfferOrder, OfferTerms, Offered, Search, Take};
pub use pe::{Pe, PeCount};
pub use policy::Policy;
#[cfg(feature = "price")]
pub use price::Factor;
pub use price::{Money, Tariff};
pub use queue::{BestEffortJob, Discipline, JobQueue, Queue, Ticket};
pub use request::Request;
pub use storage::{CountBook, PeBook, SizeError};
pub use time::{Slot, SlotClock, Span, Window};
pub use transaction::{
    Alteration, Conflict, CountUndo, Move, Part, PeUndo, Savepoint, Series, Transaction,
};
pub use violation::Violation;

/// The examples of the page, compiled and run with the others.
#[cfg(doctest)]
#[doc = include_str!("../../ARCHITECTURE.md")]
struct Architecture;
