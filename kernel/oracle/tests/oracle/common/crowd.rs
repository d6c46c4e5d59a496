//! Books that are kept as full as a test wants them.

use bookahead::{Commitment, Policy, Request, Span};
use bookahead_commands::Command;
use bookahead_oracle::Harness;
use bookahead_oracle::generate::{LONG_LIST, Situation, request};
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
pub fn log_uniform(rng: &mut ChaCha8Rng, most: u32) -> u32 {
    let exponent: f64 = rng.random_range(0.0..=f64::from(most).ln());
    (exponent.exp() as u32).clamp(1, most)
}

/// A request that makes sense, up to a share of the machine wide.
pub fn draw(rng: &mut ChaCha8Rng, situation: &Situation, width: u16) -> Request {
    let (pes, slots) = (situation.size.pes.get(), situation.size.horizon.get());
    let duration = log_uniform(rng, slots / 4);
    let lead = rng.random_range(0..slots - duration);
    let room = slots - duration - lead;
    let slack = match rng.random_range(0..4) {
        0 => room,
        1 => 0,
        _ => rng.random_range(0..=room.min(6 * duration)),
    };
    let pes = log_uniform(rng, pes / u32::from(width));
    let [lead, duration, slack, pes] = [lead, duration, slack, pes].map(i64::from);
    request(situation.now, lead, duration, slack, pes)
}

/// A reservation of such a request, by any policy.
pub fn reserve(rng: &mut ChaCha8Rng, situation: &Situation, width: u16) -> Command {
    let request = draw(rng, situation, width);
    let policy = Policy::ALL[rng.random_range(0..Policy::ALL.len())];
    Command::Book(request, policy, Commitment::Confirmed)
}

/// Books some, gives some up, lets a little time pass.
pub fn change(harness: &mut Harness, rng: &mut ChaCha8Rng, load: Load) {
    let reserve = reserve(rng, &harness.situation, load.width);
    harness.apply(&reserve).unwrap();
    let live = &harness.situation.live;
    if live.len() > load.live {
        let (number, _) = live[rng.random_range(0..live.len())];
        harness.apply(&Command::Cancel(number)).unwrap();
    }
    if rng.random_range(0..8) == 0 {
        let by = Span::new(rng.random_range(1..12));
        let to = harness.situation.now.saturating_add(by);
        harness.apply(&Command::Advance(to, LONG_LIST)).unwrap();
    }
}
