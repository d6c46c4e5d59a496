//! What the kernel is measured against, and the workload it is measured on.
//!
//! [`PaperList`] is the paper's own structure, taken literally; [`Floor`] is what it costs merely to read the masks of a window
//! once. The program `ratios` measures the kernel beside both in one interleaved run.

mod bits;
mod floor;
mod paper;
mod workload;

pub use bits::Bits;
pub use floor::Floor;
pub use paper::{Allocation, PaperList};
pub use workload::{MACHINE, Workload};
