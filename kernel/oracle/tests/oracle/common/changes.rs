//! Random alterations, transactions, series and whatever else concerns several reservations.

use bookahead_oracle::{
    Ask, Change, Disturbance, Finish, Hop, Operation, Pick, SHARES, STEPS, Script, Share, Spot,
    Step,
};
use proptest::prelude::*;

use super::{World, ask, disturbance, pick, room};

/// A few slots or PEs to one side or the other, now and then many.
fn few(most: u16) -> impl Strategy<Value = i16> {
    let most = most as i16;
    prop_oneof![
        8 => -most..=most,
        8 => -3i16..=3,
        4 => Just(0i16),
        1 => prop_oneof![Just(i16::MIN), Just(i16::MAX)],
    ]
}

/// Mostly forwards, so that the direction is mostly right.
fn forwards(most: u16) -> impl Strategy<Value = i16> {
    let most = most as i16;
    prop_oneof![
        8 => 1..=most.max(1),
        8 => 1i16..=3,
        1 => -most..=0,
        1 => Just(i16::MAX),
    ]
}

/// Alterations, most of them in the right direction.
pub fn change(world: World) -> impl Strategy<Value = Change> {
    let slots = world.slots as i16;
    let window = (-2..slots, -2..slots).prop_map(|(lead, slack)| Change::Window { lead, slack });
    prop_oneof![
        3 => few(world.slots).prop_map(Change::Shift),
        2 => forwards(world.duration).prop_map(Change::Extend),
        2 => forwards(world.duration / 2).prop_map(Change::Shorten),
        2 => forwards(world.width).prop_map(Change::Widen),
        2 => forwards(world.width / 2).prop_map(Change::Narrow),
        3 => window,
        1 => Just(Change::SameWindow),
    ]
}

fn hop(world: World) -> impl Strategy<Value = Hop> {
    let same = || prop_oneof![3 => Just(0i16), 1 => -2i16..=2];
    prop_oneof![
        4 => (few(world.slots), same(), same()),
        1 => (few(world.slots), few(world.duration), few(world.width)),
    ]
    .prop_map(|(by, longer, wider)| Hop { by, longer, wider })
}

fn live() -> impl Strategy<Value = Pick> {
    any::<u8>().prop_map(Pick::Live)
}

/// Any step, whether it makes sense or not.
fn wild(world: World) -> impl Strategy<Value = Step> {
    let anyone = || {
        prop_oneof![
            6 => live(),
            3 => (0u8..4).prop_map(Pick::Lifted),
            2 => (0u8..4).prop_map(Pick::Ended),
            1 => Just(Pick::Never),
        ]
    };
    prop_oneof![
        2 => anyone().prop_map(Step::Lift),
        2 => (anyone(), hop(world)).prop_map(|(pick, hop)| Step::Place(pick, Spot::Near(hop))),
        1 => (anyone(), few(world.slots)).prop_map(|(pick, from)| Step::FirstFit(pick, from)),
        2 => anyone().prop_map(Step::Remove),
        3 => (anyone(), change(world)).prop_map(|(pick, change)| Step::Alter(pick, change)),
        2 => (anyone(), few(world.duration)).prop_map(|(pick, after)| Step::Split(pick, after)),
        1 => Just(Step::Apply),
        2 => (proptest::option::of(anyone()), hop(world))
            .prop_map(|(pick, hop)| Step::Conflict(pick, hop)),
    ]
}

fn insert(world: World) -> impl Strategy<Value = Step> {
    let after = prop_oneof![6 => Just(0i8), 2 => 0i8..6, 1 => Just(-1)];
    let ttl = proptest::option::of(0u8..20);
    (ask(world), after, ttl).prop_map(|(ask, after, ttl)| Step::Insert { ask, after, ttl })
}

/// Steps that belong together.
fn phrase(world: World) -> impl Strategy<Value = Vec<Step>> {
    let lifted = || Pick::Lifted(0);
    prop_oneof![
        4 => (live(), hop(world))
            .prop_map(move |(pick, hop)| vec![Step::Lift(pick), Step::Place(lifted(), Spot::Near(hop))]),
        3 => (live(), -1..world.slots as i16)
            .prop_map(move |(pick, from)| vec![Step::Lift(pick), Step::FirstFit(lifted(), from)]),
        // Two swap places.
        3 => (live(), live()).prop_map(|(one, other)| vec![
            Step::Lift(one),
            Step::Lift(other),
            Step::Place(one, Spot::Of(other)),
            Step::Place(other, Spot::Of(one)),
        ]),
        // One makes room for a newcomer, as in a search for room.
        3 => (live(), insert(world)).prop_map(move |(pick, insert)| vec![
            Step::Lift(pick),
            insert,
            Step::FirstFit(lifted(), 0),
        ]),
        3 => insert(world).prop_map(|step| vec![step]),
        1 => live().prop_map(|pick| vec![Step::Remove(pick)]),
        1 => live().prop_map(|pick| vec![Step::Lift(pick), Step::Remove(Pick::Lifted(0))]),
        4 => (live(), change(world)).prop_map(|(pick, change)| vec![Step::Alter(pick, change)]),
        2 => (live(), 1..=world.duration as i16).prop_map(|(pick, after)| vec![Step::Split(pick, after)]),
        4 => Just(vec![Step::Savepoint]),
        2 => any::<u8>().prop_map(|nth| vec![Step::RollbackTo(nth)]),
        1 => Just(vec![Step::Savepoint; 4]),
        // What comes behind a savepoint that is returned to is good no more.
        1 => (live(), few(world.slots)).prop_map(|(pick, by)| vec![
            Step::Savepoint,
            Step::Alter(pick, Change::Shift(by)),
            Step::Savepoint,
            Step::RollbackTo(0),
            Step::RollbackTo(1),
        ]),
        4 => wild(world).prop_map(|step| vec![step]),
    ]
}

fn finish(world: World) -> impl Strategy<Value = Finish> {
    prop_oneof![
        8 => Just(Finish::Commit),
        2 => room().prop_map(Finish::Plan),
        2 => Just(Finish::PlanApply(Disturbance::Nothing)),
        2 => disturbance(world).prop_map(Finish::PlanApply),
        2 => Just(Finish::Drop),
    ]
}

/// How many entries an undo log has: mostly enough.
fn log() -> impl Strategy<Value = u8> {
    prop_oneof![4 => Just(u8::MAX), 1 => 0u8..8]
}

/// Transactions.
pub fn script(world: World) -> impl Strategy<Value = Script> {
    let work = prop_oneof![
        5 => Just(None),
        1 => (0..8 * world.duration).prop_map(Some),
        1 => (0..world.duration).prop_map(Some),
    ];
    let steps = proptest::collection::vec(phrase(world), 0..7);
    (steps, log(), work, finish(world)).prop_map(|(phrases, log, work, finish)| {
        let mut steps = phrases.concat();
        steps.truncate(STEPS);
        Script {
            log,
            work,
            ..Script::of(&steps, finish)
        }
    })
}

fn share(world: World) -> impl Strategy<Value = Share> {
    let duration = prop_oneof![
        16 => 1..=world.duration,
        1 => prop_oneof![Just(0), Just(world.slots + 1)],
    ];
    let pes = prop_oneof![
        16 => 1..=world.width,
        1 => prop_oneof![Just(0), Just(world.pes), Just(world.pes + 1)],
    ];
    let offset = prop_oneof![3 => Just(0u8), 2 => 0u8..6];
    (offset, duration, pes).prop_map(|(offset, duration, pes)| Share {
        offset,
        duration,
        pes,
    })
}

fn together(world: World) -> impl Strategy<Value = Operation> {
    let slots = world.slots as i16;
    let window = prop_oneof![
        12 => (0..slots).prop_map(move |lead| (lead, slots - lead)),
        3 => (0..slots, 0..slots),
        1 => (-2i16..2, -2..slots + 2),
    ];
    let parts = [(); SHARES].map(|()| share(world));
    let ttl = proptest::option::of(0u8..20);
    (window, parts, 0..=SHARES as u8, ttl, log(), room()).prop_map(
        |((lead, length), parts, count, ttl, log, room)| Operation::Together {
            lead,
            length,
            parts,
            count,
            ttl,
            log,
            room,
        },
    )
}

fn series(world: World) -> impl Strategy<Value = Operation> {
    let period = prop_oneof![12 => 1..=world.step as u8, 6 => 1..=world.duration.min(100) as u8, 1 => Just(0u8)];
    let count = prop_oneof![12 => 1u8..5, 3 => 0u8..16];
    let without = [0u8..20, 0u8..20];
    let ttl = proptest::option::of(0u8..20);
    // Half of them short and close together, so that the later ones lie inside the horizon, too.
    let ask = prop_oneof![
        1 => ask(world),
        1 => ask(world).prop_map(|ask| Ask {
            lead: ask.lead % 3,
            duration: ask.duration.clamp(1, 2),
            slack: ask.slack % 2,
            ..ask
        }),
    ];
    (ask, ttl, period, count, without, log(), room()).prop_map(
        |(ask, ttl, period, count, without, log, room)| Operation::Series {
            ask,
            ttl,
            period,
            count,
            without,
            log,
            room,
        },
    )
}

/// What concerns reservations that are there already, or several at once.
pub fn changing(world: World) -> impl Strategy<Value = Operation> {
    let picks = || [(); SHARES].map(|()| pick());
    let slots = world.slots as i16;
    prop_oneof![
        16 => (pick(), change(world), log())
            .prop_map(|(pick, change, log)| Operation::Alter { pick, change, log }),
        4 => (pick(), -1..=world.duration as i16, log())
            .prop_map(|(pick, after, log)| Operation::Split { pick, after, log }),
        24 => script(world).prop_map(Operation::Transaction),
        5 => series(world),
        2 => (picks(), 0..=SHARES as u8)
            .prop_map(|(picks, length)| Operation::CancelAll { picks, length }),
        5 => together(world),
        5 => (ask(world), room()).prop_map(|(ask, room)| Operation::Explain { ask, room }),
        2 => (-3..slots, -1..slots).prop_map(|(lead, length)| Operation::Covering { lead, length }),
        6 => (0..=world.step, 0u8..12).prop_map(|(by, most)| Operation::Next { by, most }),
        6 => (0..=world.step, 0u8..12).prop_map(|(by, most)| Operation::NextOfQueue { by, most }),
        1 => (0u8..3).prop_map(Operation::Restore),
    ]
}
