//! A desk in front of Slurm that promises starts to jobs with deadlines, and keeps them.
//!
//! [`cluster`] is what Slurm says, [`desk`] what is decided, [`table`] who was promised what, [`serve`] how users and Slurm are answered, [`munge`] who asks from other machines, [`plan`] a drawing.

pub mod cluster;
pub mod desk;
pub mod munge;
pub mod plan;
pub mod serve;
pub mod table;

/// How a program ends: well, not well, or with an error, which is printed.
#[must_use]
pub fn exit(ended: anyhow::Result<bool>) -> std::process::ExitCode {
    match ended {
        Ok(true) => std::process::ExitCode::SUCCESS,
        Ok(false) => std::process::ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            std::process::ExitCode::from(2)
        }
    }
}
