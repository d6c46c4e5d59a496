//! Mean and percentiles of a measure over jobs.

use super::sample::Sample;

/// Mean and percentiles of some numbers; nothing of none.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Distribution {
    /// Their mean.
    pub mean: Option<f64>,
    /// Their percentiles.
    #[serde(flatten)]
    pub percentiles: Percentiles,
}

/// Percentiles by nearest rank: the least of the numbers that at least so many in a hundred of them do not exceed. Each is one of the
/// numbers themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Percentiles {
    /// The median.
    pub p50: Option<f64>,
    /// What nine in ten do not exceed.
    pub p90: Option<f64>,
    /// What all but one in a hundred do not exceed.
    pub p99: Option<f64>,
}

impl Distribution {
    /// Of these numbers.
    ///
    /// ```
    /// use bookahead_sim::engine::distribution::Distribution;
    ///
    /// let waits = Distribution::of([0.0, 60.0, 0.0, 20.0].into_iter());
    /// assert_eq!(waits.mean, Some(20.0));
    /// assert_eq!((waits.percentiles.p50, waits.percentiles.p99), (Some(0.0), Some(60.0)));
    /// assert_eq!(Distribution::of([].into_iter()), Distribution::default());
    /// ```
    #[must_use]
    pub fn of(numbers: impl Iterator<Item = f64>) -> Self {
        let mut sample = Sample::new(None);
        numbers.for_each(|number| sample.add(number));
        sample.in_memory()
    }
}

/// A part by the whole; nothing where there is no whole.
pub(crate) fn rate(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_the_numbers_of_their_ranks() {
        let of = |count: u32| Distribution::of((1..=count).rev().map(f64::from)).percentiles;
        let expected = [
            (1, [1.0, 1.0, 1.0]),
            (2, [1.0, 2.0, 2.0]),
            (3, [2.0, 3.0, 3.0]),
            (10, [5.0, 9.0, 10.0]),
            (100, [50.0, 90.0, 99.0]),
            (101, [51.0, 91.0, 100.0]),
            (1000, [500.0, 900.0, 990.0]),
        ];
        for (count, expected) in expected {
            let Percentiles { p50, p90, p99 } = of(count);
            assert_eq!([p50, p90, p99], expected.map(Some), "{count} numbers");
        }
    }
}
