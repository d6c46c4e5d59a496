//! The ways in which a request becomes a reservation.

use bookahead::Policy;

use super::Elastic;

/// How a request becomes a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Somewhere in its window, at a start that a policy chooses.
    Fit(Policy),
    /// At its ready time, rounded up to a slot, or not at all.
    Rigid,
    /// As a solution of an elastic query, or as an offer that its user takes instead.
    Elastic(Elastic),
}

impl Strategy {
    /// The name in commands and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fit(policy) => policy.name(),
            Self::Rigid => "rigid",
            Self::Elastic(_) => "elastic",
        }
    }
}
