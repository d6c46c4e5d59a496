//! The sides that a history can be replayed on.

use std::error::Error;

use bookahead::raw::NativeScan;
use bookahead_capi_client::{CapiSide, Careless};
use bookahead_commands::{Kind, Memory, Scanned, Scope, Size, Subject};
use bookahead_heap::{BoxedCountBook, BoxedOverlayBook, BoxedPeBook, HostColumn, SizeError, Sizes};
use bookahead_oracle::{Twin, kernel_of};
use clap::ValueEnum;

/// Whoever performs the commands.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Side {
    /// The kernel's book with late binding.
    Count,
    /// The kernel's book with early binding and the columns of devices.
    Pe,
    /// The kernel's book with early binding and the columns of hosts.
    Wide,
    /// The kernel's book with late binding and overlays.
    Overlay,
    /// The C interface, in as far as it has words for the commands.
    C,
    /// The second implementation, which has neither limits of work nor the exact search of shifting.
    Twin,
}

impl Side {
    /// The kernel's book of that kind.
    pub const fn of_kernel(size: &Size) -> Self {
        match (size.kind, size.has_layer) {
            (_, true) => Self::Overlay,
            (Kind::Counts, false) => Self::Count,
            (Kind::Sets, false) => Self::Pe,
        }
    }

    /// What can be asked of it.
    pub const fn scope(self) -> Scope {
        match self {
            Self::C => CapiSide::SCOPE,
            _ => Scope::Whole,
        }
    }

    /// The side as a fresh book of that size.
    pub fn open(self, size: &Size) -> Result<Box<dyn Subject>, Box<dyn Error>> {
        match self {
            Self::Count => kernel(size, BoxedCountBook::new),
            Self::Pe => kernel(size, BoxedPeBook::<u32>::new),
            Self::Wide => kernel(size, BoxedPeBook::<HostColumn>::new),
            Self::Overlay => kernel(size, BoxedOverlayBook::new),
            Self::C => Ok(Box::new(CapiSide::of(size, Careless::default()))),
            Self::Twin => Ok(Box::new(Twin::of(size))),
        }
    }
}

fn kernel<M>(
    size: &Size,
    make: impl Fn(Sizes) -> Result<M, SizeError>,
) -> Result<Box<dyn Subject>, Box<dyn Error>>
where
    Scanned<M, NativeScan>: Memory,
{
    Ok(Box::new(kernel_of::<M, NativeScan>(size, make)?))
}
