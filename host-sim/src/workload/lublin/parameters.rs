//! Parameters that make no sense are refused by name.

use rand_distr::Gamma;
use statrs::function::gamma::checked_gamma_lr;

use crate::error::{Error, Result};

/// A gamma distribution that is redrawn above `limit`; refused when fewer than one draw in a hundred would pass.
pub(super) fn redrawn_gamma(name: &str, shape: f64, scale: f64, limit: f64) -> Result<Gamma<f64>> {
    let usage = |problem: &str| Error::Usage(format!("{name}: Gamma({shape}, {scale}): {problem}"));
    let gamma = Gamma::new(shape, scale).map_err(|error| usage(&error.to_string()))?;
    let passes =
        checked_gamma_lr(shape, limit / scale).map_err(|error| usage(&error.to_string()))?;
    if passes.is_nan() || passes < 0.01 {
        return Err(usage(&format!(
            "expected more than 1 % of the draws to be at most {limit}"
        )));
    }
    Ok(gamma)
}

/// An error for a parameter that should be a probability and is none.
pub(super) fn check_probability(name: &str, value: f64) -> Result<()> {
    if (0.0..=1.0).contains(&value) {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "{name} {value}: expected a probability from 0 to 1"
    )))
}
