//! What a juggling admission costs, beside algorithm 1 of `netto` as it is printed on an ordered map, and beside arranging everything anew.

use bookahead::{Book, Request, Slot, raw::CountRing};
use bookahead_heap::BoxedWorkspace;
use bookahead_oracle::papers::netto::literal::{Job, Provider, Reading};

use crate::crowd::{Crowd, Mix, PES, RULES, SLOTS, WAITING, juggle, workspace};
use crate::{Mean, Stopwatch};

/// What was measured.
pub struct Costs {
    /// A juggling admission, whatever comes of it.
    pub juggle: Mean,
    /// The same newcomers, by algorithm 1 as printed.
    pub literal: Mean,
    /// Arranging all waiting reservations anew.
    pub replan: Mean,
    /// How many of the newcomers were accepted.
    pub accepted: usize,
    /// The share of the machine that the waiting reservations fill.
    pub load: f64,
}

/// Arranges everything anew, and rolls it back.
fn replan(workspace: &mut BoxedWorkspace<()>, book: &mut Book<'_, CountRing<'_>>) {
    let mut transaction = book.transaction(workspace.view(), u64::MAX);
    transaction.replan(&RULES).expect("nothing limits it");
}

/// Measures newcomers that a plain fit refuses, `rounds` times each.
///
/// # Panics
///
/// When the algorithms disagree.
#[must_use]
pub fn measure(watch: &Stopwatch, mix: Mix, seed: u64, rounds: usize) -> Costs {
    let mut crowd = Crowd::new(mix, seed);
    let mut workspace = workspace();
    let mut memory = crowd.book.clone();
    let provider = provider(&mut crowd);
    let mut costs = Costs {
        juggle: Mean::over(1),
        literal: Mean::over(1),
        replan: Mean::over(1),
        accepted: 0,
        load: crowd.load(),
    };
    for round in 0..rounds {
        for (turn, request) in crowd.newcomers.iter().enumerate() {
            let mut start = None;
            let mut book = memory.view();
            let sum = watch.time(&[()], |()| {
                start = juggle(&mut workspace, &mut book, request)
            });
            costs.juggle.add(turn, sum);
            let mut provider = provider.clone();
            let job = job(WAITING as u64, request, request.ready);
            let mut printed = None;
            let sum = watch.time(&[()], |()| {
                let order = |job: &Job| job.deadline;
                printed = provider.algorithm_1(job, order, Reading::Retry).ok();
            });
            costs.literal.add(turn, sum);
            assert_eq!(start.map(Slot::get), printed, "{request:?}");
            if start.is_some() {
                costs.accepted += usize::from(round == 0);
                memory = crowd.book.clone();
            }
        }
        let mut book = memory.view();
        costs
            .replan
            .add(0, watch.time(&[()], |()| replan(&mut workspace, &mut book)));
    }
    costs
}

/// The same state for the algorithm as printed.
fn provider(crowd: &mut Crowd) -> Provider {
    let mut provider = Provider::new(PES.into(), 0, SLOTS.into());
    for (number, known) in crowd.waiting().iter().enumerate() {
        provider.accept(job(number as u64, &known.request, known.window.start), true);
    }
    provider
}

fn job(number: u64, request: &Request, start: Slot) -> Job {
    Job {
        number,
        ready: request.ready.get(),
        deadline: request.deadline.get(),
        duration: request.duration.get().into(),
        pes: request.pes.get(),
        deadline_only: false,
        start: start.get(),
    }
}
