//! Calls, and how a line of `calls.txt` is read.

use core::{fmt, iter::Enumerate, str::Lines};

use bookahead::{PeCount, Policy, Request, Slot, Span};

use crate::{Fault, JOBS};

/// One call on a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The job it is about.
    pub job: u16,
    /// What is to be done.
    pub action: Action,
}

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// [`Book::reserve`](bookahead::Book::reserve).
    Reserve(Request, Policy),
    /// [`Book::hold`](bookahead::Book::hold).
    Hold(Request, Policy, Span),
    /// [`Book::confirm`](bookahead::Book::confirm).
    Confirm,
    /// [`Book::cancel`](bookahead::Book::cancel).
    Cancel,
    /// [`Book::complete`](bookahead::Book::complete).
    Complete(Slot),
}

impl Action {
    /// Its word in the files.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Reserve(..) => "reserve",
            Self::Hold(..) => "hold",
            Self::Confirm => "confirm",
            Self::Cancel => "cancel",
            Self::Complete(_) => "complete",
        }
    }
}

/// Written as in the file, without the slot.
impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { job, action } = self;
        write!(f, "{} {job}", action.name())?;
        match action {
            Action::Reserve(request, policy) => write_request(f, request, *policy),
            Action::Hold(request, policy, ttl) => {
                write_request(f, request, *policy)?;
                write!(f, " {}", ttl.get())
            }
            Action::Confirm | Action::Cancel => Ok(()),
            Action::Complete(at) => write!(f, " {}", at.get()),
        }
    }
}

fn write_request(f: &mut fmt::Formatter<'_>, request: &Request, policy: Policy) -> fmt::Result {
    let Request {
        ready,
        duration,
        deadline,
        pes,
    } = request;
    write!(
        f,
        " {} {} {} {} {}",
        policy.name(),
        ready.get(),
        duration.get(),
        deadline.get(),
        pes.get()
    )
}

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A call, made while `now` is this slot.
    Call(Slot, Call),
    /// The stream ends when this slot has been reached.
    End(Slot),
}

impl Entry {
    /// When it is due.
    #[must_use]
    pub const fn slot(&self) -> Slot {
        match self {
            Self::Call(slot, _) | Self::End(slot) => *slot,
        }
    }

    /// Reads a line; `None` when it is not one.
    fn read(line: &str) -> Option<Self> {
        let mut fields = line.split(' ');
        let slot = slot(&mut fields)?;
        let word = fields.next()?;
        let entry = if word == "end" {
            Self::End(slot)
        } else {
            let job = number(&mut fields)?;
            let action = match word {
                "reserve" => {
                    let (request, policy) = request(&mut fields)?;
                    Action::Reserve(request, policy)
                }
                "hold" => {
                    let (request, policy) = request(&mut fields)?;
                    Action::Hold(request, policy, Span::new(number(&mut fields)?))
                }
                "confirm" => Action::Confirm,
                "cancel" => Action::Cancel,
                "complete" => Action::Complete(self::slot(&mut fields)?),
                _ => return None,
            };
            Self::Call(slot, Call { job, action })
        };
        (fields.next().is_none() && entry.is_in_range()).then_some(entry)
    }

    fn is_in_range(&self) -> bool {
        match self {
            Self::Call(_, call) => usize::from(call.job) < JOBS,
            Self::End(_) => true,
        }
    }
}

type Fields<'t> = core::str::Split<'t, char>;

fn number<T: core::str::FromStr>(fields: &mut Fields<'_>) -> Option<T> {
    fields.next()?.parse().ok()
}

fn slot(fields: &mut Fields<'_>) -> Option<Slot> {
    number(fields).map(Slot::new)
}

fn request(fields: &mut Fields<'_>) -> Option<(Request, Policy)> {
    let policy = Policy::from_name(fields.next()?)?;
    let request = Request {
        ready: slot(fields)?,
        duration: Span::new(number(fields)?),
        deadline: slot(fields)?,
        pes: PeCount::new(number(fields)?),
    };
    Some((request, policy))
}

/// The entries of a text, in its order; a line that cannot be read, or lies before the one above it, is a [`Fault::BadLine`].
#[derive(Clone, Debug)]
pub struct Entries<'t> {
    lines: Enumerate<Lines<'t>>,
    last: Slot,
}

impl<'t> Entries<'t> {
    /// Reads `text`.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        Self {
            lines: text.lines().enumerate(),
            last: Slot::new(0),
        }
    }
}

impl Iterator for Entries<'_> {
    type Item = Result<Entry, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        let (above, line) = self.lines.find(|(_, line)| !line.starts_with('#'))?;
        let bad = Fault::BadLine { line: above + 1 };
        let entry = Entry::read(line).filter(|entry| entry.slot() >= self.last);
        if let Some(entry) = entry {
            self.last = entry.slot();
        }
        Some(entry.ok_or(bad))
    }
}
