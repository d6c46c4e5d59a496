//! All arrangements of a small world, tried one after the other: whether a newcomer finds room when others may be moved, how few have to
//! be moved, and by how little.

use bookahead::{Direction, Request};

/// A reservation and where it is booked, in a world with interchangeable PEs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    /// What was promised.
    pub request: Request,
    /// Where it starts.
    pub start: u64,
    /// Whether it may be moved.
    pub movable: bool,
}

impl Seat {
    fn covers(&self, start: u64, slot: u64) -> bool {
        (start..start + u64::from(self.request.duration.get())).contains(&slot)
    }

    /// The starts that it may get from `now` on.
    fn starts(&self, now: u64, direction: Direction) -> Vec<u64> {
        if !self.movable {
            return vec![self.start];
        }
        let first = match direction {
            Direction::Right => self.start,
            Direction::Both => self.request.ready.get().max(now),
        };
        let latest = self.request.latest_start().expect("it was accepted");
        (first..=latest.get()).collect()
    }
}

/// What the best arrangements cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Least {
    /// The fewest reservations that have to be moved.
    pub moves: u64,
    /// The least number of slots by which all together have to be shifted, whatever the number of moves.
    pub shift: u64,
}

/// The cost of making room for a newcomer from `now` on, on a machine of `pes` PEs; `None` when no arrangement has room for it.
#[must_use]
pub fn least(
    pes: u32,
    now: u64,
    seats: &[Seat],
    newcomer: &Request,
    direction: Direction,
) -> Option<Least> {
    let seat = Seat {
        request: *newcomer,
        start: newcomer.ready.get(),
        movable: true,
    };
    let mut best = None;
    for start in seat.starts(now, Direction::Both) {
        let mut search = Search {
            pes,
            now,
            direction,
            placed: vec![(seat, start)],
            best: &mut best,
        };
        search.place(seats, Least { moves: 0, shift: 0 });
    }
    best
}

struct Search<'s> {
    pes: u32,
    now: u64,
    direction: Direction,
    placed: Vec<(Seat, u64)>,
    best: &'s mut Option<Least>,
}

impl Search<'_> {
    /// Tries all starts of the first of those that are left, and so on.
    fn place(&mut self, left: &[Seat], cost: Least) {
        let Some((seat, rest)) = left.split_first() else {
            let best = self.best.get_or_insert(cost);
            best.moves = best.moves.min(cost.moves);
            best.shift = best.shift.min(cost.shift);
            return;
        };
        for start in seat.starts(self.now, self.direction) {
            if self.fits(seat, start) {
                self.placed.push((*seat, start));
                let cost = Least {
                    moves: cost.moves + u64::from(start != seat.start),
                    shift: cost.shift + start.abs_diff(seat.start),
                };
                self.place(rest, cost);
                self.placed.pop();
            }
        }
    }

    fn fits(&self, seat: &Seat, start: u64) -> bool {
        let end = start + u64::from(seat.request.duration.get());
        (start..end).all(|slot| {
            let there = self
                .placed
                .iter()
                .filter(|(seat, at)| seat.covers(*at, slot));
            let busy: u32 = there.map(|(seat, _)| seat.request.pes.get()).sum();
            busy + seat.request.pes.get() <= self.pes
        })
    }
}
