//! Reservations on top of others, on both sides.

use super::Harness;
use crate::difference::{same, sound};
use crate::{Ask, Difference, Risk, Stake, Subject};

impl<S: Subject> Harness<S> {
    pub(super) fn overlay(&mut self, ask: Ask, stake: Stake) -> Result<(), Difference> {
        let (request, risk) = (self.request(ask), Risk(stake));
        let before = self.subject.clone();
        let Some(booked) = self.subject.overlay(&request, &risk) else {
            return sound("a book without a layer stays", self.subject == before);
        };
        let expected = self.oracle.overlay(&request, &risk);
        same(
            "overlay",
            &booked.map(|(_, start, overlaid, kept)| (start, overlaid, kept)),
            &expected.map(|(_, start, overlaid, kept)| (start, overlaid, kept)),
        )?;
        match (booked, expected) {
            (Ok((handle, ..)), Ok((number, _, overlaid, _))) => {
                let note = if overlaid.get() > 0 {
                    "overlaid"
                } else {
                    "plain"
                };
                self.tally.note("overlay", note);
                self.accepted(number, handle)
            }
            (Err(reason), _) | (_, Err(reason)) => self.declined(&before, reason),
        }
    }

    /// Compares what is overlaid, and who waits for whom.
    pub(super) fn compare_overlays(&mut self) -> Result<(), Difference> {
        for (number, handle) in self.live.clone() {
            let Some((overlaid, waits_for)) = self.subject.overlaid(handle) else {
                return Ok(());
            };
            same("overlaid", &overlaid, &self.oracle.overlaid(number))?;
            let numbered = waits_for.map(|handles| {
                let numbers = handles.into_iter().map(|handle| self.number(handle));
                numbers.collect::<Vec<_>>()
            });
            let expected = self.oracle.waits_for(number);
            let named = expected.map(|numbers| numbers.into_iter().map(Some).collect());
            same("for whom it waits", &numbered, &named)?;
        }
        Ok(())
    }
}
