//! The equations.

/// Equation 5: the expected profit at price `c` and compensation `f`, when no violation has the probability `pr`.
#[must_use]
pub fn expected_profit(c: f64, f: f64, pr: f64) -> f64 {
    (c + f) * pr - f
}

/// Below equation 5: the probability at which the expected profit is zero.
#[must_use]
pub fn break_even(c: f64, f: f64) -> f64 {
    f / (c + f)
}

/// Equation 6: the exponential law with the rate `lambda`.
#[must_use]
pub fn law(lambda: f64, t: f64) -> f64 {
    1.0 - (-lambda * t).exp()
}

/// Equation 7: no violation for a job from `ts_i` to `te_i` that waits for one which started at `ts_k`.
#[must_use]
pub fn no_violation(lambda: f64, ts_k: f64, ts_i: f64, te_i: f64) -> f64 {
    law(lambda, te_i - ts_i) * law(lambda, ts_i - ts_k)
}

/// Equation 8: all subtasks, of which each is reserved with the probability given.
#[must_use]
pub fn application(subtasks: &[f64]) -> f64 {
    subtasks.iter().product()
}

/// Equation 15: at least one of several sites, each with its two probabilities, as if they were independent.
#[must_use]
pub fn any_site(sites: &[(f64, f64)]) -> f64 {
    let missed = sites.iter().map(|(alpha, beta)| 1.0 - alpha * beta);
    1.0 - missed.product::<f64>()
}

/// Equation 16: `(K_min, K_max)` as printed. Its minimum and maximum are swapped: the less probable a site is, the more
/// sites it takes, so that `K_min` is never the smaller one.
#[must_use]
pub fn redundancy(w: f64, sites: &[(f64, f64)]) -> (f64, f64) {
    let products = || sites.iter().map(|(alpha, beta)| alpha * beta);
    let least = products().fold(f64::INFINITY, f64::min);
    let most = products().fold(0.0, f64::max);
    let degree = |p: f64| ((1.0 - w).ln() / (1.0 - p).ln()).ceil();
    (degree(least), degree(most))
}
