//! Several reservations that are made, or given back, together.

use bookahead as kernel;
use heapless::{Vec, VecView};
use kernel::{PeCount, Slot, Span};

use crate::{
    Book, Code, Commitment, Conflict, Handle, Request, Workspace,
    code::{Failure, answer},
    pointer::{List, Out, elements, read},
    reserve::policy,
    with::{asked, with_book},
    workspace::Lent,
};

/// The most instances of a series.
pub const BOOKAHEAD_MOST_INSTANCES: usize = 512;

/// The most parts that are reserved together.
pub const BOOKAHEAD_MOST_PARTS: usize = 64;

/// What is no longer than this is made with less stack.
const FEW: usize = 8;

// The header says what they take.
const _: () = assert!(size_of::<kernel::Handle>() == 8 && size_of::<kernel::Part>() == 12);

/// The same request again and again: instance number k, from 0, is ready k periods after the first, and has to be over k periods after it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Series {
    /// The first instance.
    pub first: Request,
    /// From one instance to the next, in slots.
    pub period: u32,
    /// How many instances, the exceptions included.
    pub count: u32,
    /// The numbers of instances that are left out, in any order; may be null when there are none.
    pub exceptions: *const u32,
    /// How many exceptions.
    pub exception_count: usize,
}

/// One of several reservations that are made together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Part {
    /// From the common start to its own, in slots.
    pub offset: u32,
    /// For how many slots.
    pub duration: u32,
    /// On how many PEs.
    pub pes: u32,
}

impl Part {
    fn to_kernel(self) -> kernel::Part {
        kernel::Part {
            offset: Span::new(self.offset),
            duration: Span::new(self.duration),
            pes: PeCount::new(self.pes),
        }
    }
}

/// Reserves all instances of a series or none, each by `policy` beside those before it and as `commitment` says, see there. Lists their handles in order
/// of time, `count` of them; the list needs room for all, and there are `BOOKAHEAD_MOST_INSTANCES` at most. Takes an entry of the workspace for
/// each.
///
/// The first instance that cannot be reserved decides the answer. When it is NO_ROOM, `conflict` says who is in its way at its earliest start, and in
/// the way of the later ones that find no room either, as far as the first that fails for another reason: with early binding all that cover a slot of
/// it, whichever PEs they have (`bookahead_explain` says who has PEs that it may have); after any other answer of the book's nobody.
///
/// Each instance is cancelled by itself, or several with `bookahead_cancel_all`. The list is made on the stack, 8 bytes for each of 8 instances, or of
/// `BOOKAHEAD_MOST_INSTANCES` for a `capacity` above 8. O(instances x (exceptions + plan)).
///
/// Answers as `bookahead_commitment` says; UNKNOWN_POLICY; BAD_SERIES for a series without instances, or of several with a period of no slots; TOO_MANY_PARTS when there
/// is not room for all handles; and for one instance after the other as `bookahead_reserve`, and MOVE_LIMIT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_reserve_series(
    book: *mut Book,
    series: *const Series,
    policy: u32,
    commitment: *const Commitment,
    workspace: *const Workspace,
    handles: *mut Handle,
    capacity: usize,
    count: *mut usize,
    conflict: *mut Conflict,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (count, conflict) = (Out::new(count)?, Out::new(conflict)?);
        let handles = List::new(handles, capacity)?;
        let lent = Lent::read(workspace, book)?;
        let (series, commitment) = (read(series)?, Commitment::read(commitment)?);
        let commitment = commitment.terms()?;
        let policy = self::policy(policy)?;
        let series = kernel::Series {
            first: series.first.to_kernel(),
            period: Span::new(series.period),
            count: series.count,
            exceptions: elements(series.exceptions, series.exception_count)?,
        };
        let instances = instances(&series, capacity);
        let reserve = |made: &mut VecView<kernel::Handle>| {
            let mut in_the_way = kernel::Conflict::NONE;
            let reserved = with_book!(book, |book, class| {
                let workspace = lent.view(instances.unwrap_or(0), 0);
                book.reserve_series(
                    asked!(class, &series),
                    policy,
                    commitment,
                    workspace,
                    made,
                    &mut in_the_way,
                )
            });
            conflict.set(&in_the_way);
            reserved.map_err(Failure::from)
        };
        count.set(if instances.is_none() {
            // Refused, for this or for what comes before it.
            listed::<0>(&handles, reserve)?
        } else if capacity <= FEW {
            listed::<FEW>(&handles, reserve)?
        } else {
            listed::<BOOKAHEAD_MOST_INSTANCES>(&handles, reserve)?
        });
        Ok(())
    })
}

/// Hands on a list of up to `N` handles, and writes what it holds then to the caller's, which has room for all.
///
/// # Safety
///
/// As [`List::fill`].
// Not inlined, so that only a long series takes the stack for one.
#[inline(never)]
unsafe fn listed<const N: usize>(
    handles: &List<Handle>,
    reserve: impl FnOnce(&mut VecView<kernel::Handle>) -> Result<(), Failure>,
) -> Result<usize, Failure> {
    let mut made = Vec::<kernel::Handle, N>::new();
    reserve(&mut made)?;
    // SAFETY: passed on.
    Ok(unsafe { handles.fill(made.iter().copied(), 0) })
}

/// How many instances there are, if there are some and their handles have room. Whoever asks for very many is turned away before they are
/// counted.
fn instances(series: &kernel::Series<'_>, capacity: usize) -> Option<usize> {
    let room = capacity.min(BOOKAHEAD_MOST_INSTANCES);
    let at_least = (series.count as usize).saturating_sub(series.exceptions.len());
    let instances = if at_least > room.max(1) {
        at_least
    } else {
        let numbers = 0..series.count;
        numbers
            .filter(|number| !series.exceptions.contains(number))
            .count()
    };
    (1..=room).contains(&instances).then_some(instances)
}

/// Cancels those of `length` reservations that still live, and gives how many these were: what has ended meanwhile is passed over.
/// O(handles x (duration x columns + log rows)).
///
/// Answers UNKNOWN_HANDLE when one of them was never given out, and has cancelled none then.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_cancel_all(
    book: *mut Book,
    handles: *const Handle,
    length: usize,
    cancelled: *mut usize,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let result = Out::new(cancelled)?;
        let handles = List::new(handles.cast_mut(), length)?;
        // Read twice, and not kept: the list may be of any length.
        let each = (0..handles.len()).map(|number| kernel::Handle::from(handles.get(number)));
        let cancelled = with_book!(book, |book| book.cancel_all(each)?);
        result.set(cancelled as usize);
        Ok(())
    })
}

/// Reserves all of `length` parts or none, at the earliest common start from `ready` on at which each fits and is over by `deadline`, each as `commitment`
/// says, see there. Gives that start, and lists the handles in the order of the parts; the list needs room for all, and there are
/// `BOOKAHEAD_MOST_PARTS` at most. What a part gets is its whole promise, so nothing moves it away from the others. Takes an entry of the workspace for
/// each part.
///
/// The starts that are looked at are `ready` and those at which a part would begin where something is released. Parts take their PEs in the order
/// given, each the lowest-numbered that are free; with early binding another order may fit where this one does not.
///
/// When the answer is NO_ROOM, `conflict` says who is in the way of the parts at `ready`, with early binding all that cover a slot of one, whichever PEs
/// they have; and after any other answer of the book's nobody.
///
/// Parts and handles are kept on the stack meanwhile, 20 bytes for each of 8 parts, or of `BOOKAHEAD_MOST_PARTS` for more than 8.
/// O(releases in the window x parts x (parts + duration x columns)).
///
/// Answers as `bookahead_commitment` says; TOO_MANY_PARTS without a part, or when there is not room for all handles; for one part after the other ZERO_DURATION, ZERO_PES,
/// TOO_WIDE; READY_IN_PAST, WINDOW_TOO_SHORT, BEYOND_HORIZON, TABLE_FULL, MOVE_LIMIT, NO_ROOM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_reserve_together(
    book: *mut Book,
    ready: u64,
    deadline: u64,
    parts: *const Part,
    length: usize,
    commitment: *const Commitment,
    workspace: *const Workspace,
    handles: *mut Handle,
    capacity: usize,
    start: *mut u64,
    conflict: *mut Conflict,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (start, conflict) = (Out::new(start)?, Out::new(conflict)?);
        let parts = List::new(parts.cast_mut(), length)?;
        let handles = List::new(handles, capacity)?;
        let lent = Lent::read(workspace, book)?;
        let commitment = Commitment::read(commitment)?.terms()?;
        let (ready, deadline) = (Slot::new(ready), Slot::new(deadline));
        let reserve = |parts: &[kernel::Part], made: &mut VecView<kernel::Handle>| {
            let mut in_the_way = kernel::Conflict::NONE;
            let reserved = with_book!(book, |book, class| {
                let workspace = lent.view(length, 0);
                let conflict = &mut in_the_way;
                let parts = asked!(class, parts);
                book.reserve_together(
                    ready, deadline, parts, commitment, workspace, made, conflict,
                )
            });
            conflict.set(&in_the_way);
            reserved.map_err(Failure::from)
        };
        let found = if length == 0 || length > capacity.min(BOOKAHEAD_MOST_PARTS) {
            // Refused, for this or for what comes before it: nothing is kept of the parts, and there is no room for handles.
            let mut first = Vec::<_, 1>::new();
            if length > 0 {
                let _ = first.push(parts.get(0).to_kernel());
            }
            reserve(&first, &mut Vec::<_, 0>::new())?
        } else if length <= FEW {
            together::<FEW>(&parts, &handles, reserve)?
        } else {
            together::<BOOKAHEAD_MOST_PARTS>(&parts, &handles, reserve)?
        };
        start.set(found.get());
        Ok(())
    })
}

/// Hands on up to `N` parts and a list for their handles, and writes these to the caller's list, which has room for all.
///
/// # Safety
///
/// As [`List::get`] and [`List::fill`].
// Not inlined, as above.
#[inline(never)]
unsafe fn together<const N: usize>(
    parts: &List<Part>,
    handles: &List<Handle>,
    reserve: impl FnOnce(&[kernel::Part], &mut VecView<kernel::Handle>) -> Result<Slot, Failure>,
) -> Result<Slot, Failure> {
    let mut wanted = Vec::<kernel::Part, N>::new();
    for number in 0..parts.len() {
        // SAFETY: below the length of the list.
        let part = unsafe { parts.get(number) }.to_kernel();
        wanted.push(part).map_err(|_| Code::TooManyParts)?;
    }
    let mut made = Vec::<kernel::Handle, N>::new();
    let start = reserve(&wanted, &mut made)?;
    // SAFETY: passed on.
    unsafe { handles.fill(made.iter().copied(), 0) };
    Ok(start)
}
