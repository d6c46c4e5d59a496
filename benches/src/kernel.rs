//! The kernel's two books over heap memory, in the steady state of a scene.

use bookahead::{
    Book, BookState, Column, CountParts, CountRing, Handle, PeCount, PeParts, PeRing, Policy,
    Request, Ring, Row, Window, blocks, columns,
};

use crate::{Bits, Booking, MACHINE, Scene, Step};

/// The column type of hosts.
pub type HostColumn = [u64; 8];

/// Rows beyond the steady state, for bookings on top of it.
const SPARE_ROWS: usize = 64;

/// Memory of a book with early binding.
#[derive(Debug)]
pub struct PeMemory {
    state: BookState,
    rows: Vec<Row>,
    timers: Vec<u32>,
    starts: Vec<u32>,
    busy: Vec<HostColumn>,
    any: Vec<HostColumn>,
    counts: Vec<u16>,
    most: Vec<u16>,
    change: Vec<u32>,
    release: Vec<u32>,
    sets: Vec<HostColumn>,
    suffixes: Vec<HostColumn>,
    prefix: Vec<HostColumn>,
    joined: Vec<HostColumn>,
}

impl PeMemory {
    /// Memory for so many slots and reservations.
    #[must_use]
    pub fn new(slots: u32, rows: usize) -> Self {
        let (blocks, columns) = (blocks(slots), columns::<HostColumn>(MACHINE));
        let lane = |length: usize| vec![HostColumn::NONE; length];
        Self {
            state: BookState::default(),
            rows: vec![Row::VACANT; rows],
            timers: vec![0; rows],
            starts: vec![0; 64 * blocks],
            busy: lane(64 * blocks * columns),
            any: lane(8 * blocks * columns),
            counts: vec![0; 64 * blocks],
            most: vec![0; blocks],
            change: vec![0; 2 * blocks],
            release: vec![0; 2 * blocks],
            sets: lane(rows * columns),
            suffixes: lane(64 * blocks * columns),
            prefix: lane(columns),
            joined: lane(columns),
        }
    }

    /// An empty book in this memory.
    pub fn book(&mut self, slots: u32) -> Book<'_, PeRing<'_, HostColumn>> {
        self.parts()
            .format(MACHINE, slots)
            .expect("the lengths fit")
    }

    /// An idle ring in this memory, without a ledger.
    pub fn ring(&mut self, slots: u32) -> PeRing<'_, HostColumn> {
        self.parts()
            .format_ring(MACHINE, slots)
            .expect("the lengths fit")
    }

    fn parts(&mut self) -> PeParts<'_, HostColumn> {
        PeParts {
            state: &mut self.state,
            rows: &mut self.rows,
            timers: &mut self.timers,
            starts: &mut self.starts,
            busy: &mut self.busy,
            any: &mut self.any,
            counts: &mut self.counts,
            most: &mut self.most,
            change: &mut self.change,
            release: &mut self.release,
            sets: &mut self.sets,
            suffixes: &mut self.suffixes,
            prefix: &mut self.prefix,
            joined: &mut self.joined,
        }
    }
}

/// Memory of a book with late binding.
#[derive(Debug)]
pub struct CountMemory {
    state: BookState,
    rows: Vec<Row>,
    timers: Vec<u32>,
    starts: Vec<u32>,
    busy: Vec<u16>,
    most: Vec<u16>,
    change: Vec<u32>,
    release: Vec<u32>,
    owner: Vec<u32>,
}

impl CountMemory {
    /// Memory for so many slots and reservations.
    #[must_use]
    pub fn new(slots: u32, rows: usize) -> Self {
        let blocks = blocks(slots);
        Self {
            state: BookState::default(),
            rows: vec![Row::VACANT; rows],
            timers: vec![0; rows],
            starts: vec![0; 64 * blocks],
            busy: vec![0; 64 * blocks],
            most: vec![0; blocks],
            change: vec![0; 2 * blocks],
            release: vec![0; 2 * blocks],
            owner: vec![0; usize::from(MACHINE)],
        }
    }

    /// An empty book in this memory.
    pub fn book(&mut self, slots: u32) -> Book<'_, CountRing<'_>> {
        self.parts()
            .format(MACHINE, slots)
            .expect("the lengths fit")
    }

    /// An idle ring in this memory, without a ledger.
    pub fn ring(&mut self, slots: u32) -> CountRing<'_> {
        self.parts()
            .format_ring(MACHINE, slots)
            .expect("the lengths fit")
    }

    fn parts(&mut self) -> CountParts<'_> {
        CountParts {
            state: &mut self.state,
            rows: &mut self.rows,
            timers: &mut self.timers,
            starts: &mut self.starts,
            busy: &mut self.busy,
            most: &mut self.most,
            change: &mut self.change,
            release: &mut self.release,
            owner: &mut self.owner,
        }
    }
}

/// How many rows the books of a scene need.
#[must_use]
pub fn rows(scene: &Scene) -> usize {
    scene.bookings().len() + SPARE_ROWS
}

/// Goes the way of `scene` in an empty book and says which reservation stands for which live booking, in order.
///
/// Each booking is asked for at its known start, so every binding ends in the same state, slot by slot.
pub fn replay<R: Ring>(book: &mut Book<'_, R>, scene: &Scene) -> Vec<Handle> {
    let mut handles: Vec<Option<Handle>> = Vec::with_capacity(scene.steps.len());
    for step in &scene.steps {
        match step {
            Step::Add(booking) => {
                let made = book.reserve(&exactly(booking), Policy::FirstFit);
                handles.push(Some(made.expect("there was room").handle));
            }
            Step::Remove(number) => {
                let handle = handles[*number].take().expect("it lives");
                book.cancel(handle).expect("it lives");
                handles.push(None);
            }
        }
    }
    handles.into_iter().flatten().collect()
}

/// The request that only `booking`'s window satisfies.
#[must_use]
pub fn exactly(booking: &Booking) -> Request {
    let Window { start, end } = booking.window;
    Request {
        ready: start,
        duration: booking.window.len().expect("windows are short"),
        deadline: end,
        pes: PeCount::new(booking.pes.len() as u16),
    }
}

/// The PEs of a booking as columns.
#[must_use]
pub fn columns_of(bits: &Bits) -> [HostColumn; 2] {
    let (columns, _) = bits.words().as_chunks();
    columns.try_into().expect("the machine fills two columns")
}
