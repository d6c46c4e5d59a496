//! Jobs without a known end. Only in libraries built with `--features outages`.

use bookahead as kernel;
use kernel::{PeCount, Slot};

use crate::{Book, Code, Conflict, Handle, code::answer, pointer::Out, with::with_book};

/// Which PEs an open-ended job may have, where rules take some at some time. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Meeting {
    /// Only those that no rule ever takes.
    Refuse = 0,
    /// Also those that a rule takes later: the job goes on, and RULE_MET tells when a turn begins.
    Allow = 1,
}

/// Starts an open-ended job: it runs from `now` on, and has its PEs until its end is told, however far ahead anybody looks. It gets the lowest-numbered PEs that no reservation has up to the horizon, that
/// are there, and that rules leave to it as `meeting` says, one of `bookahead_meeting`, but never those that a rule takes in the present slot. With late binding it gets so many beside the greatest number of a rule.
/// `conflict` says who is in the way where too few are left, and nobody in all other cases; it is written whatever the call answers, unless a pointer or `meeting` is wrong.
///
/// `bookahead_get` says a duration of `UINT32_MAX` slots, after which it would be stopped. `bookahead_complete` and `bookahead_cancel` end it, and `bookahead_announce_end` makes it a
/// reservation like any other. Until then it is neither altered nor moved. `bookahead_advance` tells of RULE_MET when a turn of a rule begins that takes one of its PEs, and
/// when such a rule is set during its turn; with late binding, a rule that gets too few meets the jobs that were accepted last.
/// O((horizon + stretches) x columns + rules), with late binding O(rows) more. Only in libraries built with outages.
///
/// Answers UNKNOWN_MEETING; BAD_RULE in every book without memory for rules; ZERO_PES, TOO_WIDE, TABLE_FULL, NO_ROOM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_reserve_open(
    book: *mut Book,
    pes: u32,
    meeting: u32,
    handle: *mut Handle,
    conflict: *mut Conflict,
) -> u32 {
    const REFUSE: u32 = Meeting::Refuse as u32;
    const ALLOW: u32 = Meeting::Allow as u32;
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (handle, conflict) = (Out::new(handle)?, Out::new(conflict)?);
        let meeting = match meeting {
            REFUSE => kernel::Meeting::Refuse,
            ALLOW => kernel::Meeting::Allow,
            _ => return Err(Code::UnknownMeeting.into()),
        };
        let mut there = kernel::Conflict::NONE;
        let made = with_book!(book, |book| {
            book.reserve_open(PeCount::new(pes), meeting, &mut there)
        });
        conflict.set(&there);
        handle.set(made?);
        Ok(())
    })
}

/// Gives an open-ended job an end: it is a reservation like any other from then on, whose window begins where it started, and its PEs are free from slot `at` on. A reservation does not share PEs with a
/// rule, so the end can be announced up to the turn that meets the job; one that goes on stays open-ended until it ends or the turn is over.
/// O((horizon + stretches) x columns + log rows). Only in libraries built with outages.
///
/// Answers UNKNOWN_HANDLE, STALE_HANDLE, WRONG_STATE for one that is not open-ended; OUTSIDE_WINDOW for an end that is not ahead, or not before the longest duration is over; BEYOND_HORIZON; NO_ROOM where
/// a rule meets the job before that end, with late binding where the rule does not get its number beside open-ended jobs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_announce_end(book: *mut Book, handle: Handle, at: u64) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        with_book!(book, |book| book
            .announce_end(handle.into(), Slot::new(at))?);
        Ok(())
    })
}
