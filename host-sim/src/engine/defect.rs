//! What must not happen: a defect of this program or of the kernel.

use bookahead::Error as Denied;

use crate::error::Error;

/// The kernel refused what it had promised.
pub(super) fn broken(error: Denied) -> Error {
    internal(&format!("the kernel broke its word: {error}"))
}

/// A reservation is in the book that nobody has made.
pub(super) fn nobody() -> Error {
    internal("a reservation of nobody's")
}

pub(super) fn internal(problem: &str) -> Error {
    Error::Internal(problem.to_owned())
}
