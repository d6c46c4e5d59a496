//! What is measured in each run.

use crate::engine::{Outcome, System, metrics::Metrics};

/// One run with what it came from.
pub(super) struct Run<'a> {
    /// The system it ran on.
    pub(super) system: &'a System,
    /// What became of each demand.
    pub(super) outcomes: &'a [Outcome],
    /// Its general figures.
    pub(super) metrics: &'a Metrics,
}

/// A figure of a run.
#[derive(Clone, Copy)]
pub(super) struct Measure {
    /// What it is called.
    pub(super) name: &'static str,
    /// Takes it from a run; not a number where the run has no such figure.
    pub(super) of: fn(&Run) -> f64,
}

impl Measure {
    /// A name, and what takes the figure from a run.
    pub(super) const fn new(name: &'static str, of: fn(&Run) -> f64) -> Self {
        Self { name, of }
    }
}
