//! Reservations on top of others, on both sides.

use bookahead::{Guarantee, Probability, Span};

use super::Harness;
use crate::{Ask, Difference, Stake};
use bookahead_commands::{Command, Law, Reply, Risk};

impl Harness {
    pub(super) fn overlay(&mut self, ask: Ask, stake: Stake) -> Result<(), Difference> {
        let overlay = Command::Overlay(self.request(ask), stake.risk());
        let Reply::Overlaid((number, _, overlaid, _)) = self.both("overlay", &overlay)? else {
            return Ok(());
        };
        let plain = overlaid.get() == 0;
        self.tally
            .note("overlay", if plain { "plain" } else { "overlaid" });
        self.accepted(number)
    }
}

impl Stake {
    /// The terms of the overlay.
    fn risk(&self) -> Risk {
        let percent = u32::from(self.percent % 101);
        Risk {
            guarantee: if self.completion {
                Guarantee::Completion
            } else {
                Guarantee::Access
            },
            threshold: Probability::rounding_up(percent, 100).expect("at most 1"),
            law: Law::Part(1 + u32::from(self.speed % 8)),
            ttl: self.ttl.map(|ttl| Span::new(ttl.into())),
            list: if self.list < 4 { self.list.into() } else { 64 },
            lacking: usize::from(self.list == 4),
        }
    }
}
