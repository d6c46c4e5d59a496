//! Who decides about requests to reserve.

use bookahead::{Book, Booking, Commitment, Error as Denied, Policy, Request, Window, raw::Ring};

/// Books requests or says why not.
pub(super) trait Desk<R> {
    /// Books `request` or says why not.
    fn decide(
        &mut self,
        book: &mut Book<'_, R>,
        request: &Request,
        commitment: Commitment,
    ) -> Result<Booking, Denied>;

    /// Something else than a decision changed what is booked: a job of the queue, an early end, an operation.
    fn replaced(&mut self, _old: Option<Window>, _new: Option<Window>) {}
}

/// Books firmly or for a while, as `terms` say.
pub(super) fn reserve<R: Ring>(
    book: &mut Book<'_, R>,
    request: &Request,
    policy: Policy,
    commitment: Commitment,
) -> Result<Booking, Denied> {
    match commitment {
        Commitment::Confirmed => book.reserve(request, policy),
        Commitment::Held { ttl } => book.hold(request, policy, ttl),
    }
}

/// A start anywhere in the window, chosen by the kernel.
pub(super) struct FitDesk {
    pub(super) policy: Policy,
}

impl<R: Ring> Desk<R> for FitDesk {
    fn decide(
        &mut self,
        book: &mut Book<'_, R>,
        request: &Request,
        commitment: Commitment,
    ) -> Result<Booking, Denied> {
        reserve(book, request, self.policy, commitment)
    }
}

/// A start at the ready time or none: the rest of the window is not used.
///
/// Source: `sulistio`, section 4.
pub(super) struct RigidDesk;

impl<R: Ring> Desk<R> for RigidDesk {
    fn decide(
        &mut self,
        book: &mut Book<'_, R>,
        request: &Request,
        commitment: Commitment,
    ) -> Result<Booking, Denied> {
        reserve(book, &rigid(request), Policy::FirstFit, commitment)
    }
}

/// The request without what it leaves open.
pub(super) fn rigid(request: &Request) -> Request {
    let end = request.ready.saturating_add(request.duration);
    Request {
        deadline: end.min(request.deadline),
        ..*request
    }
}
