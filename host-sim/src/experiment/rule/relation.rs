//! Two series and how they should lie to each other, at which points and by how much.

use std::fmt;

use crate::experiment::{
    comparison::{Comparison, Expected},
    panel::Panel,
    statistics::mean_of,
};

/// At which points series are compared.
#[derive(Clone, Copy)]
pub(in crate::experiment) enum At {
    /// At each.
    Each,
    /// At each beyond a value of the axis.
    Beyond(f64),
    /// On average over the points of each panel.
    Mean,
    /// On average over the points below a value of the axis.
    MeanBelow(f64),
    /// On average over the points of all panels.
    MeanOfAll,
}

/// Two series and how they should lie.
#[derive(Clone, PartialEq)]
pub(in crate::experiment) struct Test {
    a: usize,
    b: usize,
    relation: Relation,
}

/// How one series should lie to another.
#[derive(Clone, PartialEq)]
enum Relation {
    Above(By),
    NotAbove,
    Alike(By),
    Apart(By),
}

/// By how much.
#[derive(Clone, PartialEq)]
pub(in crate::experiment) enum By {
    /// At all.
    Any,
    /// This much.
    Fixed(f64),
    /// This share of the distance from the lowest to the highest of some series at the point.
    Spread(f64, &'static [usize]),
    /// This share of the mean of a series over the panel.
    Share(f64, usize),
}

/// `a` lies above `b`.
pub(in crate::experiment) const fn above(a: usize, b: usize) -> Test {
    above_by(a, b, By::Any)
}

/// `a` lies above `b` by more than so much.
pub(in crate::experiment) const fn above_by(a: usize, b: usize, by: By) -> Test {
    let relation = Relation::Above(by);
    Test { a, b, relation }
}

/// `a` does not lie above `b`.
pub(in crate::experiment) const fn not_above(a: usize, b: usize) -> Test {
    let relation = Relation::NotAbove;
    Test { a, b, relation }
}

/// `a` and `b` differ by so much at most.
pub(in crate::experiment) const fn alike(a: usize, b: usize, by: By) -> Test {
    let relation = Relation::Alike(by);
    Test { a, b, relation }
}

/// `a` and `b` differ by more than so much.
pub(in crate::experiment) const fn apart(a: usize, b: usize, by: By) -> Test {
    let relation = Relation::Apart(by);
    Test { a, b, relation }
}

impl At {
    pub(super) fn compare(self, panels: &[Panel], tests: &[Test]) -> Vec<Comparison> {
        match self {
            Self::Each => at_each(panels, tests, |_| true),
            Self::Beyond(value) => at_each(panels, tests, |here| here > value),
            Self::Mean => {
                let place = |panel: &Panel| format!("on average over {}", panel.axis_label());
                on_average(panels, tests, Panel::all, place)
            }
            Self::MeanBelow(value) => {
                let place = |panel: &Panel| {
                    let Panel {
                        place, axis, unit, ..
                    } = panel;
                    format!("at {place}, mean over {axis} < {value} {unit}")
                };
                on_average(
                    panels,
                    tests,
                    |panel| panel.ticks_where(|here| here < value),
                    place,
                )
            }
            Self::MeanOfAll => tests.iter().map(|test| test.over_all(panels)).collect(),
        }
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Each => write!(f, "at every point"),
            Self::Beyond(value) => write!(f, "at every point beyond {value}"),
            Self::Mean => write!(f, "on average over each axis"),
            Self::MeanBelow(value) => write!(f, "on average over the points below {value}"),
            Self::MeanOfAll => write!(f, "on average over all points"),
        }
    }
}

fn at_each(panels: &[Panel], tests: &[Test], passes: impl Fn(f64) -> bool) -> Vec<Comparison> {
    let mut found = Vec::new();
    for panel in panels {
        for tick in panel.ticks_where(&passes) {
            let compare =
                |test: &Test| panel.compare(test.a, test.b, tick, test.expected(panel, Some(tick)));
            found.extend(tests.iter().map(compare));
        }
    }
    found
}

fn on_average(
    panels: &[Panel],
    tests: &[Test],
    ticks: impl Fn(&Panel) -> Vec<usize>,
    place: impl Fn(&Panel) -> String,
) -> Vec<Comparison> {
    let one = |panel: &Panel, test: &Test| Comparison {
        what: format!("{} - {}", panel.names[test.a], panel.names[test.b]),
        place: place(panel),
        differences: panel.mean_difference(test.a, test.b, &ticks(panel)),
        expected: test.expected(panel, None),
    };
    let both = panels
        .iter()
        .flat_map(|panel| tests.iter().map(move |test| (panel, test)));
    both.map(|(panel, test)| one(panel, test)).collect()
}

impl Test {
    fn over_all(&self, panels: &[Panel]) -> Comparison {
        let means = panels
            .iter()
            .map(|panel| panel.mean_difference(self.a, self.b, &panel.all()));
        let first = panels.first().cloned().unwrap_or_default();
        let name = |series: usize| first.names.get(series).cloned().unwrap_or_default();
        Comparison {
            what: format!("{} - {}", name(self.a), name(self.b)),
            place: "on average over all points".to_owned(),
            differences: mean_of(&means.collect::<Vec<_>>()),
            expected: self.expected(&first, None),
        }
    }

    fn expected(&self, panel: &Panel, tick: Option<usize>) -> Expected {
        let size = |by: &By| match by {
            By::Any => 0.0,
            By::Fixed(size) => *size,
            By::Spread(share, series) => {
                let at = |tick| panel.spread(series, tick);
                share * tick.map_or(0.0, at)
            }
            By::Share(share, series) => {
                let means = (0..panel.len()).map(|tick| panel.mean(*series, tick));
                share * (means.sum::<f64>() / panel.len().max(1) as f64)
            }
        };
        match &self.relation {
            Relation::Above(by) => Expected::Above(size(by)),
            Relation::NotAbove => Expected::NotAbove,
            Relation::Alike(by) => Expected::Within(size(by)),
            Relation::Apart(by) => Expected::Outside(size(by)),
        }
    }
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => write!(f, "0"),
            Self::Fixed(size) => write!(f, "{size}"),
            Self::Spread(share, _) => write!(
                f,
                "{share} of the distance from the lowest to the highest curve"
            ),
            Self::Share(share, _) => write!(f, "{share} of it"),
        }
    }
}

/// Tests in words; neighbours that say the same of the same series share a phrase.
pub(super) fn relations(tests: &[Test], names: impl Fn(&[usize]) -> String) -> String {
    let alike = |a: &Test, b: &Test| a.relation == b.relation && (a.a == b.a || a.b == b.b);
    let phrases = tests.chunk_by(alike).map(|tests| {
        let series = |of: fn(&Test) -> usize| {
            let mut series: Vec<usize> = tests.iter().map(of).collect();
            series.dedup();
            names(&series)
        };
        let (a, b) = (series(|test| test.a), series(|test| test.b));
        match &tests[0].relation {
            Relation::Above(By::Any) => format!("{a} above {b}"),
            Relation::Above(by) => format!("{a} above {b} by more than {by}"),
            Relation::NotAbove => format!("{a} not above {b} on average"),
            Relation::Alike(by) => format!("{a} and {b} apart by {by} at most"),
            Relation::Apart(by) => format!("{a} and {b} apart by more than {by}"),
        }
    });
    let phrases: Vec<String> = phrases.collect();
    format!(
        "{} (paired 95 % intervals; one wholly on the other side fails)",
        phrases.join(", ")
    )
}
