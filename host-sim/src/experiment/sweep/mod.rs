//! Grids of runs: every combination of some options, replicated, with means and confidence intervals.
//!
//! ```text
//!   plan.toml --plan--> points x replications --store--> runs.bin --tables--> samples.csv, summary.csv --report--> report.html
//! ```
//!
//! Replication k has the same seed at every point (common random numbers): the seed of the plan + k - 1. What is finished is kept in
//! one file with a checksum over each run, so that a sweep can be cut short at any time and goes on where it was. Points can be shared out
//! among machines as shards, which are merged afterwards.

mod check;
mod differences;
mod grid;
mod merge;
mod plan;
mod run;
mod runs;
mod tables;

use std::path::Path;

use serde_json::Value as Json;

use crate::{error::Result, output::Timing};

pub(crate) use check::{check, missing};
pub(crate) use grid::Shard;
pub(crate) use merge::merge;
pub(crate) use plan::{Plan, Value};
pub(crate) use run::{Destination, Sweep};
pub(crate) use runs::Sampled;

/// A plan in a result folder.
pub(crate) const PLAN: &str = "plan.toml";

/// Every sample of every measure.
pub(crate) const SAMPLES: &str = "samples.csv";

/// How fast the runs went that were made last; the one file that equal sweeps do not have in common.
const TIMING: &str = "timing.csv";

/// Means and confidence intervals.
pub(crate) const SUMMARY: &str = "summary.csv";

/// What a plan is about: a program that runs with options.
pub(crate) trait Program: Sync {
    /// Options of one point that go together.
    type Options: Send + Sync;

    /// The names of all long options.
    fn names(&self) -> Vec<String>;

    /// What an option takes; nothing where there is no such option.
    fn kind(&self, name: &str) -> Option<Kind>;

    /// What is wrong with a value of an option by itself.
    fn check(&self, name: &str, value: &Value) -> std::result::Result<(), String>;

    /// The options of a point, if they go together. Paths are relative to `folder`.
    ///
    /// # Errors
    /// What is wrong, with the names of the options concerned.
    fn options(&self, given: &[(String, Value)], folder: &Path) -> Result<Self::Options>;

    /// What to say of options that have no effect on such a run, with their names.
    fn idle(&self, _options: &Self::Options) -> Vec<String> {
        Vec::new()
    }

    /// The files that such a run reads: their content belongs to the experiment.
    fn inputs<'o>(&'o self, options: &'o Self::Options) -> Vec<&'o Path>;

    /// How many such runs fit into memory at a time.
    fn at_a_time(&self, options: &Self::Options) -> usize;

    /// How many bytes the book of such a run takes.
    fn bytes(&self, options: &Self::Options) -> u64;

    /// What metrics.json of such a run says when there is nothing to do: its keys.
    ///
    /// # Errors
    /// For a defect of this program.
    fn outline(&self, options: &Self::Options) -> Result<Json>;

    /// Whether a measure counts refusals that such a run may have: what does not occur has no key.
    fn counts(&self, options: &Self::Options, measure: &str) -> bool;

    /// What metrics.json says of a run, and how fast it went.
    ///
    /// # Errors
    /// When the run cannot be made.
    fn run(&self, options: &Self::Options, sampled: &Sampled<'_>) -> Result<(Json, Timing)>;
}

/// What an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// Whether it may stand without a value.
    pub(crate) is_flag: bool,
    /// Whether it takes a value.
    pub(crate) takes_value: bool,
    /// Whether that may be a list separated by commas.
    pub(crate) is_list: bool,
}
