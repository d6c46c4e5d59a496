//! The boards: each starts up, lets its timer call [`crate::tick::count`] once for each slot, and then calls [`crate::run`].

#[cfg(target_arch = "arm")]
mod mps2;
#[cfg(target_arch = "arm")]
pub use cortex_m::asm::wfi as sleep;

#[cfg(target_arch = "riscv32")]
mod virt;
#[cfg(target_arch = "riscv32")]
pub use riscv::asm::wfi as sleep;
