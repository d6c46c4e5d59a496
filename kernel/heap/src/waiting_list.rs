//! The memory of a list of waiting requests.

use alloc::boxed::Box;

use bookahead::{
    Queue,
    raw::{WaitingListParts, WaitingListState, WaitingRequest, waiting_list_bytes},
};

use crate::{
    SizeError,
    arrays::{Arrays, MOST_ROWS},
};

/// The memory of a list of requests that wait beside a queue, with a size known at run time.
///
/// ```
/// use bookahead::{Commitment, Discipline, Event, EventKind, PeCount, Policy, Request, Slot, Span};
/// use bookahead_heap::{BoxedCountBook, BoxedJobQueue, BoxedWaitingList, Sizes};
///
/// let mut book = BoxedCountBook::new(Sizes { pes: 16, slots: 1_440, reservations: 200 })?;
/// let mut jobs = BoxedJobQueue::new(Discipline::Fcfs, 0)?;
/// let mut waiting = BoxedWaitingList::new(50)?;
/// let mut queue = waiting.beside(jobs.view());
/// // A day ahead is beyond the horizon: it waits until the horizon comes to its deadline.
/// let request = Request { ready: Slot::new(1_440), duration: Span::new(30), deadline: Slot::new(1_500), pes: PeCount::new(4) };
/// let ticket = queue.wait(&mut book.view(), &request, Policy::FirstFit, Commitment::Confirmed, 0).unwrap();
/// let event = queue.next(&mut book.view(), Slot::new(100)).unwrap().unwrap();
/// assert_eq!((event.at, event.kind, event.ticket), (Slot::new(60), EventKind::Promised, Some(ticket)));
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BoxedWaitingList {
    state: WaitingListState,
    requests: Box<[WaitingRequest]>,
}

impl BoxedWaitingList {
    /// Returns the bytes of the array and scalars of a list for `requests` requests, as [`waiting_list_bytes`].
    #[must_use]
    pub const fn bytes(requests: usize) -> usize {
        waiting_list_bytes(requests)
    }

    /// Creates an empty list for up to `requests` requests. O(requests).
    ///
    /// # Errors
    ///
    /// [`SizeError`] for too many requests, and when there is not enough memory.
    pub fn new(requests: usize) -> Result<Self, SizeError> {
        if requests > MOST_ROWS {
            return Err(SizeError::TooManyJobs {
                asked: requests,
                most: MOST_ROWS,
            });
        }
        let needed = Self::bytes(requests);
        let mut arrays = Arrays::within(needed, usize::MAX)?;
        let memory = Self {
            state: WaitingListState::default(),
            requests: arrays.array(requests)?,
        };
        debug_assert_eq!(arrays.bytes_with::<WaitingListState>(), needed);
        Ok(memory)
    }

    /// Returns the queue with this list beside it. O(1).
    pub fn beside<'q>(&'q mut self, queue: Queue<'q>) -> Queue<'q> {
        self.parts().beside(queue)
    }

    /// Returns the array and the scalars.
    pub fn parts(&mut self) -> WaitingListParts<'_> {
        WaitingListParts {
            state: &mut self.state,
            requests: &mut self.requests,
        }
    }
}
