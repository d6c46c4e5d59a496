//! The two rings: what is busy in every slot from `now` to the horizon.

mod axis;
mod busy_sets;
mod count_ring;
mod count_shape;
mod count_stretch;
mod counts;
mod edges;
mod lane;
mod occupancy;
mod pe_ring;
mod pe_shape;
mod pe_stretch;
mod shape;
mod sweep;

pub(crate) use axis::Axis;
pub(crate) use busy_sets::BusySets;
pub use count_ring::CountRing;
pub(crate) use counts::Counts;
pub(crate) use edges::Edges;
pub use lane::Column;
pub(crate) use occupancy::Occupancy;
pub use pe_ring::PeRing;
pub use shape::Ring;
pub(crate) use shape::{Booked, Field, RingSearch, Shape, Stretch, Stretches};
pub(crate) use sweep::Stacks;
