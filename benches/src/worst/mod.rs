//! The worst cases of the searches: states made to defeat what they skip, beside one pass over the same slots.
//!
//! [`families`] goes once through fixed states. The rest is a search for worse ones: a [`State`] is written down in one line, a [`Hunt`] changes it at
//! random and keeps the slower, a [`Bed`] says how slow it is, and [`finds`] is the file of the slowest. [`growth`](mod@growth) scales them.

mod bed;
pub mod families;
pub mod finds;
pub mod growth;
mod hunt;
mod layer;
mod mutation;
mod sought;
mod state;

pub use bed::{Bed, Measured};
pub use finds::Find;
pub use hunt::{Hunt, Judge};
pub use layer::{Blend, Layer, Members, Order, Shape};
pub use mutation::{durations, known, mutate, random, simpler, tidied};
pub use sought::{Sought, Structure};
pub use state::{Asked, State};
