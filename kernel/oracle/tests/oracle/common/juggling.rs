//! Random juggling and shifting.

use bookahead_oracle::{Ask, Juggle, Operation, Shift, Terms, Thaw};
use proptest::prelude::*;

use super::{World, ask, room};

/// Mostly flexible.
pub fn terms(world: World) -> impl Strategy<Value = Terms> {
    let thaw = prop_oneof![
        6 => Just(Thaw::Never),
        1 => Just(Thaw::Acceptance),
        3 => (0u8..=21).prop_map(Thaw::Share),
        2 => (0..=world.slots as u8).prop_map(Thaw::Lead),
    ];
    prop_oneof![
        2 => Just(Terms::Strict),
        1 => (0u8..20).prop_map(Terms::Held),
        12 => (any::<bool>(), thaw).prop_map(|(deadline, thaw)| Terms::Flexible { deadline, thaw }),
    ]
}

/// Mostly without limits.
pub fn how(world: World) -> impl Strategy<Value = Juggle> {
    let limits = prop_oneof![
        12 => Just((None, None, u8::MAX, u8::MAX)),
        1 => (0u8..6).prop_map(|moves| (Some(moves), None, u8::MAX, u8::MAX)),
        1 => (0..40 * world.duration).prop_map(|work| (None, Some(work), u8::MAX, u8::MAX)),
        2 => (0u8..30).prop_map(|log| (None, None, log, u8::MAX)),
        1 => (0u8..12).prop_map(|list| (None, None, u8::MAX, list)),
        1 => (0u8..30, 0..40 * world.duration)
            .prop_map(|(log, work)| (None, Some(work), log, u8::MAX)),
    ];
    let earliest = prop_oneof![4 => Just(0u8), 2 => Just(1), 1 => 0u8..10];
    (
        (any::<u8>(), any::<u8>()),
        (any::<bool>(), any::<bool>()),
        earliest,
        limits,
        0u8..3,
    )
        .prop_map(
            |((order, seed), (always, retry), earliest, (moves, work, log, list), end)| Juggle {
                order,
                seed,
                always,
                retry,
                earliest,
                moves,
                work,
                log,
                list,
                end,
            },
        )
}

/// Requests with long windows, as juggling needs them, among others.
fn wide(world: World) -> impl Strategy<Value = Ask> {
    (ask(world), any::<bool>()).prop_map(move |(ask, stretch)| Ask {
        slack: if stretch {
            (world.slots as i16 - ask.lead - ask.duration.min(4096) as i16).max(ask.slack)
        } else {
            ask.slack
        },
        ..ask
    })
}

/// Requests that want whole windows to themselves, which are often refused.
fn tight(world: World) -> impl Strategy<Value = Ask> {
    let slots = world.slots as i16;
    (0..slots, 1..=world.duration, 0i16..4, 1..=world.pes).prop_map(
        |(lead, duration, slack, pes)| Ask {
            lead,
            duration,
            slack,
            pes,
            policy: 0,
        },
    )
}

/// Juggling, with whatever belongs to it.
pub fn juggling(world: World) -> impl Strategy<Value = Operation> {
    let asked = || prop_oneof![3 => wide(world), 2 => tight(world)];
    let juggle = (asked(), terms(world), how(world))
        .prop_map(|(ask, terms, how)| Operation::Juggle { ask, terms, how });
    let alternatives = (
        asked(),
        terms(world),
        how(world),
        0u8..3,
        any::<bool>(),
        room(),
    );
    let percent = prop_oneof![3 => Just(u8::MAX), 2 => 0u8..200];
    let alternatives =
        (alternatives, percent).prop_map(|((ask, terms, how, sides, end, room), percent)| {
            Operation::Alternatives {
                ask,
                terms,
                how,
                sides,
                percent,
                end,
                room,
            }
        });
    prop_oneof![
        12 => juggle,
        2 => how(world).prop_map(Operation::Replan),
        1 => alternatives,
    ]
}

/// Requests that soon want to run and have some patience.
fn near(world: World) -> impl Strategy<Value = Ask> {
    let (slots, longest) = (world.slots as i16, world.duration as i16);
    (0..=slots / 2, 1..=longest, 0..=longest, 1..=world.width).prop_map(
        move |(lead, duration, slack, pes)| Ask {
            lead,
            duration: duration as u16,
            slack: slack.min(slots - lead - duration),
            pes,
            policy: 0,
        },
    )
}

/// Shifting, mostly without limits.
pub fn shifting(world: World) -> impl Strategy<Value = Operation> {
    let limits = prop_oneof![
        12 => Just((None, None, u8::MAX)),
        1 => (0u8..4).prop_map(|moves| (Some(moves), None, u8::MAX)),
        1 => (0..100 * world.duration).prop_map(|work| (None, Some(work), u8::MAX)),
        1 => (0u8..8).prop_map(|log| (None, None, log)),
    ];
    let earliest = prop_oneof![4 => Just(0u8), 2 => Just(1), 1 => 0u8..10];
    let how = (any::<bool>(), 0u8..3, earliest, limits, 0u8..3).prop_map(
        |(both, depth, earliest, (moves, work, log), end)| Shift {
            both,
            depth,
            earliest,
            moves,
            work,
            log,
            end,
        },
    );
    let asked = prop_oneof![1 => wide(world), 1 => tight(world), 6 => near(world)];
    (asked, terms(world), how).prop_map(|(ask, terms, how)| Operation::Shift { ask, terms, how })
}
