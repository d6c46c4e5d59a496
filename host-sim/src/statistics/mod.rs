//! What samples say: means with confidence intervals, fits, and whether a difference is as expected.

mod expected;
mod fit;
mod limits;

pub(crate) use expected::{Expected, Verdict};
pub(crate) use fit::{LinearFit, rank_correlation};
pub(crate) use limits::Limits;

use std::fmt;

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The mean of numbers that come one after the other; nothing of none.
#[derive(Clone, Copy, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    /// Takes the next number in.
    pub(crate) fn add(&mut self, number: f64) {
        self.sum += number;
        self.count += 1;
    }

    /// The mean so far.
    pub(crate) fn mean(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

/// A mean with the half width of its 95 % confidence interval; not a number without samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// The mean.
    pub(crate) mean: f64,
    /// Half the interval; infinite when there are fewer than two samples.
    pub(crate) half: f64,
}

impl Estimate {
    /// Of independent samples, by Student's t.
    pub(crate) fn of(samples: &[f64]) -> Self {
        let count = samples.len();
        let mean = samples.iter().sum::<f64>() / count as f64;
        if count < 2 {
            let half = f64::INFINITY;
            return Self { mean, half };
        }
        let freedom = (count - 1) as f64;
        let squares: f64 = samples.iter().map(|sample| (sample - mean).powi(2)).sum();
        let error = (squares / freedom / count as f64).sqrt();
        let quantile = StudentsT::new(0.0, 1.0, freedom)
            .map_or(f64::INFINITY, |student| student.inverse_cdf(0.975));
        // No spread is no error, however few the samples.
        let half = if error == 0.0 { 0.0 } else { quantile * error };
        Self { mean, half }
    }

    /// The lower end of the interval.
    pub(crate) fn low(self) -> f64 {
        self.mean - self.half
    }

    /// The upper end of the interval.
    pub(crate) fn high(self) -> f64 {
        self.mean + self.half
    }

    /// Half the interval, where it is known.
    pub(crate) fn ci95(self) -> Option<f64> {
        Some(self.half).filter(|half| half.is_finite())
    }

    /// Half the interval in words.
    pub(crate) fn interval(self) -> String {
        match self.ci95() {
            Some(half) => format!("± {half:.4}"),
            None => "(interval unknown from one replication)".to_owned(),
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.4} {}", self.mean, self.interval())
    }
}

/// The samples that have a value. Lists are paired by place, so they are only shortened afterwards.
pub(crate) fn finite(mut samples: Vec<f64>) -> Vec<f64> {
    samples.retain(|sample| sample.is_finite());
    samples
}

/// Sample by sample `a - b`.
pub(crate) fn paired(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// Sample by sample the mean of several lists, as far as the shortest goes.
pub(crate) fn mean_of<L: AsRef<[f64]>>(lists: impl IntoIterator<Item = L>) -> Vec<f64> {
    let lists: Vec<L> = lists.into_iter().collect();
    let lists = || lists.iter().map(AsRef::as_ref);
    let runs = lists().map(<[f64]>::len).min().unwrap_or(0);
    (0..runs)
        .map(|run| lists().map(|list| list[run]).sum::<f64>() / lists().len() as f64)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Estimate, paired};

    #[test]
    fn intervals_are_those_of_student() {
        // Standard deviation 1, so the half width is the quantile for 2 degrees of freedom by the root of 3.
        let estimate = Estimate::of(&[1.0, 2.0, 3.0]);
        assert_eq!(estimate.mean, 2.0);
        assert!((estimate.half - 4.302_652_729_9 / 3f64.sqrt()).abs() < 1e-7);
        assert!((estimate.low() + estimate.high() - 4.0).abs() < 1e-9);
        let none = Estimate::of(&[]);
        assert!(none.mean.is_nan() && none.ci95().is_none());
        assert_eq!(Estimate::of(&[5.0]).half, f64::INFINITY);
        assert_eq!(Estimate::of(&[5.0; 4]).half, 0.0);
    }

    #[test]
    fn pairing_removes_what_is_common() {
        let (a, b) = ([1.0, 12.0, 103.0], [0.0, 11.0, 102.0]);
        assert_eq!(Estimate::of(&paired(&a, &b)).half, 0.0);
    }
}
