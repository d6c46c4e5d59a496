//! The C interface against the twin: random commands to books of all kinds, from careful and from careless callers.

use bookahead::{Discipline, Refusal};
use bookahead_capi_client::{Binding, CapiSide, Careless};
use bookahead_commands::Subject;
use bookahead_oracle::generate::{EVERYTHING, FLEXIBLE, OVERLAID, Profile, Source, Topic, draw};
use bookahead_oracle::{Recorded, Tally};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Operations in each of six lives, or so many as the environment variable `BOOKAHEAD_OPERATIONS` says in all.
fn operations() -> u64 {
    std::env::var("BOOKAHEAD_OPERATIONS").map_or(3_000, |number| {
        let all: u64 = number.parse().expect("BOOKAHEAD_OPERATIONS is a number");
        all / 6
    })
}

/// A life of random commands, the same ones every time, from somebody who makes one mistake in three calls or so, or none.
fn life(binding: Binding, sizes: [u32; 3], is_careless: bool, topics: &'static [(u16, Topic)]) {
    let [pes, _, rows] = sizes;
    let mut rng = ChaCha8Rng::from_seed([binding as u8 + pes as u8 + rows as u8; 32]);
    let mut mistakes = vec![0; if is_careless { 40_009 } else { 0 }];
    rng.fill_bytes(&mut mistakes);
    let side = CapiSide::new(binding, sizes, 5, Careless::by(mistakes));
    let subject: Box<dyn Subject> = Box::new(side);
    let mut both = Recorded::within(CapiSide::SCOPE, subject.under(Discipline::Easy));
    let profile = Profile {
        duration: 20,
        width: 9,
        step: 2,
        topics,
    };
    for _ in 0..operations() {
        let mut bytes = [0; 1024];
        rng.fill_bytes(&mut bytes);
        let command = draw(&profile, &both.harness.situation, &mut Source::new(&bytes));
        if let Err(disagreement) = both.apply(command.expect("there are enough bytes")) {
            panic!("{disagreement}");
        }
    }
    lived(&both.harness.tally);
}

/// A life in which nothing is booked, moved or refused proves nothing.
fn lived(tally: &Tally) {
    assert!(tally.accepted > 20 && tally.moved > 0, "{tally:?}");
    assert!(tally.because(Refusal::NoRoom) > 20, "{tally:?}");
}

#[test]
fn late_binding() {
    life(Binding::Late, [12, 70, 40], false, EVERYTHING);
}

#[test]
fn late_binding_and_a_careless_caller() {
    life(Binding::Late, [12, 70, 9], true, FLEXIBLE);
}

#[test]
fn early_binding_in_narrow_columns() {
    life(Binding::Early, [12, 70, 40], true, EVERYTHING);
}

#[test]
fn early_binding_in_wide_columns() {
    life(Binding::Early, [129, 70, 40], true, EVERYTHING);
}

#[test]
fn overlays() {
    life(Binding::Overlaid, [12, 70, 40], true, OVERLAID);
}

#[test]
fn overlays_among_all_else() {
    life(Binding::Overlaid, [12, 70, 12], false, EVERYTHING);
}
