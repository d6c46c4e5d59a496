//! Requests with a range of lengths: the longest that fits is granted.

use crate::{
    book::{Book, Plan},
    error::{Error, Refusal, UsageError},
    pe::PeCount,
    policy::Policy,
    request::Request,
    ring::Ring,
    time::{Slot, Span},
};

/// A request that leaves its start and its length open, each between two bounds; its end has a bound too.
///
/// ```
/// # use bookahead::{Commitment, PeCount, Policy, Request, Slot, Span};
/// # let mut memory = bookahead::fixture::memory();
/// # let mut book = memory.view();
/// # let others = Request {
/// #     ready: Slot::new(11), duration: Span::new(5), deadline: Slot::new(16), pes: PeCount::new(3),
/// # };
/// // From slot 11 on, others have most of the machine.
/// book.reserve(&others, Policy::FirstFit, Commitment::Confirmed)?;
/// use bookahead::LengthRange;
/// let request = LengthRange {
///     first_start: Slot::new(3), last_start: Slot::new(6), deadline: Slot::new(30), pes: PeCount::new(3),
///     shortest: Span::new(4), longest: Span::new(20),
/// };
/// let plan = request.plan(&mut book, Policy::FirstFit)?;
/// assert_eq!((plan.window().start, plan.window().end), (Slot::new(3), Slot::new(11)));
/// // There is a contract only when the customer confirms.
/// let answer = book.commit(&plan, Commitment::Held { ttl: Span::new(2) })?;
/// book.confirm(answer)?;
/// # Ok::<(), bookahead::Error>(())
/// ```
///
/// Source: `xiao`, section 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LengthRange {
    /// Earliest start.
    pub first_start: Slot,
    /// Latest start.
    pub last_start: Slot,
    /// Latest end, exclusive, whatever the length.
    pub deadline: Slot,
    /// Shortest length that is of use.
    pub shortest: Span,
    /// Longest length that is of use.
    pub longest: Span,
    /// The number of processing elements.
    pub pes: PeCount,
}

impl LengthRange {
    /// Returns the rigid request for one length.
    #[must_use]
    pub const fn rigid(&self, duration: Span) -> Request {
        let end = self.last_start.saturating_add(duration);
        let inside = end.get() < self.deadline.get();
        Request {
            ready: self.first_start,
            duration,
            deadline: if inside { end } else { self.deadline },
            pes: self.pes,
        }
    }

    /// Plans the longest length for which there is room, at the start that `policy` chooses for it. Whatever has room has it
    /// for each shorter length as well, so the length is bisected: O(log lengths) times the cost of [`Book::plan`].
    ///
    /// # Errors
    ///
    /// [`UsageError::ZeroDuration`] for a shortest length of no slots; [`Refusal::WindowTooShort`] when bounds are in the
    /// wrong order; else the errors of [`Book::plan`] for the shortest length.
    pub fn plan<R: Ring>(&self, book: &mut Book<'_, R>, policy: Policy) -> Result<Plan, Error> {
        if self.shortest == Span::ZERO {
            return Err(UsageError::ZeroDuration.into());
        }
        if self.shortest > self.longest || self.first_start > self.last_start {
            return Err(Refusal::WindowTooShort.into());
        }
        let mut best = book.plan(&self.rigid(self.shortest), policy)?;
        let (mut fits, mut most) = (self.shortest.get(), self.longest.get());
        while fits < most {
            let length = most.saturating_sub(most.saturating_sub(fits) / 2);
            match book.plan(&self.rigid(Span::new(length)), policy) {
                Ok(plan) => (best, fits) = (plan, length),
                Err(_) => most = length.saturating_sub(1),
            }
        }
        Ok(best)
    }
}
