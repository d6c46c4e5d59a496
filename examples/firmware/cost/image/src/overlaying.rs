//! The calls that reserve on top of others.

use bookahead::{
    Commitment, Error, Handle, OverlayView, Overlaying, Probability, Request, Run, RunTimeLaw,
};
use heapless::VecView;

/// What the calls take and where their answer goes.
pub struct Gamble {
    request: Request,
    overlaying: Overlaying<'static>,
    law: RunTimeLaw<'static>,
    predecessors: &'static mut VecView<Run<'static>>,
    table: &'static mut [Probability],
    commitment: Commitment,
    handle: Result<Handle, Error>,
}

/// An overlay by any law, firm or held.
#[inline(never)]
pub fn overlaying(book: &mut OverlayView<'_>, gamble: &mut Gamble) {
    let law = gamble.law;
    let plan = book.plan_overlay(
        &gamble.request,
        &gamble.overlaying,
        |_, _| law,
        gamble.predecessors,
        gamble.table,
    );
    gamble.handle = plan.and_then(|plan| book.commit_overlay(&plan, gamble.commitment));
}
