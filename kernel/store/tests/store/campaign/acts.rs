//! Random calls of a book.

use bookahead::{Commitment, Event, Handle, PeCount, Policy, Request, Slot, Span};
use bookahead_heap::{BoxedBook, Sizes};

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

/// Does something with a book, often in vain.
pub fn act(book: &mut BoxedBook, dice: &mut Dice) {
    let any = |book: &mut BoxedBook, dice: &mut Dice| -> Option<Handle> {
        let all = book.iter();
        let (handle, _) = all.get(dice.below(all.len().max(1) as u64) as usize)?;
        Some(*handle)
    };
    match dice.below(10) {
        0..=4 => {
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
            let _ = book.reserve(&request, policy, commitment);
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
            let _ = book.advance(Slot::new(to), &mut events);
        }
    }
}
