//! Numbers for handles: all sides of a comparison count reservations in order of acceptance.

use alloc::{collections::BTreeMap, rc::Rc, vec::Vec};
use core::mem;

use bookahead::{Booking, Event, EventKind, Handle, Move};

use super::moving::Arranged;
use crate::{Happening, JuggleEnd, Juggled, Moved, Number, Reply};

/// So many new names are copied with a side; those before are shared.
const MOST_RECENT: usize = 64;

/// Which handle each number stands for.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The first of them. Sides are copied often, and names never change.
    old: Rc<Known>,
    /// Those after them.
    recent: Known,
}

#[derive(Clone, Debug, Default)]
struct Known {
    handles: Vec<Handle>,
    /// By the bits of their handles.
    numbers: BTreeMap<u64, Number>,
}

impl Names {
    /// The number of the next reservation.
    #[must_use]
    pub fn next(&self) -> Number {
        (self.old.handles.len() + self.recent.handles.len()) as Number
    }

    /// The handle of a number. One that was never given out stands for a number that was never given.
    #[must_use]
    pub fn handle(&self, number: Number) -> Handle {
        let (old, recent) = (&self.old.handles, &self.recent.handles);
        let known = usize::try_from(number).ok().and_then(|nth| {
            nth.checked_sub(old.len())
                .map_or_else(|| old.get(nth), |nth| recent.get(nth))
        });
        known.copied().unwrap_or(Handle::from_bits(u64::MAX))
    }

    /// The number of a handle; the last there is for one that was never named.
    #[must_use]
    pub fn number(&self, handle: Handle) -> Number {
        let mut both = [&self.recent, &*self.old].into_iter();
        both.find_map(|known| known.numbers.get(&handle.to_bits()))
            .copied()
            .unwrap_or(Number::MAX)
    }

    /// The numbers of several.
    #[must_use]
    pub fn numbers(&self, handles: impl IntoIterator<Item = Handle>) -> Vec<Number> {
        handles
            .into_iter()
            .map(|handle| self.number(handle))
            .collect()
    }

    /// Names a new reservation. A handle that was given out before keeps its number, which is not the one that is due.
    pub fn begin(&mut self, handle: Handle) -> Number {
        let (known, next) = (self.number(handle), self.next());
        if known != Number::MAX {
            return known;
        }
        self.recent.handles.push(handle);
        self.recent.numbers.insert(handle.to_bits(), next);
        if self.recent.handles.len() >= MOST_RECENT
            && let Some(old) = Rc::get_mut(&mut self.old)
        {
            old.handles.append(&mut self.recent.handles);
            old.numbers.extend(mem::take(&mut self.recent.numbers));
        }
        next
    }

    /// Names several new reservations.
    pub fn begin_all(&mut self, handles: Vec<Handle>) -> Vec<Number> {
        handles
            .into_iter()
            .map(|handle| self.begin(handle))
            .collect()
    }

    /// Names a reservation that was booked.
    pub fn booked(&mut self, booking: Booking) -> Reply {
        Reply::Booked(self.begin(booking.handle), booking.start)
    }

    /// An event by the number of its reservation. A job that leaves the queue and a request that is promised are new to the book.
    pub fn happening(&mut self, event: Event) -> Happening {
        Happening {
            at: event.at,
            whose: match event.kind {
                EventKind::BestEffortStarted | EventKind::Promised => {
                    Some(self.begin(event.handle))
                }
                EventKind::GaveUp => None,
                _ => Some(self.number(event.handle)),
            },
            kind: event.kind,
            ticket: event.ticket,
        }
    }

    /// What juggling came to. A newcomer that was only planned gets the number that it would have.
    pub fn juggled(&mut self, (made, moves): Arranged, end: JuggleEnd) -> Juggled {
        let newcomer = made.map(|booking| booking.handle);
        let number = match (newcomer, end) {
            (Some(handle), JuggleEnd::AtOnce | JuggleEnd::Commit) => self.begin(handle),
            _ => self.next(),
        };
        let whose = |handle| {
            if newcomer == Some(handle) {
                number
            } else {
                self.number(handle)
            }
        };
        let moves = moves.iter().map(|to| moved(to, whose));
        Juggled {
            made: made.map(|booking| (number, booking.start)),
            moves: moves.collect(),
        }
    }
}

/// A move by the number of what it moves.
pub(super) fn moved(to: &Move, number: impl Fn(Handle) -> Number) -> Moved {
    Moved {
        whose: number(to.handle),
        from: to.from,
        to: to.to,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_that_is_given_out_twice_is_not_a_new_reservation() {
        let mut names = Names::default();
        let handles = [7, 8, 7, 9].map(Handle::from_bits);
        assert_eq!(names.begin_all(handles.to_vec()), [0, 1, 0, 2]);
        assert_eq!(names.numbers(handles), [0, 1, 0, 2]);
        assert_eq!((names.handle(2), names.next()), (handles[3], 3));
        let never = Handle::from_bits(u64::MAX);
        assert_eq!((names.handle(3), names.number(never)), (never, Number::MAX));
    }

    #[test]
    fn a_copy_gives_names_of_its_own() {
        let mut names = Names::default();
        let handle = |bits: usize| Handle::from_bits(bits as u64);
        let mut sides = Vec::new();
        for nth in 0..5 * MOST_RECENT {
            assert_eq!(names.begin(handle(nth)), nth as Number);
            if nth % 100 == 7 {
                let mut side = names.clone();
                assert_eq!(side.begin(handle(9_000 + nth)), nth as Number + 1);
                sides.push((side, nth + 1));
            }
            // Names are shared once nobody else has them.
            if nth == 3 * MOST_RECENT {
                sides.clear();
            }
        }
        assert!(!names.old.handles.is_empty() && sides.len() > 1);
        for (side, next) in &sides {
            assert_eq!(side.handle(*next as Number), handle(9_000 + next - 1));
            assert_eq!(side.number(handle(*next)), Number::MAX);
        }
        for nth in 0..5 * MOST_RECENT {
            assert_eq!(names.handle(nth as Number), handle(nth));
            assert_eq!(names.number(handle(nth)), nth as Number);
        }
    }
}
