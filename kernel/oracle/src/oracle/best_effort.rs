//! Jobs that start at once, for as long as they may take.

use bookahead::{BestEffortJob, Placement, Request, Ticket, Window};

use super::Oracle;
use super::row::Life;
use crate::{Free, TicketNumber};
use bookahead_commands::Number;

impl Oracle {
    /// Whether a row is left, and the PEs are free from now on for the whole estimate, as the class that is asked for needs them.
    #[must_use]
    pub fn can_start(&self, job: &BestEffortJob) -> bool {
        let free = self.timetable().free_during(self.estimated(job));
        self.rows.len() < self.capacity
            && free.is_some_and(|free| self.serves_asked(&free, job.pes.get()))
    }

    /// Runs `job` from now on, for the class that is asked for; a `ticket` of 0 is none.
    ///
    /// # Panics
    ///
    /// When it does not fit.
    pub fn start_now(&mut self, job: &BestEffortJob, ticket: TicketNumber) -> Number {
        let window = self.estimated(job);
        let free = match self.timetable().free_during(window) {
            Some(Free::Set(free)) => free,
            // A job to come is tied to no PEs, and takes what those that end before leave it.
            _ => self.idle(),
        };
        let set = match self.numbered {
            true => self.choice(self.asked, &free, job.pes.get()),
            false => Vec::new(),
        };
        self.start_on(job, ticket, set)
    }

    /// Runs `job` from now on, on these PEs.
    pub(crate) fn start_on(
        &mut self,
        job: &BestEffortJob,
        ticket: TicketNumber,
        set: Vec<u16>,
    ) -> Number {
        let window = self.estimated(job);
        let request = Request {
            ready: window.start,
            duration: job.estimate,
            deadline: window.end,
            pes: job.pes,
        };
        let placed = Placement {
            start: window.start,
            duration: job.estimate,
            pes: job.pes,
        };
        let ticket = Ticket::from_number(ticket);
        let number = self.push(request, placed, Life::Running, set, ticket);
        self.changed();
        number
    }

    fn estimated(&self, job: &BestEffortJob) -> Window {
        Window::starting(self.now, job.estimate).expect("a horizon fits behind now")
    }
}
