//! Books in boxed memory. One program, since what books need is compiled once for each program.

mod boxed_book;
mod meta_scheduler;
mod sizes;
#[cfg(all(
    feature = "journal",
    feature = "placement",
    feature = "plan",
    feature = "quota"
))]
mod together;
