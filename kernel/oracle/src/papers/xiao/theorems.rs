//! Theorems 1 and 2.

/// A job that is reserved at a site.
#[derive(Clone, Copy, Debug)]
pub struct Reserved {
    /// v: what it takes.
    pub quantity: u32,
    /// ts: its start.
    pub start: u64,
    /// Pr{T <= ts_i}: the probability that it has finished when the newcomer starts.
    pub finished: f64,
}

/// Theorem 1: the set of jobs with the greatest probability to have all finished, among the sets that leave a newcomer the
/// quantity `v` where `c` is free. Its probability, by trying all sets; 0 without such a set.
///
/// The newcomer also starts when another set has finished, so this is a lower bound only.
#[must_use]
pub fn start(v: u32, c: u32, alpha: &[Reserved]) -> f64 {
    let sets = 0..1_u32 << alpha.len();
    let probability = |set: u32| {
        let members = || (alpha.iter().enumerate()).filter(move |(i, _)| set >> i & 1 == 1);
        let freed: u32 = members().map(|(_, job)| job.quantity).sum();
        let finished: f64 = members().map(|(_, job)| job.finished).product();
        if v <= c + freed { finished } else { 0.0 }
    };
    sets.map(probability).fold(0.0, f64::max)
}

/// Equation 14: the first job, in order of start, at which the demand of those that come later exceeds what the newcomer
/// leaves of the capacity `c_max`. Theorem 2 is the probability that the newcomer finishes by the start of it; equation 13
/// prints the newcomer's own start for that. `None` if nobody is in the way, which the paper does not consider.
///
/// It forgets the jobs that run already and need not have finished for the newcomer to start.
#[must_use]
pub fn first_in_the_way(v: u32, c_max: u32, beta: &[Reserved]) -> Option<Reserved> {
    let mut sorted = beta.to_vec();
    sorted.sort_by_key(|job| job.start);
    let mut demand = 0;
    sorted.into_iter().find(|job| {
        demand += job.quantity;
        demand + v > c_max
    })
}
