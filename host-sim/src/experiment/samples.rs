//! What was measured in the runs of an assumption, and panels of it.

use super::{
    measure::Measure,
    panel::{AxisName, Panel, Tick},
};

/// What was measured, by point, system, measure and replication.
#[derive(Clone, Debug)]
pub(super) struct Samples<P> {
    /// The systems by the paper's names.
    pub(super) systems: Vec<&'static str>,
    /// The measures by name.
    pub(super) measures: Vec<&'static str>,
    /// The replications of each system and measure, in this order.
    pub(super) points: Vec<(P, Vec<Vec<f64>>)>,
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
    pub(super) fn at(&self, point: P, system: usize, measure: &Measure) -> Vec<f64> {
        let found = self.points.iter().find(|(other, _)| *other == point);
        let place = self.measures.iter().position(|name| *name == measure.name);
        let values = found.zip(place).and_then(|((_, values), place)| {
            let place = system * self.measures.len() + place;
            values.get(place).cloned()
        });
        values.unwrap_or_default()
    }

    /// The sum of a measure over all runs.
    pub(super) fn total(&self, measure: &Measure) -> f64 {
        let systems = 0..self.systems.len();
        let of = |point| {
            let systems = systems.clone();
            systems.flat_map(move |system| self.at(point, system, measure))
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
            let at = series.map(|(_, system, measure)| self.at(*point, *system, measure));
            (tick.clone(), at.collect::<Vec<_>>())
        });
        Panel::of(axis, series.iter().map(|(name, ..)| *name), points)
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
    let names = sets.first().map(|(_, samples)| &samples.systems);
    let names = systems.iter().filter_map(|at| names?.get(*at));
    let ticks = Tick::labels(names.map(|name| (*name).to_owned()));
    let at = |system: &usize| -> Vec<Vec<f64>> {
        let sets = sets.iter();
        let values = sets.map(|(_, samples)| samples.at(point, *system, measure));
        values.collect()
    };
    let names = sets.iter().map(|(name, _)| *name);
    let along = ticks.into_iter().zip(systems.iter().map(at));
    Panel::of((axis, ""), names, along)
}
