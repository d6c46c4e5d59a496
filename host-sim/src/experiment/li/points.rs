//! The points of the paper's figures, the workload, the machine, and the readings of what the paper leaves open.
//!
//! Source: `li`, section 6.1.

use bookahead::Policy;

use super::plain;
use crate::experiment::{Assumption, Decide, ENGINE, Tick};
use crate::{
    engine::{Binding, Story, Strategy, System},
    error::Result,
    operation::Script,
    workload::{
        lublin::{Lublin, six_class::Reconstruction},
        reserve::Factors,
    },
};

/// Where in the space of settings a run lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::experiment) struct Point {
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
const FLEXIBLE: Point = Point {
    flexibility: 5.0,
    ..DEFAULT
};

/// What a figure varies.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    /// Its name in figures.
    pub(super) name: &'static str,
    values: [f64; 5],
    tick: fn(f64) -> Tick,
    point: fn(f64) -> Point,
}

/// Sizes and with them durations: figures 2 and 3.
pub(super) const SIZES: Axis = Axis {
    name: "UMed",
    values: [5.0, 6.0, 7.0, 8.0, 9.0],
    tick: Tick::number,
    point: |u_med| Point { u_med, ..DEFAULT },
};

/// The load: figures 4 and 5.
pub(super) const LOADS: Axis = Axis {
    name: "arrival factor",
    values: [0.5, 0.75, 1.0, 1.25, 1.5],
    tick: Tick::number,
    point: |arrival| Point { arrival, ..DEFAULT },
};

/// The flexibility: figures 6 and 7.
pub(super) const FLEXIBILITIES: Axis = Axis {
    name: "{book-ahead factor, deadline factor}",
    values: [1.0, 2.0, 3.0, 4.0, 5.0],
    // Side by side.
    tick: |level| Tick {
        value: level - 1.0,
        text: format!("{{{level},{level}}}"),
    },
    point: |flexibility| Point {
        flexibility,
        ..DEFAULT
    },
};

impl Axis {
    /// Its points with their ticks.
    pub(super) fn points(self) -> Vec<(Tick, Point)> {
        let point = |value| ((self.tick)(value), (self.point)(value));
        self.values.map(point).to_vec()
    }
}

/// Every point of every axis once: thirteen.
pub(super) fn all() -> Vec<Point> {
    let mut points = Vec::new();
    for (_, point) in [SIZES, LOADS, FLEXIBILITIES].map(Axis::points).concat() {
        if !points.contains(&point) {
            points.push(point);
        }
    }
    points
}

pub(super) use bookahead_oracle::papers::li::definitions::PES;

// Places of the policies in [`Policy::ALL`], by the paper's abbreviations.
pub(super) const FF: usize = 0;
pub(super) const PE_B: usize = 1;
pub(super) const PE_W: usize = 2;
pub(super) const DU_B: usize = 3;
pub(super) const DU_W: usize = 4;
pub(super) const PEDU_B: usize = 5;
pub(super) const PEDU_W: usize = 6;
pub(super) const POLICIES: [usize; 7] = [FF, PE_B, PE_W, DU_B, DU_W, PEDU_B, PEDU_W];

/// A way to read the paper, and where it is run.
#[derive(Clone, Copy)]
struct Reading {
    name: &'static str,
    /// Where the weights of the run-time classes come from.
    run_times: Reconstruction,
    /// Divides the gaps between jobs.
    time_divisor: f64,
    /// Whether lead time and slack share one random number.
    same_draw: bool,
    slots: u32,
    slot_seconds: u32,
    binding: Binding,
    decide: Decide,
    points: fn() -> Vec<Point>,
    /// As often as the main reading or less.
    often: bool,
}

/// The reading the verdicts are about.
///
/// Of the combinations of run times and gaps it is the only one at which the default point asks less of the machine than it can
/// do (about 0.77 of it, as a production log does; the others ask 1.3 times and more), so that arrival factors from 0.5
/// to 1.5 mean from light load to overload. Run times come from requested times of the log, which the paper says it compared;
/// and two formulas that each say U[0,1] are taken to draw twice. Minutes, a horizon that holds the latest deadline of the most flexible
/// jobs, and early binding as in the paper.
const MAIN: Reading = Reading {
    name: "log sample, gaps as modelled, two draws",
    run_times: Reconstruction::LogSample,
    time_divisor: 1.0,
    same_draw: false,
    slots: 2048,
    slot_seconds: 60,
    binding: Binding::Early,
    decide: ENGINE,
    points: all,
    often: true,
};

/// Another workload.
const JOBS: Reading = Reading {
    often: false,
    ..MAIN
};

/// Another machine, at some points.
const MACHINE: Reading = Reading {
    points: || vec![DEFAULT, FLEXIBLE, LIGHT],
    ..JOBS
};

/// What is run: the main reading, and others that differ from it in one respect.
const ALL_READINGS: [Reading; 9] = [
    MAIN,
    Reading {
        name: "run times from the model",
        run_times: Reconstruction::ModelRounded,
        ..JOBS
    },
    Reading {
        name: "gaps of the LANL CM-5",
        time_divisor: Lublin::LANL_CM5_TIME_DIVISOR,
        ..JOBS
    },
    Reading {
        name: "one draw for both factors",
        same_draw: true,
        ..JOBS
    },
    Reading {
        name: "60 s x 4096",
        slots: 4096,
        ..MACHINE
    },
    Reading {
        name: "10 s x 12288",
        slots: 12_288,
        slot_seconds: 10,
        ..MACHINE
    },
    // The paper does not say where a rectangle ends that nothing limits. The kernel's ends with the horizon; here it ends with the last
    // record, or with the job itself where that is later.
    Reading {
        name: "rectangles end with the last record",
        decide: |system, script| plain::simulate(system, &script.demands).map(Story::from),
        ..MACHINE
    },
    Reading {
        name: "late",
        binding: Binding::Late,
        often: true,
        ..MACHINE
    },
    Reading {
        name: "late-control",
        binding: Binding::LateControl,
        often: true,
        ..MACHINE
    },
];

// Places of these, for figures.
/// Other readings of the workload.
pub(super) const READINGS: std::ops::Range<usize> = 1..4;
/// Other slots, horizons and ends of rectangles.
pub(super) const SLOTTED: std::ops::Range<usize> = 4..7;
/// Other bindings.
pub(super) const BOUND: std::ops::Range<usize> = 7..9;

impl Reading {
    fn assumption(self, scale: &super::Li) -> Assumption<'_, Point> {
        let (slots, seconds, binding) = (self.slots, self.slot_seconds, self.binding);
        let system = |policy| System::new(PES, slots, seconds, Strategy::Fit(policy), binding);
        Assumption {
            name: self.name,
            points: (self.points)(),
            systems: Policy::ALL
                .map(|policy| (policy.name(), system(policy)))
                .into(),
            applies: |_, _| true,
            replications: match self.often {
                true => scale.replications,
                false => scale.other_replications,
            },
            script: Box::new(move |point, replication| self.script(point, scale, replication)),
            decide: self.decide,
        }
    }

    /// What arrives in one replication.
    fn script(&self, point: Point, scale: &super::Li, replication: u32) -> Result<Script> {
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
            ..Factors::default()
        };
        let jobs = model.jobs(scale.seed, replication)?.take(scale.jobs);
        let demands = factors.demands(jobs, scale.seed, replication)?;
        Ok(demands.collect::<Vec<_>>().into())
    }
}

/// What is run.
pub(super) fn assumptions(scale: &super::Li) -> Vec<Assumption<'_, Point>> {
    ALL_READINGS.map(|reading| reading.assumption(scale)).into()
}

#[cfg(test)]
mod tests {
    use super::{DEFAULT, FLEXIBILITIES, FLEXIBLE, LIGHT, LOADS, SIZES, all};

    #[test]
    fn the_axes_cross_at_the_default() {
        assert_eq!(all().len(), 13);
        for axis in [SIZES, LOADS, FLEXIBILITIES] {
            assert_eq!(axis.points()[2].1, DEFAULT);
        }
        assert_eq!(LOADS.points()[0].1, LIGHT);
        assert_eq!(FLEXIBILITIES.points()[4].1, FLEXIBLE);
        assert_eq!(FLEXIBILITIES.points()[2].0.text, "{3,3}");
    }
}
