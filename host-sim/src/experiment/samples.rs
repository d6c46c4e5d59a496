//! What is measured in the runs of an assumption, and panels of it.

use super::{
    basis::Audit,
    panel::{AxisName, Panel, Tick},
};
use crate::{
    engine::{Outcome, Placed, Story, System, metrics::Metrics},
    statistics::Limits,
};

/// One run with what it came from.
pub(super) struct Run<'a> {
    pub(super) system: &'a System,
    pub(super) outcomes: &'a [Outcome],
    pub(super) metrics: &'a Metrics,
}

impl Run<'_> {
    fn placed(&self) -> impl Iterator<Item = &Placed> {
        let decisions = self.outcomes.iter().map(|outcome| &outcome.decision);
        decisions.flatten()
    }

    /// PE-seconds used up to `end` (s), reserved or not.
    pub(super) fn used_until(&self, end: u64) -> u64 {
        let used = self.placed().map(|placed| {
            let seconds = placed.finish().min(end).saturating_sub(placed.began);
            seconds * placed.width()
        });
        used.sum()
    }

    /// When the last job was over (s).
    pub(super) fn end(&self) -> u64 {
        self.placed().map(Placed::finish).max().unwrap_or(0)
    }
}

/// A figure of a run.
#[derive(Clone, Copy)]
pub(super) struct Measure {
    pub(super) name: &'static str,
    /// What it can be.
    pub(super) limits: Limits,
    /// Takes it from a run; not a number where the run has no such figure.
    pub(super) of: fn(&Run) -> f64,
}

impl Measure {
    pub(super) const fn new(name: &'static str, limits: Limits, of: fn(&Run) -> f64) -> Self {
        Self { name, limits, of }
    }

    /// Takes it from what became of a script.
    pub(super) fn of_story(&self, system: &System, story: &Story) -> f64 {
        let (outcomes, metrics) = (&story.outcomes, &Metrics::on(system, story));
        (self.of)(&Run {
            system,
            outcomes,
            metrics,
        })
    }
}

/// What was measured in the run of each system on one script, and what its audit found.
pub(super) type Round = Vec<(Vec<f64>, Audit)>;

/// What was measured.
#[derive(Clone)]
pub(super) struct Samples<P> {
    /// The systems by the paper's names.
    pub(super) systems: Vec<&'static str>,
    pub(super) measures: &'static [Measure],
    /// The replications of each point.
    pub(super) points: Vec<(P, Vec<Round>)>,
}

impl<P: Copy + PartialEq> Samples<P> {
    pub(super) fn points(&self) -> impl Iterator<Item = P> {
        self.points.iter().map(|(point, _)| *point)
    }

    pub(super) fn has(&self, point: P) -> bool {
        self.points().any(|other| other == point)
    }

    pub(super) fn replications(&self) -> usize {
        self.points.first().map_or(0, |(_, runs)| runs.len())
    }

    /// A measure of a system at a point, by replication; nothing at a point that was not run.
    pub(super) fn at(&self, point: P, system: usize, measure: &Measure) -> Vec<f64> {
        let found = self.points.iter().find(|(other, _)| *other == point);
        let runs = found.map_or(&[][..], |(_, runs)| runs);
        let place = self
            .measures
            .iter()
            .position(|one| one.name == measure.name);
        debug_assert!(place.is_some(), "{} is not measured", measure.name);
        let value = |round: &Round| Some(round[system].0[place?]);
        runs.iter().filter_map(value).collect()
    }

    /// The audit of all runs.
    pub(super) fn audit(&self) -> Audit {
        let rounds = self.points.iter().flat_map(|(_, rounds)| rounds);
        let audits = rounds.flatten().map(|(_, audit)| audit);
        audits.fold(Audit::default(), Audit::and)
    }

    /// Those at the points of others.
    #[must_use]
    pub(super) fn at_points_of(&self, other: &Self) -> Self {
        let mut some = self.clone();
        some.points.retain(|(point, _)| other.has(*point));
        some
    }

    /// A measure in a panel: `at` says of a tick and a series which point they are, and of which system.
    pub(super) fn table(
        &self,
        axis: AxisName,
        ticks: Vec<Tick>,
        names: &[impl ToString],
        measure: &Measure,
        at: impl Fn(usize, usize) -> (P, usize),
    ) -> Panel {
        let along = ticks.into_iter().enumerate().map(|(tick, text)| {
            let series = (0..names.len()).map(|series| {
                let (point, system) = at(tick, series);
                self.at(point, system, measure)
            });
            (text, series.collect::<Vec<_>>())
        });
        let names = names.iter().map(ToString::to_string);
        Panel::of(axis, names, along).within(measure.limits)
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
            let at = |series: &(&str, usize, &Measure)| self.at(*point, series.1, series.2);
            (tick.clone(), series.iter().map(at).collect::<Vec<_>>())
        });
        let limits = series.iter().map(|(.., measure)| measure.limits);
        let limits = limits.reduce(Limits::or).unwrap_or(Limits::NONE);
        Panel::of(axis, series.iter().map(|(name, ..)| *name), points).within(limits)
    }
}

#[cfg(test)]
impl<P: Copy> Samples<P> {
    /// Six replications of what `value` says of a measure, a system, a point and a replication, with a little noise that differs between
    /// replications and systems.
    pub(super) fn drawn(
        systems: &[&'static str],
        measures: &'static [Measure],
        points: Vec<P>,
        value: impl Fn(&Measure, usize, P, usize) -> f64,
    ) -> Self {
        let round = |point: P, run: usize| -> Round {
            let one = |system: usize| {
                let noise = [1e-6, -1e-6][(run + system) % 2];
                let values = measures.iter();
                let values = values.map(|measure| value(measure, system, point, run) + noise);
                (values.collect(), Audit::default())
            };
            (0..systems.len()).map(one).collect()
        };
        let rounds = |point| (point, (0..6).map(|run| round(point, run)).collect());
        Self {
            systems: systems.to_vec(),
            measures,
            points: points.into_iter().map(rounds).collect(),
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
    let names = systems.iter().map(|at| sets[0].1.systems[*at].to_owned());
    let at = |system: &usize| {
        let sets = sets.iter();
        let values = sets.map(|(_, samples)| samples.at(point, *system, measure));
        values.collect::<Vec<_>>()
    };
    let along = Tick::labels(names).into_iter().zip(systems.iter().map(at));
    Panel::of((axis, ""), sets.iter().map(|(name, _)| *name), along).within(measure.limits)
}
