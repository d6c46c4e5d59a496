//! Lists of reservations in order of start: one list per slot for those that have not started, one list for those that
//! run.

use super::Row;
use crate::ring::Width;

/// A list of rows, given by its first one: 1 + a row, or 0 for none. The links are in the rows; `previous` of the first
/// row is the last row, so that both ends can be reached at once.
pub(crate) type First = u32;

/// Inserts `row` in order of start and, among equal starts, of acceptance. The position is searched from the end. O(1)
/// at the end, otherwise O(list).
pub(crate) fn insert<N: Width>(rows: &mut [Row<N>], first: &mut First, row: usize) {
    let name = name_of(row);
    let Some(own) = rows.get(row).map(order) else {
        return;
    };
    let last = get(rows, *first).map_or(0, |first| first.previous);
    let mut before = last;
    // At most one round of the list, however damaged its links.
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
    // The row behind is now preceded by the new row. If there is none, the new row is the last, and the first row's
    // `previous` holds it.
    let follower = if behind == 0 { *first } else { behind };
    if let Some(follower) = get_mut(rows, follower) {
        follower.previous = name;
    }
}

/// Removes `row`. O(1).
pub(crate) fn remove<N: Width>(rows: &mut [Row<N>], first: &mut First, row: usize) {
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

/// Returns the rows of a list, in order; at most as many as there are rows.
#[inline]
pub(crate) fn walk<N: Width>(rows: &[Row<N>], first: First) -> impl Iterator<Item = usize> + Clone {
    let (mut next, mut left) = (index_of(first), rows.len());
    // One closure, since adapters are not inlined into the searches that walk through lists in their innermost loops.
    core::iter::from_fn(move || {
        left = left.checked_sub(1)?;
        let row = next?;
        next = rows.get(row).and_then(|row| index_of(row.next));
        Some(row)
    })
}

/// Returns how many members a list has, if its links agree, its members are in order, and each satisfies `belongs`.
pub(crate) fn verify<N: Width>(
    rows: &[Row<N>],
    first: First,
    belongs: impl Fn(&Row<N>) -> bool,
) -> Option<usize> {
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

/// Returns the sort key of a list as one wide number, whose comparison takes the least code.
const fn order<N: Width>(row: &Row<N>) -> u128 {
    (row.start().get() as u128) << 64 | row.accepted as u128
}

const fn name_of(row: usize) -> u32 {
    (row as u32).wrapping_add(1)
}

fn index_of(name: u32) -> Option<usize> {
    name.checked_sub(1).map(|row| row as usize)
}

fn get<N: Width>(rows: &[Row<N>], name: u32) -> Option<&Row<N>> {
    rows.get(index_of(name)?)
}

fn get_mut<N: Width>(rows: &mut [Row<N>], name: u32) -> Option<&mut Row<N>> {
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
