//! Jobs that take longer than booked, and PEs that leave and come back. Only in libraries built with `--features outages`.

use bookahead as kernel;
use heapless::Vec;
use kernel::{Slot, Window};

use crate::{
    Absent, Book, Code, Handle, Juggled, Move, Workspace,
    code::answer,
    juggle::{end, ends_in_commit},
    pointer::{List, Out, elements, read},
    with::with_book,
    workspace::{Lent, entries},
};

/// How PEs leave. Numbers are permanent. Only in libraries built with outages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum OutageKind {
    /// From now on: what runs on them is lost, and `start` is not looked at.
    Failure = 0,
    /// They are wanted from `start` on: what runs on them goes on until its booked end, and they leave when it has ended.
    Maintenance = 1,
}

/// Says until when a running reservation could go on without hurting anybody: the first slot behind its end that is taken, or the horizon. With late binding, a slot
/// is taken in which too few PEs are free; with early binding, one in which somebody has one of those that it holds.
/// O(horizon), with early binding O(reservations x columns). Only in libraries built with outages.
///
/// Answers UNKNOWN_HANDLE, STALE_HANDLE, WRONG_STATE for one that does not run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_extension(
    book: *mut Book,
    handle: Handle,
    until: *mut u64,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let until = Out::new(until)?;
        until.set(with_book!(book, |book| book.extension(handle.into())?).get());
        Ok(())
    })
}

/// Gives a running reservation the time that it takes: extends it up to slot `until`, whoever is in the way. Those are lifted, and placed again, the earliest accepted
/// first: at the same start if possible, perhaps on other PEs, else at the first start in their own window. Whoever finds no place leaves.
///
/// `ending` and `moves` as for `bookahead_juggle`. Whose promise is broken is moved to nowhere, with a duration of 0; with PLAN all of it is known before anything happens.
/// The `booking` of `forced` is nobody's. The workspace takes an entry for each reservation that is touched, and once more for those that are placed again. A start
/// that was reported as fixed may move. O(those in the way x (reservations + duration x columns + a first fit)). Only in libraries built with outages.
///
/// Answers UNKNOWN_ENDING, UNKNOWN_HANDLE, STALE_HANDLE, PINNED, WRONG_STATE for one that does not run, or whose end is announced, WRONG_DIRECTION for an end that is not
/// later, BEYOND_HORIZON, MOVE_LIMIT, WORK_LIMIT, PINNED where only overlays, or what is out of service, are left in the way.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_extend_by_force(
    book: *mut Book,
    handle: Handle,
    until: u64,
    workspace: *const Workspace,
    work: u64,
    ending: u32,
    moves: *mut Move,
    capacity: usize,
    forced: *mut Juggled,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (forced, moves) = (Out::new(forced)?, List::new(moves, capacity)?);
        let lent = Lent::read(workspace, book)?;
        let commit = ends_in_commit(ending)?;
        forced.set(with_book!(book, |book| {
            let mut transaction = book.transaction(lent.view(entries(book.len()), 0), work);
            let mut broken = Vec::<kernel::Broken, 0>::new();
            transaction.extend_by_force(handle.into(), Slot::new(until), &mut broken)?;
            end(transaction, None, commit, &moves)?
        }));
        Ok(())
    })
}

/// Takes PEs out of service up to slot `until`, exclusive, whoever has them: a number with late binding, and on a machine with a layout a set, with a bit for each number, as for
/// `bookahead_reserve_exactly`. `kind` is one of `bookahead_outage_kind`. Who has not started and is in the way is lifted, and placed again as by `bookahead_extend_by_force`. Who runs is broken by a
/// failure, and stays in maintenance; so does what is out of service already. With late binding, reservations are in the way as long as too few PEs are free in a slot that they cover, and go in the order of `bookahead_set_rule`.
///
/// The outage consists of parts, reservations of exactly these PEs: one begins in each slot in which one of the PEs is there that no part has; it has all of
/// those until the first slot in which one of them is not. With late binding a part has as many as are there and still wanted in its first slot, until the first slot in which fewer are.
/// In a failure these may be named with late binding: who runs on one of them is broken, and nobody else who runs, and as many leave; `bookahead_bind` says at once that the first part has them. They are the new ones in `moves`, in order of time, and end, are prolonged, completed and cancelled as
/// others are, but do not give way; `bookahead_is_outage` tells them from others. Whose promise is broken is moved to nowhere; with PLAN all of it is known before anything
/// happens. `ending` and `moves` as for `bookahead_juggle`; the `booking` of `taken` is nobody's. The workspace takes an entry for each part and each reservation that is
/// touched, and once more for those that are placed again. O((those in the way + parts) x (reservations + duration x columns) + those in the way x a first fit).
/// Only in libraries built with outages.
///
/// Answers UNKNOWN_OUTAGE, UNKNOWN_ENDING, BAD_PES as `bookahead_reserve_exactly`, for a number on a machine with a layout, for a set in maintenance with late binding or of units, and in other books; of a number ZERO_PES, TOO_WIDE; ZERO_DURATION, TOO_LONG, READY_IN_PAST, BEYOND_HORIZON, MOVE_LIMIT, WORK_LIMIT, TABLE_FULL, also
/// when only rows of those are vacant that leave.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_take_out(
    book: *mut Book,
    kind: u32,
    start: u64,
    until: u64,
    absent: *const Absent,
    workspace: *const Workspace,
    work: u64,
    ending: u32,
    moves: *mut Move,
    capacity: usize,
    taken: *mut Juggled,
) -> u32 {
    const FAILURE: u32 = OutageKind::Failure as u32;
    const MAINTENANCE: u32 = OutageKind::Maintenance as u32;
    let until = Slot::new(until);
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (taken, moves) = (Out::new(taken)?, List::new(moves, capacity)?);
        let lent = Lent::read(workspace, book)?;
        let outage = match kind {
            FAILURE => kernel::Outage::Failure { until },
            MAINTENANCE => kernel::Outage::Maintenance {
                window: Window {
                    start: Slot::new(start),
                    end: until,
                },
            },
            _ => return Err(Code::UnknownOutage.into()),
        };
        let commit = ends_in_commit(ending)?;
        let absent = read(absent)?.to_kernel()?;
        taken.set(with_book!(book, |book| {
            let parts = book.capacity().saturating_sub(book.len());
            let entries = entries(book.len()).saturating_add(parts);
            let mut transaction = book.transaction(lent.view(entries, 0), work);
            let mut parts = Vec::<kernel::Handle, 0>::new();
            let mut broken = Vec::<kernel::Broken, 0>::new();
            transaction.take_out(outage, absent, &mut parts, &mut broken)?;
            end(transaction, None, commit, &moves)?
        }));
        Ok(())
    })
}

/// Says whether a reservation is a part of an outage. O(1). Only in libraries built with outages.
///
/// Answers UNKNOWN_HANDLE, STALE_HANDLE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_is_outage(
    book: *mut Book,
    handle: Handle,
    outage: *mut bool,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let outage = Out::new(outage)?;
        outage.set(with_book!(book, |book| book.is_outage(handle.into())?));
        Ok(())
    })
}

/// Says which PEs a reservation has from now on, where late binding would give it the lowest-numbered idle ones, or has done so: those of the nodes that failed for a part of an outage, or those on which a
/// job was really launched. `pes` has a bit for each number, and as many as the reservation has. One that runs may exchange its own for idle ones. One that starts in the present slot, and was not told
/// as started, starts by this call, and no event says so. Tell all that ends in that slot first: until then it has its PEs. O(PEs + log rows). Only in libraries built with outages.
///
/// Answers UNKNOWN_HANDLE, STALE_HANDLE, BAD_PES for a set of another size than the reservation or the machine, and in every book with early binding, with overlays, or of units, WRONG_STATE for a reservation that neither runs nor
/// is confirmed and starts now, NO_ROOM where somebody else has one of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_bind(
    book: *mut Book,
    handle: Handle,
    pes: *const u32,
    words: usize,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let pes = elements(pes, words)?;
        with_book!(book, |book| book.bind(handle.into(), pes)?);
        Ok(())
    })
}
