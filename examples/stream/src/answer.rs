//! Answers, and how a line of `answers.txt` is written.

use core::fmt;

use bookahead::{Explanation, Money, Offer, PeCount, Placement, Slot, Span};
use heapless::Vec;

use crate::call::write_optional;

/// The first lines of the answers: the columns of an [`Answer`], those of an [`Offered`], and those of each [`Detail`].
pub const HEADERS: [&str; 9] = [
    "binding slot what job code start pes",
    "binding slot offer job start end seed-start seed-end pes price solution expires",
    "binding slot conflict job more in-the-way...",
    "binding slot obstacle job start at lacking more holders...",
    "binding slot explained job fits more earlier later",
    "binding slot covers job jobs...",
    "binding slot step job number code start duration pes",
    "binding slot move job moved from-start from-duration from-pes start duration pes",
    "binding slot form job duration pes price",
];

/// How many jobs a line names at most.
pub const NAMED: usize = 16;

/// A line of the answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// What a book answered to a call, or reported by itself.
    Answer(Answer),
    /// One of the offers that it made; they follow the answer.
    Offer(Offered),
    /// What else it said; that follows the answer, too.
    Note(Noted),
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

/// What else a book said to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// Which book: `late` or `early`.
    pub binding: &'static str,
    /// When.
    pub slot: Slot,
    /// The job that the call was about.
    pub job: u16,
    /// What it said.
    pub detail: Detail,
}

/// Jobs by number; `None` for a reservation of none, such as one that a call has made and given up again.
pub type Jobs = Vec<Option<u16>, NAMED>;

/// What a book says beside an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Who is in the way, and how many others.
    Conflict(Jobs, u32),
    /// A start at which a request does not fit, from which slot on, how many processing elements are lacking, and who is in the way.
    Obstacle(Slot, Slot, u16, Jobs, u32),
    /// What else could be done about a request.
    Explanation(Explanation),
    /// Who covers a window.
    Covering(Jobs),
    /// What a step of a transaction answered.
    Step {
        /// Its number, from 0.
        number: usize,
        /// Its code.
        code: u16,
        /// Where its reservation was, or is booked, as far as it says.
        booked: Option<Placement>,
    },
    /// The form that was chosen: for how long, on how many processing elements, at what price.
    Form(Span, PeCount, Money),
    /// What a transaction does to a job.
    Move(Option<u16>, Option<Placement>, Option<Placement>),
}

/// Written as in the file.
impl fmt::Display for Noted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            binding,
            slot,
            job,
            detail,
        } = self;
        let (slot, what) = (slot.get(), detail.name());
        write!(f, "{binding} {slot} {what} {job}")?;
        let or_none = |slot: Option<Slot>| slot.map(Slot::get);
        match detail {
            Detail::Conflict(jobs, more) => {
                write!(f, " {more}")?;
                write_jobs(f, jobs)
            }
            Detail::Obstacle(start, at, lacking, jobs, more) => {
                write!(f, " {} {} {lacking} {more}", start.get(), at.get())?;
                write_jobs(f, jobs)
            }
            Detail::Explanation(explanation) => {
                write_optional(f, ' ', or_none(explanation.fits))?;
                write!(f, " {}", explanation.more)?;
                write_optional(f, ' ', or_none(explanation.earlier))?;
                write_optional(f, ' ', or_none(explanation.later))
            }
            Detail::Covering(jobs) => write_jobs(f, jobs),
            Detail::Step {
                number,
                code,
                booked,
            } => {
                write!(f, " {number} {code}")?;
                write_placement(f, *booked)
            }
            Detail::Form(duration, pes, price) => {
                let (duration, pes, price) = (duration.get(), pes.get(), price.get());
                write!(f, " {duration} {pes} {price}")
            }
            Detail::Move(job, from, to) => {
                write_optional(f, ' ', *job)?;
                write_placement(f, *from)?;
                write_placement(f, *to)
            }
        }
    }
}

impl Detail {
    const fn name(&self) -> &'static str {
        match self {
            Self::Conflict(..) => "conflict",
            Self::Obstacle(..) => "obstacle",
            Self::Explanation(_) => "explained",
            Self::Covering(_) => "covers",
            Self::Step { .. } => "step",
            Self::Move(..) => "move",
            Self::Form(..) => "form",
        }
    }
}

fn write_jobs(f: &mut fmt::Formatter<'_>, jobs: &Jobs) -> fmt::Result {
    jobs.iter().try_for_each(|job| write_optional(f, ' ', *job))
}

/// Zeros where nothing is booked.
fn write_placement(f: &mut fmt::Formatter<'_>, placement: Option<Placement>) -> fmt::Result {
    match placement {
        Some(Placement {
            start,
            duration,
            pes,
        }) => write!(f, " {} {} {}", start.get(), duration.get(), pes.get()),
        None => f.write_str(" 0 0 0"),
    }
}

/// Written as in the file.
impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answer(answer) => answer.fmt(f),
            Self::Offer(offered) => offered.fmt(f),
            Self::Note(noted) => noted.fmt(f),
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
