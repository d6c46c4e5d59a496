//! Rules that say what a claim about figures means, as data: the same values decide and print themselves.

mod relation;
mod trend;
mod values;

use super::{
    comparison::Finding,
    panel::{Panels, View},
};
use relation::relations;
pub(super) use relation::{At, By, Test, above, above_by, alike, apart, not_above};
use trend::shift;
pub(super) use trend::{Span, Way};
pub(super) use values::points_above;
use values::{any_falls, flat, mostly, number, range};

/// What must be seen in the panels of a view.
pub(super) enum Rule {
    /// Each of these tests, at some points.
    Compare {
        view: View,
        /// Begins the names of the comparisons; may be empty.
        label: &'static str,
        at: At,
        tests: Vec<Test>,
    },
    /// Some series rise, or fall.
    Trend {
        view: View,
        series: Vec<usize>,
        way: Way,
        span: Span,
    },
    /// A series is higher, on average, from a value of the axis on than below it.
    Shift {
        view: View,
        series: usize,
        from: f64,
    },
    /// At every point a series is as far from its mean over all points, at most.
    Flat {
        view: View,
        series: usize,
        within: f64,
    },
    /// One series has a value that was printed. Open where another view, with the same series, counts fewer than some cases in a run.
    Number {
        view: View,
        series: usize,
        claimed: f64,
        within: f64,
        counted: View,
        least: f64,
    },
    /// All series lie between two values.
    Range { view: View, low: f64, high: f64 },
    /// One series lies above another at more than half of all points, on average over the replications.
    Mostly {
        view: View,
        pairs: Vec<(usize, usize)>,
    },
    /// At least one panel shows a fall of a series from its first point to its last.
    AnyFalls { view: View, series: usize },
    /// All of these.
    All(Vec<Rule>),
    /// What no other rule says, in words.
    Special {
        words: String,
        judge: fn(&Panels) -> Finding,
    },
}

/// Tests at every point of a view.
pub(super) const fn everywhere(view: View, tests: Vec<Test>) -> Rule {
    compare(view, At::Each, tests)
}

/// Tests at some points of a view.
pub(super) const fn compare(view: View, at: At, tests: Vec<Test>) -> Rule {
    Rule::Compare {
        view,
        label: "",
        at,
        tests,
    }
}

/// Trends in every step of some series.
pub(super) fn steps(view: View, series: &[usize], way: Way) -> Rule {
    Rule::Trend {
        view,
        series: series.to_vec(),
        way,
        span: Span::Steps,
    }
}

/// Trends from the first point to the last.
pub(super) fn ends(view: View, series: &[usize], way: Way) -> Rule {
    Rule::Trend {
        view,
        series: series.to_vec(),
        way,
        span: Span::Ends,
    }
}

impl Rule {
    /// Looks at the panels.
    pub(super) fn look(&self, panels: &Panels) -> Finding {
        let compared = |comparisons| Finding {
            comparisons,
            ..Finding::default()
        };
        match self {
            Self::Compare {
                view,
                label,
                at,
                tests,
            } => {
                let mut found = at.compare(panels.of(view), tests);
                for comparison in &mut found {
                    comparison.what.insert_str(0, label);
                }
                compared(found)
            }
            Self::Trend {
                view,
                series,
                way,
                span,
            } => {
                let panels = panels.of(view).iter();
                compared(
                    panels
                        .flat_map(|panel| span.trends(panel, series, *way))
                        .collect(),
                )
            }
            Self::Shift { view, series, from } => {
                let panels = panels.of(view).iter();
                compared(panels.map(|panel| shift(panel, *series, *from)).collect())
            }
            Self::Flat {
                view,
                series,
                within,
            } => compared(flat(panels.of(view), *series, *within)),
            Self::Number {
                view,
                series,
                claimed,
                within,
                counted,
                least,
            } => number(
                panels,
                [view, counted],
                *series,
                (*claimed, *within),
                *least,
            ),
            Self::Range { view, low, high } => range(panels.of(view), *low, *high),
            Self::Mostly { view, pairs } => mostly(panels.of(view), pairs),
            Self::AnyFalls { view, series } => any_falls(panels.of(view), *series),
            Self::All(rules) => {
                let found = rules.iter().map(|rule| rule.look(panels));
                found.fold(Finding::default(), Finding::and)
            }
            Self::Special { judge, .. } => judge(panels),
        }
    }

    /// What it asks for, with the names of the series.
    pub(super) fn words(&self, panels: &Panels) -> String {
        match self {
            Self::Compare {
                view, at, tests, ..
            } => {
                let names = |series: &[usize]| panels.names(view, series);
                format!("{at}, {view}: {}", relations(tests, names))
            }
            Self::Trend {
                view,
                series,
                way,
                span,
            } => {
                let (way, span) = (way.words(), span.words());
                let names = panels.names(view, series);
                format!(
                    "{view}: {names} {way} {span} on average (an interval wholly on the other side fails)"
                )
            }
            Self::Shift { view, series, from } => {
                let name = panels.names(view, &[*series]);
                format!(
                    "{view}: {name} is higher on average from {from} on than below (an interval wholly on the other side fails)"
                )
            }
            Self::Flat {
                view,
                series,
                within,
            } => {
                let name = panels.names(view, &[*series]);
                format!(
                    "at every point, {view}: {name} differs from its mean over all points by {within} at most"
                )
            }
            Self::Number {
                view,
                series,
                claimed,
                within,
                counted,
                least,
            } => {
                let name = panels.names(view, &[*series]);
                format!(
                    "{view}: {name} is {claimed}, give or take {within}; open where runs count fewer than {least} {counted} on average"
                )
            }
            Self::Range { view, low, high } => {
                format!(
                    "{view}: the interval of every mean lies from {low} to {high}; one wholly outside fails"
                )
            }
            Self::Mostly { view, pairs } => {
                let pair = |&(a, b): &(usize, usize)| {
                    [a, b]
                        .map(|series| panels.names(view, &[series]))
                        .join(" above ")
                };
                let pairs: Vec<String> = pairs.iter().map(pair).collect();
                format!(
                    "{view}: at more than half of all points on average {}",
                    pairs.join(", ")
                )
            }
            Self::AnyFalls { view, series } => {
                let name = panels.names(view, &[*series]);
                format!(
                    "{view}: {name} falls from the first point to the last in at least one panel, interval included; fails where it rises in all"
                )
            }
            Self::All(rules) => {
                let words: Vec<String> = rules.iter().map(|rule| rule.words(panels)).collect();
                words.join("; ")
            }
            Self::Special { words, .. } => words.clone(),
        }
    }
}

impl Finding {
    fn and(mut self, other: Self) -> Self {
        self.comparisons.extend(other.comparisons);
        self.verdicts.extend(other.verdicts);
        self.rows.extend(other.rows);
        self
    }
}

#[cfg(test)]
mod tests;
