//! Books that survive: as a snapshot, and as records of what has changed since.
//!
//! A record holds effects and not commands: which rows are what now, and which are vacant. So whoever applies it decides nothing, and versions of the
//! kernel that would decide otherwise agree on what was decided. The book itself notes which rows have changed, in memory that the caller lends: it
//! cannot be full, and what a record takes is known before it is written.

mod memory;
mod record;
mod rows;
mod snapshot;

pub use memory::{Journal, journal_bytes};
pub use record::record_bytes;
