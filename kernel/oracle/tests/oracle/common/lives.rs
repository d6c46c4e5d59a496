//! Long random lives.

use bookahead::{EventKind, Refusal};
use bookahead_commands::{Command, Subject};
use bookahead_oracle::generate::{Profile, Situation, Source, draw};
use bookahead_oracle::{Recorded, Tally};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Operations in each of `lives`: `usual` in all, or so many as the environment variable `BOOKAHEAD_OPERATIONS` says.
pub fn operations(usual: u64, lives: u64) -> u64 {
    let all = std::env::var("BOOKAHEAD_OPERATIONS").map_or(usual, |number| {
        number.parse().expect("BOOKAHEAD_OPERATIONS is a number")
    });
    all / lives
}

/// Whether lives are as long as the tests say, and of their numbers.
pub fn are_usual() -> bool {
    let said = |name| std::env::var_os(name).is_some();
    !said("BOOKAHEAD_OPERATIONS") && !said("BOOKAHEAD_SEED")
}

/// Asserts what a life that is usual shows. Others are compared with their twins alike, but may be too short for it, or without what is rare.
macro_rules! shown {
    ($($what:tt)*) => {
        if $crate::common::lives::are_usual() {
            assert!($($what)*);
        }
    };
}
pub(crate) use shown;

/// Any command.
pub fn drawn(profile: &Profile, situation: &Situation, rng: &mut ChaCha8Rng) -> Command {
    // The longest transactions take less.
    let mut bytes = [0; 1024];
    rng.fill_bytes(&mut bytes);
    draw(profile, situation, &mut Source::new(&bytes)).expect("there are enough bytes")
}

/// What random numbers begin with: the same every time, unless the environment variable `BOOKAHEAD_SEED` has a number for other lives.
pub fn random(seed: u8) -> ChaCha8Rng {
    let mut bytes = [seed; 32];
    if let Ok(other) = std::env::var("BOOKAHEAD_SEED") {
        let other: u64 = other.parse().expect("BOOKAHEAD_SEED is a number");
        bytes[..8].copy_from_slice(&other.to_le_bytes());
    }
    ChaCha8Rng::from_seed(bytes)
}

/// One life of so many random commands.
pub fn life(subject: Box<dyn Subject>, seed: u8, operations: u64, profile: &Profile) -> Tally {
    watched_life(subject, seed, operations, profile, |_, _| ())
}

/// The same, with somebody who looks at the subject and each command before it is given.
pub fn watched_life(
    subject: Box<dyn Subject>,
    seed: u8,
    operations: u64,
    profile: &Profile,
    mut look: impl FnMut(&dyn Subject, &Command),
) -> Tally {
    let mut rng = random(seed);
    let mut both = Recorded::new(subject);
    for _ in 0..operations {
        let command = drawn(profile, &both.harness.situation, &mut rng);
        look(&*both.harness.subject, &command);
        if let Err(disagreement) = both.apply(command) {
            panic!("{disagreement}");
        }
    }
    println!("{:?}", both.harness.tally);
    both.harness.tally
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
        shown!(tally.times(what, how) > 0, "{how}: {tally:?}");
    }
    shown!(
        tally.because(Refusal::NoRoom) > tally.accepted / 8,
        "{tally:?}"
    );
    shown!(tally.of(EventKind::StartFixed) > 0, "{tally:?}");
}
