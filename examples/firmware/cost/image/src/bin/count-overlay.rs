//! What `count-first-fit` has, in a book with overlays, and these.
#![no_std]
#![no_main]

use bookahead::{OverlayBook, Policy};
use bookahead_cost_image::{Desk, Gamble, life, overlaying};

/// 256 slots, 32 processing elements, 32 reservations.
type Memory = OverlayBook<4, 32, 32>;

/// Where the linker begins to look for what is needed.
#[unsafe(no_mangle)]
pub extern "C" fn _start(memory: &mut Memory, desk: &mut Desk, gamble: &mut Gamble) {
    life(&mut memory.view(), desk, Policy::FirstFit);
    overlaying(&mut memory.view(), gamble);
}
