//! A start anywhere in the window.

use bookahead::{Book, Booking, Error as Denied, Policy, raw::Ring};

use super::admission::{Admission, Ask, Proposal, propose, reserve};

/// A start anywhere in the window, chosen by the kernel.
pub(super) struct Fit {
    pub(super) policy: Policy,
}

impl<R: Ring> Admission<R> for Fit {
    fn propose(&mut self, book: &mut Book<'_, R>, ask: &Ask, _: bool) -> Result<Proposal, Denied> {
        propose(book, ask, self.policy)
    }

    fn admit(&mut self, book: &mut Book<'_, R>, ask: &Ask) -> Result<Booking, Denied> {
        reserve(book, ask, self.policy)
    }
}
