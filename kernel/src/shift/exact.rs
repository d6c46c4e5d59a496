//! The exact search: all arrangements, by branch and bound.

use super::{
    Direction, Insertion, Shifting,
    room::{Place, Rank},
};
use crate::{
    book::{Booking, Commitment},
    error::{Error, Refusal},
    fit::Job,
    ledger::{Row, RowOf, mark},
    ring::{CountOf, Ring},
    transaction::{Savepoint, Transaction, UndoEntry},
};

/// A search through all arrangements.
struct Exact<'r> {
    rules: &'r Shifting,
    job: &'r Job,
    /// The newcomer's row.
    index: usize,
    commitment: Commitment,
    /// The log's entries from here on are the search's.
    from: usize,
    /// Arrangements must cost less.
    bound: u64,
    /// Whether the first one below the bound is taken; otherwise it becomes the bound, and the search goes on.
    take: bool,
    /// Whether an arrangement was left out for the limit on moves.
    limited: bool,
}

/// What an arrangement has cost so far.
#[derive(Clone, Copy)]
struct Spent {
    moves: u32,
    cost: u64,
}

/// What is to be placed next.
#[derive(Clone, Copy)]
enum Next<'n, N> {
    Newcomer,
    Lifted(usize, &'n Row<N>),
}

impl Exact<'_> {
    /// Returns what it costs to move a reservation so far; it moves by a slot at least.
    const fn cost_of(&self, slots: usize) -> u64 {
        match self.rules.insertion {
            Insertion::LeastShift => slots as u64,
            _ => 1,
        }
    }
}

impl<R: Ring> Transaction<'_, '_, R> {
    /// Inserts a newcomer into the best arrangement: finds out what it costs, then searches for it again and takes it.
    pub(super) fn insert_exactly(
        &mut self,
        index: usize,
        job: &Job,
        commitment: Commitment,
        rules: &Shifting,
    ) -> Result<Booking, Error> {
        let mut search = Exact {
            rules,
            job,
            index,
            commitment,
            from: self.logged(),
            bound: u64::MAX,
            take: false,
            limited: false,
        };
        self.try_newcomer(&mut search)?;
        if search.bound == u64::MAX {
            let limited = if search.limited {
                Refusal::MoveLimit
            } else {
                Refusal::NoRoom
            };
            return Err(limited.into());
        }
        search.bound = search.bound.saturating_add(1);
        search.take = true;
        let found = self.try_newcomer(&mut search)?;
        let row = self.row(index);
        found
            .then_some(Booking {
                handle: row.handle(index),
                start: row.start(),
            })
            .ok_or(Refusal::NoRoom.into())
    }

    fn try_newcomer(&mut self, search: &mut Exact<'_>) -> Result<bool, Error> {
        let nothing = Spent { moves: 0, cost: 0 };
        for start in search.job.ready..=search.job.latest {
            if self.try_start(Next::Newcomer, start, nothing, search)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Goes on with the next reservation that the search has lifted. Returns whether the arrangement is taken.
    fn place_lifted(&mut self, spent: Spent, search: &mut Exact<'_>) -> Result<bool, Error> {
        let Some(index) = self.first_lifted(search.from) else {
            search.bound = spent.cost;
            return Ok(search.take);
        };
        let row = self.row(index);
        let Some((earliest, latest)) = self.starts_of(&row, search.rules.earliest) else {
            return Ok(false);
        };
        let old = self.book.ring.axis().nearest(row.start());
        // The nearest starts first, so that the bound falls soon.
        for shift in 1..=latest
            .saturating_sub(earliest)
            .max(latest.saturating_sub(old))
        {
            // The slot that it moves at least is paid for.
            let cost = search.cost_of(shift).saturating_sub(1);
            let spent = Spent {
                cost: spent.cost.saturating_add(cost),
                ..spent
            };
            if spent.cost >= search.bound {
                break;
            }
            let right = old.saturating_add(shift);
            let left = old.checked_sub(shift);
            let left = left.filter(|_| search.rules.direction == Direction::Both);
            for start in [Some(right), left].into_iter().flatten() {
                let inside = (earliest..=latest).contains(&start);
                if inside && self.try_start(Next::Lifted(index, &row), start, spent, search)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Places what is next at a start, or lifts somebody in the way and tries again, and goes on. Returns whether the
    /// arrangement is taken; if not, nothing has changed.
    fn try_start(
        &mut self,
        next: Next<'_, CountOf<R>>,
        start: usize,
        spent: Spent,
        search: &mut Exact<'_>,
    ) -> Result<bool, Error> {
        let (duration, pes, class) = match next {
            Next::Newcomer => (search.job.duration, search.job.pes, self.book.ring.asked()),
            Next::Lifted(_, row) => (row.duration.get() as usize, row.pes.get(), R::class_of(row)),
        };
        let place = Place {
            window: start..start.saturating_add(duration),
            pes,
            class,
            above: None,
        };
        let Some(short) = self.first_short(&place)? else {
            let before = self.savepoint();
            match next {
                Next::Newcomer => {
                    self.insert_job(search.index, search.job, start, search.commitment)?;
                }
                Next::Lifted(index, row) => self.place_at(index, row, start)?,
            }
            return self.or_back(before, |transaction| {
                transaction.place_lifted(spent, search)
            });
        };
        // Some reservation that covers this slot has to move in every arrangement with this start.
        let spent = Spent {
            moves: spent.moves.saturating_add(1),
            cost: spent.cost.saturating_add(1),
        };
        if spent.cost >= search.bound {
            return Ok(false);
        }
        let from = search.from;
        let stays = |row: &RowOf<R>| !row.is_marked(mark::LOGGED) || (row.timer as usize) < from;
        if !self.can_be_relieved(&place, short, |_, row| stays(row))? {
            return Ok(false);
        }
        let mut last: Option<Rank> = None;
        while let Some((index, rank)) = self.next_in_the_way(start, short, last, stays)? {
            last = Some(rank);
            if spent.moves > search.rules.max_moves.min(Shifting::DEEPEST.into()) {
                search.limited = true;
                return Ok(false);
            }
            let before = self.savepoint();
            let row = self.row(index);
            self.lift_row(index, &row)?;
            let taken = self.or_back(before, |transaction| {
                transaction.try_start(next, start, spent, search)
            })?;
            if taken {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Makes a change, and undoes it and what came after the savepoint if the arrangement is not taken.
    fn or_back(
        &mut self,
        before: Savepoint,
        change: impl FnOnce(&mut Self) -> Result<bool, Error>,
    ) -> Result<bool, Error> {
        let taken = change(self)?;
        if !taken {
            self.rollback_to(before)?;
        }
        Ok(taken)
    }

    /// Returns the first reservation of the log's entries from `from` on that is lifted.
    fn first_lifted(&self, from: usize) -> Option<usize> {
        let mut rows = self.entries().skip(from).map(UndoEntry::row);
        rows.find(|index| self.row(*index).is_marked(mark::LIFTED))
    }
}
