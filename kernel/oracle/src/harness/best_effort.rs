//! The queue on both sides.

use bookahead::{Slot, Ticket};

use super::Harness;
use super::passing::LONG_LIST;
use crate::{Difference, Pick, Submission};
use bookahead_commands::{Command, Reply};

impl Harness {
    pub(super) fn submit(&mut self, submission: Submission) -> Result<(), Difference> {
        let reply = self.both("ticket", &Command::Submit(submission.job()))?;
        self.tally.submitted += u64::from(reply.error().is_none());
        Ok(())
    }

    pub(super) fn withdraw(&mut self, pick: Pick) -> Result<(), Difference> {
        let Some(ticket) = self.picked_ticket(pick) else {
            return Ok(());
        };
        let reply = self.both("withdrawal", &Command::Withdraw(ticket))?;
        self.tally.withdrawn += u64::from(reply == Reply::Done);
        Ok(())
    }

    /// A waiting job, or one that waits no more or never has.
    fn picked_ticket(&self, pick: Pick) -> Option<Ticket> {
        let jobs = self.twin.queue.jobs();
        let number = match pick {
            Pick::Live(nth) => jobs[usize::from(nth).checked_rem(jobs.len())?].0,
            Pick::Never => u32::MAX,
            Pick::Ended(nth) | Pick::Lifted(nth) => (1..=u32::from(nth) + 1)
                .rfind(|ticket| jobs.iter().all(|(waiting, _)| waiting != ticket))
                .unwrap_or(u32::MAX),
        };
        Ticket::from_number(number)
    }

    pub(super) fn advance_queue(&mut self, to: Slot, room: usize) -> Result<(), Difference> {
        let room = if room < 8 { room } else { LONG_LIST };
        let passed = self.twin.queue.passed();
        self.pass(&Command::AdvanceQueue(to, room))?;
        let queue = &self.twin.queue;
        self.tally.looks_cut_short += u64::from(queue.is_cut_short());
        self.tally.passed += queue.passed() - passed;
        Ok(())
    }
}
