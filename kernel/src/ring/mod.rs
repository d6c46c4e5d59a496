//! The rings: what is busy in every slot from `now` to the horizon.

mod axis;
mod bare;
#[cfg(feature = "outages")]
mod based;
mod blocks;
mod bulk;
mod busy_sets;
mod count;
mod count_ring;
mod counts;
mod edges;
mod far_unions;
mod growing_counts;
mod growing_sets;
mod growing_window;
#[cfg(feature = "journal")]
mod kept;
mod occupancy;
mod overlaid;
#[cfg(feature = "risk")]
mod overlay_ring;
mod pe_ring;
#[cfg(feature = "placement")]
mod placed_ring;
mod placing;
mod plain;
mod planning;
mod profile;
mod ruled;
#[cfg(feature = "outages")]
mod ruled_ring;
mod scan;
mod search;
mod sliding_counts;
mod sliding_sets;
mod sliding_window;
mod sweep;

pub(crate) use axis::{Axis, BLOCK};
pub use bare::Ring;
pub(crate) use bulk::LONG;
pub(crate) use busy_sets::BusySets;
pub(crate) use count::Count;
pub use count::Width;
pub use count_ring::CountRing;
pub(crate) use counts::Counts;
pub(crate) use edges::{Edges, WORD, low_bits};
pub(crate) use growing_window::{GrowingView, GrowingWindow};
#[cfg(feature = "journal")]
pub use kept::Kept;
pub(crate) use occupancy::CountOf;
pub(crate) use occupancy::Occupancy;
pub use occupancy::{SetPart, SetParts, Unnumbered};
#[cfg(feature = "risk")]
pub(crate) use overlay_ring::Layers;
#[cfg(feature = "risk")]
pub use overlay_ring::OverlayRing;
pub use pe_ring::PeRing;
#[cfg(feature = "placement")]
pub use placed_ring::PlacedRing;
#[cfg(feature = "placement")]
pub(crate) use placed_ring::{Asked, OnLayout};
#[cfg(feature = "plan")]
pub(crate) use planning::{copy, hull};
pub(crate) use profile::Profile;
#[cfg(feature = "outages")]
pub use ruled_ring::{RuleParts, RuledRing};
pub(crate) use scan::CountScan;
pub use scan::{BulkScan, NativeScan, PlainScan, Scan};
pub(crate) use search::{Booked, RingSearch};
pub(crate) use sliding_window::{BulkWindow, GroupedWindows, SlidingView, SlidingWindow};
pub(crate) use sweep::Stacks;
