//! The experiments of the papers: runs them again, and says claim by claim what came out.
//!
//! ```text
//!   points x replications x policies --grid--> samples --curves--> rules --claims--> claims.csv
//!                                                        \--figures-----------------> figures.csv
//! ```
//!
//! The general parts (statistics, curves, rules, claims, figures, files) know nothing of any paper. Each paper has a folder with its
//! points, its worked examples and its claims. A verdict is never written down: it is computed by a rule that the row's note states.

mod claims;
mod curves;
mod figures;
mod files;
mod grid;
pub mod li;
mod rules;
mod statistics;
pub mod sulistio;

pub use claims::Verdicts;
