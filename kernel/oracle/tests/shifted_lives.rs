//! Shifting: long random lives of crowded books with flexible reservations.

mod common;

use bookahead::{EventKind, Refusal};
use bookahead_oracle::{Harness, Operation, Pick, Subject, Verb};
use common::{World, juggling::shifting, kernels};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Crowded, so that most newcomers fit only when others slide aside, if at all.
const CROWDED: World = World {
    pes: 6,
    slots: 30,
    duration: 6,
    width: 4,
    step: 2,
};

/// Operations in each of the lives: in all so many as the environment variable says.
fn operations() -> u64 {
    let all = std::env::var("BOOKAHEAD_OPERATIONS").map_or(18_000, |number| {
        number.parse().expect("BOOKAHEAD_OPERATIONS is a number")
    });
    all / 3
}

/// Shifting, cancels, early ends, freezes, holds that end, and time.
fn operation(world: World) -> impl Strategy<Value = Operation> {
    let duration = world.duration as i16;
    let verb = prop_oneof![
        3 => Just(Verb::Confirm),
        4 => Just(Verb::Cancel),
        4 => (-2..=duration).prop_map(Verb::Complete),
        1 => Just(Verb::Freeze),
    ];
    prop_oneof![
        16 => shifting(world),
        4 => (any::<u8>(), verb).prop_map(|(nth, verb)| Operation::Act(Pick::Live(nth), verb)),
        5 => (0..=world.step).prop_map(|by| Operation::Advance { by, room: u8::MAX }),
        1 => (0..=world.step, 0u8..4).prop_map(|(by, room)| Operation::Advance { by, room }),
    ]
}

fn life<S: Subject>(subject: S, seed: u8) {
    let config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let mut harness = Harness::new(subject);
    let strategy = operation(CROWDED);
    for number in 0..operations() {
        let operation = strategy.new_tree(&mut runner).expect("it draws").current();
        if let Err(difference) = harness.apply(&operation) {
            panic!("operation {number}, {operation:?}: {difference}");
        }
    }
    let tally = &harness.tally;
    println!("{tally:?}");
    // A life without shifting proves nothing.
    let done = |what, how| tally.done.get(&(what, how)).copied().unwrap_or_default();
    for how in [
        "moved",
        "plain",
        "planned",
        "no-room",
        "move-limit",
        "work-limit",
    ] {
        assert!(done("shift in", how) > 0, "{how}: {tally:?}");
    }
    assert!(
        done("exactly", "fewer") > 0 && done("exactly", "as many") > 0,
        "{tally:?}"
    );
    assert!(
        tally.because(Refusal::NoRoom) > tally.accepted / 8,
        "{tally:?}"
    );
    let place = EventKind::ALL
        .iter()
        .position(|kind| *kind == EventKind::StartFixed);
    assert!(tally.events[place.expect("it is a kind")] > 0, "{tally:?}");
}

// Three lives of 6,000 operations, unless the environment variable BOOKAHEAD_OPERATIONS says how many in all.

#[test]
fn shifted_life_of_counts() {
    life(kernels::counts::<1, 8, 24>(CROWDED.pes, CROWDED.slots), 1);
}

#[test]
fn shifted_life_of_narrow_sets() {
    life(kernels::narrow::<1, 1, 24>(CROWDED.pes, CROWDED.slots), 2);
}

#[test]
fn shifted_life_of_wide_sets() {
    life(kernels::wide::<1, 1, 24>(CROWDED.pes, CROWDED.slots), 3);
}
