//! Random calls of books with their queues, and of the labels of reservations.

use bookahead::{
    BestEffortJob, Commitment, Discipline, Event, Handle, PeCount, Policy, Request, Slot, Span,
};
use bookahead_heap::{Binding, BoxedBook, BoxedJobQueue, Labels, Queued, Sizes};

pub const SIZES: Sizes = Sizes {
    pes: 20,
    slots: 128,
    reservations: 24,
};

/// Numbers that look random, the same for the same seed.
#[derive(Clone, Debug, Default)]
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % most
    }
}

/// What is kept: all of it, or nothing, of each call.
pub type Desk = (Vec<Queued<BoxedBook>>, Labels);

/// Two books, of which the first has labels.
pub fn desk(binding: Binding) -> Desk {
    let queued = |binding| {
        let book = BoxedBook::new(binding, SIZES).expect("it is small");
        let queue = BoxedJobQueue::new(Discipline::Easy, 6);
        let queue = queue.and_then(|queue| queue.with_requests(4));
        Queued::new(book, queue.expect("it is small"))
    };
    let books = vec![queued(binding), queued(Binding::Late)];
    (books, Labels::new(SIZES.reservations))
}

/// Checks all invariants of the books.
pub fn check((books, _): &mut Desk) {
    for queued in books {
        assert_eq!(queued.book.check_invariants(), Ok(()));
    }
}

/// Does something with a desk, often in vain.
pub fn act((books, labels): &mut Desk, dice: &mut Dice) {
    let which = dice.below(books.len() as u64) as usize;
    let Queued { book, queue, .. } = &mut books[which];
    let mut queue = queue.view();
    let any = |book: &mut BoxedBook, dice: &mut Dice| -> Option<Handle> {
        let all = book.iter();
        let (handle, _) = all.get(dice.below(all.len().max(1) as u64) as usize)?;
        Some(*handle)
    };
    match dice.below(12) {
        0..=4 | 10 | 11 => {
            let (ready, duration) = (book.now().get() + dice.below(60), dice.below(30) + 1);
            let request = Request {
                ready: Slot::new(ready),
                duration: Span::new(duration as u32),
                deadline: Slot::new(ready + duration + dice.below(40)),
                pes: PeCount::new(dice.below(12) as u32 + 1),
            };
            let commitment = match dice.below(3) {
                0 => Commitment::Held {
                    ttl: Span::new(dice.below(9) as u32 + 1),
                },
                _ => Commitment::Confirmed,
            };
            let policy = Policy::ALL[dice.below(7) as usize];
            let booked = match dice.below(7) {
                0 => {
                    let (estimate, pes) = (request.duration, request.pes);
                    let _ = book.submit(&mut queue, &BestEffortJob { estimate, pes });
                    return;
                }
                1 => {
                    let key = dice.below(3) as u32;
                    let _ = book.wait(&mut queue, &request, policy, commitment, key);
                    return;
                }
                _ => book.reserve(&request, policy, commitment),
            };
            if let Ok(booking) = booked
                && which == 0
            {
                let label = [dice.below(256) as u8; 32];
                assert!(labels.set(booking.handle, label));
            }
        }
        5 => {
            if let Some(handle) = any(book, dice) {
                let _ = book.confirm(handle);
            }
        }
        6 => {
            if let Some(handle) = any(book, dice) {
                let _ = book.cancel(handle);
            }
        }
        7 => {
            if let Some(handle) = any(book, dice) {
                let now = book.now();
                let _ = book.complete(handle, now);
            }
        }
        _ => {
            let mut events = heapless::Vec::<Event, 4>::new();
            let to = book.now().get() + dice.below(12);
            let _ = book.advance_queue(&mut queue, Slot::new(to), &mut events);
        }
    }
}
