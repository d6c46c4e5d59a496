//! Workloads: readers on good, bad and arbitrary input, models against published statistics, and real logs where given.

mod batsim;
mod models;
mod readers;
mod reservations;
mod traces;

/// The values in order at 5, 10, 25, 50, 75, 90, 95 and 99 %.
fn quantiles(mut values: Vec<u64>) -> [u64; 8] {
    values.sort_unstable();
    [5, 10, 25, 50, 75, 90, 95, 99].map(|percent| values[values.len() * percent / 100])
}

/// Asserts that each value is within `relative` of the expected one, or within 1 where that is more.
fn assert_near(what: &str, found: &[u64], expected: &[u64], relative: f64) {
    for (&found_value, &expected_value) in found.iter().zip(expected) {
        let tolerance = (expected_value as f64 * relative).max(1.0);
        assert!(
            found_value.abs_diff(expected_value) as f64 <= tolerance,
            "{what}: found {found:?}, expected {expected:?} within {relative}"
        );
    }
}
