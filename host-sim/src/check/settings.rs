//! What metrics.json says about the machine, how requests are decided, and what jobs cost.

use serde::Deserialize;

use crate::engine::{Elastic, Strategy, User};

/// The settings of a run.
#[derive(Deserialize)]
pub(super) struct Settings {
    pub(super) pes: u64,
    pub(super) slot_seconds: u64,
    policy: String,
    /// Of an elastic strategy.
    user: Option<String>,
    /// The discipline of the queue, where there is one.
    pub(super) best_effort: Option<String>,
    pub(super) price_per_pe_minute: Option<f64>,
    pub(super) price_per_reserved_pe_slot: Option<f64>,
}

impl Settings {
    /// Whether requests start at their ready times or not at all.
    pub(super) fn is_rigid(&self) -> bool {
        self.policy == Strategy::Rigid.name()
    }

    /// Whether a request may be granted less than it asks for.
    pub(super) fn reduces(&self) -> bool {
        let elastic = Strategy::Elastic(Elastic::default());
        self.policy == elastic.name() && self.user.as_deref() != Some(User::SolutionOnly.name())
    }

    /// Whole slots in seconds.
    pub(super) fn slots(&self) -> Slots {
        Slots(self.slot_seconds)
    }
}

/// Whole slots in seconds.
#[derive(Clone, Copy)]
pub(super) struct Slots(pub(super) u64);

impl Slots {
    /// The slot edge at `seconds` or behind it, and the length of the slots that hold so many seconds.
    pub(super) fn up(self, seconds: u64) -> u64 {
        seconds.div_ceil(self.0).saturating_mul(self.0)
    }

    /// The slot edge at `seconds` or before it.
    pub(super) fn down(self, seconds: u64) -> u64 {
        seconds / self.0 * self.0
    }
}
