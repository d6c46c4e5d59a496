//! Reservations on top of others, on both sides.

use super::Harness;
use crate::{Ask, Command, Difference, Reply, Risk, Stake};

impl Harness {
    pub(super) fn overlay(&mut self, ask: Ask, stake: Stake) -> Result<(), Difference> {
        let overlay = Command::Overlay(self.request(ask), Risk(stake));
        let Reply::Overlaid((number, _, overlaid, _)) = self.both("overlay", &overlay)? else {
            return Ok(());
        };
        let plain = overlaid.get() == 0;
        self.tally
            .note("overlay", if plain { "plain" } else { "overlaid" });
        self.accepted(number)
    }
}
