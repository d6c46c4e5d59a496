//! Simulator of bookahead: workloads and traces in, reservations decided by the kernel, files and reports out.
#![forbid(unsafe_code)]

pub mod engine;
pub mod error;
pub mod experiment;
pub mod progress;
pub mod report;
pub mod request;
pub mod workload;
