//! What a snapshot has to know of a ledger. Lists and timers follow from the rows.

use super::{JournalParts, Ledger, LedgerState, Phase, RUNNING, Row, Timer, mark, walk};
use crate::{
    bytes::Piece,
    pe::{PeCount, RowPes},
    ring::Width,
    time::{Slot, Span},
};

/// The bytes of a live row in a snapshot, without its generation.
pub(crate) const ROW_BYTES: usize = 48;

/// The counters of a ledger that do not follow from its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Counters {
    pub(crate) revision: u64,
    pub(crate) accepted: u64,
    pub(crate) longest: Span,
    /// How many rows have ever been used.
    pub(crate) used: u32,
}

impl Counters {
    pub(crate) const NEW: Self = Self {
        revision: 0,
        accepted: 0,
        longest: Span::ZERO,
        used: 0,
    };
}

impl<N: Width> Ledger<'_, N> {
    pub(crate) const fn counters(&self) -> Counters {
        Counters {
            revision: self.state.revision,
            accepted: self.state.accepted,
            longest: self.state.longest,
            used: self.state.fresh,
        }
    }

    /// Returns the vacant rows that have been used, in the order in which they will be used again.
    pub(crate) fn vacant_in_order(&self) -> impl Iterator<Item = usize> {
        walk(self.rows, self.state.vacant)
    }

    /// Returns whether no row has ever been used.
    pub(crate) const fn is_new(&self) -> bool {
        self.state.fresh == 0 && self.state.revision == 0 && self.state.accepted == 0
    }

    /// Takes the counters of another ledger, whose rows are to come.
    pub(crate) const fn take_counters(&mut self, counters: &Counters) {
        self.state.revision = counters.revision;
        self.state.accepted = counters.accepted;
        self.state.longest = counters.longest;
        self.state.fresh = counters.used;
    }

    /// Takes a live row of another ledger into the list at `index`, or among those that run, and returns whether it has a place of its own there: nobody else
    /// with the same start is the same among the accepted.
    pub(crate) fn take_live(
        &mut self,
        row: usize,
        entry: &Row<N>,
        index: Option<usize>,
        now: Slot,
    ) -> bool {
        if let Some(cell) = self.rows.get_mut(row) {
            *cell = *entry;
        }
        self.link(row, index.unwrap_or(RUNNING));
        self.timers(now).insert(row as u32, entry.due());
        let links = self.rows.get(row).map(|row| [row.previous, row.next]);
        let mut neighbours = links.into_iter().flatten().filter_map(|name| {
            let neighbour = (name as usize).checked_sub(1)?;
            self.rows.get(neighbour).filter(|_| neighbour != row)
        });
        neighbours.all(|other| (other.start(), other.accepted) != (entry.start(), entry.accepted))
    }

    /// Takes a row that is not live: it has a generation, and nothing else.
    pub(crate) fn take_spent(&mut self, row: usize, generation: u32) {
        if let Some(cell) = self.rows.get_mut(row) {
            cell.generation = generation;
        }
        if generation == u32::MAX {
            self.state.retired = self.state.retired.saturating_add(1);
        }
    }

    /// Takes a row as the last of those that are vacant, and returns whether it can be.
    pub(crate) fn take_vacant(&mut self, row: usize) -> bool {
        let spent = self.rows.get(row).filter(|row| {
            let used = row.generation > 0 && row.generation < u32::MAX;
            used && !row.is_live()
        });
        let is_last = self.state.vacated == (row as u32).wrapping_add(1);
        let can = spent.is_some_and(|row| row.next == 0) && !is_last;
        if can {
            self.vacate(row);
        }
        can
    }

    /// Returns the rows that may have changed since the journal's last record, those that became vacant in the order in which they will be used again.
    pub(crate) fn noted(&self) -> impl Iterator<Item = (usize, &Row<N>)> {
        let used = self.rows.get(..self.state.fresh as usize);
        let rows = self.journal.iter().flat_map(JournalParts::noted);
        rows.filter_map(move |index| Some((index, used?.get(index)?)))
    }

    /// Begins a record, where a journal is kept.
    pub(crate) fn begin_record(&mut self, now: Slot) {
        let (counters, incarnation) = (self.counters(), self.state.incarnation);
        if let Some(journal) = &mut self.journal {
            journal.begin(now, &counters, incarnation);
        }
    }

    /// Gives a row that is in no list or in that of vacant ones another generation, and marks it as one that is to be read or to become vacant.
    pub(crate) fn lift_named(&mut self, row: usize, generation: u32, listed: bool) {
        if let Some(row) = self.rows.get_mut(row) {
            let next = if listed { row.next } else { 0 };
            let listed = if listed { mark::UNDONE } else { 0 };
            *row = Row {
                generation,
                next,
                marks: mark::LIFTED | listed,
                ..Row::VACANT
            };
        }
    }

    /// Returns a row that is to be read or to become vacant.
    pub(crate) fn lifted(&self, row: usize) -> Option<&Row<N>> {
        let row = self.rows.get(row)?;
        row.is_marked(mark::LIFTED).then_some(row)
    }

    /// Takes so many rows from the list of vacant ones, and returns whether they were all lifted ones.
    pub(crate) fn take_from_vacant(&mut self, taken: u32) -> bool {
        (0..taken).all(|_| {
            let first = self.state.vacant.checked_sub(1);
            let row = first.and_then(|row| self.rows.get_mut(row as usize));
            let Some(row) = row.filter(|row| row.is_marked(mark::UNDONE)) else {
                return false;
            };
            self.state.vacant = core::mem::take(&mut row.next);
            row.marks &= !mark::UNDONE;
            if self.state.vacant == 0 {
                self.state.vacated = 0;
            }
            true
        })
    }

    /// Becomes as it was when nothing had happened.
    pub(crate) fn begin_again(&mut self) {
        let incarnation = self.state.incarnation;
        *self.state = LedgerState {
            incarnation,
            ..LedgerState::EMPTY
        };
        self.rows.fill(Row::VACANT);
        self.starts.fill(0);
        self.timers.fill(Timer::NONE);
    }
}

impl<N: Width> Row<N> {
    /// Returns a live row as a snapshot holds it.
    pub(crate) fn to_bytes(self) -> [u8; ROW_BYTES] {
        let [pes, requested_pes] =
            [self.pes, self.requested_pes].map(|pes| (pes.get() as u16).to_le_bytes());
        Piece::NEW
            .and(self.ready.get().to_le_bytes())
            .and(self.accepted.to_le_bytes())
            .and(self.room.get().to_le_bytes())
            .and(self.requested.get().to_le_bytes())
            .and(self.lead.get().to_le_bytes())
            .and(self.duration.get().to_le_bytes())
            .and(self.ahead.get().to_le_bytes())
            .and(self.note.to_le_bytes())
            .and(pes)
            .and(requested_pes)
            .and(self.spare.to_le_bytes())
            .and([self.phase.0, self.marks])
            .whole()
    }

    /// Returns what of a row of 32 bits a count lies behind these bytes: the upper halves of both numbers of units.
    pub(crate) fn upper_halves(self) -> [u8; 4] {
        let [pes, requested_pes] =
            [self.pes, self.requested_pes].map(|pes| ((pes.get() >> 16) as u16).to_le_bytes());
        Piece::NEW.and(pes).and(requested_pes).whole()
    }

    /// Adds them to a row of its other bytes.
    pub(crate) fn with_upper_halves(self, bytes: [u8; 4]) -> Self {
        let [a, b, c, d] = bytes;
        let with = |pes: RowPes<N>, upper| {
            RowPes::new(pes.get() | u32::from(u16::from_le_bytes(upper)) << 16)
        };
        Self {
            pes: with(self.pes, [a, b]),
            requested_pes: with(self.requested_pes, [c, d]),
            ..self
        }
    }

    /// Returns the row of these bytes, or nothing where times are not those of any row.
    pub(crate) fn from_bytes(bytes: &[u8; ROW_BYTES], generation: u32) -> Option<Self> {
        let word = |at: usize| {
            bytes
                .get(at..)?
                .first_chunk()
                .copied()
                .map(u64::from_le_bytes)
        };
        let span = |at: usize| {
            bytes
                .get(at..)?
                .first_chunk()
                .copied()
                .map(u32::from_le_bytes)
        };
        let half = |at: usize| {
            bytes
                .get(at..)?
                .first_chunk()
                .copied()
                .map(u16::from_le_bytes)
        };
        let pes = |at: usize| Some(RowPes::of(PeCount::new(half(at)?.into())));
        let ready = word(0)?;
        let room = span(16)?;
        // Where times wrap around, later ones could look earlier.
        ready.checked_add(room.into())?;
        Some(Self {
            ready: Slot::new(ready),
            accepted: word(8)?,
            room: Span::new(room),
            requested: Span::new(span(20)?),
            lead: Span::new(span(24)?),
            duration: Span::new(span(28)?),
            ahead: Span::new(span(32)?),
            note: span(36)?,
            generation,
            pes: pes(40)?,
            requested_pes: pes(42)?,
            spare: half(44)?,
            phase: Phase(*bytes.get(46)?),
            marks: *bytes.get(47)?,
            ..Self::VACANT
        })
    }
}
