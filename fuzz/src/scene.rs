//! Sequences of operations on a book with a queue, and on their twins.

use std::sync::LazyLock;

use arbitrary::Arbitrary;
use bookahead::{
    Discipline, JobQueue, Span,
    raw::{BulkScan, PlainScan, Scan},
};
use bookahead_commands::{Kernel, Memory, Scanned, Subject};
use bookahead_heap::{SizeError, Sizes};
use bookahead_oracle::{Harness, Operation};

use crate::{fold::Size, list::Rest};

/// How many jobs may wait; few, so that queues fill up.
const JOBS: usize = 6;

/// More operations would only make inputs slow.
const MOST_OPERATIONS: u8 = 40;

/// At most so many PEs and slots, and so many rows.
pub type Shape = (u16, u16, usize);

/// What a target of a book does: a book of some size and shape, moved to some slot, then operations.
#[derive(Arbitrary, Debug)]
pub struct Scene {
    /// Which of the target's shapes, modulo their number.
    pub shape: u8,
    /// How many PEs, modulo what fits.
    pub pes: u16,
    /// How many slots, modulo what fits.
    pub slots: u16,
    /// The first slot, so that `now` lies anywhere in time and in the ring.
    pub from: u64,
    /// Whether jobs may pass others in the queue.
    pub easy: bool,
    /// What happens.
    pub operations: Rest<Operation, MOST_OPERATIONS>,
}

impl Scene {
    /// Plays the scene on books in the memory that `make` makes, in one of these shapes: on one that is searched in bulk, then on one that is
    /// searched plainly.
    ///
    /// # Panics
    ///
    /// When a book and its twin differ.
    pub fn play<M>(&self, shapes: [Shape; 3], make: impl Fn(Sizes) -> Result<M, SizeError>)
    where
        Scanned<M, BulkScan>: Memory,
        Scanned<M, PlainScan>: Memory,
    {
        self.play_on::<M, BulkScan>(shapes, &make);
        self.play_on::<M, PlainScan>(shapes, &make);
    }

    fn play_on<M, S: Scan>(&self, shapes: [Shape; 3], make: impl Fn(Sizes) -> Result<M, SizeError>)
    where
        Scanned<M, S>: Memory,
    {
        let (pes, slots, reservations) = shapes[usize::from(self.shape % 3)];
        let size = Size::within(self.pes, self.slots, Size { pes, slots });
        let book = make(Sizes {
            pes: size.pes,
            slots: size.slots.into(),
            reservations,
        });
        let book = Scanned::<M, S>::new(book.expect("the size fits"));
        let discipline = if self.easy {
            Discipline::Easy
        } else {
            Discipline::Fcfs
        };
        let mut kernel = Kernel::new(book, JobQueue::<JOBS>::new(Discipline::Fcfs));
        kernel.late = planted_delay();
        let subject: Box<dyn Subject> = Box::new(kernel);
        let mut harness = Harness::new(subject.under(discipline));
        let to = self.from;
        let first = Operation::AdvanceTo { to, room: u8::MAX };
        let operations = self.operations.0.iter();
        let folded = operations.map(|operation| size.operation(*operation));
        for (number, operation) in std::iter::once(first).chain(folded).enumerate() {
            if let Err(difference) = harness.apply(&operation) {
                panic!(
                    "the book and its twin differ, {difference}\nat operation {number}, {operation:?}, with {size:?}, read by {}",
                    std::any::type_name::<S>()
                );
            }
        }
    }
}

/// How late books are told of early ends: one slot with `BOOKAHEAD_CANARY` in the environment, a fault that a fuzzer has to find.
fn planted_delay() -> Span {
    static DELAY: LazyLock<Span> = LazyLock::new(|| {
        let planted = std::env::var_os("BOOKAHEAD_CANARY").is_some();
        Span::new(planted.into())
    });
    *DELAY
}
