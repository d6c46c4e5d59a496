//! Several reservations at once, and what is asked about them, on both sides.

use bookahead::{Commitment, Request, Span, Window};

use super::Harness;
use crate::meaning::policy;
use crate::{Ask, Difference, Pick, Share};
use bookahead_commands::{
    Command, Group, LONG_HANDLES, LONG_LOG, Limits, Number, Recurrence, Reply,
};

fn limited((log, room): Limits) -> Limits {
    (log.min(LONG_LOG), long(room))
}

/// Short lists have the length asked for; a long one holds whatever can come.
pub(super) fn long(room: usize) -> usize {
    if room < 8 { room } else { LONG_HANDLES }
}

impl Harness {
    pub(super) fn series(
        &mut self,
        ask: Ask,
        terms: Commitment,
        period: u8,
        (count, without): (u8, [u8; 2]),
        limits: Limits,
    ) -> Result<(), Difference> {
        let series = Recurrence {
            first: self.request(ask),
            period: Span::new(period.into()),
            count: u32::from(count % 16),
            exceptions: without.map(u32::from).to_vec(),
            policy: policy(ask.policy),
            terms,
            limits: limited(limits),
        };
        let reply = self.both("series", &Command::Series(series))?;
        self.note_conflict("in the way of the series", &reply);
        let Reply::Several(_, numbers) = reply else {
            return Ok(());
        };
        self.tally
            .note("series", if numbers.len() > 1 { "several" } else { "one" });
        self.accepted_all(&numbers)
    }

    pub(super) fn together(
        &mut self,
        window: Window,
        shares: &[Share],
        terms: Commitment,
        limits: Limits,
    ) -> Result<(), Difference> {
        let together = Group {
            window,
            parts: shares.iter().map(Share::part).collect(),
            terms,
            limits: limited(limits),
        };
        let reply = self.both("parts that start together", &Command::Together(together))?;
        self.note_conflict("in the way of the parts", &reply);
        let Reply::Several(start, numbers) = reply else {
            return Ok(());
        };
        let later = start > Some(window.start);
        self.tally
            .note("together", if later { "later" } else { "at once" });
        self.accepted_all(&numbers)
    }

    fn accepted_all(&mut self, numbers: &[Number]) -> Result<(), Difference> {
        numbers.iter().try_for_each(|number| self.accepted(*number))
    }

    pub(super) fn cancel_all(&mut self, picks: &[Pick]) -> Result<(), Difference> {
        let picked = picks.iter().filter_map(|pick| self.picked(*pick)).collect();
        match self.both("how many are cancelled", &Command::CancelAll(picked))? {
            Reply::Cancelled(0) => self.unchanged("cancelling nothing changes nothing"),
            Reply::Cancelled(cancelled) => {
                self.tally
                    .note("cancel all", if cancelled > 1 { "several" } else { "one" });
                let ended = |number: &Number| self.twin.oracle.get(*number).is_err();
                let ended: Vec<Number> = self.live.iter().copied().filter(ended).collect();
                ended.into_iter().for_each(|number| self.end(number));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn explain(&mut self, request: &Request, room: usize) -> Result<(), Difference> {
        let explain = Command::Explain(*request, long(room));
        let Reply::Explained(explanation, obstacles) = self.read("explanation", &explain)? else {
            return Ok(());
        };
        for (found, there, not_there) in [
            (explanation.earlier, "earlier", "none earlier"),
            (explanation.later, "later", "none later"),
        ] {
            let note = if found.is_some() { there } else { not_there };
            self.tally.note("explain", note);
        }
        for obstacle in obstacles.iter().filter(|one| !one.holders.names.is_empty()) {
            let more = obstacle.holders.more > 0;
            self.tally
                .note("who holds it", if more { "more" } else { "" });
        }
        Ok(())
    }

    pub(super) fn covering(&mut self, window: Window) -> Result<(), Difference> {
        let covering = self.ask("who covers the window", &Command::Covering(window))?;
        if covering != Reply::Named(Vec::new()) {
            self.tally.note("covering", "");
        }
        Ok(())
    }
}
