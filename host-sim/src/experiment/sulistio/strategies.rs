//! What is compared: how a reservation is found, and who may pass whom among the jobs without one.
//!
//! Source: `sulistio`, section 4.

use bookahead::{Discipline, OfferOrder, Policy, Search};

use super::{
    example::tariff,
    points::{NODES, SLOT, SLOTS},
};
use crate::{
    engine::{Binding, Elastic, Strategy, System, User},
    error::Result,
};

/// The strategies by the paper's names; the last two are OSP+BF with another user.
pub(super) const NAMES: [&str; 7] = [
    "FF+FCFS",
    "FF+BF",
    "Rigid+FCFS",
    "Rigid+BF",
    "OSP+BF",
    "OSP+BF, solutions only",
    "OSP+BF, second query",
];

// Their places.
pub(super) const FF_FCFS: usize = 0;
pub(super) const FF_BF: usize = 1;
pub(super) const RIGID_FCFS: usize = 2;
pub(super) const RIGID_BF: usize = 3;
pub(super) const OSP_BF: usize = 4;
pub(super) const SOLUTIONS_ONLY: usize = 5;
pub(super) const SECOND_QUERY: usize = 6;

/// Those that the paper compares.
pub(super) const OF_THE_PAPER: [usize; 5] = [FF_FCFS, FF_BF, RIGID_FCFS, RIGID_BF, OSP_BF];

/// Offers a user is shown at most.
pub(super) const OFFERS: usize = 64;

/// The systems, in the order of the names.
pub(super) fn systems() -> Result<[System; 7]> {
    use Discipline::{Easy, Fcfs};
    let tariff = tariff()?;
    let first_fit = Strategy::Fit(Policy::FirstFit);
    let elastic = |user| {
        Strategy::Elastic(Elastic {
            search: Search::StripPacking,
            order: OfferOrder::Discovery,
            offers: OFFERS,
            user,
        })
    };
    let system = |(strategy, discipline)| System {
        pes: NODES,
        slots: SLOTS,
        slot_seconds: SLOT as u32,
        strategy,
        binding: Binding::Late,
        best_effort: Some(discipline),
        tariff,
    };
    let strategies = [
        (first_fit, Fcfs),
        (first_fit, Easy),
        (Strategy::Rigid, Fcfs),
        (Strategy::Rigid, Easy),
        (elastic(User::Alternatives), Easy),
        (elastic(User::SolutionOnly), Easy),
        (elastic(User::AskAgain), Easy),
    ];
    Ok(strategies.map(system))
}
