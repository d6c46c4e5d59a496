//! Paired differences, what else a rule finds, and what both say about a claim.
//!
//! Every claim about figures is a list of comparisons, each of them one paired difference over the replications with its 95 %
//! interval. The claim holds when all of them hold, and fails when one fails.

pub(super) use crate::files::EvidenceRow as Row;
use crate::statistics::{Estimate, Expected, Verdict};

/// One difference and what it should be.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    pub(super) what: String,
    /// Empty where there is one place only.
    pub(super) place: String,
    /// In each replication.
    pub(super) differences: Vec<f64>,
    pub(super) expected: Expected,
}

impl Comparison {
    /// The mean difference with its interval; unknown without replications.
    pub(super) fn estimate(&self) -> Estimate {
        Estimate::of(&self.differences)
    }

    pub(super) fn verdict(&self) -> Verdict {
        self.expected.verdict(self.estimate())
    }

    fn row(&self) -> Row {
        let verdict = Some(self.verdict());
        let row = Row::estimate(&self.what, &self.differences).at(&self.place);
        Row { verdict, ..row }
    }
}

impl Row {
    /// An answer, which holds where it is just what the paper prints.
    pub(super) fn exact(who: &str, printed: impl AsRef<str>, answer: impl Into<String>) -> Self {
        let answer = answer.into();
        let verdict = Verdict::of(answer == printed.as_ref());
        Self::verdict(who, answer, verdict)
    }

    /// By what factor a count of operations grows with so many times a quantity; holds where it outgrows its formula by a quarter at most.
    pub(super) fn growth(quantity: &str, by: f64, count: f64, formula: f64) -> Self {
        let what = format!("operations with {by} times the {quantity}");
        let value = format!("x{count:.2}, formula x{formula:.2}");
        Self::verdict(what, value, Verdict::of(count <= 1.25 * formula))
    }

    /// The mean of some samples with its interval.
    pub(super) fn estimate(what: impl Into<String>, samples: &[f64]) -> Self {
        let found = Estimate::of(samples);
        let mean = match found.mean.is_nan() {
            true => "-".to_owned(),
            false => format!("{:+.4}", found.mean),
        };
        Self::fact(what, mean).with_half(found)
    }

    /// The same with half the 95 % interval of an estimate, where that is known.
    pub(super) fn with_half(self, of: Estimate) -> Self {
        let ci95 = half(of.ci95());
        Self { ci95, ..self }
    }
}

/// Half an interval in tables.
pub(super) fn half(ci95: Option<f64>) -> String {
    ci95.map(|half| format!("{half:.4}")).unwrap_or_default()
}

/// What a rule finds in the samples, or what was counted or worked out once.
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
    /// A rule that rests on differences.
    pub(super) fn comparing(
        rule: String,
        comparisons: impl IntoIterator<Item = Comparison>,
    ) -> Self {
        Self {
            rule,
            comparisons: comparisons.into_iter().collect(),
            ..Self::default()
        }
    }

    /// What was decided without samples.
    pub(super) fn once(verdict: Verdict, measured: String) -> Self {
        Self {
            verdicts: vec![verdict],
            measured: Some(measured),
            ..Self::default()
        }
    }

    /// Holds when all lines of evidence do.
    pub(super) fn all_of(measured: String, rows: impl Into<Vec<Row>>) -> Self {
        let rows = rows.into();
        let verdict = Verdict::all(rows.iter().filter_map(|row| row.verdict));
        Self::once(verdict, measured).with(rows)
    }

    /// The same with further evidence.
    #[must_use]
    pub(super) fn with(mut self, rows: impl IntoIterator<Item = Row>) -> Self {
        self.rows.extend(rows);
        self
    }

    /// The same with a rule in words.
    #[must_use]
    pub(super) fn by_rule(self, rule: impl Into<String>) -> Self {
        let rule = rule.into();
        Self { rule, ..self }
    }

    /// The same with something that opens what was measured.
    #[must_use]
    pub(super) fn opening(self, context: impl Into<String>) -> Self {
        let context = context.into();
        Self { context, ..self }
    }

    /// A line of evidence that decides.
    pub(super) fn decide(&mut self, row: Row) {
        self.verdicts.extend(row.verdict);
        self.rows.push(row);
    }

    fn each(&self) -> impl Iterator<Item = Verdict> {
        self.comparisons.iter().map(Comparison::verdict)
    }

    /// What it says about the claim.
    pub(super) fn verdict(&self) -> Verdict {
        Verdict::all(self.each().chain(self.verdicts.iter().copied()))
    }

    /// The numbers that the verdict rests on, in words.
    pub(super) fn numbers(&self) -> String {
        let numbers = self.measured.clone().unwrap_or_else(|| self.summary());
        match self.context.as_str() {
            "" => numbers,
            context => format!("{context}; {numbers}"),
        }
    }

    fn summary(&self) -> String {
        let holding = self.each().filter(|one| *one == Verdict::Holds).count();
        let text = format!("{holding} of {} comparisons hold", self.comparisons.len());
        let Some(weakest) = self.weakest() else {
            return text;
        };
        let what = format!("{} {}", weakest.what, weakest.place);
        format!(
            "{text}, weakest {}: {}",
            what.trim_end(),
            weakest.estimate()
        )
    }

    fn weakest(&self) -> Option<&Comparison> {
        let margin = |one: &Comparison| one.expected.margin(one.estimate());
        let all = self.comparisons.iter();
        all.min_by(|a, b| margin(a).total_cmp(&margin(b)))
    }

    /// Half the 95 % interval of the weakest of the numbers; none where nothing is estimated, and where they are of several quantities.
    pub(super) fn half(&self) -> Option<f64> {
        let weakest = self.weakest().map(Comparison::estimate);
        weakest.map_or(self.ci95, Estimate::ci95)
    }

    pub(super) fn evidence(&self) -> Vec<Row> {
        let compared = self.comparisons.iter().map(Comparison::row);
        compared.chain(self.rows.iter().cloned()).collect()
    }

    /// Replications, and how many of them taken alone show all of it, which is what a paper without replications sees.
    pub(super) fn alone(&self) -> Option<(usize, usize)> {
        let all = || self.comparisons.iter();
        let runs = all().map(|one| one.differences.len()).min()?;
        let shows = |run: &usize| all().all(|one| one.expected.alone(one.differences[*run]));
        Some((runs, (0..runs).filter(shows).count()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Expected, Finding, Verdict};

    const UP: [f64; 4] = [1.0, 1.1, 0.9, 1.0];
    const DOWN: [f64; 4] = [-1.0, -1.1, -0.9, -1.0];
    const NOISE: [f64; 4] = [-1.0, 1.2, 0.9, -1.0];

    fn judge(expected: Expected, lists: &[(&str, [f64; 4])]) -> Finding {
        let comparison = |(what, differences): &(&str, [f64; 4])| Comparison {
            what: (*what).to_owned(),
            place: String::new(),
            differences: differences.to_vec(),
            expected,
        };
        Finding::comparing(String::new(), lists.iter().map(comparison))
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
            let found =
                [UP, DOWN, NOISE].map(|samples| judge(expected, &[("", samples)]).verdict());
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
        let found = judge(Expected::Above(0.0), &[("a - b", UP), ("a - c", NOISE)]);
        assert_eq!(found.verdict(), Verdict::Undecidable);
        let opening = "1 of 2 comparisons hold, weakest a - c: ";
        assert!(found.numbers().starts_with(opening), "{}", found.numbers());
        let row = &found.evidence()[1];
        assert_eq!(
            (row.what.as_str(), row.verdict),
            ("a - c", Some(Verdict::Undecidable))
        );
        assert_eq!(found.alone(), Some((4, 2)));
    }
}
