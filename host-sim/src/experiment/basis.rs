//! What a claim rests on where that is no figure: counts, worked examples, operations counted.

use std::fmt::Display;

use super::comparison::{Finding, Row};
use crate::{error::Error, statistics::Verdict};

/// By how much a count may outgrow its formula.
const TOLERANCE: f64 = 1.25;

/// Cases looked at, and those among them that are wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    /// Cases.
    pub(super) looked_at: usize,
    /// Wrong ones.
    pub(super) wrong: usize,
    /// The first of them in words; empty when there is none.
    pub(super) first: String,
}

impl Count {
    /// Counts one case.
    pub(super) fn case(&mut self, right: bool, problem: impl FnOnce() -> String) {
        self.looked_at += 1;
        self.wrong_if(!right, problem);
    }

    /// Counts what may be wrong about a case besides.
    pub(super) fn wrong_if(&mut self, wrong: bool, problem: impl FnOnce() -> String) {
        if !wrong {
            return;
        }
        self.wrong += 1;
        if self.first.is_empty() {
            self.first = problem();
        }
    }

    /// Both together.
    #[must_use]
    pub(super) fn and(mut self, other: Self) -> Self {
        self.looked_at += other.looked_at;
        self.wrong += other.wrong;
        if self.first.is_empty() {
            self.first = other.first;
        }
        self
    }

    /// How many are wrong, with what they are and do.
    pub(super) fn found(&self, what: &str) -> Finding {
        self.measured(format!("{} of {} {what}", self.wrong, self.looked_at))
    }

    /// Holds when none is wrong; nothing looked at decides nothing.
    pub(super) fn measured(&self, measured: String) -> Finding {
        let verdict = match self.looked_at {
            0 => Verdict::Undecidable,
            _ => Verdict::of(self.wrong == 0),
        };
        let first = Some(&self.first).filter(|first| !first.is_empty());
        let first = first.map(|first| Row::fact("the first that is wrong", first));
        Finding::once(verdict, measured).with(first)
    }
}

/// One thing that a paper prints, beside what came out, as texts of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exact {
    /// Who answered.
    pub(super) who: &'static str,
    /// What the paper prints.
    pub(super) printed: String,
    /// What came out.
    pub(super) seen: String,
}

impl Exact {
    /// Who answered, what the paper prints, and what came out.
    pub(super) fn new(
        who: &'static str,
        printed: impl Into<String>,
        seen: impl Into<String>,
    ) -> Self {
        let (printed, seen) = (printed.into(), seen.into());
        Self { who, printed, seen }
    }
}

/// Holds when everything is as printed.
pub(super) fn exactly(measured: String, answers: &[Exact]) -> Finding {
    let row = |answer: &Exact| {
        let verdict = Verdict::of(answer.seen == answer.printed);
        Row::verdict(answer.who, &answer.seen, verdict)
    };
    all_of(measured, answers.iter().map(row))
}

/// Holds when all lines of evidence do.
pub(super) fn all_of(measured: String, rows: impl IntoIterator<Item = Row>) -> Finding {
    let rows: Vec<Row> = rows.into_iter().collect();
    let verdict = Verdict::all(rows.iter().filter_map(|row| row.verdict));
    Finding::once(verdict, measured).with(rows)
}

/// How a count of operations grows with one quantity, beside a formula.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Growth {
    /// What grows.
    pub(super) quantity: String,
    /// By what factor.
    pub(super) by: f64,
    /// By what factor the count grows.
    pub(super) count: f64,
    /// By what factor the formula grows.
    pub(super) formula: f64,
}

impl Growth {
    /// The power of the quantity that the count follows.
    pub(super) fn exponent(&self) -> f64 {
        self.count.log(self.by)
    }

    /// The line of evidence, which holds where the count stays with its formula.
    pub(super) fn row(&self) -> Row {
        let what = format!("operations with {} times the {}", self.by, self.quantity);
        let value = format!("x{:.2}, formula x{:.2}", self.count, self.formula);
        let stays = self.count <= TOLERANCE * self.formula;
        Row::verdict(what, value, Verdict::of(stays))
    }
}

/// A worked example, or a state of a run, that the kernel refuses to take: a defect.
pub(super) fn refused(why: impl Display) -> Error {
    Error::Internal(format!("what is to be compared cannot be set up: {why}"))
}
