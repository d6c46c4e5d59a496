//! Failures that are drawn: each group of the machine fails and comes back again and again, independently of the others.

use rand_distr::{Distribution, Exp, Weibull};
use statrs::function::gamma::gamma;

use super::rng::{Purpose, stream};
use crate::{
    error::{Error, Result},
    layout::Layout,
    outage::{Notice, OutageKind},
};

/// How often groups fail, and for how long.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Failures {
    /// Mean time from the return of a group to its next failure (s).
    pub mtbf: f64,
    /// Mean time from a failure to the return (s), exponential.
    pub mttr: f64,
    /// Shape of the Weibull distribution of the first; 1 makes it exponential, less lets failures come in clusters.
    pub shape: f64,
}

impl Failures {
    /// The failures of a machine from second `from` to `to`, in order of time. No repair takes longer than `longest` seconds.
    ///
    /// # Errors
    /// [`Error::Usage`] if a parameter is out of its range; it is named as the option that sets it.
    pub fn draw(
        &self,
        layout: &Layout,
        seed: u64,
        [from, to]: [u64; 2],
        longest: u64,
    ) -> Result<Vec<Notice>> {
        let positive = [
            ("--mtbf", self.mtbf),
            ("--mttr", self.mttr),
            ("--failure-shape", self.shape),
        ];
        for (option, value) in positive {
            if !(value.is_finite() && value > 0.0) {
                return Err(Error::Usage(format!(
                    "{option} {value}: expected a finite number above 0"
                )));
            }
        }
        let scale = self.mtbf / gamma(1.0 + self.shape.recip());
        let up = Weibull::new(scale, self.shape).map_err(|error| {
            Error::Usage(format!(
                "--mtbf {} with --failure-shape {}: {error}",
                self.mtbf, self.shape
            ))
        })?;
        let down = Exp::new(self.mttr.recip())
            .map_err(|error| Error::Usage(format!("--mttr {}: {error}", self.mttr)))?;
        let mut rng = stream(seed, Purpose::Failures, 0);
        let mut notices = Vec::new();
        for group in 0..layout.groups {
            let set = crate::files::PeRanges(vec![(group.into(), group.into())]);
            let pes = layout.pes_of(&set).narrow();
            let mut now = from as f64;
            loop {
                now += up.sample(&mut rng);
                let start = now.round();
                if pes.is_empty() || start >= to as f64 {
                    break;
                }
                now = start
                    + down
                        .sample(&mut rng)
                        .ceil()
                        .clamp(1.0, longest.max(1) as f64);
                notices.push(Notice {
                    id: 0,
                    announced: start as u64,
                    start: start as u64,
                    end: now as u64,
                    pes: pes.clone(),
                    kind: OutageKind::Failure,
                });
            }
        }
        notices.sort_by_key(|notice| (notice.announced, notice.pes.first().copied()));
        for (id, notice) in (1..).zip(&mut notices) {
            notice.id = id;
        }
        Ok(notices)
    }
}
