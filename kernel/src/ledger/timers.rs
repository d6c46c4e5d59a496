//! When each reservation needs attention next: a binary heap of rows.

use super::Row;

/// The live rows, heap-ordered by [`Row::rank`]; each row knows where in the heap it stands.
pub(crate) struct Timers<'t> {
    pub(crate) heap: &'t mut [u32],
    pub(crate) rows: &'t mut [Row],
    pub(crate) len: &'t mut u32,
}

impl Timers<'_> {
    /// Adds `row`. O(log rows).
    pub(crate) fn insert(&mut self, row: u32) {
        let last = *self.len;
        *self.len = last.saturating_add(1);
        self.put(last, row);
        self.rise(last);
    }

    /// Takes `row` out. O(log rows).
    pub(crate) fn remove(&mut self, row: u32) {
        let Some(hole) = self.rows.get(row as usize).map(|row| row.timer) else {
            return;
        };
        let last = self.len.saturating_sub(1);
        *self.len = last;
        if hole != last
            && let Some(moved) = self.at(last)
        {
            self.put(hole, moved);
            self.settle(hole);
        }
        if let Some(cell) = self.heap.get_mut(last as usize) {
            *cell = 0;
        }
    }

    /// `row` is due at another time than before. O(log rows).
    pub(crate) fn changed(&mut self, row: u32) {
        if let Some(place) = self.rows.get(row as usize).map(|row| row.timer) {
            self.settle(place);
        }
    }

    /// Whether the heap is in order and every live row in it.
    pub(crate) fn in_order(&self) -> bool {
        let live = self.rows.iter().filter(|row| row.is_live()).count();
        live == *self.len as usize
            && (0..*self.len).all(|place| {
                let known = self.at(place).and_then(|row| self.rows.get(row as usize));
                let parent = place.saturating_sub(1) / 2;
                known.is_some_and(|row| row.is_live() && row.timer == place)
                    && !(place > 0 && self.rank(place) < self.rank(parent))
            })
    }

    fn settle(&mut self, place: u32) {
        let place = self.rise(place);
        self.sink(place);
    }

    fn rise(&mut self, from: u32) -> u32 {
        let rank = self.rank(from);
        let mut place = from;
        while place > 0 {
            let parent = place.saturating_sub(1) / 2;
            if rank >= self.rank(parent) {
                break;
            }
            self.swap(place, parent);
            place = parent;
        }
        place
    }

    fn sink(&mut self, from: u32) {
        let rank = self.rank(from);
        let mut place = from;
        // Each round doubles `place`, so there are at most 32.
        loop {
            let left = place.saturating_mul(2).saturating_add(1);
            if left >= *self.len {
                return;
            }
            let right = left.saturating_add(1);
            let (mut first, mut earliest) = (left, self.rank(left));
            if right < *self.len {
                let other = self.rank(right);
                if other < earliest {
                    (first, earliest) = (right, other);
                }
            }
            if rank <= earliest {
                return;
            }
            self.swap(place, first);
            place = first;
        }
    }

    /// The rank of the row at `place`. Not inlined, since it is needed all over.
    #[inline(never)]
    fn rank(&self, place: u32) -> u128 {
        let row = self.at(place).and_then(|row| self.rows.get(row as usize));
        row.map_or(0, Row::rank)
    }

    fn at(&self, place: u32) -> Option<u32> {
        self.heap.get(place as usize).copied()
    }

    fn swap(&mut self, one: u32, other: u32) {
        if let (Some(first), Some(second)) = (self.at(one), self.at(other)) {
            self.put(one, second);
            self.put(other, first);
        }
    }

    fn put(&mut self, place: u32, row: u32) {
        if let Some(cell) = self.heap.get_mut(place as usize) {
            *cell = row;
        }
        if let Some(row) = self.rows.get_mut(row as usize) {
            row.timer = place;
        }
    }
}
