//! Answers, and how a line of `answers.txt` is written.

use core::fmt;

use bookahead::Slot;

/// The first line of the answers.
pub const HEADER: &str = "binding slot what job code start pes";

/// What a book answered to a call, or reported by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Which book: `late` or `early`.
    pub binding: &'static str,
    /// When the call was made, or when the event happened.
    pub slot: Slot,
    /// The call's word, or the kind of the event.
    pub what: &'static str,
    /// The job it is about.
    pub job: u16,
    /// 0, or the permanent number of the reason why the call did nothing.
    pub code: u16,
    /// The booked start of the job, slot 0 when it was refused.
    pub start: Slot,
    /// The processing elements it holds now, one bit each.
    pub pes: u32,
}

/// Written as in the file.
impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            binding,
            slot,
            what,
            job,
            code,
            start,
            pes,
        } = self;
        let (slot, start) = (slot.get(), start.get());
        write!(
            f,
            "{binding} {slot} {what} {job} {code} {start} {pes:#010x}"
        )
    }
}
