//! The points of the paper's figures, and the readings of what it leaves open.
//!
//! Source: `li`, section 6.1.

use crate::{
    error::Result,
    request::{Demand, JobRequest},
    workload::{lublin::Lublin, reserve::Factors, six_class::Reconstruction},
};

/// Where in the space of settings a run lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    /// log2 of the size at which the two stages of sizes meet.
    pub(super) u_med: f64,
    /// The arrival factor.
    pub(super) arrival: f64,
    /// Both the book-ahead and the deadline factor.
    pub(super) flexibility: f64,
}

/// The point that all three axes share.
pub(super) const DEFAULT: Point = Point {
    u_med: 7.0,
    arrival: 1.0,
    flexibility: 3.0,
};

/// The least loaded point of the arrival axis.
pub(super) const LIGHT: Point = Point {
    arrival: 0.5,
    ..DEFAULT
};

/// The point with the most room to move.
pub(super) const FLEXIBLE: Point = Point {
    flexibility: 5.0,
    ..DEFAULT
};

/// What a figure varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    /// Sizes and with them durations: figures 2 and 3.
    Sizes,
    /// The load: figures 4 and 5.
    Load,
    /// The flexibility: figures 6 and 7.
    Flexibility,
}

impl Axis {
    /// All of them.
    pub(super) const ALL: [Self; 3] = [Self::Sizes, Self::Load, Self::Flexibility];

    /// Its name in figures.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Sizes => "UMed",
            Self::Load => "arrival factor",
            Self::Flexibility => "{artime factor, deadline factor}",
        }
    }

    /// Its points.
    pub(super) fn points(self) -> [Point; 5] {
        match self {
            Self::Sizes => [5.0, 6.0, 7.0, 8.0, 9.0].map(|u_med| Point { u_med, ..DEFAULT }),
            Self::Load => [0.5, 0.75, 1.0, 1.25, 1.5].map(|arrival| Point { arrival, ..DEFAULT }),
            Self::Flexibility => [1.0, 2.0, 3.0, 4.0, 5.0].map(|flexibility| Point {
                flexibility,
                ..DEFAULT
            }),
        }
    }

    /// What a tick says.
    pub(super) fn tick(self, point: Point) -> String {
        match self {
            Self::Sizes => point.u_med.to_string(),
            Self::Load => point.arrival.to_string(),
            Self::Flexibility => format!("{{{0},{0}}}", point.flexibility),
        }
    }
}

/// Every point of every axis once: thirteen.
pub(super) fn all() -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    for point in Axis::ALL.into_iter().flat_map(Axis::points) {
        if !points.contains(&point) {
            points.push(point);
        }
    }
    points
}

/// A way to read what the paper does not print.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reading {
    /// What it is called in notes and figures.
    pub(super) name: &'static str,
    /// Where the weights of the run-time classes come from.
    pub(super) run_times: Reconstruction,
    /// Divides the gaps between jobs.
    pub(super) time_divisor: f64,
    /// Whether lead time and slack share one random number.
    pub(super) same_draw: bool,
}

/// The reading the verdicts are about.
///
/// Of the combinations of run times and gaps it is the only one at which the default point asks less of the machine than it can
/// do (about 0.77 of it, as a production log does; the others ask 1.3 times and more), so that arrival factors from 0.5
/// to 1.5 mean from light load to overload. Run times come from requested times of the log, which the paper says it compared;
/// and two formulas that each say U[0,1] are taken to draw twice.
pub(super) const MAIN: Reading = Reading {
    name: "log sample, gaps as modelled, two draws",
    run_times: Reconstruction::LogSample,
    time_divisor: 1.0,
    same_draw: false,
};

/// The others: each differs from the main one in one respect.
pub(super) const OTHERS: [Reading; 3] = [
    Reading {
        name: "run times from the model",
        run_times: Reconstruction::ModelRounded,
        ..MAIN
    },
    Reading {
        name: "gaps of the LANL CM-5",
        time_divisor: Lublin::LANL_CM5_TIME_DIVISOR,
        ..MAIN
    },
    Reading {
        name: "one draw for both factors",
        same_draw: true,
        ..MAIN
    },
];

impl Reading {
    /// The requests of one replication.
    pub(super) fn requests(
        &self,
        point: Point,
        jobs: usize,
        seed: u64,
        replication: u32,
    ) -> Result<Vec<JobRequest>> {
        let model = Lublin {
            time_divisor: self.time_divisor,
            ..Lublin::lanl_cm5(point.u_med, self.run_times)
        };
        let factors = Factors {
            arrival: point.arrival,
            book_ahead: point.flexibility,
            deadline: point.flexibility,
            same_draw: self.same_draw,
            share: 1.0,
        };
        let jobs = model.jobs(seed, replication)?.take(jobs);
        let requests = factors.demands(jobs, seed, replication)?;
        Ok(requests
            .filter_map(|demand| match demand {
                Demand::Reserve(request) => Some(request),
                Demand::Hold(_) | Demand::BestEffort(_) => None,
            })
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{Axis, DEFAULT, FLEXIBLE, LIGHT, all};

    #[test]
    fn the_axes_cross_at_the_default() {
        assert_eq!(all().len(), 13);
        for axis in Axis::ALL {
            assert_eq!(axis.points()[2], DEFAULT);
        }
        assert_eq!(Axis::Load.points()[0], LIGHT);
        assert_eq!(Axis::Flexibility.points()[4], FLEXIBLE);
        assert_eq!(Axis::Flexibility.tick(DEFAULT), "{3,3}");
    }
}
