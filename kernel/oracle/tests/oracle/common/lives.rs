//! Long random lives.

use bookahead::{EventKind, Refusal};
use bookahead_commands::Subject;
use bookahead_oracle::{Harness, Operation, Pick, Tally, Verb};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::World;

/// Operations in each of `lives`: `usual` in all, or so many as the environment variable `BOOKAHEAD_OPERATIONS` says.
pub fn operations(usual: u64, lives: u64) -> u64 {
    let all = std::env::var("BOOKAHEAD_OPERATIONS").map_or(usual, |number| {
        number.parse().expect("BOOKAHEAD_OPERATIONS is a number")
    });
    all / lives
}

/// One life of so many random operations, but for those that are left out; the same ones every time.
pub fn life(
    subject: Box<dyn Subject>,
    seed: u8,
    operations: u64,
    strategy: &impl Strategy<Value = Operation>,
    is_left_out: impl Fn(u64, &Operation) -> bool,
) -> Tally {
    let config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let mut harness = Harness::new(subject);
    for number in 0..operations {
        let operation = strategy.new_tree(&mut runner).expect("it draws").current();
        if is_left_out(number, &operation) {
            continue;
        }
        if let Err(difference) = harness.apply(&operation) {
            panic!("operation {number}, {operation:?}: {difference}");
        }
    }
    println!("{:?}", harness.tally);
    harness.tally
}

/// A life of flexible reservations, which `moving` moves: with cancels, early ends, freezes, holds that end, and time.
pub fn flexible_life(
    subject: Box<dyn Subject>,
    seed: u8,
    operations: u64,
    world: World,
    moving: impl Strategy<Value = Operation>,
) -> Tally {
    let duration = world.duration as i16;
    let verb = prop_oneof![
        3 => Just(Verb::Confirm),
        4 => Just(Verb::Cancel),
        4 => (-2..=duration).prop_map(Verb::Complete),
        2 => Just(Verb::Freeze),
    ];
    let strategy = prop_oneof![
        14 => moving,
        4 => (any::<u8>(), verb).prop_map(|(nth, verb)| Operation::Act(Pick::Live(nth), verb)),
        5 => (0..=world.step).prop_map(|by| Operation::Advance { by, room: u8::MAX }),
        1 => (0..=world.step, 0u8..4).prop_map(|(by, room)| Operation::Advance { by, room }),
    ];
    life(subject, seed, operations, &strategy, |_, _| false)
}

/// A life in which newcomers always fit, or nobody ever gives way, proves nothing.
pub fn has_moved(tally: &Tally, what: &'static str) {
    for how in [
        "moved",
        "plain",
        "planned",
        "no-room",
        "move-limit",
        "work-limit",
    ] {
        assert!(tally.times(what, how) > 0, "{how}: {tally:?}");
    }
    assert!(
        tally.because(Refusal::NoRoom) > tally.accepted / 8,
        "{tally:?}"
    );
    assert!(tally.of(EventKind::StartFixed) > 0, "{tally:?}");
}
