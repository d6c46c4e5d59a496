//! Sulistio, Kim, Buyya, "On incorporating an on-line strip packing algorithm into elastic grid reservation-based systems" (2007).

pub mod example;
pub mod growth;
pub mod literal;
pub mod uncounted;

/// Seconds per slot (δ).
pub const SLOT: u64 = 300;
/// Slots of the data structure (M): 30 days.
pub const SLOTS: u32 = 8_640;
