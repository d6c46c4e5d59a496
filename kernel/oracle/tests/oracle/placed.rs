//! Books on a machine with a layout, for requests that take any PEs: the same answers as without a layout, though sets have gaps.

use bookahead::{
    Discipline,
    raw::{BulkScan, PlainScan},
};
use bookahead_heap::HostColumn;

use crate::{
    common::{World, crowd::HEAVY, kernels::placed},
    exhaustive::{self, PES, ROWS, SLOTS},
    long_lives::{self, CROWDED},
    offers, pruning,
    sequences::{self, BROAD, LONG},
    skylines::{self, Members},
};

#[test]
fn rich() {
    exhaustive::rich_sequences(|| placed::<u32, PlainScan>(PES, SLOTS, ROWS));
}

#[test]
fn changing() {
    exhaustive::changing_sequences(|| placed::<u32, PlainScan>(PES, SLOTS, ROWS));
}

#[test]
fn elastic() {
    exhaustive::elastic_sequences(|| placed::<u32, PlainScan>(PES, SLOTS, ROWS));
}

#[test]
fn easy() {
    exhaustive::queueing_sequences(|| {
        placed::<u32, PlainScan>(PES, SLOTS, ROWS).under(Discipline::Easy)
    });
}

/// Half as many as of those without a layout.
const CASES: u32 = 128;

#[test]
fn broad() {
    let World { pes, slots, .. } = BROAD;
    sequences::sequences(BROAD, CASES, || placed::<u32, PlainScan>(pes, slots, 16));
    sequences::sequences(BROAD, CASES, || {
        placed::<HostColumn, BulkScan>(pes, slots, 16)
    });
}

#[test]
fn long() {
    let World { pes, slots, .. } = LONG;
    sequences::sequences(LONG, CASES, || placed::<u32, PlainScan>(pes, slots, 24));
    sequences::sequences(LONG, CASES, || {
        placed::<HostColumn, BulkScan>(pes, slots, 24)
    });
}

#[test]
fn long_life() {
    long_lives::crowded_life(placed::<u32, PlainScan>(CROWDED.pes, CROWDED.slots, 40), 5);
    long_lives::crowded_life(
        placed::<HostColumn, BulkScan>(CROWDED.pes, CROWDED.slots, 40),
        6,
    );
}

#[test]
fn offers_made() {
    offers::check(placed::<u32, PlainScan>(63, 128, 160), HEAVY, 300, 7);
    offers::check(placed::<HostColumn, BulkScan>(600, 200, 160), HEAVY, 200, 8);
}

#[test]
fn starts() {
    pruning::check(placed::<u32, PlainScan>(100, 200, 160), HEAVY, 500, 8);
    pruning::check(placed::<HostColumn, BulkScan>(600, 430, 160), HEAVY, 500, 9);
    pruning::check(
        placed::<HostColumn, BulkScan>(200, 200, 160),
        HEAVY,
        500,
        10,
    );
}

#[test]
fn skylines_of_sets() {
    skylines::agree(
        || placed::<HostColumn, BulkScan>(40, 150, 192),
        Members::Turning,
    );
}
