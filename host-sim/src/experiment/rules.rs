//! Rules that turn samples into verdicts.
//!
//! Every claim about curves is a list of comparisons, each of them one paired difference over the replications with its 95 %
//! interval. The claim holds when all of them hold, and fails when one fails.

use super::{curves::Curves, statistics::Estimate};

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    /// It was seen.
    Holds,
    /// The data do not tell.
    Undecidable,
    /// The opposite was seen.
    Fails,
}

impl Verdict {
    /// As in claims.csv.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Undecidable => "undecidable",
            Self::Fails => "fails",
        }
    }

    /// Holds when it is true, fails when it is not.
    pub(super) const fn of(truth: bool) -> Self {
        if truth { Self::Holds } else { Self::Fails }
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
    fn verdict(self, difference: Estimate) -> Verdict {
        let Estimate { mean, half } = difference;
        let (low, high) = (difference.low(), difference.high());
        let (holds, fails) = match self {
            Self::Above(limit) => (low > limit + ROUNDING, high < limit - ROUNDING),
            Self::NotAbove => (mean <= ROUNDING, low > ROUNDING),
            Self::Rising => (mean > ROUNDING, high < -ROUNDING),
            Self::Within(limit) => (mean.abs() + half <= limit, mean.abs() - half > limit),
            Self::Outside(limit) => (mean.abs() - half > limit, mean.abs() + half <= limit),
        };
        match (holds, fails) {
            (true, _) => Verdict::Holds,
            (_, true) => Verdict::Fails,
            _ => Verdict::Undecidable,
        }
    }

    /// Whether one replication taken alone comes out so.
    fn alone(self, difference: f64) -> bool {
        match self {
            Self::Above(limit) => difference > limit,
            Self::NotAbove => difference <= 0.0,
            Self::Rising => difference > 0.0,
            Self::Within(limit) => difference.abs() <= limit,
            Self::Outside(limit) => difference.abs() > limit,
        }
    }

    /// How far on the right side the mean is, in half widths; the smaller, the weaker.
    fn margin(self, difference: Estimate) -> f64 {
        let room = match self {
            Self::Above(limit) => difference.mean - limit,
            Self::NotAbove => -difference.mean,
            Self::Rising => difference.mean,
            Self::Within(limit) => limit - difference.mean.abs(),
            Self::Outside(limit) => difference.mean.abs() - limit,
        };
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
    /// What is compared where.
    pub(super) what: String,
    /// The difference in each replication.
    pub(super) differences: Vec<f64>,
    /// What it should be.
    pub(super) expected: Expected,
}

impl Comparison {
    fn estimate(&self) -> Estimate {
        Estimate::of(&self.differences).unwrap_or(Estimate {
            mean: f64::NAN,
            half: f64::INFINITY,
        })
    }

    fn verdict(&self) -> Verdict {
        self.expected.verdict(self.estimate())
    }
}

/// What a rule found.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judgement {
    /// The verdict.
    pub(super) verdict: Verdict,
    /// The numbers it rests on.
    pub(super) measured: String,
    /// Half the 95 % interval of the weakest of them, or the widest of several; none where nothing is estimated.
    pub(super) ci95: Option<f64>,
    /// What else the data say; may be empty.
    pub(super) note: String,
}

/// Exceptions listed by name; the rest is counted.
const LISTED: usize = 6;

/// Judges a list of comparisons. `context` opens what was measured.
pub(super) fn judge(context: &str, comparisons: &[Comparison]) -> Judgement {
    let verdict = Verdict::all(comparisons.iter().map(Comparison::verdict));
    let holding = comparisons
        .iter()
        .filter(|comparison| comparison.verdict() == Verdict::Holds)
        .count();
    let mut measured = context.to_owned();
    if !measured.is_empty() {
        measured.push_str("; ");
    }
    measured.push_str(&format!(
        "{holding} of {} comparisons hold",
        comparisons.len()
    ));
    let mut ci95 = None;
    if let Some(weakest) = weakest(comparisons) {
        let Estimate { mean, half } = weakest.estimate();
        let weakest = &weakest.what;
        measured.push_str(&format!(
            ", weakest {weakest}: {mean:+.4} {}",
            interval(half)
        ));
        ci95 = Some(half).filter(|half| half.is_finite());
    }
    Judgement {
        verdict,
        measured,
        ci95,
        note: [exceptions(comparisons), alone(comparisons)].concat(),
    }
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

fn exceptions(comparisons: &[Comparison]) -> String {
    let mut text = String::new();
    for verdict in [Verdict::Fails, Verdict::Undecidable] {
        let found: Vec<&Comparison> = comparisons
            .iter()
            .filter(|comparison| comparison.verdict() == verdict)
            .collect();
        if found.is_empty() {
            continue;
        }
        let mut listed: Vec<String> = found
            .iter()
            .take(LISTED)
            .map(|comparison| {
                let Estimate { mean, half } = comparison.estimate();
                format!("{} ({mean:+.4} {})", comparison.what, interval(half))
            })
            .collect();
        if found.len() > LISTED {
            listed.push(format!("and {} more", found.len() - LISTED));
        }
        let heading = match verdict {
            Verdict::Fails => "Against it",
            _ => "Not decided",
        };
        text.push_str(&format!("{heading}: {}. ", listed.join(", ")));
    }
    text
}

/// How often a single run would have shown the claim, which is what a paper without replications sees.
fn alone(comparisons: &[Comparison]) -> String {
    let runs = comparisons
        .iter()
        .map(|comparison| comparison.differences.len())
        .min()
        .unwrap_or(0);
    let shown = (0..runs)
        .filter(|&run| {
            comparisons
                .iter()
                .all(|comparison| comparison.expected.alone(comparison.differences[run]))
        })
        .count();
    format!("Of {runs} replications taken singly {shown} show all of it. ")
}

impl Curves {
    /// Series `a` less series `b` at a tick.
    pub(super) fn compare(
        &self,
        a: usize,
        b: usize,
        tick: usize,
        expected: Expected,
    ) -> Comparison {
        let (first, second) = (&self.names[a], &self.names[b]);
        Comparison {
            what: format!("{first} - {second} at {}", self.at(tick)),
            differences: self.difference(a, b, tick),
            expected,
        }
    }

    /// Each step of some series upwards, or downwards when `sign` is negative.
    pub(super) fn steps(&self, series: &[usize], sign: f64) -> Vec<Comparison> {
        let mut steps = Vec::new();
        for &series in series {
            for tick in 1..self.len() {
                steps.push(self.trend(series, tick - 1, tick, sign));
            }
        }
        steps
    }

    /// What a series gains between two ticks, or loses when `sign` is negative.
    pub(super) fn trend(&self, series: usize, from: usize, to: usize, sign: f64) -> Comparison {
        let direction = if sign < 0.0 { "fall" } else { "rise" };
        let (from_text, to_text) = (&self.ticks[from], &self.ticks[to]);
        let gains = self.gain(series, from, to);
        Comparison {
            what: format!(
                "{direction} of {} from {} {from_text} to {to_text}",
                self.names[series], self.axis
            ),
            differences: gains.into_iter().map(|gain| sign * gain).collect(),
            expected: Expected::Rising,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Comparison, Expected, Verdict, judge};

    const UP: [f64; 4] = [1.0, 1.1, 0.9, 1.0];
    const DOWN: [f64; 4] = [-1.0, -1.1, -0.9, -1.0];
    const NOISE: [f64; 4] = [-1.0, 1.2, 0.9, -1.0];

    fn verdict(expected: Expected, differences: &[f64]) -> Verdict {
        let comparison = Comparison {
            what: String::new(),
            differences: differences.to_vec(),
            expected,
        };
        judge("", &[comparison]).verdict
    }

    #[test]
    fn every_rule_can_hold_and_fail_and_stay_open() {
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
            let found = [&UP, &DOWN, &NOISE].map(|samples| verdict(expected, samples));
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
    fn notes_name_exceptions_and_count_single_runs() {
        let comparison = |what: &str, differences: &[f64]| Comparison {
            what: what.to_owned(),
            differences: differences.to_vec(),
            expected: Expected::Above(0.0),
        };
        let judgement = judge("", &[comparison("a - b", &UP), comparison("a - c", &NOISE)]);
        assert_eq!(judgement.verdict, Verdict::Undecidable);
        assert!(
            judgement
                .measured
                .contains("1 of 2 comparisons hold, weakest a - c")
        );
        assert!(
            judgement.note.contains("Not decided: a - c"),
            "{}",
            judgement.note
        );
        assert!(
            judgement
                .note
                .contains("Of 4 replications taken singly 2 show")
        );
    }
}
