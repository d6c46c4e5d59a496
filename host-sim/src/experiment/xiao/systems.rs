//! The systems compared, and the readings of what the paper leaves open.
//!
//! Source: `xiao`, section 5.

use bookahead::{Discipline, Policy};

use super::{
    Xiao,
    points::{BIN, COPIES, K2, P80, PES, Point, SITES, SLOT, SLOTS, THRESHOLDS, grid},
};
use crate::engine::{Binding, Learnt, Overlay, Redundancy, RiskLimit, Strategy, System};
use crate::experiment::{Assumption, ENGINE};

const NAMES: [&str; THRESHOLDS.len() + 1] = [
    "traditional",
    "ARROS, 0.60",
    "ARROS, 0.65",
    "ARROS, 0.70",
    "ARROS, 0.75",
    "ARROS, 0.80",
    "ARROS, 0.85",
    "ARROS, 0.90",
    "ARROS, 0.95",
];

/// The place of the one that overlaps nothing.
pub(super) const TRADITIONAL: usize = 0;
/// The place of the one with p* = 0.8.
pub(super) const ARROS: usize = of(P80);

/// The place of the one with the threshold at a place.
pub(super) const fn of(threshold: usize) -> usize {
    threshold + 1
}

/// A system that overlaps what is probable by so many percent, or nothing.
pub(super) fn system([sites, pes]: [u16; 2], threshold: Option<u32>) -> System {
    let overlay = |percent: u32| {
        Strategy::Overlay(Overlay {
            policy: Policy::FirstFit,
            threshold: RiskLimit::Fixed(percent * 10_000),
            history: Learnt::ServiceTimes(BIN),
            ..Overlay::default()
        })
    };
    let strategy = threshold.map_or(Strategy::Fit(Policy::FirstFit), overlay);
    System {
        sites,
        best_effort: Some(Discipline::Fcfs),
        ..System::new(pes, SLOTS, SLOT as u32, strategy, Binding::Late)
    }
}

/// One of the paper's: sixteen sites, and each reservation at some of them.
pub(super) fn redundant(threshold: Option<u32>, copies: u16) -> System {
    System {
        redundancy: Some(Redundancy::Copies(copies)),
        ..system([SITES, PES], threshold)
    }
}

/// All of them, changed for a reading.
fn systems(read: fn(System, Option<u32>) -> System) -> Vec<(&'static str, System)> {
    let thresholds = THRESHOLDS.into_iter().map(Some);
    let systems = [None].into_iter().chain(thresholds);
    let systems = systems.map(|threshold| read(redundant(threshold, COPIES), threshold));
    NAMES.into_iter().zip(systems).collect()
}

/// What is run: the main reading, and others of what the paper leaves open.
pub(super) fn assumptions(paper: &Xiao) -> Vec<Assumption<'_, Point>> {
    let workload = paper.workload();
    let assume = |name, systems, applies, replications| Assumption {
        name,
        points: grid(),
        systems,
        applies,
        replications,
        script: Box::new(move |point, replication| workload.script(point, replication)),
        decide: ENGINE,
    };
    let all: fn(Point, usize) -> bool = |_, _| true;
    // Figures 4 and 5 only.
    let some: fn(Point, usize) -> bool =
        |point, system| point.over == K2 && [TRADITIONAL, ARROS].contains(&system);
    let others = paper.other_replications;
    vec![
        assume(
            "the same copies in both modes",
            systems(|system, _| system),
            all,
            paper.replications,
        ),
        assume(
            "copies of ARROS by W* = p*",
            systems(|system, threshold| System {
                redundancy: threshold
                    .map(|percent| Redundancy::Kept(percent * 10_000))
                    .or(system.redundancy),
                ..system
            }),
            some,
            others,
        ),
        assume(
            "one copy",
            systems(|system, _| System {
                redundancy: None,
                ..system
            }),
            some,
            others,
        ),
        assume(
            "other jobs by EASY",
            systems(|system, _| System {
                best_effort: Some(Discipline::Easy),
                ..system
            }),
            some,
            others,
        ),
    ]
}
