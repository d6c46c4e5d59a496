//! Jobs become reservation requests: book-ahead, deadline and load by factors.
//!
//! For a job submitted at `ts` that books `tdu` seconds, with U and U' uniform in [0, 1):
//!
//! | | real number | whole seconds |
//! |---|---|---|
//! | arrival | `ta = ts / af` | rounded down |
//! | ready | `tr = ta + far * U * tdu` | lead time rounded up |
//! | deadline | `tdl = tr + (1 + fdl * U') * tdu` | slack rounded down |
//!
//! So a request is ready no earlier than its formula says, has no more slack, and always a window of at least `tdu`. The source
//! writes U[0, 1] in both formulas without saying whether it is one draw or two; two is the default here. A job that does not reserve
//! arrives by the same formula and is queued with `tdu` as its estimate.
//!
//! A share of the reservations is flexible: they may still be moved inside their windows after acceptance. With an interval of x percent,
//! the slack of the flexible ones is X percent of `tdu`, X from a Poisson distribution with mean x, and the others have none.
//!
//! Source: `li`, section 6.1; of flexible intervals `netto`, section 4.1.

use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Poisson};

use super::{
    Job,
    rng::{Purpose, stream},
};
use crate::{
    error::{Error, Result},
    request::{BestEffortRequest, Demand, JobRequest},
};

/// The factors.
#[derive(Clone, Debug, PartialEq)]
pub struct Factors {
    /// Divides submission times: above 1 jobs come faster.
    pub arrival: f64,
    /// Longest lead time, in durations.
    pub book_ahead: f64,
    /// Largest slack, in durations.
    pub deadline: f64,
    /// Whether lead time and slack come from the same draw.
    pub same_draw: bool,
    /// Share of the jobs that reserve, 0 to 1; the others run as best effort.
    pub share: f64,
    /// Share of the reservations that are flexible, 0 to 1.
    pub flexible: f64,
    /// Mean slack of the flexible ones, in percent of their durations; by the deadline factor where there is none.
    pub interval: Option<f64>,
    /// How many times what they run jobs book, from the first to the second; nothing where they book what they say.
    pub over: Option<(f64, f64)>,
}

/// Turns jobs into demands, one after the other.
pub struct Maker {
    factors: Factors,
    rng: ChaCha8Rng,
    luck: ChaCha8Rng,
    over: ChaCha8Rng,
}

impl Maker {
    /// The demand of the next job.
    pub fn demand(&mut self, job: Job) -> Demand {
        let factors = &self.factors;
        let flexible = self.luck.random::<f64>() < factors.flexible;
        let interval = factors
            .interval
            .map(|mean| poisson_percent(mean, &mut self.luck));
        let job = factors.overestimated(job, self.over.random());
        factors.demand(job, self.rng.random(), (flexible, interval))
    }
}

impl Default for Factors {
    /// The setting from which the experiments of `li` vary one factor at a time.
    fn default() -> Self {
        Self {
            arrival: 1.0,
            book_ahead: 3.0,
            deadline: 3.0,
            same_draw: false,
            share: 1.0,
            flexible: 1.0,
            interval: None,
            over: None,
        }
    }
}

/// A whole number of percent from a Poisson distribution with this mean.
pub(crate) fn poisson_percent(mean: f64, rng: &mut impl Rng) -> u64 {
    // A mean of 0 is always met.
    Poisson::new(mean).map_or(0, |law| law.sample(rng) as u64)
}

/// The longest mean interval, in percent of a duration.
const MOST_PERCENT: f64 = 1e6;

impl Factors {
    /// Turns jobs into demands, in the same order.
    ///
    /// # Errors
    /// As [`Self::maker`].
    pub fn demands<J: Iterator<Item = Job>>(
        &self,
        jobs: J,
        seed: u64,
        replication: u32,
    ) -> Result<impl Iterator<Item = Demand> + use<J>> {
        let mut maker = self.maker(seed, replication)?;
        Ok(jobs.map(move |job| maker.demand(job)))
    }

    /// What turns jobs into demands, one after the other.
    ///
    /// Every job takes three draws whatever the factors are, so changing a factor changes no other job's luck. Flexibility is drawn apart.
    ///
    /// # Errors
    /// [`Error::Usage`] if a factor is out of its range.
    pub fn maker(&self, seed: u64, replication: u32) -> Result<Maker> {
        self.check()?;
        Ok(Maker {
            factors: self.clone(),
            rng: stream(seed, Purpose::Reservations, replication),
            luck: stream(seed, Purpose::Flexibility, replication),
            over: stream(seed, Purpose::Overestimates, replication),
        })
    }

    /// Whether every factor is in its range.
    ///
    /// # Errors
    /// [`Error::Usage`] names the first that is not, as the option that sets it.
    pub fn check(&self) -> Result<()> {
        let checks = [
            (
                "--arrival-factor",
                self.arrival,
                self.arrival > 0.0,
                "a finite number above 0",
            ),
            (
                "--book-ahead-factor",
                self.book_ahead,
                self.book_ahead >= 0.0,
                "a finite number of 0 or more",
            ),
            (
                "--deadline-factor",
                self.deadline,
                self.deadline >= 0.0,
                "a finite number of 0 or more",
            ),
            (
                "--reservation-share",
                self.share,
                (0.0..=1.0).contains(&self.share),
                "a number from 0 to 1",
            ),
            (
                "--flexible-share",
                self.flexible,
                (0.0..=1.0).contains(&self.flexible),
                "a number from 0 to 1",
            ),
            (
                "--k-over",
                self.over.map_or(1.0, |over| over.0),
                self.over
                    .is_none_or(|(least, most)| 1.0 <= least && least <= most),
                "factors of 1 or more",
            ),
            (
                "--interval",
                self.interval.unwrap_or(0.0),
                (0.0..=MOST_PERCENT).contains(&self.interval.unwrap_or(0.0)),
                "percent from 0 to 1,000,000",
            ),
        ];
        for (name, value, in_range, expected) in checks {
            if !(in_range && value.is_finite()) {
                return Err(Error::Usage(format!("{name} {value}: expected {expected}")));
            }
        }
        Ok(())
    }

    /// The job as it is booked, with a draw from [0, 1).
    fn overestimated(&self, job: Job, draw: f64) -> Job {
        let Some((least, most)) = self.over else {
            return job;
        };
        let factor = least + (most - least) * draw;
        Job {
            duration: (job.run as f64 * factor).ceil() as u64,
            ..job
        }
    }

    fn demand(
        &self,
        job: Job,
        [who, ahead, slack]: [f64; 3],
        (flexible, interval): (bool, Option<u64>),
    ) -> Demand {
        // Conversions from float saturate, and so do the sums: an absurd factor makes a request beyond any horizon.
        let arrival = (job.submit / self.arrival) as u64;
        if who >= self.share {
            return Demand::BestEffort(BestEffortRequest {
                job_id: job.id,
                arrival,
                pes: job.pes,
                estimate: job.duration,
                run: job.run,
                user: job.user,
                ..BestEffortRequest::default()
            });
        }
        let slack = if self.same_draw { ahead } else { slack };
        let duration = job.duration as f64;
        let ready = arrival.saturating_add((self.book_ahead * ahead * duration).ceil() as u64);
        let slack = match interval {
            None => (self.deadline * slack * duration) as u64,
            Some(percent) if flexible => job.duration.saturating_mul(percent) / 100,
            Some(_) => 0,
        };
        Demand::Reserve(JobRequest {
            job_id: job.id,
            arrival,
            ready,
            duration: job.duration,
            deadline: ready.saturating_add(job.duration).saturating_add(slack),
            pes: job.pes,
            run: job.run,
            flexible,
            user: job.user,
            ..JobRequest::default()
        })
    }
}
