//! Reservations on top of others. Rule 19.

use std::collections::HashMap;

use super::{
    execution,
    findings::{Findings, shown},
    settings::Settings,
};
use crate::{
    engine::{Breach, OnLate, story::Cause},
    files::{Bit, Job, Move, Replica, Reservation},
};

/// Whether its row says that it could not start on time.
pub(super) fn is_late(row: &Reservation) -> bool {
    row.breach() == Some(Breach::LateStart)
}

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
        || {
            format!(
                "probability: found {}, expected at least {least:.6}",
                shown(&probability)
            )
        },
    );
    if settings.redundancy().is_none()
        && let Some(latest) = row.promised_latest_start
    {
        found.expect(id, "promised_latest_start", latest, Some(start));
    }
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
    let gives_up = settings.on_late() == OnLate::Cancel;
    let expected = ran.map_or(start, |ran| ran[0]);
    found.expect(id, "final_start", row.final_start.flatten(), Some(expected));
    let right = match (ran, said) {
        (Some([began, finish]), "") => began == start && finish <= end,
        _ if !row.is_overlay() => false,
        (None, _) => {
            is_late(row)
                && job
                    .metadata
                    .says(if gives_up { "cancelled" } else { "missed" })
        }
        (Some([began, finish]), _) if is_late(row) => !gives_up && began > start && finish <= end,
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

/// Whether the row says that an overlay has its processing elements to itself from then on.
pub(super) fn is_booked(row: &Move) -> bool {
    row.cause == Cause::OverlayBooked.name()
}

/// What is said to be booked at last lay on top of others, as it was accepted there, until then. Whoever is booked before its start starts in
/// time; in the slot of its start it may be late first, and booked when others have ended.
pub(super) fn booked<'m>(
    reservations: &[Reservation],
    replicas: Option<&[Replica]>,
    made: impl Iterator<Item = &'m Move>,
    found: &mut Findings,
) {
    let rows: HashMap<u64, &Reservation> =
        reservations.iter().map(|row| (row.job_id, row)).collect();
    for moved in made {
        let id = moved.job_id;
        let copies = replicas.unwrap_or_default().iter();
        let copy = copies
            .filter(|copy| copy.job_id == id && Some(copy.site) == moved.site)
            .map(|copy| {
                (
                    [copy.start, copy.end],
                    copy.overlaid_pes,
                    copy.until.is_none(),
                )
            })
            .next();
        let row = rows.get(&id).filter(|row| row.is_accepted());
        let own = row.and_then(|row| Some((row.booked()?, row.overlaid_pes.flatten()?, true)));
        let (Some(row), Some(([start, end], overlaid, used))) = (row, copy.or(own)) else {
            found.add(Some(id), "booked at last, but never accepted".to_owned());
            continue;
        };
        let after = moved.after();
        let pes = moved.before().map(|before| before.pes + overlaid);
        let whole = overlaid > 0 && after.pes == row.pes && pes == Some(row.pes);
        let inside = start <= after.start && after.end == end && after.start < end;
        let late = is_late(row);
        let in_time = moved.time < end;
        let right = whole && inside && in_time && (moved.time >= start || !used || !late);
        found.require(id, right, || {
            format!(
                "booked at last at {} as {after}, promised {start}-{end}",
                moved.time
            )
        });
    }
}
