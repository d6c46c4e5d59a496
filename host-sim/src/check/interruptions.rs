//! No job is interrupted: it runs for its real time, or until what it was granted is over where no job may take longer. Rule 16.

use super::findings::Findings;
use crate::engine::Outcome;

/// Real run times stand in no file, so that only runs in memory can be judged by this.
pub(super) fn check(outcomes: &[Outcome], overruns: bool, found: &mut Findings) {
    for outcome in outcomes {
        let demand = &outcome.demand;
        // What operations did to a job is followed elsewhere.
        let placed = outcome.decision.as_ref().ok();
        if let Some(placed) = placed.filter(|placed| placed.changed.is_none()) {
            let right = match overruns {
                true => demand.run(),
                false => demand.run().min(placed.granted(demand.duration())),
            };
            found.expect(demand.job_id(), "seconds it ran", placed.ran, right);
        }
    }
}
