//! Rules that say what a claim about figures means, as data: the same values decide and print themselves.

use std::fmt;

use super::{
    comparison::{Comparison, Expected, Finding, Row, Verdict},
    panel::{Panel, Panels, View},
    statistics::{Estimate, mean_of, paired},
};

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

/// At which points series are compared.
#[derive(Clone, Copy)]
pub(super) enum At {
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
pub(super) struct Test {
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
pub(super) enum By {
    /// At all.
    Any,
    /// This much.
    Fixed(f64),
    /// This share of the distance from the lowest to the highest of some series at the point.
    Spread(f64, &'static [usize]),
    /// This share of the mean of a series over the panel.
    Share(f64, usize),
}

/// Up or down.
#[derive(Clone, Copy)]
pub(super) enum Way {
    Rises,
    Falls,
}

/// Between which points.
#[derive(Clone, Copy)]
pub(super) enum Span {
    /// From each to the next.
    Steps,
    /// From the first to the last.
    Ends,
}

/// `a` lies above `b`.
pub(super) const fn above(a: usize, b: usize) -> Test {
    above_by(a, b, By::Any)
}

/// `a` lies above `b` by more than so much.
pub(super) const fn above_by(a: usize, b: usize, by: By) -> Test {
    let relation = Relation::Above(by);
    Test { a, b, relation }
}

/// `a` does not lie above `b`.
pub(super) const fn not_above(a: usize, b: usize) -> Test {
    let relation = Relation::NotAbove;
    Test { a, b, relation }
}

/// `a` and `b` differ by so much at most.
pub(super) const fn alike(a: usize, b: usize, by: By) -> Test {
    let relation = Relation::Alike(by);
    Test { a, b, relation }
}

/// `a` and `b` differ by more than so much.
pub(super) const fn apart(a: usize, b: usize, by: By) -> Test {
    let relation = Relation::Apart(by);
    Test { a, b, relation }
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

impl At {
    fn compare(self, panels: &[Panel], tests: &[Test]) -> Vec<Comparison> {
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
fn relations(tests: &[Test], names: impl Fn(&[usize]) -> String) -> String {
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

impl Way {
    const fn words(self) -> &'static str {
        match self {
            Self::Rises => "rise",
            Self::Falls => "fall",
        }
    }

    const fn sign(self) -> f64 {
        match self {
            Self::Rises => 1.0,
            Self::Falls => -1.0,
        }
    }
}

impl Span {
    const fn words(self) -> &'static str {
        match self {
            Self::Steps => "in every step",
            Self::Ends => "from the first point to the last",
        }
    }

    fn trends(self, panel: &Panel, series: &[usize], way: Way) -> Vec<Comparison> {
        let last = panel.len().saturating_sub(1);
        let spans: Vec<(usize, usize)> = match self {
            Self::Steps => (0..last).map(|tick| (tick, tick + 1)).collect(),
            Self::Ends => vec![(0, last)],
        };
        let trend = |&series: &usize| {
            let spans = spans.iter();
            spans.map(move |&(from, to)| panel.trend(series, from, to, way.sign()))
        };
        series.iter().flat_map(trend).collect()
    }
}

fn shift(panel: &Panel, series: usize, from: f64) -> Comparison {
    let Panel {
        place, axis, unit, ..
    } = panel;
    let mean = |ticks: Vec<usize>| panel.mean_over(series, &ticks);
    let early = mean(panel.ticks_where(|here| here < from));
    let late = mean(panel.ticks_where(|here| here >= from));
    Comparison {
        what: format!("rise of {}", panel.names[series]),
        place: format!("from {axis} < {from} {unit} to {axis} >= {from} {unit} at {place}"),
        differences: paired(&late, &early),
        expected: Expected::Rising,
    }
}

fn flat(panels: &[Panel], series: usize, within: f64) -> Vec<Comparison> {
    let means = panels
        .iter()
        .map(|panel| panel.mean_over(series, &panel.all()));
    let level = mean_of(&means.collect::<Vec<_>>());
    let points = panels
        .iter()
        .flat_map(|panel| (0..panel.len()).map(move |tick| (panel, tick)));
    let compare = |(panel, tick): (&Panel, usize)| Comparison {
        what: panel.names[series].clone(),
        place: format!("{} less its mean", panel.at(tick)),
        differences: paired(panel.samples(series, tick), &level),
        expected: Expected::Within(within),
    };
    points.map(compare).collect()
}

fn number(
    panels: &Panels,
    [view, counted]: [&View; 2],
    series: usize,
    (claimed, within): (f64, f64),
    least: f64,
) -> Finding {
    let samples = |view: &View| {
        let panel = panels.of(view).first();
        panel.map_or(Vec::new(), |panel| panel.samples(series, 0).to_vec())
    };
    let finite: Vec<f64> = samples(view)
        .into_iter()
        .filter(|sample| sample.is_finite())
        .collect();
    let comparison = Comparison {
        what: format!("{} less the paper's", panels.names(view, &[series])),
        place: String::new(),
        differences: finite.iter().map(|sample| sample - claimed).collect(),
        expected: Expected::Within(within),
    };
    let cases = Estimate::of(&samples(counted)).map_or(0.0, |cases| cases.mean);
    let seen = comparison.verdict();
    let mut finding = Finding::default();
    finding.rows.push(Row::fact(
        format!("{counted} in a run"),
        format!("{cases:.1}"),
    ));
    if cases < least {
        let mut row = Row::estimate(comparison.what, &comparison.differences);
        row.verdict = Some(seen);
        finding.rows.push(row);
        finding.verdicts.push(Verdict::Undecidable);
        finding.measured = Some(format!(
            "{cases:.1} {counted} in a run, too few for a share"
        ));
    } else {
        finding.comparisons.push(comparison);
    }
    finding
}

fn range(panels: &[Panel], low: f64, high: f64) -> Finding {
    let mut finding = Finding::default();
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    let points = panels.iter().flat_map(|panel| {
        let series = 0..panel.names.len();
        series.flat_map(move |series| (0..panel.len()).map(move |tick| (panel, series, tick)))
    });
    for (panel, series, tick) in points {
        let Some(found) = Estimate::of(panel.samples(series, tick)) else {
            continue;
        };
        (least, most) = (least.min(found.mean), most.max(found.mean));
        let inside = found.low() >= low && found.high() <= high;
        let outside = found.high() < low || found.low() > high;
        let verdict = match (inside, outside) {
            (true, _) => Verdict::Holds,
            (_, true) => Verdict::Fails,
            _ => Verdict::Undecidable,
        };
        finding.verdicts.push(verdict);
        finding.rows.push(Row {
            what: panel.names[series].clone(),
            place: panel.at(tick),
            value: format!("{:.4}", found.mean),
            ci95: Some(found.half).filter(|half| half.is_finite()),
            verdict: Some(verdict),
        });
    }
    finding.measured = Some(format!("{least:.3} to {most:.3}"));
    finding
}

/// At how many points a series lies above another on average, and of how many.
pub(super) fn points_above(panels: &[Panel], a: usize, b: usize) -> (usize, usize) {
    let points = panels
        .iter()
        .flat_map(|panel| (0..panel.len()).map(move |tick| (panel, tick)));
    points.fold((0, 0), |(higher, all), (panel, tick)| {
        let gain = panel.mean(a, tick) - panel.mean(b, tick);
        (higher + usize::from(gain > 0.0), all + 1)
    })
}

fn mostly(panels: &[Panel], pairs: &[(usize, usize)]) -> Finding {
    let mut finding = Finding::default();
    for &(a, b) in pairs {
        let (higher, all) = points_above(panels, a, b);
        let verdict = Verdict::of(2 * higher > all);
        finding.verdicts.push(verdict);
        let name = |series: usize| panels.first().map_or("", |panel| &panel.names[series]);
        let what = format!("points at which {} is above {}", name(a), name(b));
        let mut row = Row::fact(what, format!("{higher} of {all}"));
        row.verdict = Some(verdict);
        finding.rows.push(row);
    }
    finding
}

fn any_falls(panels: &[Panel], series: usize) -> Finding {
    let last = |panel: &Panel| panel.len().saturating_sub(1);
    let falls: Vec<(&Panel, Estimate)> = panels
        .iter()
        .filter_map(|panel| Some((panel, Estimate::of(&panel.gain(series, last(panel), 0))?)))
        .collect();
    let verdict = if falls.iter().any(|(_, fall)| fall.low() > 0.0) {
        Verdict::Holds
    } else if !falls.is_empty() && falls.iter().all(|(_, fall)| fall.high() < 0.0) {
        Verdict::Fails
    } else {
        Verdict::Undecidable
    };
    let text = |(panel, fall): &(&Panel, Estimate)| {
        format!(
            "{} {:+.4} {}",
            panel.place,
            fall.mean,
            super::comparison::interval(fall.half)
        )
    };
    let texts: Vec<String> = falls.iter().map(text).collect();
    let half = falls.iter().map(|(_, fall)| fall.half).fold(0.0, f64::max);
    let from = falls.first().map_or_else(String::new, |(panel, _)| {
        let first = panel.ticks.first().map_or("", |tick| &tick.text);
        format!(
            "{} {first} to the longest ({})",
            panel.axis, panel.value_unit
        )
    });
    Finding {
        verdicts: vec![verdict],
        measured: Some(format!("fall from {from}: {}", texts.join(", "))),
        ci95: Some(half).filter(|half| half.is_finite()),
        ..Finding::default()
    }
}

#[cfg(test)]
mod tests {
    use super::{
        At, By, Panel, Panels, Rule, Verdict, Way, above, above_by, alike, apart, compare, ends,
        everywhere, not_above, steps,
    };
    use crate::experiment::{comparison::Judgement, panel::Tick};

    const VIEW: &str = "view";

    /// Two panels with two series over three points, and a little noise that differs between replications.
    fn panels(value: impl Fn(usize, usize) -> f64) -> Panels {
        let panel = |place: &str| Panel {
            place: place.to_owned(),
            axis: "x",
            unit: "h",
            ticks: [0.0, 1.0, 2.0].map(Tick::number).to_vec(),
            value_unit: "s",
            names: ["a", "b"].map(str::to_owned).to_vec(),
            samples: (0..2)
                .map(|series| {
                    let at = |tick: usize| {
                        [1e-6, -1e-6].map(|noise| value(series, tick) + noise * (1 + series) as f64)
                    };
                    (0..3).map(|tick| at(tick).to_vec()).collect()
                })
                .collect(),
        };
        Panels::new([
            (VIEW, vec![panel("first"), panel("second")]),
            ("counted", vec![panel("")]),
        ])
    }

    fn verdict(rule: &Rule, value: impl Fn(usize, usize) -> f64) -> Verdict {
        Judgement::of(String::new(), rule.look(&panels(value))).verdict
    }

    #[test]
    fn every_rule_can_hold_and_fail_and_prints_what_decides() {
        let trend = |way| steps(VIEW, &[0], way);
        let number = Rule::Number {
            view: VIEW,
            series: 0,
            claimed: 7.0,
            within: 0.5,
            counted: "counted",
            least: 5.0,
        };
        let flat = Rule::Flat {
            view: VIEW,
            series: 0,
            within: 0.75,
        };
        let range = Rule::Range {
            view: VIEW,
            low: 0.25,
            high: 8.5,
        };
        let mostly = Rule::Mostly {
            view: VIEW,
            pairs: vec![(0, 1)],
        };
        let shift = Rule::Shift {
            view: VIEW,
            series: 0,
            from: 1.5,
        };
        let falls = Rule::AnyFalls {
            view: VIEW,
            series: 0,
        };
        const SPREAD: By = By::Spread(0.125, &[0, 1]);
        type Value = fn(usize, usize) -> f64;
        let table: [(Rule, &str, Value, Value); 18] = [
            (
                everywhere(VIEW, vec![above(0, 1)]),
                "a above b",
                |s, _| 2.0 - s as f64,
                |s, _| s as f64,
            ),
            (
                everywhere(VIEW, vec![above_by(0, 1, By::Fixed(0.375))]),
                "0.375",
                |s, _| 2.0 - s as f64,
                |s, _| 0.25 * (2 - s) as f64,
            ),
            (
                everywhere(VIEW, vec![not_above(0, 1)]),
                "not above b",
                |s, _| s as f64,
                |s, _| 2.0 - s as f64,
            ),
            (
                everywhere(VIEW, vec![alike(0, 1, By::Fixed(0.625))]),
                "0.625",
                |s, _| 0.5 * s as f64,
                |s, _| s as f64,
            ),
            (
                everywhere(VIEW, vec![apart(0, 1, By::Fixed(0.5))]),
                "more than 0.5",
                |s, _| s as f64,
                |_, _| 1.0,
            ),
            (
                everywhere(VIEW, vec![above_by(0, 1, SPREAD)]),
                "0.125 of the distance",
                |s, _| 2.0 - s as f64,
                |s, _| s as f64,
            ),
            (
                compare(VIEW, At::Beyond(0.5), vec![above(0, 1)]),
                "beyond 0.5",
                |s, t| (s * 9 * usize::from(t == 0)) as f64 - s as f64,
                |s, _| s as f64,
            ),
            (
                compare(VIEW, At::Mean, vec![above(0, 1)]),
                "over each axis",
                |s, t| if s == t { 0.0 } else { 2.0 - s as f64 },
                |s, _| s as f64,
            ),
            (
                compare(VIEW, At::Mean, vec![above_by(0, 1, By::Share(0.25, 1))]),
                "0.25 of it",
                |s, _| 3.0 - s as f64,
                |s, _| 9.0 - s as f64,
            ),
            (
                compare(VIEW, At::MeanBelow(1.5), vec![above(0, 1)]),
                "below 1.5",
                |s, t| (s * 99 * usize::from(t == 2)) as f64 - s as f64,
                |s, _| s as f64,
            ),
            (
                compare(VIEW, At::MeanOfAll, vec![above(0, 1)]),
                "over all points",
                |s, _| 2.0 - s as f64,
                |s, _| s as f64,
            ),
            (
                trend(Way::Rises),
                "rise in every step",
                |_, t| t as f64,
                |_, t| (t % 2) as f64,
            ),
            (
                ends(VIEW, &[0], Way::Falls),
                "fall from the first",
                |_, t| [3.0, 9.0, 1.0][t],
                |_, t| t as f64,
            ),
            (shift, "from 1.5 on", |_, t| t as f64, |_, t| -(t as f64)),
            (
                flat,
                "by 0.75 at most",
                |_, t| 0.5 * t as f64,
                |_, t| t as f64,
            ),
            (number, "is 7, give or take 0.5", |_, _| 7.25, |_, _| 9.0),
            (
                range,
                "from 0.25 to 8.5",
                |_, t| 1.0 + t as f64,
                |_, t| 9.0 * t as f64,
            ),
            (
                mostly,
                "at more than half of all points",
                |s, t| if t == 0 { 0.0 } else { 2.0 - s as f64 },
                |s, t| if t == 0 { 2.0 - s as f64 } else { s as f64 },
            ),
        ];
        for (rule, words, good, bad) in table {
            let printed = rule.words(&panels(good));
            assert!(
                printed.contains(words) && printed.contains(VIEW) | printed.contains("points"),
                "{printed}"
            );
            assert_eq!(verdict(&rule, good), Verdict::Holds, "{printed}");
            assert_eq!(verdict(&rule, bad), Verdict::Fails, "{printed}");
        }
        assert_eq!(verdict(&falls, |_, t| -(t as f64)), Verdict::Holds);
        assert_eq!(verdict(&falls, |_, t| t as f64), Verdict::Fails);
        assert_eq!(verdict(&falls, |_, _| 1.0), Verdict::Undecidable);
    }

    #[test]
    fn a_share_of_few_cases_stays_open() {
        let number = |least| Rule::Number {
            view: VIEW,
            series: 0,
            claimed: 7.0,
            within: 0.5,
            counted: "counted",
            least,
        };
        assert_eq!(verdict(&number(6.0), |_, _| 7.0), Verdict::Holds);
        assert_eq!(verdict(&number(8.0), |_, _| 7.0), Verdict::Undecidable);
    }

    #[test]
    fn all_of_several_rules_is_as_good_as_its_worst() {
        let two = |second| {
            Rule::All(vec![
                everywhere(VIEW, vec![above(0, 1)]),
                steps(VIEW, &[0], second),
            ])
        };
        let rising = |series: usize, tick: usize| tick as f64 - series as f64;
        assert_eq!(verdict(&two(Way::Rises), rising), Verdict::Holds);
        assert_eq!(verdict(&two(Way::Falls), rising), Verdict::Fails);
    }
}
