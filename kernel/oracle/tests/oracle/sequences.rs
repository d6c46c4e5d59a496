//! Random sequences of operations: after each one the book and its twin agree on all that can be seen.

use crate::common::{World, kernels};
use bookahead::{Discipline, EventKind, Refusal, UsageError};
use bookahead_commands::Subject;
use bookahead_oracle::generate::{EVERYTHING, Profile, Source, draw};
use bookahead_oracle::{Disagreement, Recorded, Tally};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any};
use proptest::sample::select;
use proptest::test_runner::{Config, TestRunner};

/// Operations in one sequence, at most.
const LENGTH: usize = 120;

/// Few PEs and few slots: everything touches everything, and the table is full most of the time.
const TINY: World = World {
    pes: 3,
    slots: 6,
    duration: 3,
    width: 2,
    step: 2,
};
/// The horizon ends inside the second block, requests are small.
const LIGHT: World = World {
    pes: 20,
    slots: 70,
    duration: 12,
    width: 3,
    step: 6,
};
/// The same with requests that fill the machine.
const HEAVY: World = World {
    pes: 20,
    slots: 70,
    duration: 30,
    width: 14,
    step: 3,
};
/// A whole number of blocks.
const WHOLE: World = World {
    pes: 33,
    slots: 128,
    duration: 40,
    width: 16,
    step: 9,
};
/// Several columns of either type.
pub const BROAD: World = World {
    pes: 600,
    slots: 64,
    duration: 16,
    width: 300,
    step: 5,
};
/// Several blocks, so that groups of slots in the middle of a run are skipped.
pub const LONG: World = World {
    pes: 9,
    slots: 300,
    duration: 120,
    width: 4,
    step: 20,
};

/// The bytes that one command is drawn from; a transaction may end before they do.
const BYTES: usize = 96;

/// Gives the book the commands that are drawn from these bytes, one from each.
pub fn follow(
    subject: Box<dyn Subject>,
    profile: &Profile,
    bytes: &[Vec<u8>],
) -> Result<Tally, Box<Disagreement>> {
    let mut both = Recorded::new(subject);
    for bytes in bytes {
        if let Some(command) = draw(profile, &both.harness.situation, &mut Source::new(bytes)) {
            both.apply(command)?;
        }
    }
    Ok(both.harness.tally)
}

/// The bytes of up to so many commands.
pub fn commands(length: usize) -> impl Strategy<Value = Vec<Vec<u8>>> {
    vec(vec(any::<u8>(), BYTES), 1..length)
}

/// Runs `cases` sequences.
pub fn sequences(world: World, cases: u32, make: impl Fn() -> Box<dyn Subject>) -> Tally {
    let mut tally = Tally::default();
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    let mut runner = TestRunner::new_with_rng(config, fixed_seed());
    let sum = std::cell::RefCell::new(&mut tally);
    let disciplines = select(Discipline::ALL.to_vec());
    let profile = world.used_for(EVERYTHING);
    let outcome = runner.run(&(disciplines, commands(LENGTH)), |(discipline, bytes)| {
        let tally = follow(make().under(discipline), &profile, &bytes)?;
        sum.borrow_mut().add(&tally);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    met(&tally);
    tally
}

/// The same sequences every time.
fn fixed_seed() -> proptest::test_runner::TestRng {
    let algorithm = proptest::test_runner::RngAlgorithm::ChaCha;
    proptest::test_runner::TestRng::from_seed(algorithm, &[7; 32])
}

/// A run that meets nothing proves nothing.
fn met(tally: &Tally) {
    // Of overlays and of books with rules, and what lives of its own have often.
    let others = [
        EventKind::LateStart,
        EventKind::CutShort,
        EventKind::OverlayBooked,
        EventKind::Preempted,
        EventKind::RuleMet,
    ];
    for kind in EventKind::ALL.iter().filter(|kind| !others.contains(kind)) {
        assert!(tally.of(*kind) > 0, "no {kind:?} in {tally:?}");
    }
    assert!(tally.accepted > 0 && tally.declined > 0, "{tally:?}");
    assert!(tally.cut_short > 0, "{tally:?}");
    assert!(
        tally.solutions > 0 && tally.alternatives > 0 && tally.more > 0,
        "{tally:?}"
    );
    assert!(
        tally.taken > tally.reduced && tally.reduced > 0,
        "{tally:?}"
    );
    assert!(tally.submitted > 0 && tally.withdrawn > 0, "{tally:?}");
    assert!(tally.passed > 0 && tally.looks_cut_short > 0, "{tally:?}");
    assert!(tally.moved > 0 && tally.deepest >= 4, "{tally:?}");
    for refusal in REFUSALS {
        assert!(tally.because(refusal) > 0, "no {refusal:?} in {tally:?}");
    }
    for misuse in MISUSES {
        assert!(tally.because(misuse) > 0, "no {misuse:?} in {tally:?}");
    }
    for (what, state) in DONE {
        assert!(
            tally.times(what, state) > 0,
            "no {what} {state} in {tally:?}"
        );
    }
}

/// Reasons that each world has to meet.
const REFUSALS: [Refusal; 9] = [
    Refusal::NoRoom,
    Refusal::OverBudget,
    Refusal::Overtaken,
    Refusal::OfferExpired,
    Refusal::PriceOverflow,
    Refusal::QueueFull,
    Refusal::MoveLimit,
    Refusal::WorkLimit,
    Refusal::OutsideWindow,
];

/// The same of misuses.
const MISUSES: [UsageError; 18] = [
    UsageError::UnknownHandle,
    UsageError::StaleHandle,
    UsageError::StalePlan,
    UsageError::BeyondOffer,
    UsageError::BadOffer,
    UsageError::UnknownTicket,
    UsageError::WrongState,
    UsageError::WrongDirection,
    UsageError::NotLifted,
    UsageError::AlreadyLifted,
    UsageError::StillLifted,
    UsageError::BadSavepoint,
    UsageError::BadMove,
    UsageError::ForeignQueue,
    UsageError::QueueLeftBehind,
    UsageError::BadSeries,
    UsageError::TooManyParts,
    UsageError::NoForms,
];

/// What each world has to do, and to what.
const DONE: [(&str, &str); 65] = [
    ("shift", "held"),
    ("shift", "confirmed"),
    ("shift", "unchanged"),
    ("extend", "held"),
    ("extend", "confirmed"),
    ("extend", "running"),
    ("shorten", "held"),
    ("shorten", "confirmed"),
    ("shorten", "running"),
    ("widen", "held"),
    ("widen", "confirmed"),
    ("narrow", "held"),
    ("narrow", "confirmed"),
    ("narrow", "running"),
    ("change-window", "held"),
    ("change-window", "confirmed"),
    ("change-window", "unchanged"),
    ("in the way of the alteration", ""),
    ("split", "confirmed"),
    ("split", "running"),
    ("lift", "held"),
    ("lift", "confirmed"),
    ("lift", "running"),
    ("place", "held"),
    ("place", "confirmed"),
    ("place", "running"),
    ("place first fit", "held"),
    ("place first fit", "confirmed"),
    ("insert", ""),
    ("remove", "held"),
    ("remove", "confirmed"),
    ("remove", "running"),
    ("savepoint", ""),
    ("rollback", ""),
    ("apply", ""),
    ("conflict", ""),
    ("commit", "changed"),
    ("commit", "unchanged"),
    ("commit", "refused"),
    ("plan moves", "some"),
    ("drop", "moves"),
    ("plan", "later"),
    ("series", "several"),
    ("in the way of the series", ""),
    ("cancel all", "several"),
    ("together", "at once"),
    ("together", "later"),
    ("in the way of the parts", ""),
    ("explain", "earlier"),
    ("explain", "later"),
    ("who holds it", ""),
    ("covering", ""),
    ("expired", "at its start"),
    ("earliest-end", "first"),
    ("earliest-end", "another"),
    ("fewest-pe-slots", "first"),
    ("fewest-pe-slots", "another"),
    ("cheapest", "first"),
    ("cheapest", "another"),
    ("juggle", "plain"),
    ("juggle", "planned"),
    ("replan", "planned"),
    ("shift in", "plain"),
    ("shift in", "planned"),
    ("shift in", "no-room"),
];

// Each of these runs 220 sequences of up to 120 operations, those of the tiny world 330.

const CASES: u32 = 220;

/// More in a world in which several parts seldom find each other's owners in the way.
const fn cases(world: World) -> u32 {
    if world.slots == TINY.slots {
        CASES + CASES / 2
    } else {
        CASES
    }
}

macro_rules! worlds {
    ($($name:ident: $world:ident on $make:ident, $rows:expr;)*) => {
        $(
            #[test]
            fn $name() {
                sequences($world, cases($world), || kernels::$make($world.pes, $world.slots, $rows));
            }
        )*
    };
}

worlds! {
    counts_tiny: TINY on roomy_counts, 4;
    counts_light: LIGHT on counts, 48;
    counts_heavy: HEAVY on counts, 48;
    counts_whole: WHOLE on counts, 24;
    counts_broad: BROAD on counts, 16;
    counts_long: LONG on counts, 24;
    narrow_tiny: TINY on roomy_narrow, 4;
    narrow_light: LIGHT on narrow, 48;
    narrow_heavy: HEAVY on narrow, 48;
    narrow_whole: WHOLE on narrow, 24;
    narrow_broad: BROAD on narrow, 16;
    narrow_long: LONG on narrow, 24;
    wide_tiny: TINY on wide, 4;
    wide_heavy: HEAVY on wide, 48;
    wide_broad: BROAD on wide, 16;
    wide_long: LONG on wide, 24;
}
