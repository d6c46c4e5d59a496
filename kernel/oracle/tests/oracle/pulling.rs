//! Flexible reservations that start earlier where something has ended: random lives, each advance of which is a jump that is compared with steps of one slot.

use bookahead::{
    Advanced, Commitment, Discipline, EventKind, Flexibility, Freeze, PeCount, Placement, Policy,
    Request, Slot, Span,
};
use bookahead_commands::{Command, Happening, Moved, Reply, Subject};
use bookahead_oracle::generate::{LONG_HANDLES, LONG_LIST, PULLED};
use bookahead_oracle::{Recorded, Tally};

use crate::common::{
    World, kernels,
    lives::{self, shown},
};

pub const WORLD: World = World {
    pes: 6,
    slots: 30,
    duration: 12,
    width: 6,
    step: 2,
};

pub fn life(subject: Box<dyn Subject>, discipline: Discipline, seed: u8) -> Tally {
    let profile = WORLD.used_for(PULLED);
    let mut jumps = 0;
    let subject = subject.under(discipline);
    let operations = lives::operations(60_000, 5);
    let tally = lives::watched_life(subject, seed, operations, &profile, |side, command| {
        if let Command::AdvancePulling(to, (LONG_LIST, LONG_HANDLES)) = *command {
            jumps += u64::from(steps_as_jump(side, to));
        }
    });
    let pulled = tally.times("pulled", "forward");
    shown!(jumps > 100 && pulled > 100, "{jumps} {tally:?}");
    for kind in [EventKind::Promised, EventKind::StartFixed] {
        shown!(tally.of(kind) > 100, "{kind:?}: {tally:?}");
    }
    shown!(tally.cut_short > 0, "{tally:?}");
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
    life(
        kernels::counts(WORLD.pes, WORLD.slots, 12),
        Discipline::Easy,
        1,
    );
}

#[test]
fn life_of_counts_with_few_rows() {
    life(kernels::counts(WORLD.pes, 64, 5), Discipline::Easy, 2);
}

#[test]
fn life_of_narrow_sets() {
    life(
        kernels::narrow(WORLD.pes, WORLD.slots, 12),
        Discipline::Easy,
        3,
    );
}

#[test]
fn life_of_wide_sets() {
    life(
        kernels::wide(WORLD.pes, WORLD.slots, 12),
        Discipline::Easy,
        4,
    );
}

#[test]
fn life_with_overlays() {
    life(
        kernels::overlays(WORLD.pes, WORLD.slots, 12),
        Discipline::Easy,
        5,
    );
}

/// With sets, one that moves may leave room to another before it, which has been looked at already: on PE 1, where it would have been in the way of it.
#[test]
fn whoever_comes_before_is_looked_at_again() {
    let mut both = Recorded::new(kernels::narrow(3, 30, 12).under(Discipline::Easy));
    let mut book = |ready, duration, deadline, terms| {
        let request = Request {
            ready: Slot::new(ready),
            duration: Span::new(duration),
            deadline: Slot::new(deadline),
            pes: PeCount::new(1),
        };
        let command = Command::Book(request, Policy::FirstFit, terms);
        match both.apply(command) {
            Ok(Reply::Booked(number, _)) => number,
            other => panic!("{other:?}"),
        }
    };
    let flexible = Commitment::Flexible {
        kind: Flexibility::Interval,
        freeze: Freeze::Never,
    };
    let strict = [(0, 4), (0, 3), (0, 1), (1, 2), (3, 2), (3, 9)];
    let strict = strict.map(|(start, length)| {
        let end = start + u64::from(length);
        book(start, length, end, Commitment::Confirmed)
    });
    let first = book(3, 4, 20, flexible);
    let second = book(1, 2, 20, flexible);
    let limits = (LONG_LIST, LONG_HANDLES);
    // Each event is another occasion to look, so that none may be left.
    let told = both.apply(Command::AdvancePulling(Slot::new(0), limits));
    told.expect("time may stay");
    for left in [strict[3], strict[4]] {
        both.apply(Command::Cancel(left)).unwrap();
    }
    let Ok(Reply::Pulled(_, _, moves)) = both.apply(Command::AdvancePulling(Slot::new(0), limits))
    else {
        panic!("time may stay");
    };
    let start = |place: Option<Placement>| place.map(|place| place.start.get());
    let moves = moves
        .iter()
        .map(|to| (to.whose, start(to.from), start(to.to)));
    assert_eq!(
        moves.collect::<Vec<_>>(),
        [(second, Some(5), Some(1)), (first, Some(4), Some(3))]
    );
}
