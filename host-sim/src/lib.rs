//! Simulator of bookahead: workloads and traces in, reservations decided by the kernel, files and reports out.
#![forbid(unsafe_code)]

pub mod check;
pub mod cli;
pub mod engine;
pub mod error;
pub mod experiment;
mod files;
mod manifest;
pub mod operation;
pub mod output;
pub mod progress;
pub mod report;
pub mod request;
mod result_folder;
mod statistics;
mod text_file;
pub mod workload;
