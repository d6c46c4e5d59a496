//! Li, Pei, Wu, Shen, "Resource availability-aware advance reservation for parallel jobs with deadlines" (2014).
//!
//! Its search stands here in three forms, since each is there for what the others are not: [`definitions`] work from the accepted jobs
//! alone, without any structure that could be wrong; [`literal`] walks the paper's list and touches members one at a time, to count
//! operations; [`list`](mod@list) takes the same structure as fast as its description allows, to be measured beside. What they have in
//! common is in [`search`].

mod bits;
pub mod definitions;
pub mod example;
pub mod growth;
pub mod list;
pub mod literal;
pub mod search;

pub use bits::Bits;
