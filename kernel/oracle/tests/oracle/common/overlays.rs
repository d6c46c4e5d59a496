//! Random overlays.

use bookahead_oracle::{Operation, Stake};
use proptest::prelude::*;

use super::{World, ask};

/// Reservations on top of others, on all terms.
pub fn overlaying(world: World) -> impl Strategy<Value = Operation> {
    let percent = prop_oneof![3 => Just(0), 5 => 0u8..=100];
    let ttl = proptest::option::weighted(0.2, 0u8..20);
    let list = prop_oneof![1 => 0u8..=4, 12 => Just(u8::MAX)];
    let stake = (percent, 0u8..8, any::<bool>(), ttl, list);
    (ask(world), stake).prop_map(|(ask, (percent, speed, completion, ttl, list))| {
        let stake = Stake {
            percent,
            speed,
            completion,
            ttl,
            list,
        };
        Operation::Overlay { ask, stake }
    })
}
