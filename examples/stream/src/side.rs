//! The sides that a history can be replayed on.

use std::{error::Error, fmt::Debug};

use bookahead::raw::NativeScan;
use bookahead_capi_client::CapiSide;
use bookahead_commands::{Kernel, Memory, Scanned, Scope, Size, Subject};
use bookahead_heap::{
    BoxedCountBook, BoxedJobQueue, BoxedOverlayBook, BoxedPeBook, HostColumn, Sizes,
};
use bookahead_oracle::Twin;
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
    /// What can be asked of it.
    pub const fn scope(self) -> Scope {
        match self {
            Self::C => CapiSide::SCOPE,
            _ => Scope::Whole,
        }
    }

    /// The side as a fresh book of that size.
    pub fn open(self, size: &Size) -> Result<Box<dyn Subject>, Box<dyn Error>> {
        let sizes = Sizes {
            pes: u16::try_from(size.pes.get())?,
            slots: size.horizon.get(),
            reservations: size.capacity,
        };
        match self {
            Self::Count => kernel(BoxedCountBook::new(sizes).map(native), size),
            Self::Pe => kernel(BoxedPeBook::<u32>::new(sizes).map(native), size),
            Self::Wide => kernel(BoxedPeBook::<HostColumn>::new(sizes).map(native), size),
            Self::Overlay => kernel(BoxedOverlayBook::new(sizes).map(native), size),
            Self::C => Ok(Box::new(CapiSide::of(size))),
            Self::Twin => Ok(Box::new(Twin::of(size))),
        }
    }
}

fn native<M>(memory: M) -> Scanned<M, NativeScan> {
    Scanned::new(memory)
}

fn kernel<M: Memory, E: Error + 'static>(
    book: Result<M, E>,
    size: &Size,
) -> Result<Box<dyn Subject>, Box<dyn Error>>
where
    Kernel<M, BoxedJobQueue>: Debug,
{
    let queue = BoxedJobQueue::new(size.discipline, size.jobs)?;
    Ok(Box::new(Kernel::new(book?, queue)))
}
