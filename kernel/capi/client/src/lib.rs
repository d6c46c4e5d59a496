//! The C interface as a side that performs commands, as a C program would call it: a careless one, if it is told to be.
//!
//! [`CapiSide`] owns the memory of a book and of a queue, calls nothing but the exported functions of `bookahead-capi`, and makes replies of
//! what they write; [`JointSide`] owns several books that are decided as one. Every function has its line in a table (`caller.rs`, for several books `joint.rs`), by which it is called. Given bytes to draw from ([`Careless`]), the side first makes many calls
//! with one argument spoilt: a pointer that is null or misaligned, memory that holds no book, a handle that nobody has, a plan or an offer
//! that somebody has written to, a number that means nothing. Such a call has to answer an error and to write nothing.
//!
//! A book keeps a journal, and a second one follows it by its records, after each command.
//!
//! What the interface has no words for is its [scope](bookahead_commands::Scope).
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

mod argument;
mod asides;
mod bands;
mod caller;
mod careless;
mod convert;
mod joint;
mod moving;
mod read;
mod side;
mod spoil;
mod standby;
mod transactions;

pub use bands::BandsSide;
pub use bookahead_capi::Binding;
pub use careless::Careless;
pub use joint::{JointSide, Shelf};
pub use side::CapiSide;
