//! A start at the ready time, or none.

use bookahead::{Book, Booking, Error as Denied, Policy, Request, raw::Ring};

use super::admission::{Admission, Ask, reserve};

/// A start at the ready time or none: the rest of the window is not used.
///
/// Source: `sulistio`, section 4.
pub(super) struct Rigid;

impl<R: Ring> Admission<R> for Rigid {
    fn admit(&mut self, book: &mut Book<'_, R>, ask: &Ask) -> Result<Booking, Denied> {
        let ask = Admission::<R>::narrowed(self, ask);
        reserve(book, &ask, Policy::FirstFit)
    }

    fn narrowed(&self, ask: &Ask) -> Ask {
        let request = rigid(&ask.request);
        Ask { request, ..*ask }
    }
}

/// The request without what it leaves open.
pub(in crate::engine) fn rigid(request: &Request) -> Request {
    let end = request.ready.saturating_add(request.duration);
    Request {
        deadline: end.min(request.deadline),
        ..*request
    }
}
