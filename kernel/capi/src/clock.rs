//! Seconds and slots.

use bookahead as kernel;
use kernel::Slot;

use crate::{
    Code,
    code::answer,
    pointer::{Out, read},
};

/// Converts between seconds and slots: slot 0 begins at second `epoch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Clock {
    /// When slot 0 begins, in seconds.
    pub epoch: u64,
    /// How long a slot is.
    pub slot_seconds: u32,
}

/// Gives what `convert` finds by a clock.
///
/// # Safety
///
/// By the contract of the crate.
unsafe fn give<T>(
    clock: *const Clock,
    out: *mut T,
    convert: impl FnOnce(kernel::SlotClock) -> Option<T>,
) -> u32 {
    // SAFETY: passed on.
    answer(|| unsafe {
        let out = Out::new(out)?;
        let clock = read(clock)?;
        let clock = kernel::SlotClock::new(clock.slot_seconds, clock.epoch);
        out.set(clock.and_then(convert).ok_or(Code::TimeOutOfRange)?);
        Ok(())
    })
}

/// Gives the first slot that begins at `seconds` or later: for ready times. O(1).
///
/// Answers TIME_OUT_OF_RANGE before the epoch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_slot_rounding_up(
    clock: *const Clock,
    seconds: u64,
    slot: *mut u64,
) -> u32 {
    let convert = |clock: kernel::SlotClock| Some(clock.slot_rounding_up(seconds)?.get());
    // SAFETY: by the contract of the crate.
    unsafe { give(clock, slot, convert) }
}

/// Gives the slot that `seconds` lies in: for arrivals, and for deadlines, as it is the last slot boundary at or before. O(1).
///
/// Answers TIME_OUT_OF_RANGE before the epoch.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_slot_rounding_down(
    clock: *const Clock,
    seconds: u64,
    slot: *mut u64,
) -> u32 {
    let convert = |clock: kernel::SlotClock| Some(clock.slot_rounding_down(seconds)?.get());
    // SAFETY: by the contract of the crate.
    unsafe { give(clock, slot, convert) }
}

/// Gives the least number of slots that hold `seconds` seconds: for durations. O(1).
///
/// Answers TIME_OUT_OF_RANGE when that is more than 2^32 - 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_span_rounding_up(
    clock: *const Clock,
    seconds: u64,
    slots: *mut u32,
) -> u32 {
    let convert = |clock: kernel::SlotClock| Some(clock.span_rounding_up(seconds)?.get());
    // SAFETY: by the contract of the crate.
    unsafe { give(clock, slots, convert) }
}

/// Gives the second at which `slot` begins. O(1).
///
/// Answers TIME_OUT_OF_RANGE past the end of time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_seconds(
    clock: *const Clock,
    slot: u64,
    seconds: *mut u64,
) -> u32 {
    // SAFETY: by the contract of the crate.
    unsafe { give(clock, seconds, |clock| clock.seconds(Slot::new(slot))) }
}
