//! What became of each request, in seconds again.

use bookahead::Error;

use crate::request::JobRequest;

/// One request and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The request.
    pub request: JobRequest,
    /// The reservation, or why there is none.
    pub decision: Result<Reserved, Error>,
}

/// An accepted request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reserved {
    /// The booked start, a slot edge (s).
    pub start: u64,
    /// The booked end, a slot edge (s).
    pub end: u64,
    /// How long the job really ran from `start` (s).
    pub ran: u64,
    /// The processing elements it ran on, as inclusive ranges in increasing order.
    pub pes: Vec<(u16, u16)>,
}

impl Reserved {
    /// When the job was really over (s).
    #[must_use]
    pub fn finish(&self) -> u64 {
        self.start + self.ran
    }
}

impl Outcome {
    /// (wait + duration) / duration, with wait from ready to start.
    ///
    /// Source: `li`, section 6.1.
    #[must_use]
    pub fn slowdown(&self) -> Option<f64> {
        let reserved = self.decision.as_ref().ok()?;
        let wait = reserved.start.saturating_sub(self.request.ready) as f64;
        let duration = self.request.duration as f64;
        Some((wait + duration) / duration)
    }
}
