//! Two series and how they should lie to each other, at which points and by how much.

use super::{Comparison, Curves, Finding, Panel};
use crate::statistics::{Expected, finite, mean_of};

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

/// Two series and how the first should lie to the second.
#[derive(Clone)]
pub(in crate::experiment) struct Test {
    a: usize,
    b: usize,
    relation: Relation,
    by: By,
}

#[derive(Clone, Copy)]
enum Relation {
    Above,
    NotAbove,
    Alike,
    Apart,
}

/// By how much.
#[derive(Clone, Copy)]
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

const fn test(a: usize, b: usize, relation: Relation, by: By) -> Test {
    Test { a, b, relation, by }
}

/// `a` lies above `b`.
pub(in crate::experiment) const fn above(a: usize, b: usize) -> Test {
    above_by(a, b, By::Any)
}

/// `a` lies above `b` by more than so much.
pub(in crate::experiment) const fn above_by(a: usize, b: usize, by: By) -> Test {
    test(a, b, Relation::Above, by)
}

/// `a` does not lie above `b`.
pub(in crate::experiment) const fn not_above(a: usize, b: usize) -> Test {
    test(a, b, Relation::NotAbove, By::Any)
}

/// `a` and `b` differ by so much at most.
pub(in crate::experiment) const fn alike(a: usize, b: usize, by: By) -> Test {
    test(a, b, Relation::Alike, by)
}

/// `a` and `b` differ by more than so much.
pub(in crate::experiment) const fn apart(a: usize, b: usize, by: By) -> Test {
    test(a, b, Relation::Apart, by)
}

impl Curves {
    /// Tests at every point.
    pub(in crate::experiment) fn everywhere(&self, tests: impl AsRef<[Test]>) -> Finding {
        self.compare(At::Each, tests)
    }

    /// Tests at some points.
    pub(in crate::experiment) fn compare(&self, at: At, tests: impl AsRef<[Test]>) -> Finding {
        let tests = tests.as_ref();
        let words = relations(tests, self.first());
        let mut found = Vec::new();
        for panel in &self.panels {
            for (ticks, place) in at.of(panel) {
                let test = |test: &Test| test.comparison(panel, &ticks, place.clone());
                found.extend(tests.iter().map(test));
            }
        }
        if matches!(at, At::MeanOfAll) {
            found = mean_of_each(&found, tests.len());
        }
        Finding::comparing(format!("{}: {}, {words}", self.name, at.words()), found)
    }
}

impl At {
    /// Over which ticks of a panel series are compared at once, and where these are.
    fn of(self, panel: &Panel) -> Vec<(Vec<usize>, String)> {
        let each = |ticks: Vec<usize>| {
            let ticks = ticks.into_iter();
            ticks.map(|tick| (vec![tick], panel.at(tick))).collect()
        };
        let all = |place| vec![(panel.all(), place)];
        match self {
            Self::Each => each(panel.all()),
            Self::Beyond(value) => each(panel.ticks_where(|here| here > value)),
            Self::Mean => all(format!("on average over {}", panel.axis_label())),
            Self::MeanBelow(value) => {
                let below = panel.part("<", value);
                let place = format!("at {}, mean over {below}", panel.place);
                vec![(panel.ticks_where(|here| here < value), place)]
            }
            Self::MeanOfAll => all(self.words()),
        }
    }

    fn words(self) -> String {
        match self {
            Self::Each => "at every point".to_owned(),
            Self::Beyond(value) => format!("at every point beyond {value}"),
            Self::Mean => "on average over each axis".to_owned(),
            Self::MeanBelow(value) => format!("on average over the points below {value}"),
            Self::MeanOfAll => "on average over all points".to_owned(),
        }
    }
}

/// One comparison for each test: the means of what all panels say about it.
fn mean_of_each(found: &[Comparison], tests: usize) -> Vec<Comparison> {
    let mean = |(test, first): (usize, &Comparison)| {
        let panels = found.iter().skip(test).step_by(tests);
        Comparison {
            differences: mean_of(panels.map(|one| &one.differences)),
            ..first.clone()
        }
    };
    found.iter().take(tests).enumerate().map(mean).collect()
}

impl Test {
    /// Its series over some ticks of a panel, which are at a place.
    fn comparison(&self, panel: &Panel, ticks: &[usize], place: String) -> Comparison {
        let differences = panel.mean_difference(self.a, self.b, ticks);
        Comparison {
            what: format!("{} - {}", panel.names[self.a], panel.names[self.b]),
            place,
            differences: match ticks {
                // In the replications in which both have a value.
                [_] => finite(differences),
                _ => differences,
            },
            expected: self.expected(panel, ticks),
        }
    }

    fn expected(&self, panel: &Panel, ticks: &[usize]) -> Expected {
        let size = match (self.by, ticks) {
            (By::Fixed(size), _) => size,
            (By::Spread(share, series), [tick]) => share * panel.spread(series, *tick),
            (By::Any | By::Spread(..), _) => 0.0,
            (By::Share(share, series), _) => {
                let means = (0..panel.len()).map(|tick| panel.mean(series, tick));
                share * (means.sum::<f64>() / panel.len().max(1) as f64)
            }
        };
        match self.relation {
            Relation::Above => Expected::Above(size),
            Relation::NotAbove => Expected::NotAbove,
            Relation::Alike => Expected::Within(size),
            Relation::Apart => Expected::Outside(size),
        }
    }

    /// What stands between its series in words, and behind them.
    fn words(&self) -> (&'static str, String) {
        let by = match self.by {
            By::Any => "0".to_owned(),
            By::Fixed(size) => size.to_string(),
            By::Spread(share, _) => {
                format!("{share} of the spread of the curves")
            }
            By::Share(share, _) => format!("{share} of it"),
        };
        match (self.relation, self.by) {
            (Relation::Above, By::Any) => ("above", String::new()),
            (Relation::Above, _) => ("above", format!(" by more than {by}")),
            (Relation::NotAbove, _) => ("not above", " on average".to_owned()),
            (Relation::Alike, _) => ("and", format!(" apart by {by} at most")),
            (Relation::Apart, _) => ("and", format!(" apart by more than {by}")),
        }
    }
}

/// Tests in words; neighbours that say the same share a phrase.
fn relations(tests: &[Test], panel: &Panel) -> String {
    let same_words = |a: &Test, b: &Test| a.words() == b.words();
    let same_series = |a: &Test, b: &Test| a.a == b.a || a.b == b.b;
    let phrases = tests.chunk_by(same_words).map(|tests| {
        let (between, behind) = tests[0].words();
        let pairs = tests.chunk_by(same_series).map(|tests| {
            let series = |of: fn(&Test) -> usize| {
                let mut series: Vec<usize> = tests.iter().map(of).collect();
                series.dedup();
                series
            };
            let (a, b) = (series(|test| test.a), series(|test| test.b));
            let (left, right) = (panel.said(&a, &b), panel.said(&b, &a));
            format!("{left} {between} {right}")
        });
        let pairs: Vec<String> = pairs.collect();
        format!("{}{behind}", pairs.join(", "))
    });
    phrases.collect::<Vec<_>>().join(", ")
}
