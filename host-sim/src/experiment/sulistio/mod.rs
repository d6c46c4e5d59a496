//! The experiments of `sulistio`: elastic reservations beside best-effort jobs, on the log of the SDSC Blue Horizon.

mod example;
mod growth;
mod literal;
mod points;
mod workload;
