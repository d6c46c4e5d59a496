//! The counter that the timer interrupt drives.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// How many ticks before its wrap the counter begins, so that every run meets what a device would meet after weeks.
const BEFORE_WRAP: u32 = 100;

/// What the counter says at slot 0.
pub const FIRST: u32 = 0_u32.wrapping_sub(BEFORE_WRAP);

static COUNTER: AtomicU32 = AtomicU32::new(FIRST);

/// Counts a tick; called by the interrupt and by nobody else.
pub fn count() {
    // There is one writer, so load and store will do where a core has no atomic addition (thumbv6m).
    COUNTER.store(COUNTER.load(Relaxed).wrapping_add(1), Relaxed);
}

/// What the counter says now.
pub fn reading() -> u32 {
    COUNTER.load(Relaxed)
}

/// Whether a clock that says `total` at `reading` has counted every tick, once the counter has wrapped.
pub fn agrees(total: u64, reading: u32) -> bool {
    total == u64::from(reading) + u64::from(BEFORE_WRAP)
}
