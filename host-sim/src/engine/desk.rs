//! Who decides about requests to reserve.

use bookahead::{Book, Booking, Error as Denied, Policy, Request, Ring, Slot, Window};

/// Books requests or says why not.
pub(super) trait Desk<R> {
    /// Books `request` or says why not.
    fn decide(&mut self, book: &mut Book<'_, R>, request: &Request) -> Result<Booking, Denied>;

    /// A best-effort job was booked.
    fn best_effort_started(&mut self, _booked: Window) {}

    /// The booking that was to end at `booked` ended at `end`.
    fn ended_early(&mut self, _booked: Slot, _end: Slot) {}
}

/// A start anywhere in the window, chosen by the kernel.
pub(super) struct FitDesk {
    pub(super) policy: Policy,
}

impl<R: Ring> Desk<R> for FitDesk {
    fn decide(&mut self, book: &mut Book<'_, R>, request: &Request) -> Result<Booking, Denied> {
        book.reserve(request, self.policy)
    }
}

/// A start at the ready time or none: the rest of the window is not used.
///
/// Source: `sulistio`, section 4.
pub(super) struct RigidDesk;

impl<R: Ring> Desk<R> for RigidDesk {
    fn decide(&mut self, book: &mut Book<'_, R>, request: &Request) -> Result<Booking, Denied> {
        let end = request.ready.saturating_add(request.duration);
        let rigid = Request {
            deadline: end.min(request.deadline),
            ..*request
        };
        book.reserve(&rigid, Policy::FirstFit)
    }
}
