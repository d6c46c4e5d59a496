//! The kernel's two books over heap memory, in the steady state of a scene.

use bookahead::{
    Book, Commitment, Handle, PeCount, Placement, Policy, Request, Span, Window,
    raw::{CountRing, PeRing, Ring},
};
use bookahead_heap::{BoxedCountBook, BoxedPeBook, HostColumn, Sizes};
use bookahead_oracle::papers::li::Bits;

use crate::{Booking, MACHINE, Scene, Step};

/// Rows beyond the steady state, for bookings on top of it.
const SPARE_ROWS: usize = 64;

/// Memory of an empty book with early binding for `scene`.
#[must_use]
pub fn early(scene: &Scene) -> BoxedPeBook<HostColumn> {
    BoxedPeBook::new(Sizes {
        pes: MACHINE.into(),
        slots: scene.slots,
        reservations: rows(scene),
    })
    .expect("a host has the memory")
}

/// Memory of an empty book with late binding for `scene`.
#[must_use]
pub fn late(scene: &Scene) -> BoxedCountBook {
    BoxedCountBook::new(Sizes {
        pes: MACHINE.into(),
        slots: scene.slots,
        reservations: rows(scene),
    })
    .expect("a host has the memory")
}

/// An idle ring in the memory of [`early`], without a ledger.
pub fn early_ring<'m>(
    memory: &'m mut BoxedPeBook<HostColumn>,
    scene: &Scene,
) -> PeRing<'m, HostColumn> {
    let ring = memory
        .parts()
        .init_ring(PeCount::new(MACHINE.into()), Span::new(scene.slots));
    ring.expect("the memory is for this scene")
}

/// An idle ring in the memory of [`late`], without a ledger.
pub fn late_ring<'m>(memory: &'m mut BoxedCountBook, scene: &Scene) -> CountRing<'m> {
    let ring = memory
        .parts()
        .init_ring(PeCount::new(MACHINE.into()), Span::new(scene.slots));
    ring.expect("the memory is for this scene")
}

/// How many rows the books of a scene need.
#[must_use]
pub fn rows(scene: &Scene) -> usize {
    scene.bookings().len() + SPARE_ROWS
}

/// Goes the way of `scene` in an empty book and says which reservation stands for which live booking, in order.
///
/// Each booking is asked for at its known start, so every binding ends in the same state, slot by slot.
pub fn replay<R: Ring>(book: &mut Book<'_, R>, scene: &Scene) -> Vec<Handle> {
    let mut handles: Vec<Option<Handle>> = Vec::with_capacity(scene.steps.len());
    for step in &scene.steps {
        match step {
            Step::Add(booking) => {
                let made = book.reserve(&exactly(booking), Policy::FirstFit, Commitment::Confirmed);
                handles.push(Some(made.expect("there was room").handle));
            }
            Step::Remove(number) => {
                let handle = handles[*number].take().expect("it lives");
                book.cancel(handle).expect("it lives");
                handles.push(None);
            }
        }
    }
    handles.into_iter().flatten().collect()
}

/// The request that only `booking`'s window satisfies.
#[must_use]
pub fn exactly(booking: &Booking) -> Request {
    let Window { start, end } = booking.window;
    let Placement { duration, pes, .. } = placement(booking);
    Request {
        ready: start,
        duration,
        deadline: end,
        pes,
    }
}

/// Where `booking` is, and on how many PEs.
#[must_use]
pub fn placement(booking: &Booking) -> Placement {
    Placement {
        start: booking.window.start,
        duration: booking.window.len().expect("windows are short"),
        pes: PeCount::new((booking.pes.len() as u16).into()),
    }
}

/// The PEs of a booking as columns.
#[must_use]
pub fn columns_of(bits: &Bits) -> [HostColumn; 2] {
    let (columns, _) = bits.words().as_chunks();
    columns.try_into().expect("the machine fills two columns")
}
