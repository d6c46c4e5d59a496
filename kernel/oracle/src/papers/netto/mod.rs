//! Netto, Bubendorfer, Buyya, "SLA-based advance reservations with flexible and adaptive time QoS parameters" (2007).
//!
//! [`literal`] has algorithms 1 and 2 line by line, on an ordered map of what is busy; tests hold the kernel against it, and benches
//! measure beside it.

pub mod literal;
