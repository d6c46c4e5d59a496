//! What moves accepted reservations: alterations, splits, transactions, series, several together; with workspaces of any length.

use arbitrary::Arbitrary;
use bookahead_capi::*;
use bookahead_fuzz::list::Few;

use crate::{
    Machine, NO_HANDLE, NOWHERE, Which, Wish,
    bad::{List, Pointer, Pointers, Result},
    promise,
};

#[derive(Arbitrary, Clone, Copy, Debug)]
pub struct Change {
    kind: u8,
    /// How much later, longer or wider; where it is no extreme.
    by: i8,
    extreme: Option<u64>,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
pub struct Stage {
    kind: u8,
    optional: bool,
    which: Which,
    made_by: u8,
    savepoint: u8,
    to: Place,
    wish: Wish,
    change: Change,
    ttl: Option<u8>,
}

#[derive(Arbitrary, Clone, Copy, Debug)]
struct Place {
    later: i8,
    duration: u8,
    pes: u8,
    extreme: Option<u64>,
}

#[derive(Arbitrary, Debug)]
pub enum What {
    Alter(Which, Change, u8),
    Split(Which, i8, u8),
    Explain(Wish, u8),
    Covering(i8, u8, usize, u8),
    Series {
        wish: Wish,
        period: u8,
        count: u32,
        exceptions: [u8; 3],
        ttl: Option<u8>,
        room: u8,
        undo: u8,
    },
    Together {
        wish: Wish,
        parts: [[u8; 3]; 3],
        length: u8,
        ttl: Option<u8>,
        undo: u8,
    },
    CancelAll([Which; 3]),
    Transaction {
        stages: Few<Stage, 5>,
        ending: u8,
        work: u16,
        undo: u8,
        room: u8,
        /// Whether the moves that were listed are applied, and which word of them is changed first.
        apply: Option<(u8, u8)>,
    },
}

/// A workspace of up to seven entries.
struct Memory(Vec<u64>);

impl Memory {
    fn of(machine: &Machine, entries: u8) -> Self {
        let status = machine.status();
        let entries = u32::from(entries % 8);
        let bytes = bookahead_workspace_bytes(status.binding, status.pes, entries, 0);
        Self(vec![u64::MAX; bytes.div_ceil(8)])
    }

    fn lend(&mut self) -> Workspace {
        Workspace {
            memory: self.0.as_mut_ptr().cast(),
            length: self.0.len() * 8,
            waiting: 0,
        }
    }
}

fn nobody() -> Conflict {
    Conflict {
        handles: [NO_HANDLE; BOOKAHEAD_CONFLICT_LISTED],
        listed: u32::MAX,
        more: u32::MAX,
    }
}

impl Machine {
    /// Where a reservation is, or some place for one that has ended.
    fn placed(&self, handle: Handle) -> Reservation {
        let mut found = Reservation {
            request: Request {
                ready: 0,
                deadline: 0,
                duration: 1,
                pes: 1,
            },
            start: self.status().now,
            end: self.status().now,
            expires: 0,
            state: 0,
            ticket: 0,
        };
        // SAFETY: the book is in the memory that `self` owns.
        unsafe { bookahead_get(self.book, handle, &mut found) };
        found
    }

    fn alteration(&self, handle: Handle, change: Change) -> Alteration {
        let found = self.placed(handle);
        let later = |slot: u64| slot.saturating_add_signed(change.by.into());
        let length = found.end.saturating_sub(found.start) as u32;
        let extreme = |usual: u64| change.extreme.unwrap_or(usual);
        Alteration {
            start: extreme(later(found.start)),
            ready: later(found.request.ready),
            deadline: extreme(later(found.request.deadline)),
            duration: extreme(length.saturating_add_signed(change.by.into()).into()) as u32,
            pes: extreme(
                found
                    .request
                    .pes
                    .saturating_add_signed(change.by.into())
                    .into(),
            ) as u32,
            kind: u32::from(change.kind % 7),
        }
    }

    pub fn change(&mut self, what: &What, at: Pointers) -> u32 {
        let book = at.book.to(self.book);
        match *what {
            What::Alter(which, change, entries) => {
                let handle = self.handle(which);
                let mut alteration = self.alteration(handle, change);
                let mut memory = Memory::of(self, entries);
                let mut placement = Result::new(NOWHERE);
                let mut conflict = nobody();
                // SAFETY: each pointer is bad, or that of a value or memory of that length.
                let code = unsafe {
                    bookahead_alter(
                        book,
                        handle,
                        at.input.to(&mut alteration),
                        &memory.lend(),
                        placement.place(at.output),
                        &mut conflict,
                    )
                };
                if let Some(placement) = placement.get(code, at.output) {
                    let found = self.placed(handle);
                    assert_eq!(placement.start, found.start);
                    assert_eq!(placement.start + u64::from(placement.duration), found.end);
                }
                code
            }
            What::Split(which, after, entries) => {
                let handle = self.handle(which);
                let slot = self
                    .placed(handle)
                    .start
                    .saturating_add_signed(after.into());
                let mut memory = Memory::of(self, entries);
                let mut rest = Result::new(NO_HANDLE);
                let place = rest.place(at.output);
                let workspace = memory.lend();
                // SAFETY: as above.
                let code = unsafe { bookahead_split(book, handle, slot, &workspace, place) };
                self.handles.extend(rest.get(code, at.output));
                code
            }
            What::Explain(wish, room) => {
                let (mut request, _) = self.wish(wish);
                let nothing = Obstacle {
                    start: u64::MAX,
                    at: u64::MAX,
                    holders: nobody(),
                    lacking: u32::MAX,
                };
                let mut list = List::new(room, nothing);
                let first = list.first(at.output);
                let (room, count) = (list.items.len(), list.count.place(Pointer::Good));
                let mut explained = Explanation {
                    fits: 0,
                    earlier: 0,
                    later: 0,
                    more: 0,
                };
                let input = at.input.to(&mut request);
                // SAFETY: as above.
                let code =
                    unsafe { bookahead_explain(book, input, first, room, count, &mut explained) };
                let listed = list.get(code);
                assert!(
                    listed
                        .iter()
                        .all(|one| one.lacking > 0 && one.start <= one.at)
                );
                code
            }
            What::Covering(after, length, skip, room) => {
                let start = self.status().now.saturating_add_signed(after.into());
                let end = start.saturating_add(length.into());
                let mut list = List::new(room, NO_HANDLE);
                let first = list.first(at.output);
                let (room, count) = (list.items.len(), list.count.place(Pointer::Good));
                // SAFETY: as above.
                let code =
                    unsafe { bookahead_covering(book, start, end, skip, first, room, count) };
                for handle in list.get(code) {
                    let found = self.placed(*handle);
                    assert!(found.start < end && start < found.end);
                }
                code
            }
            What::Series { .. } => self.series(what, at),
            What::Together { .. } => self.together(what, at),
            What::CancelAll(which) => {
                let mut handles = which.map(|which| self.handle(which));
                let first = at.input.to(handles.as_mut_ptr());
                let mut cancelled = Result::new(usize::MAX);
                let place = cancelled.place(at.output);
                // SAFETY: as above.
                let code = unsafe { bookahead_cancel_all(book, first, handles.len(), place) };
                assert!(
                    cancelled
                        .get(code, at.output)
                        .is_none_or(|number| number <= 3)
                );
                code
            }
            What::Transaction { .. } => self.transaction(what, at),
        }
    }

    fn series(&mut self, what: &What, at: Pointers) -> u32 {
        let What::Series {
            wish,
            period,
            count,
            exceptions,
            ttl,
            room,
            undo: entries,
        } = *what
        else {
            unreachable!("it is called with a series");
        };
        let (first, policy) = self.wish(wish);
        let exceptions = exceptions.map(u32::from);
        let mut series = Series {
            first,
            period: period.into(),
            // Mostly a handful.
            count: if count.is_multiple_of(8) {
                count
            } else {
                count % 8
            },
            exceptions: exceptions.as_ptr(),
            exception_count: exceptions.len(),
        };
        let mut memory = Memory::of(self, entries);
        let mut list = List::new(room, NO_HANDLE);
        let first = list.first(at.output);
        let (room, number) = (list.items.len(), list.count.place(Pointer::Good));
        let mut conflict = nobody();
        // SAFETY: as above.
        let code = unsafe {
            bookahead_reserve_series(
                at.book.to(self.book),
                at.input.to(&mut series),
                policy,
                &promise(ttl),
                &memory.lend(),
                first,
                room,
                number,
                &mut conflict,
            )
        };
        self.handles.extend(list.get(code));
        code
    }

    fn together(&mut self, what: &What, at: Pointers) -> u32 {
        let What::Together {
            wish,
            parts,
            length,
            ttl,
            undo: entries,
        } = *what
        else {
            unreachable!("it is called with parts");
        };
        let (request, _) = self.wish(wish);
        let mut parts = parts.map(|[offset, duration, pes]| Part {
            offset: offset.into(),
            duration: (duration % 16).into(),
            pes: (pes % 32).into(),
        });
        let length = usize::from(length) % (parts.len() + 1);
        let mut memory = Memory::of(self, entries);
        let mut made = [NO_HANDLE; 3];
        let mut start = Result::new(u64::MAX);
        let mut conflict = nobody();
        // SAFETY: as above.
        let code = unsafe {
            bookahead_reserve_together(
                at.book.to(self.book),
                request.ready,
                request.deadline,
                at.input.to(parts.as_mut_ptr()),
                length,
                &promise(ttl),
                &memory.lend(),
                made.as_mut_ptr(),
                made.len(),
                start.place(at.output),
                &mut conflict,
            )
        };
        if let Some(start) = start.get(code, at.output) {
            assert!(request.ready <= start);
            for (handle, part) in made.iter().zip(&parts[..length]) {
                assert_eq!(self.placed(*handle).start, start + u64::from(part.offset));
            }
            self.handles.extend(&made[..length]);
        }
        code
    }

    fn step(&self, stage: &Stage) -> Step {
        let handle = self.handle(stage.which);
        let found = self.placed(handle);
        let Place {
            later,
            duration,
            pes,
            extreme,
        } = stage.to;
        let start = found.start.saturating_add_signed(later.into());
        Step {
            kind: u32::from(stage.kind % 11),
            optional: stage.optional.into(),
            handle,
            made_by: u32::from(stage.made_by % 7),
            savepoint: u32::from(stage.savepoint % 10),
            placement: Placement {
                start: extreme.unwrap_or(start),
                duration: (duration % 32).into(),
                pes: pes.into(),
            },
            request: self.wish(stage.wish).0,
            alteration: self.alteration(handle, stage.change),
            commitment: promise(stage.ttl),
            code: u32::MAX,
            booked: NOWHERE,
            made: NO_HANDLE,
        }
    }

    fn transaction(&mut self, what: &What, at: Pointers) -> u32 {
        let What::Transaction {
            ref stages,
            ending,
            work,
            undo: entries,
            room,
            apply,
        } = *what
        else {
            unreachable!("it is called with steps");
        };
        let mut steps: Vec<Step> = stages.0.iter().map(|stage| self.step(stage)).collect();
        let mut memory = Memory::of(self, entries);
        let mut moves = vec![
            Move {
                handle: NO_HANDLE,
                from: NOWHERE,
                to: NOWHERE,
            };
            usize::from(room % 8)
        ];
        let mut outcome = Outcome {
            work_left: u64::MAX,
            failed_step: u32::MAX,
            moves: u32::MAX,
            more_moves: u32::MAX,
            conflict: nobody(),
        };
        let ending = u32::from(ending % 3);
        // SAFETY: as above.
        let code = unsafe {
            bookahead_transaction(
                at.book.to(self.book),
                &memory.lend(),
                work.into(),
                at.input.to(steps.as_mut_ptr()),
                steps.len(),
                ending,
                moves.as_mut_ptr(),
                moves.len(),
                at.output.to(&mut outcome),
            )
        };
        if code != 0 {
            return code;
        }
        assert!(outcome.work_left <= u64::from(work) && outcome.moves as usize <= moves.len());
        if ending == Ending::Commit as u32 {
            let made = steps
                .iter()
                .filter(|step| step.code == 0 && step.made.bits != 0);
            self.handles.extend(made.map(|step| step.made));
        } else if let Some((word, by)) = apply {
            moves.truncate(outcome.moves as usize);
            if let Some(one) = moves.first_mut() {
                match word % 4 {
                    0 => one.to.start = one.to.start.wrapping_add(by.into()),
                    1 => one.to.pes = one.to.pes.wrapping_add(by.into()),
                    2 => one.from.duration = one.from.duration.wrapping_add(by.into()),
                    _ => {}
                }
            }
            // SAFETY: as above.
            return unsafe {
                bookahead_apply(
                    at.book.to(self.book),
                    &memory.lend(),
                    work.into(),
                    moves.as_ptr(),
                    moves.len(),
                )
            };
        }
        code
    }
}
