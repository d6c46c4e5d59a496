//! Random lives with reservations on top of others.

use crate::common::overlays::overlaying;
use crate::common::{World, flexible_operation, kernels, lives, operation};
use bookahead::{Discipline, EventKind, Refusal};
use bookahead_commands::Subject;
use bookahead_oracle::{Operation, Pick, Tally, Verb};
use proptest::prelude::*;

/// Small and crowded, so that overlays share slots, and often wait.
const WORLD: World = World {
    pes: 5,
    slots: 30,
    duration: 10,
    width: 4,
    step: 2,
};

/// Overlays, early ends, time, and now and then anything else.
fn overlaid_operation() -> BoxedStrategy<Operation> {
    let duration = WORLD.duration as i16;
    let verb = prop_oneof![
        2 => Just(Verb::Confirm),
        1 => Just(Verb::Cancel),
        4 => (-1..=duration).prop_map(Verb::Complete),
    ];
    prop_oneof![
        6 => overlaying(WORLD),
        4 => (any::<u8>(), verb).prop_map(|(nth, verb)| Operation::Act(Pick::Live(nth), verb)),
        4 => (0..=WORLD.step).prop_map(|by| Operation::Advance { by, room: u8::MAX }),
        1 => (0..=WORLD.step, 0u8..4).prop_map(|(by, room)| Operation::Advance { by, room }),
        3 => operation(WORLD).boxed(),
        3 => flexible_operation(WORLD).boxed(),
    ]
    .boxed()
}

fn overlaid_life(subject: Box<dyn Subject>, seed: u8) -> Tally {
    let is_left_out = |number: u64, operation: &Operation| match *operation {
        Operation::AdvanceTo { .. } => true,
        Operation::Advance { by, .. } | Operation::AdvanceQueue { by, .. } => {
            by > WORLD.step && !number.is_multiple_of(16)
        }
        _ => false,
    };
    let operations = lives::operations(20_000, 2);
    let subject = subject.under(Discipline::Easy);
    lives::life(
        subject,
        seed,
        operations,
        &overlaid_operation(),
        is_left_out,
    )
}

fn lived(tally: &Tally) {
    for (what, how) in [
        ("overlay", "overlaid"),
        ("overlay", "plain"),
        ("overlay", "late-start"),
        ("overlay", "overlay-booked"),
        ("shift in", "moved"),
    ] {
        assert!(tally.times(what, how) > 0, "{what} {how}: {tally:?}");
    }
    for kind in [
        EventKind::CutShort,
        EventKind::Missed,
        EventKind::Expired,
        EventKind::BestEffortStarted,
    ] {
        assert!(tally.of(kind) > 0, "{kind:?}: {tally:?}");
    }
    for refusal in [
        Refusal::TooRisky,
        Refusal::ScratchTooShort,
        Refusal::Pinned,
        Refusal::TableFull,
    ] {
        assert!(tally.because(refusal) > 0, "{refusal:?}: {tally:?}");
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
