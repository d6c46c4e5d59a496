//! Runs everything that a paper compares, audits each run, and keeps what the measures say.

use std::fmt::Debug;

use rayon::prelude::*;

use super::{
    basis::{Audit, Count},
    kept::Kept,
    samples::{Measure, Round, Run, Samples},
};
use crate::{
    check,
    engine::{self, Story, System, metrics::Metrics},
    error::Result,
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

    /// Runs all systems at all points in all replications that are not kept, in parallel and with results in order; one tick of the bar
    /// for each point and replication.
    pub(super) fn run(
        &self,
        measures: &'static [Measure],
        kept: &Kept<'_>,
        bar: &Bar,
    ) -> Result<Samples<P>> {
        let rounds = |(number, &point): (usize, &P)| -> Result<_> {
            let replications = (0..self.replications).into_par_iter();
            let rounds = replications.map(|replication| {
                let make = || self.round(point, replication, measures);
                let round = kept.round(number, replication, make);
                bar.tick();
                round
            });
            Ok((point, rounds.collect::<Result<_>>()?))
        };
        Ok(Samples {
            systems: self.systems.iter().map(|(name, _)| *name).collect(),
            measures,
            points: (self.points.par_iter().enumerate())
                .map(rounds)
                .collect::<Result<_>>()?,
        })
    }

    fn round(&self, point: P, replication: u32, measures: &[Measure]) -> Result<Round> {
        let script = (self.script)(point, replication)?;
        let one = |(number, (_, system)): (usize, &(_, System))| {
            if !(self.applies)(point, number) {
                return Ok((vec![f64::NAN; measures.len()], Audit::default()));
            }
            let story = (self.decide)(system, &script)?;
            let metrics = &Metrics::on(system, &story);
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
        self.systems.par_iter().enumerate().map(one).collect()
    }
}
