//! Long random lives of crowded books, with every kind of operation.

use crate::common::{
    World, kernels,
    lives::{self, shown},
};
use bookahead::{Discipline, Refusal};
use bookahead_commands::Subject;
use bookahead_oracle::Tally;
use bookahead_oracle::generate::{CROWDED as TOPICS, FLEXIBLE as MOVING, Profile};

/// Crowded: about half of what is asked for finds no room.
pub const CROWDED: World = World {
    pes: 12,
    slots: 70,
    duration: 30,
    width: 9,
    step: 2,
};

/// The same for reservations that are mostly flexible, on a machine so small that they often move.
const FLEXIBLE: World = World {
    pes: 6,
    slots: 40,
    duration: 8,
    width: 4,
    step: 1,
};

/// One long life of random operations.
fn long_life(subject: Box<dyn Subject>, seed: u8, profile: &Profile) -> Tally {
    let subject = subject.under(Discipline::Easy);
    let operations = lives::operations(60_000, 6);
    let tally = lives::life(subject, seed, operations, profile);
    shown!(tally.moved > 0 && tally.deepest >= 4, "{tally:?}");
    for state in ["running", "broken"] {
        let times = tally.times("extend by force", state);
        shown!(times > 0, "no job extended by force {state}: {tally:?}");
    }
    tally
}

pub fn crowded_life(subject: Box<dyn Subject>, seed: u8) {
    lived(&long_life(subject, seed, &CROWDED.used_for(TOPICS)));
}

fn flexible_life(subject: Box<dyn Subject>, seed: u8) {
    let tally = long_life(subject, seed, &FLEXIBLE.used_for(MOVING));
    lives::has_moved(&tally, "shift in");
    for (what, how) in [
        ("juggle", "moved"),
        ("replan", "moved"),
        ("commit", "changed"),
        ("split", "confirmed"),
    ] {
        shown!(tally.times(what, how) > 0, "{what} {how}: {tally:?}");
    }
    shown!(tally.taken > 0 && tally.passed > 0, "{tally:?}");
}

/// A life in which there is always room, or never any, proves little.
fn lived(tally: &Tally) {
    let (booked, refused) = (tally.accepted, tally.because(Refusal::NoRoom));
    shown!(
        booked > refused / 3 && refused > booked / 3,
        "{booked}, {refused}: {tally:?}"
    );
}

// Six lives of 10,000 operations, unless the environment variable BOOKAHEAD_OPERATIONS says how many in all.

#[test]
fn long_life_of_counts() {
    crowded_life(kernels::counts(CROWDED.pes, CROWDED.slots, 40), 1);
}

#[test]
fn long_life_of_counts_with_few_rows() {
    crowded_life(kernels::counts(CROWDED.pes, CROWDED.slots, 9), 2);
}

#[test]
fn long_life_of_narrow_sets() {
    crowded_life(kernels::narrow(CROWDED.pes, CROWDED.slots, 40), 3);
}

#[test]
fn long_life_of_wide_sets() {
    crowded_life(kernels::wide(CROWDED.pes, CROWDED.slots, 40), 4);
}

#[test]
fn long_life_of_flexible_counts() {
    flexible_life(kernels::counts(FLEXIBLE.pes, FLEXIBLE.slots, 24), 5);
}

#[test]
fn long_life_of_flexible_narrow_sets() {
    flexible_life(kernels::narrow(FLEXIBLE.pes, FLEXIBLE.slots, 24), 6);
}
