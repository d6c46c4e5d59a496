//! Long random lives of crowded books, with every kind of operation.

use crate::common::{World, flexible_operation, kernels, lives, operation};
use bookahead::{Discipline, Refusal};
use bookahead_commands::Subject;
use bookahead_oracle::{Operation, Tally};
use proptest::strategy::Strategy;

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

/// Whether it goes so far in time that little is left of what was booked.
fn is_far(operation: &Operation) -> bool {
    match *operation {
        Operation::Advance { by, .. } | Operation::AdvanceQueue { by, .. } => by > CROWDED.step,
        _ => false,
    }
}

/// One long life of random operations.
fn long_life(
    subject: Box<dyn Subject>,
    seed: u8,
    strategy: &impl Strategy<Value = Operation>,
) -> Tally {
    // At the end of time nothing can be booked any more.
    let is_left_out = |number: u64, operation: &Operation| {
        let ends = matches!(operation, Operation::AdvanceTo { .. });
        ends || (is_far(operation) && !number.is_multiple_of(16))
    };
    let subject = subject.under(Discipline::Easy);
    let operations = lives::operations(60_000, 6);
    let tally = lives::life(subject, seed, operations, strategy, is_left_out);
    assert!(tally.moved > 0 && tally.deepest >= 4, "{tally:?}");
    tally
}

pub fn crowded_life(subject: Box<dyn Subject>, seed: u8) {
    lived(&long_life(subject, seed, &operation(CROWDED)));
}

fn flexible_life(subject: Box<dyn Subject>, seed: u8) {
    let tally = long_life(subject, seed, &flexible_operation(FLEXIBLE));
    lives::has_moved(&tally, "shift in");
    for (what, how) in [
        ("juggle", "moved"),
        ("replan", "moved"),
        ("commit", "changed"),
        ("split", "confirmed"),
    ] {
        assert!(tally.times(what, how) > 0, "{what} {how}: {tally:?}");
    }
    assert!(tally.taken > 0 && tally.passed > 0, "{tally:?}");
}

/// A life in which there is always room, or never any, proves little.
fn lived(tally: &Tally) {
    let (booked, refused) = (tally.accepted, tally.because(Refusal::NoRoom));
    assert!(
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
