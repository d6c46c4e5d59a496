//! Memory of waiting requests, owned or lent.

use super::{Queue, job::PesOfClass, line};
#[cfg(feature = "journal")]
use crate::bytes::{Input, Piece, SnapshotError};
use crate::{
    book::Commitment,
    flexibility::{Flexibility, Freeze},
    policy::Policy,
    request::Request,
    ticket::Ticket,
    time::{Slot, Span},
};

/// A request that waits for room, as [`Queue::wait`] was given it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Waiting {
    /// The request.
    pub request: Request,
    /// The policy by which its start is chosen.
    pub policy: Policy,
    /// What it becomes when there is room; the time to live of a hold begins then.
    pub commitment: Commitment,
    /// Its priority: higher ones are tried first.
    pub key: u32,
}

impl Waiting {
    /// Returns the request as it can still be met at `now`: one that was ready before is ready now.
    pub(super) fn request_at(&self, now: Slot) -> Request {
        Request {
            ready: self.request.ready.max(now),
            ..self.request
        }
    }

    /// Returns its latest start, which lies behind its ready time.
    pub(super) fn latest_start(&self) -> Slot {
        self.request.latest_start().unwrap_or_default()
    }

    /// Returns the first slot after that in which it was tried in which its answer changes by time alone: its deadline comes within the horizon, or its
    /// latest start has passed.
    pub(super) fn alarm(&self, tried: Slot, horizon: Span) -> Slot {
        let deadline = self.request.deadline.get();
        let reached = deadline.saturating_sub(horizon.get().into());
        if reached > tried.get() {
            Slot::new(reached)
        } else {
            self.latest_start().saturating_add(Span::new(1))
        }
    }
}

/// Memory for one waiting request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct WaitingRequest {
    ready: Slot,
    deadline: Slot,
    duration: Span,
    /// 0 for an unused element.
    pub(super) ticket: u32,
    pub(super) key: u32,
    /// The number in its commitment: the time to live of a hold, a share, or a lead time.
    note: u32,
    pes: PesOfClass,
    /// The codes of its policy and its commitment: numbers, so that no bit pattern is invalid.
    policy: u8,
    commitment: u8,
    spare: u16,
}

/// The codes of commitments that are not flexible; those of flexible ones follow.
const CONFIRMED: u8 = 0;
const HELD: u8 = 1;
const FLEXIBLE: u8 = 2;

impl WaitingRequest {
    /// No request.
    pub const NONE: Self = Self {
        ready: Slot::new(0),
        deadline: Slot::new(0),
        duration: Span::ZERO,
        ticket: 0,
        key: 0,
        note: 0,
        pes: PesOfClass(0),
        policy: 0,
        commitment: 0,
        spare: 0,
    };

    pub(super) fn new(ticket: Ticket, waiting: &Waiting, class: u16) -> Self {
        let (commitment, note) = match waiting.commitment {
            Commitment::Confirmed => (CONFIRMED, 0),
            Commitment::Held { ttl } => (HELD, ttl.get()),
            Commitment::Flexible { kind, freeze } => {
                let note = match freeze {
                    Freeze::Never | Freeze::Acceptance => 0,
                    Freeze::Share { per_mille } => per_mille.into(),
                    Freeze::Lead { lead } => lead.get(),
                };
                let code = kind.code().saturating_add(freeze.code().saturating_mul(2));
                (FLEXIBLE.saturating_add(code), note)
            }
        };
        Self {
            ready: waiting.request.ready,
            deadline: waiting.request.deadline,
            duration: waiting.request.duration,
            ticket: ticket.get(),
            key: waiting.key,
            note,
            pes: PesOfClass::new(waiting.request.pes, class),
            policy: waiting.policy.code(),
            commitment,
            spare: 0,
        }
    }

    pub(super) fn describe(&self) -> Option<(Ticket, Waiting)> {
        let waiting = Waiting {
            request: Request {
                ready: self.ready,
                duration: self.duration,
                deadline: self.deadline,
                pes: self.pes.count(),
            },
            policy: Policy::from_code(self.policy)?,
            commitment: self.commitment()?,
            key: self.key,
        };
        Some((Ticket::from_number(self.ticket)?, waiting))
    }

    fn commitment(&self) -> Option<Commitment> {
        let Some(code) = self.commitment.checked_sub(FLEXIBLE) else {
            return Some(match self.commitment {
                HELD => Commitment::Held {
                    ttl: Span::new(self.note),
                },
                _ => Commitment::Confirmed,
            });
        };
        Some(Commitment::Flexible {
            kind: Flexibility::from_code(code & 1)?,
            freeze: match code >> 1 {
                0 => Freeze::Never,
                1 => Freeze::Acceptance,
                2 => Freeze::Share {
                    per_mille: u16::try_from(self.note).ok()?,
                },
                3 => Freeze::Lead {
                    lead: Span::new(self.note),
                },
                _ => return None,
            },
        })
    }

    #[cfg(feature = "journal")]
    pub(super) fn to_bytes(self) -> [u8; 38] {
        Piece::NEW
            .and(self.ready.get().to_le_bytes())
            .and(self.deadline.get().to_le_bytes())
            .and(self.duration.get().to_le_bytes())
            .and(self.ticket.to_le_bytes())
            .and(self.key.to_le_bytes())
            .and(self.note.to_le_bytes())
            .and(self.pes.0.to_le_bytes())
            .and([self.policy, self.commitment])
            .whole()
    }

    #[cfg(feature = "journal")]
    pub(super) fn from_input(input: &mut Input<'_, '_>) -> Result<Self, SnapshotError> {
        let [ready, deadline] = [input.long()?, input.long()?].map(Slot::new);
        let duration = Span::new(input.number()?);
        let (ticket, key, note, pes) = (
            input.number()?,
            input.number()?,
            input.number()?,
            PesOfClass(input.number()?),
        );
        let [policy, commitment] = input.take()?;
        Ok(Self {
            ready,
            deadline,
            duration,
            ticket,
            key,
            note,
            pes,
            policy,
            commitment,
            spare: 0,
        })
    }

    /// Returns the number of its class.
    pub(super) const fn class(&self) -> u16 {
        self.pes.class()
    }
}

/// The scalars of a list of waiting requests. All zero is an empty list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct WaitingListState {
    /// The revision of the book when the requests were last tried.
    pub(super) seen: u64,
    /// The slot in which they were last tried from the first on.
    pub(super) tried: Slot,
    /// A slot behind it up to which time alone changes no answer.
    pub(super) alarm: Slot,
    /// 1 + a slot that time is leaving, so that nothing is promised in it any more, or 0.
    pub(super) leaving: u64,
    pub(super) len: u32,
    /// Where the next pass begins even if the book has not changed: 1 + an index of the list, or 0 for none.
    pub(super) resume: u32,
}

/// Owns a list of up to `REQUESTS` requests that wait beside a queue, see [`Queue::wait`].
///
/// ```
/// use bookahead::{Discipline, JobQueue, WaitingList, raw::waiting_list_bytes};
/// let (mut jobs, mut waiting) = (JobQueue::<4>::new(Discipline::Fcfs), WaitingList::<16>::new());
/// let queue = waiting.beside(jobs.view());
/// assert_eq!(queue.requests_capacity(), 16);
/// assert_eq!(WaitingList::<16>::BYTES, waiting_list_bytes(16));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct WaitingList<const REQUESTS: usize> {
    state: WaitingListState,
    requests: [WaitingRequest; REQUESTS],
}

impl<const REQUESTS: usize> WaitingList<REQUESTS> {
    /// The memory it takes; see [`waiting_list_bytes`].
    pub const BYTES: usize = size_of::<Self>();

    /// Creates an empty list. All of it is zero, so that a `static` of it occupies no space in a program image.
    #[must_use]
    pub const fn new() -> Self {
        const {
            assert!(REQUESTS < u32::MAX as usize, "at most 2^32 - 2 requests");
        }
        Self {
            state: WaitingListState {
                seen: 0,
                tried: Slot::new(0),
                alarm: Slot::new(0),
                leaving: 0,
                len: 0,
                resume: 0,
            },
            requests: [WaitingRequest::NONE; REQUESTS],
        }
    }

    /// Returns the queue with this list beside it. A list belongs to one queue, which gives out its tickets, and a queue is always opened with its
    /// list. O(1).
    #[must_use]
    pub const fn beside<'q>(&'q mut self, queue: Queue<'q>) -> Queue<'q> {
        let parts = WaitingListParts {
            state: &mut self.state,
            requests: &mut self.requests,
        };
        parts.beside(queue)
    }
}

impl<const REQUESTS: usize> Default for WaitingList<REQUESTS> {
    fn default() -> Self {
        Self::new()
    }
}

/// The arrays of a list of waiting requests, for memory that is not a [`WaitingList`].
///
/// ```
/// use bookahead::{Discipline, JobQueue, raw::{WaitingListParts, WaitingListState, WaitingRequest}};
/// let mut jobs = JobQueue::<4>::new(Discipline::Fcfs);
/// let (mut state, mut requests) = (WaitingListState::default(), vec![WaitingRequest::NONE; 100]);
/// let queue = WaitingListParts { state: &mut state, requests: &mut requests }.beside(jobs.view());
/// assert_eq!(queue.requests_capacity(), 100);
/// ```
pub struct WaitingListParts<'q> {
    /// The scalars.
    pub state: &'q mut WaitingListState,
    /// One element for each request.
    pub requests: &'q mut [WaitingRequest],
}

impl<'q> WaitingListParts<'q> {
    /// Returns the queue with an empty list in this memory beside it, whatever the memory holds. O(requests).
    #[must_use]
    pub fn init(self, queue: Queue<'q>) -> Queue<'q> {
        *self.state = WaitingListState::default();
        self.requests.fill(WaitingRequest::NONE);
        self.beside(queue)
    }

    /// Returns the queue with the list in this memory beside it, as [`WaitingList::beside`]. O(1).
    #[must_use]
    pub const fn beside(self, queue: Queue<'q>) -> Queue<'q> {
        Queue {
            state: queue.state,
            jobs: queue.jobs,
            list: Some(self),
        }
    }
}

impl WaitingListParts<'_> {
    pub(super) fn waiting(&self) -> &[WaitingRequest] {
        let len = self.state.len as usize;
        self.requests.get(..len).unwrap_or_default()
    }

    /// Inserts a request before index `place`, if there is an element left for it. O(requests).
    pub(super) fn insert(&mut self, place: usize, request: WaitingRequest) {
        line::insert(self.requests, &mut self.state.len, place, request);
    }

    /// Removes the request at `place`. O(requests).
    pub(super) fn remove(&mut self, place: usize) {
        line::remove(self.requests, &mut self.state.len, place);
    }
}

/// Returns the bytes of a [`WaitingList`] for `requests` requests: 40 for each, and for the state.
///
/// ```
/// assert_eq!(bookahead::raw::waiting_list_bytes(10), 440);
/// ```
#[must_use]
pub const fn waiting_list_bytes(requests: usize) -> usize {
    let bytes = requests.saturating_mul(size_of::<WaitingRequest>());
    bytes.saturating_add(size_of::<WaitingListState>())
}
