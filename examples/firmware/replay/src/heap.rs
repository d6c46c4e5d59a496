//! The memory in which commands and replies are read, and replies written.

use core::mem::MaybeUninit;

use embedded_alloc::LlffHeap;
use static_cell::ConstStaticCell;

const BYTES: usize = 128 << 10;

#[global_allocator]
static HEAP: LlffHeap = LlffHeap::empty();

static MEMORY: ConstStaticCell<[MaybeUninit<u8>; BYTES]> =
    ConstStaticCell::new([MaybeUninit::uninit(); BYTES]);

/// Lends the allocator its memory; to be called once, before anything is allocated.
pub fn init() {
    let memory = MEMORY.take();
    // SAFETY: `take` panics when it is called again, so this is reached once, with memory of that size that lives as long as the program
    // and that nobody else has.
    unsafe { HEAP.init(memory.as_mut_ptr() as usize, BYTES) }
}
