//! Simulator of bookahead: workloads and traces in, reservations decided by the kernel, files and reports out.
#![forbid(unsafe_code)]
// What only the command and its experiments use stands idle without them.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

pub mod arrivals;
pub mod ask;
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
mod columns;
pub mod engine;
pub mod error;
#[cfg(feature = "cli")]
pub mod experiment;
pub mod explain;
mod files;
pub mod layout;
mod manifest;
pub mod operation;
pub mod outage;
pub mod output;
#[cfg(feature = "cli")]
pub mod progress;
pub mod report;
pub mod request;
mod result_folder;
pub mod rule;
mod saved;
pub mod several;
mod sorting;
mod statistics;
mod text_file;
mod told;
#[cfg(feature = "cli")]
mod toml_text;
pub mod workload;
