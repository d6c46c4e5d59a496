//! A desk in front of Slurm that promises starts to jobs with deadlines, and keeps them.
//!
//! [`cluster`] is what Slurm says, [`desk`] what is decided, [`table`] who was promised what, [`serve`] how users and Slurm are answered, [`plan`] a drawing.

pub mod cluster;
pub mod desk;
pub mod plan;
pub mod serve;
pub mod table;
