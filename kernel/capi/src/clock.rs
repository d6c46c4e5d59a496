//! Seconds and slots.

use bookahead as kernel;
use kernel::Slot;

use crate::{
    Code,
    code::{Failure, answer},
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

/// # Safety
///
/// By the contract of the crate.
unsafe fn clock(clock: *const Clock) -> Result<kernel::SlotClock, Failure> {
    // SAFETY: passed on.
    let clock = unsafe { read(clock) }?;
    let clock = kernel::SlotClock::new(clock.slot_seconds, clock.epoch);
    clock.ok_or(Code::TimeOutOfRange.into())
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
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let slot = Out::new(slot)?;
        let found = self::clock(clock)?.slot_rounding_up(seconds);
        slot.set(found.ok_or(Code::TimeOutOfRange)?.get());
        Ok(())
    })
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
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let slot = Out::new(slot)?;
        let found = self::clock(clock)?.slot_rounding_down(seconds);
        slot.set(found.ok_or(Code::TimeOutOfRange)?.get());
        Ok(())
    })
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
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let slots = Out::new(slots)?;
        let found = self::clock(clock)?.span_rounding_up(seconds);
        slots.set(found.ok_or(Code::TimeOutOfRange)?.get());
        Ok(())
    })
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
    answer(|| unsafe {
        let seconds = Out::new(seconds)?;
        let found = self::clock(clock)?.seconds(Slot::new(slot));
        seconds.set(found.ok_or(Code::TimeOutOfRange)?);
        Ok(())
    })
}
