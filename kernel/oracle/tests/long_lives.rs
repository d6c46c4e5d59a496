//! Long random lives of crowded books, with every kind of operation.

mod common;

use bookahead::{Discipline, Refusal};
use bookahead_oracle::{Harness, Operation, Subject, Tally};
use common::{World, kernels, operation};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Crowded: about half of what is asked for finds no room.
const CROWDED: World = World {
    pes: 12,
    slots: 70,
    duration: 30,
    width: 9,
    step: 2,
};

/// Operations in each of the long lives: in all so many as the environment variable says.
fn operations() -> u64 {
    let all = std::env::var("BOOKAHEAD_OPERATIONS").map_or(40_000, |number| {
        number.parse().expect("BOOKAHEAD_OPERATIONS is a number")
    });
    all / 4
}

/// Whether it goes so far in time that little is left of what was booked.
fn is_far(operation: &Operation) -> bool {
    match *operation {
        Operation::Advance { by, .. } | Operation::AdvanceQueue { by, .. } => by > CROWDED.step,
        _ => false,
    }
}

/// One long life of random operations.
fn long_life<S: Subject>(subject: S, seed: u8) {
    let config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let mut harness = Harness::new(subject.under(Discipline::Easy));
    let strategy = operation(CROWDED);
    let mut applied = 0_u64;
    for number in 0..operations() {
        let operation = strategy.new_tree(&mut runner).expect("it draws").current();
        // At the end of time nothing can be booked any more.
        let ends = matches!(operation, Operation::AdvanceTo { .. });
        if ends || (is_far(&operation) && number % 16 > 0) {
            continue;
        }
        if let Err(difference) = harness.apply(&operation) {
            panic!("operation {number}, {operation:?}: {difference}");
        }
        applied += 1;
    }
    println!("{applied} operations: {:?}", harness.tally);
    lived(&harness.tally);
}

/// A life in which there is always room, or never any, proves little.
fn lived(tally: &Tally) {
    let (booked, refused) = (tally.accepted, tally.because(Refusal::NoRoom));
    assert!(
        booked > refused / 3 && refused > booked / 3,
        "{booked}, {refused}: {tally:?}"
    );
    assert!(tally.moved > 0 && tally.deepest >= 4, "{tally:?}");
}

// Four lives of 10,000 operations, unless the environment variable BOOKAHEAD_OPERATIONS says how many in all.

#[test]
fn long_life_of_counts() {
    long_life(kernels::counts::<2, 12, 40>(CROWDED.pes, CROWDED.slots), 1);
}

#[test]
fn long_life_of_counts_with_few_rows() {
    long_life(kernels::counts::<2, 12, 9>(CROWDED.pes, CROWDED.slots), 2);
}

#[test]
fn long_life_of_narrow_sets() {
    long_life(kernels::narrow::<2, 1, 40>(CROWDED.pes, CROWDED.slots), 3);
}

#[test]
fn long_life_of_wide_sets() {
    long_life(kernels::wide::<2, 1, 40>(CROWDED.pes, CROWDED.slots), 4);
}
