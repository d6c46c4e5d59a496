//! Flexible reservations, which are moved inside their own windows until their start is fixed.

use core::ffi::c_void;

use bookahead as kernel;
use heapless::{Vec, VecView};
use kernel::{Slot, raw::Ring};

use crate::{
    Book, Booking, Code, Commitment, Ending, Handle, Move, Request, Workspace,
    code::{Failure, answer, known},
    pointer::{List, Out, read},
    with::{Asked, asked, with_book},
    workspace::Lent,
};

/// The most alternatives that one call lists.
pub const BOOKAHEAD_MOST_ALTERNATIVES: usize = 64;

/// Lists no longer than this are made with less stack.
const FEW: usize = 8;

// The header says what a list takes.
const _: () = assert!(size_of::<kernel::Alternative>() == 40);

/// In which order waiting reservations and a newcomer are placed; ties by acceptance, the newcomer last. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Order {
    /// The earliest deadline first.
    EarliestDeadline = 0,
    /// The least flexible first: the deadline less the duration, less the planned start, or less `now` where that is later or the reservation has a
    /// deadline only. A newcomer is planned at its ready time.
    LeastFlexible = 1,
    /// The largest duration times PEs first.
    BiggestFirst = 2,
    /// In order of acceptance: no other reservation moves.
    Fifo = 3,
    /// In an order that follows from `seed` and the numbers of acceptance.
    Shuffle = 4,
    /// The greatest revenue first: `newcomer_revenue`, and what `revenue` says of the others.
    Revenue = 5,
}

/// Whether a newcomer is placed as things are, if it fits. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Admission {
    /// Yes: reservations move only where first fit finds no room.
    PlainFirst = 0,
    /// No: waiting reservations are arranged anew for each newcomer.
    Always = 1,
}

/// What happens when a waiting reservation finds no room because the newcomer was placed before it. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum AfterFailure {
    /// All up to that reservation return to where they were, the newcomer is placed behind it, and those after it are arranged again.
    Retry = 0,
    /// The newcomer is refused.
    Refuse = 1,
}

/// On which sides of the window alternatives are looked for. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Sides {
    /// Earlier and later.
    Both = 0,
    /// Earlier only.
    Before = 1,
    /// Later only.
    After = 2,
}

/// Where a later window begins, given the reservation in the way. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Behind {
    /// At its deadline.
    Deadline = 0,
    /// At its booked end.
    End = 1,
}

/// How waiting reservations are arranged anew.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Juggling {
    /// One of `bookahead_order`.
    pub order: u32,
    /// One of `bookahead_admission`.
    pub admission: u32,
    /// One of `bookahead_after_failure`.
    pub after_failure: u32,
    /// At most so many reservations get another start; those that only get other PEs are not counted. `UINT32_MAX` for no limit.
    pub max_moves: u32,
    /// No waiting reservation is placed before this slot; 0 for no such limit.
    pub earliest: u64,
    /// At most so many slots are written and searched, for each reservation that moves about those of its window; `UINT64_MAX` for no limit.
    pub work: u64,
    /// For SHUFFLE.
    pub seed: u64,
    /// For REVENUE: that of the newcomer.
    pub newcomer_revenue: u64,
    /// For REVENUE, else it may be null: returns the revenue of a waiting reservation. It gets `context`, and calls no function with this book.
    pub revenue: Option<unsafe extern "C" fn(context: *mut c_void, handle: Handle) -> u64>,
    /// For `revenue`, which alone looks at it; may be null.
    pub context: *mut c_void,
}

/// What came of moving reservations for a newcomer, or of arranging them anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Juggled {
    /// The newcomer; with PLAN, and for a call without one, no handle that any book gives out.
    pub booking: Booking,
    /// How much of the granted work is left, in slots.
    pub work_left: u64,
    /// How many moves were listed.
    pub moves: u32,
    /// How many others there are.
    pub more_moves: u32,
}

/// Another window for a request that finds no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Alternative {
    /// The request to make instead.
    pub request: Request,
    /// The start that it would get now.
    pub start: u64,
    /// How many slots later its window is; below zero earlier.
    pub shift: i64,
}

/// What alternatives are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Suggesting {
    /// One of `bookahead_sides`.
    pub sides: u32,
    /// One of `bookahead_behind`.
    pub behind: u32,
    /// The greatest shift, in hundredths of the duration; `UINT32_MAX` for however far. With 0 nothing is listed, and `limit` is OK.
    pub max_percent: u32,
}

/// How far a search for alternatives got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Suggested {
    /// How many windows were tried.
    pub tried: u32,
    /// WORK_LIMIT when the work ended the search, MOVE_LIMIT when some windows could not be tried for that; otherwise OK.
    pub limit: u32,
}

// The kernel's numbers, all of them.
const _: () = {
    assert!(Admission::PlainFirst as u8 == kernel::Admission::PlainFirst.code());
    assert!(Admission::Always as u8 == kernel::Admission::Always.code());
    assert!(kernel::Admission::ALL.len() == 2);
    assert!(AfterFailure::Retry as u8 == kernel::AfterFailure::Retry.code());
    assert!(AfterFailure::Refuse as u8 == kernel::AfterFailure::Refuse.code());
    assert!(kernel::AfterFailure::ALL.len() == 2);
    assert!(Sides::Both as u8 == kernel::Sides::Both.code());
    assert!(Sides::Before as u8 == kernel::Sides::Before.code());
    assert!(Sides::After as u8 == kernel::Sides::After.code());
    assert!(kernel::Sides::ALL.len() == 3);
    assert!(Behind::Deadline as u8 == kernel::Behind::Deadline.code());
    assert!(Behind::End as u8 == kernel::Behind::End.code());
    assert!(kernel::Behind::ALL.len() == 2);
};

impl Juggling {
    /// The rules as the kernel has them; `revenue` is what a caller's function is called through.
    fn to_kernel<'r>(
        self,
        revenue: &'r dyn Fn(kernel::Handle) -> u64,
    ) -> Result<kernel::Juggling<'r>, Failure> {
        const EARLIEST_DEADLINE: u32 = Order::EarliestDeadline as u32;
        const LEAST_FLEXIBLE: u32 = Order::LeastFlexible as u32;
        const BIGGEST_FIRST: u32 = Order::BiggestFirst as u32;
        const FIFO: u32 = Order::Fifo as u32;
        const SHUFFLE: u32 = Order::Shuffle as u32;
        const REVENUE: u32 = Order::Revenue as u32;
        let order = match self.order {
            EARLIEST_DEADLINE => kernel::Order::EarliestDeadline,
            LEAST_FLEXIBLE => kernel::Order::LeastFlexible,
            BIGGEST_FIRST => kernel::Order::BiggestFirst,
            FIFO => kernel::Order::Fifo,
            SHUFFLE => kernel::Order::Shuffle { seed: self.seed },
            REVENUE if self.revenue.is_none() => return Err(Code::NullPointer.into()),
            REVENUE => kernel::Order::Revenue {
                newcomer: self.newcomer_revenue,
                of: revenue,
            },
            _ => return Err(Code::UnknownOrder.into()),
        };
        let unknown = Code::UnknownRule;
        Ok(kernel::Juggling {
            order,
            admission: known(self.admission, kernel::Admission::from_code, unknown)?,
            after_failure: known(self.after_failure, kernel::AfterFailure::from_code, unknown)?,
            earliest: Slot::new(self.earliest),
            max_moves: self.max_moves,
            work: self.work,
        })
    }

    /// What the caller's function says of a reservation; nothing where there is no function.
    ///
    /// # Safety
    ///
    /// The function may be called with `context`.
    unsafe fn revenue_of(&self, handle: kernel::Handle) -> u64 {
        // SAFETY: by this function's contract.
        let of = |revenue: unsafe extern "C" fn(*mut c_void, Handle) -> u64| unsafe {
            revenue(self.context, handle.into())
        };
        self.revenue.map_or(0, of)
    }
}

impl Suggesting {
    fn to_kernel(self) -> Result<kernel::Suggesting, Failure> {
        Ok(kernel::Suggesting {
            sides: known(self.sides, kernel::Sides::from_code, Code::UnknownRule)?,
            max_percent: self.max_percent,
            behind: known(self.behind, kernel::Behind::from_code, Code::UnknownRule)?,
        })
    }
}

impl From<&kernel::Alternative> for Alternative {
    fn from(alternative: &kernel::Alternative) -> Self {
        Self {
            request: alternative.request.into(),
            start: alternative.start.get(),
            shift: alternative.shift,
        }
    }
}

/// Reserves for `request`, and moves flexible reservations inside their own windows if that is necessary: each stays between its ready time and its
/// deadline, and what is strict, held, running or fixed stays where it is. With early binding, who moves may get other PEs, also at its own start. `ending`, one of `bookahead_ending`, says whether that becomes true, or is put
/// back and only listed. With PLAN the newcomer's handle is given out to nobody; the same call with COMMIT does the same as long as `version` of
/// `bookahead_status` and `now` are the same.
///
/// For each reservation that waits and comes after the newcomer, the workspace takes an entry and the room for a waiting reservation, and for the
/// newcomer an entry.
///
/// `moves` lists the newcomer and what moved, as far as there is room, as in `bookahead_transaction`; what it holds after an error means nothing.
///
/// With COMMIT and PLAIN_FIRST a newcomer that fits as things are costs what `bookahead_reserve` costs, and takes no workspace and no work. Otherwise
/// O(n x n x (fit + duration x columns + log n) + n x horizon + rows), where n is the number of waiting reservations that come after the newcomer.
///
/// Answers UNKNOWN_ENDING, UNKNOWN_ORDER, UNKNOWN_RULE; as `bookahead_reserve` by first fit; MOVE_LIMIT when
/// the memory is too small, or more reservations would move than the rules allow; WORK_LIMIT.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_juggle(
    book: *mut Book,
    request: *const Request,
    commitment: *const Commitment,
    rules: *const Juggling,
    workspace: *const Workspace,
    ending: u32,
    moves: *mut Move,
    capacity: usize,
    juggled: *mut Juggled,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let newcomer = Some((request, commitment));
        let moves = (moves, capacity);
        arrange(book, newcomer, rules, workspace, ending, moves, juggled)
    })
}

/// Arranges all flexible reservations anew, each at the earliest start in its own window, in the order of the rules: worthwhile after cancellations and
/// early ends. If one does not fit, RETRY leaves it and those before it where they were and arranges those after it again, REFUSE refuses. `ending`,
/// `moves` and costs as for `bookahead_juggle`.
///
/// Answers UNKNOWN_ENDING, UNKNOWN_ORDER, UNKNOWN_RULE, MOVE_LIMIT, WORK_LIMIT, NO_ROOM.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_replan(
    book: *mut Book,
    rules: *const Juggling,
    workspace: *const Workspace,
    ending: u32,
    moves: *mut Move,
    capacity: usize,
    juggled: *mut Juggled,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        arrange(
            book,
            None,
            rules,
            workspace,
            ending,
            (moves, capacity),
            juggled,
        )
    })
}

pub(crate) fn ends_in_commit(ending: u32) -> Result<bool, Failure> {
    const COMMIT: u32 = Ending::Commit as u32;
    const PLAN: u32 = Ending::Plan as u32;
    match ending {
        COMMIT => Ok(true),
        PLAN => Ok(false),
        _ => Err(Code::UnknownEnding.into()),
    }
}

/// Juggles with a newcomer, or arranges anew without one.
///
/// # Safety
///
/// By the contract of the crate.
unsafe fn arrange(
    book: *mut Book,
    newcomer: Option<(*const Request, *const Commitment)>,
    rules: *const Juggling,
    workspace: *const Workspace,
    ending: u32,
    (moves, capacity): (*mut Move, usize),
    juggled: *mut Juggled,
) -> Result<(), Failure> {
    // SAFETY: by the contract of the crate.
    unsafe {
        let juggled = Out::new(juggled)?;
        let moves = List::new(moves, capacity)?;
        let newcomer = match newcomer {
            Some((request, commitment)) => Some((read(request)?, Commitment::read(commitment)?)),
            None => None,
        };
        let (rules, lent) = (read(rules)?, Lent::read(workspace, book)?);
        let commit = ends_in_commit(ending)?;
        let revenue = |handle| rules.revenue_of(handle);
        let mut rules = rules.to_kernel(&revenue)?;
        let newcomer = match newcomer {
            Some((request, commitment)) => {
                let commitment = commitment.to_kernel()?;
                Some((request.to_kernel(), commitment))
            }
            None => None,
        };
        juggled.set(with_book!(book, |book, class| {
            let mut plain = None;
            if let Some((request, commitment)) = &newcomer
                && commit
                && rules.admission == kernel::Admission::PlainFirst
            {
                plain = plainly(&mut book, (class, request), *commitment, rules.work, &moves)?;
                rules.admission = kernel::Admission::Always;
            }
            match plain {
                Some(plain) => plain,
                None => {
                    let waiting = book.len();
                    let workspace = lent.view(waiting.saturating_mul(2).saturating_add(1), waiting);
                    let mut transaction = book.transaction(workspace, rules.work);
                    let booking = match newcomer {
                        Some((request, commitment)) => {
                            let asked = asked!(class, &request);
                            Some(transaction.juggle(asked, commitment, &rules)?)
                        }
                        None => {
                            transaction.replan(&rules)?;
                            None
                        }
                    };
                    end(transaction, booking, commit, &moves)?
                }
            }
        }));
        Ok(())
    }
}

/// Reserves for a newcomer that fits as things are, before any memory is cleared, which takes longer than a first fit; `None` if it does not.
///
/// # Safety
///
/// As [`List::fill`], of the moves.
pub(crate) unsafe fn plainly<R: Ring>(
    book: &mut kernel::Book<'_, R>,
    (class, request): (Asked, &kernel::Request),
    commitment: kernel::Commitment,
    work_left: u64,
    moves: &List<Move>,
) -> Result<Option<Juggled>, Failure> {
    let planned = book.plan(asked!(class, request), kernel::Policy::FirstFit);
    if planned == Err(kernel::Refusal::NoRoom.into()) {
        return Ok(None);
    }
    let plan = planned?;
    let handle = book.commit(asked!(class, &plan), commitment)?;
    let start = plan.window().start;
    let only = kernel::Move {
        handle,
        from: None,
        to: Some(kernel::Placement {
            start,
            duration: request.duration,
            pes: request.pes,
        }),
    };
    // SAFETY: passed on.
    let listed = unsafe { moves.fill(core::iter::once(only), 0) };
    Ok(Some(Juggled {
        booking: kernel::Booking { handle, start }.into(),
        work_left,
        moves: listed as u32,
        more_moves: 1_usize.saturating_sub(listed) as u32,
    }))
}

/// Lists what a transaction has moved, and commits it or puts everything back.
///
/// # Safety
///
/// As [`List::fill`], of the moves.
pub(crate) unsafe fn end<R: Ring>(
    transaction: kernel::Transaction<'_, '_, R>,
    newcomer: Option<kernel::Booking>,
    commit: bool,
    moves: &List<Move>,
) -> Result<Juggled, Failure> {
    let nobody = Handle { bits: 0 };
    let mut booking = newcomer.map_or(
        Booking {
            handle: nobody,
            start: 0,
        },
        Booking::from,
    );
    let work_left = transaction.work_left();
    let all = transaction.moves().count();
    // SAFETY: passed on.
    let listed = unsafe { moves.fill(transaction.moves(), 0) };
    if commit {
        transaction.commit()?;
    } else {
        booking.handle = nobody;
        // The moves are listed already.
        transaction.plan(&mut Vec::<kernel::Move, 0>::new())?;
    }
    Ok(Juggled {
        booking,
        work_left,
        moves: listed as u32,
        more_moves: all.saturating_sub(listed) as u32,
    })
}

/// Lists alternatives to a request for which `bookahead_juggle` answers NO_ROOM, the nearest first, `count` of them, and changes nothing: its whole
/// window just before a reservation in the way, and just behind it. Each can be booked as things are: `bookahead_juggle` with its request and the same
/// rules gives it its start as long as the book has not changed. A request that can be booked has none.
///
/// At most `capacity` alternatives are listed, and never more than `BOOKAHEAD_MOST_ALTERNATIVES`; with room for one the search ends with the best. The
/// list is made on the stack, 40 bytes for one, for each of 8, or of `BOOKAHEAD_MOST_ALTERNATIVES` for a `capacity` above 8; the search ends when that is full, which `tried` counts.
/// O(windows tried x (juggling + window + longest duration + running + reservations that start there)).
///
/// With `work` 0, or without room in the workspace, which is that of `bookahead_juggle`, nothing is tried; with `max_moves` 0 only what moves nobody is found.
///
/// Answers as `bookahead_juggle` as far as the request itself is to blame. That there is no room is no error here, nor is a limit, which `suggested` tells.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_alternatives(
    book: *mut Book,
    request: *const Request,
    commitment: *const Commitment,
    rules: *const Juggling,
    wanted: *const Suggesting,
    workspace: *const Workspace,
    alternatives: *mut Alternative,
    capacity: usize,
    count: *mut usize,
    suggested: *mut Suggested,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let (count, suggested) = (Out::new(count)?, Out::new(suggested)?);
        let alternatives = List::new(alternatives, capacity)?;
        let (request, commitment) = (read(request)?, Commitment::read(commitment)?);
        let (rules, wanted) = (read(rules)?, read(wanted)?);
        let lent = Lent::read(workspace, book)?;
        let revenue = |handle| rules.revenue_of(handle);
        let rules = rules.to_kernel(&revenue)?;
        let (wanted, commitment) = (wanted.to_kernel()?, commitment.to_kernel()?);
        let request = request.to_kernel();
        let search = |found: &mut VecView<kernel::Alternative>| {
            with_book!(book, |book, class| {
                let waiting = book.len();
                let workspace = lent.view(waiting.saturating_mul(2).saturating_add(1), waiting);
                book.alternatives(
                    asked!(class, &request),
                    commitment,
                    &rules,
                    &wanted,
                    workspace,
                    found,
                )
                .map_err(Failure::from)
            })
        };
        let (length, searched) = if capacity == 0 {
            listed::<0>(&alternatives, search)?
        } else if capacity == 1 {
            listed::<1>(&alternatives, search)?
        } else if capacity <= FEW {
            listed::<FEW>(&alternatives, search)?
        } else {
            listed::<BOOKAHEAD_MOST_ALTERNATIVES>(&alternatives, search)?
        };
        count.set(length);
        let limit = searched
            .limit
            .map_or(Code::Ok as u32, |limit| u32::from(limit.code()));
        suggested.set(Suggested {
            tried: searched.tried,
            limit,
        });
        Ok(())
    })
}

/// Hands on a list of up to `N` alternatives, and writes what it holds then to the caller's.
///
/// # Safety
///
/// As [`List::fill`].
// Not inlined, so that only a long list takes the stack for one.
#[inline(never)]
unsafe fn listed<const N: usize>(
    alternatives: &List<Alternative>,
    search: impl FnOnce(&mut VecView<kernel::Alternative>) -> Result<kernel::Suggested, Failure>,
) -> Result<(usize, kernel::Suggested), Failure> {
    let mut found = Vec::<kernel::Alternative, N>::new();
    let searched = search(&mut found)?;
    // SAFETY: passed on.
    Ok((unsafe { alternatives.fill(found.iter(), 0) }, searched))
}

/// Fixes the start of a reservation from now on: nothing moves it any more but its owner. The next advance reports START_FIXED, unless the reservation
/// starts now. Nothing changes when the start is fixed already. O(log rows).
///
/// Answers UNKNOWN_HANDLE, STALE_HANDLE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_freeze(book: *mut Book, handle: Handle) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        with_book!(book, |book| book
            .freeze(handle.into())
            .map_err(Failure::from))
    })
}

/// Gives whether the start of a reservation is fixed: because it is strict, held or running, or because the time of a flexible one has come. O(1).
///
/// Answers UNKNOWN_HANDLE, STALE_HANDLE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_is_frozen(
    book: *mut Book,
    handle: Handle,
    frozen: *mut bool,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let frozen = Out::new(frozen)?;
        frozen.set(with_book!(book, |book| book.is_frozen(handle.into())?));
        Ok(())
    })
}
