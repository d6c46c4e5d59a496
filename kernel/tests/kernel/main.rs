//! The kernel as its callers see it. One program, since what books need is compiled once for each program.

#[cfg(feature = "risk")]
mod across;
mod checker;
mod clock;
mod juggling;
mod memory;
#[cfg(all(feature = "outages", feature = "placement"))]
mod outage_work;
#[cfg(feature = "risk")]
mod overlay;
mod queue;
mod rings;
#[cfg(feature = "risk")]
mod risk;
#[cfg(feature = "serde")]
mod serialised;
#[cfg(all(feature = "outages", feature = "placement"))]
mod several;
