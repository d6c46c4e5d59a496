//! What `count-first-fit` has, and shifting.
#![no_std]
#![no_main]

use bookahead::{CountBook, Policy};
use bookahead_cost_image::{Desk, Shifter, life, shifting};

/// 256 slots, 32 processing elements, 32 reservations.
type Memory = CountBook<4, 32, 32>;

/// Where the linker begins to look for what is needed.
#[unsafe(no_mangle)]
pub extern "C" fn _start(memory: &mut Memory, desk: &mut Desk, shifter: &mut Shifter<()>) {
    life(&mut memory.view(), desk, Policy::FirstFit);
    shifting(&mut memory.view(), shifter);
}
