//! Books of units, whose counts have 32 bits, in worlds that the other tests try those of 16 bits in; and of more units than 16 bits say.

use bookahead::{
    Discipline,
    raw::{BulkScan, PlainScan},
};

use crate::{
    common::{World, crowd::HEAVY, kernels::units},
    exhaustive::{self, PES, ROWS, SLOTS},
    long_lives::{self, CROWDED},
    pruning,
    sequences::{self, BROAD},
};

#[test]
fn rich() {
    exhaustive::rich_sequences(|| units::<BulkScan>(PES.into(), SLOTS, ROWS));
}

#[test]
fn changing() {
    exhaustive::changing_sequences(|| units::<BulkScan>(PES.into(), SLOTS, ROWS));
}

#[test]
fn elastic() {
    exhaustive::elastic_sequences(|| units::<PlainScan>(PES.into(), SLOTS, ROWS));
}

#[test]
fn easy() {
    let easy = || units::<PlainScan>(PES.into(), SLOTS, ROWS).under(Discipline::Easy);
    exhaustive::queueing_sequences(easy);
}

#[test]
fn broad() {
    let World { pes, slots, .. } = BROAD;
    sequences::sequences(BROAD, 128, || units::<BulkScan>(pes.into(), slots, 16));
}

#[test]
fn long_life() {
    let World { pes, slots, .. } = CROWDED;
    long_lives::crowded_life(units::<BulkScan>(pes.into(), slots, 40), 21);
    long_lives::crowded_life(units::<PlainScan>(pes.into(), slots, 9), 22);
}

/// Which 16 bits cannot count.
const MANY: u32 = 100_000;

#[test]
fn many() {
    pruning::check(units::<BulkScan>(MANY, 200, 160), HEAVY, 500, 33);
    pruning::check(units::<PlainScan>(MANY, 200, 160), HEAVY, 500, 34);
}
