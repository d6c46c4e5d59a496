//! What a strategy is to the simulation: who decides about requests, and what is asked and answered.

use bookahead::{
    Book, Booking, Commitment, Error as Denied, Handle, Policy, Probability, Refusal, Request,
    Slot, Span, Window, raw::Ring,
};

use crate::engine::{outcome::Overlaid, story::Cause};

/// What somebody asks for.
#[derive(Clone, Copy)]
pub(in crate::engine) struct Ask {
    pub(in crate::engine) request: Request,
    pub(in crate::engine) commitment: Commitment,
    /// Whether its start may change after it has been accepted.
    pub(in crate::engine) flexible: bool,
    /// The first slot edge that is not before its arrival.
    pub(in crate::engine) earliest: Slot,
}

/// A place for what is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::engine) struct Proposal {
    /// How probable it is that the promise can be kept.
    pub(in crate::engine) kept: Probability,
    /// How probable it is that it cannot start on time.
    pub(in crate::engine) late: Probability,
    pub(in crate::engine) start: Slot,
}

/// Decides which requests are admitted, and where.
pub(in crate::engine) trait Admission<R> {
    /// Says where it would book, for who may choose among several sites; where `firm`, on top of nobody. Nothing is booked. Only some
    /// strategies run there.
    fn propose(
        &mut self,
        _book: &mut Book<'_, R>,
        _ask: &Ask,
        _firm: bool,
    ) -> Result<Proposal, Denied> {
        Err(Refusal::NoRoom.into())
    }

    /// Books what is asked for or says why not.
    fn admit(&mut self, book: &mut Book<'_, R>, ask: &Ask) -> Result<Booking, Denied>;

    /// Moves reservations now that something has become free; none to a start before `earliest`.
    fn replan(&mut self, _book: &mut Book<'_, R>, _earliest: Slot) {}

    /// What the last call moved, and why.
    fn moved(&self) -> &[(Handle, Cause)] {
        &[]
    }

    /// What the last admission was promised, where it lies on top of others.
    fn overlaid(&self) -> Option<Overlaid> {
        None
    }

    /// A job is over.
    fn learn(&mut self, _lesson: &Lesson) {}

    /// Something else than an admission changed what is booked: a job of the queue, an early end, an operation.
    fn rebooked(&mut self, _old: Option<Window>, _new: Option<Window>) {}
}

/// What is known of a job when it is over.
#[derive(Clone, Copy)]
pub(in crate::engine) struct Lesson {
    pub(in crate::engine) booked: Span,
    pub(in crate::engine) ran: Span,
    /// What it was promised, where it was on top of others.
    pub(in crate::engine) overlay: Option<Overlaid>,
}

/// Says where a policy would book.
pub(super) fn propose<R: Ring>(
    book: &mut Book<'_, R>,
    request: &Request,
    policy: Policy,
) -> Result<Proposal, Denied> {
    let plan = book.plan(request, policy)?;
    Ok(Proposal {
        kept: Probability::ONE,
        late: Probability::ZERO,
        start: plan.window().start,
    })
}

/// Books firmly or for a while, as `commitment` says.
pub(super) fn reserve<R: Ring>(
    book: &mut Book<'_, R>,
    request: &Request,
    policy: Policy,
    commitment: Commitment,
) -> Result<Booking, Denied> {
    match commitment {
        Commitment::Confirmed => book.reserve(request, policy),
        Commitment::Held { ttl } => book.hold(request, policy, ttl),
        Commitment::Flexible { .. } => {
            let plan = book.plan(request, policy)?;
            let start = plan.window().start;
            let handle = book.commit(&plan, commitment)?;
            Ok(Booking { handle, start })
        }
    }
}
