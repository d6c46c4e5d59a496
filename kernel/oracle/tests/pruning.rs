//! However the search prunes, each of the seven policies gets the start of the plain reading.

mod common;

use bookahead_oracle::{Ask, Harness, Operation, Pick, Subject, Verb};
use common::kernels;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How full the book is kept.
#[derive(Clone, Copy)]
struct Load {
    /// Live reservations aimed at.
    live: usize,
    /// The widest request as a share of the machine: 1 / this.
    width: u16,
}

const LIGHT: Load = Load { live: 12, width: 6 };
const HEAVY: Load = Load {
    live: 120,
    width: 3,
};

/// Log-uniform, so that there are as many short as long ones.
fn log_uniform(rng: &mut ChaCha8Rng, most: u16) -> u16 {
    let exponent: f64 = rng.random_range(0.0..=f64::from(most).ln());
    (exponent.exp() as u16).clamp(1, most)
}

fn draw(rng: &mut ChaCha8Rng, pes: u16, slots: u16, width: u16) -> Ask {
    let duration = log_uniform(rng, slots / 4);
    let lead = rng.random_range(0..slots - duration);
    let room = slots - duration - lead;
    let slack = match rng.random_range(0..4) {
        0 => room,
        1 => 0,
        _ => rng.random_range(0..=room.min(6 * duration)),
    };
    Ask {
        lead: lead as i16,
        duration,
        slack: slack as i16,
        pes: log_uniform(rng, pes / width),
        policy: rng.random_range(0..7),
    }
}

/// Asks `queries` times in states that keep changing; says how many found room.
fn queries<S: Subject>(subject: S, load: Load, queries: u32, seed: u64) -> u32 {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut harness = Harness::new(subject);
    let (pes, slots) = (
        harness.oracle.pes().get(),
        harness.oracle.horizon().get() as u16,
    );
    let mut found = 0;
    for query in 0..queries {
        change(&mut harness, &mut rng, load);
        let asked = harness.request(draw(&mut rng, pes, slots, 1));
        if let Err(difference) = harness.search(&asked) {
            panic!("query {query}, {asked:?}: {difference}");
        }
        found += u32::from(
            harness
                .oracle
                .feasible(&asked)
                .is_ok_and(|starts| !starts.is_empty()),
        );
    }
    found
}

/// Books some, gives some up, lets a little time pass.
fn change<S: Subject>(harness: &mut Harness<S>, rng: &mut ChaCha8Rng, load: Load) {
    let (pes, slots) = (
        harness.oracle.pes().get(),
        harness.oracle.horizon().get() as u16,
    );
    let reserve = Operation::Reserve(draw(rng, pes, slots, load.width));
    harness.apply(&reserve).unwrap();
    if harness.oracle.live().len() > load.live {
        let cancel = Operation::Act(Pick::Live(rng.random()), Verb::Cancel);
        harness.apply(&cancel).unwrap();
    }
    if rng.random_range(0..8) == 0 {
        let advance = Operation::Advance {
            by: rng.random_range(1..12),
            room: u8::MAX,
        };
        harness.apply(&advance).unwrap();
    }
}

/// Some queries find room, some do not; both answers must be right.
fn check<S: Subject>(subject: S, load: Load, number: u32, seed: u64) {
    let found = queries(subject, load, number, seed);
    assert!(found > number / 20, "{found} of {number} found room");
    assert!(found < number, "all of {number} found room");
}

// Per test 1,000 queries, each under 7 policies: in all 8 x 1,000 x 7 = 56,000 answers.
const QUERIES: u32 = 1_000;

#[test]
fn counts_light() {
    check(kernels::counts::<4, 128, 160>(128, 200), LIGHT, QUERIES, 1);
}

#[test]
fn counts_heavy() {
    check(kernels::counts::<4, 200, 160>(200, 200), HEAVY, QUERIES, 2);
}

#[test]
fn counts_heavy_long() {
    check(kernels::counts::<7, 128, 160>(100, 430), HEAVY, QUERIES, 3);
}

#[test]
fn narrow_light() {
    check(kernels::narrow::<4, 4, 160>(128, 200), LIGHT, QUERIES, 4);
}

#[test]
fn narrow_heavy() {
    check(kernels::narrow::<4, 4, 160>(100, 200), HEAVY, QUERIES, 5);
}

#[test]
fn wide_light() {
    check(kernels::wide::<4, 1, 160>(200, 200), LIGHT, QUERIES, 6);
}

#[test]
fn wide_heavy() {
    check(kernels::wide::<4, 1, 160>(200, 200), HEAVY, QUERIES, 7);
}

#[test]
fn wide_heavy_long() {
    check(kernels::wide::<7, 1, 160>(120, 430), HEAVY, QUERIES, 8);
}
