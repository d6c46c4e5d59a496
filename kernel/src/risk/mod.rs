//! Risk-bounded overlap: how probable it is that a reservation accepted on top of others is kept, what it earns, and how
//! many sites it takes to make failure improbable.
//!
//! Most of it is arithmetic on arguments, and neither reads nor changes a book; reserving at several sites and requests with a
//! range of lengths use the calls of books. Probabilities are fixed-point numbers.
//! Whatever is promised is rounded down and whatever is demanded up, so that rounding never makes a promise larger than
//! the true probability under the given laws. Run times are taken as independent of each other.
//!
//! Source: `xiao`, section 4.

mod across;
mod exponential;
mod history;
mod law;
mod lengths;
mod overlap;
mod probability;
mod redundancy;
mod stakes;
mod threshold;

pub use across::{Application, Site, SiteError, SitePart, Stage};
pub use exponential::Exponential;
pub use history::History;
pub use law::{Run, RunTimeLaw};
pub use lengths::LengthRange;
pub use overlap::{Guarantee, Load, Overlap};
pub use probability::Probability;
pub use redundancy::{Replica, Subtask, kept_by_any, replicas_needed, select_replicas};
pub use stakes::Stakes;
pub use threshold::{Steering, Threshold};
