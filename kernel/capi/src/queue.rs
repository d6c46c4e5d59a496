//! Best effort: jobs that wait beside the reservations and start when there is room.

use bookahead as kernel;
use kernel::{BestEffortJob, PeCount, Slot, Span, Ticket};

use crate::{
    Book, Code, Event, Queue,
    code::{Failure, answer},
    pointer::{List, Out, read},
    queue_memory,
    time::{advance, one, report},
    with::{asked, with_book, with_queue},
};

/// Who may pass whom in a queue. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Discipline {
    /// First come, first served: nobody passes the first job.
    Fcfs = 0,
    /// EASY backfilling: a job passes those before it when it fits now, and the first job's earliest start, looked for again with it
    /// booked, is no later. When the first job has no start within the horizon, it is delayed by nobody.
    Easy = 1,
    /// Conservative backfilling: each job has a planned start, which no later job may delay. It needs a schedule (`bookahead_queue_keep_schedule`), which libraries
    /// built with plan have; calls by which time passes answer NO_SCHEDULE without one, and other libraries do so in `bookahead_queue_init`.
    Conservative = 2,
}

/// A job without a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Job {
    /// How many slots it runs at most: what is booked for it, and when it is stopped.
    pub estimate: u32,
    /// How many PEs.
    pub pes: u32,
}

/// A job that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct WaitingJob {
    /// Names it while it waits.
    pub ticket: u32,
    /// The job.
    pub job: Job,
}

/// How long a queue is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct QueueStatus {
    /// Jobs that wait.
    pub jobs: u32,
    /// How many there can be at once.
    pub capacity: u32,
    /// One of `bookahead_discipline`.
    pub discipline: u32,
}

impl Job {
    fn to_kernel(self) -> BestEffortJob {
        BestEffortJob {
            estimate: Span::new(self.estimate),
            pes: PeCount::new(self.pes),
        }
    }
}

impl From<(Ticket, BestEffortJob)> for WaitingJob {
    fn from((ticket, job): (Ticket, BestEffortJob)) -> Self {
        Self {
            ticket: ticket.get(),
            job: Job {
                estimate: job.estimate.get(),
                pes: job.pes.get(),
            },
        }
    }
}

/// Puts a job behind all others and gives its ticket, which is never 0. It starts no sooner than in the next `bookahead_queue_advance`, be it to
/// `now`. With a layout it starts on PEs of the class that is asked for (`bookahead_class_ask`), whatever is asked for by then. O(1), and with a layout
/// O(classes + jobs).
///
/// Answers NO_SCHEDULE for a schedule of another kind or size than the book, FOREIGN_QUEUE for a queue of a book of another incarnation, QUEUE_LEFT_BEHIND, STALE_CLASS, ZERO_DURATION, ZERO_PES, TOO_WIDE, TOO_LONG for an
/// estimate beyond the horizon, NOT_WHOLE_GROUPS and NOT_ELIGIBLE for what no PEs of the class could serve, QUEUE_FULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_submit(
    queue: *mut Queue,
    book: *mut Book,
    job: *const Job,
    ticket: *mut u32,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let ticket = Out::new(ticket)?;
        let job = read(job)?.to_kernel();
        ticket.set(with_queue!(queue, book, |queue, book, class| queue
            .submit(&mut book, asked!(class, &job))?
            .get()));
        Ok(())
    })
}

/// Takes a job out of the queue. O(jobs).
///
/// Answers UNKNOWN_TICKET for one that does not wait, or no longer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_withdraw(queue: *mut Queue, ticket: u32) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let mut queue = queue_memory::open(queue)?;
        let ticket = Ticket::from_number(ticket).ok_or(Code::UnknownTicket)?;
        queue.withdraw(ticket).map_err(Failure::from)
    })
}

/// As `bookahead_advance`, and starts jobs of the queue: it is looked at as soon as anything has changed, at `now` before time moves, if there were calls
/// since, and in each slot on the way after its other events. A start is reported as BEST_EFFORT_STARTED, and event and reservation have the job's
/// ticket. Nothing starts while every row is taken.
///
/// A jump decides the same as many small steps, except that a confirmed reservation whose whole booked run it passes is MISSED, and what that leaves goes
/// to the queue. A start learnt of late keeps its
/// window, so that the job gets the rest, and one whose whole estimate has passed is reported with its end in the same call: whoever may sleep for
/// longer than the shortest estimate advances to `bookahead_queue_next_event` and not beyond.
///
/// As `bookahead_advance`; and for each slot in which something happens O(jobs x (estimates x columns + jobs + log rows)), with EASY a first fit
/// more.
///
/// Answers NO_SCHEDULE for a queue of the discipline CONSERVATIVE without a schedule of the book's kind and size, FOREIGN_QUEUE, QUEUE_LEFT_BEHIND when jobs wait and the book was advanced without the queue, TIME_WENT_BACK, END_OF_TIME.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_advance(
    queue: *mut Queue,
    book: *mut Book,
    to: u64,
    events: *mut Event,
    capacity: usize,
    count: *mut usize,
    waiting: *mut bool,
) -> u32 {
    let to = Slot::new(to);
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        report(events, capacity, count, waiting, |events| {
            with_queue!(queue, book, |queue, book| advance(events, |list| {
                queue.advance(&mut book, to, list)
            }))
        })
    })
}

/// As `bookahead_queue_advance`, one event at a time, given as by `bookahead_next`.
///
/// Answers NO_SCHEDULE for a queue of the discipline CONSERVATIVE without a schedule of the book's kind and size, FOREIGN_QUEUE, QUEUE_LEFT_BEHIND when jobs wait and the book was advanced without the queue, TIME_WENT_BACK, END_OF_TIME.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_next(
    queue: *mut Queue,
    book: *mut Book,
    to: u64,
    event: *mut Event,
    happened: *mut bool,
) -> u32 {
    let to = Slot::new(to);
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        one(event, happened, || {
            Ok(with_queue!(queue, book, |queue, book| queue.next(&mut book, to)?))
        })
    })
}

/// Says which book the queue serves: the one with this number, see `bookahead_set_incarnation`, whatever slot it has reached. With another it answers FOREIGN_QUEUE when a job is
/// submitted and when time passes. O(1).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_set_incarnation(
    queue: *mut Queue,
    incarnation: u32,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        queue_memory::open(queue)?.set_incarnation(incarnation);
        Ok(())
    })
}

/// Gives when something happens next, `now` included: as `bookahead_next_event`, or `now` when the queue is to be looked at. O(1).
///
/// Answers NOTHING_DUE when there is neither a reservation nor a job to look at.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_next_event(
    queue: *mut Queue,
    book: *mut Book,
    at: *mut u64,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let at = Out::new(at)?;
        let next = with_queue!(queue, book, |queue, book| queue.next_event(&book));
        at.set(next.ok_or(Code::NothingDue)?.get());
        Ok(())
    })
}

/// Gives the earliest start of the first job for its whole estimate, as things stand. No promise: a reservation made meanwhile goes first, and with
/// every row taken it may be `now`. O(horizon x columns).
///
/// Answers NO_SHADOW when there is none within the horizon, or no job waits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_shadow(
    queue: *mut Queue,
    book: *mut Book,
    start: *mut u64,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let start = Out::new(start)?;
        let queue = queue_memory::open(queue)?;
        let shadow = with_book!(book, |book| queue.shadow(&mut book));
        start.set(shadow.ok_or(Code::NoShadow)?.get());
        Ok(())
    })
}

/// Gives how many jobs wait, how many may, and who may pass whom. O(1).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_status(
    queue: *mut Queue,
    status: *mut QueueStatus,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let status = Out::new(status)?;
        let queue = queue_memory::open(queue)?;
        status.set(QueueStatus {
            jobs: queue.len() as u32,
            capacity: queue.capacity() as u32,
            discipline: u32::from(queue.discipline().code()),
        });
        Ok(())
    })
}

/// Lists the jobs that wait, in order of submission; see `bookahead_pes_of` for lists. O(jobs).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_jobs(
    queue: *mut Queue,
    skip: usize,
    jobs: *mut WaitingJob,
    capacity: usize,
    count: *mut usize,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (jobs, count) = (List::new(jobs, capacity)?, Out::new(count)?);
        let queue = queue_memory::open(queue)?;
        count.set(jobs.fill(queue.iter(), skip));
        Ok(())
    })
}

/// As `bookahead_check_invariants`, and that the queue agrees with itself and with the book. O(jobs) more.
///
/// Answers the first violation found.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_check_invariants(
    queue: *mut Queue,
    book: *mut Book,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        with_queue!(queue, book, |queue, book| queue
            .check_invariants(&mut book)
            .map_err(Failure::from))
    })
}
