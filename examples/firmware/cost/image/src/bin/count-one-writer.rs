//! What `count-first-fit` has, and all that is built on transactions.
#![no_std]
#![no_main]

use bookahead::{CountBook, Policy};
use bookahead_cost_image::{Desk, Party, Removal, altering, life, moving, several};

/// 256 slots, 32 processing elements, 32 reservations.
type Memory = CountBook<4, 32, 32>;

/// Where the linker begins to look for what is needed.
#[unsafe(no_mangle)]
pub extern "C" fn _start(
    memory: &mut Memory,
    desk: &mut Desk,
    removal: &mut Removal<()>,
    party: &mut Party<()>,
) {
    life(&mut memory.view(), desk, Policy::FirstFit);
    moving(&mut memory.view(), removal);
    altering(&mut memory.view(), removal);
    several(&mut memory.view(), party, Policy::FirstFit);
}
