//! Books that are searched plainly, as on microcontrollers, in worlds that the other tests try those in that are searched in bulk.

use bookahead::Discipline;

use crate::{
    common::{
        World,
        crowd::{HEAVY, LIGHT},
        kernels::plain,
    },
    exhaustive::{self, PES, ROWS, SLOTS},
    long_lives::{self, CROWDED},
    offers, pruning,
    sequences::{self, BROAD, LONG},
    skylines::{self, Members},
};

#[test]
fn counts_rich() {
    exhaustive::rich_sequences(|| plain::counts(PES, SLOTS, ROWS));
}

#[test]
fn counts_lean() {
    exhaustive::lean_sequences(|| plain::counts(PES, SLOTS, ROWS));
}

#[test]
fn counts_changing() {
    exhaustive::changing_sequences(|| plain::counts(PES, SLOTS, ROWS));
}

#[test]
fn counts_elastic() {
    exhaustive::elastic_sequences(|| plain::counts(PES, SLOTS, ROWS));
}

#[test]
fn counts_easy() {
    exhaustive::queueing_sequences(|| plain::counts(PES, SLOTS, ROWS).under(Discipline::Easy));
}

#[test]
fn narrow_rich() {
    exhaustive::rich_sequences(|| plain::narrow(PES, SLOTS, ROWS));
}

#[test]
fn narrow_elastic() {
    exhaustive::elastic_sequences(|| plain::narrow(PES, SLOTS, ROWS));
}

/// Half as many as of those in bulk.
const CASES: u32 = 128;

#[test]
fn counts_broad() {
    let World { pes, slots, .. } = BROAD;
    sequences::sequences(BROAD, CASES, || plain::counts(pes, slots, 16));
}

#[test]
fn counts_long() {
    let World { pes, slots, .. } = LONG;
    sequences::sequences(LONG, CASES, || plain::counts(pes, slots, 24));
}

#[test]
fn narrow_broad() {
    let World { pes, slots, .. } = BROAD;
    sequences::sequences(BROAD, CASES, || plain::narrow(pes, slots, 16));
}

#[test]
fn narrow_long() {
    let World { pes, slots, .. } = LONG;
    sequences::sequences(LONG, CASES, || plain::narrow(pes, slots, 24));
}

#[test]
fn long_life_of_counts() {
    long_lives::crowded_life(plain::counts(CROWDED.pes, CROWDED.slots, 40), 1);
}

#[test]
fn long_life_of_narrow_sets() {
    long_lives::crowded_life(plain::narrow(CROWDED.pes, CROWDED.slots, 40), 3);
}

#[test]
fn long_life_of_wide_sets() {
    long_lives::crowded_life(plain::wide(CROWDED.pes, CROWDED.slots, 40), 4);
}

#[test]
fn offers_of_counts() {
    offers::check(plain::counts(100, 230, 160), HEAVY, 300, 3);
}

#[test]
fn offers_of_narrow_sets() {
    offers::check(plain::narrow(64, 128, 160), HEAVY, 300, 5);
}

#[test]
fn starts_of_counts() {
    pruning::check(plain::counts(128, 200, 160), LIGHT, 500, 1);
    pruning::check(plain::counts(100, 430, 160), HEAVY, 500, 3);
}

#[test]
fn starts_of_narrow_sets() {
    pruning::check(plain::narrow(128, 200, 160), LIGHT, 500, 4);
    pruning::check(plain::narrow(100, 200, 160), HEAVY, 500, 5);
}

#[test]
fn starts_of_wide_sets() {
    pruning::check(plain::wide(200, 200, 160), HEAVY, 500, 7);
}

#[test]
fn skylines_of_counts() {
    skylines::agree(|| plain::counts(40, 200, 256), Members::Lowest);
}

#[test]
fn skylines_of_narrow_sets() {
    skylines::agree(|| plain::narrow(40, 150, 192), Members::Turning);
}
