//! Flexible reservations: juggling and shifting with memory of any size, alternatives, and fixing starts.

use std::{ffi::c_void, ptr::without_provenance_mut};

use arbitrary::Arbitrary;
use bookahead_capi::*;

use crate::{
    Machine, NO_HANDLE, NOWHERE, Which, Wish,
    bad::{List, Pointer, Pointers, Result},
};

#[derive(Arbitrary, Debug)]
pub enum What {
    Juggle(Wish, Promise, Rules, u8),
    Replan(Rules, u8),
    Shift(Wish, Promise, Rules, u8),
    Alternatives(Wish, Promise, Rules, [u8; 2], u32, u8),
    Commit(Wish, Promise),
    Freeze(Which),
    IsFrozen(Which),
}

#[derive(Arbitrary, Clone, Copy, Debug)]
pub struct Promise {
    flexibility: u8,
    freeze: u8,
    number: u16,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
pub struct Rules {
    order: u8,
    /// Admission or direction, what follows a failure or how a place is sought, and the ending.
    modes: [u8; 3],
    moves: u8,
    earliest: u8,
    work: u32,
    seed: u64,
    /// Whether there is a function for revenues.
    asks: bool,
    /// How many entries and elements the memory has.
    memory: [u8; 2],
}

const NO_BOOKING: Juggled = Juggled {
    booking: Booking {
        handle: NO_HANDLE,
        start: u64::MAX,
    },
    work_left: u64::MAX,
    moves: u32::MAX,
    more_moves: u32::MAX,
};

/// As many as make it likely that some are the same.
unsafe extern "C" fn revenue(context: *mut c_void, handle: Handle) -> u64 {
    (handle.bits ^ context.addr() as u64) % 5
}

impl Promise {
    fn of(self) -> Commitment {
        let even = self.number.is_multiple_of(2);
        Commitment {
            kind: match self.flexibility % 4 {
                0 | 1 => CommitmentKind::Flexible as u32,
                2 if even => CommitmentKind::Confirmed as u32,
                2 => CommitmentKind::Held as u32,
                _ => 2 + u32::from(even),
            },
            flexibility: u32::from(self.flexibility % 4),
            ttl: u32::from(self.number % 32),
            freeze: u32::from(self.freeze % 5),
            freeze_after: self.number.into(),
        }
    }
}

impl Rules {
    fn of(self, now: u64) -> Juggling {
        let [admission, after_failure, _] = self.modes;
        Juggling {
            order: u32::from(self.order % 7),
            admission: u32::from(admission % 8) / 3,
            after_failure: u32::from(after_failure % 8) / 3,
            max_moves: self.max_moves(),
            earliest: self.earliest(now),
            work: if self.work.is_multiple_of(4) {
                (self.work % 1_000).into()
            } else {
                u64::MAX
            },
            seed: self.seed,
            newcomer_revenue: self.seed % 5,
            revenue: self.asks.then_some(revenue),
            context: without_provenance_mut(self.seed as usize % 1_000),
        }
    }

    /// Trying all arrangements, or pushing deep, without end would take too long.
    fn shifting(self, now: u64) -> Shifting {
        let [direction, insertion, _] = self.modes;
        Shifting {
            direction: u32::from(direction % 8) / 3,
            insertion: u32::from(insertion % 16) / 5,
            depth: u32::from(self.order) % 5,
            max_moves: self.max_moves(),
            earliest: self.earliest(now),
            work: u64::from(self.work) % 50_000,
        }
    }

    fn max_moves(self) -> u32 {
        if self.moves.is_multiple_of(4) {
            self.moves.into()
        } else {
            u32::MAX
        }
    }

    fn earliest(self, now: u64) -> u64 {
        now.saturating_add(u64::from(self.earliest % 16))
    }

    fn ending(self) -> u32 {
        u32::from(self.modes[2] % 8) / 3
    }
}

/// Memory that lives as long as the call.
struct Memory {
    words: Vec<u64>,
    waiting: usize,
}

impl Memory {
    fn of(rules: Rules) -> Self {
        let [entries, waiting] = rules.memory.map(|room| match room % 4 {
            0 => usize::from(room / 4),
            _ => 64,
        });
        Self {
            words: vec![u64::MAX; entries * 32 + waiting * 3],
            waiting,
        }
    }

    fn lend(&mut self, at: Pointer) -> Workspace {
        Workspace {
            memory: at.to(self.words.as_mut_ptr()).cast(),
            length: self.words.len() * 8,
            waiting: self.waiting,
        }
    }
}

/// What a call tells of the newcomer and of what moved.
struct Told {
    moves: List<Move>,
    juggled: Result<Juggled>,
}

impl Told {
    fn new(room: u8) -> Self {
        let nothing = Move {
            handle: NO_HANDLE,
            from: NOWHERE,
            to: NOWHERE,
        };
        Self {
            moves: List::new(room, nothing),
            juggled: Result::new(NO_BOOKING),
        }
    }

    /// The list of moves, and how many fit in.
    fn list(&mut self) -> (*mut Move, usize) {
        let first = self.moves.first(Pointer::Good);
        (first, self.moves.items.len())
    }

    /// Nobody is removed, changed or booked outside its window. The newcomer, if the call did not fail.
    fn check(
        self,
        code: u32,
        at: Pointers,
        newcomer: Option<&Request>,
        work: u64,
    ) -> Option<Handle> {
        let juggled = self.juggled.get(code, at.output)?;
        let moves = &self.moves.items;
        assert!(juggled.moves as usize <= moves.len() && juggled.work_left <= work);
        for change in &moves[..juggled.moves as usize] {
            assert!(change.to.duration > 0, "a reservation was removed");
            let new = newcomer.is_some_and(|request| request.duration == change.to.duration);
            assert!(change.from.duration == change.to.duration || change.from.duration == 0 && new);
        }
        let Booking { handle, start } = juggled.booking;
        if let Some(request) = newcomer {
            assert!(request.ready <= start);
            assert!(start + u64::from(request.duration) <= request.deadline);
        }
        Some(handle)
    }
}

impl Machine {
    pub fn juggle(&mut self, what: &What, at: Pointers) -> u32 {
        let book = at.book.to(self.book);
        match *what {
            What::Juggle(wish, promise, rules, room) => {
                let newcomer = Some((self.wish(wish).0, promise.of()));
                self.arrange(newcomer, rules, room, at)
            }
            What::Replan(rules, room) => self.arrange(None, rules, room, at),
            What::Shift(wish, promise, rules, room) => {
                let newcomer = (self.wish(wish).0, promise.of());
                self.shift(newcomer, rules, room, at)
            }
            What::Alternatives(wish, promise, rules, [sides, behind], percent, room) => {
                let wanted = Suggesting {
                    sides: u32::from(sides % 4),
                    behind: u32::from(behind % 3),
                    max_percent: percent,
                };
                self.alternatives(wish, promise, rules, wanted, room, at)
            }
            What::Commit(wish, promise) => {
                let (request, policy) = self.wish(wish);
                let mut plan = Plan {
                    request,
                    start: u64::MAX,
                    version: u64::MAX,
                    incarnation: u32::MAX,
                };
                // SAFETY: as for `answer`.
                let code = unsafe { bookahead_plan(self.book, &request, policy, &mut plan) };
                if code != 0 {
                    return code;
                }
                let mut promise = promise.of();
                let mut handle = Result::new(NO_HANDLE);
                let (input, place) = (at.input.to(&mut promise), handle.place(at.output));
                // SAFETY: as for `answer`.
                let code = unsafe { bookahead_commit(book, &plan, input, place) };
                self.handles.extend(handle.get(code, at.output));
                code
            }
            // SAFETY: as for `answer`.
            What::Freeze(which) => unsafe { bookahead_freeze(book, self.handle(which)) },
            What::IsFrozen(which) => {
                let mut frozen = Result::new(false);
                // A byte is never misaligned.
                let output = match at.output {
                    Pointer::Misaligned => Pointer::Null,
                    output => output,
                };
                let place = frozen.place(output);
                // SAFETY: as for `answer`.
                let code = unsafe { bookahead_is_frozen(book, self.handle(which), place) };
                frozen.get(code, output);
                code
            }
        }
    }

    fn arrange(
        &mut self,
        mut newcomer: Option<(Request, Commitment)>,
        rules: Rules,
        room: u8,
        at: Pointers,
    ) -> u32 {
        let (mut juggling, ending) = (rules.of(self.status().now), rules.ending());
        let mut memory = Memory::of(rules);
        let lent = memory.lend(at.input);
        let mut told = Told::new(room);
        let (first, room) = told.list();
        let (book, place) = (at.book.to(self.book), told.juggled.place(at.output));
        // SAFETY: as for `answer`.
        let code = unsafe {
            match &mut newcomer {
                Some((request, promise)) => bookahead_juggle(
                    book,
                    at.input.to(request),
                    promise,
                    &juggling,
                    &lent,
                    ending,
                    first,
                    room,
                    place,
                ),
                None => bookahead_replan(
                    book,
                    at.input.to(&mut juggling),
                    &lent,
                    ending,
                    first,
                    room,
                    place,
                ),
            }
        };
        let newcomer = newcomer.map(|(request, _)| request);
        let work = juggling.work;
        let made = told.check(code, at, newcomer.as_ref(), work);
        let commits = ending == Ending::Commit as u32 && newcomer.is_some();
        self.handles.extend(made.filter(|_| commits));
        code
    }

    fn shift(
        &mut self,
        (mut request, promise): (Request, Commitment),
        rules: Rules,
        room: u8,
        at: Pointers,
    ) -> u32 {
        let (shifting, ending) = (rules.shifting(self.status().now), rules.ending());
        let mut memory = Memory::of(rules);
        let lent = memory.lend(at.input);
        let mut told = Told::new(room);
        let (first, room) = told.list();
        let (book, place) = (at.book.to(self.book), told.juggled.place(at.output));
        // SAFETY: as for `answer`.
        let code = unsafe {
            bookahead_shift_in(
                book,
                at.input.to(&mut request),
                &promise,
                &shifting,
                &lent,
                ending,
                first,
                room,
                place,
            )
        };
        let made = told.check(code, at, Some(&request), shifting.work);
        let commits = ending == Ending::Commit as u32;
        self.handles.extend(made.filter(|_| commits));
        code
    }

    fn alternatives(
        &mut self,
        wish: Wish,
        promise: Promise,
        rules: Rules,
        wanted: Suggesting,
        room: u8,
        at: Pointers,
    ) -> u32 {
        let (mut request, promise) = (self.wish(wish).0, promise.of());
        let juggling = rules.of(self.status().now);
        let mut memory = Memory::of(rules);
        let lent = memory.lend(Pointer::Good);
        let nothing = Alternative {
            request,
            start: u64::MAX,
            shift: 0,
        };
        let mut list = List::new(room, nothing);
        let nothing = Suggested {
            tried: u32::MAX,
            limit: u32::MAX,
        };
        let mut suggested = Result::new(nothing);
        let (first, count) = (list.first(at.output), list.count.place(Pointer::Good));
        let (room, place) = (list.items.len(), suggested.place(Pointer::Good));
        // SAFETY: as for `answer`.
        let code = unsafe {
            bookahead_alternatives(
                at.book.to(self.book),
                at.input.to(&mut request),
                &promise,
                &juggling,
                &wanted,
                &lent,
                first,
                room,
                count,
                place,
            )
        };
        suggested.get(code, Pointer::Good);
        let found = list.get(code);
        assert!(found.is_sorted_by_key(|found| found.shift.unsigned_abs()));
        for found in found {
            let end = found.start + u64::from(found.request.duration);
            assert!(found.request.ready <= found.start && end <= found.request.deadline);
            let shifted = request.ready.saturating_add_signed(found.shift);
            assert_eq!(found.request.ready, shifted);
        }
        code
    }
}
