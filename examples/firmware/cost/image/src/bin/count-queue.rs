//! What `count-first-fit` has, and a queue of best-effort jobs.
#![no_std]
#![no_main]

use bookahead::{CountBook, JobQueue, Policy};
use bookahead_cost_image::{Desk, QueueCalls, life, waiting};

/// 256 slots, 32 processing elements, 32 reservations.
type Memory = CountBook<4, 32, 32>;

/// Where the linker begins to look for what is needed.
#[unsafe(no_mangle)]
pub extern "C" fn _start(
    memory: &mut Memory,
    jobs: &mut JobQueue<32>,
    desk: &mut Desk,
    line: &mut QueueCalls,
) {
    life(&mut memory.view(), desk, Policy::FirstFit);
    waiting(&mut memory.view(), &mut jobs.view(), line);
}
