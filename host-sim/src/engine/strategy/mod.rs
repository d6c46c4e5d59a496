//! The ways in which a request becomes a reservation: one file each.

mod control;
mod elastic;
mod fit;
mod juggle;
mod rigid;

use bookahead::{
    Book, Booking, Commitment, Error as Denied, Handle, Policy, Request, Slot, SlotClock, Window,
    raw::Ring,
};

pub use elastic::{Elastic, User};
pub(super) use juggle::entries;
pub use juggle::{Freeze, Juggle, Order};
pub(super) use rigid::rigid;

use self::{control::Control, elastic::ElasticOffers, fit::Fit, juggle::Juggler, rigid::Rigid};
use super::{binding::Binding, system::System};

/// How a request becomes a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Somewhere in its window, at a start that a policy chooses.
    Fit(Policy),
    /// At its ready time, rounded up to a slot, or not at all.
    Rigid,
    /// As a solution of an elastic query, or as an offer that its user takes instead.
    Elastic(Elastic),
    /// Somewhere in its window, where flexible reservations make room by moving in theirs.
    Juggle(Juggle),
}

impl Strategy {
    /// The name in commands and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fit(_) => "fit",
            Self::Rigid => "rigid",
            Self::Elastic(_) => "elastic",
            Self::Juggle(_) => "juggle",
        }
    }

    /// Which of several possible starts it takes. Where there is one start or none, as for a rigid reservation, and where a user
    /// chooses among offers, that is the default.
    #[must_use]
    pub const fn policy(self) -> Policy {
        match self {
            Self::Fit(policy) => policy,
            Self::Rigid | Self::Elastic(_) | Self::Juggle(_) => Policy::FirstFit,
        }
    }

    /// Whether it moves reservations that it has accepted.
    #[must_use]
    pub const fn moves(self) -> bool {
        matches!(self, Self::Juggle(_))
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

/// What somebody asks for.
pub(super) struct Ask {
    pub(super) request: Request,
    pub(super) commitment: Commitment,
    /// Whether its start may change after it has been accepted.
    pub(super) flexible: bool,
    /// The first slot edge that is not before its arrival.
    pub(super) earliest: Slot,
}

/// Decides which requests are admitted, and where.
pub(super) trait Admission<R> {
    /// Books what is asked for or says why not.
    fn admit(&mut self, book: &mut Book<'_, R>, ask: &Ask) -> Result<Booking, Denied>;

    /// Moves reservations now that something has become free; none to a start before `earliest`.
    fn replan(&mut self, _book: &mut Book<'_, R>, _earliest: Slot) {}

    /// What the last call moved.
    fn moved(&self) -> &[Handle] {
        &[]
    }

    /// Something else than an admission changed what is booked: a job of the queue, an early end, an operation.
    fn rebooked(&mut self, _old: Option<Window>, _new: Option<Window>) {}
}

/// What the strategy of a system stands for, with a book of so many rows and sets of so many columns.
pub(super) fn admission<R: Ring>(
    system: &System,
    clock: SlotClock,
    sizes: [usize; 2],
) -> Box<dyn Admission<R>>
where
    R::Part: 'static,
{
    let tariff = system.tariff;
    match (system.strategy, system.binding) {
        (Strategy::Fit(policy), Binding::LateControl) => Box::new(Control::new(policy)),
        (Strategy::Fit(policy), _) => Box::new(Fit { policy }),
        (Strategy::Rigid, _) => Box::new(Rigid),
        (Strategy::Elastic(elastic), _) => Box::new(ElasticOffers::new(elastic, tariff)),
        (Strategy::Juggle(juggle), _) => {
            Box::new(Juggler::<R::Part>::new(juggle, clock, tariff, sizes))
        }
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
