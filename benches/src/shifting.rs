//! What a newcomer costs for whom others slide aside, beside the algorithms of `pujiyanta` as they are printed.

use bookahead::{
    Book, Booking, Error, Insertion, Refusal, Request, Shifting, Slot, raw::CountRing,
};
use bookahead_heap::BoxedWorkspace;
use bookahead_oracle::papers::pujiyanta::literal::{Component, VirtualNodes};

use crate::crowd::{Crowd, FLEXIBLE, Mix, PES, SLOTS, WAITING, workspace};
use crate::{Mean, Stopwatch};

/// Slots that a newcomer may cost: trying in vain all that two in a row could do takes a hundred times longer where windows are wide.
const WORK: u64 = 1_000_000;

/// What was measured.
pub struct Costs {
    /// A newcomer, whatever comes of it; those of one slide in a row, which the paper's are, and those of two.
    pub shift: [Slides; 2],
    /// The same newcomers, by the algorithms as printed.
    pub literal: Mean,
    /// How many of the newcomers these accepted.
    pub literally: usize,
}

/// Slides of some depth.
pub struct Slides {
    /// How many reservations in a row may push one another.
    pub depth: u8,
    /// What a newcomer costs.
    pub mean: Mean,
    /// How many of the newcomers were accepted.
    pub accepted: usize,
    /// For how many the work ended the search.
    pub limited: usize,
}

/// Measures newcomers that a plain fit refuses, `rounds` times each. Others slide to the right alone, as the algorithms are printed.
///
/// # Panics
///
/// When what is accepted does not lie in its window, or what is refused has changed something.
#[must_use]
pub fn measure(watch: &Stopwatch, mix: Mix, seed: u64, rounds: usize) -> Costs {
    let mut crowd = Crowd::new(mix, seed);
    let mut workspace = workspace();
    let mut memory = crowd.book.clone();
    let nodes = virtual_nodes(&mut crowd);
    let mut costs = Costs {
        shift: [1, 2].map(|depth| Slides {
            depth,
            mean: Mean::over(1),
            accepted: 0,
            limited: 0,
        }),
        literal: Mean::over(1),
        literally: 0,
    };
    for round in 0..rounds {
        for (turn, request) in crowd.newcomers.iter().enumerate() {
            let newcomer = component(WAITING, request, request.ready);
            let mut plain = nodes.clone();
            assert!(!plain.search_slot_free(&newcomer, false), "{request:?}");
            let mut printed = nodes.clone();
            let mut accepted = false;
            let sum = watch.time(&[()], |()| {
                accepted = printed.search_slot_free(&newcomer, true);
            });
            costs.literal.add(turn, sum);
            check(&nodes, &printed, accepted);
            costs.literally += usize::from(accepted && round == 0);
            for slides in &mut costs.shift {
                let mut shifted = Err(Refusal::NoRoom.into());
                let mut book = memory.view();
                let sum = watch.time(&[()], |()| {
                    shifted = shift(&mut workspace, &mut book, request, slides.depth);
                });
                slides.mean.add(turn, sum);
                match shifted {
                    Ok(Booking { start, .. }) => {
                        assert!((request.ready..=latest(request)).contains(&start));
                        slides.accepted += usize::from(round == 0);
                        memory = crowd.book.clone();
                    }
                    Err(reason) => {
                        let limited = reason == Refusal::WorkLimit.into();
                        assert!(limited || reason == Refusal::NoRoom.into(), "{reason}");
                        slides.limited += usize::from(limited && round == 0);
                    }
                }
            }
        }
    }
    costs
}

fn shift(
    workspace: &mut BoxedWorkspace<()>,
    book: &mut Book<'_, CountRing<'_>>,
    request: &Request,
    depth: u8,
) -> Result<Booking, Error> {
    let rules = Shifting {
        insertion: Insertion::Slides { depth },
        work: WORK,
        ..Shifting::EDS
    };
    book.shift_in(request, FLEXIBLE, &rules, workspace.view())
}

/// The same state for the algorithms as printed.
fn virtual_nodes(crowd: &mut Crowd) -> VirtualNodes {
    let mut nodes = VirtualNodes::new(PES.into(), SLOTS as usize);
    for (number, known) in crowd.waiting().iter().enumerate() {
        nodes.alloc(component(number, &known.request, known.window.start));
    }
    nodes
}

/// Users are numbered from 1.
fn component(number: usize, request: &Request, start: Slot) -> Component {
    Component {
        user: number as u32 + 1,
        earliest: request.ready.get() as usize,
        start: start.get() as usize,
        latest: latest(request).get() as usize,
        duration: request.duration.get() as usize,
        nodes: request.pes.get(),
    }
}

fn latest(request: &Request) -> Slot {
    request.latest_start().expect("its window is long enough")
}

/// Everybody is in its window, and where it was if the newcomer was refused.
fn check(before: &VirtualNodes, after: &VirtualNodes, accepted: bool) {
    let planned = after.planned();
    assert_eq!(planned.len(), WAITING + usize::from(accepted));
    assert!(
        planned
            .iter()
            .all(|one| (one.earliest..=one.latest).contains(&one.start))
    );
    assert!(accepted || planned == before.planned());
}
