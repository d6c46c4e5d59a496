//! The C interface of `bookahead`. C callers read `include/bookahead.h`, which is generated from this crate.
//!
//! A book lies in one piece of memory of the caller's, without pointers inside, so it may be copied and mapped, for libraries of the same
//! [`BOOKAHEAD_ABI_VERSION`] on machines of the same byte order and of as many bits. Every function answers a number, 0 or the permanent code of what is wrong,
//! and gives results through pointers. A call that answers an error has changed nothing, scratch memory aside.
//!
//! ```
//! use bookahead_capi::*;
//!
//! let mut memory = vec![0_u64; unsafe { bookahead_bytes(2, 8, 128, 16) } / 8];
//! let mut book = std::ptr::null_mut();
//! let code = unsafe { bookahead_init(memory.as_mut_ptr().cast(), memory.len() * 8, 2, 8, 128, 16, &mut book) };
//! assert_eq!(code, Code::Ok as u32);
//!
//! let request = Request { ready: 5, deadline: 40, duration: 10, pes: 6 };
//! let mut booking = Booking { handle: Handle { bits: 0 }, start: 0 };
//! let code = unsafe { bookahead_reserve(book, &request, Policy::PeWorstFit as u32, std::ptr::null(), &mut booking) };
//! assert_eq!((code, booking.start), (Code::Ok as u32, 5));
//! ```
//!
//! # What the caller guarantees
//!
//! - A pointer is null, which is noticed, or points to memory of the size that the function says, to be read or, unless `const`, to be written.
//! - A `bookahead_book` pointer comes from `bookahead_init` or `bookahead_open`, and nothing but this library has written to the book's memory
//!   since, other than a copy of all of it. The same holds for a `bookahead_queue`, which serves one book.
//! - One call at a time for each book and its queue, those that only look included; different books are independent. There is no global state.
//! - Pointers of one call do not overlap, nor lie in the memory of the book or the queue.
//!
//! Everything else is checked: null and misaligned pointers, lengths, sizes, policies, handles and memory that holds no book or queue.
#![no_std]
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]
// What the kernel denies itself, as nothing here may panic either.
#![deny(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::float_arithmetic
)]
#![allow(
    clippy::missing_safety_doc,
    reason = "what the caller guarantees is the same for all functions and stands above"
)]

// Apart from each other, so that they stay in the order that the header has.
mod memory;

mod commitment;

mod reserve;

mod mould;

mod time;

mod workspace;

mod alter;

mod several;

mod joined;

mod joint;

#[cfg(feature = "quota")]
mod quota;

mod transaction;

mod juggle;

mod shift;

#[cfg(feature = "outages")]
mod open_ended;
#[cfg(feature = "outages")]
mod outage;
#[cfg(feature = "outages")]
mod rule;

#[cfg(feature = "risk")]
mod overlay;

#[cfg(feature = "placement")]
mod placed;

#[cfg(feature = "journal")]
mod journal;

#[cfg(feature = "plan")]
mod bands;
#[cfg(feature = "plan")]
mod planned;
#[cfg(feature = "plan")]
mod preempting;
#[cfg(feature = "plan")]
mod pulling;
#[cfg(feature = "plan")]
mod waiting;

mod query;

mod explain;

mod offers;

mod queue_memory;

mod queue;

mod tariff;

mod clock;

mod name;

mod arrays;
mod code;
mod kind;
mod pointer;
#[cfg(feature = "outages")]
mod ruled;
mod types;
mod with;

pub use alter::*;
#[cfg(feature = "plan")]
pub use bands::*;
pub use clock::*;
pub use code::Code;
pub use commitment::*;
pub use explain::*;
pub use joined::*;
pub use joint::*;
#[cfg(feature = "journal")]
pub use journal::*;
pub use juggle::*;
pub use memory::*;
pub use mould::*;
pub use name::*;
pub use offers::*;
#[cfg(feature = "outages")]
pub use open_ended::*;
#[cfg(feature = "outages")]
pub use outage::*;
#[cfg(feature = "risk")]
pub use overlay::*;
#[cfg(feature = "placement")]
pub use placed::*;
#[cfg(feature = "plan")]
pub use planned::*;
#[cfg(feature = "plan")]
pub use preempting::*;
#[cfg(feature = "plan")]
pub use pulling::*;
pub use query::*;
pub use queue::*;
pub use queue_memory::*;
#[cfg(feature = "quota")]
pub use quota::*;
pub use reserve::*;
#[cfg(feature = "outages")]
pub use rule::*;
pub use several::*;
pub use shift::*;
pub use tariff::*;
pub use time::*;
pub use transaction::*;
pub use types::*;
#[cfg(feature = "plan")]
pub use waiting::*;
pub use workspace::*;

/// The version of this interface: it changes when a program compiled with an older header must not run with the library, or when the
/// bytes of a book or a queue no longer mean the same.
pub const BOOKAHEAD_ABI_VERSION: u32 = 7;

/// The `BOOKAHEAD_ABI_VERSION` that the library was compiled with; compare it with the header's before the first call.
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_abi_version() -> u32 {
    BOOKAHEAD_ABI_VERSION
}

/// Never part of a library: if a path led to it, the library would need a function that nobody has.
#[cfg(feature = "panic-handler")]
#[panic_handler]
fn panic(_info: &core::panic::PanicInfo<'_>) -> ! {
    unsafe extern "C" {
        fn a_bookahead_function_can_panic() -> !;
    }
    // SAFETY: never reached, since a library with a path to it is refused by the linker.
    unsafe { a_bookahead_function_can_panic() }
}

/// An access whose bounds nobody has checked.
#[cfg(feature = "planted")]
#[allow(clippy::indexing_slicing, reason = "that is the point")]
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_planted(index: usize) -> u8 {
    [1, 2, 3][index]
}
