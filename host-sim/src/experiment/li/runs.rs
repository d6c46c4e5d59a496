//! Runs the grid and keeps what the claims need of it.

use bookahead::Policy;
use rayon::prelude::*;

use super::{
    audit::{Audit, audit},
    machine::{Machine, OpenEnd},
    plain,
    points::{Axis, Point, Reading},
};
use crate::{
    engine::{Outcome, metrics::Metrics},
    error::Result,
    experiment::{curves::Curves, grid},
    progress::Bar,
    request::JobRequest,
};

/// The policies by the paper's names, in the order of [`Policy::ALL`].
pub(super) const NAMES: [&str; 7] = ["FF", "PE_B", "PE_W", "Du_B", "Du_W", "PEDu_B", "PEDu_W"];

/// The figures of one run.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Accepted requests by requests.
    pub(super) acceptance: f64,
    /// The same weighted by PEs x duration.
    pub(super) work: f64,
    /// Mean slowdown of the accepted.
    pub(super) slowdown: f64,
    /// Mean time from ready to start of the accepted (s).
    pub(super) wait: f64,
    /// Share of the requests that do not fit between the slot edges of their own window.
    pub(super) too_short: f64,
    /// Whether promises were kept.
    pub(super) audit: Audit,
}

impl Cell {
    fn of(outcomes: &[Outcome], pes: u16) -> Self {
        let metrics = Metrics::of(outcomes, pes);
        let too_short = metrics.refusals.get("window-too-short").copied();
        let waits = outcomes.iter().filter_map(|outcome| {
            let (request, placed) = outcome.accepted()?;
            Some(placed.start.saturating_sub(request.ready) as f64)
        });
        Self {
            acceptance: metrics.acceptance_rate,
            work: metrics.accepted_work_rate,
            slowdown: metrics.average_slowdown,
            wait: waits.sum::<f64>() / metrics.accepted.max(1) as f64,
            too_short: too_short.unwrap_or(0) as f64 / metrics.requests.max(1) as f64,
            audit: audit(outcomes),
        }
    }
}

/// What one replication asks of the machine.
#[derive(Clone, Debug)]
pub(super) struct Traffic {
    /// Mean number of processing elements.
    pub(super) size: f64,
    /// Mean duration (s).
    pub(super) duration: f64,
    /// Work asked for by work the machine can do between the first arrival and the last.
    pub(super) load: f64,
}

impl Traffic {
    fn of(requests: &[JobRequest], pes: u16) -> Self {
        let count = requests.len().max(1) as f64;
        let sum = |value: fn(&JobRequest) -> u64| -> f64 {
            requests.iter().map(|request| value(request) as f64).sum()
        };
        let arrivals = || requests.iter().map(|request| request.arrival);
        let length = arrivals().max().unwrap_or(0) - arrivals().min().unwrap_or(0);
        let work = sum(|request| request.pes * request.duration);
        Self {
            size: sum(|request| request.pes) / count,
            duration: sum(|request| request.duration) / count,
            load: work / (f64::from(pes) * length.max(1) as f64),
        }
    }
}

/// A figure of the requests with its name.
pub(super) type TrafficSeries = (&'static str, fn(&Traffic) -> f64);

/// One replication at one point: the same requests under every policy.
#[derive(Clone, Debug)]
pub(super) struct Round {
    /// The requests in figures.
    pub(super) traffic: Traffic,
    /// The runs, in the order of the policies.
    pub(super) cells: Vec<Cell>,
}

/// All rounds of one reading on one machine.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    /// The points.
    pub(super) points: Vec<Point>,
    /// By point and replication.
    pub(super) rounds: Vec<Vec<Round>>,
}

/// What is run.
#[derive(Clone, Copy)]
pub(super) struct Order {
    pub(super) reading: Reading,
    pub(super) machine: Machine,
    pub(super) jobs: usize,
    pub(super) replications: u32,
    pub(super) seed: u64,
}

impl Order {
    /// Runs all policies at all points in all replications; one tick of the bar for each round.
    pub(super) fn run(&self, points: Vec<Point>, bar: &Bar) -> Result<Sheet> {
        let rounds = grid::run(&points, self.replications, |&point, replication| {
            let round = self.round(point, replication);
            bar.tick();
            round
        })?;
        Ok(Sheet { points, rounds })
    }

    fn round(&self, point: Point, replication: u32) -> Result<Round> {
        let requests = self
            .reading
            .requests(point, self.jobs, self.seed, replication)?;
        let pes = super::machine::PES;
        let cells = Policy::ALL
            .par_iter()
            .map(|&policy| {
                let outcomes = self.outcomes(&requests, policy)?;
                Ok(Cell::of(&outcomes, pes))
            })
            .collect::<Result<_>>()?;
        Ok(Round {
            traffic: Traffic::of(&requests, pes),
            cells,
        })
    }
}

impl Order {
    fn outcomes(&self, requests: &[JobRequest], policy: Policy) -> Result<Vec<Outcome>> {
        match self.machine.open_end {
            OpenEnd::Horizon => self.machine.run(requests, policy),
            OpenEnd::LastRecord => Ok(plain::simulate(requests, &self.machine, policy)),
        }
    }
}

impl Sheet {
    /// The points of an axis that were run, with their places.
    fn along(&self, axis: Axis) -> Vec<(Point, usize)> {
        let place = |point| self.points.iter().position(|other| *other == point);
        axis.points()
            .into_iter()
            .filter_map(|point| Some((point, place(point)?)))
            .collect()
    }

    /// A measure of every policy along an axis.
    pub(super) fn curves(&self, axis: Axis, measure: fn(&Cell) -> f64) -> Curves {
        let along = self.along(axis);
        let at = |place: usize, policy: usize| -> Vec<f64> {
            let rounds = &self.rounds[place];
            rounds
                .iter()
                .map(|round| measure(&round.cells[policy]))
                .collect()
        };
        Curves {
            axis: axis.name().to_owned(),
            ticks: along.iter().map(|(point, _)| axis.tick(*point)).collect(),
            names: NAMES.map(str::to_owned).to_vec(),
            samples: (0..NAMES.len())
                .map(|policy| along.iter().map(|(_, place)| at(*place, policy)).collect())
                .collect(),
        }
    }

    /// Figures of the requests along an axis, one series each.
    pub(super) fn traffic(&self, axis: Axis, series: &[TrafficSeries]) -> Curves {
        let along = self.along(axis);
        let at = |place: usize, measure: fn(&Traffic) -> f64| -> Vec<f64> {
            let rounds = &self.rounds[place];
            rounds.iter().map(|round| measure(&round.traffic)).collect()
        };
        Curves {
            axis: axis.name().to_owned(),
            ticks: along.iter().map(|(point, _)| axis.tick(*point)).collect(),
            names: series.iter().map(|(name, _)| (*name).to_owned()).collect(),
            samples: series
                .iter()
                .map(|(_, measure)| {
                    along
                        .iter()
                        .map(|(_, place)| at(*place, *measure))
                        .collect()
                })
                .collect(),
        }
    }

    /// A measure of every policy at a point that was run: by policy, then replication.
    pub(super) fn at(&self, point: Point, measure: fn(&Cell) -> f64) -> Vec<Vec<f64>> {
        let place = self.points.iter().position(|other| *other == point);
        let rounds = place.map_or(&[][..], |place| &self.rounds[place]);
        (0..NAMES.len())
            .map(|policy| {
                rounds
                    .iter()
                    .map(|round| measure(&round.cells[policy]))
                    .collect()
            })
            .collect()
    }

    /// The same with fewer points.
    pub(super) fn only(&self, points: &[Point]) -> Self {
        let kept = self.points.iter().zip(&self.rounds);
        let (points, rounds) = kept
            .filter(|(point, _)| points.contains(point))
            .map(|(point, rounds)| (*point, rounds.clone()))
            .unzip();
        Self { points, rounds }
    }

    /// The mean load at a point.
    pub(super) fn mean_load(&self, point: Point) -> f64 {
        let place = self.points.iter().position(|other| *other == point);
        let rounds = place.map_or(&[][..], |place| &self.rounds[place]);
        let loads = rounds.iter().map(|round| round.traffic.load);
        loads.sum::<f64>() / rounds.len().max(1) as f64
    }

    /// What the audits of all runs found.
    pub(super) fn audit(&self) -> Audit {
        let cells = self.rounds.iter().flatten().flat_map(|round| &round.cells);
        cells.fold(Audit::default(), |sum, cell| sum.and(&cell.audit))
    }
}
