//! Pujiyanta, Nugroho, Widyawan, "Job scheduling strategies in grid computing" (2022).

pub mod example;
pub mod literal;
pub mod mapping;
