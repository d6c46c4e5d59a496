//! What is remembered of one book's answers.

use bookahead::{Booking, Discipline, Handle, JobQueue, Move, Offer, Plan, Slot, Ticket};
use heapless::Vec;

use crate::{ENTRIES, JOBS, OFFERS, WAITING};

/// What is remembered of one book's answers, and the memory of its queue.
pub struct Notes {
    jobs: [Note; JOBS],
    pub(crate) queue: JobQueue<WAITING>,
    /// What was offered last.
    pub(crate) offers: Vec<Offer, OFFERS>,
    /// The plan that was made last, if it could be.
    pub(crate) plan: Option<Plan>,
    /// What the last transaction did that was only planned.
    pub(crate) moves: Vec<Move, ENTRIES>,
}

/// What is remembered of a job.
#[derive(Clone, Copy)]
struct Note {
    booking: Booking,
    ticket: Option<Ticket>,
}

/// Memory for [`Notes`]: all zeros, which a linker need not store.
pub const NO_NOTES: Notes = Notes {
    jobs: [Note {
        booking: Booking {
            handle: Handle::from_bits(0),
            start: Slot::new(0),
        },
        ticket: None,
    }; JOBS],
    queue: JobQueue::new(Discipline::Fcfs),
    offers: Vec::new(),
    plan: None,
    moves: Vec::new(),
};

/// What a job without a booking is remembered by, so that calls on it are made with a handle that no book gives out.
const NOWHERE: Booking = Booking {
    handle: Handle::from_bits(u64::MAX),
    start: Slot::new(0),
};

impl Notes {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.jobs.fill(Note {
            booking: NOWHERE,
            ticket: None,
        });
        self.renew_queue(Discipline::Fcfs);
        self.offers.clear();
        self.plan = None;
        self.moves.clear();
    }

    /// Makes an empty queue; nobody waits any more.
    pub(crate) fn renew_queue(&mut self, discipline: Discipline) {
        let _ = self.queue.init(discipline);
        for job in &mut self.jobs {
            job.ticket = None;
        }
    }

    pub(crate) fn booking(&self, job: u16) -> Booking {
        self.note(job).map_or(NOWHERE, |note| note.booking)
    }

    pub(crate) fn ticket(&self, job: u16) -> Option<Ticket> {
        self.note(job)?.ticket
    }

    pub(crate) fn book(&mut self, job: u16, booking: Booking) {
        if let Some(note) = self.jobs.get_mut(usize::from(job)) {
            note.booking = booking;
        }
    }

    pub(crate) fn submit(&mut self, job: u16, ticket: Ticket) {
        if let Some(note) = self.jobs.get_mut(usize::from(job)) {
            note.ticket = Some(ticket);
        }
    }

    /// Whose booking it is.
    pub(crate) fn job_of(&self, handle: Handle) -> Option<u16> {
        self.find(|note| note.booking.handle == handle)
    }

    /// A job is booked elsewhere; nothing is remembered of a reservation of none.
    pub(crate) fn book_elsewhere(&mut self, handle: Handle, start: Slot) {
        if let Some(job) = self.job_of(handle) {
            self.book(job, Booking { handle, start });
        }
    }

    /// Who waits, or waited, with that ticket.
    pub(crate) fn job_with(&self, ticket: Ticket) -> Option<u16> {
        self.find(|note| note.ticket == Some(ticket))
    }

    fn find(&self, wanted: impl Fn(&Note) -> bool) -> Option<u16> {
        let job = self.jobs.iter().position(wanted)?;
        u16::try_from(job).ok()
    }

    fn note(&self, job: u16) -> Option<&Note> {
        self.jobs.get(usize::from(job))
    }
}
