//! Straight lines and rank correlations.

/// A straight line through points, by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LinearFit {
    /// Its slope.
    pub(crate) slope: f64,
    /// The share of the variance it explains.
    pub(crate) r_squared: f64,
}

impl LinearFit {
    /// Through `(x, y)`; nothing for fewer than two different x.
    pub(crate) fn through(points: &[(f64, f64)]) -> Option<Self> {
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
pub(crate) fn rank_correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let ranks: Vec<(f64, f64)> = ranks(a).into_iter().zip(ranks(b)).collect();
    let line = LinearFit::through(&ranks)?;
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
    use super::{LinearFit, rank_correlation};

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn lines_are_fitted_by_least_squares() {
        let line = LinearFit::through(&[(1.0, 3.0), (2.0, 5.0), (3.0, 7.0)]).unwrap();
        assert!(close(line.slope, 2.0) && close(line.r_squared, 1.0));
        let bent = LinearFit::through(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)]).unwrap();
        assert!(close(bent.slope, 0.0) && close(bent.r_squared, 0.0));
        assert_eq!(LinearFit::through(&[(1.0, 1.0), (1.0, 2.0)]), None);
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
