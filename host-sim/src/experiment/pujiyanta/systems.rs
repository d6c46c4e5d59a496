//! The systems compared, and the readings of what the paper leaves open.
//!
//! Source: `pujiyanta`, sections II and III.

use bookahead::{Discipline, Insertion, Policy, Shifting};

use super::{
    Pujiyanta,
    points::{NODES, Point, SLOT, SLOTS, grid},
    workload::{Flexibility, queued},
};
use crate::engine::{Binding, Moving, Shift, Strategy, System};
use crate::experiment::{Assumption, Decide, ENGINE};

/// The baseline first, as fitted, then two other things that "without reservation" may mean; first fit, which shifts nobody; the paper's
/// strategies.
pub(super) const NAMES: [&str; 6] = [
    "FCFS queue",
    "EASY queue",
    "rigid",
    "first-fit",
    "FCFS-EDS",
    "FCFS-LRH",
];

// Their places.
pub(super) const WITHOUT: usize = 0;
pub(super) const EASY: usize = 1;
pub(super) const RIGID: usize = 2;
pub(super) const FIRST_FIT: usize = 3;
pub(super) const EDS: usize = 4;
pub(super) const LRH: usize = 5;

/// What "without reservation" may mean: f = infinity, with or without backfilling, or f = 1.
pub(super) const BASELINES: [usize; 3] = [WITHOUT, EASY, RIGID];

/// In the order of their names.
pub(super) fn systems() -> [System; NAMES.len()] {
    let system = |strategy| System::new(NODES, SLOTS, SLOT as u32, strategy, Binding::Late);
    let first_fit = system(Strategy::Fit(Policy::FirstFit));
    let queue = |discipline| System {
        best_effort: Some(discipline),
        ..first_fit.clone()
    };
    let shift = |rules| system(Strategy::Shift(Shift::by(rules), Moving::FREELY));
    [
        queue(Discipline::Fcfs),
        queue(Discipline::Easy),
        system(Strategy::Rigid),
        first_fit.clone(),
        shift(Shifting::EDS),
        shift(Shifting::LRH),
    ]
}

/// The engine; a system with a queue is given the jobs without reservations.
pub(super) const DECIDE: Decide = |system, script| match system.best_effort {
    Some(_) => ENGINE(system, &queued(script)),
    None => ENGINE(system, script),
};

/// What is run: the main reading, and others that differ from it in one respect.
pub(super) fn assumptions(paper: &Pujiyanta) -> Vec<Assumption<'_, Point>> {
    let assume = |name, flexibility, depth, replications| {
        let workload = paper.workload(flexibility);
        let mut systems = systems();
        for system in &mut systems {
            if let Strategy::Shift(shift, _) = &mut system.strategy {
                shift.insertion = Insertion::Slides { depth };
            }
        }
        Assumption {
            name,
            points: grid(),
            systems: NAMES.into_iter().zip(systems).collect(),
            applies: |point, system| !point.cancelling || [EDS, LRH].contains(&system),
            replications,
            script: Box::new(move |point, replication| Ok(workload.script(point, replication))),
            decide: DECIDE,
        }
    };
    let (many, few) = (paper.replications, paper.other_replications);
    vec![
        assume("t_f is the window", Flexibility::Window, 2, many),
        assume("t_f is the slack", Flexibility::Slack, 2, few),
        assume("slides of depth 1", Flexibility::Window, 1, few),
    ]
}
