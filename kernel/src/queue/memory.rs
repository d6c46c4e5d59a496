//! Memory of a queue, owned or lent.

use crate::ticket::Ticket;

use super::{Discipline, Queue, WaitingJob};

/// The scalars of a queue. All zero is an empty queue with first come, first served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct QueueState {
    /// The revision of the book at the last pass over the queue.
    pub(super) seen: u64,
    pub(super) len: u32,
    /// Where the next pass begins even if the book has not changed: 1 + an index of the queue, or 0 for none.
    pub(super) resume: u32,
    /// The last ticket given out.
    pub(super) tickets: u32,
    /// The incarnation of the book that the queue serves.
    pub(super) incarnation: u32,
    /// The slot up to which the queue has come with its book, without the upper half of its number; see `follows`.
    pub(super) reached: u32,
    /// The code of the discipline: a number, so that no bit pattern is invalid.
    pub(super) discipline: u8,
    /// 1 once `reached` is known, and 0 before.
    pub(super) follows: u8,
    /// 1 while running jobs may be cut, for which places are kept.
    #[cfg(feature = "plan")]
    pub(super) cut: u8,
}

impl QueueState {
    const fn new(discipline: Discipline) -> Self {
        Self {
            seen: 0,
            len: 0,
            resume: 0,
            tickets: 0,
            incarnation: 0,
            reached: 0,
            discipline: discipline.code(),
            follows: 0,
            #[cfg(feature = "plan")]
            cut: 0,
        }
    }

    /// Returns the next ticket. Tickets begin again at 1 after 2^32 - 1.
    pub(super) fn next_ticket(&mut self) -> Ticket {
        self.tickets = self.tickets.checked_add(1).unwrap_or(1);
        Ticket::from_number(self.tickets).unwrap_or(Ticket::FIRST)
    }

    /// Returns how many tickets were given out after this one.
    pub(super) const fn age(&self, ticket: u32) -> u32 {
        self.tickets.wrapping_sub(ticket)
    }

    /// Requests a pass from the beginning, as the queue has changed.
    pub(super) const fn look_again(&mut self) {
        self.resume = 1;
    }
}

/// Owns a queue of up to `JOBS` jobs.
///
/// ```
/// use bookahead::{Discipline, JobQueue, raw::queue_bytes};
/// let mut memory = JobQueue::<16>::new(Discipline::Easy);
/// assert!(memory.view().is_empty());
/// assert_eq!(JobQueue::<16>::BYTES, queue_bytes(16));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct JobQueue<const JOBS: usize> {
    state: QueueState,
    jobs: [WaitingJob; JOBS],
}

impl<const JOBS: usize> JobQueue<JOBS> {
    /// The memory it takes; see [`queue_bytes`].
    pub const BYTES: usize = size_of::<Self>();

    /// Creates an empty queue. With [`Discipline::Fcfs`], all of it is zero, so that a `static` of it occupies no space
    /// in a program image.
    #[must_use]
    pub const fn new(discipline: Discipline) -> Self {
        const {
            assert!(JOBS < u32::MAX as usize, "at most 2^32 - 2 jobs");
        }
        Self {
            state: QueueState::new(discipline),
            jobs: [WaitingJob::NONE; JOBS],
        }
    }

    /// Returns the queue in this memory. O(1).
    pub fn view(&mut self) -> Queue<'_> {
        self.parts().view()
    }

    /// Creates an empty queue in this memory, whatever it holds. O(jobs).
    pub fn init(&mut self, discipline: Discipline) -> Queue<'_> {
        self.parts().init(discipline)
    }

    const fn parts(&mut self) -> QueueParts<'_> {
        QueueParts {
            state: &mut self.state,
            jobs: &mut self.jobs,
        }
    }
}

/// The arrays of a queue, for memory that is not a [`JobQueue`]: a heap, or a caller's buffer.
///
/// ```
/// use bookahead::{Discipline, raw::{QueueParts, QueueState, WaitingJob}};
/// let (mut state, mut jobs) = (QueueState::default(), vec![WaitingJob::NONE; 100]);
/// let queue = QueueParts { state: &mut state, jobs: &mut jobs }.init(Discipline::Easy);
/// assert_eq!(queue.capacity(), 100);
/// ```
pub struct QueueParts<'q> {
    /// The scalars.
    pub state: &'q mut QueueState,
    /// One element for each job.
    pub jobs: &'q mut [WaitingJob],
}

impl<'q> QueueParts<'q> {
    /// Creates an empty queue in the memory. O(jobs).
    #[must_use]
    pub fn init(self, discipline: Discipline) -> Queue<'q> {
        *self.state = QueueState::new(discipline);
        self.jobs.fill(WaitingJob::NONE);
        self.view()
    }

    /// Returns the queue that is in the memory. O(1).
    #[must_use]
    pub const fn view(self) -> Queue<'q> {
        Queue {
            state: self.state,
            jobs: self.jobs,
            #[cfg(feature = "plan")]
            list: None,
        }
    }
}

/// Returns the bytes of a [`JobQueue`] for `jobs` jobs: 12 for each, and 32 for the state.
///
/// ```
/// assert_eq!(bookahead::raw::queue_bytes(10), 152);
/// ```
#[must_use]
pub const fn queue_bytes(jobs: usize) -> usize {
    let bytes = jobs.saturating_mul(size_of::<WaitingJob>());
    let bytes = bytes.saturating_add(size_of::<QueueState>());
    match bytes.checked_next_multiple_of(align_of::<QueueState>()) {
        Some(bytes) => bytes,
        None => usize::MAX,
    }
}
