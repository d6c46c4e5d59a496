//! The counter that the timer interrupt drives.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Begins 100 ticks before it wraps, so that every run shows what a device would meet after weeks.
static COUNTER: AtomicU32 = AtomicU32::new(u32::MAX - 99);

/// Counts a tick; called by the interrupt and by nobody else.
pub fn count() {
    // There is one writer, so load and store will do where a core has no atomic addition (thumbv6m).
    COUNTER.store(COUNTER.load(Relaxed).wrapping_add(1), Relaxed);
}

/// What the counter says now.
pub fn reading() -> u32 {
    COUNTER.load(Relaxed)
}
