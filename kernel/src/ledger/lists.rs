//! Reservations in order of their start: one list per slot for those to come, one list for those that run.

use super::Row;

/// A list of rows, given by its first one: 1 + a row, or 0 for none. Neighbours are linked in the rows; the first row's
/// `previous` is the last one, so that both ends are at hand.
pub(crate) type First = u32;

/// Adds `row` in the order of starts and, among equals, acceptance; its place is looked for from the end. O(1) at the end, O(list) else.
pub(crate) fn insert(rows: &mut [Row], first: &mut First, row: usize) {
    let name = name_of(row);
    let Some(own) = rows.get(row).map(order) else {
        return;
    };
    let last = get(rows, *first).map_or(0, |first| first.previous);
    let mut before = last;
    // After one round of the list at most, however damaged its links.
    for _ in 0..rows.len() {
        let Some(there) = get(rows, before) else {
            break;
        };
        if order(there) <= own {
            break;
        }
        before = if before == *first { 0 } else { there.previous };
    }
    let behind = get(rows, before).map_or(*first, |before| before.next);
    if let Some(new) = get_mut(rows, name) {
        new.next = behind;
        new.previous = if before == 0 && last != 0 {
            last
        } else {
            before
        };
        if last == 0 {
            new.previous = name;
        }
    }
    if let Some(before) = get_mut(rows, before) {
        before.next = name;
    } else {
        *first = name;
    }
    // Whoever comes behind is preceded by the new row; if nobody does, the new row is the last, which the first knows.
    let follower = if behind == 0 { *first } else { behind };
    if let Some(follower) = get_mut(rows, follower) {
        follower.previous = name;
    }
}

/// Takes `row` out. O(1).
pub(crate) fn remove(rows: &mut [Row], first: &mut First, row: usize) {
    let name = name_of(row);
    let Some((previous, next)) = rows.get(row).map(|row| (row.previous, row.next)) else {
        return;
    };
    if *first == name {
        *first = next;
    } else if let Some(before) = get_mut(rows, previous) {
        before.next = next;
    }
    let follower = if next == 0 { *first } else { next };
    if let Some(follower) = get_mut(rows, follower) {
        follower.previous = previous;
    }
    if let Some(row) = rows.get_mut(row) {
        (row.previous, row.next) = (0, 0);
    }
}

/// The rows of a list, in order. At most as many as there are rows.
pub(crate) fn walk(rows: &[Row], first: First) -> impl Iterator<Item = usize> + Clone {
    let steps = rows.len();
    core::iter::successors(index_of(first), move |row| {
        rows.get(*row).and_then(|row| index_of(row.next))
    })
    .take(steps)
}

/// How many members a list has, if its links agree, its members are in order, and each satisfies `belongs`.
pub(crate) fn verify(rows: &[Row], first: First, belongs: impl Fn(&Row) -> bool) -> Option<usize> {
    let mut last = 0;
    let mut len = 0_usize;
    for row in walk(rows, first) {
        let there = rows.get(row)?;
        let linked = get(rows, last)
            .is_none_or(|before| there.previous == last && order(before) < order(there));
        if !linked || !belongs(there) {
            return None;
        }
        last = name_of(row);
        len = len.saturating_add(1);
    }
    let closed = get(rows, first).is_none_or(|first| first.previous == last);
    let ended = get(rows, last).is_none_or(|last| last.next == 0);
    (closed && ended).then_some(len)
}

/// What a list is ordered by, as one wide number, which is compared with the least code.
const fn order(row: &Row) -> u128 {
    (row.start().get() as u128) << 64 | row.accepted as u128
}

const fn name_of(row: usize) -> u32 {
    (row as u32).wrapping_add(1)
}

fn index_of(name: u32) -> Option<usize> {
    name.checked_sub(1).map(|row| row as usize)
}

fn get(rows: &[Row], name: u32) -> Option<&Row> {
    rows.get(index_of(name)?)
}

fn get_mut(rows: &mut [Row], name: u32) -> Option<&mut Row> {
    rows.get_mut(index_of(name)?)
}

#[cfg(test)]
mod tests {
    use super::{Row, insert, remove, verify, walk};
    use crate::time::Slot;

    fn order(rows: &[Row], first: u32) -> Vec<usize> {
        walk(rows, first).collect()
    }

    #[test]
    fn rows_find_their_place_from_the_end() {
        let mut rows = [5, 9, 7, 1, 8].map(|start| Row {
            ready: Slot::new(start),
            ..Row::VACANT
        });
        let mut first = 0;
        for row in 0..5 {
            insert(&mut rows, &mut first, row);
            assert_eq!(verify(&rows, first, |_| true), Some(row + 1));
        }
        assert_eq!(order(&rows, first), [3, 0, 2, 4, 1]);
        // The first, one in the middle, the last.
        for (row, rest) in [(3, vec![0, 2, 4, 1]), (2, vec![0, 4, 1]), (1, vec![0, 4])] {
            remove(&mut rows, &mut first, row);
            assert_eq!(order(&rows, first), rest);
            assert_eq!(verify(&rows, first, |_| true), Some(rest.len()));
        }
    }

    extern crate std;
    use std::{vec, vec::Vec};
}
