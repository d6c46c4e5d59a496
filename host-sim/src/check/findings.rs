//! What was found wrong.

use std::fmt;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The job concerned, where it is one.
    pub job_id: Option<u64>,
    /// What was found and what was expected.
    pub problem: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(job_id) = self.job_id {
            write!(f, "job {job_id}: ")?;
        }
        f.write_str(&self.problem)
    }
}

/// A value that may be missing, in words.
pub(super) fn shown(value: &dyn fmt::Debug) -> String {
    let text = format!("{value:?}");
    let there = text
        .strip_prefix("Some(")
        .and_then(|rest| rest.strip_suffix(')'));
    match (there, text.as_str()) {
        (Some(there), _) => there.to_owned(),
        (None, "None") => "nothing".to_owned(),
        _ => text,
    }
}

/// What was found so far.
#[derive(Default)]
pub(super) struct Findings(pub(super) Vec<Violation>);

impl Findings {
    pub(super) fn add(&mut self, job_id: Option<u64>, problem: String) {
        self.0.push(Violation { job_id, problem });
    }

    /// Notes everything that was found elsewhere.
    pub(super) fn append(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    /// Notes a value of a job that is not what it must be.
    pub(super) fn expect<T: PartialEq + fmt::Debug>(
        &mut self,
        job_id: u64,
        what: &str,
        found: T,
        expected: T,
    ) {
        if found != expected {
            self.add(
                Some(job_id),
                format!(
                    "{what}: found {}, expected {}",
                    shown(&found),
                    shown(&expected)
                ),
            );
        }
    }

    /// Notes a condition of a job that does not hold.
    pub(super) fn require(&mut self, job_id: u64, holds: bool, problem: impl FnOnce() -> String) {
        if !holds {
            self.add(Some(job_id), problem());
        }
    }

    /// Notes an entry of metrics.json that is not what it must be.
    pub(super) fn entry(
        &mut self,
        name: &str,
        found: &dyn fmt::Display,
        expected: &dyn fmt::Display,
    ) {
        let problem = format!("metrics.json, {name}: found {found}, expected {expected}");
        self.add(None, problem);
    }

    /// Notes a setting of metrics.json that is not what it must be.
    pub(super) fn setting<T: fmt::Debug>(
        &mut self,
        name: &str,
        found: &Option<T>,
        right: bool,
        expected: &str,
    ) {
        if !right {
            let found = match found {
                Some(found) => format!("{found:?}"),
                None => "nothing".to_owned(),
            };
            let problem = format!("metrics.json, {name}: found {found}, expected {expected}");
            self.add(None, problem);
        }
    }
}
