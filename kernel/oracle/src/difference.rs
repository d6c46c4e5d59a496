//! What the two sides disagree on.

use std::fmt::{self, Debug};

/// A point on which the two sides differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What was compared.
    pub what: &'static str,
    /// What the side under test says.
    pub subject: String,
    /// What the oracle says.
    pub oracle: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:\n  subject: {}\n  oracle:  {}",
            self.what, self.subject, self.oracle
        )
    }
}

impl std::error::Error for Difference {}

/// Passes when both sides say the same of `what`.
pub(crate) fn same<T: PartialEq + Debug>(
    what: &'static str,
    subject: &T,
    oracle: &T,
) -> Result<(), Difference> {
    if subject == oracle {
        return Ok(());
    }
    Err(Difference {
        what,
        subject: format!("{subject:?}"),
        oracle: format!("{oracle:?}"),
    })
}

/// Passes when `what` holds.
pub(crate) fn sound(what: &'static str, holds: bool) -> Result<(), Difference> {
    same(what, &holds, &true)
}
