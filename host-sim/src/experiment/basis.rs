//! What a claim rests on where that is no figure: cases that were counted, audits, worked examples.

use std::{fmt::Display, iter::Sum};

use super::comparison::{Finding, Row};
use crate::{
    error::{Error, Result},
    statistics::Verdict,
};

/// Cases looked at, those among them that are wrong, and the first of these in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Count {
    pub(super) looked_at: usize,
    pub(super) wrong: usize,
    pub(super) first: Option<String>,
}

impl Count {
    pub(super) fn case(&mut self, right: bool, problem: impl FnOnce() -> String) {
        self.looked_at += 1;
        self.wrong_if(!right, problem);
    }

    /// Counts what may be wrong about a case besides.
    pub(super) fn wrong_if(&mut self, wrong: bool, problem: impl FnOnce() -> String) {
        if wrong {
            self.wrong += 1;
            self.first.get_or_insert_with(problem);
        }
    }

    #[must_use]
    pub(super) fn and(self, other: &Self) -> Self {
        Self {
            looked_at: self.looked_at + other.looked_at,
            wrong: self.wrong + other.wrong,
            first: self.first.or_else(|| other.first.clone()),
        }
    }

    /// How many are wrong, with what they are and do.
    pub(super) fn found(&self, what: &str) -> Finding {
        self.measured(format!("{} of {} {what}", self.wrong, self.looked_at))
    }

    /// Holds when none is wrong; nothing looked at decides nothing.
    pub(super) fn measured(&self, measured: String) -> Finding {
        let verdict = Verdict::when(self.looked_at > 0 && self.wrong == 0, self.looked_at > 0);
        let first = self.first.iter();
        let first = first.map(|first| Row::fact("the first that is wrong", first));
        Finding::once(verdict, measured).with(first)
    }
}

impl<'a> Sum<&'a Self> for Count {
    fn sum<I: Iterator<Item = &'a Self>>(counts: I) -> Self {
        counts.fold(Self::default(), Self::and)
    }
}

/// Whether promises were kept, over many runs.
#[derive(Clone, Default)]
pub(super) struct Audit {
    pub(super) runs: usize,
    /// Requests to reserve.
    pub(super) requests: usize,
    /// Accepted ones, and what the checker found wrong by the rules that result files are judged by.
    pub(super) accepted: Count,
}

impl Audit {
    #[must_use]
    pub(super) fn and(self, other: &Self) -> Self {
        Self {
            runs: self.runs + other.runs,
            requests: self.requests + other.requests,
            accepted: self.accepted.and(&other.accepted),
        }
    }

    /// An error for a promise that was broken: nothing that such runs show is worth reading.
    pub(super) fn kept(&self) -> Result<()> {
        let (runs, Count { wrong, first, .. }) = (self.runs, &self.accepted);
        match first {
            None => Ok(()),
            Some(first) => Err(Error::Violated(format!(
                "{wrong} violations in {runs} runs, the first: {first}"
            ))),
        }
    }
}

/// A worked example, or a state of a run, that the kernel refuses to take: a defect.
pub(super) fn refused(why: impl Display) -> Error {
    Error::Internal(format!("what is to be compared cannot be set up: {why}"))
}
