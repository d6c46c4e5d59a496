//! Counts instructions.
//!
//! The emulator is told that each instruction takes 1,024 ns (`-icount shift=10`). The board's timer counts at 25 MHz, so an instruction is 25.6
//! ticks, and a difference of ticks is rounded to instructions without loss. The timer has 32 bits: it goes round after 167
//! million instructions, far more than any operation takes.

/// The board's first timer, an Arm CMSDK APB timer: control, value, reload value; it counts down.
const TIMER: *mut u32 = 0x4000_0000 as *mut u32;

/// Nanoseconds per tick, and per instruction.
const TICK: u64 = 40;
const INSTRUCTION: u64 = 1_024;

/// Starts the timer.
pub fn start() {
    // SAFETY: these are registers of the timer of the board that this program is built for, which nobody else uses.
    unsafe {
        TIMER.add(1).write_volatile(u32::MAX);
        TIMER.add(2).write_volatile(u32::MAX);
        TIMER.write_volatile(1);
    }
}

/// The timer's value, which goes down.
#[inline(always)]
pub fn read() -> u32 {
    // SAFETY: as above; reading has no effect.
    unsafe { TIMER.add(1).read_volatile() }
}

/// How many instructions lie between two readings.
pub fn instructions(before: u32, after: u32) -> u32 {
    let elapsed = u64::from(before.wrapping_sub(after)) * TICK;
    ((elapsed + INSTRUCTION / 2) / INSTRUCTION) as u32
}
