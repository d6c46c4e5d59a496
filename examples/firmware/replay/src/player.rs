//! A history that is replayed as time passes.

use alloc::boxed::Box;
use core::{fmt, iter::Peekable};

use bookahead::{SizeError, Slot};
use bookahead_commands::{Difference, History, Misread, Subject};

/// A history and who performs it.
pub struct Player {
    /// What the history is called.
    pub name: &'static str,
    /// How many replies were as expected.
    pub agreed: u32,
    steps: Peekable<History<'static>>,
    subject: &'static mut dyn Subject,
}

impl Player {
    /// At the start of a history.
    pub fn new(
        name: &'static str,
        text: &'static str,
        subject: &'static mut dyn Subject,
    ) -> Result<Self, Ended> {
        Ok(Self {
            name,
            agreed: 0,
            steps: History::of(text)?.peekable(),
            subject,
        })
    }

    /// Has all commands performed until time has to pass beyond `now`. Returns whether there are more.
    pub fn pass(&mut self, now: Slot) -> Result<bool, Ended> {
        while let Some(step) = self.steps.peek() {
            let until = step.as_ref().ok().and_then(|step| step.command.until());
            if until.is_some_and(|until| until > now) {
                return Ok(true);
            }
            if let Some(step) = self.steps.next() {
                step?.perform(self.subject)?;
                self.agreed += 1;
            }
        }
        Ok(false)
    }
}

/// Why a replay has ended early.
pub enum Ended {
    /// A history cannot be read.
    Misread(Misread),
    /// A reply is not the expected one.
    Difference(Box<Difference>),
    /// A book is made for another size.
    Size(SizeError),
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Misread(misread) => misread.fmt(f),
            Self::Difference(difference) => difference.fmt(f),
            Self::Size(error) => error.fmt(f),
        }
    }
}

impl From<Misread> for Ended {
    fn from(misread: Misread) -> Self {
        Self::Misread(misread)
    }
}

impl From<Box<Difference>> for Ended {
    fn from(difference: Box<Difference>) -> Self {
        Self::Difference(difference)
    }
}

impl From<SizeError> for Ended {
    fn from(error: SizeError) -> Self {
        Self::Size(error)
    }
}
