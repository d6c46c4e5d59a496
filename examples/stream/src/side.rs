//! The sides that a history can be replayed on.

use std::error::Error;

use bookahead::{PeCount, raw::NativeScan};
use bookahead_capi_client::{CapiSide, Careless};
use bookahead_commands::{History, Kind, Memory, Placed, Ruled, Scanned, Scope, Size, Subject};
use bookahead_heap::{BoxedCountBook, BoxedOverlayBook, BoxedPeBook, HostColumn, SizeError, Sizes};
use bookahead_oracle::{Twin, kernel_in, kernel_of, kernel_on};
use clap::ValueEnum;

/// Books with rules.
type Counts = Ruled<Scanned<BoxedCountBook, NativeScan>, ()>;
type Sets = Ruled<Scanned<BoxedPeBook<u32>, NativeScan>, u32>;

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
    /// The kernel's book on a machine with a layout.
    Placed,
    /// The kernel's book with rules.
    Ruled,
    /// The C interface, in as far as it has words for the commands.
    C,
    /// The second implementation, which has neither limits of work nor the exact search of shifting.
    Twin,
}

impl Side {
    /// The kernel's book of that kind.
    pub const fn of_kernel(size: &Size, placed: Option<&Placed>) -> Self {
        match (size.kind, size.has_layer, placed) {
            (.., Some(_)) => Self::Placed,
            (_, true, None) => Self::Overlay,
            (Kind::Counts, false, None) => Self::Count,
            (Kind::Sets, false, None) => Self::Pe,
            (Kind::RuledCounts | Kind::RuledSets, false, None) => Self::Ruled,
        }
    }

    /// What can be asked of it.
    pub const fn scope(self) -> Scope {
        match self {
            Self::C => CapiSide::SCOPE,
            _ => Scope::Whole,
        }
    }

    /// The side as the fresh book that a history says.
    pub fn begin(self, history: &History<'_>) -> Result<Box<dyn Subject>, Box<dyn Error>> {
        self.open(history.size(), history.placed())
    }

    /// The side as a fresh book of that size.
    pub fn open(
        self,
        size: &Size,
        on: Option<&Placed>,
    ) -> Result<Box<dyn Subject>, Box<dyn Error>> {
        match (self, on) {
            (Self::Placed, Some(placed)) => {
                check(size, placed)?;
                Ok(Box::new(kernel_on::<u32, NativeScan>(size, placed)?))
            }
            (Self::Twin, Some(placed)) => Ok(Box::new(Twin::on(size, placed))),
            (Self::C, Some(placed)) => {
                check(size, placed)?;
                Ok(Box::new(CapiSide::on(size, placed, Careless::default())))
            }
            (Self::Placed, None) => Err("the history says no layout".into()),
            (_, Some(_)) => Err("such a book has no layout".into()),
            (Self::Count, None) => kernel(size, BoxedCountBook::new),
            (Self::Pe, None) => kernel(size, BoxedPeBook::<u32>::new),
            (Self::Wide, None) => kernel(size, BoxedPeBook::<HostColumn>::new),
            (Self::Overlay, None) => kernel(size, BoxedOverlayBook::new),
            (Self::Ruled, None) => match size.kind.binding() {
                Kind::Counts => Ok(Box::new(kernel_in(size, Counts::counts)?)),
                _ => Ok(Box::new(kernel_in(size, Sets::sets)?)),
            },
            (Self::C, None) => Ok(Box::new(CapiSide::of(size, Careless::default()))),
            (Self::Twin, None) => Ok(Box::new(Twin::of(size))),
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

/// Whether the book is one for the machine.
fn check(size: &Size, placed: &Placed) -> Result<(), Box<dyn Error>> {
    let missing = placed.machine.fewer();
    let layout = placed.machine.layout(&missing);
    layout.check()?;
    let pes = PeCount::new(layout.pes().into());
    if size.kind != Kind::Sets || size.has_layer || size.pes != pes {
        return Err(format!("the layout has {} PEs in sets, without overlays", pes.get()).into());
    }
    Ok(())
}
