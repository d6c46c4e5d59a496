//! What moves reservations: alterations, parts, and the steps of a transaction, and how they are written.

use core::fmt;

use bookahead::{Alteration, Part, PeCount, Placement, Request, Slot, Span};
use heapless::Vec;

use crate::{
    JOBS,
    call::{Fields, number, optional, slot, write_optional},
    flexible,
};

/// How many steps a transaction of the stream has at most.
pub const STEPS: usize = 12;
/// How many entries an undo log of the stream has: two for each step.
pub const ENTRIES: usize = 2 * STEPS;
/// How many parts are reserved together, and how many instances a series has, at most.
pub const PARTS: usize = 8;
/// How many savepoints a transaction of the stream tells apart.
pub const SAVEPOINTS: usize = 8;

/// A transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The work that it is granted.
    pub work: u64,
    /// How many entries its log has.
    pub entries: usize,
    /// Whether it is only planned.
    pub plan: bool,
    /// What it does.
    pub steps: Vec<Step, STEPS>,
}

/// A step of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Whether the transaction goes on when it is refused.
    pub optional: bool,
    /// What it does.
    pub deed: Deed,
}

/// What a step of a transaction does, to which job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// [`Transaction::lift`](bookahead::Transaction::lift).
    Lift(u16),
    /// [`Transaction::place`](bookahead::Transaction::place).
    Place(u16, Placement),
    /// [`Transaction::place_first_fit`](bookahead::Transaction::place_first_fit).
    PlaceFirstFit(u16, Slot),
    /// [`Transaction::insert`](bookahead::Transaction::insert), firm or held for so long.
    Insert(u16, Slot, Request, Option<Span>),
    /// [`Transaction::remove`](bookahead::Transaction::remove).
    Remove(u16),
    /// [`Transaction::alter`](bookahead::Transaction::alter).
    Alter(u16, Alteration),
    /// [`Transaction::split`](bookahead::Transaction::split): the first job is the rest of the second.
    Split(u16, u16, Slot),
    /// [`Transaction::savepoint`](bookahead::Transaction::savepoint), of that number.
    Savepoint(u8),
    /// [`Transaction::rollback_to`](bookahead::Transaction::rollback_to).
    Rollback(u8),
    /// The same, if an optional step has been refused since.
    RollbackIfRefused(u8),
}

/// Written as in the file.
impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ending = flexible::ending(self.plan);
        write!(f, "{} {} {ending}", self.work, self.entries)?;
        for step in &self.steps {
            write!(f, " {step}")?;
        }
        Ok(())
    }
}

/// Written as in the file.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.optional {
            f.write_str("?")?;
        }
        match self.deed {
            Deed::Lift(job) => write!(f, "lift:{job}"),
            Deed::Place(job, placement) => {
                let Placement {
                    start,
                    duration,
                    pes,
                } = placement;
                let (start, duration) = (start.get(), duration.get());
                write!(f, "place:{job}:{start}:{duration}:{}", pes.get())
            }
            Deed::PlaceFirstFit(job, earliest) => {
                write!(f, "place-first-fit:{job}:{}", earliest.get())
            }
            Deed::Insert(job, start, request, ttl) => {
                let Request {
                    ready,
                    duration,
                    deadline,
                    pes,
                } = request;
                write!(f, "insert:{job}:{}:{}", start.get(), ready.get())?;
                write!(f, ":{}:{}:{}", duration.get(), deadline.get(), pes.get())?;
                write_optional(f, ':', ttl.map(Span::get))
            }
            Deed::Remove(job) => write!(f, "remove:{job}"),
            Deed::Alter(job, alteration) => {
                write!(f, "alter:{job}:")?;
                write_alteration(f, alteration)
            }
            Deed::Split(rest, job, at) => write!(f, "split:{rest}:{job}:{}", at.get()),
            Deed::Savepoint(number) => write!(f, "savepoint:{number}"),
            Deed::Rollback(number) => write!(f, "rollback:{number}"),
            Deed::RollbackIfRefused(number) => write!(f, "rollback-if-refused:{number}"),
        }
    }
}

pub(crate) fn write_alteration(f: &mut fmt::Formatter<'_>, alteration: Alteration) -> fmt::Result {
    f.write_str(alteration.name())?;
    match alteration {
        Alteration::Shift { start } => write!(f, ":{}", start.get()),
        Alteration::Extend { duration } | Alteration::Shorten { duration } => {
            write!(f, ":{}", duration.get())
        }
        Alteration::Widen { pes } | Alteration::Narrow { pes } => write!(f, ":{}", pes.get()),
        Alteration::ChangeWindow { ready, deadline } => {
            write!(f, ":{}:{}", ready.get(), deadline.get())
        }
    }
}

pub(crate) fn write_part(f: &mut fmt::Formatter<'_>, part: &Part) -> fmt::Result {
    let (offset, duration) = (part.offset.get(), part.duration.get());
    write!(f, " {offset}:{duration}:{}", part.pes.get())
}

/// Reads what is left of a line as a transaction.
pub(crate) fn script(fields: &mut Fields<'_>) -> Option<Script> {
    let (work, entries) = (number(fields)?, number(fields)?);
    let plan = flexible::read_ending(fields.next()?)?;
    let mut steps = Vec::new();
    for field in fields.by_ref() {
        steps.push(step(field)?).ok()?;
    }
    (entries <= ENTRIES).then_some(Script {
        work,
        entries,
        plan,
        steps,
    })
}

fn step(field: &str) -> Option<Step> {
    let bare = field.strip_prefix('?');
    let mut fields = bare.unwrap_or(field).split(':');
    let fields = &mut fields;
    let deed = match fields.next()? {
        "lift" => Deed::Lift(job(fields)?),
        "place" => Deed::Place(
            job(fields)?,
            Placement {
                start: slot(fields)?,
                duration: Span::new(number(fields)?),
                pes: PeCount::new(number(fields)?),
            },
        ),
        "place-first-fit" => Deed::PlaceFirstFit(job(fields)?, slot(fields)?),
        "insert" => {
            let (job, start) = (job(fields)?, slot(fields)?);
            let request = Request {
                ready: slot(fields)?,
                duration: Span::new(number(fields)?),
                deadline: slot(fields)?,
                pes: PeCount::new(number(fields)?),
            };
            Deed::Insert(job, start, request, optional(fields)?.map(Span::new))
        }
        "remove" => Deed::Remove(job(fields)?),
        "alter" => Deed::Alter(job(fields)?, alteration(fields)?),
        "split" => Deed::Split(job(fields)?, job(fields)?, slot(fields)?),
        "savepoint" => Deed::Savepoint(number(fields)?),
        "rollback" => Deed::Rollback(number(fields)?),
        "rollback-if-refused" => Deed::RollbackIfRefused(number(fields)?),
        _ => return None,
    };
    fields.next().is_none().then_some(Step {
        optional: bare.is_some(),
        deed,
    })
}

/// A job's number.
pub(crate) fn job(fields: &mut Fields<'_>) -> Option<u16> {
    number(fields).filter(|job| usize::from(*job) < JOBS)
}

/// A kind, and its values.
pub(crate) fn alteration(fields: &mut Fields<'_>) -> Option<Alteration> {
    Some(match fields.next()? {
        "shift" => Alteration::Shift {
            start: slot(fields)?,
        },
        "extend" => Alteration::Extend {
            duration: Span::new(number(fields)?),
        },
        "shorten" => Alteration::Shorten {
            duration: Span::new(number(fields)?),
        },
        "widen" => Alteration::Widen {
            pes: PeCount::new(number(fields)?),
        },
        "narrow" => Alteration::Narrow {
            pes: PeCount::new(number(fields)?),
        },
        "change-window" => Alteration::ChangeWindow {
            ready: slot(fields)?,
            deadline: slot(fields)?,
        },
        _ => return None,
    })
}

/// An alteration as the last field of a line.
pub(crate) fn last_alteration(fields: &mut Fields<'_>) -> Option<Alteration> {
    let mut inner = fields.next()?.split(':');
    let alteration = alteration(&mut inner)?;
    inner.next().is_none().then_some(alteration)
}

/// What is left of a line, as parts.
pub(crate) fn parts(fields: &mut Fields<'_>) -> Option<Vec<Part, PARTS>> {
    let mut parts = Vec::new();
    for field in fields.by_ref() {
        let mut inner = field.split(':');
        let part = Part {
            offset: Span::new(number(&mut inner)?),
            duration: Span::new(number(&mut inner)?),
            pes: PeCount::new(number(&mut inner)?),
        };
        parts.push(part).ok()?;
        inner.next().is_none().then_some(())?;
    }
    Some(parts)
}
