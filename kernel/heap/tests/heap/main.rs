//! Books in boxed memory. One program, since what books need is compiled once for each program.

#[cfg(all(feature = "outages", feature = "placement"))]
mod anew;
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
