//! The two rings: what is busy in every slot from `now` to the horizon.

mod axis;
mod count_ring;
mod counts;
mod edges;
mod lane;
mod pe_ring;
mod shape;
mod sweep;

pub(crate) use axis::Axis;
pub(crate) use count_ring::ByCounts;
pub use count_ring::CountRing;
pub(crate) use counts::Counts;
pub(crate) use edges::Edges;
pub use lane::Column;
pub(crate) use pe_ring::BusySets;
pub use pe_ring::PeRing;
pub use shape::Ring;
pub(crate) use shape::{Booked, Busy, Field, RingOps, Scan, Shape};
pub(crate) use sweep::Stacks;
