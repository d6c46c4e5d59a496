//! What the tests share: worlds and random commands in them.

pub mod crowd;
pub mod kernels;
pub mod letters;
pub mod liar;
pub mod lives;

use bookahead::{Commitment, PeCount, Policy, Request, Slot, Span};
use bookahead_commands::Command;
use bookahead_oracle::generate::{Profile, Topic};

/// A request for so many PEs from `ready` to `deadline`, `duration` slots long.
pub const fn request(ready: u64, duration: u32, deadline: u64, pes: u32) -> Request {
    Request {
        ready: Slot::new(ready),
        duration: Span::new(duration),
        deadline: Slot::new(deadline),
        pes: PeCount::new(pes),
    }
}

/// Exactly there, nowhere else.
pub fn job(start: u64, end: u64, pes: u32) -> Command {
    let duration = end - start;
    let request = request(start, duration as u32, end, pes);
    Command::Book(request, Policy::FirstFit, Commitment::Confirmed)
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

impl World {
    /// A book of this size that is used for these topics.
    pub const fn used_for(self, topics: &'static [(u16, Topic)]) -> Profile {
        Profile {
            duration: self.duration,
            width: self.width,
            step: self.step,
            topics,
        }
    }
}
