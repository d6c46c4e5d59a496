//! The memory of a queue.

use alloc::boxed::Box;

#[cfg(feature = "plan")]
use bookahead::{
    Book, PlannedQueue,
    raw::{
        PlannedJob, Ring, ScheduleParts, ScheduleState, WaitingListParts, WaitingListState,
        WaitingRequest, waiting_list_bytes,
    },
};
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
    /// The requests that wait beside the jobs.
    #[cfg(feature = "plan")]
    list: Option<(WaitingListState, Box<[WaitingRequest]>)>,
    /// The schedule of the jobs; no elements where they are not planned.
    #[cfg(feature = "plan")]
    schedule: (ScheduleState, Box<[PlannedJob]>),
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
        let needed = Self::bytes(jobs);
        let mut arrays = arrays_for(jobs, needed, limit)?;
        let mut memory = Self {
            state: QueueState::default(),
            jobs: arrays.array(jobs)?,
            #[cfg(feature = "plan")]
            list: None,
            #[cfg(feature = "plan")]
            schedule: (ScheduleState::default(), Box::default()),
        };
        debug_assert_eq!(arrays.bytes_with::<QueueState>(), needed);
        let _ = memory.parts().init(discipline);
        Ok(memory)
    }

    /// Returns the queue with memory for up to `requests` requests that wait beside it, see [`Queue::wait`], in addition
    /// [`waiting_list_bytes`]. O(requests).
    ///
    /// ```
    /// use bookahead::{Commitment, Discipline, EventKind, PeCount, Policy, Request, Slot, Span};
    /// use bookahead_heap::{BoxedCountBook, BoxedJobQueue, Sizes};
    ///
    /// let mut book = BoxedCountBook::new(Sizes { pes: 16, slots: 1_440, reservations: 200 })?;
    /// let mut queue = BoxedJobQueue::new(Discipline::Fcfs, 0)?.with_requests(50)?;
    /// // A day ahead is beyond the horizon: it waits until the horizon comes to its deadline.
    /// let request = Request { ready: Slot::new(1_440), duration: Span::new(30), deadline: Slot::new(1_500), pes: PeCount::new(4) };
    /// let ticket = queue.view().wait(&mut book.view(), &request, Policy::FirstFit, Commitment::Confirmed, 0).unwrap();
    /// let event = queue.view().next(&mut book.view(), Slot::new(100)).unwrap().unwrap();
    /// assert_eq!((event.at, event.kind, event.ticket), (Slot::new(60), EventKind::Promised, Some(ticket)));
    /// # Ok::<(), bookahead_heap::SizeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`SizeError`] for too many requests, and when there is not enough memory.
    #[cfg(feature = "plan")]
    pub fn with_requests(self, requests: usize) -> Result<Self, SizeError> {
        let needed = waiting_list_bytes(requests);
        let mut arrays = arrays_for(requests, needed, usize::MAX)?;
        let array = arrays.array(requests)?;
        debug_assert_eq!(arrays.bytes_with::<WaitingListState>(), needed);
        let list = Some((WaitingListState::default(), array));
        Ok(Self { list, ..self })
    }

    /// Returns the queue with memory for a schedule of its jobs, see [`planned`](Self::planned), in addition [`schedule_bytes`](bookahead::raw::schedule_bytes).
    /// O(jobs).
    ///
    /// # Errors
    ///
    /// [`SizeError`] when there is not enough memory.
    #[cfg(feature = "plan")]
    pub fn with_schedule(self) -> Result<Self, SizeError> {
        let jobs = self.jobs.len();
        let mut arrays = arrays_for(jobs, bookahead::raw::schedule_bytes(jobs), usize::MAX)?;
        let schedule = (ScheduleState::default(), arrays.array(jobs)?);
        Ok(Self { schedule, ..self })
    }

    /// Returns a view of the queue with its schedule over the ring of a second book; see [`PlannedQueue`]. O(1).
    ///
    /// ```
    /// use bookahead::{BestEffortJob, Discipline, PeCount, Slot, Span};
    /// use bookahead_heap::{BoxedCountBook, BoxedJobQueue, Sizes};
    ///
    /// let mut book = BoxedCountBook::new(Sizes { pes: 16, slots: 1_440, reservations: 200 })?;
    /// // A reservation for each job that may be planned.
    /// let mut second = BoxedCountBook::new(Sizes { pes: 16, slots: 1_440, reservations: 50 })?;
    /// let mut memory = BoxedJobQueue::new(Discipline::Conservative, 50)?.with_schedule()?;
    /// let (mut book, mut queue) = (book.view(), memory.planned(second.view()));
    /// let job = BestEffortJob { estimate: Span::new(30), pes: PeCount::new(9) };
    /// let tickets = [(); 2].map(|()| queue.submit(&mut book, &job));
    /// assert!(queue.starts().map(|(_, start)| start).eq([Slot::new(0), Slot::new(30)]));
    /// # Ok::<(), bookahead_heap::SizeError>(())
    /// ```
    #[cfg(feature = "plan")]
    pub fn planned<'q, R: Ring>(&'q mut self, second: Book<'q, R>) -> PlannedQueue<'q, R> {
        let queue = QueueParts {
            state: &mut self.state,
            jobs: &mut self.jobs,
        }
        .view();
        let queue = match &mut self.list {
            Some((state, requests)) => WaitingListParts { state, requests }.beside(queue),
            None => queue,
        };
        let (state, jobs) = &mut self.schedule;
        queue.planned(ScheduleParts { state, jobs }.over(second))
    }

    /// Returns a view of the queue in this memory. O(1).
    pub fn view(&mut self) -> Queue<'_> {
        let queue = QueueParts {
            state: &mut self.state,
            jobs: &mut self.jobs,
        }
        .view();
        #[cfg(feature = "plan")]
        if let Some((state, requests)) = &mut self.list {
            return WaitingListParts { state, requests }.beside(queue);
        }
        queue
    }

    /// Returns the array and the scalars of the jobs.
    pub fn parts(&mut self) -> QueueParts<'_> {
        QueueParts {
            state: &mut self.state,
            jobs: &mut self.jobs,
        }
    }
}

/// Prepares the array of so many who wait.
fn arrays_for(waiting: usize, needed: usize, limit: usize) -> Result<Arrays, SizeError> {
    if waiting > MOST_ROWS {
        return Err(SizeError::TooManyJobs {
            asked: waiting,
            most: MOST_ROWS,
        });
    }
    Arrays::within(needed, limit)
}
