//! Flexible reservations start earlier where room has appeared.

use bookahead::{Error, Slot, Span, State};
use bookahead_commands::{Moved, Number};

use super::row::Row;
use super::{Attempt, Oracle};

impl Oracle {
    /// Moves reservations forward until nobody can start earlier, at most so many; who has moved, and whether somebody else still could.
    pub fn pull_forward(&mut self, earliest: Slot, room: usize) -> (Vec<Moved>, bool) {
        let mut moves = Vec::new();
        while let Some(pulled) = self.first_to_pull(earliest) {
            if moves.len() >= room {
                return (moves, true);
            }
            moves.extend(pulled.moves());
            self.commit_attempt(pulled).expect("it has been placed");
        }
        (moves, false)
    }

    /// From which slot on somebody may be pulled: the one of a hold's own start is left when that is given up.
    pub(crate) fn first_to_pull_to(&self) -> Slot {
        let now = self.now();
        let held = |row: &Row| matches!(row.state(), State::Held { .. });
        let mut rows = self.rows.iter();
        match rows.any(|row| row.placed.start == now && held(row)) {
            true => now.saturating_add(Span::new(1)),
            false => now,
        }
    }

    /// The first one that can start earlier, by start and then by acceptance, moved.
    fn first_to_pull(&self, earliest: Slot) -> Option<Attempt> {
        let movable = self.rows.iter().filter(|row| self.is_movable(row));
        let mut movable: Vec<(Slot, Number)> =
            movable.map(|row| (row.placed.start, row.number)).collect();
        movable.sort_unstable();
        movable.into_iter().find_map(|(start, number)| {
            let mut attempt = self.attempt(usize::MAX, u64::MAX);
            let pulled = attempt.pull(number, earliest);
            pulled.is_ok_and(|to| to < start).then_some(attempt)
        })
    }
}

impl Attempt {
    fn pull(&mut self, number: Number, earliest: Slot) -> Result<Slot, Error> {
        self.lift(number)?;
        self.place_first_fit(number, earliest)
    }
}
