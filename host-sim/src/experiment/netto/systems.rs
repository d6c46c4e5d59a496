//! The systems compared, and the readings of what the paper leaves open.
//!
//! Source: `netto`, sections 3 and 4.2.

use bookahead::{Admission, AfterFailure};

use super::{
    Netto,
    points::{FIXED_AFTER, PES, Point, SLOT, SLOTS, SUGGESTED, grid},
    workload::{Opens, Reading},
};
use crate::engine::{Binding, Freeze, Juggle, Moving, Order, Strategy, System};
use crate::experiment::{Assumption, ENGINE};

/// The sorting criteria; then EDF with starts that become fixed, and EDF with fixed intervals and a suggestion for those that are refused.
const NAMES: [&str; 12] = [
    "Shuffle",
    "FIFO",
    "BJF",
    "LFF",
    "EDF",
    "EDF, fixed at acceptance",
    "EDF, fixed after 25 %",
    "EDF, fixed after 50 %",
    "EDF, fixed after 75 %",
    "EDF, phi up to 25 %",
    "EDF, phi up to 50 %",
    "EDF, phi up to 100 %",
];

// Their places.
pub(super) const SHUFFLE: usize = 0;
pub(super) const FIFO: usize = 1;
pub(super) const EDF: usize = 4;
/// The sorting criteria that are compared with Shuffle.
pub(super) const SORTED: [usize; 4] = [3, 2, EDF, FIFO];
/// EDF with a start fixed after each share of the wait.
pub(super) const FIXED: [usize; FIXED_AFTER.len()] = [5, 6, 7, 8];
/// EDF with each greatest phi.
pub(super) const SUGGESTING: [usize; SUGGESTED.len()] = [9, 10, 11];

fn systems(seed: u64, after_failure: AfterFailure) -> Vec<(&'static str, System)> {
    let orders = [
        Order::Shuffle { seed },
        Order::Fifo,
        Order::BiggestFirst,
        Order::LeastFlexible,
        Order::EarliestDeadline,
    ];
    let as_printed = Juggle {
        admission: Admission::Always,
        after_failure,
        ..Juggle::default()
    };
    let sorted = orders.map(|order| Juggle {
        order,
        ..as_printed
    });
    let freezes = FIXED_AFTER.map(|percent| match percent {
        0 => Freeze::Acceptance,
        percent => Freeze::Share {
            per_mille: 10 * percent,
        },
    });
    let suggesting = SUGGESTED.map(|most| Juggle {
        suggest_max: Some(most),
        ..as_printed
    });
    let moving = |juggle| (juggle, Moving::FREELY);
    let fixed = freezes.map(|freeze| {
        let moving = Moving {
            freeze,
            ..Moving::FREELY
        };
        (as_printed, moving)
    });
    let sorted = sorted.into_iter().map(moving);
    let all = sorted.chain(fixed).chain(suggesting.map(moving));
    let system = |(juggle, moving)| {
        let strategy = Strategy::Juggle(juggle, moving);
        System::new(PES, SLOTS, SLOT as u32, strategy, Binding::Late)
    };
    NAMES.into_iter().zip(all.map(system)).collect()
}

/// Whether the paper runs a system at a point: overestimates with EDF only, fixed starts where intervals are flexible, and suggestions where they
/// are not.
fn applies(point: Point, system: usize) -> bool {
    let flexible = point.interval > 0;
    match system {
        EDF => true,
        _ if point.overestimated => false,
        _ if FIXED.contains(&system) => flexible,
        _ if SUGGESTING.contains(&system) => !flexible,
        _ => true,
    }
}

/// What is run: the reading that verdicts are about, and then others that differ from it in one respect.
///
/// The main reading opens flexible intervals earlier, since the paper takes the deadline first and the release time from it, and suggestions too
/// are earlier. The algorithm tries again with the new job behind the one that it displaced; read literally it gives up then.
pub(super) fn assumptions(paper: &Netto) -> Vec<Assumption<'_, Point>> {
    let main = Reading {
        opens: Opens::Earlier,
        half_agrees: false,
    };
    let assume = |name, reading, after_failure, parts: &[u32]| {
        let parts = parts.to_vec();
        Assumption {
            name,
            points: grid(),
            systems: systems(paper.seed, after_failure),
            applies,
            replications: parts.len() as u32,
            script: Box::new(move |point, replication: u32| {
                let part = parts.get(replication as usize).copied().unwrap_or(0);
                let demands = paper.workload.demands(point, reading, paper.seed, part);
                Ok(demands.into())
            }),
            decide: ENGINE,
        }
    };
    let retry = AfterFailure::Retry;
    let (many, few) = (&paper.parts, &paper.other_parts);
    let later = Reading {
        opens: Opens::Later,
        ..main
    };
    let half = Reading {
        half_agrees: true,
        ..main
    };
    vec![
        assume("flexible intervals open earlier", main, retry, many),
        assume("flexible intervals close later", later, retry, few),
        assume(
            "a new job in the way of another is refused",
            main,
            AfterFailure::Refuse,
            few,
        ),
        assume("half of the users take a suggestion", half, retry, few),
    ]
}
