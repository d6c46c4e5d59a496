//! Reservations on top of others. Rule 19.

use super::{execution, findings::Findings, settings::Settings};
use crate::{
    engine::Breach,
    files::{Bit, Job, Reservation},
};

/// What was promised to a reservation, and whether it was kept.
pub(super) fn accepted(
    row: &Reservation,
    job: &Job<'_>,
    [start, end]: [u64; 2],
    settings: &Settings,
    found: &mut Findings,
) {
    let id = row.job_id;
    let overlaid = row.overlaid_pes.flatten().unwrap_or(0);
    found.require(id, overlaid <= row.pes, || {
        format!("overlaid_pes: found {overlaid} of {}", row.pes)
    });
    let probability = row.probability.flatten().map(|probability| probability.0);
    // The column is cut at six decimals.
    let least = settings.least_probability().unwrap_or(0.0) - 1e-6;
    let probable = probability.is_some_and(|kept| (least..=1.0).contains(&kept));
    found.require(
        id,
        probable || probability.is_none() && !row.is_overlay(),
        || format!("probability: found {probability:?}, expected at least {least:.6}"),
    );
    let said = row.violation.as_deref().unwrap_or_default();
    let violated = row.violated.flatten() == Some(Bit(true));
    found.expect(id, "violated", violated, !said.is_empty());
    let ran = job.ran();
    found.expect(
        id,
        "actual_end",
        row.actual_end.flatten(),
        ran.map(|ran| ran[1]),
    );
    let expected = ran.map_or(start, |ran| ran[0]);
    found.expect(id, "final_start", row.final_start.flatten(), Some(expected));
    let right = match (ran, said) {
        (Some([began, finish]), "") => began == start && finish <= end,
        _ if !row.is_overlay() => false,
        (None, late) => late == Breach::LateStart.name() && job.metadata.says("missed"),
        (Some([began, finish]), late) if late == Breach::LateStart.name() => {
            began > start && finish <= end
        }
        (Some([began, finish]), cut) => {
            cut == Breach::CutShort.name() && began == start && finish < end
        }
    };
    found.require(id, right, || {
        format!("promised {start}-{end}, runs {ran:?}, violation {said:?}")
    });
    if let Some(ran) = ran {
        execution::times(job, ran, found);
        execution::processing_elements(job, row.pes, settings, found);
    }
}
