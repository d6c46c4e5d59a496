//! Altering what was accepted.

use bookahead as kernel;
use kernel::{PeCount, Slot, Span};

use crate::{
    Book, Code, Conflict, Handle, Placement, Workspace,
    code::{Failure, answer},
    pointer::{Out, read},
    with::with_book,
    workspace::Lent,
};

/// What the owner of a reservation wants changed. Numbers are permanent.
///
/// Held and confirmed reservations can be altered in every way, a running one can be extended, shortened and narrowed, and one whose early end is
/// announced not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum AlterationKind {
    /// Another `start`, inside its own window.
    Shift = 0,
    /// A longer `duration`. The deadline moves along where the new end lies beyond it.
    Extend = 1,
    /// A shorter `duration`.
    Shorten = 2,
    /// More `pes`.
    Widen = 3,
    /// Fewer `pes`.
    Narrow = 4,
    /// Another window, from `ready` to `deadline`. The reservation stays where it is if it still fits, else it gets the earliest start there.
    ChangeWindow = 5,
}

/// An alteration: a kind, and the new values that it is about; the others are not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Alteration {
    /// SHIFT: the new start.
    pub start: u64,
    /// CHANGE_WINDOW: the new earliest start.
    pub ready: u64,
    /// CHANGE_WINDOW: the new latest end, exclusive.
    pub deadline: u64,
    /// EXTEND, SHORTEN: the new length in slots.
    pub duration: u32,
    /// WIDEN, NARROW: the new number of PEs.
    pub pes: u32,
    /// One of `bookahead_alteration_kind`.
    pub kind: u32,
}

/// One of each kind, for their numbers and names.
pub(crate) const KINDS: [kernel::Alteration; 6] = [
    kernel::Alteration::Shift {
        start: Slot::new(0),
    },
    kernel::Alteration::Extend {
        duration: Span::ZERO,
    },
    kernel::Alteration::Shorten {
        duration: Span::ZERO,
    },
    kernel::Alteration::Widen {
        pes: kernel::PeCount::ZERO,
    },
    kernel::Alteration::Narrow {
        pes: kernel::PeCount::ZERO,
    },
    kernel::Alteration::ChangeWindow {
        ready: Slot::new(0),
        deadline: Slot::new(0),
    },
];

impl Alteration {
    /// As the kernel has it; refused for an unknown kind.
    pub(crate) fn to_kernel(self) -> Result<kernel::Alteration, Failure> {
        const SHIFT: u32 = AlterationKind::Shift as u32;
        const EXTEND: u32 = AlterationKind::Extend as u32;
        const SHORTEN: u32 = AlterationKind::Shorten as u32;
        const WIDEN: u32 = AlterationKind::Widen as u32;
        const NARROW: u32 = AlterationKind::Narrow as u32;
        const CHANGE_WINDOW: u32 = AlterationKind::ChangeWindow as u32;
        let duration = Span::new(self.duration);
        Ok(match self.kind {
            SHIFT => kernel::Alteration::Shift {
                start: Slot::new(self.start),
            },
            EXTEND => kernel::Alteration::Extend { duration },
            SHORTEN => kernel::Alteration::Shorten { duration },
            WIDEN => kernel::Alteration::Widen {
                pes: PeCount::new(self.pes),
            },
            NARROW => kernel::Alteration::Narrow {
                pes: PeCount::new(self.pes),
            },
            CHANGE_WINDOW => kernel::Alteration::ChangeWindow {
                ready: Slot::new(self.ready),
                deadline: Slot::new(self.deadline),
            },
            _ => return Err(Code::UnknownAlteration.into()),
        })
    }
}

/// Alters a reservation as its owner wants, and gives where it is booked then; or changes nothing. Its handle stays. Takes one entry of the
/// workspace.
///
/// With early binding it keeps its PEs where they are free: the lowest-numbered of them if it gets narrower, all of them and the lowest-numbered
/// others if it gets wider. One that has not started gets others where that is impossible.
///
/// `conflict` says who is in the way when the answer is NO_ROOM, with early binding all that cover a slot of it, whichever PEs they have; and nobody after
/// any other answer of the book's, an error included.
///
/// O(duration x columns + log rows), and a first fit more for a changed window that moves it.
///
/// Answers UNKNOWN_ALTERATION, UNKNOWN_HANDLE, STALE_HANDLE; WRONG_STATE, see `bookahead_alteration_kind`; WRONG_DIRECTION for a duration that is not
/// longer, or not shorter, and PEs that are not more, or not fewer, than what is booked; ZERO_DURATION, ZERO_PES, TOO_WIDE; OUTSIDE_WINDOW for a
/// place outside its window, and for a running one that would have ended; READY_IN_PAST; WINDOW_TOO_SHORT; BEYOND_HORIZON; MOVE_LIMIT;
/// NO_ROOM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_alter(
    book: *mut Book,
    handle: Handle,
    alteration: *const Alteration,
    workspace: *const Workspace,
    placement: *mut Placement,
    conflict: *mut Conflict,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (placement, conflict) = (Out::new(placement)?, Out::new(conflict)?);
        let lent = Lent::read(workspace, book)?;
        let alteration = read(alteration)?.to_kernel()?;
        let mut in_the_way = kernel::Conflict::NONE;
        let altered = with_book!(book, |book| {
            let workspace = lent.view(1, 0);
            book.alter(handle.into(), alteration, workspace, &mut in_the_way)
        });
        conflict.set(&in_the_way);
        placement.set(altered?);
        Ok(())
    })
}

/// Splits a reservation, confirmed or running, at slot `at` inside it, and gives the handle of what remains from there on. The first part keeps its
/// handle and has to be over by `at`. The rest is a confirmed reservation of its own, ready at `at`, with the deadline that the whole had, and with
/// early binding on the same PEs. Takes two entries of the workspace. O(columns + log rows).
///
/// Answers UNKNOWN_HANDLE, STALE_HANDLE; WRONG_STATE for a hold and for a job whose end is announced; OUTSIDE_WINDOW for a slot that is not inside
/// or has passed; TABLE_FULL; MOVE_LIMIT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_split(
    book: *mut Book,
    handle: Handle,
    at: u64,
    workspace: *const Workspace,
    rest: *mut Handle,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let rest = Out::new(rest)?;
        let lent = Lent::read(workspace, book)?;
        rest.set(with_book!(book, |book| {
            let workspace = lent.view(2, 0);
            book.split(handle.into(), Slot::new(at), workspace)?
        }));
        Ok(())
    })
}
