//! Entries of metrics.json against what follows from the tables.

use std::fmt;

use super::findings::{Findings, shown};

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
        found.entry(name, &shown(entry), &shown(expected));
    }
}

/// A count that only some systems have.
pub(super) fn same_or_none(
    name: &str,
    entry: Option<u64>,
    expected: Option<u64>,
    found: &mut Findings,
) {
    if entry != expected {
        let words =
            |count: Option<u64>| count.map_or("nothing".to_owned(), |count| count.to_string());
        found.entry(name, &words(entry), &words(expected));
    }
}

/// A number that was computed with floats. What is nothing by nothing is null.
pub(super) fn near(name: &str, entry: Option<f64>, expected: Option<f64>, found: &mut Findings) {
    let right = match (entry, expected) {
        (Some(entry), Some(expected)) => {
            (entry - expected).abs() <= ROUNDING * expected.abs().max(1.0)
        }
        (entry, expected) => entry == expected,
    };
    if !right {
        let words =
            |number: Option<f64>| number.map_or("null".to_owned(), |number| format!("{number:?}"));
        found.entry(name, &words(entry), &words(expected));
    }
}

/// Nothing by nothing is nothing.
pub(super) fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}
