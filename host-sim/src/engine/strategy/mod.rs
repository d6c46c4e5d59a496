//! The ways in which a request becomes a reservation: one file each.

mod admission;
mod control;
mod elastic;
mod fit;
mod joint;
mod juggle;
mod mover;
mod moving;
mod on_late;
mod overlay;
mod relocate;
mod rigid;
mod shift;
mod users;

use bookahead::{Policy, Tariff, raw::Ring};
use bookahead_heap::SizeError;

pub(super) use admission::{Admission, Ask, EndedJob, Proposal};
pub use elastic::{Elastic, User};
pub(super) use joint::{Joint, Load};
pub use juggle::{Juggle, Order};
pub(super) use moving::entries;
pub use moving::{Freeze, Moving};
pub use on_late::OnLate;
pub(super) use overlay::Overlayer;
pub use overlay::{Overlay, RiskLimit};
pub(super) use relocate::Relocator;
pub(super) use rigid::rigid;
pub use shift::Shift;
pub use users::Learnt;

use self::{
    control::Control, elastic::ElasticOffers, fit::Fit, juggle::Juggler, mover::Mover, rigid::Rigid,
};
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
        matches!(self, Self::Fit(_) | Self::Elastic(_) | Self::Overlay(_))
    }

    /// Whether a reservation may start elsewhere in its window than where it was accepted, where room appears.
    #[must_use]
    pub(crate) const fn leaves_starts(self) -> bool {
        matches!(self, Self::Fit(_)) || self.moving().is_some()
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

/// Who decides by a strategy, in a book of so many rows and sets of so many columns.
pub(super) fn admission<R: Ring>(
    strategy: Strategy,
    binding: Binding,
    tariff: Tariff,
    sizes: [usize; 2],
) -> Result<Box<dyn Admission<R>>, SizeError>
where
    R::Part: 'static,
{
    Ok(match strategy {
        Strategy::Fit(policy) if binding == Binding::LateControl => Box::new(Control::new(policy)),
        Strategy::Fit(policy) => Box::new(Fit { policy }),
        Strategy::Rigid => Box::new(Rigid),
        // Only books that know what lies on top of what take it.
        Strategy::Overlay(overlay) => Box::new(Fit {
            policy: overlay.policy,
        }),
        Strategy::Elastic(elastic) => Box::new(ElasticOffers::new(elastic, tariff)),
        Strategy::Juggle(_, moving)
        | Strategy::Shift(_, moving)
        | Strategy::JuggleShift(.., moving) => {
            let juggler = strategy.juggle();
            let juggler = juggler.map(|how| Juggler::new(how, moving, tariff));
            Box::new(Mover::<R::Part>::new(
                strategy.shift(),
                juggler,
                moving,
                sizes,
            )?)
        }
    })
}
