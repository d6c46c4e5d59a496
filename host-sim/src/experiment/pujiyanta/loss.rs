//! How much of the room that exists shifting finds: ways to shift in the same states, the kernel's exact searches among them.
//!
//! A stream is booked by FCFS-LRH. Whenever a request finds no room as things are, every way tries in turn to shift it in, and what it did is
//! undone; what it finds, how many reservations it moves and how far are added up. The exact searches move three reservations at most, since
//! more take up to a second for a request; that there may be room beyond a limit is counted, too.

use bookahead::{Insertion, PeCount, Policy, Refusal, Request, Shifting, Slot, Span};
use bookahead_heap::{BoxedCountBook, BoxedWorkspace, Sizes};
use bookahead_oracle::papers::pujiyanta::example::FLEXIBLE;
use rayon::prelude::*;

use super::{
    points::{NODES, Point, SLOT, SLOTS, grid},
    workload::Workload,
};
use crate::experiment::{Count, refused};
use crate::{
    error::Result,
    operation::Script,
    request::{Demand, JobRequest},
};

/// The most reservations that an exact search moves, and the most slots that it writes and searches.
const EXACT: (u32, u64) = (3, 1_000_000);

/// What is compared.
pub(super) const WAYS: [(&str, Shifting); 6] = [
    ("EDS, depth 1", slides(Shifting::EDS, 1)),
    ("EDS, depth 2", slides(Shifting::EDS, 2)),
    ("LRH, depth 1", slides(Shifting::LRH, 1)),
    ("LRH, depth 2", slides(Shifting::LRH, 2)),
    ("exact, fewest moves", exact(Insertion::FewestMoves)),
    ("exact, least shift", exact(Insertion::LeastShift)),
];

const fn slides(rules: Shifting, depth: u8) -> Shifting {
    Shifting {
        insertion: Insertion::Slides { depth },
        ..rules
    }
}

const fn exact(insertion: Insertion) -> Shifting {
    let (max_moves, work) = EXACT;
    Shifting {
        insertion,
        max_moves,
        work,
        ..Shifting::LRH
    }
}

/// Reservations of a stream that live at a time, at most, and entries of the workspace.
const ROWS: usize = 512;
const ENTRIES: usize = 4 * ROWS;

/// What came of the requests of a stream that found no room as things were.
#[derive(Default)]
pub(super) struct ShiftedIn {
    /// How many there were.
    pub(super) asked: usize,
    /// Those that some way shifted in.
    pub(super) some: usize,
    /// By way.
    pub(super) ways: [Tally; WAYS.len()],
    /// Insertions that failed, wrong where they changed something.
    pub(super) failed: Count,
}

impl ShiftedIn {
    /// Of the requests without room (%).
    pub(super) fn percent(&self, part: usize) -> f64 {
        100.0 * part as f64 / self.asked as f64
    }
}

/// What a way did with them.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    /// Shifted in.
    pub(super) found: usize,
    /// Given up at a limit.
    pub(super) open: usize,
    /// Reservations moved.
    pub(super) moves: usize,
    /// By how many slots in total.
    pub(super) shift: u64,
}

/// The streams of a point, one for each replication.
pub(super) struct AtPoint {
    pub(super) point: Point,
    pub(super) found: Vec<ShiftedIn>,
}

/// Looks at the first replications of all points without cancellations.
pub(super) fn looks(workload: &Workload, replications: u32) -> Result<Vec<AtPoint>> {
    let points = grid().into_iter().filter(|point| !point.cancelling);
    let points: Vec<Point> = points.collect();
    points
        .into_par_iter()
        .map(|point| {
            let replications = (0..replications).into_par_iter();
            let found = replications.map(|number| look(&workload.script(point, number)));
            let found = found.collect::<Result<_>>()?;
            Ok(AtPoint { point, found })
        })
        .collect()
}

/// Books a stream, and tries all ways whenever there is no room.
fn look(script: &Script) -> Result<ShiftedIn> {
    let memory = BoxedCountBook::new(Sizes {
        pes: NODES.into(),
        slots: SLOTS,
        reservations: ROWS,
    });
    let mut memory = memory.map_err(refused)?;
    let mut book = memory.view();
    let mut workspace = BoxedWorkspace::late(ENTRIES, 0).map_err(refused)?;
    let mut found = ShiftedIn::default();
    for demand in script.demands.iter().filter_map(Demand::request) {
        let now = Slot::new(demand.arrival / SLOT);
        while book.next(now).map_err(refused)?.is_some() {}
        let wanted = request(demand);
        let full = book.plan(&wanted, Policy::FirstFit) == Err(Refusal::NoRoom.into());
        found.asked += usize::from(full);
        let mut by_some = false;
        for (tally, (name, rules)) in found.ways.iter_mut().zip(WAYS).filter(|_| full) {
            let rules = Shifting {
                earliest: now,
                ..rules
            };
            let before: Vec<_> = book.iter().collect();
            let mut transaction = book.transaction(workspace.view(), rules.work);
            let answer = transaction.shift_in(&wanted, FLEXIBLE, &rules);
            let moves = transaction.moves().filter_map(|change| {
                let (from, to) = (change.from?, change.to?);
                Some(from.start.get().abs_diff(to.start.get()))
            });
            match answer {
                Ok(_) => {
                    tally.found += 1;
                    by_some = true;
                    for slots in moves {
                        tally.moves += 1;
                        tally.shift += slots;
                    }
                }
                Err(refused) => {
                    tally.open += usize::from(refused != Refusal::NoRoom.into());
                    found.failed.case(moves.count() == 0, || {
                        format!("job {}, {name}: still moved", demand.job_id)
                    });
                }
            }
            drop(transaction);
            let same = book.iter().eq(before);
            found.failed.wrong_if(!same, || {
                format!("job {}, {name}: the book has changed", demand.job_id)
            });
        }
        found.some += usize::from(by_some);
        let rules = Shifting {
            earliest: now,
            ..Shifting::LRH
        };
        let version = book.version();
        let shifted = book.shift_in(&wanted, FLEXIBLE, &rules, workspace.view());
        if shifted.is_err() {
            found.failed.case(book.version() == version, || {
                format!("job {}: the version has changed", demand.job_id)
            });
        }
    }
    Ok(found)
}

fn request(demand: &JobRequest) -> Request {
    Request {
        ready: Slot::new(demand.ready / SLOT),
        duration: Span::new((demand.duration / SLOT) as u32),
        deadline: Slot::new(demand.deadline / SLOT),
        pes: PeCount::new((demand.pes as u16).into()),
    }
}
