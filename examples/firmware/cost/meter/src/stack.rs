//! Measures stack: what lies below the stack pointer is painted before a call and looked at after it.

use core::arch::asm;

/// How much is painted; more than any operation needs, which is checked.
const DEPTH: usize = 4096;
const PAINT: u32 = 0x5AFE_57AC;

/// Paints the stack below the caller's frame, and says where that ends.
///
/// Always inlined, so that nothing of its own lies there.
#[inline(always)]
pub fn paint() -> *const u32 {
    let top: *const u32;
    // SAFETY: writes only below the stack pointer, where nothing lives; no interrupt is enabled that could use it at the same
    // time. The stack is megabytes deep.
    unsafe {
        asm!(
            "mov {top}, sp",
            "mov {at}, sp",
            "2:",
            "stmdb {at}!, {{r4, r5, r8, r9}}",
            "cmp {at}, {bottom}",
            "bhi 2b",
            top = out(reg) top,
            at = out(reg) _,
            bottom = in(reg) bottom(),
            in("r4") PAINT,
            in("r5") PAINT,
            in("r8") PAINT,
            in("r9") PAINT,
        );
    }
    top
}

#[inline(always)]
fn bottom() -> usize {
    let sp: usize;
    // SAFETY: reads a register.
    unsafe { asm!("mov {}, sp", out(reg) sp, options(nomem, nostack, preserves_flags)) };
    sp - DEPTH
}

/// How many bytes below `top`, which [`paint`] gave, are painted over.
#[inline(always)]
pub fn depth(top: *const u32) -> u32 {
    let words = DEPTH / 4;
    // SAFETY: these words have just been painted, and belong to the stack.
    let untouched =
        (0..words).take_while(|word| unsafe { top.sub(words - word).read_volatile() } == PAINT);
    let untouched = untouched.count();
    assert!(
        untouched > 0,
        "an operation needs more stack than is painted"
    );
    ((words - untouched) * 4) as u32
}
