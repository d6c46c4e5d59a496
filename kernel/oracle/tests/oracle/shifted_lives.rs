//! Shifting: long random lives of crowded books with flexible reservations.

use crate::common::{
    World, kernels,
    lives::{self, shown},
};
use bookahead_commands::Subject;
use bookahead_oracle::generate::SHIFTED;

/// Crowded, so that most newcomers fit only when others slide aside, if at all.
const CROWDED: World = World {
    pes: 6,
    slots: 30,
    duration: 6,
    width: 4,
    step: 2,
};

fn life(subject: Box<dyn Subject>, seed: u8) {
    let operations = lives::operations(18_000, 3);
    let tally = lives::life(subject, seed, operations, &CROWDED.used_for(SHIFTED));
    lives::has_moved(&tally, "shift in");
    shown!(tally.times("exactly", "fewer") > 0 && tally.times("exactly", "as many") > 0);
}

// Three lives of 6,000 operations, unless the environment variable BOOKAHEAD_OPERATIONS says how many in all.

#[test]
fn shifted_life_of_counts() {
    life(kernels::counts(CROWDED.pes, CROWDED.slots, 24), 1);
}

#[test]
fn shifted_life_of_narrow_sets() {
    life(kernels::narrow(CROWDED.pes, CROWDED.slots, 24), 2);
}

#[test]
fn shifted_life_of_wide_sets() {
    life(kernels::wide(CROWDED.pes, CROWDED.slots, 24), 3);
}
