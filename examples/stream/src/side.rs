//! The sides that a history can be replayed on.

use std::error::Error;

use bookahead::raw::NativeScan;
use bookahead_capi_client::{CapiSide, Careless};
use bookahead_commands::{History, Scope, Subject, check, kernel_of, open};
use bookahead_heap::{BoxedPeBook, HostColumn};
use bookahead_oracle::Twin;
use clap::ValueEnum;

/// Whoever performs the commands.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Side {
    /// The kernel's book that the history says, with the columns of devices where it has any.
    Kernel,
    /// The kernel's book with early binding and the columns of hosts.
    Wide,
    /// The C interface, in as far as it has words for the commands.
    C,
    /// The second implementation, which has neither limits of work nor the exact search of shifting.
    Twin,
}

impl Side {
    /// What can be asked of it.
    pub const fn scope(self) -> Scope {
        match self {
            Self::C => CapiSide::SCOPE,
            _ => Scope::Whole,
        }
    }

    /// The side as the fresh book that a history says.
    pub fn begin(self, history: &History<'_>) -> Result<Box<dyn Subject>, Box<dyn Error>> {
        let size = history.size();
        match (self, history.placed()) {
            (Self::Kernel, on) => open(size, on),
            (Self::Wide, None) => {
                let kernel = kernel_of::<_, NativeScan>(size, BoxedPeBook::<HostColumn>::new)?;
                Ok(Box::new(kernel))
            }
            (Self::Wide, Some(_)) => Err("such a book has no layout".into()),
            (Self::C, None) => Ok(Box::new(CapiSide::of(size, Careless::default()))),
            (Self::C, Some(placed)) => {
                check(size, placed)?;
                Ok(Box::new(CapiSide::on(size, placed, Careless::default())))
            }
            (Self::Twin, None) => Ok(Box::new(Twin::of(size))),
            (Self::Twin, Some(placed)) => Ok(Box::new(Twin::on(size, placed))),
        }
    }
}
