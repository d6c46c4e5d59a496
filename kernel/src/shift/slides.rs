//! The paper's search: slot by slot, who is in the way slides aside.

use super::{
    Direction, Shifting,
    room::{Place, Rank},
};
use crate::{
    error::{Error, Refusal},
    fit::Job,
    ledger::RowOf,
    ring::Ring,
    time::Slot,
    transaction::Transaction,
};

/// A side to slide to.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

impl Direction {
    /// Returns the sides in the order in which they are tried.
    const fn sides(self) -> &'static [Side] {
        match self {
            Self::Right => &[Side::Right],
            Self::Both => &[Side::Right, Side::Left],
        }
    }
}

/// A run that seeks a start.
struct Run<'p, K> {
    duration: usize,
    pes: u32,
    class: K,
    /// The starts tried first and last; the latter is the smaller one on the way to the left.
    first: usize,
    last: usize,
    side: Side,
    above: Option<&'p Place<'p, K>>,
}

impl<K> Run<'_, K> {
    /// Returns the nearest start behind `from` at which the run does not cover the slot `short`.
    fn next(&self, short: usize) -> Option<usize> {
        match self.side {
            Side::Right => Some(short.saturating_add(1)).filter(|next| *next <= self.last),
            Side::Left => short
                .checked_sub(self.duration)
                .filter(|next| *next >= self.last),
        }
    }
}

/// The slides of one insertion.
struct Slides<'r> {
    rules: &'r Shifting,
    /// How many there are, without those rolled back.
    made: u32,
    /// Whether one was left out for a limit on moves.
    limited: bool,
}

impl<R: Ring> Transaction<'_, '_, R> {
    /// Makes room for a newcomer, and returns its start.
    pub(super) fn slide_for(
        &mut self,
        job: &Job,
        depth: u8,
        rules: &Shifting,
    ) -> Result<usize, Error> {
        let mut slides = Slides {
            rules,
            made: 0,
            limited: false,
        };
        let run = Run {
            duration: job.duration,
            pes: job.pes,
            class: self.book.ring.asked(),
            first: job.ready,
            last: job.latest,
            side: Side::Right,
            above: None,
        };
        let depth = depth.min(Shifting::DEEPEST);
        let found = self.make_room(&run, depth, &mut slides)?;
        let limited = if slides.limited {
            Refusal::MoveLimit
        } else {
            Refusal::NoRoom
        };
        Ok(found.ok_or(limited)?)
    }

    /// Returns the first start at which the run has room, or others slide so that it has.
    fn make_room(
        &mut self,
        run: &Run<'_, R::Class>,
        depth: u8,
        slides: &mut Slides<'_>,
    ) -> Result<Option<usize>, Error> {
        let mut next = Some(run.first);
        // Each round tries a start further on.
        while let Some(start) = next {
            let place = Place {
                window: start..start.saturating_add(run.duration),
                pes: run.pes,
                class: run.class,
                above: run.above,
            };
            let Some(short) = self.clear_place(&place, depth, slides)? else {
                return Ok(Some(start));
            };
            next = run.next(short);
        }
        Ok(None)
    }

    /// Makes room for a run at this place. Returns the first slot in which that is impossible, and then nothing has
    /// changed.
    fn clear_place(
        &mut self,
        place: &Place<'_, R::Class>,
        depth: u8,
        slides: &mut Slides<'_>,
    ) -> Result<Option<usize>, Error> {
        let first = self.first_short(place)?;
        if first.is_none() || depth == 0 {
            return Ok(first);
        }
        let (before, made) = (self.savepoint(), slides.made);
        let mut next = first;
        // Each slide takes an entry of the log, so they end.
        while let Some(short) = next {
            if !self.relieve(place, short, depth, slides)? {
                self.rollback_to(before)?;
                slides.made = made;
                break;
            }
            next = self.first_short(place)?;
        }
        Ok(next)
    }

    /// Slides one reservation out of the slot `short`, which is the first of `place` with too few free. Returns whether one could.
    fn relieve(
        &mut self,
        place: &Place<'_, R::Class>,
        short: usize,
        depth: u8,
        slides: &mut Slides<'_>,
    ) -> Result<bool, Error> {
        let start = place.window.start;
        let (sides, earliest) = (slides.rules.direction.sides(), slides.rules.earliest);
        let can_slide = |transaction: &Self, row: &RowOf<R>| {
            let mut runs = sides
                .iter()
                .map(|side| transaction.run_of(row, *side, place, short, earliest));
            runs.any(|run| run.is_some())
        };
        if !self.can_be_relieved(place, short, can_slide)? {
            return Ok(false);
        }
        // Nobody is pushed while somebody finds room without that.
        for depth in 0..depth {
            let mut last: Option<Rank> = None;
            while let Some((index, rank)) = self.next_in_the_way(start, short, last, |_| true)? {
                last = Some(rank);
                for side in sides {
                    if self.slide(index, *side, place, short, depth, slides)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Slides a reservation out of the slot `short`. Returns whether it could; if not, nothing has changed.
    fn slide(
        &mut self,
        index: usize,
        side: Side,
        place: &Place<'_, R::Class>,
        short: usize,
        depth: u8,
        slides: &mut Slides<'_>,
    ) -> Result<bool, Error> {
        let row = self.row(index);
        let Some(run) = self.run_of(&row, side, place, short, slides.rules.earliest) else {
            return Ok(false);
        };
        if slides.made >= slides.rules.max_moves {
            slides.limited = true;
            return Ok(false);
        }
        let (before, made) = (self.savepoint(), slides.made);
        let slid = self.slide_to(index, &run, short, depth, slides);
        if slid == Ok(true) {
            return slid;
        }
        self.rollback_to(before)?;
        slides.made = made;
        if slid == Err(Refusal::MoveLimit.into()) {
            slides.limited = true;
            return Ok(false);
        }
        slid
    }

    /// Returns the run of a reservation that leaves the slot `short` for `place`; `None` when its window has no start
    /// on that side.
    fn run_of<'p>(
        &self,
        row: &RowOf<R>,
        side: Side,
        place: &'p Place<'p, R::Class>,
        short: usize,
        earliest: Slot,
    ) -> Option<Run<'p, R::Class>> {
        let (earliest, latest) = self.starts_of(row, earliest)?;
        let duration = row.duration.get() as usize;
        let (first, last) = match side {
            Side::Right => (earliest.max(short.saturating_add(1)), latest),
            Side::Left => {
                // With named processing elements, it may end before that slot already.
                let left = self.book.ring.axis().nearest(row.start()).checked_sub(1)?;
                (left.min(short.checked_sub(duration)?), earliest)
            }
        };
        (earliest..=latest).contains(&first).then_some(Run {
            duration,
            pes: row.pes.get(),
            class: R::class_of(row),
            first,
            last,
            side,
            above: Some(place),
        })
    }

    /// Lifts a reservation and places it where it finds room as `run`. Returns whether the slot is less short for that.
    fn slide_to(
        &mut self,
        index: usize,
        run: &Run<'_, R::Class>,
        short: usize,
        depth: u8,
        slides: &mut Slides<'_>,
    ) -> Result<bool, Error> {
        let from = run.above.map_or(short, |place| place.window.start);
        let until_short = from..short.saturating_add(1);
        let wanting = run.above.map_or(run.class, |place| place.class);
        let row = self.row(index);
        slides.made = slides.made.saturating_add(1);
        // Counts fall when somebody leaves; the number of named ones that are busy before and in the slot may not.
        let busy = if R::COUNTS_DECIDE {
            u32::MAX
        } else {
            self.busy_during(wanting, until_short.clone())?
        };
        self.lift_row(index, &row)?;
        let Some(start) = self.make_room(run, depth, slides)? else {
            return Ok(false);
        };
        self.place_at(index, &row, start)?;
        Ok(R::COUNTS_DECIDE || self.busy_during(wanting, until_short)? < busy)
    }
}
