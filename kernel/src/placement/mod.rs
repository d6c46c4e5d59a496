//! Placement: which processing elements a reservation may have, and which of them it gets.
//!
//! A machine has groups (nodes) of several kinds of processing elements (cores, GPUs). A class says what a reservation asks of them. Whether a set
//! of free ones serves a class is a monotone question: what a set serves, each of its supersets does. So searches for a start need nothing else, and
//! choosing among the free ones is a second step that never decides a start.

mod choose;
mod class;
mod entry;
mod fault;
mod free;
#[cfg(feature = "journal")]
mod kept;
mod layout;
mod table;
mod target;
#[cfg(test)]
mod tests;
mod words;

pub use class::{Class, ClassId, Eligible, Preference, Shape, Within};
pub use entry::ClassEntry;
pub use fault::{ClassError, Failing, LayoutError};
pub(crate) use free::Free;
#[cfg(feature = "journal")]
pub use kept::class_table_bytes;
pub(crate) use layout::word_of;
pub use layout::{Fewer, Geometry, KINDS, LEVELS, Layout};
pub(crate) use table::Classes;
pub(crate) use words::at_least;
