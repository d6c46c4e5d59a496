//! timing.json: how fast a run went.

use std::time::Duration;

use serde::Serialize;

/// How fast a run went.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Timing {
    /// Requests decided per second, everything the simulator does between two decisions included.
    pub decisions_per_second: f64,
    /// Time from the first request to the end of the schedule (s).
    pub wall_seconds: f64,
}

impl Timing {
    /// The speed of `decisions` decisions in `wall`.
    #[must_use]
    pub fn new(decisions: usize, wall: Duration) -> Self {
        // A clock too coarse for a tiny run must not give an infinite speed, which JSON cannot say.
        let wall_seconds = wall.as_secs_f64().max(1e-9);
        Self {
            decisions_per_second: decisions as f64 / wall_seconds,
            wall_seconds,
        }
    }
}
