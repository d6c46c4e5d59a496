//! However the search prunes, each of the seven policies gets the start of the plain reading.

use crate::common::crowd::{HEAVY, LIGHT, Load, change, draw};
use crate::common::kernels;
use bookahead_commands::Subject;
use bookahead_oracle::Harness;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Asks `queries` times in states that keep changing; says how many found room.
fn queries(subject: Box<dyn Subject>, load: Load, queries: u32, seed: u64) -> u32 {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut harness = Harness::new(subject);
    let mut found = 0;
    for query in 0..queries {
        change(&mut harness, &mut rng, load);
        let asked = draw(&mut rng, &harness.situation, 1);
        if let Err(difference) = harness.search(&asked) {
            panic!("query {query}, {asked:?}: {difference}");
        }
        found += u32::from(
            harness
                .twin
                .oracle
                .feasible(&asked)
                .is_ok_and(|starts| !starts.is_empty()),
        );
    }
    found
}

/// Some queries find room, some do not; both answers must be right.
pub fn check(subject: Box<dyn Subject>, load: Load, number: u32, seed: u64) {
    let found = queries(subject, load, number, seed);
    assert!(found > number / 20, "{found} of {number} found room");
    assert!(found < number, "all of {number} found room");
}

// Per test 1,000 queries, each under 7 policies: in all 8 x 1,000 x 7 = 56,000 answers.
const QUERIES: u32 = 1_000;

#[test]
fn counts_light() {
    check(kernels::counts(128, 200, 160), LIGHT, QUERIES, 1);
}

#[test]
fn counts_heavy() {
    check(kernels::counts(200, 200, 160), HEAVY, QUERIES, 2);
}

#[test]
fn counts_heavy_long() {
    check(kernels::counts(100, 430, 160), HEAVY, QUERIES, 3);
}

#[test]
fn narrow_light() {
    check(kernels::narrow(128, 200, 160), LIGHT, QUERIES, 4);
}

#[test]
fn narrow_heavy() {
    check(kernels::narrow(100, 200, 160), HEAVY, QUERIES, 5);
}

#[test]
fn wide_light() {
    check(kernels::wide(200, 200, 160), LIGHT, QUERIES, 6);
}

#[test]
fn wide_heavy() {
    check(kernels::wide(200, 200, 160), HEAVY, QUERIES, 7);
}

#[test]
fn wide_heavy_long() {
    check(kernels::wide(120, 430, 160), HEAVY, QUERIES, 8);
}
