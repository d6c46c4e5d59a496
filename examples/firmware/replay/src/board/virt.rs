//! QEMU's RISC-V board `virt`: one hart, and a timer at the addresses of SiFive's CLINT.

use riscv::interrupt::Interrupt;
use riscv_rt::{core_interrupt, entry};

use crate::tick;

/// 0.1 ms at the 10 MHz of this board's timer. A device would take seconds for a slot; this one is not to be waited for.
const CYCLES_PER_SLOT: u64 = 1_000;

/// The time, 64 bits as two words, low one first.
const MTIME: *const u32 = 0x0200_bff8 as *const u32;
/// When hart 0 is interrupted, as two words.
const MTIMECMP: *mut u32 = 0x0200_4000 as *mut u32;

#[entry]
fn main() -> ! {
    interrupt_after(CYCLES_PER_SLOT);
    // SAFETY: no critical section is open, and the handler of this interrupt is below.
    unsafe {
        riscv::register::mie::set_mtimer();
        riscv::interrupt::enable();
    }
    crate::run()
}

#[core_interrupt(Interrupt::MachineTimer)]
fn machine_timer() {
    interrupt_after(CYCLES_PER_SLOT);
    tick::count();
}

fn interrupt_after(cycles: u64) {
    let when = time() + cycles;
    // SAFETY: the two words are the timer's, and this hart is the only one that writes them. The high word goes out of reach
    // first, so that no mixture of old and new interrupts.
    unsafe {
        MTIMECMP.add(1).write_volatile(u32::MAX);
        MTIMECMP.write_volatile(when as u32);
        MTIMECMP.add(1).write_volatile((when >> 32) as u32);
    }
}

fn time() -> u64 {
    // SAFETY: the two words are the timer's, and reading them has no effect.
    let read = || unsafe { (MTIME.add(1).read_volatile(), MTIME.read_volatile()) };
    loop {
        let (high, low) = read();
        // The low word may have wrapped between the two readings.
        if read().0 == high {
            return u64::from(high) << 32 | u64::from(low);
        }
    }
}
