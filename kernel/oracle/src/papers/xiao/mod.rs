//! Xiao, Qu, Qu, "An adaptive redundant reservation strategy in distributed high-performance computing environments".
//!
//! Its equations and theorems as printed, with floats. Tests hold the kernel's integers against the equations, and measure
//! how far the theorems are from the true probabilities.

pub mod equations;
pub mod theorems;
