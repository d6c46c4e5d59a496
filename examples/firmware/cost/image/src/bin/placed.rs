//! What `count-first-fit` has, on a machine with a layout, and classes.
#![no_std]
#![no_main]

use bookahead::{
    Class, ClassError, ClassId, Commitment, Layout, PlacedBook, PlacedError, Policy, Request, Span,
};
use bookahead_cost_image::{Desk, life};

/// 256 slots, sets of two columns of 32 bits, 32 reservations, and four classes that list no groups.
type Memory = PlacedBook<u32, 4, 2, 32, 4, 0>;

#[unsafe(no_mangle)]
static mut PLACED: Memory = Memory::zeroed();

/// What the calls take and where their answers go.
pub struct Ground {
    layout: Layout<'static>,
    class: Class<'static>,
    id: ClassId,
    request: Request,
    made: Result<(), PlacedError>,
    added: Result<ClassId, ClassError>,
    done: Result<(), bookahead::Error>,
}

/// Where the linker begins to look for what is needed.
#[unsafe(no_mangle)]
pub extern "C" fn _start(memory: &mut Memory, desk: &mut Desk, ground: &mut Ground) {
    core::hint::black_box((&raw mut PLACED).cast::<u8>());
    ground.made = memory.init(&ground.layout, Span::new(256)).map(drop);
    let mut book = memory.view();
    ground.added = book.class_add(&ground.class);
    let asked = (ground.id, &ground.request);
    let booked = book.reserve(asked, Policy::FirstFit, Commitment::Confirmed);
    ground.done = booked.and_then(|_| book.class_drop(ground.id));
    life(&mut book, desk, Policy::FirstFit);
}
