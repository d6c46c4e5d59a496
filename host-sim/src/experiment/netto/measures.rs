//! What is measured in each run.
//!
//! Source: `netto`, section 4.2.

use super::points::{FIFTEEN_DAYS, PES, SLOT};
use crate::engine::Outcome;
use crate::experiment::{Measure, Run};
use crate::statistics::Limits;

/// What is used of the fifteen days.
pub(super) const UTILISATION: Measure = Measure::new("utilisation", Limits::PERCENT, |run| {
    used(run, FIFTEEN_DAYS)
});
/// The same up to the end of the last job.
pub(super) const UTILISATION_TO_END: Measure =
    Measure::new("utilisation until the last end", Limits::PERCENT, |run| {
        used(run, run.end())
    });
/// Requests that are refused.
pub(super) const REJECTED: Measure = Measure::new("requests rejected", Limits::PERCENT, |run| {
    100.0 * (1.0 - run.metrics.acceptance_rate.unwrap_or(f64::NAN))
});
/// Moves by the requests accepted.
pub(super) const MOVES: Measure =
    Measure::new("moves for a request accepted", Limits::AMOUNT, |run| {
        run.metrics.rearranged.moves as f64 / run.metrics.accepted as f64
    });
/// Mean phi of those accepted by suggestion, by the greatest that is allowed; not a number where there is none.
pub(super) const PHI: Measure =
    Measure::new("actual phi / greatest phi", Limits::SHARE, actual_phi);

/// All of them.
pub(super) const MEASURES: [Measure; 5] = [UTILISATION, UTILISATION_TO_END, REJECTED, MOVES, PHI];

/// Processor-seconds used up to `end` (s), in percent of what there are.
fn used(run: &Run, end: u64) -> f64 {
    100.0 * run.used_until(end) as f64 / (f64::from(PES) * end.max(1) as f64)
}

fn actual_phi(run: &Run) -> f64 {
    let juggle = run.system.strategy.juggle();
    let Some(most) = juggle.and_then(|juggle| juggle.suggest_max) else {
        return f64::NAN;
    };
    let accepted = run.outcomes.iter().filter_map(Outcome::accepted);
    let phis = accepted.filter_map(|(request, placed)| {
        let [ready, _] = placed.agreed?;
        let earlier = request.ready.saturating_sub(ready) as f64;
        Some(100.0 * earlier / request.duration.next_multiple_of(SLOT) as f64)
    });
    let (sum, count) = phis.fold((0.0, 0.0), |(sum, count), phi| (sum + phi, count + 1.0));
    sum / count / f64::from(most)
}
