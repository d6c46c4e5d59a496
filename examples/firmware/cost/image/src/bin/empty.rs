//! Nothing: what the others are weighed against.
#![no_std]
#![no_main]

// For the panic handler.
use bookahead_cost_image as _;

/// Where the linker begins to look for what is needed.
#[unsafe(no_mangle)]
pub extern "C" fn _start() {}
