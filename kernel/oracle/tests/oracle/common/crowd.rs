//! Books that are kept as full as a test wants them.

use bookahead_oracle::{Ask, Harness, Operation, Pick, Verb};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// How full the book is kept.
#[derive(Clone, Copy)]
pub struct Load {
    /// Live reservations aimed at.
    pub live: usize,
    /// The widest request as a share of the machine: 1 / this.
    pub width: u16,
}

/// Few reservations, most of them narrow.
pub const LIGHT: Load = Load { live: 12, width: 6 };
/// Many, and wide ones among them.
pub const HEAVY: Load = Load {
    live: 120,
    width: 3,
};

/// Log-uniform, so that there are as many short as long ones.
pub fn log_uniform(rng: &mut ChaCha8Rng, most: u16) -> u16 {
    let exponent: f64 = rng.random_range(0.0..=f64::from(most).ln());
    (exponent.exp() as u16).clamp(1, most)
}

/// A request that makes sense, up to a share of the machine wide.
pub fn draw(rng: &mut ChaCha8Rng, pes: u16, slots: u16, width: u16) -> Ask {
    let duration = log_uniform(rng, slots / 4);
    let lead = rng.random_range(0..slots - duration);
    let room = slots - duration - lead;
    let slack = match rng.random_range(0..4) {
        0 => room,
        1 => 0,
        _ => rng.random_range(0..=room.min(6 * duration)),
    };
    Ask {
        lead: lead as i16,
        duration,
        slack: slack as i16,
        pes: log_uniform(rng, pes / width),
        policy: rng.random_range(0..7),
    }
}

/// Books some, gives some up, lets a little time pass.
pub fn change(harness: &mut Harness, rng: &mut ChaCha8Rng, load: Load) {
    let (pes, slots) = (
        harness.twin.oracle.pes().get() as u16,
        harness.twin.oracle.horizon().get() as u16,
    );
    let reserve = Operation::Reserve(draw(rng, pes, slots, load.width));
    harness.apply(&reserve).unwrap();
    if harness.twin.oracle.live().len() > load.live {
        let cancel = Operation::Act(Pick::Live(rng.random()), Verb::Cancel);
        harness.apply(&cancel).unwrap();
    }
    if rng.random_range(0..8) == 0 {
        let advance = Operation::Advance {
            by: rng.random_range(1..12),
            room: u8::MAX,
        };
        harness.apply(&advance).unwrap();
    }
}
