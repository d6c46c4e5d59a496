//! Books and queues of [`bookahead`] in boxed memory, with sizes known at run time.
//!
//! The kernel works in memory that its caller owns. The kernel's own memory types are sized at compile time, for a `static` in firmware.
//! Those of this crate are for programs that read the size of the machine from a configuration, such as the plugin of a resource manager.
//! A book never grows. Sizes are checked before anything is allocated, and a failed allocation is a [`SizeError`], not an abort. (A
//! system that grants more memory than it has, as Linux does by default, may still end the process when the book is initialised: keep the limit of
//! [`BoxedBook::new_within`] below what the machine has.)
//!
//! A booking desk whose sizes and binding come from a configuration, in a package beside the folder of the repository:
//!
//! ```sh
//! cargo new configured-desk
//! cd configured-desk
//! cargo add --path ../bookahead/kernel
//! cargo add --path ../bookahead/kernel/heap
//! ```
//!
//! ```rust
//! use bookahead::{Booking, Commitment, Error, Event, PeCount, Policy, Request, Slot, Span};
//! use bookahead_heap::{Binding, BoxedBook, SizeError, Sizes};
//!
//! /// What an operator may set.
//! struct Configuration {
//!     pes: u32,
//!     slots: u32,
//!     reservations: usize,
//!     binding: Binding,
//!     /// Bytes.
//!     most_memory: usize,
//! }
//!
//! impl Configuration {
//!     /// Reads lines `NAME = VALUE`.
//!     fn read(text: &str) -> Option<Self> {
//!         let value = |name| {
//!             let mut pairs = text.lines().filter_map(|line| line.split_once(" = "));
//!             pairs.find(|pair| pair.0 == name).map(|pair| pair.1)
//!         };
//!         Some(Self {
//!             pes: value("pes")?.parse().ok()?,
//!             slots: value("slots")?.parse().ok()?,
//!             reservations: value("reservations")?.parse().ok()?,
//!             binding: Binding::from_name(value("binding")?)?,
//!             most_memory: value("most-memory")?.parse().ok()?,
//!         })
//!     }
//! }
//!
//! struct Desk {
//!     book: BoxedBook,
//! }
//!
//! impl Desk {
//!     fn open(configuration: &Configuration) -> Result<Self, SizeError> {
//!         let Configuration { pes, slots, reservations, binding, most_memory } = *configuration;
//!         let book = BoxedBook::new_within(most_memory, binding, Sizes { pes, slots, reservations })?;
//!         Ok(Self { book })
//!     }
//!
//!     /// Lets time pass until `now`, and reserves.
//!     fn reserve(&mut self, now: Slot, request: &Request) -> Result<Booking, Error> {
//!         // Slot by slot, as a jump over the whole booked run of a job would miss it; and first the present slot, in which what was reserved last may start.
//!         for slot in self.book.now().get()..=now.get() {
//!             while let Some(event) = self.book.next(Slot::new(slot))? {
//!                 act_on(&event);
//!             }
//!         }
//!         self.book.reserve(request, Policy::PeWorstFit, Commitment::Confirmed)
//!     }
//! }
//!
//! /// Starts and stops jobs.
//! fn act_on(event: &Event) {
//!     println!("slot {}: {}", event.at.get(), event.kind.name());
//! }
//!
//! fn main() -> Result<(), SizeError> {
//!     let text = "pes = 640\nslots = 1440\nreservations = 5000\nbinding = early\nmost-memory = 8000000\n";
//!     let configuration = Configuration::read(text).unwrap();
//!     let mut desk = Desk::open(&configuration)?;
//!     let request = Request {
//!         ready: Slot::new(60),
//!         duration: Span::new(90),
//!         deadline: Slot::new(480),
//!         pes: PeCount::new(500),
//!     };
//!     assert_eq!(desk.reserve(Slot::new(3), &request).unwrap().start, Slot::new(60));
//!     assert_eq!(desk.reserve(Slot::new(4), &request).unwrap().start, Slot::new(150));
//!
//!     // A configuration that cannot be had is refused in words that an operator understands.
//!     let error = Desk::open(&Configuration { slots: 1 << 30, ..configuration }).err().unwrap();
//!     assert!(error.to_string().ends_with("bytes of memory are needed, allowed are 8000000"));
//!     Ok(())
//! }
//! ```
//!
//! Where the binding is known, [`BoxedCountBook`] and [`BoxedPeBook`] give a [`Book`](bookahead::Book) itself. The documentation of [`BoxedJobQueue`] has an example with a queue of best-effort jobs.
//!
//! A [`MetaScheduler`] owns many books, and places each request in the best of them.
#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;

mod arrays;
#[cfg(feature = "journal")]
mod beside;
mod boxed_book;
mod count_book;
mod error;
mod job_queue;
mod journal;
#[cfg(feature = "journal")]
mod labels;
mod meta_scheduler;
#[cfg(feature = "journal")]
mod outbox;
#[cfg(feature = "risk")]
mod overlay_book;
mod pe_book;
#[cfg(feature = "placement")]
mod placed_book;
#[cfg(feature = "outages")]
mod rules;
#[cfg(feature = "journal")]
mod together;
mod workspace;

pub use arrays::Sizes;
#[cfg(all(feature = "journal", feature = "quota"))]
pub use beside::BoxedPeriods;
#[cfg(feature = "journal")]
pub use beside::{BoxedBeside, BoxedTies};
pub use boxed_book::{Binding, BoxedBook};
pub use count_book::{BoxedCountBook, BoxedCounts, BoxedUnitBook};
pub use error::SizeError;
pub use job_queue::BoxedJobQueue;
#[cfg(feature = "journal")]
pub use journal::{LeadsQueue, Survives};
#[cfg(feature = "journal")]
pub use labels::Labels;
pub use meta_scheduler::{Choice, MetaScheduler};
#[cfg(feature = "journal")]
pub use outbox::{News, Outbox};
#[cfg(feature = "risk")]
pub use overlay_book::BoxedOverlayBook;
pub use pe_book::{BoxedPeBook, HostColumn};
#[cfg(feature = "placement")]
pub use placed_book::{BoxedPlacedBook, PlacedSizeError, PlacedSizes};
#[cfg(feature = "outages")]
pub use rules::{BoxedRuledBook, BoxedRules};
#[cfg(feature = "journal")]
pub use together::Queued;
pub use workspace::BoxedWorkspace;
