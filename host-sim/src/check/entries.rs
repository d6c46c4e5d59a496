//! Entries of metrics.json against what follows from the tables.

use std::fmt;

use super::findings::Findings;

/// Sums of floats depend on their order in the last digits.
const ROUNDING: f64 = 1e-9;

/// A count that must be exact.
pub(super) fn same<T: PartialEq + fmt::Debug>(
    name: &str,
    entry: &T,
    expected: &T,
    found: &mut Findings,
) {
    if entry != expected {
        found.entry(name, entry, expected);
    }
}

/// A sum of floats.
pub(super) fn near(name: &str, entry: f64, expected: f64, found: &mut Findings) {
    let equal = (entry - expected).abs() <= ROUNDING * expected.abs().max(1.0);
    if !equal {
        found.entry(name, &entry, &expected);
    }
}

/// 0 for nothing by nothing.
pub(super) fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}
