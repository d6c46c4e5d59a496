//! Answers, and how a line of `answers.txt` is written.

use core::fmt;

use bookahead::{Offer, Slot};

/// The first two lines of the answers: the columns of an [`Answer`], and those of an [`Offered`].
pub const HEADERS: [&str; 2] = [
    "binding slot what job code start pes",
    "binding slot offer job start end seed-start seed-end pes price solution expires",
];

/// A line of the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// What a book answered to a call, or reported by itself.
    Answer(Answer),
    /// One of the offers that it made; they follow the answer.
    Offer(Offered),
}

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
    /// The booked start of the job, slot 0 when it has none; after `shadow` the shadow.
    pub start: Slot,
    /// The processing elements it holds now, one bit each.
    pub pes: u32,
}

/// An offer, and to whom it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offered {
    /// Which book: `late` or `early`.
    pub binding: &'static str,
    /// When.
    pub slot: Slot,
    /// The job that asked.
    pub job: u16,
    /// What for.
    pub offer: Offer,
}

/// Written as in the file.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answer(answer) => answer.fmt(f),
            Self::Offer(offered) => offered.fmt(f),
        }
    }
}

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

impl fmt::Display for Offered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            binding,
            slot,
            job,
            offer,
        } = self;
        write!(
            f,
            "{binding} {} offer {job} {} {} {} {} {} {} {} {}",
            slot.get(),
            offer.window.start.get(),
            offer.window.end.get(),
            offer.seed.start.get(),
            offer.seed.end.get(),
            offer.pes.get(),
            offer.price.get(),
            u8::from(offer.solution),
            offer.expires.get()
        )
    }
}
