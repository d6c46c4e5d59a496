//! Books and queues on the heap: the kernel's arrays with lengths chosen at run time.

use bookahead::{
    Book, BookState, CountParts, CountRing, Discipline, PeParts, PeRing, Queue, QueueParts,
    QueueState, Row, WaitingJob, blocks, columns, count_book_bytes, pe_book_bytes,
};

use super::Binding;

/// The column type of hosts.
pub type Column = [u64; 8];

/// The size of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Processing elements.
    pub pes: u16,
    /// Slots of the ring.
    pub slots: u32,
    /// Reservations that can live at a time.
    pub rows: usize,
}

impl Size {
    /// The memory a book of this size takes.
    #[must_use]
    pub fn bytes(self, binding: Binding) -> usize {
        match binding {
            Binding::Early => pe_book_bytes::<Column>(self.slots, self.pes, self.rows),
            Binding::Late | Binding::LateControl => {
                count_book_bytes(self.slots, self.pes, self.rows)
            }
        }
    }

    fn storage(self) -> usize {
        blocks(self.slots) * 64
    }
}

/// What both kinds of book need.
struct Common {
    state: BookState,
    rows: Vec<Row>,
    starts: Vec<u32>,
    timers: Vec<u32>,
    counts: Vec<u16>,
    most: Vec<u16>,
    change: Vec<u32>,
    release: Vec<u32>,
}

impl Common {
    fn new(size: Size) -> Self {
        let blocks = blocks(size.slots);
        Self {
            state: BookState::default(),
            rows: vec![Row::VACANT; size.rows],
            starts: vec![0; size.storage()],
            timers: vec![0; size.rows],
            counts: vec![0; size.storage()],
            most: vec![0; blocks],
            change: vec![0; 2 * blocks],
            release: vec![0; 2 * blocks],
        }
    }
}

/// Memory of a book with late binding.
pub struct CountMemory {
    size: Size,
    common: Common,
    owner: Vec<u32>,
}

impl CountMemory {
    /// Memory for a book of that size.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self {
            size,
            common: Common::new(size),
            owner: vec![0; usize::from(size.pes)],
        }
    }

    /// An empty book in it; `None` for a size of 0.
    pub fn format(&mut self) -> Option<Book<'_, CountRing<'_>>> {
        let Size { pes, slots, .. } = self.size;
        self.parts().format(pes, slots)
    }

    /// An idle ring in it, without a ledger; `None` for a size of 0.
    pub fn format_ring(&mut self) -> Option<CountRing<'_>> {
        let Size { pes, slots, .. } = self.size;
        self.parts().format_ring(pes, slots)
    }

    fn parts(&mut self) -> CountParts<'_> {
        let common = &mut self.common;
        CountParts {
            state: &mut common.state,
            rows: &mut common.rows,
            starts: &mut common.starts,
            timers: &mut common.timers,
            busy: &mut common.counts,
            most: &mut common.most,
            change: &mut common.change,
            release: &mut common.release,
            owner: &mut self.owner,
        }
    }
}

/// Memory of a book with early binding.
pub struct PeMemory {
    size: Size,
    common: Common,
    busy: Vec<Column>,
    any: Vec<Column>,
    sets: Vec<Column>,
    suffixes: Vec<Column>,
    prefix: Vec<Column>,
    joined: Vec<Column>,
}

impl PeMemory {
    /// Memory for a book of that size.
    #[must_use]
    pub fn new(size: Size) -> Self {
        let columns = columns::<Column>(size.pes);
        let sets = |count: usize| vec![[0; 8]; count * columns];
        Self {
            size,
            common: Common::new(size),
            busy: sets(size.storage()),
            any: sets(size.storage() / 8),
            sets: sets(size.rows),
            suffixes: sets(size.storage()),
            prefix: sets(1),
            joined: sets(1),
        }
    }

    /// An empty book in it; `None` for a size of 0.
    pub fn format(&mut self) -> Option<Book<'_, PeRing<'_, Column>>> {
        let common = &mut self.common;
        PeParts {
            state: &mut common.state,
            rows: &mut common.rows,
            starts: &mut common.starts,
            timers: &mut common.timers,
            busy: &mut self.busy,
            any: &mut self.any,
            counts: &mut common.counts,
            most: &mut common.most,
            change: &mut common.change,
            release: &mut common.release,
            sets: &mut self.sets,
            suffixes: &mut self.suffixes,
            prefix: &mut self.prefix,
            joined: &mut self.joined,
        }
        .format(self.size.pes, self.size.slots)
    }
}

/// Memory of a queue.
pub struct QueueMemory {
    state: QueueState,
    jobs: Vec<WaitingJob>,
}

impl QueueMemory {
    /// Memory for a queue of that many jobs.
    #[must_use]
    pub fn new(jobs: usize) -> Self {
        Self {
            state: QueueState::default(),
            jobs: vec![WaitingJob::NONE; jobs],
        }
    }

    /// An empty queue in it.
    pub fn format(&mut self, discipline: Discipline) -> Queue<'_> {
        QueueParts {
            state: &mut self.state,
            jobs: &mut self.jobs,
        }
        .format(discipline)
    }
}
