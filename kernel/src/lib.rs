//! Work in progress.
#![no_std]
#![forbid(unsafe_code)]
