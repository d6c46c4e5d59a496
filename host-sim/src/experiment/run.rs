//! Runs everything that a paper compares, audits each run, and keeps what the measures say.

use rayon::prelude::*;

use super::panel::{Panel, Tick};
use crate::{
    check,
    engine::{Outcome, Story, System, metrics::Metrics},
    error::{Error, Result},
    progress::Bar,
    request::Demand,
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

/// One way to read what a paper leaves open: what is run, and where.
pub(super) struct Assumption<'a, P> {
    /// What it is called in evidence and figures.
    pub(super) name: &'static str,
    /// The points.
    pub(super) points: Vec<P>,
    /// The systems compared, each by the paper's name.
    pub(super) systems: Vec<(&'static str, System)>,
    /// How often each point is run.
    pub(super) replications: u32,
    /// What arrives at a point in a replication, numbered from 0; the same for all systems.
    pub(super) demands: Box<dyn Fn(P, u32) -> Result<Vec<Demand>> + Sync + 'a>,
    /// Decides the demands: the engine, or a transcription where the paper is read otherwise than the kernel is built.
    pub(super) decide: fn(&System, &[Demand]) -> Result<Story>,
}

/// Whether promises were kept, over many runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Audit {
    /// Runs.
    pub(super) runs: usize,
    /// Requests to reserve in them.
    pub(super) requests: usize,
    /// Accepted ones.
    pub(super) accepted: usize,
    /// What the checker found wrong.
    pub(super) violations: usize,
    /// The first of it in words; empty when there is nothing.
    pub(super) first: String,
}

impl Audit {
    /// Judges a run by the rules that result files are judged by.
    fn of(run: &Run, story: &Story) -> Self {
        let found = check::measured(run.system, story, run.metrics);
        Self {
            runs: 1,
            requests: run.metrics.requests,
            accepted: run.metrics.accepted,
            violations: found.len(),
            first: found.first().map(ToString::to_string).unwrap_or_default(),
        }
    }

    /// Both together.
    #[must_use]
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.runs += other.runs;
        self.requests += other.requests;
        self.accepted += other.accepted;
        self.violations += other.violations;
        if self.first.is_empty() {
            self.first.clone_from(&other.first);
        }
        self
    }

    /// An error for a promise that was broken: nothing that such runs show is worth reading.
    pub(super) fn kept(&self) -> Result<()> {
        let Self {
            runs,
            violations,
            first,
            ..
        } = self;
        match violations {
            0 => Ok(()),
            _ => Err(Error::Violated(format!(
                "{violations} violations in {runs} runs, the first: {first}"
            ))),
        }
    }
}

/// What was measured, by point, system, measure and replication.
#[derive(Clone, Debug)]
pub(super) struct Samples<P> {
    points: Vec<P>,
    systems: Vec<&'static str>,
    measures: Vec<&'static str>,
    /// The replications of each point, system and measure, in this order.
    values: Vec<Vec<f64>>,
}

impl<P: Copy + PartialEq + Send + Sync> Assumption<'_, P> {
    /// How many times the demands of a point are run.
    pub(super) fn steps(&self) -> u64 {
        self.points.len() as u64 * u64::from(self.replications)
    }

    /// What became of the demands of one run.
    pub(super) fn one(&self, point: P, replication: u32, system: usize) -> Result<Story> {
        let (_, system) = &self.systems[system];
        (self.decide)(system, &(self.demands)(point, replication)?)
    }

    /// Runs all systems at all points in all replications, in parallel and with results in order; one tick of the bar for each point
    /// and replication.
    pub(super) fn run(&self, measures: &[Measure], bar: &Bar) -> Result<(Samples<P>, Audit)> {
        let replications: Vec<u32> = (0..self.replications).collect();
        let both = self
            .points
            .iter()
            .flat_map(|point| replications.iter().map(move |run| (*point, *run)));
        let both: Vec<(P, u32)> = both.collect();
        let rounds: Vec<Vec<(Audit, Vec<f64>)>> = both
            .into_par_iter()
            .map(|(point, replication)| {
                let round = self.round(point, replication, measures);
                bar.tick();
                round
            })
            .collect::<Result<_>>()?;
        let mut audit = Audit::default();
        for (found, _) in rounds.iter().flatten() {
            audit = audit.and(found);
        }
        let mut values = Vec::new();
        for rounds in rounds.chunks(replications.len().max(1)) {
            for system in 0..self.systems.len() {
                for measure in 0..measures.len() {
                    let value = |round: &Vec<(Audit, Vec<f64>)>| round[system].1[measure];
                    values.push(rounds.iter().map(value).collect());
                }
            }
        }
        let samples = Samples {
            points: self.points.clone(),
            systems: self.systems.iter().map(|(name, _)| *name).collect(),
            measures: measures.iter().map(|measure| measure.name).collect(),
            values,
        };
        Ok((samples, audit))
    }

    fn round(
        &self,
        point: P,
        replication: u32,
        measures: &[Measure],
    ) -> Result<Vec<(Audit, Vec<f64>)>> {
        let demands = (self.demands)(point, replication)?;
        let one = |(_, system): &(&str, System)| {
            let story = (self.decide)(system, &demands)?;
            let run = Run {
                system,
                outcomes: &story.outcomes,
                metrics: &Metrics::of_story(&story, system.pes),
            };
            let values = measures.iter().map(|measure| (measure.of)(&run));
            Ok((Audit::of(&run, &story), values.collect()))
        };
        self.systems.par_iter().map(one).collect()
    }
}

impl<P: Copy + PartialEq> Samples<P> {
    /// The points that were run.
    pub(super) fn points(&self) -> &[P] {
        &self.points
    }

    /// How many replications there are.
    pub(super) fn replications(&self) -> usize {
        self.values.first().map_or(0, Vec::len)
    }

    /// A measure of a system at a point, by replication; nothing at a point that was not run.
    pub(super) fn at(&self, point: P, system: usize, measure: &Measure) -> &[f64] {
        let point = self.points.iter().position(|other| *other == point);
        let measure = self.measures.iter().position(|name| *name == measure.name);
        let place = point.zip(measure).map(|(point, measure)| {
            (point * self.systems.len() + system) * self.measures.len() + measure
        });
        place
            .and_then(|place| self.values.get(place))
            .map_or(&[], Vec::as_slice)
    }

    /// The sum of a measure over all runs.
    pub(super) fn total(&self, measure: &Measure) -> f64 {
        let systems = 0..self.systems.len();
        let all = self
            .points
            .iter()
            .flat_map(|&point| systems.clone().map(move |system| (point, system)));
        all.flat_map(|(point, system)| self.at(point, system, measure))
            .sum()
    }

    /// The same with fewer points.
    #[must_use]
    pub(super) fn only(&self, points: &[P]) -> Self {
        let each = self.systems.len() * self.measures.len();
        let kept = self.points.iter().zip(self.values.chunks(each.max(1)));
        let kept: Vec<(P, &[Vec<f64>])> = kept
            .filter(|(point, _)| points.contains(point))
            .map(|(point, values)| (*point, values))
            .collect();
        Self {
            points: kept.iter().map(|(point, _)| *point).collect(),
            values: kept
                .iter()
                .flat_map(|(_, values)| values.iter().cloned())
                .collect(),
            systems: self.systems.clone(),
            measures: self.measures.clone(),
        }
    }

    /// A measure of every system along some points; those that were not run are left out.
    pub(super) fn panel(
        &self,
        (axis, unit): (&'static str, &'static str),
        along: &[(Tick, P)],
        measure: &Measure,
    ) -> Panel {
        let series = |system: usize| (self.systems[system].to_owned(), system, measure);
        let series: Vec<_> = (0..self.systems.len()).map(series).collect();
        self.panel_of((axis, unit), along, &series)
    }

    /// The same of other series: a name with a system and a measure.
    pub(super) fn panel_of(
        &self,
        (axis, unit): (&'static str, &'static str),
        along: &[(Tick, P)],
        series: &[(String, usize, &Measure)],
    ) -> Panel {
        let there = |(_, point): &&(Tick, P)| self.points.contains(point);
        let along: Vec<&(Tick, P)> = along.iter().filter(there).collect();
        let samples = |system: usize, measure: &Measure| {
            let at = |(_, point): &&(Tick, P)| self.at(*point, system, measure).to_vec();
            along.iter().map(at).collect()
        };
        Panel {
            place: String::new(),
            axis,
            unit,
            ticks: along.iter().map(|(tick, _)| tick.clone()).collect(),
            value_unit: series.first().map_or("", |(_, _, measure)| measure.unit),
            names: series.iter().map(|(name, ..)| name.clone()).collect(),
            samples: series
                .iter()
                .map(|(_, system, measure)| samples(*system, measure))
                .collect(),
        }
    }
}
