//! What the kernel is measured against, and the workload it is measured on.
//!
//! [`PaperList`](bookahead_oracle::papers::li::list::PaperList) is the paper's own structure, taken literally; [`Floor`] is what it costs merely to read the masks of a window
//! once. The program `ratios` measures the kernel beside both in one interleaved run.

pub mod backlog;
mod crowd;
pub mod cycles;
pub mod elastic;
pub mod fleet;
mod floor;
pub mod foreign;
pub mod growth;
pub mod juggling;
pub mod kernel;
mod measure;
pub mod outages;
pub mod placed;
pub mod records;
pub mod rules;
mod scene;
pub mod several;
pub mod shifting;
pub mod stand;
mod structure;
pub mod timelines;
pub mod waits;
mod whole;
mod workload;
pub mod worst;

pub use crowd::Mix;
pub use floor::{Floor, Mask};
pub use measure::{Mean, Stopwatch};
pub use scene::{Booking, Scene, Step};
pub use structure::{Early, Late, Paper, Structure};
pub use whole::{MOVES, Whole};
pub use workload::{MACHINE, Scale, Workload};
