//! Books whose promises survive crashes.
//!
//! A [`Store`] is a folder with a book in it. Each call of the book is answered only when what it changed is on the disk: as a record in a log, of effects and not of
//! commands, so that another version of the program, which may decide otherwise, finds what was decided. Snapshots replace the log when `Store::compact` is called.
//!
//! | file | what |
//! |---|---|
//! | `NNNNNNNNNN.snapshot` | the book after so many changes; written beside the others, and named so only when it is whole |
//! | `NNNNNNNNNN.log` | the changes from this number on, and behind them room for more; each opening begins a new one, so that nothing that an earlier one left half written comes back |
//! | `lock` | held while the store is open |
//!
//! A program that stops at any point, and a machine that loses its power, lose nothing that was confirmed. If the disk loses or changes what it had confirmed, the store says in which file
//! and where, as soon as any later record knows of what is missing; the last records, of which none knows, are reported as a [`Tail`].
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod commit;
mod error;
mod files;
mod format;
mod kept;
mod reader;
mod recover;
mod repair;
mod store;

pub use commit::Committer;
pub use error::StoreError;
pub use files::{Disk, Files};
pub use format::VERSION;
pub use kept::{BookKind, kind_of};
pub use reader::Reader;
pub use recover::{Contents, Tail, verify};
pub use repair::{LostRecord, Repaired, repair};
pub use store::{Pending, Store};
