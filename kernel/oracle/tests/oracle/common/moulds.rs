//! Random mouldable requests.

use bookahead_oracle::{FORMS, Moulding, Operation, Shapes};
use proptest::prelude::*;

use super::{World, disturbance};

/// A table, mostly of forms that make sense, or work that is shared.
fn shapes(world: World) -> impl Strategy<Value = Shapes> {
    let form = prop_oneof![
        30 => (1..=world.width, 1..=world.duration),
        8 => (1..=world.pes, 1..=world.slots),
        1 => (0..=world.pes + 1, 0..=world.slots + 1),
    ];
    let forms = proptest::array::uniform::<_, FORMS>(form);
    let length = prop_oneof![30 => 1..=FORMS as u8, 1 => Just(0)];
    let work = prop_oneof![
        8 => 1..=world.duration * world.width.min(8),
        1 => Just(0),
        1 => any::<u16>(),
    ];
    let range = prop_oneof![
        8 => (1..=world.width, 1..=world.pes),
        1 => (0..=world.pes, 0..=world.pes + 1),
    ];
    prop_oneof![
        3 => (forms, length).prop_map(|(forms, length)| Shapes::Table(forms, length)),
        2 => (work, range)
            .prop_map(|(work, (least, most))| Shapes::Malleable { work, least, most }),
    ]
}

fn moulding(world: World) -> impl Strategy<Value = Moulding> {
    let slots = world.slots as i16;
    let window = (0..slots).prop_flat_map(move |lead| {
        let room = slots - lead;
        let length = prop_oneof![
            8 => 1..=room,
            12 => Just(room),
            1 => prop_oneof![Just(room + 1), Just(0), Just(-2)],
        ];
        let lead = prop_oneof![30 => Just(lead), 20 => Just(0), 1 => Just(-1)];
        (lead, length)
    });
    let discount = prop_oneof![1 => Just([0; 2]), 3 => any::<[u8; 2]>()];
    let budget = proptest::option::weighted(0.6, any::<u8>());
    let how = (any::<u8>(), any::<u8>(), 0u8..5);
    (window, shapes(world), how, discount, budget).prop_map(
        |((lead, length), shapes, (policy, choice, tariff), discount, budget)| Moulding {
            lead,
            length,
            shapes,
            policy,
            choice,
            tariff,
            discount,
            budget,
        },
    )
}

/// One of several forms, and what happens until it is committed.
pub fn moulded(world: World) -> impl Strategy<Value = Operation> {
    let ttl = proptest::option::of(0u8..20);
    (moulding(world), ttl, disturbance(world)).prop_map(|(moulding, ttl, between)| {
        Operation::Mould {
            moulding,
            ttl,
            between,
        }
    })
}
