//! Means, confidence intervals and fits.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// A mean with the half width of its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    /// The mean.
    pub(super) mean: f64,
    /// Half the interval; infinite when there are fewer than two samples.
    pub(super) half: f64,
}

impl Estimate {
    /// Of independent samples, by Student's t; nothing for no samples.
    pub(super) fn of(samples: &[f64]) -> Option<Self> {
        let count = samples.len();
        if count == 0 {
            return None;
        }
        let mean = samples.iter().sum::<f64>() / count as f64;
        if count == 1 {
            return Some(Self {
                mean,
                half: f64::INFINITY,
            });
        }
        let freedom = (count - 1) as f64;
        let squares: f64 = samples.iter().map(|sample| (sample - mean).powi(2)).sum();
        let error = (squares / freedom / count as f64).sqrt();
        let quantile = StudentsT::new(0.0, 1.0, freedom)
            .map_or(f64::INFINITY, |student| student.inverse_cdf(0.975));
        // No spread is no error, however few the samples.
        let half = if error == 0.0 { 0.0 } else { quantile * error };
        Some(Self { mean, half })
    }

    /// The lower end of the interval.
    pub(super) fn low(self) -> f64 {
        self.mean - self.half
    }

    /// The upper end of the interval.
    pub(super) fn high(self) -> f64 {
        self.mean + self.half
    }

    /// Half the interval, where it is known.
    pub(super) fn ci95(self) -> Option<f64> {
        Some(self.half).filter(|half| half.is_finite())
    }
}

/// The samples that have a value. Lists are paired by place, so they are only shortened afterwards.
pub(super) fn finite(mut samples: Vec<f64>) -> Vec<f64> {
    samples.retain(|sample| sample.is_finite());
    samples
}

/// Sample by sample `a - b`.
pub(super) fn paired(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// Sample by sample the mean of several lists, as far as the shortest goes.
pub(super) fn mean_of(lists: &[Vec<f64>]) -> Vec<f64> {
    let runs = lists.iter().map(Vec::len).min().unwrap_or(0);
    (0..runs)
        .map(|run| lists.iter().map(|list| list[run]).sum::<f64>() / lists.len() as f64)
        .collect()
}

/// A straight line through points, by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    /// Its slope.
    pub(super) slope: f64,
    /// The share of the variance it explains.
    pub(super) r_squared: f64,
}

impl Line {
    /// Through `(x, y)`; nothing for fewer than two different x.
    pub(super) fn through(points: &[(f64, f64)]) -> Option<Self> {
        let count = points.len() as f64;
        let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
        let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
        let sum = |term: fn(f64, f64) -> f64| -> f64 {
            points
                .iter()
                .map(|(x, y)| term(x - mean_x, y - mean_y))
                .sum()
        };
        let (xx, xy, yy) = (sum(|x, _| x * x), sum(|x, y| x * y), sum(|_, y| y * y));
        (xx > 0.0).then(|| Self {
            slope: xy / xx,
            r_squared: if yy > 0.0 { xy * xy / (xx * yy) } else { 1.0 },
        })
    }
}

/// Spearman's rank correlation of two equally long lists; ties share their mean rank. Nothing where one list is all ties.
pub(super) fn rank_correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let ranks: Vec<(f64, f64)> = ranks(a).into_iter().zip(ranks(b)).collect();
    let line = Line::through(&ranks)?;
    let distinct = ranks.iter().any(|rank| rank.1 != ranks[0].1);
    distinct.then(|| line.r_squared.sqrt().copysign(line.slope))
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let below = values.iter().filter(|other| *other < value).count() as f64;
        let ties = values.iter().filter(|other| *other == value).count() as f64;
        below + (ties + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::{Estimate, Line, paired, rank_correlation};

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn intervals_are_those_of_student() {
        // Standard deviation 1, so the half width is the quantile for 2 degrees of freedom by the root of 3.
        let estimate = Estimate::of(&[1.0, 2.0, 3.0]).unwrap();
        assert_eq!(estimate.mean, 2.0);
        assert!((estimate.half - 4.302_652_729_9 / 3f64.sqrt()).abs() < 1e-7);
        assert!(close(estimate.low() + estimate.high(), 4.0));
        assert_eq!(Estimate::of(&[]), None);
        assert_eq!(Estimate::of(&[5.0]).unwrap().half, f64::INFINITY);
        assert_eq!(Estimate::of(&[5.0; 4]).unwrap().half, 0.0);
    }

    #[test]
    fn pairing_removes_what_is_common() {
        let (a, b) = ([1.0, 12.0, 103.0], [0.0, 11.0, 102.0]);
        assert_eq!(Estimate::of(&paired(&a, &b)).unwrap().half, 0.0);
    }

    #[test]
    fn lines_are_fitted_by_least_squares() {
        let line = Line::through(&[(1.0, 3.0), (2.0, 5.0), (3.0, 7.0)]).unwrap();
        assert!(close(line.slope, 2.0) && close(line.r_squared, 1.0));
        let bent = Line::through(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)]).unwrap();
        assert!(close(bent.slope, 0.0) && close(bent.r_squared, 0.0));
        assert_eq!(Line::through(&[(1.0, 1.0), (1.0, 2.0)]), None);
    }

    #[test]
    fn ranks_correlate() {
        let up = [1.0, 2.0, 3.0, 4.0];
        assert!(close(
            rank_correlation(&up, &[0.1, 0.5, 0.9, 7.0]).unwrap(),
            1.0
        ));
        assert!(close(
            rank_correlation(&up, &[4.0, 3.0, 2.0, 1.0]).unwrap(),
            -1.0
        ));
        assert!(close(
            rank_correlation(&up, &[1.0, 3.0, 2.0, 4.0]).unwrap(),
            0.8
        ));
        assert_eq!(rank_correlation(&up, &[1.0; 4]), None);
    }
}
