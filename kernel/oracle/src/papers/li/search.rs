//! What every reading of algorithm 3 has in common: the starts that are tried, and the choice among their rectangles.
//!
//! Source: `li`, sections 4.2 (algorithm 3, lines 5 and 11) and 5.

use std::collections::BTreeSet;

use bookahead::Policy;

/// The starts to try: the ready time, the deadline and the times between them at which something `changes`, and each of these less the
/// duration.
#[must_use]
pub fn candidate_starts(
    changes: impl IntoIterator<Item = u64>,
    ready: u64,
    duration: u64,
    deadline: u64,
) -> BTreeSet<u64> {
    let inside = changes
        .into_iter()
        .filter(|time| (ready..=deadline).contains(time));
    inside
        .chain([ready, deadline])
        .flat_map(|time| [Some(time), time.checked_sub(duration)])
        .flatten()
        .filter(|&start| ready <= start && start + duration <= deadline)
        .collect()
}

/// The longest stretch around a run in which what is free during the run stays free.
pub trait Rectangle {
    /// How many PEs are free throughout.
    fn free(&self) -> u64;
    /// How many slots it lasts.
    fn length(&self) -> u64;
}

/// The rectangle that `policy` takes, given those of all feasible starts by start; the earliest of equals.
pub fn choose<R: Rectangle>(policy: Policy, rectangles: &[R]) -> Option<&R> {
    let area = |found: &R| found.free() * found.length();
    let most = |key: u64| u64::MAX - key;
    // `min_by_key` returns the first of equals.
    match policy {
        Policy::FirstFit => rectangles.first(),
        Policy::PeBestFit => rectangles.iter().min_by_key(|found| found.free()),
        Policy::PeWorstFit => rectangles.iter().min_by_key(|found| most(found.free())),
        Policy::DurationBestFit => rectangles.iter().min_by_key(|found| found.length()),
        Policy::DurationWorstFit => rectangles.iter().min_by_key(|found| most(found.length())),
        Policy::PeDurationBestFit => rectangles.iter().min_by_key(|found| area(found)),
        Policy::PeDurationWorstFit => rectangles.iter().min_by_key(|found| most(area(found))),
    }
}
