//! What a figure shows, with every replication behind it.

use super::statistics::{Estimate, paired};

/// Several series over the same x axis.
#[derive(Clone, Debug)]
pub(super) struct Curves {
    /// Name of the x axis.
    pub(super) axis: String,
    /// The points of the axis as text.
    pub(super) ticks: Vec<String>,
    /// The series by their short names.
    pub(super) names: Vec<String>,
    /// By series, tick and replication. Replication r is the same luck everywhere, so differences are taken within it.
    pub(super) samples: Vec<Vec<Vec<f64>>>,
}

impl Curves {
    /// How many points the axis has.
    pub(super) fn len(&self) -> usize {
        self.ticks.len()
    }

    /// How many replications there are.
    pub(super) fn replications(&self) -> usize {
        let first = self.samples.first().and_then(|series| series.first());
        first.map_or(0, Vec::len)
    }

    /// One point of one series.
    pub(super) fn samples(&self, series: usize, tick: usize) -> &[f64] {
        &self.samples[series][tick]
    }

    /// Its mean; not a number where there is no sample.
    pub(super) fn mean(&self, series: usize, tick: usize) -> f64 {
        Estimate::of(self.samples(series, tick)).map_or(f64::NAN, |estimate| estimate.mean)
    }

    /// One series less another at a tick.
    pub(super) fn difference(&self, a: usize, b: usize, tick: usize) -> Vec<f64> {
        paired(self.samples(a, tick), self.samples(b, tick))
    }

    /// What a series gains between two ticks.
    pub(super) fn gain(&self, series: usize, from: usize, to: usize) -> Vec<f64> {
        paired(self.samples(series, to), self.samples(series, from))
    }

    /// From the lowest mean of all series at a tick to the highest.
    pub(super) fn spread(&self, tick: usize) -> f64 {
        let means = || (0..self.names.len()).map(|series| self.mean(series, tick));
        let high = means().fold(f64::NEG_INFINITY, f64::max);
        let low = means().fold(f64::INFINITY, f64::min);
        high - low
    }

    /// Where a comparison was made.
    pub(super) fn at(&self, tick: usize) -> String {
        format!("{} {}", self.axis, self.ticks[tick])
    }

    /// The means of some series at the first and the last tick, three decimals.
    pub(super) fn ends(&self, series: &[usize]) -> String {
        let last = self.len().saturating_sub(1);
        let one = |&series: &usize| {
            let (from, to) = (self.mean(series, 0), self.mean(series, last));
            let name = &self.names[series];
            if last == 0 {
                format!("{name} {from:.3}")
            } else {
                format!("{name} {from:.3} to {to:.3}")
            }
        };
        series.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}
