//! The queue on both sides.

use bookahead::{BestEffortJob, PeCount, Slot, Span, Ticket};

use super::Harness;
use super::passing::LONG_LIST;
use crate::difference::{same, sound};
use crate::{Difference, Pick, Subject, Submission};

impl<S: Subject> Harness<S> {
    pub(super) fn submit(&mut self, submission: Submission) -> Result<(), Difference> {
        let job = BestEffortJob {
            estimate: Span::new(submission.estimate.into()),
            pes: PeCount::new(submission.pes),
        };
        let before = self.subject.clone();
        let answer = self.subject.submit(&job).map(Ticket::get);
        let expected = self.queue.submit(&self.oracle, &job);
        same("ticket", &answer, &expected)?;
        if let Err(reason) = expected {
            return self.declined(&before, reason);
        }
        self.tally.submitted += 1;
        Ok(())
    }

    pub(super) fn withdraw(&mut self, pick: Pick) -> Result<(), Difference> {
        let Some(ticket) = self.picked_ticket(pick) else {
            return Ok(());
        };
        let before = self.subject.clone();
        let answer = self.subject.withdraw(ticket);
        let expected = self.queue.withdraw(ticket.get());
        same("withdrawal", &answer, &expected)?;
        if let Err(reason) = expected {
            return self.declined(&before, reason);
        }
        self.tally.withdrawn += 1;
        Ok(())
    }

    /// A waiting job, or one that waits no more or never has.
    fn picked_ticket(&self, pick: Pick) -> Option<Ticket> {
        let jobs = self.queue.jobs();
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
        let before = self.subject.clone();
        let passed = self.queue.passed();
        let answer = self.subject.advance_queue(to, room);
        let expected = self.queue.advance(&mut self.oracle, to, room);
        self.compare_progress(&before, answer, expected)?;
        self.tally.looks_cut_short += u64::from(self.queue.is_cut_short());
        self.tally.passed += self.queue.passed() - passed;
        Ok(())
    }

    /// Compares all that can be seen of the queue.
    pub(super) fn compare_queue(&mut self) -> Result<(), Difference> {
        let before = self.subject.clone();
        let waiting = self.subject.waiting();
        let numbered: Vec<_> = waiting
            .iter()
            .map(|(ticket, job)| (ticket.get(), *job))
            .collect();
        same("waiting jobs", &numbered, &self.queue.jobs().to_vec())?;
        let shadow = self.queue.shadow(&self.oracle);
        same("shadow", &self.subject.shadow(), &shadow)?;
        sound(
            "looking for the shadow changes nothing",
            self.subject == before,
        )?;
        let next = self.queue.next_event(&self.oracle);
        same(
            "next event with the queue",
            &self.subject.next_queue_event(),
            &next,
        )
    }
}
