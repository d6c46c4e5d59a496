//! What `count-first-fit` has, and mouldable requests within a budget.
#![no_std]
#![no_main]

use bookahead::{CountBook, Policy};
use bookahead_cost_image::{Desk, Foundry, life, moulding};

/// 256 slots, 32 processing elements, 32 reservations.
type Memory = CountBook<4, 32, 32>;

/// Where the linker begins to look for what is needed.
#[unsafe(no_mangle)]
pub extern "C" fn _start(memory: &mut Memory, desk: &mut Desk, foundry: &mut Foundry) {
    life(&mut memory.view(), desk, Policy::FirstFit);
    moulding(&mut memory.view(), foundry, Policy::FirstFit);
}
