//! Permanent names, as files and logs show them.

use core::ffi::{CStr, c_char};

use bookahead as kernel;
use kernel::Slot;

use crate::{
    Code, EventKind, Policy, State,
    code::{self, answer, c_text},
    pointer::Out,
};

/// What a number is called that has no name.
const UNKNOWN: &CStr = c"unknown";

/// Names of one enumeration, by number.
macro_rules! names {
    ($number:expr, $($value:path = $of_kernel:expr,)*) => {
        match $number {
            $(number if number == $value as u32 => c_text!($of_kernel.name()),)*
            _ => UNKNOWN,
        }
    };
}

const fn policy_name(policy: u32) -> &'static CStr {
    names!(
        policy,
        Policy::FirstFit = kernel::Policy::FirstFit,
        Policy::PeBestFit = kernel::Policy::PeBestFit,
        Policy::PeWorstFit = kernel::Policy::PeWorstFit,
        Policy::DurationBestFit = kernel::Policy::DurationBestFit,
        Policy::DurationWorstFit = kernel::Policy::DurationWorstFit,
        Policy::PeDurationBestFit = kernel::Policy::PeDurationBestFit,
        Policy::PeDurationWorstFit = kernel::Policy::PeDurationWorstFit,
    )
}

/// The name of a number of `bookahead_code`, such as "no-room", or "unknown". Static, never null. O(codes).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_code_name(code: u32) -> *const c_char {
    code::name(code).unwrap_or(UNKNOWN).as_ptr()
}

/// The name of a number of `bookahead_policy`, such as "first-fit", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_policy_name(policy: u32) -> *const c_char {
    policy_name(policy).as_ptr()
}

/// The name of a number of `bookahead_event_kind`, such as "started", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_event_name(kind: u32) -> *const c_char {
    use kernel::EventKind as Kind;
    names!(
        kind,
        EventKind::Completed = Kind::Completed,
        EventKind::Overran = Kind::Overran,
        EventKind::Expired = Kind::Expired,
        EventKind::Started = Kind::Started,
        EventKind::Missed = Kind::Missed,
    )
    .as_ptr()
}

/// The name of a number of `bookahead_state`, such as "held", or "unknown". Static, never null. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_state_name(state: u32) -> *const c_char {
    const HELD: kernel::State = kernel::State::Held {
        expires: Slot::new(0),
    };
    names!(
        state,
        State::Held = HELD,
        State::Confirmed = kernel::State::Confirmed,
        State::Running = kernel::State::Running,
    )
    .as_ptr()
}

/// Gives the number of the policy whose name is `name`, a text that ends with a zero. O(length).
///
/// Answers UNKNOWN_POLICY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_policy_from_name(name: *const c_char, policy: *mut u32) -> u32 {
    answer(|| {
        let policy = Out::new(policy)?;
        Out::new(name.cast_mut())?;
        // SAFETY: not null, and a text by the contract of the crate.
        let name = unsafe { CStr::from_ptr(name) };
        let known = (0..kernel::Policy::ALL.len() as u32).find(|code| policy_name(*code) == name);
        // SAFETY: by the contract of the crate.
        unsafe { policy.set(known.ok_or(Code::UnknownPolicy)?) };
        Ok(())
    })
}
