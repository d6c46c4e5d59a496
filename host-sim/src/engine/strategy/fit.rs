//! A start anywhere in the window.

use bookahead::{Book, Booking, Commitment, Error as Denied, Policy, Request, raw::Ring};

use super::{Admission, reserve};

/// A start anywhere in the window, chosen by the kernel.
pub(super) struct Fit {
    pub(super) policy: Policy,
}

impl<R: Ring> Admission<R> for Fit {
    fn admit(
        &mut self,
        book: &mut Book<'_, R>,
        request: &Request,
        commitment: Commitment,
    ) -> Result<Booking, Denied> {
        reserve(book, request, self.policy, commitment)
    }
}
