//! The memory of a queue.

use alloc::boxed::Box;

use bookahead::{
    Discipline, Queue,
    raw::{QueueParts, QueueState, WaitingJob, queue_bytes},
};

use crate::{
    SizeError,
    arrays::{Arrays, MOST_ROWS},
};

/// The memory of a queue of best-effort jobs, with a size known at run time.
///
/// ```
/// use bookahead::{BestEffortJob, Discipline, Event, EventKind, PeCount, Slot, Span};
/// use bookahead_heap::{BoxedCountBook, BoxedJobQueue, Sizes};
///
/// // The queue lies beside the book, and a job that starts becomes a reservation of the book.
/// let mut book = BoxedCountBook::new(Sizes { pes: 16, slots: 1_440, reservations: 200 })?;
/// let mut queue = BoxedJobQueue::new(Discipline::Easy, 50)?;
/// let job = BestEffortJob { estimate: Span::new(30), pes: PeCount::new(4) };
/// let ticket = queue.view().submit(&mut book.view(), &job).unwrap();
///
/// let mut events = heapless::Vec::<Event, 8>::new();
/// let _ = queue.view().advance(&mut book.view(), Slot::new(0), &mut events).unwrap();
/// assert_eq!(events[0].kind, EventKind::BestEffortStarted);
/// assert_eq!(book.view().get(events[0].handle).unwrap().ticket, Some(ticket));
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BoxedJobQueue {
    state: QueueState,
    jobs: Box<[WaitingJob]>,
}

impl BoxedJobQueue {
    /// Returns the bytes of the array and scalars of a queue for `jobs` jobs, as [`queue_bytes`].
    #[must_use]
    pub const fn bytes(jobs: usize) -> usize {
        queue_bytes(jobs)
    }

    /// Creates an empty queue for up to `jobs` jobs. O(jobs).
    ///
    /// # Errors
    ///
    /// [`SizeError`] for too many jobs, and when there is not enough memory.
    pub fn new(discipline: Discipline, jobs: usize) -> Result<Self, SizeError> {
        Self::new_within(usize::MAX, discipline, jobs)
    }

    /// Creates a queue as [`new`](Self::new) does, in at most `limit` bytes as [`bytes`](Self::bytes) counts them.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and [`SizeError::TooMuchMemory`] beyond the limit, before anything is allocated.
    pub fn new_within(
        limit: usize,
        discipline: Discipline,
        jobs: usize,
    ) -> Result<Self, SizeError> {
        if jobs > MOST_ROWS {
            return Err(SizeError::TooManyJobs {
                asked: jobs,
                most: MOST_ROWS,
            });
        }
        let needed = Self::bytes(jobs);
        let mut arrays = Arrays::within(needed, limit)?;
        let mut memory = Self {
            state: QueueState::default(),
            jobs: arrays.array(jobs)?,
        };
        debug_assert_eq!(arrays.bytes_with::<QueueState>(), needed);
        let _ = memory.parts().init(discipline);
        Ok(memory)
    }

    /// Returns a view of the queue in this memory. O(1).
    pub fn view(&mut self) -> Queue<'_> {
        self.parts().view()
    }

    /// Returns the array and the scalars.
    pub fn parts(&mut self) -> QueueParts<'_> {
        QueueParts {
            state: &mut self.state,
            jobs: &mut self.jobs,
        }
    }
}
