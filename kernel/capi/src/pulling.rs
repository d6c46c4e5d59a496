//! Time passes, and whoever may be moved starts earlier.

use bookahead as kernel;
use heapless::{Vec, VecView};
use kernel::{Advanced, Slot};

use crate::{
    Book, Event, Move, Queue, Workspace,
    code::{Failure, answer},
    pointer::{List, Out},
    with::with_queue,
    workspace::Lent,
};

/// As `bookahead_queue_advance`, and moves flexible reservations to earlier starts where something has ended: at `now` and in each slot on the way in which something
/// happens, after ends, expired holds and starts that become fixed, and before waiting requests are tried and reservations start. Each time the first of those that can start earlier, in order of
/// start and then of acceptance, goes to its first start, until nobody can; none starts later than before. In the slot at which an unconfirmed hold would start, nobody is moved to that slot.
///
/// Writes the moves in order, `moved` of them. Where either list is full, `waiting` becomes true, and the next call goes on. The workspace takes an entry. As `bookahead_queue_advance`; and for
/// each event O((moves + 1) x reservations x (reservations + a first fit + duration x columns)). Only in libraries built with plan.
///
/// Answers NO_SCHEDULE as `bookahead_queue_advance`, FOREIGN_QUEUE, QUEUE_LEFT_BEHIND when jobs wait and the book was advanced without the queue, TIME_WENT_BACK, END_OF_TIME, MOVE_LIMIT for a workspace without an entry.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_queue_advance_pulling(
    queue: *mut Queue,
    book: *mut Book,
    to: u64,
    events: *mut Event,
    capacity: usize,
    workspace: *const Workspace,
    moves: *mut Move,
    moves_capacity: usize,
    count: *mut usize,
    waiting: *mut bool,
    moved: *mut usize,
) -> u32 {
    let to = Slot::new(to);
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (count, waiting, moved) = (Out::new(count)?, Out::new(waiting)?, Out::new(moved)?);
        let (events, moves) = (
            List::new(events, capacity)?,
            List::new(moves, moves_capacity)?,
        );
        let lent = Lent::read(workspace, book)?;
        let (told, listed, far) = with_queue!(queue, book, |queue, book| {
            let mut workspace = lent.view(1, 0);
            fill(&events, &moves, |events, moves| {
                queue.advance_pulling(&mut book, to, events, &mut workspace, moves)
            })?
        });
        count.set(told);
        moved.set(listed);
        waiting.set(far == Advanced::EventsWaiting);
        Ok(())
    })
}

/// Takes events and moves from the kernel one by one, since its lists have capacities known at compile time. Only the first step can fail.
///
/// # Safety
///
/// As [`List::set`].
#[inline(always)]
unsafe fn fill(
    events: &List<Event>,
    moves: &List<Move>,
    mut step: impl FnMut(
        &mut VecView<kernel::Event>,
        &mut VecView<kernel::Move>,
    ) -> Result<Advanced, kernel::Error>,
) -> Result<(usize, usize, Advanced), Failure> {
    let (mut told, mut listed) = (0_usize, 0_usize);
    loop {
        let (mut event, mut no_event) = (Vec::<_, 1>::new(), Vec::<_, 0>::new());
        let (mut change, mut no_change) = (Vec::<_, 1>::new(), Vec::<_, 0>::new());
        let room: &mut VecView<_> = match events.has_room(told) {
            true => &mut event,
            false => &mut no_event,
        };
        let list: &mut VecView<_> = match moves.has_room(listed) {
            true => &mut change,
            false => &mut no_change,
        };
        let far = step(room, list)?;
        let goes_on = far == Advanced::EventsWaiting && !(event.is_empty() && change.is_empty());
        if let Some(event) = event.pop() {
            // SAFETY: there is room.
            unsafe { events.set(told, event) };
            told = told.wrapping_add(1);
        }
        if let Some(change) = change.pop() {
            // SAFETY: there is room.
            unsafe { moves.set(listed, change) };
            listed = listed.wrapping_add(1);
        }
        if !goes_on {
            return Ok((told, listed, far));
        }
    }
}
