//! Runs everything that a paper compares, audits each run, and keeps what the measures say.

use std::fmt::Debug;

use rayon::prelude::*;

use super::{
    basis::Count,
    samples::{Measure, Run, Samples},
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
#[derive(Default)]
pub(super) struct Audit {
    pub(super) runs: usize,
    /// Requests to reserve.
    pub(super) requests: usize,
    /// Accepted ones, and what the checker found wrong by the rules that result files are judged by.
    pub(super) accepted: Count,
}

impl Audit {
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
        match first {
            None => Ok(()),
            Some(first) => Err(Error::Violated(format!(
                "{wrong} violations in {runs} runs, the first: {first}"
            ))),
        }
    }
}

/// What the measures say of each system on one script, and the audit of these runs.
type Round = (Vec<Vec<f64>>, Audit);

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
    pub(super) fn run(
        &self,
        measures: &'static [Measure],
        bar: &Bar,
    ) -> Result<(Samples<P>, Audit)> {
        let rounds = |&point: &P| -> Result<Vec<Round>> {
            let replications = (0..self.replications).into_par_iter();
            let rounds = replications.map(|replication| {
                let round = self.round(point, replication, measures);
                bar.tick();
                round
            });
            rounds.collect()
        };
        let rounds: Vec<_> = self.points.par_iter().map(rounds).collect::<Result<_>>()?;
        let mut all = Audit::default();
        let mut points = Vec::new();
        for (point, rounds) in self.points.iter().zip(rounds) {
            let (values, audits): (_, Vec<_>) = rounds.into_iter().unzip();
            points.push((*point, values));
            all = audits.into_iter().fold(all, Audit::and);
        }
        let systems = self.systems.iter().map(|(name, _)| *name).collect();
        let samples = Samples {
            systems,
            measures,
            points,
        };
        Ok((samples, all))
    }

    fn round(&self, point: P, replication: u32, measures: &[Measure]) -> Result<Round> {
        let script = (self.script)(point, replication)?;
        let one = |(number, (_, system)): (usize, &(_, System))| -> Result<(Vec<f64>, Audit)> {
            if !(self.applies)(point, number) {
                return Ok((vec![f64::NAN; measures.len()], Audit::default()));
            }
            let story = (self.decide)(system, &script)?;
            let metrics = &Metrics::of_story(&story, system.all_pes());
            let run = Run {
                system,
                outcomes: &story.outcomes,
                metrics,
            };
            let values = measures.iter().map(|measure| (measure.of)(&run));
            let wrong = check::measured(system, &story, metrics);
            let name = self.name;
            let which = format!("{name}, {point:?}, system {number}, replication {replication}");
            let audit = Audit {
                runs: 1,
                requests: metrics.requests,
                accepted: Count {
                    looked_at: metrics.accepted,
                    wrong: wrong.len(),
                    first: wrong.first().map(|first| format!("{first} ({which})")),
                },
            };
            Ok((values.collect(), audit))
        };
        let runs: Vec<_> = self
            .systems
            .par_iter()
            .enumerate()
            .map(one)
            .collect::<Result<_>>()?;
        let (values, audits): (_, Vec<_>) = runs.into_iter().unzip();
        Ok((
            values,
            audits.into_iter().fold(Audit::default(), Audit::and),
        ))
    }
}
