//! What a strategy is to the simulation: who decides about requests, and what is asked and answered.

use bookahead::{
    Book, Booking, ClassId, Commitment, Error as Denied, Handle, LengthRange, PeCount, Plan,
    Policy, Probability, Refusal, Request, Slot, Span, UsageError, Window, raw::Ring,
};

use crate::{
    engine::{outcome::Overlaid, story::Cause},
    saved::Saving,
    several::{MOST_RESOURCES, Refuser},
};

/// What somebody asks for.
#[derive(Clone, Copy)]
pub(in crate::engine) struct Ask {
    /// For the longest length.
    pub(in crate::engine) request: Request,
    /// Which processing elements will do.
    pub(in crate::engine) class: ClassId,
    /// The shortest length that is of use, where the longest that fits is granted.
    pub(in crate::engine) shortest: Option<Span>,
    pub(in crate::engine) commitment: Commitment,
    /// The first slot edge that is not before its arrival.
    pub(in crate::engine) earliest: Slot,
    /// Who asks, where that is known.
    pub(in crate::engine) user: Option<u64>,
    /// Whose quotas it is charged to, by number.
    pub(in crate::engine) principal: Option<usize>,
    /// How much it needs of each resource beside the machine.
    pub(in crate::engine) needs: [u32; MOST_RESOURCES],
}

impl Ask {
    /// What calls of a book take.
    pub(super) fn asked(&self) -> (ClassId, &Request) {
        (self.class, &self.request)
    }

    /// Its lengths, where it leaves them open: whatever the length, it is over by the deadline.
    pub(super) fn lengths(&self) -> Option<LengthRange> {
        let Request {
            ready,
            duration,
            deadline,
            pes,
        } = self.request;
        let shortest = self.shortest?;
        let last = deadline.get().saturating_sub(shortest.get().into());
        let window = deadline.since(ready).unwrap_or_default();
        Some(LengthRange {
            first_start: ready,
            last_start: Slot::new(last).max(ready),
            deadline,
            shortest,
            longest: duration.min(window).max(shortest),
            pes,
        })
    }
}

/// A place for what is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::engine) struct Proposal {
    /// How probable it is that the promise can be kept.
    pub(in crate::engine) kept: Probability,
    /// How probable it is that it cannot start on time.
    pub(in crate::engine) late: Probability,
    pub(in crate::engine) start: Slot,
    pub(in crate::engine) length: Span,
    pub(in crate::engine) pes: PeCount,
}

/// Decides which requests are admitted, and where.
pub(in crate::engine) trait Admission<R: Ring> {
    /// Says where it would book, for who may choose among several sites; where `firm`, on top of nobody, and without asking a second
    /// time. Nothing is booked. Only some strategies run there.
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

    /// What it asks of a book: less than was asked for, where it leaves out what the request leaves open.
    fn narrowed(&self, ask: &Ask) -> Ask {
        *ask
    }

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

    /// Which of several books refused the last request, where that was one of them.
    fn refuser(&mut self) -> Option<Refuser> {
        None
    }

    /// Confirms a reservation, with whatever belongs to it beside the machine.
    fn confirm(&mut self, book: &mut Book<'_, R>, handle: Handle) -> Result<(), Denied> {
        book.confirm(handle)
    }

    /// Cancels one, likewise.
    fn cancel(&mut self, book: &mut Book<'_, R>, handle: Handle) -> Result<(), Denied> {
        book.cancel(handle)
    }

    /// Completes one, likewise.
    fn complete(&mut self, book: &mut Book<'_, R>, handle: Handle, at: Slot) -> Result<(), Denied> {
        book.complete(handle, at)
    }

    /// The machine has lost a reservation: what belongs to it beside the machine is given back.
    fn lost(&mut self, _book: &Book<'_, R>, _handle: Handle) -> Result<(), Denied> {
        Ok(())
    }

    /// A job has been booked for a user, where that is known.
    fn belongs(&mut self, _handle: Handle, _user: Option<u64>) {}

    /// A job is over.
    fn learn(&mut self, _job: &EndedJob) {}

    /// Something else than an admission changed what is booked: a job of the queue, an early end, an operation.
    fn rebooked(&mut self, _old: Option<Window>, _new: Option<Window>) {}

    /// Appends what it knows, as [`Saved::save`](crate::saved::Saved::save).
    fn save(&mut self, _to: &mut Vec<u8>) -> Saving {
        Ok(())
    }

    /// Knows what it knew, as [`Saved::restore`](crate::saved::Saved::restore).
    fn restore(&mut self, _from: &mut &[u8]) -> Saving {
        Ok(())
    }
}

/// What is known of a job when it is over.
#[derive(Clone, Copy)]
pub(in crate::engine) struct EndedJob {
    pub(in crate::engine) handle: Handle,
    pub(in crate::engine) booked: Span,
    /// Nothing if it never ran.
    pub(in crate::engine) ran: Option<Span>,
    /// What it was promised, where it was on top of others.
    pub(in crate::engine) overlay: Option<Overlaid>,
}

/// Says where a policy would book.
pub(super) fn propose<R: Ring>(
    book: &mut Book<'_, R>,
    ask: &Ask,
    policy: Policy,
) -> Result<Proposal, Denied> {
    let window = plan(book, ask, policy)?.window();
    Ok(Proposal {
        kept: Probability::ONE,
        late: Probability::ZERO,
        start: window.start,
        length: window.len().unwrap_or_default(),
        pes: ask.request.pes,
    })
}

/// Plans the longest length that has room.
fn plan<R: Ring>(book: &mut Book<'_, R>, ask: &Ask, policy: Policy) -> Result<Plan, Denied> {
    match ask.lengths() {
        None => book.plan(ask.asked(), policy),
        Some(lengths) => lengths.plan(book, policy),
    }
}

/// Books firmly or for a while, as the commitment says.
pub(super) fn reserve<R: Ring>(
    book: &mut Book<'_, R>,
    ask: &Ask,
    policy: Policy,
) -> Result<Booking, Denied> {
    if ask.commitment == (Commitment::Held { ttl: Span::ZERO }) {
        return Err(UsageError::ZeroHold.into());
    }
    let plan = plan(book, ask, policy)?;
    let start = plan.window().start;
    let handle = book.commit((ask.class, &plan), ask.commitment)?;
    Ok(Booking { handle, start })
}
