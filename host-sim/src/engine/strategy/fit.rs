//! A start anywhere in the window.

use bookahead::{Book, Booking, Error as Denied, Policy, raw::Ring};

use super::{Admission, Ask, reserve};

/// A start anywhere in the window, chosen by the kernel.
pub(super) struct Fit {
    pub(super) policy: Policy,
}

impl<R: Ring> Admission<R> for Fit {
    fn admit(&mut self, book: &mut Book<'_, R>, ask: &Ask) -> Result<Booking, Denied> {
        reserve(book, &ask.request, self.policy, ask.commitment)
    }
}
