//! What became of each demand, in seconds again.

use bookahead::{Error, Money};

use crate::request::{BestEffortRequest, Demand, JobRequest};

/// One demand and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What was asked.
    pub demand: Demand,
    /// The place that it got, or why there is none.
    pub fate: Result<Placed, Error>,
}

/// The place of an accepted reservation, or of a best-effort job that ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The start that was booked, a slot edge (s): the promise made to a reservation.
    pub start: u64,
    /// The booked end, a slot edge (s).
    pub end: u64,
    /// When the job really started, by the kernel's event (s).
    pub began: u64,
    /// How long it ran from then on (s).
    pub ran: u64,
    /// The processing elements it ran on, as inclusive ranges in increasing order.
    pub pes: Vec<(u16, u16)>,
    /// What it cost: for a reservation the slots booked, for a best-effort job the minutes it ran, begun ones included.
    pub price: Money,
}

impl Placed {
    /// When the job was really over (s).
    #[must_use]
    pub fn finish(&self) -> u64 {
        self.began + self.ran
    }

    /// How many of the `asked` seconds it was granted: fewer where an elastic reservation was reduced.
    #[must_use]
    pub fn granted(&self, asked: u64) -> u64 {
        asked.min(self.end - self.start)
    }

    /// Whether it is less than was asked for.
    #[must_use]
    pub fn is_less_than(&self, request: &JobRequest) -> bool {
        self.width() < request.pes || self.granted(request.duration) < request.duration
    }

    /// How many processing elements it got.
    #[must_use]
    pub fn width(&self) -> u64 {
        let widths = self.pes.iter().map(|(first, last)| last - first);
        widths.map(|steps| u64::from(steps) + 1).sum()
    }
}

impl Outcome {
    /// The request to reserve, and its place or the reason for refusing it; nothing for a best-effort job.
    #[must_use]
    pub fn reservation(&self) -> Option<(&JobRequest, Result<&Placed, Error>)> {
        match &self.demand {
            Demand::Reserve(request) => Some((request, self.fate.as_ref().map_err(|why| *why))),
            Demand::BestEffort(_) => None,
        }
    }

    /// The reservation where it is one that was accepted.
    #[must_use]
    pub fn accepted(&self) -> Option<(&JobRequest, &Placed)> {
        let (request, decision) = self.reservation()?;
        Some((request, decision.ok()?))
    }

    /// The best-effort job, and its place or the reason why it can never run; nothing for a reservation.
    #[must_use]
    pub fn best_effort(&self) -> Option<(&BestEffortRequest, Result<&Placed, Error>)> {
        match &self.demand {
            Demand::Reserve(_) => None,
            Demand::BestEffort(job) => Some((job, self.fate.as_ref().map_err(|why| *why))),
        }
    }

    /// (wait + duration) / duration of an accepted reservation, with wait from ready to start.
    ///
    /// Source: `li`, section 6.1.
    #[must_use]
    pub fn slowdown(&self) -> Option<f64> {
        let (request, placed) = self.accepted()?;
        let wait = placed.start.saturating_sub(request.ready) as f64;
        let duration = request.duration as f64;
        Some((wait + duration) / duration)
    }
}
