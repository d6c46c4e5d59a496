//! The books under test. Their sizes are known at run time, as types they would be compiled once for each size.

use bookahead::{
    CountBook, Discipline, Layout, PeBook, PeCount, Span,
    raw::{BulkScan, Column, PlainScan, Scan},
};
use bookahead_commands::{Kernel, Kind, Memory, Placed, Scanned, Subject};
use bookahead_heap::{
    BoxedCountBook, BoxedJobQueue, BoxedOverlayBook, BoxedPeBook, BoxedPlacedBook, BoxedRuledBook,
    BoxedUnitBook, HostColumn, PlacedSizeError, PlacedSizes, Sizes,
};
use bookahead_oracle::Twin;

/// Few, so that queues fill up.
pub const JOBS: usize = 5;

/// A twin beside itself.
pub fn twin(kind: Kind, pes: u16, slots: u32, rows: usize) -> Box<dyn Subject> {
    Box::new(Twin::new(kind, pes.into(), slots, rows))
}

/// Late binding.
pub fn counts(pes: u16, slots: u16, rows: usize) -> Box<dyn Subject> {
    kernel(BoxedCountBook::new(sizes(pes, slots, rows)).map(Scanned::<_, BulkScan>::new))
}

/// Counts of 32 bits, of units without numbers.
pub fn units<S: Scan>(pes: u32, slots: u16, rows: usize) -> Box<dyn Subject> {
    let sizes = Sizes {
        pes,
        ..sizes(0, slots, rows)
    };
    kernel(BoxedUnitBook::new(sizes).map(Scanned::<_, S>::new))
}

/// Late binding with overlays.
pub fn overlays(pes: u16, slots: u16, rows: usize) -> Box<dyn Subject> {
    kernel(BoxedOverlayBook::new(sizes(pes, slots, rows)).map(Scanned::<_, BulkScan>::new))
}

/// Early binding with columns for devices.
pub fn narrow(pes: u16, slots: u16, rows: usize) -> Box<dyn Subject> {
    kernel(BoxedPeBook::<u32>::new(sizes(pes, slots, rows)).map(Scanned::<_, BulkScan>::new))
}

/// Early binding with columns for hosts.
pub fn wide(pes: u16, slots: u16, rows: usize) -> Box<dyn Subject> {
    kernel(BoxedPeBook::<HostColumn>::new(sizes(pes, slots, rows)).map(Scanned::<_, BulkScan>::new))
}

/// Late binding with rules.
pub fn ruled_counts<S: Scan>(pes: u16, slots: u16, rows: usize) -> Box<dyn Subject> {
    kernel(
        BoxedRuledBook::<BoxedCountBook, _>::new(sizes(pes, slots, rows)).map(Scanned::<_, S>::new),
    )
}

/// Early binding with rules.
pub fn ruled_sets<C: Column + 'static, S: Scan>(
    pes: u16,
    slots: u16,
    rows: usize,
) -> Box<dyn Subject> {
    kernel(
        BoxedRuledBook::<BoxedPeBook<C>, _>::new(sizes(pes, slots, rows)).map(Scanned::<_, S>::new),
    )
}

/// The same books, searched plainly.
pub mod plain {
    use super::*;

    /// As [`counts`](super::counts).
    pub fn counts(pes: u16, slots: u16, rows: usize) -> Box<dyn Subject> {
        kernel(BoxedCountBook::new(sizes(pes, slots, rows)).map(Scanned::<_, PlainScan>::new))
    }

    /// As [`narrow`](super::narrow).
    pub fn narrow(pes: u16, slots: u16, rows: usize) -> Box<dyn Subject> {
        kernel(BoxedPeBook::<u32>::new(sizes(pes, slots, rows)).map(Scanned::<_, PlainScan>::new))
    }

    /// As [`wide`](super::wide).
    pub fn wide(pes: u16, slots: u16, rows: usize) -> Box<dyn Subject> {
        kernel(
            BoxedPeBook::<HostColumn>::new(sizes(pes, slots, rows))
                .map(Scanned::<_, PlainScan>::new),
        )
    }
}

/// A machine with a layout.
pub fn on<C: Column + 'static, S: Scan>(
    placed: &Placed,
    slots: u16,
    rows: usize,
) -> Box<dyn Subject> {
    kernel(nodes::<C>(placed, slots, rows).map(Scanned::<_, S>::new))
}

/// A machine with a layout, and rules.
pub fn ruled_on<C: Column + 'static, S: Scan>(
    placed: &Placed,
    slots: u16,
    rows: usize,
) -> Box<dyn Subject> {
    let make = BoxedRuledBook::<BoxedPlacedBook<C>, C>::new;
    kernel(made_on(placed, slots, rows, make).map(Scanned::<_, S>::new))
}

/// The memory of a machine with a layout.
pub fn nodes<C: Column>(
    placed: &Placed,
    slots: u16,
    rows: usize,
) -> Result<BoxedPlacedBook<C>, PlacedSizeError> {
    made_on(placed, slots, rows, BoxedPlacedBook::new)
}

/// Memory of some kind for a machine with a layout.
pub fn made_on<M>(
    Placed {
        machine,
        classes,
        order,
    }: &Placed,
    slots: u16,
    rows: usize,
    make: impl Fn(&Layout<'_>, PlacedSizes) -> Result<M, PlacedSizeError>,
) -> Result<M, PlacedSizeError> {
    let missing = machine.fewer();
    let sizes = PlacedSizes {
        slots: slots.into(),
        reservations: rows,
        classes: *classes,
        order: *order,
    };
    make(&machine.layout(&missing), sizes)
}

/// A machine of groups whose parts have gaps behind them where that many PEs allow it, for requests that take any.
pub fn placed<C: Column + 'static, S: Scan>(pes: u16, slots: u16, rows: usize) -> Box<dyn Subject> {
    let kinds: &[u8] = match pes {
        pes if pes % 5 == 0 => &[3, 2],
        pes if pes % 3 == 0 => &[2, 1],
        pes if pes % 4 == 0 => &[3, 1],
        _ => &[1],
    };
    let layout = Layout {
        groups: pes / kinds.iter().map(|pes| u16::from(*pes)).sum::<u16>(),
        kinds,
        missing: &[],
        levels: &[2],
    };
    let sizes = PlacedSizes {
        slots: slots.into(),
        reservations: rows,
        classes: 1,
        order: 0,
    };
    kernel(BoxedPlacedBook::<C>::new(&layout, sizes).map(Scanned::<_, S>::new))
}

pub fn sizes(pes: u16, slots: u16, reservations: usize) -> Sizes {
    Sizes {
        pes: pes.into(),
        slots: slots.into(),
        reservations,
    }
}

/// Late binding in the memory of a device, which has room for more than it is told to use.
pub fn roomy_counts(pes: u16, slots: u16, rows: usize) -> Box<dyn Subject> {
    assert_eq!(rows, 4);
    let (pes, slots) = (PeCount::new(pes.into()), Span::new(slots.into()));
    kernel(CountBook::<3, 23, 4>::new(pes, slots))
}

/// The same with early binding.
pub fn roomy_narrow(pes: u16, slots: u16, rows: usize) -> Box<dyn Subject> {
    assert_eq!(rows, 4);
    let (pes, slots) = (PeCount::new(pes.into()), Span::new(slots.into()));
    kernel(PeBook::<u32, 3, 2, 4>::new(pes, slots))
}

fn kernel<E: std::fmt::Debug>(memory: Result<impl Memory, E>) -> Box<dyn Subject> {
    Box::new(Kernel::new(memory.expect("it is small"), queue()))
}

/// A queue beside one of these books.
pub fn queue() -> BoxedJobQueue {
    BoxedJobQueue::new(Discipline::Fcfs, JOBS).expect("it is small")
}
