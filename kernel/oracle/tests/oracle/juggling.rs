//! Juggling: long random lives of crowded books with flexible reservations. The harness compares each step with the algorithms of the paper,
//! too, where counts decide and no limit is set.

use crate::common::{
    World, kernels,
    lives::{self, shown},
};
use bookahead_commands::Subject;
use bookahead_oracle::generate::JUGGLED;

/// Crowded, so that most newcomers fit only when others give way, if at all.
const CROWDED: World = World {
    pes: 8,
    slots: 60,
    duration: 10,
    width: 5,
    step: 2,
};

fn life(subject: Box<dyn Subject>, seed: u8) {
    let operations = lives::operations(12_000, 3);
    let tally = lives::life(subject, seed, operations, &CROWDED.used_for(JUGGLED));
    lives::has_moved(&tally, "juggle");
    shown!(tally.times("replan", "moved") > 0 && tally.times("replan", "planned") > 0);
    shown!(tally.times("alternatives", "several") > 0 && tally.times("alternatives", "none") > 0);
}

// Three lives of 4,000 operations, unless the environment variable BOOKAHEAD_OPERATIONS says how many in all.

#[test]
fn juggled_life_of_counts() {
    life(kernels::counts(CROWDED.pes, CROWDED.slots, 30), 1);
}

#[test]
fn juggled_life_of_narrow_sets() {
    life(kernels::narrow(CROWDED.pes, CROWDED.slots, 30), 2);
}

#[test]
fn juggled_life_of_wide_sets() {
    life(kernels::wide(CROWDED.pes, CROWDED.slots, 24), 3);
}
