//! Advance reservations for parallel jobs: *can this job have `n` processing elements for `d` slots between ready and deadline - when, which ones, at what
//! price, and what else could it have instead?*
//!
//! A [`Book`] answers these questions and keeps every promise it has made. It needs no allocator, no clock and no threads, and it contains no floating
//! point (the feature `risk` computes one function with it, in software): a decision that a simulation takes is bit for bit the decision that firmware
//! or a resource manager takes. No call panics, every loop is bounded, and the memory of a book is fixed when it is made.
//!
//! # A first reservation
//!
//! ```
//! use bookahead::{Commitment, PeCount, Policy, Request, Slot, Span, count_book};
//!
//! // Eight processing elements, a horizon of 256 slots, at most 32 reservations at a time.
//! type Machine = count_book!(slots = 256, pes = 8, reservations = 32);
//! let mut memory = Machine::new(PeCount::new(8), Span::new(256))?;
//! let mut book = memory.view();
//!
//! // Six processing elements for ten slots, at any time from slot 5 to slot 30.
//! let request = Request {
//!     ready: Slot::new(5),
//!     duration: Span::new(10),
//!     deadline: Slot::new(30),
//!     pes: PeCount::new(6),
//! };
//! let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
//! assert_eq!(booking.start, Slot::new(5));
//!
//! // Time passes when the caller says so, slot by slot, the present one first. Each event is returned once.
//! # let mut seen = Vec::new();
//! for slot in book.now().get()..=20 {
//!     while let Some(event) = book.next(Slot::new(slot))? {
//!         println!("slot {}: {:?}", event.at.get(), event.kind); // slot 5: Started, slot 15: EndReached
//!         # seen.push((event.at.get(), event.kind));
//!     }
//! }
//! # assert_eq!(seen, [(5, bookahead::EventKind::Started), (15, bookahead::EventKind::EndReached)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Which book to start with
//!
//! | | [`CountBook`] (late binding) | [`PeBook`] (early binding) |
//! |---|---|---|
//! | a reservation is promised | a number of processing elements | certain processing elements |
//! | they are assigned | when the job starts | when the reservation is made |
//! | memory for each slot | 6.3 bytes | about 8 bytes for every 32 processing elements, begun ones too, and 6.3 bytes |
//! | search | fastest | some ten times slower on 1,024 processing elements |
//!
//! Start with [`CountBook`]: it refuses least and costs least. Take [`PeBook`] when users have to know in advance which nodes, instruments or
//! channels they will get. Both have the same calls. Memory of sizes known at run time is in the package `bookahead-heap`.
//!
//! # The life of a reservation
//!
//! ```text
//!         reserve, held            confirm                 its start
//!  request ----------> Held ---------------> Confirmed ---------------> Running
//!     |                  |                    ^     |                     |
//!     |     reserve      | not confirmed      |     | jumped over         | end announced by `complete`: Completed
//!     +------------------|--------------------+     v                     | booked end:                 EndReached
//!                        v                        Missed                  v
//!                     Expired                                           (over)
//! ```
//!
//! `cancel` ends a reservation in any of these states. [`Book::next`] and [`Book::advance`] move time on and return what happened as [`Event`]s. Move
//! time slot by slot: a jump past the whole booked run of a confirmed reservation reports it as `Missed` instead of starting it. Whatever is booked
//! for the present slot starts in the next call, so begin with the present slot, or call `next` for it once more after booking. When a
//! reservation is over, its [`Handle`] is stale: it is never given to another reservation of the same book.
//!
//! # Calls by purpose
//!
//! | purpose | calls |
//! |---|---|
//! | reserve, confirmed, held or flexible ([`Commitment`]) | [`reserve`](Book::reserve), or [`plan`](Book::plan) and [`commit`](Book::commit) |
//! | make a held reservation firm | [`confirm`](Book::confirm) |
//! | reserve in one of several forms | [`plan_mouldable`](Book::plan_mouldable) and [`commit`](Book::commit), [`MalleableJob::forms`] |
//! | end early | [`cancel`](Book::cancel), [`complete`](Book::complete) |
//! | let time pass | [`next`](Book::next), [`advance`](Book::advance) |
//! | ask for alternatives and prices | [`offers`](Book::offers), [`accept`](Book::accept), [`explain`](Book::explain), [`Tariff`]; prices that follow demand: [`price_by_demand`](Book::price_by_demand), [`Sale`] |
//! | change what was accepted | [`alter`](Book::alter), [`split`](Book::split), [`transaction`](Book::transaction) |
//! | let reservations give way to others | [`juggle`](Book::juggle), [`replan`](Book::replan), [`alternatives`](Book::alternatives), [`freeze`](Book::freeze) |
//! | reserve several at once | [`reserve_series`](Book::reserve_series), [`reserve_together`](Book::reserve_together) |
//! | reserve in several books at once: nodes, licences, bandwidth | [`Several`] |
//! | limit what a user or a project may have | `Quota`, one of the books of a [`Several`] (feature `quota`) |
//! | accept a newcomer by shifting others | [`shift_in`](Book::shift_in) |
//! | accept on top of what will probably end early | `plan_overlay` and `commit_overlay`, in an `OverlayBook` (feature `risk`) |
//! | run best-effort jobs in the gaps | [`Queue`], with the memory [`JobQueue`] |
//! | let flexible reservations start earlier where room has appeared | `pull_forward`, and `advance_pulling` of a [`Queue`] (feature `plan`) |
//! | let running best-effort jobs make room for a reservation | `make_preemptible`, and `reserve_preempting` of a [`Queue`] (feature `plan`) |
//! | let a refused request wait for room until its latest start | `wait` of a [`Queue`], with a `WaitingList` beside it (feature `plan`) |
//! | reserve such processing elements: of some groups, so many of each kind, in one block | `class_add`, in a `PlacedBook`, and the id of the class with the request, or with the job for a queue ([`Ask`], feature `placement`) |
//! | let a job go on that takes longer | `extension` (feature `outages` or `plan`), and `extend_by_force` in a transaction (feature `outages`) |
//! | leave out processing elements again and again: office hours, weekly maintenance; a machine that shrinks or grows | `with_rules`, and `set_rule` and `resize` in a transaction (feature `outages`) |
//! | start a job until further notice, which needs no end and no long horizon | `reserve_open`, then `announce_end`, `complete` or `cancel` (feature `outages`) |
//! | take processing elements out of service for a while: a failure, maintenance | `take_out` in a transaction of a `CountBook` (a number, in a failure certain ones), or with the feature `placement` of a `PlacedBook` (feature `outages`) |
//! | write a book as bytes, and make it again from them after a restart | `write_snapshot`, `read_snapshot`, `state_hash` of a book and of its queue (feature `journal`) |
//! | write what each call changes, and have another book follow | `keep_journal`, `write_record`, `apply_record` (feature `journal`); the crate `bookahead-store` keeps them on a disk |
//! | turn seconds into slots | [`SlotClock`] |
//!
//! # Errors
//!
//! Every call that cannot do what it was asked returns an [`Error`] and leaves the book bit for bit as it was. A [`Refusal`] is an answer: the request
//! was understood and cannot be met now. A [`UsageError`] is a defect of the calling program. A [`Violation`] is reported by
//! [`Book::check_invariants`] alone, and means that memory was damaged. Codes and names of all three are permanent.
//!
//! # Memory and cost
//!
//! `BYTES` of a book's type is its size; [`raw::count_book_bytes`] and [`raw::pe_book_bytes`] are the formulas. 256 slots, 32 processing elements and 32
//! reservations take 4,112 bytes with late and 6,296 bytes with early binding, on hosts 16 more. The documentation of each call states its cost in the capacities. First
//! fit looks at each slot of the window at most once; the other policies compare all candidate starts and cost more on long windows. Measured flash,
//! stack and worst-case instructions on a Cortex-M4 are in `docs/cost.md` of the repository.
//!
//! # Cargo features
//!
//! | feature | default | |
//! |---|---|---|
//! | `price` | yes | `Tariff::new` from a base rate and a fractional factor, `Discount::new`; brings the dependency `fixed` |
//! | `journal` | no | a book as bytes, see `Book::write_snapshot`, and records of what changes in it, see `Book::keep_journal` |
//! | `outages` | no | jobs that take longer than booked, see `Transaction::extend_by_force`; rules by which something is not there again and again, see `Book::with_rules`; jobs without a known end, see `Book::reserve_open`; processing elements that leave and come back, see `Transaction::take_out`; and whose promise is broken by it |
//! | `plan` | no | requests that wait for room until their latest start, see `Queue::wait`; flexible reservations that start earlier where something has ended, see `Queue::advance_pulling`; queued jobs with planned starts, see `PlannedQueue`, and when they are likely to start, see `StartBands`; best-effort jobs that are preempted, see `Queue::reserve_preempting` |
//! | `quota` | no | how much users and projects may have at once and in each period, decided together with the machine, see `Quota` |
//! | `placement` | no | machines with groups, kinds and blocks, and reservations that say which processing elements they may have, see `PlacedBook` |
//! | `risk` | no | reservations on top of others, see `OverlayBook`, and how probable it is that they are kept, see `Overlap`; brings the dependencies `fixed` and `libm` |
//! | `defmt` | no | formatting of the value types for embedded logs |
//! | `serde` | no | serialisation of the value types |
//! | `self-check` | no | checks the whole book after each changing call where debug assertions are on; for tests and fuzzing |
//!
//! # Minimum supported Rust version
//!
//! 1.88.
//!
//! # Papers
//!
//! Sources are cited by short names: `li` is Li, Pei, Wu, Shen, "Resource availability-aware advance reservation for parallel jobs with
//! deadlines" (2014); `sulistio` is Sulistio, Kim, Buyya, "On incorporating an on-line strip packing algorithm into elastic
//! grid reservation-based systems" (2007); `netto` is Netto, Bubendorfer, Buyya, "SLA-based advance reservations with flexible and adaptive
//! time QoS parameters" (2007); `pujiyanta` is Pujiyanta, Nugroho, Widyawan, "Job scheduling strategies in grid computing" (2022); `xiao` is Xiao,
//! Qu, Qu, "An adaptive redundant reservation strategy in distributed high-performance computing environments".
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

/// What tests of the crate share with the twin says `bookahead`, and `std`.
#[cfg(all(test, feature = "placement"))]
extern crate self as bookahead;
#[cfg(all(test, feature = "placement"))]
extern crate std;

mod best_effort;
mod book;
#[cfg(feature = "journal")]
mod bytes;
mod column;
mod error;
mod event;
mod fit;
#[doc(hidden)]
pub mod fixture;
mod flexibility;
mod handle;
#[cfg(feature = "journal")]
mod journal;
mod juggle;
mod ledger;
mod mould;
mod named;
mod offer;
#[cfg(feature = "risk")]
mod overlay;
mod pe;
#[cfg(feature = "placement")]
mod placement;
mod policy;
mod price;
mod queue;
pub mod raw;
mod request;
mod ring;
#[cfg(feature = "risk")]
mod risk;
#[cfg(feature = "outages")]
mod rule;
mod several;
mod shift;
mod storage;
mod ticket;
mod time;
mod transaction;
mod version;
mod violation;

pub use best_effort::BestEffortJob;
#[cfg(feature = "plan")]
pub use best_effort::Preemption;
pub use book::{
    Advanced, Ask, Book, Booking, Commitment, Conflict, Explanation, MouldedPlan, Obstacle, Plan,
    Rectangle,
};
#[cfg(feature = "journal")]
pub use bytes::SnapshotError;
pub use error::{Error, Refusal, UsageError};
pub use event::{Event, EventKind};
pub use flexibility::{Flexibility, Freeze};
pub use handle::Handle;
/// Bounded lists, for events and other answers: what examples write as `heapless::Vec` is `bookahead::heapless::Vec` where a program has no such dependency of its own.
pub use heapless;
#[cfg(feature = "journal")]
pub use journal::Journal;
pub use juggle::{
    Admission, AfterFailure, Alternative, Behind, Juggling, Order, Sides, Suggested, Suggesting,
};
pub use ledger::{Placement, Reservation, State};
pub use mould::{Form, FormChoice, MalleableJob, MouldableRequest};
pub use offer::{ElasticRequest, Offer, OfferOrder, OfferTerms, Offered, Search, Take};
#[cfg(feature = "risk")]
pub use overlay::{OverlayPlan, OverlayView, Overlaying};
pub use pe::{Pe, PeCount};
#[cfg(feature = "placement")]
pub use placement::{
    Class, ClassError, ClassId, Eligible, Failing, Fewer, KINDS, LEVELS, Layout, LayoutError,
    Preference, Shape, Within,
};
pub use policy::Policy;
pub use price::{DemandStep, Discount, Money, PriceTerms, RefundStep, Sale, Tariff};
#[cfg(feature = "price")]
pub use price::{Factor, Share};
pub use queue::{Discipline, JobQueue, Queue};
#[cfg(feature = "plan")]
pub use queue::{JobSchedule, PlannedQueue, Schedule, StartBand, StartBands, Waiting, WaitingList};
pub use request::Request;
#[cfg(feature = "risk")]
pub use risk::{
    Application, Exponential, Guarantee, History, LengthRange, Load, Overlap, Probability, Replica,
    Run, RunTimeLaw, Site, SiteError, SitePart, Stage, Stakes, Steering, Subtask, Threshold,
    kept_by_any, replicas_needed, select_replicas,
};
#[cfg(feature = "outages")]
pub use rule::{Absent, Meeting, Rule};
pub use several::{
    BookPart, Joined, JointBooking, JointError, JointRequest, Need, Resource, Several, Tie,
};
#[cfg(feature = "quota")]
pub use several::{Period, Quota};
pub use shift::{Direction, Insertion, Shifting};
#[cfg(feature = "risk")]
pub use storage::OverlayBook;
#[cfg(feature = "outages")]
pub use storage::Rules;
pub use storage::{CountBook, CountView, PeBook, PeView, SizeError, UnitBook, UnitView};
#[cfg(feature = "placement")]
pub use storage::{PlacedBook, PlacedError, PlacedView};
pub use ticket::Ticket;
pub use time::{Slot, SlotClock, Span, Window};
pub use transaction::{
    Alteration, CountWorkspace, Move, Part, PeWorkspace, Savepoint, Series, Transaction,
    UnitWorkspace,
};
#[cfg(feature = "outages")]
pub use transaction::{Broken, Outage};
pub use version::Version;
pub use violation::Violation;

/// The examples of the pages, compiled and run with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
#[cfg(doctest)]
#[doc = include_str!("../../ARCHITECTURE.md")]
struct Architecture;
