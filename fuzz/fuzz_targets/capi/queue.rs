//! A queue beside the book.

use std::ptr::null_mut;

use arbitrary::Arbitrary;
use bookahead_capi::*;

use crate::{
    Machine,
    bad::{List, Pointer, Pointers, Result},
};

#[derive(Arbitrary, Debug)]
pub enum What {
    Init {
        discipline: u32,
        jobs: u32,
        length: u8,
    },
    Open {
        /// How much of the memory is shown.
        length: u8,
        /// Which bit of the head is turned over, if any.
        turned: Option<u8>,
    },
    Submit {
        estimate: u16,
        pes: u16,
    },
    SubmitAny {
        estimate: u32,
        pes: u32,
    },
    Withdraw(u8),
    WithdrawAny(u32),
    Advance(u8, u8),
    AdvanceTo(u64, u8),
    NextEvent,
    Shadow,
    Status,
    Jobs(usize, u8),
}

/// A queue in its memory, and the tickets that it gave out.
pub struct Waiting {
    memory: Vec<u64>,
    pub queue: *mut Queue,
    tickets: Vec<u32>,
}

const NOTHING: QueueStatus = QueueStatus {
    jobs: u32::MAX,
    capacity: u32::MAX,
    discipline: u32::MAX,
};

impl Waiting {
    pub fn new(jobs: u8, easy: bool, dirt: u64) -> Self {
        let jobs = u32::from(jobs % 9);
        let bytes = bookahead_queue_bytes(jobs);
        assert!(bytes > 0 && bytes.is_multiple_of(8));
        let mut memory = vec![dirt; bytes / 8];
        let mut queue = null_mut();
        let place = memory.as_mut_ptr().cast();
        // SAFETY: the memory has that many bytes, and the result a place.
        let code = unsafe { bookahead_queue_init(place, bytes, easy.into(), jobs, &mut queue) };
        assert_eq!(code, 0);
        Self {
            memory,
            queue,
            tickets: Vec::new(),
        }
    }

    pub fn status(&self) -> QueueStatus {
        let mut status = NOTHING;
        // SAFETY: the queue is in the memory that `self` owns.
        let code = unsafe { bookahead_queue_status(self.queue, &mut status) };
        assert_eq!(code, 0);
        status
    }

    /// Memory of another queue, mostly too short for it.
    fn init(&self, discipline: u32, jobs: u32, length: u8, at: Pointers) -> u32 {
        let mut memory = vec![u64::MAX; usize::from(length)];
        let bytes = memory.len() * 8;
        let mut queue = Result::new(self.queue);
        let place = at.input.to(memory.as_mut_ptr()).cast();
        let (discipline, result) = (discipline % 3, queue.place(at.output));
        // SAFETY: the memory is as long as said.
        let code = unsafe { bookahead_queue_init(place, bytes, discipline, jobs, result) };
        if queue.get(code, at.output).is_some() {
            assert!(bytes >= bookahead_queue_bytes(jobs));
        } else {
            assert!(memory.iter().all(|word| *word == u64::MAX));
        }
        code
    }

    /// A copy of the memory, not always all of it or as it was.
    fn open(&self, length: u8, turned: Option<u8>, at: Pointers) -> u32 {
        let words = usize::from(length) % (self.memory.len() + 2);
        let mut copy: Vec<u64> = self.memory.iter().copied().take(words).collect();
        let bit = turned.map(|bit| usize::from(bit % 128));
        if let Some(word) = bit.and_then(|bit| copy.get_mut(bit / 64)) {
            *word ^= 1 << (bit.unwrap_or(0) % 64);
        }
        let bytes = copy.len() * 8;
        let mut queue = Result::new(null_mut());
        let (place, result) = (
            at.input.to(copy.as_mut_ptr()).cast(),
            queue.place(at.output),
        );
        // SAFETY: the memory is as long as said.
        let code = unsafe { bookahead_queue_open(place, bytes, result) };
        if queue.get(code, at.output).is_some() {
            assert!(bytes == self.memory.len() * 8 && turned.is_none());
        }
        code
    }
}

impl Machine {
    pub fn wait(&mut self, what: &What, at: Pointers) -> u32 {
        let (queue, book) = (at.book.to(self.waiting.queue), at.input.to(self.book));
        match *what {
            What::Init {
                discipline,
                jobs,
                length,
            } => self.waiting.init(discipline, jobs, length, at),
            What::Open { length, turned } => self.waiting.open(length, turned, at),
            What::Submit { estimate, pes } => {
                let estimate = u32::from(estimate % (self.size.slots + 2));
                let pes = u32::from(pes % (self.size.pes + 2));
                self.submit(Job { estimate, pes }, at)
            }
            What::SubmitAny { estimate, pes } => self.submit(Job { estimate, pes }, at),
            What::Withdraw(nth) => {
                let nth = usize::from(nth).checked_rem(self.waiting.tickets.len());
                let ticket = nth.map_or(0, |nth| self.waiting.tickets[nth]);
                // SAFETY: as for `answer`.
                unsafe { bookahead_queue_withdraw(queue, ticket) }
            }
            // SAFETY: as for `answer`.
            What::WithdrawAny(ticket) => unsafe { bookahead_queue_withdraw(queue, ticket) },
            What::Advance(by, room) => {
                let to = self.status().now.saturating_add(by.into());
                self.advance(to, room, true, at)
            }
            What::AdvanceTo(to, room) => self.advance(to, room, true, at),
            What::NextEvent => {
                let mut next = Result::new(u64::MAX);
                // SAFETY: as for `answer`.
                let code =
                    unsafe { bookahead_queue_next_event(queue, book, next.place(at.output)) };
                let now = self.status().now;
                assert!(next.get(code, at.output).is_none_or(|next| now <= next));
                code
            }
            What::Shadow => {
                let mut shadow = Result::new(u64::MAX);
                // SAFETY: as for `answer`.
                let code = unsafe { bookahead_queue_shadow(queue, book, shadow.place(at.output)) };
                let now = self.status().now;
                assert!(shadow.get(code, at.output).is_none_or(|start| now <= start));
                code
            }
            What::Status => {
                let mut status = Result::new(NOTHING);
                // SAFETY: as for `answer`.
                let code = unsafe { bookahead_queue_status(queue, status.place(at.output)) };
                let found = status.get(code, at.output);
                assert!(found.is_none_or(|status| status.jobs <= status.capacity));
                code
            }
            What::Jobs(skip, room) => {
                let nothing = WaitingJob {
                    ticket: 0,
                    job: Job {
                        estimate: 0,
                        pes: 0,
                    },
                };
                let mut list = List::new(room, nothing);
                let (first, count) = (list.first(at.output), list.count.place(Pointer::Good));
                let room = list.items.len();
                // SAFETY: as for `answer`.
                let code = unsafe { bookahead_queue_jobs(queue, skip, first, room, count) };
                // No run is long enough for tickets to begin anew.
                assert!(
                    list.get(code)
                        .is_sorted_by(|one, other| one.ticket < other.ticket)
                );
                code
            }
        }
    }

    fn submit(&mut self, mut job: Job, at: Pointers) -> u32 {
        let mut ticket = Result::new(0);
        let (queue, input) = (at.book.to(self.waiting.queue), at.input.to(&mut job));
        let place = ticket.place(at.output);
        // SAFETY: as for `answer`.
        let code = unsafe { bookahead_queue_submit(queue, self.book, input, place) };
        let ticket = ticket.get(code, at.output);
        assert_ne!(ticket, Some(0), "no job has that ticket");
        self.waiting.tickets.extend(ticket);
        code
    }
}
