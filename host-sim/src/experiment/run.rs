//! Runs everything that a paper compares, audits each run, and keeps what the measures say.

use std::fmt::Debug;

use rayon::prelude::*;

use super::{
    basis::Count,
    panel::{AxisName, Panel, Tick},
};
use crate::{
    check,
    engine::{self, Outcome, Story, System, metrics::Metrics},
    error::{Error, Result},
    operation::Script,
    progress::Bar,
};

/// One run with what it came from.
pub(super) struct Run<'a> {
    /// The system it ran on.
    pub(super) system: &'a System,
    /// What became of each demand.
    pub(super) outcomes: &'a [Outcome],
    /// Its general figures.
    pub(super) metrics: &'a Metrics,
}

/// A figure of a run.
#[derive(Clone, Copy)]
pub(super) struct Measure {
    /// What it is called.
    pub(super) name: &'static str,
    /// Its unit; empty where it has none.
    pub(super) unit: &'static str,
    /// Takes it from a run; not a number where the run has no such figure.
    pub(super) of: fn(&Run) -> f64,
}

impl Measure {
    /// A name, a unit, and what takes the figure from a run.
    pub(super) const fn new(name: &'static str, unit: &'static str, of: fn(&Run) -> f64) -> Self {
        Self { name, unit, of }
    }
}

/// One way to read what a paper leaves open: what is run, and where.
pub(super) struct Assumption<'a, P> {
    /// What it is called in evidence and figures.
    pub(super) name: &'static str,
    /// The points.
    pub(super) points: Vec<P>,
    /// The systems compared, each by the paper's name.
    pub(super) systems: Vec<(&'static str, System)>,
    /// Which of them are run at a point.
    pub(super) applies: fn(P, usize) -> bool,
    /// How often each point is run.
    pub(super) replications: u32,
    /// What arrives at a point in a replication, numbered from 0, and what is done to it; the same for all systems.
    pub(super) script: Box<dyn Fn(P, u32) -> Result<Script> + Sync + 'a>,
    /// Decides the demands: the engine, or a transcription where the paper is read otherwise than the kernel is built.
    pub(super) decide: Decide,
}

/// What becomes of a script on a system.
pub(super) type Decide = fn(&System, &Script) -> Result<Story>;

/// The engine.
pub(super) const ENGINE: Decide = |system, script| engine::replay(system, script, &|| {});

/// Whether promises were kept, over many runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Audit {
    /// Runs.
    pub(super) runs: usize,
    /// Requests to reserve in them.
    pub(super) requests: usize,
    /// Accepted ones, and what the checker found wrong.
    pub(super) accepted: Count,
}

impl Audit {
    /// Judges a run by the rules that result files are judged by; `which` names the run.
    fn of(run: &Run, story: &Story, which: impl Fn() -> String) -> Self {
        let found = check::measured(run.system, story, run.metrics);
        let first = found.first();
        Self {
            runs: 1,
            requests: run.metrics.requests,
            accepted: Count {
                looked_at: run.metrics.accepted,
                wrong: found.len(),
                first: first.map_or_else(String::new, |first| format!("{first} ({})", which())),
            },
        }
    }

    /// Both together.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            runs: self.runs + other.runs,
            requests: self.requests + other.requests,
            accepted: self.accepted.and(other.accepted),
        }
    }

    /// An error for a promise that was broken: nothing that such runs show is worth reading.
    pub(super) fn kept(&self) -> Result<()> {
        let (runs, Count { wrong, first, .. }) = (self.runs, &self.accepted);
        match wrong {
            0 => Ok(()),
            _ => Err(Error::Violated(format!(
                "{wrong} violations in {runs} runs, the first: {first}"
            ))),
        }
    }
}

/// What was measured, by point, system, measure and replication.
#[derive(Clone, Debug)]
pub(super) struct Samples<P> {
    systems: Vec<&'static str>,
    measures: Vec<&'static str>,
    /// The replications of each system and measure, in this order.
    points: Vec<(P, Vec<Vec<f64>>)>,
}

impl<P: Copy + Debug + PartialEq + Send + Sync> Assumption<'_, P> {
    /// How many times the script of a point is run.
    pub(super) fn steps(&self) -> u64 {
        self.points.len() as u64 * u64::from(self.replications)
    }

    /// What became of the script of one run.
    pub(super) fn one(&self, point: P, replication: u32, system: usize) -> Result<Story> {
        let (_, system) = &self.systems[system];
        (self.decide)(system, &(self.script)(point, replication)?)
    }

    /// Runs all systems at all points in all replications, in parallel and with results in order; one tick of the bar for each point
    /// and replication.
    pub(super) fn run(&self, measures: &[Measure], bar: &Bar) -> Result<(Samples<P>, Audit)> {
        let runs = |point: &P| {
            let point = *point;
            (0..self.replications).map(move |replication| (point, replication))
        };
        let rounds: Vec<(P, u32)> = self.points.iter().flat_map(runs).collect();
        let rounds: Vec<Vec<(Audit, Vec<f64>)>> = rounds
            .into_par_iter()
            .map(|(point, replication)| {
                let round = self.round(point, replication, measures);
                bar.tick();
                round
            })
            .collect::<Result<_>>()?;
        let places = self.systems.len() * measures.len();
        let replicated = rounds.chunks(self.replications.max(1) as usize);
        let points = self.points.iter().zip(replicated).map(|(point, rounds)| {
            let mut samples = vec![Vec::new(); places];
            for round in rounds {
                let values = round.iter().flat_map(|(_, values)| values);
                samples
                    .iter_mut()
                    .zip(values)
                    .for_each(|(samples, value)| samples.push(*value));
            }
            (*point, samples)
        });
        let samples = Samples {
            systems: self.systems.iter().map(|(name, _)| *name).collect(),
            measures: measures.iter().map(|measure| measure.name).collect(),
            points: points.collect(),
        };
        let audits = rounds.into_iter().flatten().map(|(audit, _)| audit);
        Ok((samples, audits.fold(Audit::default(), Audit::and)))
    }

    fn round(
        &self,
        point: P,
        replication: u32,
        measures: &[Measure],
    ) -> Result<Vec<(Audit, Vec<f64>)>> {
        let script = (self.script)(point, replication)?;
        let one = |(number, (_, system)): (usize, &(&str, System))| {
            if !(self.applies)(point, number) {
                return Ok((Audit::default(), vec![f64::NAN; measures.len()]));
            }
            let story = (self.decide)(system, &script)?;
            let run = Run {
                system,
                outcomes: &story.outcomes,
                metrics: &Metrics::of_story(&story, system.all_pes()),
            };
            let values = measures.iter().map(|measure| (measure.of)(&run));
            let name = self.name;
            let which = || format!("{name}, {point:?}, system {number}, replication {replication}");
            Ok((Audit::of(&run, &story, which), values.collect()))
        };
        self.systems.par_iter().enumerate().map(one).collect()
    }
}

impl<P: Copy + PartialEq> Samples<P> {
    /// The points that were run.
    pub(super) fn points(&self) -> impl Iterator<Item = P> {
        self.points.iter().map(|(point, _)| *point)
    }

    /// Whether a point was run.
    pub(super) fn has(&self, point: P) -> bool {
        self.points().any(|other| other == point)
    }

    /// How many replications there are.
    pub(super) fn replications(&self) -> usize {
        let values = self.points.first().and_then(|(_, values)| values.first());
        values.map_or(0, Vec::len)
    }

    /// A measure of a system at a point, by replication; nothing at a point that was not run.
    pub(super) fn at(&self, point: P, system: usize, measure: &Measure) -> &[f64] {
        let found = self.points.iter().find(|(other, _)| *other == point);
        let measure = self.measures.iter().position(|name| *name == measure.name);
        let values = found
            .zip(measure)
            .and_then(|((_, values), measure)| values.get(system * self.measures.len() + measure));
        values.map_or(&[], Vec::as_slice)
    }

    /// The sum of a measure over all runs.
    pub(super) fn total(&self, measure: &Measure) -> f64 {
        let systems = 0..self.systems.len();
        let of = |point| {
            systems
                .clone()
                .flat_map(move |system| self.at(point, system, measure))
        };
        self.points().flat_map(of).sum()
    }

    /// Those at the points of others.
    #[must_use]
    pub(super) fn at_points_of(&self, other: &Self) -> Self {
        let mut some = self.clone();
        some.points.retain(|(point, _)| other.has(*point));
        some
    }

    /// A measure of every system along some points; those that were not run are left out.
    pub(super) fn panel(&self, axis: AxisName, along: &[(Tick, P)], measure: &Measure) -> Panel {
        let series = self.systems.iter().enumerate();
        let series: Vec<_> = series.map(|(at, name)| (*name, at, measure)).collect();
        self.panel_of(axis, along, &series)
    }

    /// The same of other series: a name with a system and a measure.
    pub(super) fn panel_of(
        &self,
        axis: AxisName,
        along: &[(Tick, P)],
        series: &[(&str, usize, &Measure)],
    ) -> Panel {
        let there = along.iter().filter(|(_, point)| self.has(*point));
        let points = there.map(|(tick, point)| {
            let series = series.iter();
            let at = series.map(|(_, system, measure)| self.at(*point, *system, measure).to_vec());
            (tick.clone(), at.collect::<Vec<_>>())
        });
        let names = series.iter().map(|(name, ..)| *name);
        Panel {
            value_unit: series.first().map_or("", |(_, _, measure)| measure.unit),
            ..Panel::of(axis, names, points)
        }
    }
}

/// A measure of some systems side by side at a point, one series for each of some sets of runs.
pub(super) fn by_system<P: Copy + PartialEq>(
    axis: &'static str,
    systems: &[usize],
    sets: &[(&str, &Samples<P>)],
    point: P,
    measure: &Measure,
) -> Panel {
    let first = sets
        .first()
        .map_or(&[][..], |(_, samples)| &samples.systems);
    let names = systems.iter().filter_map(|at| first.get(*at));
    let ticks = Tick::labels(names.map(|name| (*name).to_owned()));
    let at = |system: &usize| -> Vec<Vec<f64>> {
        let sets = sets.iter();
        sets.map(|(_, samples)| samples.at(point, *system, measure).to_vec())
            .collect()
    };
    Panel::of(
        (axis, ""),
        sets.iter().map(|(name, _)| *name),
        ticks.into_iter().zip(systems.iter().map(at)),
    )
}
