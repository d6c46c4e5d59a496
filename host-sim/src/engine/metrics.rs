//! What a run is judged by.

use std::{borrow::Cow, collections::BTreeMap};

use bookahead::Money;

use super::{
    Outcome, REMOVED_LATE, Story, System,
    distribution::{Distribution, Percentiles},
    measuring::Measuring,
};
use crate::layout::Fragments;

pub use super::bands::{BandCount, BandCounts};

/// How many were refused, by reason.
pub type Refusals = BTreeMap<Cow<'static, str>, usize>;

/// The figures of one run. A rate or a mean over nothing is nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Metrics {
    /// Requests to reserve that were decided.
    pub requests: usize,
    /// Requests accepted.
    pub accepted: usize,
    /// Requests refused because they fit their windows in seconds, but not in whole slots.
    pub lost_to_rounding: usize,
    /// Accepted requests by requests.
    pub acceptance_rate: Option<f64>,
    /// Accepted requests by those that are not lost to rounding.
    pub acceptance_rate_after_rounding: Option<f64>,
    /// Accepted by requested PEs x duration, what was granted by what was asked.
    pub accepted_work_rate: Option<f64>,
    /// The [waiting time](super::measures::WAITING) of the accepted (s).
    pub waiting: Distribution,
    /// The [slowdown](super::measures::SLOWDOWN) of the accepted.
    pub slowdown: Distribution,
    /// The [bounded slowdown](super::measures::BOUNDED_SLOWDOWN) of the accepted.
    pub bounded_slowdown: Distribution,
    /// The [stretch](super::measures::STRETCH) of the accepted.
    pub stretch: Distribution,
    /// PE-seconds really used, by best-effort jobs too, by PE-seconds from the first arrival to the last end.
    pub utilization: Option<f64>,
    /// The same with the booked windows.
    pub booked_utilization: Option<f64>,
    /// Refusals by the name of the reason.
    pub refusals: Refusals,
    /// Accepted requests that were granted less time or fewer PEs than they asked for.
    pub reduced: usize,
    /// Requests that leave their length open, where there are any.
    pub ranges: Option<Ranges>,
    /// What a strategy that moves reservations did.
    pub rearranged: Rearranged,
    /// How scattered jobs lie, on a machine with a layout.
    pub fragments: Option<Fragments>,
    /// Newcomers for which others took other processing elements.
    pub relocated_for: usize,
    /// What lies on top of others.
    pub overlays: Overlays,
    /// What became of requests that were decided by more than the machine.
    pub joint: Option<JointCounts>,
    /// What outages and overruns did, where promises may break.
    pub outages: Option<OutageCounts>,
    /// Which deadlines were kept, where that is told.
    pub deadlines: Option<Deadlines>,
    /// What became of requests that waited, where any may.
    pub late: Option<LateCounts>,
    /// Those promised late that reached beyond the horizon when they came.
    pub late_beyond_horizon: usize,
    /// How often jobs ended for reservations, where they may.
    pub preemptions: Option<Preemptions>,
    /// What the reservations cost.
    pub revenue: Money,
    /// The jobs of the queue.
    pub best_effort: BestEffort,
    /// Operations by name, each that occurs.
    pub operations: BTreeMap<&'static str, Decided>,
    /// Operations that were refused, by name and by the name of the reason.
    pub operation_refusals: BTreeMap<(&'static str, &'static str), usize>,
}

/// How often an operation was to be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Decided {
    /// Done.
    pub accepted: usize,
    /// Not done.
    pub refused: usize,
}

/// Requests that are decided by the machine, quotas and resources together.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct JointCounts {
    /// Refusals for want of room or of size, by the name of who refused; `none` where each has room, but never all at once.
    pub refused_by: BTreeMap<String, usize>,
    /// What was really used of each resource by what there was of it, from the first arrival to the last end on the machine.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub resource_utilization: BTreeMap<String, Option<f64>>,
}

/// What a strategy that moves reservations did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rearranged {
    /// How often it moved one.
    pub moves: usize,
    /// Reservations that it moved at least once.
    pub moved: usize,
    /// Accepted requests whose starts became fixed before they came.
    pub frozen: usize,
    /// Requests accepted with a window that was suggested.
    pub suggested: usize,
}

/// Requests that leave their length open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Ranges {
    /// How many.
    pub ranges: usize,
    /// Those that were accepted and granted less than the longest length.
    pub shortened: usize,
}

/// The reservations that were accepted on top of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Overlays {
    /// How many.
    pub accepted: usize,
    /// Those that could not start on time.
    pub late_starts: usize,
    /// Those that were stopped for others.
    pub cut_short: usize,
    /// What is paid to their users for late starts.
    pub compensation: Money,
    /// The share of them that was to be violated by what was promised.
    pub promised_violation_rate: Option<f64>,
}

impl Overlays {
    /// Those whose promise was broken.
    #[must_use]
    pub const fn violations(&self) -> usize {
        self.late_starts + self.cut_short
    }
}

/// What outages and overruns did; of outages alone only where processing elements may leave.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct OutageCounts {
    /// How many outages there were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outages: Option<usize>,
    /// PE-seconds that were away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outage_pe_seconds: Option<u64>,
    /// Reservations that were accepted and were in the way, without another place.
    pub promises_broken: usize,
    /// The share of them in the accepted requests.
    pub promises_broken_rate: Option<f64>,
    /// How many that is for each hour that a processing element was away.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promises_broken_per_pe_hour: Option<Option<f64>>,
    /// Those of them that ran.
    pub promises_broken_running: usize,
    /// How often an outage gave a reservation that had not started other processing elements in its window.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outage_replacements: Option<usize>,
    /// How much later it then started, on average (s).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outage_delay: Option<Option<f64>>,
    /// Reservations that were moved to another start.
    pub promises_moved: usize,
    /// How many [had to be broken](super::inevitable::least_broken) whatever is decided; not known where operations change what was promised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inevitable_broken: Option<Option<usize>>,
}

/// Which deadlines were kept, of requests to reserve and of queued jobs that have a window.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct Deadlines {
    /// Jobs that ran to their end by their deadline.
    pub deadlines_kept: usize,
    /// All others that have a deadline.
    pub deadlines_missed: usize,
    /// The share of the first.
    pub deadlines_kept_rate: Option<f64>,
    /// PE-seconds that the first used.
    pub kept_pe_seconds: u64,
    /// Mean time from submission to start of the queued jobs that have no deadline (s).
    pub undated_waiting_time: Option<f64>,
    /// Mean turnaround of these by their run times.
    pub undated_slowdown: Option<f64>,
    /// The same with run times of at least 10 s.
    pub undated_bounded_slowdown: Option<f64>,
}

/// What became of requests that were refused and waited.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LateCounts {
    /// Those that were promised a start later.
    pub promised_late: usize,
    /// Those whose latest starts passed.
    pub gave_up: usize,
    /// How long after their arrival the first were promised a start, on average (s).
    pub promise_delay: Option<f64>,
}

impl LateCounts {
    /// How many waited.
    #[must_use]
    pub const fn waited(&self) -> usize {
        self.promised_late + self.gave_up
    }
}

/// How often jobs of the queue ended for reservations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Preemptions {
    /// Runs that ended so.
    pub preemptions: usize,
    /// PE-seconds that these used, all for nothing.
    pub preempted_pe_seconds: u64,
}

/// The figures of the best-effort jobs of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct BestEffort {
    /// Jobs submitted.
    pub submitted: usize,
    /// Jobs that ran.
    pub started: usize,
    /// The others by the name of the reason: they could never run, or were removed.
    pub refusals: Refusals,
    /// Mean time from submission to start (s).
    pub waiting_time: Option<f64>,
    /// Jobs that were stopped at the end of their estimate.
    pub overran: usize,
    /// How much later they started than they were first planned (s), where jobs are planned; less than 0 where they started earlier.
    pub planned_drift: Option<Percentiles>,
    /// What users would have been told of when they start, and how often that was right, where jobs are planned.
    pub start_bands: Option<BandCounts>,
    /// What they cost.
    pub revenue: Money,
}

impl BestEffort {
    /// Jobs that could never run, as the machine is too small or its horizon too short, by the name of the reason.
    pub fn impossible(&self) -> impl Iterator<Item = (&str, usize)> {
        let reasons = self
            .refusals
            .iter()
            .map(|(reason, count)| (&**reason, *count));
        reasons.filter(|(reason, _)| *reason != REMOVED_LATE)
    }
}

impl Metrics {
    /// The figures of `outcomes` on a machine of `pes` processing elements.
    #[must_use]
    pub fn of(outcomes: &[Outcome], pes: u16) -> Self {
        let mut measuring = Measuring::new(None, pes, None);
        outcomes
            .iter()
            .for_each(|outcome| measuring.outcome(outcome));
        measuring.in_memory()
    }

    /// The figures of all that became of a script on the machine of this system.
    #[must_use]
    pub fn on(system: &System, story: &Story) -> Self {
        let mut measuring = Measuring::new(Some(system), system.all_pes(), None);
        measuring.story(story);
        measuring.in_memory()
    }
}
