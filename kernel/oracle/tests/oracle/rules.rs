//! Books with rules: long random lives, and every sequence of operations up to a stated length in a small world.

use bookahead::{
    Discipline,
    raw::{BulkScan, PlainScan},
};
use bookahead_commands::Subject;
use bookahead_heap::HostColumn;
use bookahead_oracle::generate::RULED;

use crate::common::{
    kernels::{ruled_counts, ruled_sets},
    lives,
};
use crate::long_lives::CROWDED;

/// A life in which rules come, change and go, and break promises.
fn life(subject: Box<dyn Subject>, seed: u8) {
    let profile = CROWDED.used_for(RULED);
    let subject = subject.under(Discipline::Easy);
    let tally = lives::life(subject, seed, lives::operations(20_000, 4), &profile);
    for what in ["rule", "drop a rule"] {
        assert!(tally.times(what, "") > 0, "{tally:?}");
    }
    assert!(tally.times("rule", "broken") > 0, "{tally:?}");
}

#[test]
fn life_of_counts() {
    life(ruled_counts::<BulkScan>(CROWDED.pes, CROWDED.slots, 40), 1);
}

#[test]
fn life_of_counts_searched_plainly() {
    life(ruled_counts::<PlainScan>(CROWDED.pes, CROWDED.slots, 12), 2);
}

#[test]
fn life_of_narrow_sets() {
    life(ruled_sets::<u32, PlainScan>(40, CROWDED.slots, 40), 3);
}

#[test]
fn life_of_wide_sets() {
    life(
        ruled_sets::<HostColumn, BulkScan>(CROWDED.pes, CROWDED.slots, 40),
        4,
    );
}
