//! Random lives with reservations on top of others.

use crate::common::{
    World, kernels,
    lives::{self, shown},
};
use bookahead::{Discipline, EventKind, Refusal};
use bookahead_commands::Subject;
use bookahead_oracle::Tally;
use bookahead_oracle::generate::OVERLAID;

/// Small and crowded, so that overlays share slots, and often wait.
pub const WORLD: World = World {
    pes: 5,
    slots: 30,
    duration: 10,
    width: 4,
    step: 2,
};

pub fn overlaid_life(subject: Box<dyn Subject>, seed: u8) -> Tally {
    let operations = lives::operations(20_000, 2);
    let subject = subject.under(Discipline::Easy);
    lives::life(subject, seed, operations, &WORLD.used_for(OVERLAID))
}

fn lived(tally: &Tally) {
    for (what, how) in [
        ("overlay", "overlaid"),
        ("overlay", "plain"),
        ("overlay", "late-start"),
        ("overlay", "overlay-booked"),
        ("shift in", "moved"),
    ] {
        shown!(tally.times(what, how) > 0, "{what} {how}: {tally:?}");
    }
    for kind in [
        EventKind::CutShort,
        EventKind::Missed,
        EventKind::Expired,
        EventKind::BestEffortStarted,
    ] {
        shown!(tally.of(kind) > 0, "{kind:?}: {tally:?}");
    }
    for refusal in [
        Refusal::TooRisky,
        Refusal::ScratchTooShort,
        Refusal::Pinned,
        Refusal::TableFull,
    ] {
        shown!(tally.because(refusal) > 0, "{refusal:?}: {tally:?}");
    }
}

// Two lives of 10,000 operations, unless the environment variable BOOKAHEAD_OPERATIONS says how many in all.

#[test]
fn overlaid_life_of_counts() {
    lived(&overlaid_life(
        kernels::overlays(WORLD.pes, WORLD.slots, 12),
        1,
    ));
}

#[test]
fn overlaid_life_of_counts_on_a_full_block() {
    lived(&overlaid_life(kernels::overlays(WORLD.pes, 64, 9), 2));
}
