//! The ways in which a request becomes a reservation: one file each.

mod control;
mod elastic;
mod fit;
mod rigid;

use bookahead::{
    Book, Booking, Commitment, Error as Denied, Policy, Request, Tariff, Window, raw::Ring,
};

pub use elastic::{Elastic, User};
pub(super) use rigid::rigid;

use self::{control::Control, elastic::ElasticOffers, fit::Fit, rigid::Rigid};
use super::binding::Binding;

/// How a request becomes a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Somewhere in its window, at a start that a policy chooses.
    Fit(Policy),
    /// At its ready time, rounded up to a slot, or not at all.
    Rigid,
    /// As a solution of an elastic query, or as an offer that its user takes instead.
    Elastic(Elastic),
}

impl Strategy {
    /// The name in commands and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fit(_) => "fit",
            Self::Rigid => "rigid",
            Self::Elastic(_) => "elastic",
        }
    }

    /// Which of several possible starts it takes. Where there is one start or none, as for a rigid reservation, and where a user
    /// chooses among offers, that is the default.
    #[must_use]
    pub const fn policy(self) -> Policy {
        match self {
            Self::Fit(policy) => policy,
            Self::Rigid | Self::Elastic(_) => Policy::FirstFit,
        }
    }

    /// Whether it moves reservations that it has accepted.
    #[must_use]
    pub const fn moves(self) -> bool {
        false
    }

    /// A name that tells it from the others in tables and in names of folders: the policy where there is one, else the strategy.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Fit(policy) => policy.name(),
            other => other.name(),
        }
    }
}

/// Decides which requests are admitted, and where.
pub(super) trait Admission<R> {
    /// Books `request` or says why not.
    fn admit(
        &mut self,
        book: &mut Book<'_, R>,
        request: &Request,
        commitment: Commitment,
    ) -> Result<Booking, Denied>;

    /// Something else than an admission changed what is booked: a job of the queue, an early end, an operation.
    fn rebooked(&mut self, _old: Option<Window>, _new: Option<Window>) {}
}

/// What a strategy stands for.
pub(super) fn admission<R: Ring>(
    strategy: Strategy,
    binding: Binding,
    tariff: Tariff,
) -> Box<dyn Admission<R>> {
    match (strategy, binding) {
        (Strategy::Fit(policy), Binding::LateControl) => Box::new(Control::new(policy)),
        (Strategy::Fit(policy), _) => Box::new(Fit { policy }),
        (Strategy::Rigid, _) => Box::new(Rigid),
        (Strategy::Elastic(elastic), _) => Box::new(ElasticOffers::new(elastic, tariff)),
    }
}

/// Books firmly or for a while, as `commitment` says.
fn reserve<R: Ring>(
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
