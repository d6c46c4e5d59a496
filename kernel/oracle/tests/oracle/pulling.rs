//! Flexible reservations that start earlier where something has ended: random lives, each advance of which is a jump that is compared with steps of one slot.

use bookahead::{Advanced, Discipline, EventKind, Slot, Span};
use bookahead_commands::{Command, Happening, Moved, Reply, Subject};
use bookahead_oracle::generate::{LONG_HANDLES, LONG_LIST, PULLED};
use bookahead_oracle::{Recorded, Tally};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::common::{World, kernels, lives};

const WORLD: World = World {
    pes: 6,
    slots: 30,
    duration: 12,
    width: 6,
    step: 2,
};

fn life(subject: Box<dyn Subject>, seed: u8) -> Tally {
    let profile = WORLD.used_for(PULLED);
    let mut rng = ChaCha8Rng::from_seed([seed; 32]);
    let mut both = Recorded::new(subject.under(Discipline::Easy));
    let mut jumps = 0;
    for _ in 0..lives::operations(60_000, 5) {
        let command = lives::drawn(&profile, &both.harness.situation, &mut rng);
        if let Command::AdvancePulling(to, (LONG_LIST, LONG_HANDLES)) = command {
            jumps += u64::from(steps_as_jump(&*both.harness.subject, to));
        }
        if let Err(disagreement) = both.apply(command) {
            panic!("{disagreement}");
        }
    }
    let tally = both.harness.tally;
    let pulled = tally.times("pulled", "forward");
    assert!(jumps > 100 && pulled > 100, "{jumps} {tally:?}");
    for kind in [EventKind::Promised, EventKind::StartFixed] {
        assert!(tally.of(kind) > 100, "{kind:?}: {tally:?}");
    }
    assert!(tally.cut_short > 0, "{tally:?}");
    tally
}

/// What happens on the way, who moves, and all that can be seen then.
type Way = (Vec<Happening>, Vec<Moved>, [Reply; 2]);

fn jump(side: &mut dyn Subject, to: Slot) -> Option<Way> {
    let command = Command::AdvancePulling(to, (LONG_LIST, LONG_HANDLES));
    match side.perform(&command) {
        Reply::Pulled(Advanced::Done, events, moves) => {
            let seen = [Command::Look, Command::Requests].map(|look| side.perform(&look));
            Some((events, moves, seen))
        }
        _ => None,
    }
}

/// Whether a jump over several slots, in which nothing was missed, did what steps of one slot do.
fn steps_as_jump(side: &dyn Subject, to: Slot) -> bool {
    let (mut jumps, mut steps) = (side.copy(), side.copy());
    let Reply::State(state) = jumps.perform(&Command::Look) else {
        panic!("it can be seen");
    };
    let Some((events, moves, seen)) = jump(&mut *jumps, to) else {
        return false;
    };
    let missed = events.iter().any(|event| event.kind == EventKind::Missed);
    if missed || to <= state.now.saturating_add(Span::new(1)) {
        return false;
    }
    let (mut slot, mut told, mut moved, mut last) = (state.now, Vec::new(), Vec::new(), None);
    while slot < to {
        slot = slot.saturating_add(Span::new(1));
        let Some((events, moves, seen)) = jump(&mut *steps, slot) else {
            panic!("the jump was not refused");
        };
        told.extend(events);
        moved.extend(moves);
        last = Some(seen);
    }
    let now = state.now.get();
    assert_eq!(
        (told, moved, last),
        (events, moves, Some(seen)),
        "{now} to {to:?}"
    );
    true
}

#[test]
fn life_of_counts() {
    life(kernels::counts(WORLD.pes, WORLD.slots, 12), 1);
}

#[test]
fn life_of_counts_with_few_rows() {
    life(kernels::counts(WORLD.pes, 64, 5), 2);
}

#[test]
fn life_of_narrow_sets() {
    life(kernels::narrow(WORLD.pes, WORLD.slots, 12), 3);
}

#[test]
fn life_of_wide_sets() {
    life(kernels::wide(WORLD.pes, WORLD.slots, 12), 4);
}

#[test]
fn life_with_overlays() {
    life(kernels::overlays(WORLD.pes, WORLD.slots, 12), 5);
}
