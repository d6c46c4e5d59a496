//! Late and early binding, any policy, and the ledger.
#![no_std]
#![no_main]

use bookahead::{CountBook, PeBook, Policy};
use bookahead_cost_image::{Desk, life};

/// 256 slots, 32 processing elements, 32 reservations.
type Late = CountBook<4, 32, 32>;
/// The same.
type Early = PeBook<u32, 4, 1, 32>;

/// Where the linker begins to look for what is needed.
#[unsafe(no_mangle)]
pub extern "C" fn _start(late: &mut Late, early: &mut Early, desk: &mut Desk, policy: Policy) {
    life(&mut late.view(), desk, policy);
    life(&mut early.view(), desk, policy);
}
