//! Workloads: where jobs come from, and how they become reservation requests.
//!
//! ```text
//!                    batsim
//!                      |
//!  lublin   poisson   swf -> from_swf        requests_csv
//!      \       |       /                          |
//!       +--- Job -----+                           |
//!              |                                  |
//!           reserve  -- Demand -----------> JobRequest
//! ```
//!
//! Models are endless iterators of [`Job`]; take as many as the experiment needs. Everything random comes from [`rng::stream`],
//! so a workload depends on its parameters, seed and replication only, never on threads.

pub mod batsim;
pub mod failures;
pub mod from_swf;
pub mod gpu;
pub mod keys_csv;
pub mod lublin;
pub mod needs;
mod numbers;
pub mod outages_csv;
pub mod place;
pub mod poisson;
pub mod requests_csv;
pub mod reserve;
pub mod rng;
pub mod swf;

/// One job of a model or a log, before anything is said about when it may start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Job {
    /// Number of the job in its workload.
    pub id: u64,
    /// When it is submitted (s). Kept with its fraction so that scaling the clock does not lose half a second per job;
    /// whole seconds are made when a request or a record is written.
    pub submit: f64,
    /// How long it really runs (s), at most `duration` unless jobs may take longer than they book.
    pub run: u64,
    /// How long it asks to run (s).
    pub duration: u64,
    /// Processing elements.
    pub pes: u64,
    /// Queue of the log; of a two-type model 0 is interactive and 1 batch.
    pub queue: Option<u64>,
    /// Number of the user whose job it is, where the workload knows users.
    pub user: Option<u64>,
    /// Number of the partition of the machine, where a log says one.
    pub partition: Option<u64>,
}
