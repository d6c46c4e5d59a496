//! The memory of the kernel's books.

use alloc::{vec, vec::Vec};

use bookahead::{
    Book, Class, ClassError, ClassId, Commitment, CountBook, Discipline, Error, Failing, Handle,
    JobQueue, OverlayBook, Overlaying, PeBook, Probability, Queue, Request, Reservation, Run, Slot,
    UsageError,
    raw::{
        Column, CountRing, NativeScan, OverlayRing, PeRing, PlacedRing, Ring, RuledRing, Scan,
        SetPart, Unnumbered, Workspace, columns,
    },
};
use bookahead_heap::{
    BoxedCountBook, BoxedJobQueue, BoxedOverlayBook, BoxedPeBook, BoxedPlacedBook, BoxedRuledBook,
    BoxedUnitBook,
};

use super::{lent::with_list, moving::Arranged};
use crate::{JuggleEnd, Kind, Layer, Overlaid, Risk, Scanned};

/// The memory of a book.
pub trait Memory: Clone + PartialEq + 'static {
    /// What a workspace keeps of a set.
    type Part: SetPart;
    /// The book's ring.
    type Ring<'m>: Ring<Part = Self::Part>
    where
        Self: 'm;
    /// Which ring that is.
    const KIND: Kind;
    /// Whether it has a layer for overlays.
    const HAS_LAYER: bool = false;

    /// The book.
    fn view(&mut self) -> Book<'_, Self::Ring<'_>>;
    /// How many columns a set of the book has.
    fn columns(&mut self) -> usize;
    /// Adds a class, where there are classes.
    fn class_add(&mut self, _class: &Class<'_>) -> Result<ClassId, ClassError> {
        Err(ClassError::ClassesFull)
    }
    /// Which question of its class a request fails at a start, where there are classes.
    fn failing(
        &mut self,
        _asked: (ClassId, &Request),
        _start: Slot,
    ) -> Result<Option<Failing>, Error> {
        Err(UsageError::StaleClass.into())
    }
    /// Books a newcomer and moves others to other PEs for it, where there are classes.
    fn relocate(
        &mut self,
        _newcomer: ((ClassId, &Request), Commitment),
        _targets: u16,
        _workspace: Workspace<'_, Self::Part>,
        _end: JuggleEnd,
    ) -> Result<Arranged, Error> {
        Err(UsageError::StaleClass.into())
    }
    /// Drops a class.
    fn class_drop(&mut self, _class: ClassId) -> Result<(), Error> {
        Err(UsageError::StaleClass.into())
    }
    /// Books on top of others, where there is a layer for that: a reservation, its start, how much is overlaid, and the probability.
    fn overlay(
        &mut self,
        _request: &Request,
        _risk: &Risk,
    ) -> Option<Result<Overlaid<Handle>, Error>> {
        None
    }
    /// How much of a reservation is overlaid, and for whom it waits, where there is such a layer.
    fn layer(&mut self, _handle: Handle) -> Option<Layer<Handle>> {
        None
    }
}

/// Memory with late binding, searched as `$scan` says: no sets, so nothing beside the entries of a workspace.
macro_rules! counts {
    ($ring:ident, $scan:ident) => {
        type Part = ();
        type Ring<'m> = $ring<'m, $scan>;
        const KIND: Kind = Kind::Counts;

        fn view(&mut self) -> Book<'_, $ring<'_, $scan>> {
            self.view()
        }
        fn columns(&mut self) -> usize {
            0
        }
    };
}

/// Memory with late binding and overlays.
macro_rules! overlays {
    ($scan:ident) => {
        counts!(OverlayRing, $scan);
        const HAS_LAYER: bool = true;

        fn overlay(
            &mut self,
            request: &Request,
            risk: &Risk,
        ) -> Option<Result<Overlaid<Handle>, Error>> {
            let mut book = self.view();
            let mut counters = risk.law.counters();
            let history = risk.law.history(&mut counters);
            let overlaying = Overlaying {
                guarantee: risk.guarantee,
                threshold: risk.threshold,
                law: risk.law.of_newcomer(request.duration, history.as_ref()),
            };
            let mut table = vec![Probability::ZERO; risk.table(book.pes().get())];
            let laws = |_, known: &Reservation| risk.law.of_known(known, history.as_ref());
            let plan = with_list::<Run<'_>, _, 64>(risk.list, |list| {
                book.plan_overlay(request, &overlaying, laws, list, &mut table)
            });
            let booked = plan.and_then(|plan| {
                let ttl = risk.ttl;
                let commitment = ttl.map_or(Commitment::Confirmed, |ttl| Commitment::Held { ttl });
                let handle = book.commit_overlay(&plan, commitment)?;
                let start = plan.plan().window().start;
                Ok((handle, start, plan.overlaid(), plan.probability()))
            });
            Some(booked)
        }
        fn layer(&mut self, handle: Handle) -> Option<Layer<Handle>> {
            let book = self.view();
            let waits_for = book.waits_for(handle);
            Some((book.overlaid(handle), waits_for.map(Iterator::collect)))
        }
    };
}

/// Memory with early binding, given how many columns a set for so many PEs has.
macro_rules! sets {
    ($column:ident, $scan:ident, $columns:expr) => {
        type Part = $column;
        type Ring<'m> = PeRing<'m, $column, $scan>;
        const KIND: Kind = Kind::Sets;

        fn view(&mut self) -> Book<'_, PeRing<'_, $column, $scan>> {
            self.view()
        }
        fn columns(&mut self) -> usize {
            $columns(self.view().pes().get() as u16)
        }
    };
}

impl<const BLOCKS: usize, const PES: usize, const ROWS: usize> Memory
    for CountBook<BLOCKS, PES, ROWS>
{
    counts!(CountRing, NativeScan);
}

impl<S: Scan> Memory for Scanned<BoxedCountBook, S> {
    counts!(CountRing, S);
}

impl<S: Scan> Memory for Scanned<BoxedUnitBook, S> {
    type Part = Unnumbered;
    type Ring<'m> = CountRing<'m, S, u32>;
    const KIND: Kind = Kind::Units;

    fn view(&mut self) -> Book<'_, CountRing<'_, S, u32>> {
        self.view()
    }
    fn columns(&mut self) -> usize {
        0
    }
}

impl<const BLOCKS: usize, const PES: usize, const ROWS: usize> Memory
    for OverlayBook<BLOCKS, PES, ROWS>
{
    overlays!(NativeScan);
}

impl<S: Scan> Memory for Scanned<BoxedOverlayBook, S> {
    overlays!(S);
}

impl<C: Column + 'static, const BLOCKS: usize, const COLUMNS: usize, const ROWS: usize> Memory
    for PeBook<C, BLOCKS, COLUMNS, ROWS>
{
    sets!(C, NativeScan, |_| COLUMNS);
}

impl<C: Column + 'static, S: Scan> Memory for Scanned<BoxedPeBook<C>, S> {
    sets!(C, S, columns::<C>);
}

/// Memory with rules: the part of a set, the ring, the kind, and how many columns a set for so many PEs has.
macro_rules! ruled {
    ($part:ty, $ring:ty, $kind:ident, $columns:expr) => {
        type Part = $part;
        type Ring<'m> = RuledRing<'m, $ring>;
        const KIND: Kind = Kind::$kind;

        fn view(&mut self) -> Book<'_, Self::Ring<'_>> {
            self.view()
        }
        fn columns(&mut self) -> usize {
            $columns(self.view().pes().get() as u16)
        }
    };
}

impl<S: Scan> Memory for Scanned<BoxedRuledBook<BoxedCountBook, ()>, S> {
    ruled!((), CountRing<'m, S>, RuledCounts, |_| 0);
}

impl<C: Column + 'static, S: Scan> Memory for Scanned<BoxedRuledBook<BoxedPeBook<C>, C>, S> {
    ruled!(C, PeRing<'m, C, S>, RuledSets, columns::<C>);
}

/// Memory on a machine with a layout: the ring, and the kind.
macro_rules! placed {
    ($ring:ty, $kind:ident) => {
        type Part = C;
        type Ring<'m> = $ring;
        const KIND: Kind = Kind::$kind;

        fn view(&mut self) -> Book<'_, Self::Ring<'_>> {
            self.view()
        }
        fn columns(&mut self) -> usize {
            self.memory.columns()
        }
        fn class_add(&mut self, class: &Class<'_>) -> Result<ClassId, ClassError> {
            self.view().class_add(class)
        }
        fn failing(
            &mut self,
            asked: (ClassId, &Request),
            start: Slot,
        ) -> Result<Option<Failing>, Error> {
            self.view().failing(asked, start)
        }
        fn relocate(
            &mut self,
            (asked, terms): ((ClassId, &Request), Commitment),
            targets: u16,
            workspace: Workspace<'_, C>,
            end: JuggleEnd,
        ) -> Result<Arranged, Error> {
            let mut book = self.view();
            let mut transaction = book.transaction(workspace, u64::MAX);
            let booking = transaction.relocate(asked, terms, targets)?;
            let moves = transaction.moves().collect();
            if end != JuggleEnd::Plan {
                transaction.commit()?;
            }
            let told = end != JuggleEnd::AtOnce;
            Ok((Some(booking), if told { moves } else { Vec::new() }))
        }
        fn class_drop(&mut self, class: ClassId) -> Result<(), Error> {
            self.view().class_drop(class)
        }
    };
}

impl<C: Column + 'static, S: Scan> Memory for Scanned<BoxedPlacedBook<C>, S> {
    placed!(PlacedRing<'m, C, S>, Sets);
}

impl<C: Column + 'static, S: Scan> Memory for Scanned<BoxedRuledBook<BoxedPlacedBook<C>, C>, S> {
    placed!(RuledRing<'m, PlacedRing<'m, C, S>>, RuledSets);
}

/// The memory of a queue.
pub trait QueueMemory: Clone + PartialEq + 'static {
    /// The queue.
    fn view(&mut self) -> Queue<'_>;
    /// Puts an empty queue of that discipline in its place.
    fn init(&mut self, discipline: Discipline);
}

impl<const JOBS: usize> QueueMemory for JobQueue<JOBS> {
    fn view(&mut self) -> Queue<'_> {
        self.view()
    }
    fn init(&mut self, discipline: Discipline) {
        let _ = self.init(discipline);
    }
}

impl QueueMemory for BoxedJobQueue {
    fn view(&mut self) -> Queue<'_> {
        self.view()
    }
    fn init(&mut self, discipline: Discipline) {
        let _ = self.parts().init(discipline);
    }
}
