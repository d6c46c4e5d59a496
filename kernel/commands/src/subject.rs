//! Whatever performs commands.

use alloc::boxed::Box;
use core::any::Any;

use crate::{Command, Reply};

/// Room for all offers of any query that the tests make.
pub const LONG_OFFERS: usize = 1024;

/// The most entries of a workspace in the tests.
pub const LONG_LOG: usize = 32;

/// Room for the handles, moves and obstacles of any call that the tests make.
pub const LONG_HANDLES: usize = 1024;

/// A book and a queue together with their memory.
pub trait Subject: Any {
    /// Does what the command says. A reservation gets the next number when it is accepted, from 0 on.
    fn perform(&mut self, command: &Command) -> Reply;
    /// The same once more.
    fn copy(&self) -> Box<dyn Subject>;
    /// Whether the other has the same memory, bit for bit.
    fn equals(&self, other: &dyn Subject) -> bool;
}

impl Clone for Box<dyn Subject> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

impl PartialEq for dyn Subject {
    fn eq(&self, other: &Self) -> bool {
        self.equals(other)
    }
}
