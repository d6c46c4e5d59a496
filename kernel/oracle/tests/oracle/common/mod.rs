//! What the tests share: worlds and random operations in them.

pub mod changes;
pub mod crowd;
pub mod juggling;
pub mod kernels;
pub mod liar;
pub mod lives;
pub mod moulds;
pub mod overlays;
pub mod worked;

use bookahead_oracle::{
    Ask, Disturbance, Forgery, Inquiry, Operation, Pick, Submission, Taking, Verb,
};
use proptest::prelude::*;

/// Exactly there, nowhere else.
pub fn job(start: u64, end: u64, pes: u16) -> Operation {
    Operation::Reserve(Ask {
        lead: start as i16,
        duration: (end - start) as u16,
        slack: 0,
        pes,
        policy: 0,
    })
}

/// The size of a book and how hard it is used.
#[derive(Clone, Copy, Debug)]
pub struct World {
    /// PEs.
    pub pes: u16,
    /// Slots.
    pub slots: u16,
    /// The longest usual run.
    pub duration: u16,
    /// The widest usual request.
    pub width: u16,
    /// How far time usually passes between calls.
    pub step: u16,
}

/// What is left of the horizon behind `lead` and `duration`, so that the deadline touches it exactly; over it for `over` = 1.
fn up_to_horizon(world: World, lead: i16, duration: u16, over: i16) -> i16 {
    world.slots as i16 - lead - duration as i16 + over
}

/// Requests that mostly make sense.
pub fn ask(world: World) -> impl Strategy<Value = Ask> {
    let slots = world.slots as i16;
    let lead = prop_oneof![
        3 => Just(0i16),
        12 => 0..slots,
        1 => -3i16..0,
    ];
    let duration = prop_oneof![
        16 => 1..=world.duration,
        2 => 1..=world.slots,
        1 => prop_oneof![Just(0), Just(world.slots), Just(world.slots + 1), Just(u16::MAX)],
    ];
    let slack = prop_oneof![
        4 => Just(None),
        4 => (0..=world.duration as i16).prop_map(Some),
        6 => (0..=slots).prop_map(Some),
        1 => (-3i16..0).prop_map(Some),
    ];
    let pes = prop_oneof![
        16 => 1..=world.width,
        3 => 1..=world.pes,
        1 => prop_oneof![Just(0), Just(world.pes), Just(world.pes + 1), Just(u16::MAX)],
    ];
    (lead, duration, slack, pes, 0u8..7, 0u8..20).prop_map(
        move |(lead, duration, slack, pes, policy, over)| {
            let touching = up_to_horizon(world, lead, duration.min(4096), i16::from(over == 0));
            // Deadlines are drawn towards the horizon, so that most requests are not refused for lying behind it.
            let slack = slack.map_or(touching, |slack| slack.min(touching.max(0)));
            Ask {
                lead,
                duration,
                slack,
                pes,
                policy,
            }
        },
    )
}

fn pick() -> impl Strategy<Value = Pick> {
    prop_oneof![
        8 => any::<u8>().prop_map(Pick::Live),
        1 => any::<u8>().prop_map(Pick::Ended),
        1 => prop_oneof![8 => any::<u8>().prop_map(Pick::Live), 1 => Just(Pick::Never)],
    ]
}

fn verb(world: World) -> impl Strategy<Value = Verb> {
    let duration = world.duration as i16;
    prop_oneof![
        6 => Just(Verb::Confirm),
        6 => Just(Verb::Cancel),
        6 => (-2..=duration).prop_map(Verb::Complete),
        2 => Just(Verb::Freeze),
        1 => prop_oneof![Just(0), Just(u64::MAX), any::<u64>()].prop_map(Verb::CompleteAt),
    ]
}

fn room() -> impl Strategy<Value = u8> {
    prop_oneof![
        6 => Just(u8::MAX),
        1 => 0u8..4,
    ]
}

fn disturbance(world: World) -> impl Strategy<Value = Disturbance> {
    prop_oneof![
        3 => Just(Disturbance::Nothing),
        1 => Just(Disturbance::Refused),
        1 => ask(world).prop_map(Disturbance::Plan),
        2 => ask(world).prop_map(Disturbance::Reserve),
        2 => (pick(), verb(world)).prop_map(|(pick, verb)| Disturbance::Act(pick, verb)),
        3 => (0u8..4).prop_map(Disturbance::Advance),
        1 => (0u8..4).prop_map(Disturbance::AdvanceQueue),
        1 => (pick(), changes::change(world))
            .prop_map(|(pick, change)| Disturbance::Alter(pick, change)),
        1 => (0u8..3).prop_map(Disturbance::Restore),
    ]
}

/// Elastic queries that mostly make sense: half of them want a solution.
pub fn inquiry(world: World) -> impl Strategy<Value = Inquiry> {
    let slots = world.slots as i16;
    let interval = (0..slots).prop_flat_map(move |lead| {
        let room = slots - lead;
        let length = prop_oneof![
            8 => 1..=room,
            6 => Just(room),
            1 => prop_oneof![Just(room + 1), Just(0), Just(-2)],
        ];
        (
            prop_oneof![30 => Just(lead), 20 => Just(0), 1 => Just(-1)],
            length,
        )
    });
    let duration = prop_oneof![
        12 => (1..=world.duration).prop_map(Some),
        3 => (1..=world.slots + 1).prop_map(Some),
        6 => Just(None),
        1 => Just(Some(0)),
    ];
    let pes = prop_oneof![
        12 => (1..=world.width).prop_map(Some),
        3 => (1..=world.pes + 1).prop_map(Some),
        6 => Just(None),
        1 => Just(Some(0)),
    ];
    let ttl = prop_oneof![2 => 2u8..8, 2 => Just(1), 4 => 20u8..90, 1 => Just(0)];
    let terms = (0u8..2, 0u8..5, ttl, 0u8..5, room());
    (interval, duration, pes, terms).prop_map(
        |((lead, length), duration, pes, (search, order, ttl, tariff, room))| Inquiry {
            lead,
            length,
            duration,
            pes,
            search,
            order,
            ttl,
            tariff,
            room,
        },
    )
}

/// Mostly a little less than what is offered.
pub fn taking() -> impl Strategy<Value = Taking> {
    let fewer = || prop_oneof![6 => Just(0i8), 6 => 0i8..4, 2 => 0i8..60, 1 => -2i8..0];
    let ttl = proptest::option::of(0u8..20);
    (any::<u8>(), fewer(), fewer(), ttl).prop_map(|(nth, fewer_slots, fewer_pes, ttl)| Taking {
        nth,
        fewer_slots,
        fewer_pes,
        ttl,
    })
}

fn forgery() -> impl Strategy<Value = Forgery> {
    let far = || prop_oneof![Just(0), Just(u64::MAX), 0u64..200, any::<u64>()];
    prop_oneof![
        24 => Just(Forgery::Genuine),
        1 => (0u32..3).prop_map(Forgery::Version),
        1 => (0u8..3).prop_map(Forgery::Incarnation),
        3 => (0u8..6, -5i8..6).prop_map(|(edge, by)| Forgery::Edge(edge, by)),
        1 => prop_oneof![-3i16..4, Just(i16::MAX)].prop_map(Forgery::Pes),
        1 => far().prop_map(Forgery::Expires),
        1 => (far(), far()).prop_map(|(start, end)| Forgery::Elsewhere { start, end }),
    ]
}

/// Jobs that mostly can run, on the whole machine now and then.
fn submission(world: World) -> impl Strategy<Value = Submission> {
    let estimate = prop_oneof![
        12 => 1..=world.duration,
        3 => 1..=world.slots,
        1 => prop_oneof![Just(0), Just(world.slots + 1)],
    ];
    let pes = prop_oneof![
        10 => 1..=world.width,
        5 => 1..=world.pes,
        1 => prop_oneof![Just(0), Just(world.pes + 1)],
    ];
    (estimate, pes).prop_map(|(estimate, pes)| Submission { estimate, pes })
}

/// A disturbance that often takes the room of an offer.
fn overtaking(world: World) -> impl Strategy<Value = Disturbance> {
    prop_oneof![
        1 => disturbance(world),
        1 => ask(world).prop_map(Disturbance::Reserve),
    ]
}

/// Elastic queries, and what comes of them.
fn elastic(world: World) -> impl Strategy<Value = Operation> {
    prop_oneof![
        1 => inquiry(world).prop_map(Operation::Query),
        3 => (inquiry(world), taking(), forgery(), overtaking(world)).prop_map(
            |(inquiry, taking, forgery, between)| Operation::QueryAccept {
                inquiry, taking, forgery, between,
            },
        ),
    ]
}

/// What concerns the queue.
fn queueing(world: World) -> impl Strategy<Value = Operation> {
    prop_oneof![
        12 => submission(world).prop_map(Operation::Submit),
        1 => pick().prop_map(Operation::Withdraw),
        12 => (0..=world.step, room()).prop_map(|(by, room)| Operation::AdvanceQueue { by, room }),
        1 => (0..=3 * world.slots, room())
            .prop_map(|(by, room)| Operation::AdvanceQueue { by, room }),
    ]
}

/// Values that no sensible caller sends.
fn hostile() -> impl Strategy<Value = Operation> {
    let slot = || {
        prop_oneof![
            Just(0),
            Just(u64::MAX),
            Just(u64::MAX - 1),
            Just(u64::MAX - u64::from(u32::MAX)),
            any::<u64>(),
        ]
    };
    let span = prop_oneof![Just(1), Just(u32::MAX), any::<u32>()];
    prop_oneof![
        6 => (slot(), span, slot(), any::<u16>(), any::<u8>()).prop_map(
            |(ready, duration, deadline, pes, policy)| Operation::ReserveAt {
                ready, duration, deadline, pes, policy,
            },
        ),
        1 => (slot(), room()).prop_map(|(to, room)| Operation::AdvanceTo { to, room }),
    ]
}

/// Operations of all kinds.
pub fn operation(world: World) -> impl Strategy<Value = Operation> {
    let ttl = prop_oneof![
        8 => 1..=u32::from(world.slots),
        1 => prop_oneof![Just(0), Just(u32::MAX)],
    ];
    let slots = world.slots;
    prop_oneof![
        18 => ask(world).prop_map(Operation::Reserve),
        10 => (ask(world), ttl).prop_map(|(ask, ttl)| Operation::Hold { ask, ttl }),
        14 => (pick(), verb(world)).prop_map(|(pick, verb)| Operation::Act(pick, verb)),
        14 => (0..=world.step, room()).prop_map(|(by, room)| Operation::Advance { by, room }),
        2 => (0..=3 * slots, room()).prop_map(|(by, room)| Operation::Advance { by, room }),
        1 => (slots - 1..=slots + 1, room()).prop_map(|(by, room)| Operation::Advance { by, room }),
        6 => (ask(world), proptest::option::of(0u8..20), disturbance(world)).prop_map(
            |(ask, ttl, between)| Operation::PlanCommit { ask, ttl, between },
        ),
        10 => moulds::moulded(world),
        20 => elastic(world),
        24 => queueing(world),
        50 => changes::changing(world),
        6 => juggling::juggling(world),
        6 => juggling::shifting(world),
        6 => overlays::overlaying(world),
        1 => hostile(),
    ]
}

/// The same where most reservations are flexible, so that they move between all else that happens.
pub fn flexible_operation(world: World) -> impl Strategy<Value = Operation> {
    prop_oneof![
        3 => operation(world),
        1 => juggling::juggling(world),
        4 => juggling::shifting(world),
    ]
}
