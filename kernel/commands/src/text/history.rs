//! Histories: commands one after the other, with what is expected in reply.
//!
//! The first line says which book it is, as `size` and then what [`Command::Size`] answers of it. Where the machine has a layout, the second one is `layout`
//! and what [`Placed`] says. Each further line is a command, or begins with `=` and is the reply expected to the command above it. Empty lines and those that begin with `#` say nothing.

use alloc::boxed::Box;
use core::{fmt, iter::Peekable, str::Lines};

use super::{Misread, Words};
use crate::{Command, Placed, Reply, Scope, Size, Subject};

/// A history that is being read.
#[derive(Clone, Debug)]
pub struct History<'t> {
    size: Size,
    placed: Option<Placed>,
    lines: Peekable<Numbered<'t>>,
}

/// A command, where it stands, and the reply that is expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its line, counted from 1.
    pub line: usize,
    /// The command.
    pub command: Command,
    /// What it should answer, if anything in particular.
    pub expected: Option<Reply>,
}

/// A reply that is not the expected one.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The step.
    pub step: Step,
    /// What was answered.
    pub found: Reply,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, found } = self;
        writeln!(f, "line {}: {}", step.line, step.command)?;
        if let Some(expected) = &step.expected {
            writeln!(f, "  expected: {expected}")?;
        }
        write!(f, "  found:    {found}")
    }
}

impl core::error::Error for Difference {}

impl<'t> History<'t> {
    /// Reads the first line, and a layout behind it.
    ///
    /// # Errors
    ///
    /// [`Misread`], when it does not say which book it is.
    pub fn of(text: &'t str) -> Result<Self, Misread> {
        let mut lines = Numbered(text.lines(), 0).peekable();
        let (line, first) = lines.next().unwrap_or_default();
        let Reply::Size(size) = Words::of(first, line).all()? else {
            return Err(Words::of(first, line).misread(first, "the size of a book"));
        };
        let second = lines.next_if(|(_, line)| Words::of(line, 1).takes(Placed::WORD));
        let placed = second.map(|(line, text)| Placed::in_line(text, line));
        Ok(Self {
            size,
            placed: placed.transpose()?,
            lines,
        })
    }

    /// Which book it is.
    #[must_use]
    pub const fn size(&self) -> &Size {
        &self.size
    }

    /// The layout of its machine, where it has one.
    #[must_use]
    pub const fn placed(&self) -> Option<&Placed> {
        self.placed.as_ref()
    }
}

impl Iterator for History<'_> {
    type Item = Result<Step, Misread>;

    fn next(&mut self) -> Option<Self::Item> {
        let (line, command) = self.lines.next()?;
        let expected = self.lines.next_if(|(_, line)| line.starts_with('='));
        let expected = expected.map(|(line, reply)| Words::of(&reply[1..], line).all());
        Some(Words::of(command, line).all().and_then(|command| {
            Ok(Step {
                line,
                command,
                expected: expected.transpose()?,
            })
        }))
    }
}

impl Step {
    /// The step as far as there are words for it within `scope`.
    #[must_use]
    pub fn within(mut self, scope: Scope) -> Self {
        let expected = self.expected.take();
        self.expected = expected.map(|reply| reply.within(scope, &self.command));
        self.command = self.command.within(scope);
        self
    }

    /// Has it performed. The reply, if it is the expected one.
    ///
    /// # Errors
    ///
    /// [`Difference`], when it is not.
    pub fn perform(self, subject: &mut dyn Subject) -> Result<Reply, Box<Difference>> {
        let found = subject.perform(&self.command);
        self.compare(found)
    }

    /// The reply, if it is the expected one.
    ///
    /// # Errors
    ///
    /// [`Difference`], when it is not.
    pub fn compare(self, found: Reply) -> Result<Reply, Box<Difference>> {
        match &self.expected {
            Some(expected) if *expected != found => Err(Box::new(Difference { step: self, found })),
            _ => Ok(found),
        }
    }
}

/// The lines that say something, with their numbers.
#[derive(Clone, Debug)]
struct Numbered<'t>(Lines<'t>, usize);

impl<'t> Iterator for Numbered<'t> {
    type Item = (usize, &'t str);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = self.0.next()?.trim();
            self.1 += 1;
            if !line.is_empty() && !line.starts_with('#') {
                return Some((self.1, line));
            }
        }
    }
}
