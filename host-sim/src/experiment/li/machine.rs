//! The machine of the paper, and what is varied of it.

use bookahead::Policy;

use super::points::{DEFAULT, FLEXIBLE, LIGHT, Point};
use crate::{
    engine::{self, Binding, Outcome, Strategy, System},
    error::Result,
    request::{Demand, JobRequest},
};

/// Processing elements.
pub(super) const PES: u16 = 1024;

/// How the kernel is set up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Machine {
    /// What it is called in notes and figures.
    pub(super) name: &'static str,
    /// Slots of the ring.
    pub(super) slots: u32,
    /// Seconds per slot.
    pub(super) slot_seconds: u32,
    /// When processing elements are assigned.
    pub(super) binding: Binding,
    /// Where rectangles end that nothing limits.
    pub(super) open_end: OpenEnd,
}

/// Where a rectangle ends that no reservation limits on the right; the paper does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OpenEnd {
    /// At the end of the ring.
    Horizon,
    /// With the last record, or with the job itself where that is later. Not what the kernel does, so that the plain
    /// definitions decide.
    LastRecord,
}

/// Minutes, a horizon that holds the latest deadline of the most flexible jobs, and early binding as in the paper.
pub(super) const MAIN: Machine = Machine {
    name: "60 s x 2048",
    slots: 2048,
    slot_seconds: 60,
    binding: Binding::Early,
    open_end: OpenEnd::Horizon,
};

/// Where other machines run: the default, and its most flexible and its least loaded relative.
pub(super) const POINTS: [Point; 3] = [DEFAULT, FLEXIBLE, LIGHT];

/// Other slots, horizons and ends of rectangles.
pub(super) const SLOTTED: [Machine; 3] = [
    Machine {
        name: "60 s x 4096",
        slots: 4096,
        ..MAIN
    },
    Machine {
        name: "10 s x 12288",
        slots: 12_288,
        slot_seconds: 10,
        ..MAIN
    },
    Machine {
        name: "rectangles end with the last record",
        open_end: OpenEnd::LastRecord,
        ..MAIN
    },
];

/// Other bindings.
pub(super) const BOUND: [Machine; 2] = [
    Machine {
        name: "late",
        binding: Binding::Late,
        ..MAIN
    },
    Machine {
        name: "late-control",
        binding: Binding::LateControl,
        ..MAIN
    },
];

impl Machine {
    /// It under a policy.
    pub(super) const fn under(&self, policy: Policy) -> System {
        let strategy = Strategy::Fit(policy);
        System::new(PES, self.slots, self.slot_seconds, strategy, self.binding)
    }

    /// What becomes of the requests on it under a policy.
    pub(super) fn run(&self, requests: &[JobRequest], policy: Policy) -> Result<Vec<Outcome>> {
        let demands: Vec<Demand> = requests.iter().cloned().map(Demand::Reserve).collect();
        engine::run(&self.under(policy), &demands, &|| {})
    }
}
