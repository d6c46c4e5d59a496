//! Requests that wait for room beside the queue: random lives in which many do, every sequence of operations up to a stated length in a small world, and
//! jumps that do what many steps do.

use bookahead::{Commitment, Discipline, EventKind, Policy, Refusal, Slot, Span, UsageError};
use bookahead_commands::{Command, Happening, Reply, Subject};
use bookahead_oracle::generate::{LONG_LIST, WAITING};
use bookahead_oracle::{Recorded, Tally};

use crate::common::letters::{Ask, Letter, act, advance_queue, complete, hold, letter, reserve};
use crate::common::{
    World, kernels,
    lives::{self, shown},
};
use crate::exhaustive::{self, PES, ROWS, SLOTS};

/// So crowded that most requests have to wait.
pub const WORLD: World = World {
    pes: 6,
    slots: 30,
    duration: 12,
    width: 6,
    step: 2,
};

/// A life in which requests are promised and given up, each advance of which is a jump that is compared with steps of one slot.
pub fn life(subject: Box<dyn Subject>, discipline: Discipline, seed: u8) -> Tally {
    let profile = WORLD.used_for(WAITING);
    let mut jumps = 0;
    let subject = subject.under(discipline);
    let operations = lives::operations(60_000, 5);
    let tally = lives::watched_life(subject, seed, operations, &profile, |side, command| {
        if let Command::AdvanceQueue(to, LONG_LIST) = *command {
            jumps += u64::from(steps_as_jump(side, to));
        }
    });
    shown!(jumps > 100, "{jumps}");
    for kind in [EventKind::Promised, EventKind::GaveUp] {
        shown!(tally.of(kind) > 100, "{kind:?}: {tally:?}");
    }
    for refusal in [Refusal::QueueFull, Refusal::WindowTooShort] {
        shown!(tally.because(refusal) > 0, "{refusal:?}: {tally:?}");
    }
    let unknown = tally.because(UsageError::UnknownTicket);
    shown!(unknown > 0 && tally.cut_short > 0, "{tally:?}");
    tally
}

/// The events on the way, and all that can be seen then.
fn jump(side: &mut dyn Subject, to: Slot) -> Option<(Vec<Happening>, [Reply; 2])> {
    match side.perform(&Command::AdvanceQueue(to, LONG_LIST)) {
        Reply::Passed(_, events) => {
            let seen = [Command::Look, Command::Requests].map(|look| side.perform(&look));
            Some((events, seen))
        }
        _ => None,
    }
}

/// Whether a jump over several slots, in which nothing was missed, did what steps of one slot do.
pub fn steps_as_jump(side: &dyn Subject, to: Slot) -> bool {
    let (mut jumps, mut steps) = (side.copy(), side.copy());
    let Reply::State(state) = jumps.perform(&Command::Look) else {
        panic!("it can be seen");
    };
    let Some((events, seen)) = jump(&mut *jumps, to) else {
        return false;
    };
    let missed = events.iter().any(|event| event.kind == EventKind::Missed);
    if missed || to <= state.now.saturating_add(Span::new(1)) {
        return false;
    }
    let (mut slot, mut told, mut last) = (state.now, Vec::new(), None);
    while slot < to {
        slot = slot.saturating_add(Span::new(1));
        let (events, seen) = jump(&mut *steps, slot).expect("the jump was not refused");
        told.extend(events);
        last = Some(seen);
    }
    assert_eq!(
        (told, last),
        (events, Some(seen)),
        "{} to {to:?}",
        state.now.get()
    );
    true
}

// Five lives of 12,000 operations, unless the environment variable BOOKAHEAD_OPERATIONS says how many in all.

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
    let tally = life(kernels::counts(WORLD.pes, 64, 4), Discipline::Easy, 2);
    shown!(tally.because(Refusal::TableFull) > 0, "{tally:?}");
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
    let tally = life(
        kernels::overlays(WORLD.pes, WORLD.slots, 12),
        Discipline::Easy,
        5,
    );
    for (what, how) in [("overlay", "overlaid"), ("overlay", "late-start")] {
        shown!(tally.times(what, how) > 0, "{what} {how}: {tally:?}");
    }
}

/// A request that waits by first fit.
fn wait(ask: Ask, key: u32, terms: Commitment) -> Letter {
    letter(move |oracle| {
        let request = ask.at(oracle.now());
        Some(Command::Wait(request, Policy::FirstFit, terms, key))
    })
}

/// Something that is done with the last of the requests that wait.
fn last(act: fn(bookahead::Ticket) -> Command) -> Letter {
    Box::new(move |play| {
        let requests = play.harness.twin.queue.requests();
        match requests.last() {
            Some((ticket, _)) => play.apply(act(*ticket)).map(drop),
            None => Ok(()),
        }
    })
}

/// A reservation and a hold that lasts until its start, 3 requests that wait, 4 acts, 3 advances.
fn alphabet() -> Vec<Letter> {
    let short = Commitment::Held { ttl: Span::new(1) };
    vec![
        reserve(Ask(0, 3, 0, 3)),
        hold(Ask(1, 2, 0, 3), 4),
        wait(Ask(0, 2, 2, 2), 0, Commitment::Confirmed),
        wait(Ask(0, 1, 3, 3), 1, short),
        wait(Ask(3, 2, 3, 2), 0, Commitment::Confirmed),
        act(0, Command::Cancel),
        complete(0, 0),
        last(|ticket| Command::SetKey(ticket, 2)),
        last(Command::Withdraw),
        advance_queue(1, 8),
        advance_queue(2, 1),
        advance_queue(5, 8),
    ]
}

/// 12 letters, length 5: 814,356 operations.
fn sequences(make: fn(u16, u16, usize) -> Box<dyn Subject>) {
    let alphabet = alphabet();
    assert_eq!(alphabet.len(), 12);
    let sum = exhaustive::exhaust(|| Recorded::new(make(PES, SLOTS, ROWS)), &alphabet, 5);
    for kind in [EventKind::Promised, EventKind::GaveUp, EventKind::Expired] {
        assert!(sum.of(kind) > 0, "{kind:?}: {sum:?}");
    }
    assert!(sum.cut_short > 0, "{sum:?}");
}

#[test]
fn counts() {
    sequences(kernels::counts);
}

#[test]
fn sets() {
    sequences(kernels::narrow);
}
