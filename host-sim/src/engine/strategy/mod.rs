//! The ways in which a request becomes a reservation: one file each.

mod control;
mod elastic;
mod fit;
mod juggle;
mod moving;
mod overlay;
mod rigid;
mod shift;

use bookahead::{
    Book, Booking, Commitment, Error as Denied, Handle, Policy, Probability, Refusal, Request,
    Slot, SlotClock, Span, Window, raw::Ring,
};

pub use elastic::{Elastic, User};
pub use juggle::{Juggle, Order};
pub(super) use moving::entries;
pub use moving::{Freeze, Moving};
pub(super) use overlay::Overlayer;
pub use overlay::{Learnt, Overlay, RiskLimit};
pub(super) use rigid::rigid;
pub use shift::Shift;

use self::{control::Control, elastic::ElasticOffers, fit::Fit, moving::Mover, rigid::Rigid};
use super::{binding::Binding, outcome::Overlaid, story::Cause, system::System};

/// How a request becomes a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// Somewhere in its window, at a start that a policy chooses.
    Fit(Policy),
    /// At its ready time, rounded up to a slot, or not at all.
    Rigid,
    /// As a solution of an elastic query, or as an offer that its user takes instead.
    Elastic(Elastic),
    /// Somewhere in its window, where flexible reservations are placed anew in theirs.
    Juggle(Juggle, Moving),
    /// Somewhere in its window, where flexible reservations are shifted aside in theirs.
    Shift(Shift, Moving),
    /// By shifting, and by juggling where that finds no room.
    JuggleShift(Shift, Juggle, Moving),
    /// Somewhere in its window, on top of others that will probably end early where there is no room.
    Overlay(Overlay),
}

impl Strategy {
    /// The name in commands and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fit(_) => "fit",
            Self::Rigid => "rigid",
            Self::Elastic(_) => "elastic",
            Self::Juggle(..) => "juggle",
            Self::Shift(..) => "shift",
            Self::JuggleShift(..) => "juggle-shift",
            Self::Overlay(_) => "overlay",
        }
    }

    /// Which of several possible starts it takes. Where there is one start or none, as for a rigid reservation, and where a user
    /// chooses among offers, that is the default.
    #[must_use]
    pub const fn policy(self) -> Policy {
        match self {
            Self::Fit(policy) => policy,
            Self::Shift(shift, _) | Self::JuggleShift(shift, ..) => shift.policy,
            Self::Overlay(overlay) => overlay.policy,
            Self::Rigid | Self::Elastic(_) | Self::Juggle(..) => Policy::FirstFit,
        }
    }

    /// Whether it can say where it would book, so that a meta-scheduler can choose among several sites.
    #[must_use]
    pub(super) const fn goes_to_sites(self) -> bool {
        matches!(self, Self::Fit(_) | Self::Overlay(_))
    }

    /// Until when and how much it moves reservations that it has accepted, if it does that.
    #[must_use]
    pub const fn moving(self) -> Option<Moving> {
        match self {
            Self::Juggle(_, moving) | Self::Shift(_, moving) | Self::JuggleShift(.., moving) => {
                Some(moving)
            }
            Self::Fit(_) | Self::Rigid | Self::Elastic(_) | Self::Overlay(_) => None,
        }
    }

    /// How it juggles, if it does.
    #[must_use]
    pub const fn juggle(self) -> Option<Juggle> {
        match self {
            Self::Juggle(juggle, _) | Self::JuggleShift(_, juggle, _) => Some(juggle),
            _ => None,
        }
    }

    /// How it shifts, if it does.
    #[must_use]
    pub const fn shift(self) -> Option<Shift> {
        match self {
            Self::Shift(shift, _) | Self::JuggleShift(shift, ..) => Some(shift),
            _ => None,
        }
    }

    /// How it lays reservations on top of others, if it does.
    #[must_use]
    pub const fn overlay(self) -> Option<Overlay> {
        match self {
            Self::Overlay(overlay) => Some(overlay),
            _ => None,
        }
    }

    /// A name that tells it from the others in tables and in names of folders.
    #[must_use]
    pub fn label(self) -> String {
        Self::label_of(self.name(), self.policy().name())
    }

    /// The same from the names of a strategy and of a policy: the policy where that is all, else the strategy, with a policy that is not
    /// the usual one.
    pub(crate) fn label_of(strategy: &str, policy: &str) -> String {
        match strategy {
            "fit" => policy.to_owned(),
            _ if policy == Policy::FirstFit.name() => strategy.to_owned(),
            _ => format!("{strategy}-{policy}"),
        }
    }
}

/// What somebody asks for.
#[derive(Clone, Copy)]
pub(super) struct Ask {
    pub(super) request: Request,
    pub(super) commitment: Commitment,
    /// Whether its start may change after it has been accepted.
    pub(super) flexible: bool,
    /// The first slot edge that is not before its arrival.
    pub(super) earliest: Slot,
}

/// A place for what is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Proposal {
    /// How probable it is that the promise can be kept.
    pub(super) kept: Probability,
    /// How probable it is that it cannot start on time.
    pub(super) late: Probability,
    pub(super) start: Slot,
}

/// Decides which requests are admitted, and where.
pub(super) trait Admission<R> {
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
pub(super) struct Lesson {
    pub(super) booked: Span,
    pub(super) ran: Span,
    /// What it was promised, where it was on top of others.
    pub(super) overlay: Option<Overlaid>,
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
    match system.strategy {
        Strategy::Fit(policy) if system.binding == Binding::LateControl => {
            Box::new(Control::new(policy))
        }
        Strategy::Fit(policy) => Box::new(Fit { policy }),
        Strategy::Rigid => Box::new(Rigid),
        // Only books that know what lies on top of what take it.
        Strategy::Overlay(overlay) => Box::new(Fit {
            policy: overlay.policy,
        }),
        Strategy::Elastic(elastic) => Box::new(ElasticOffers::new(elastic, system.tariff)),
        Strategy::Juggle(_, moving)
        | Strategy::Shift(_, moving)
        | Strategy::JuggleShift(.., moving) => {
            Box::new(Mover::<R::Part>::new(system, moving, clock, sizes))
        }
    }
}

/// Says where a policy would book.
fn propose<R: Ring>(
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
