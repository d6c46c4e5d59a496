//! Paired differences and what they say about a claim.
//!
//! Every claim about figures is a list of comparisons, each of them one paired difference over the replications with its 95 %
//! interval. The claim holds when all of them hold, and fails when one fails.

use super::statistics::Estimate;
pub(super) use crate::files::Verdict;

impl Verdict {
    /// Holds when it is true, fails when it is not.
    pub(super) const fn of(truth: bool) -> Self {
        Self::when(truth, !truth)
    }

    /// Open where it neither holds nor fails.
    pub(super) const fn when(holds: bool, fails: bool) -> Self {
        match (holds, fails) {
            (true, _) => Self::Holds,
            (_, true) => Self::Fails,
            _ => Self::Undecidable,
        }
    }

    /// All together: fails when one fails, else undecidable when one is. Nothing to look at decides nothing.
    pub(super) fn all(verdicts: impl IntoIterator<Item = Self>) -> Self {
        verdicts.into_iter().max().unwrap_or(Self::Undecidable)
    }
}

/// What a difference should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Expected {
    /// Greater by more than this: the whole interval lies above for `holds`, below for `fails`.
    Above(f64),
    /// Not greater than 0: the mean is not for `holds`, the whole interval is for `fails`.
    NotAbove,
    /// Greater than 0 as a trend: the mean is for `holds`, the whole interval is below for `fails`.
    Rising,
    /// At most this in size: the whole interval is for `holds`, lies outside for `fails`.
    Within(f64),
    /// More than this in size, the opposite of within.
    Outside(f64),
}

/// Differences of this size come from rounding.
const ROUNDING: f64 = 1e-12;

impl Expected {
    /// How far a difference is on the right side; negative on the wrong one.
    fn room(self, difference: f64) -> f64 {
        match self {
            Self::Above(limit) => difference - limit,
            Self::NotAbove => -difference,
            Self::Rising => difference,
            Self::Within(limit) => limit - difference.abs(),
            Self::Outside(limit) => difference.abs() - limit,
        }
    }

    fn verdict(self, difference: Estimate) -> Verdict {
        let room = self.room(difference.mean);
        let (least, most) = (room - difference.half, room + difference.half);
        match self {
            Self::Above(_) => Verdict::when(least > ROUNDING, most < -ROUNDING),
            Self::NotAbove => Verdict::when(room >= -ROUNDING, most < -ROUNDING),
            Self::Rising => Verdict::when(room > ROUNDING, most < -ROUNDING),
            Self::Within(_) => Verdict::when(least >= 0.0, most < 0.0),
            Self::Outside(_) => Verdict::when(least > 0.0, most <= 0.0),
        }
    }

    /// Whether one replication taken alone comes out so.
    fn alone(self, difference: f64) -> bool {
        let room = self.room(difference);
        room > 0.0 || (room == 0.0 && matches!(self, Self::NotAbove | Self::Within(_)))
    }

    /// How far on the right side the mean is, in half widths; the smaller, the weaker.
    fn margin(self, difference: Estimate) -> f64 {
        let room = self.room(difference.mean);
        if difference.half > 0.0 {
            room / difference.half
        } else {
            room * f64::MAX.sqrt()
        }
    }
}

/// One difference and what it should be.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    /// What is compared.
    pub(super) what: String,
    /// Where; empty where there is one place only.
    pub(super) place: String,
    /// The difference in each replication.
    pub(super) differences: Vec<f64>,
    /// What it should be.
    pub(super) expected: Expected,
}

impl Comparison {
    /// The mean difference with its interval; unknown without replications.
    pub(super) fn estimate(&self) -> Estimate {
        Estimate::of(&self.differences).unwrap_or(Estimate {
            mean: f64::NAN,
            half: f64::INFINITY,
        })
    }

    /// What the difference says.
    pub(super) fn verdict(&self) -> Verdict {
        self.expected.verdict(self.estimate())
    }

    fn row(&self) -> Row {
        let estimate = self.estimate();
        Row {
            place: self.place.clone(),
            ci95: estimate.ci95(),
            ..Row::verdict(&self.what, format!("{:+.4}", estimate.mean), self.verdict())
        }
    }
}

/// One line of the evidence for a claim.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// What was compared or measured.
    pub(super) what: String,
    /// Where; may be empty.
    pub(super) place: String,
    /// The difference, or another value, as text.
    pub(super) value: String,
    /// Half its 95 % interval, where it has one.
    pub(super) ci95: Option<f64>,
    /// What it says about the claim, where it says something by itself.
    pub(super) verdict: Option<Verdict>,
}

impl Row {
    /// A value that decides nothing by itself.
    pub(super) fn fact(what: impl Into<String>, value: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            place: String::new(),
            value: value.into(),
            ci95: None,
            verdict: None,
        }
    }

    /// A value with what it says about the claim.
    pub(super) fn verdict(
        what: impl Into<String>,
        value: impl Into<String>,
        verdict: Verdict,
    ) -> Self {
        Self {
            verdict: Some(verdict),
            ..Self::fact(what, value)
        }
    }

    /// The mean of some samples with its interval.
    pub(super) fn estimate(what: impl Into<String>, samples: &[f64]) -> Self {
        let found = Estimate::of(samples);
        let mean = found.map_or_else(|| "-".to_owned(), |found| format!("{:+.4}", found.mean));
        Self {
            ci95: found.and_then(Estimate::ci95),
            ..Self::fact(what, mean)
        }
    }
}

/// What a rule finds in the samples.
#[derive(Clone, Debug, Default)]
pub(super) struct Finding {
    /// What the rule asks for, with the names of the series.
    pub(super) rule: String,
    /// Opens what was measured; may be empty.
    pub(super) context: String,
    /// Differences that decide.
    pub(super) comparisons: Vec<Comparison>,
    /// What decides besides.
    pub(super) verdicts: Vec<Verdict>,
    /// The numbers it rests on, where these are no comparisons.
    pub(super) measured: Option<String>,
    /// Half the interval of these numbers.
    pub(super) ci95: Option<f64>,
    /// Further evidence.
    pub(super) rows: Vec<Row>,
}

impl Finding {
    /// A line of evidence that decides.
    pub(super) fn decide(&mut self, row: Row) {
        self.verdicts.extend(row.verdict);
        self.rows.push(row);
    }
}

/// What became of a claim, with the evidence.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judgement {
    /// By which rule.
    pub(super) rule: String,
    /// The verdict.
    pub(super) verdict: Verdict,
    /// The numbers it rests on.
    pub(super) measured: String,
    /// Half the 95 % interval of the weakest of them, or the widest of several; none where nothing is estimated.
    pub(super) ci95: Option<f64>,
    /// The evidence, line by line.
    pub(super) rows: Vec<Row>,
    /// Replications, and how many of them taken alone show all of it, which is what a paper without replications sees.
    pub(super) alone: Option<(usize, usize)>,
}

impl Judgement {
    /// From what a rule found.
    pub(super) fn of(finding: Finding) -> Self {
        let comparisons = &finding.comparisons;
        let decided = comparisons.iter().map(Comparison::verdict);
        let verdict = Verdict::all(decided.chain(finding.verdicts));
        let weakest = weakest(comparisons).map(Comparison::estimate);
        let measured = finding.measured.unwrap_or_else(|| summary(comparisons));
        let rows = comparisons.iter().map(Comparison::row);
        Self {
            rule: finding.rule,
            verdict,
            measured: match finding.context.as_str() {
                "" => measured,
                context => format!("{context}; {measured}"),
            },
            ci95: weakest.map_or(finding.ci95, Estimate::ci95),
            rows: rows.chain(finding.rows).collect(),
            alone: alone(comparisons),
        }
    }

    /// Several judgements as one, each behind its name.
    pub(super) fn together(parts: Vec<(&str, Self)>) -> Self {
        let joined = |text: fn(&(&str, Self)) -> String| {
            let texts: Vec<String> = parts.iter().map(text).collect();
            texts.join("; ")
        };
        let rows = |(name, part): &(&str, Self)| {
            let row = |row: &Row| Row {
                what: format!("{name}: {}", row.what),
                ..row.clone()
            };
            part.rows.iter().map(row).collect::<Vec<_>>()
        };
        let halves = parts.iter().filter_map(|(_, part)| part.ci95);
        Self {
            rule: joined(|(_, part)| part.rule.clone()),
            verdict: Verdict::all(parts.iter().map(|(_, part)| part.verdict)),
            measured: joined(|(name, part)| format!("{name}: {}", part.measured)),
            ci95: halves.reduce(f64::max),
            rows: parts.iter().flat_map(rows).collect(),
            alone: None,
        }
    }
}

fn summary(comparisons: &[Comparison]) -> String {
    let holds = |comparison: &&Comparison| comparison.verdict() == Verdict::Holds;
    let holding = comparisons.iter().filter(holds).count();
    let mut text = format!("{holding} of {} comparisons hold", comparisons.len());
    if let Some(weakest) = weakest(comparisons) {
        let Estimate { mean, half } = weakest.estimate();
        let what = format!("{} {}", weakest.what, weakest.place);
        let what = what.trim_end();
        text += &format!(", weakest {what}: {mean:+.4} {}", interval(half));
    }
    text
}

/// A half width as text.
pub(super) fn interval(half: f64) -> String {
    if half.is_finite() {
        format!("± {half:.4}")
    } else {
        "(interval unknown from one replication)".to_owned()
    }
}

fn weakest(comparisons: &[Comparison]) -> Option<&Comparison> {
    let weight = |comparison: &Comparison| comparison.expected.margin(comparison.estimate());
    comparisons
        .iter()
        .min_by(|a, b| weight(a).total_cmp(&weight(b)))
}

fn alone(comparisons: &[Comparison]) -> Option<(usize, usize)> {
    let lengths = comparisons
        .iter()
        .map(|comparison| comparison.differences.len());
    let runs = lengths.min()?;
    let shows = |run: &usize| {
        let mut all = comparisons.iter();
        all.all(|comparison| comparison.expected.alone(comparison.differences[*run]))
    };
    Some((runs, (0..runs).filter(shows).count()))
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Expected, Finding, Judgement, Verdict};

    const UP: [f64; 4] = [1.0, 1.1, 0.9, 1.0];
    const DOWN: [f64; 4] = [-1.0, -1.1, -0.9, -1.0];
    const NOISE: [f64; 4] = [-1.0, 1.2, 0.9, -1.0];

    fn judge(expected: Expected, lists: &[(&str, [f64; 4])]) -> Judgement {
        let comparison = |(what, differences): &(&str, [f64; 4])| Comparison {
            what: (*what).to_owned(),
            place: String::new(),
            differences: differences.to_vec(),
            expected,
        };
        let finding = Finding {
            comparisons: lists.iter().map(comparison).collect(),
            ..Finding::default()
        };
        Judgement::of(finding)
    }

    #[test]
    fn every_expectation_can_hold_and_fail_and_stay_open() {
        use Verdict::{Fails, Holds, Undecidable};
        let table = [
            (Expected::Above(0.0), [Holds, Fails, Undecidable]),
            (Expected::Above(1.5), [Fails, Fails, Undecidable]),
            (Expected::NotAbove, [Fails, Holds, Undecidable]),
            (Expected::Rising, [Holds, Fails, Holds]),
            (Expected::Within(0.5), [Fails, Fails, Undecidable]),
            (Expected::Within(2.5), [Holds, Holds, Holds]),
            (Expected::Outside(0.5), [Holds, Holds, Undecidable]),
            (Expected::Outside(2.5), [Fails, Fails, Fails]),
        ];
        for (expected, verdicts) in table {
            let found = [UP, DOWN, NOISE].map(|samples| judge(expected, &[("", samples)]).verdict);
            assert_eq!(found, verdicts, "{expected:?}");
        }
    }

    #[test]
    fn one_failure_is_enough_and_nothing_is_undecidable() {
        use Verdict::{Fails, Holds, Undecidable};
        assert_eq!(Verdict::all([Holds, Undecidable, Fails]), Fails);
        assert_eq!(Verdict::all([Holds, Undecidable]), Undecidable);
        assert_eq!(Verdict::all([Holds, Holds]), Holds);
        assert_eq!(Verdict::all([]), Undecidable);
    }

    #[test]
    fn each_comparison_is_a_row_and_single_runs_are_counted() {
        let judgement = judge(Expected::Above(0.0), &[("a - b", UP), ("a - c", NOISE)]);
        assert_eq!(judgement.verdict, Verdict::Undecidable);
        let opening = "1 of 2 comparisons hold, weakest a - c: ";
        assert!(
            judgement.measured.starts_with(opening),
            "{}",
            judgement.measured
        );
        let row = &judgement.rows[1];
        assert_eq!(
            (row.what.as_str(), row.verdict),
            ("a - c", Some(Verdict::Undecidable))
        );
        assert_eq!(judgement.alone, Some((4, 2)));
    }
}
