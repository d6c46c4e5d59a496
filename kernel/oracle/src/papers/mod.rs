//! What papers print, written once: their worked examples, their algorithms line by line, their definitions.
//!
//! Tests hold twin and kernel against it, benches measure beside it, and reproductions count and compare with it.

pub mod li;
pub mod netto;
pub mod pujiyanta;
pub mod sulistio;
pub mod xiao;

use bookahead::{PeCount, Request, Slot, Span};

/// A request for this place and no other.
const fn exactly(start: u64, end: u64, pes: u16) -> Request {
    Request {
        ready: Slot::new(start),
        duration: Span::new((end - start) as u32),
        deadline: Slot::new(end),
        pes: PeCount::new(pes as u32),
    }
}
