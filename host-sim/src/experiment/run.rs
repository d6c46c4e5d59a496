//! Runs everything that a paper compares, audits each run, and keeps what the measures say.

use std::fmt::Debug;

use rayon::prelude::*;

use super::{
    basis::Count,
    measure::{Measure, Run},
    samples::Samples,
};
use crate::{
    check,
    engine::{self, Story, System, metrics::Metrics},
    error::{Error, Result},
    operation::Script,
    progress::Bar,
};

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
                let samples = samples.iter_mut().zip(values);
                samples.for_each(|(samples, value)| samples.push(*value));
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
