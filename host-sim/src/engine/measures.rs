//! How well one accepted reservation was served: each measure is defined here and nowhere else.

use super::{Outcome, Placed};

/// A number for each accepted reservation.
#[derive(Clone, Copy, Debug)]
pub struct JobMeasure {
    /// What it is called.
    pub name: &'static str,
    /// How it is computed, in words.
    pub definition: &'static str,
    /// Its value; nothing for a request that was refused, and where it is not defined.
    pub of: fn(&Outcome) -> Option<f64>,
}

/// How long a reservation waits (s).
pub const WAITING: JobMeasure = JobMeasure {
    name: "waiting time",
    definition: "start - ready time: how long after the earliest start that was asked for the reservation starts",
    of: Outcome::waiting,
};

/// How many times longer a reservation takes than it would without waiting.
pub const SLOWDOWN: JobMeasure = JobMeasure {
    name: "slowdown",
    definition: "(waiting time + duration) / duration, with the duration asked for, or granted out of a range; 1 is no waiting",
    of: Outcome::slowdown,
};

/// The slowdown, without what only shows that a job is very short.
pub const BOUNDED_SLOWDOWN: JobMeasure = JobMeasure {
    name: "bounded slowdown",
    definition: "(waiting time + duration) / the longer of duration and 10 s; at least 1",
    of: Outcome::bounded_slowdown,
};

/// How many times longer than its run a reservation takes from its submission on.
pub const STRETCH: JobMeasure = JobMeasure {
    name: "stretch",
    definition: "(end of the run - submission) / real run time; being booked ahead counts as waiting here",
    of: Outcome::stretch,
};

/// All of them.
pub const ALL: [JobMeasure; 4] = [WAITING, SLOWDOWN, BOUNDED_SLOWDOWN, STRETCH];

/// The shortest duration that a bounded slowdown divides by (s).
const BOUND: f64 = 10.0;

impl Outcome {
    /// The start that was booked in the end - ready time (s). It is negative where a reservation got another window and starts before the
    /// ready time that it was accepted with.
    fn waiting(&self) -> Option<f64> {
        let (request, placed) = self.accepted()?;
        let waiting = i128::from(placed.final_start()) - i128::from(request.ready);
        Some(waiting as f64)
    }

    /// What waiting is compared with (s): what was asked for, or what was granted of a range of lengths.
    fn judged_duration(&self) -> Option<f64> {
        let (request, placed) = self.accepted()?;
        Some(match request.shortest {
            None => request.duration,
            Some(_) => placed.granted(request.duration),
        } as f64)
    }

    /// (waiting time + duration) / duration.
    ///
    /// Source: `li`, section 6.1.
    #[must_use]
    pub fn slowdown(&self) -> Option<f64> {
        let duration = self.judged_duration()?;
        Some((self.waiting()? + duration) / duration)
    }

    fn bounded_slowdown(&self) -> Option<f64> {
        let duration = self.judged_duration()?;
        Some(((self.waiting()? + duration) / duration.max(BOUND)).max(1.0))
    }

    fn stretch(&self) -> Option<f64> {
        let (request, placed) = self.accepted()?;
        placed.stretch(request.arrival)
    }
}

impl Placed {
    /// Turnaround by execution time of what was submitted at the second `submitted`; nothing of what is over as it begins.
    pub(crate) fn stretch(&self, submitted: u64) -> Option<f64> {
        let turnaround = self.finish().saturating_sub(submitted) as f64;
        (self.ran > 0).then(|| turnaround / self.ran as f64)
    }

    /// The same, without what only shows that a job is very short; at least 1.
    pub(crate) fn bounded_stretch(&self, submitted: u64) -> f64 {
        let turnaround = self.finish().saturating_sub(submitted) as f64;
        (turnaround / (self.ran as f64).max(BOUND)).max(1.0)
    }
}
