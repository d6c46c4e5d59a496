//! A measuring instrument: runs one operation of the kernel at a time in a state that the host describes, and says how many instructions and
//! how much stack it took.
//!
//! It reads commands from the host, a line each, and answers each with one line; see [`session`]. What is worth measuring is the
//! host's business.
#![no_std]
#![no_main]

mod beside;
mod book;
mod clock;
mod console;
mod operation;
mod session;
mod stack;

use cortex_m_rt::entry;

#[entry]
fn main() -> ! {
    clock::start();
    let mut console = console::Console::open();
    session::run(&mut console);
    console::leave(true)
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    console::complain(info);
    console::leave(false)
}
