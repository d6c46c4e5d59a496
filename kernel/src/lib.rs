#![doc = "Advance-reservation scheduling kernel."]
#![no_std]
#![forbid(unsafe_code)]

mod error;

mod pe;
mod policy;
mod request;
mod time;

pub use error::{Error, Misuse, Refusal};
pub use pe::{Pe, PeCount};
pub use policy::Policy;
pub use request::Request;
pub use time::{Slot, SlotClock, Span, Window};
