//! What `count-first-fit` has, and offers by strip packing.
#![no_std]
#![no_main]

use bookahead::{CountBook, Policy, Search};
use bookahead_cost_image::{Counter, Desk, elastic, life};

/// 256 slots, 32 processing elements, 32 reservations.
type Memory = CountBook<4, 32, 32>;

/// Where the linker begins to look for what is needed.
#[unsafe(no_mangle)]
pub extern "C" fn _start(memory: &mut Memory, desk: &mut Desk, counter: &mut Counter) {
    life(&mut memory.view(), desk, Policy::FirstFit);
    elastic(&mut memory.view(), counter, Search::StripPacking);
}
