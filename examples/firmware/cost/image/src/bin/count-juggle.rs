//! What `count-first-fit` has, and juggling.
#![no_std]
#![no_main]

use bookahead::{CountBook, Policy};
use bookahead_cost_image::{Desk, Juggler, juggling, life};

/// 256 slots, 32 processing elements, 32 reservations.
type Memory = CountBook<4, 32, 32>;

/// Where the linker begins to look for what is needed.
#[unsafe(no_mangle)]
pub extern "C" fn _start(memory: &mut Memory, desk: &mut Desk, juggler: &mut Juggler<()>) {
    life(&mut memory.view(), desk, Policy::FirstFit);
    juggling(&mut memory.view(), juggler);
}
