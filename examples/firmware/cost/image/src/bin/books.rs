//! The books, the queue and the workspaces that are measured, as statics, so that the linker says how large they are.
#![no_std]
#![no_main]

use bookahead::{CountBook, CountWorkspace, Discipline, JobQueue, PeBook, PeWorkspace};
// For the panic handler.
use bookahead_cost_image as _;

/// 256 slots, 32 processing elements, 32 reservations.
#[unsafe(no_mangle)]
static mut LATE_SMALL: CountBook<4, 32, 32> = CountBook::zeroed();
/// The same.
#[unsafe(no_mangle)]
static mut EARLY_SMALL: PeBook<u32, 4, 1, 32> = PeBook::zeroed();
/// 1,024 slots, 64 processing elements, 64 reservations.
#[unsafe(no_mangle)]
static mut LATE_LARGE: CountBook<16, 64, 64> = CountBook::zeroed();
/// The same.
#[unsafe(no_mangle)]
static mut EARLY_LARGE: PeBook<u32, 16, 2, 64> = PeBook::zeroed();
/// 32 jobs.
#[unsafe(no_mangle)]
static mut QUEUE: JobQueue<32> = JobQueue::new(Discipline::Easy);
/// Enough to move 8 reservations.
#[unsafe(no_mangle)]
static mut LATE_WORKSPACE: CountWorkspace<8, 0> = CountWorkspace::new();
/// The same, for 32 processing elements.
#[unsafe(no_mangle)]
static mut EARLY_WORKSPACE: PeWorkspace<u32, 1, 8, 0> = PeWorkspace::new();

/// Where the linker begins to look for what is needed.
#[unsafe(no_mangle)]
pub extern "C" fn _start() {
    let books = [
        (&raw mut LATE_SMALL).cast::<u8>(),
        (&raw mut EARLY_SMALL).cast(),
        (&raw mut LATE_LARGE).cast(),
        (&raw mut EARLY_LARGE).cast(),
        (&raw mut QUEUE).cast(),
        (&raw mut LATE_WORKSPACE).cast(),
        (&raw mut EARLY_WORKSPACE).cast(),
    ];
    core::hint::black_box(books);
}
