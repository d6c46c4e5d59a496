//! What a figure shows, with every replication behind it.

use std::{ops::Range, sync::LazyLock};

use crate::statistics::{Estimate, Limits, finite, mean_of, paired};

/// Name of an axis and its unit, which may be empty.
pub(super) type AxisName = (&'static str, &'static str);

/// A point of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    /// Where it lies.
    pub(super) value: f64,
    /// What it says.
    pub(super) text: String,
}

impl Tick {
    pub(super) fn number(value: f64) -> Self {
        let text = value.to_string();
        Self { value, text }
    }

    pub(super) fn numbers(values: impl IntoIterator<Item = f64>) -> Vec<Self> {
        values.into_iter().map(Self::number).collect()
    }

    /// Labels, which stand side by side.
    pub(super) fn labels(texts: impl IntoIterator<Item = impl Into<String>>) -> Vec<Self> {
        let tick = |(place, text): (usize, _)| Self {
            value: place as f64,
            text: Into::into(text),
        };
        texts.into_iter().enumerate().map(tick).collect()
    }
}

/// Several series over the same axis.
#[derive(Clone, Debug, Default)]
pub(super) struct Panel {
    /// What all its points share; empty where that goes without saying.
    pub(super) place: String,
    pub(super) axis: &'static str,
    /// Unit of the axis; empty where it has none.
    pub(super) unit: &'static str,
    pub(super) ticks: Vec<Tick>,
    /// The series by their short names.
    pub(super) names: Vec<String>,
    /// By series, tick and replication. Replication r has the same random numbers everywhere, so differences are taken within it.
    pub(super) samples: Vec<Vec<Vec<f64>>>,
    /// What the quantity can be.
    pub(super) limits: Limits,
}

/// So many series are not named one by one where they are all, or all but one.
const MANY: usize = 4;

impl Panel {
    /// Over an axis with its unit, from what the series have at each point.
    pub(super) fn of<V: Into<Vec<Vec<f64>>>>(
        (axis, unit): AxisName,
        names: impl IntoIterator<Item = impl Into<String>>,
        points: impl IntoIterator<Item = (Tick, V)>,
    ) -> Self {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let mut panel = Self {
            axis,
            unit,
            samples: vec![Vec::new(); names.len()],
            names,
            ..Self::default()
        };
        for (tick, values) in points {
            panel.ticks.push(tick);
            for (series, values) in panel.samples.iter_mut().zip(values.into()) {
                series.push(values);
            }
        }
        panel
    }

    /// Of a single point, without an axis.
    pub(super) fn single(
        names: impl IntoIterator<Item = impl Into<String>>,
        values: impl Into<Vec<Vec<f64>>>,
    ) -> Self {
        Self::of(("", ""), names, [(Tick::number(0.0), values)])
    }

    pub(super) fn len(&self) -> usize {
        self.ticks.len()
    }

    /// Every series at every tick, series by series.
    pub(super) fn values(&self) -> impl Iterator<Item = (usize, usize)> {
        let (series, ticks) = (0..self.names.len(), self.len());
        series.flat_map(move |series| (0..ticks).map(move |tick| (series, tick)))
    }

    pub(super) fn replications(&self) -> usize {
        let first = self.samples.first().and_then(|series| series.first());
        first.map_or(0, Vec::len)
    }

    /// One point of one series.
    pub(super) fn samples(&self, series: usize, tick: usize) -> &[f64] {
        let series = self.samples.get(series).and_then(|series| series.get(tick));
        series.map_or(&[], Vec::as_slice)
    }

    /// Its mean; not a number where there is no sample.
    pub(super) fn mean(&self, series: usize, tick: usize) -> f64 {
        Estimate::of(self.samples(series, tick)).mean
    }

    /// One series less another at a tick.
    pub(super) fn difference(&self, a: usize, b: usize, tick: usize) -> Vec<f64> {
        paired(self.samples(a, tick), self.samples(b, tick))
    }

    /// One series less another, in each replication the mean over some ticks.
    pub(super) fn mean_difference(&self, a: usize, b: usize, ticks: &[usize]) -> Vec<f64> {
        mean_of(ticks.iter().map(|tick| self.difference(a, b, *tick)))
    }

    /// The mean of a series over some ticks, in each replication.
    pub(super) fn mean_over(&self, series: usize, ticks: &[usize]) -> Vec<f64> {
        mean_of(ticks.iter().map(|tick| self.samples(series, *tick)))
    }

    /// What a series gains between two ticks.
    pub(super) fn gain(&self, series: usize, from: usize, to: usize) -> Vec<f64> {
        paired(self.samples(series, to), self.samples(series, from))
    }

    /// From the lowest mean of some series at a tick to the highest.
    pub(super) fn spread(&self, series: &[usize], tick: usize) -> f64 {
        let means = || series.iter().map(|&series| self.mean(series, tick));
        let high = means().fold(f64::NEG_INFINITY, f64::max);
        let low = means().fold(f64::INFINITY, f64::min);
        high - low
    }

    /// The ticks whose value passes.
    pub(super) fn ticks_where(&self, passes: impl Fn(f64) -> bool) -> Vec<usize> {
        let mut ticks = self.all();
        ticks.retain(|tick| passes(self.ticks[*tick].value));
        ticks
    }

    pub(super) fn all(&self) -> Vec<usize> {
        (0..self.len()).collect()
    }

    /// The axis with its unit, behind what all points share.
    pub(super) fn axis_label(&self) -> String {
        let unit = match self.unit {
            "" => String::new(),
            unit => format!(" ({unit})"),
        };
        let comma = if self.place.is_empty() { "" } else { ", " };
        format!("{}{comma}{}{unit}", self.place, self.axis)
    }

    /// The part of the axis that lies so to a value.
    pub(super) fn part(&self, side: &str, value: f64) -> String {
        format!("{} {side} {value} {}", self.axis, self.unit)
    }

    /// Where a tick is; nothing where a panel has a single point and no axis.
    pub(super) fn at(&self, tick: usize) -> String {
        match self.axis {
            "" => String::new(),
            _ => format!("at {} {}", self.axis_label(), self.ticks[tick].text),
        }
    }

    /// Some series in words, where `beside` are named in the same sentence: many are said by those that are missing.
    pub(super) fn said(&self, series: &[usize], beside: &[usize]) -> String {
        let name = |at: &usize| self.names.get(*at).map(String::as_str);
        let is_missing = |at: &usize| !series.contains(at) && !beside.contains(at);
        let missing: Vec<usize> = (0..self.names.len()).filter(is_missing).collect();
        let all = if beside.is_empty() {
            "all"
        } else {
            "all others"
        };
        match missing.iter().filter_map(name).collect::<Vec<_>>()[..] {
            _ if series.len() < MANY => series
                .iter()
                .filter_map(name)
                .collect::<Vec<_>>()
                .join(", "),
            [] => all.to_owned(),
            [one] => format!("{all} but {one}"),
            _ => series
                .iter()
                .filter_map(name)
                .collect::<Vec<_>>()
                .join(", "),
        }
    }

    /// Some series by their names, the last behind an "and".
    pub(super) fn listed(&self, series: &[usize]) -> String {
        let names = series.iter().filter_map(|at| self.names.get(*at));
        match names.map(String::as_str).collect::<Vec<_>>()[..] {
            [ref others @ .., last] if !others.is_empty() => {
                format!("{} and {last}", others.join(", "))
            }
            ref all => all.concat(),
        }
    }

    /// The means of some series at the first and the last tick, three decimals, one where both are the same; a dash where nothing was measured.
    pub(super) fn ends(&self, series: &[usize]) -> String {
        let one = |&series: &usize| {
            let mean = |tick: usize| match self.mean(series, tick) {
                unknown if unknown.is_nan() => "-".to_owned(),
                mean => format!("{mean:.3}"),
            };
            let (name, from) = (&self.names[series], mean(0));
            let last = self.len().saturating_sub(1);
            format!("{name} {}", from_to(&from, &mean(last)))
        };
        series.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn only(mut self, series: &[usize]) -> Self {
        self.names = series.iter().map(|&at| self.names[at].clone()).collect();
        self.samples = series.iter().map(|&at| self.samples[at].clone()).collect();
        self
    }

    /// The ticks from one on.
    pub(super) fn from(mut self, first: usize) -> Self {
        for samples in &mut self.samples {
            samples.drain(..first);
        }
        self.ticks.drain(..first);
        self
    }

    /// The same without the samples that have no value.
    pub(super) fn known(mut self) -> Self {
        for samples in self.samples.iter_mut().flatten() {
            samples.retain(|sample| sample.is_finite());
        }
        self
    }

    /// The same with the series of another panel, which are called otherwise.
    pub(super) fn beside(mut self, other: Self, name: impl Fn(&String) -> String) -> Self {
        self.names.extend(other.names.iter().map(name));
        self.samples.extend(other.samples);
        self
    }

    /// Some of the series less another.
    pub(super) fn less(&self, series: &[usize], other: usize) -> Self {
        let name = |&one: &usize| format!("{} - {}", self.names[one], self.names[other]);
        let ticks = 0..self.len();
        let of = |one: &usize| {
            ticks
                .clone()
                .map(|at| self.difference(*one, other, at))
                .collect()
        };
        Self {
            names: series.iter().map(name).collect(),
            samples: series.iter().map(of).collect(),
            limits: Limits::NONE,
            ..self.clone()
        }
    }

    /// The same of a quantity that can only be so.
    pub(super) fn within(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The same with what all its points share.
    pub(super) fn placed(self, place: impl Into<String>) -> Self {
        let place = place.into();
        Self { place, ..self }
    }

    /// The same without it, for a figure whose title says it.
    pub(super) fn bare(self) -> Self {
        self.placed("")
    }

    /// On average over the ticks of each of some panels, which make a tick each.
    pub(super) fn averages(axis: AxisName, panels: impl IntoIterator<Item = (Tick, Self)>) -> Self {
        let panels: Vec<(Tick, Self)> = panels.into_iter().collect();
        let names = panels
            .first()
            .map_or(Vec::new(), |(_, panel)| panel.names.clone());
        let averages = |(tick, panel): (Tick, Self)| {
            let average = |series| panel.mean_over(series, &panel.all());
            (
                tick,
                (0..panel.names.len()).map(average).collect::<Vec<_>>(),
            )
        };
        Self::of(axis, names, panels.into_iter().map(averages))
    }

    /// The ticks of a series as series of a single point.
    pub(super) fn across(&self, series: usize, name: impl Fn(&Tick) -> String) -> Self {
        Self::single(self.ticks.iter().map(name), self.samples[series].clone())
    }
}

/// From a value to another, or the only one where both are the same.
pub(super) fn from_to(from: &str, to: &str) -> String {
    match from == to {
        true => from.to_owned(),
        false => format!("{from} to {to}"),
    }
}

/// Curves of one measure, in one panel or several.
#[derive(Clone, Debug, Default)]
pub(super) struct Curves {
    /// What rules call them.
    pub(super) name: &'static str,
    pub(super) panels: Vec<Panel>,
}

/// What there is where nothing was run.
static NOWHERE: LazyLock<Panel> = LazyLock::new(Panel::default);

impl Curves {
    pub(super) fn new(name: &'static str, panels: impl IntoIterator<Item = Panel>) -> Self {
        let panels = panels.into_iter().collect();
        Self { name, panels }
    }

    /// In one panel.
    pub(super) fn one(name: &'static str, panel: Panel) -> Self {
        Self::new(name, [panel])
    }

    /// Some of the panels.
    pub(super) fn part(&self, name: &'static str, panels: Range<usize>) -> Self {
        Self::new(name, self.panels[panels].iter().cloned())
    }

    /// The first panel, often the only one; empty where nothing was run.
    pub(super) fn first(&self) -> &Panel {
        self.panels.first().unwrap_or(&NOWHERE)
    }

    /// Every tick of all panels.
    pub(super) fn points(&self) -> impl Iterator<Item = (&Panel, usize)> {
        let panels = self.panels.iter();
        panels.flat_map(|panel| (0..panel.len()).map(move |tick| (panel, tick)))
    }

    pub(super) fn names(&self, series: &[usize]) -> String {
        let names = series.iter().filter_map(|at| self.first().names.get(*at));
        names.cloned().collect::<Vec<_>>().join(", ")
    }

    /// The means of some series at the ends of each panel; with more than one panel, behind the name of its axis.
    pub(super) fn ends(&self, series: &[usize]) -> String {
        match &self.panels[..] {
            [panel] => panel.ends(series),
            panels => {
                let text = |one: &Panel| format!("{}: {}", one.axis_label(), one.ends(series));
                panels.iter().map(text).collect::<Vec<_>>().join("; ")
            }
        }
    }

    /// The means of some series over all points, three decimals, and that they are this.
    pub(super) fn overall(&self, series: &[usize]) -> String {
        format!("mean over all points, {}", self.overall_values(series))
    }

    /// The means of some series over all points where they were run, three decimals.
    pub(super) fn overall_values(&self, series: &[usize]) -> String {
        let one = |&series: &usize| {
            let means = self.points().map(|(panel, tick)| panel.mean(series, tick));
            let means = finite(means.collect());
            let mean = means.iter().sum::<f64>() / means.len().max(1) as f64;
            format!("{} {mean:.3}", self.names(&[series]))
        };
        series.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::{Panel, Tick};

    #[test]
    fn equal_ends_are_said_once() {
        let points = [(1.0, 74.592), (2.0, 80.0)].map(|(x, mean)| {
            let series = [vec![mean], vec![0.5]];
            (Tick::number(x), series)
        });
        let panel = Panel::of(("x", ""), ["a", "b"], points);
        assert_eq!(panel.ends(&[0, 1]), "a 74.592 to 80.000, b 0.500");
        let panel = Panel {
            ticks: vec![Tick::number(1.0)],
            ..panel
        };
        assert_eq!(panel.ends(&[0]), "a 74.592");
    }
}
