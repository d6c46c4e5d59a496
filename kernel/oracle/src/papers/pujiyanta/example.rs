//! Table III with user 13, the times of figure 1, and a case of section 2.A that shifting to the right cannot solve, on the kernel.
//!
//! Source: `pujiyanta`, sections 2.A and 2.D, figures 1 to 6, table III.

use super::literal::{Component, VirtualNodes};
use bookahead::{
    Advanced, Book, Booking, Commitment, Error, Event, Flexibility, Freeze, Handle, PeCount,
    Request, Shifting, Slot, Span, heapless,
    raw::{Ring, UndoEntry, Workspace},
};

/// A row of table III: user, earliest start, last start, duration, nodes.
pub type Row = (u32, u64, u64, u32, u16);

/// Nodes of table III.
pub const NODES: u16 = 5;
/// Table III.
pub const TABLE_3: [Row; 12] = [
    (1, 2, 2, 2, 1),
    (2, 2, 2, 3, 1),
    (3, 2, 2, 5, 1),
    (4, 2, 2, 3, 2),
    (5, 4, 4, 2, 1),
    (6, 5, 5, 2, 1),
    (7, 5, 5, 1, 2),
    (8, 6, 6, 4, 3),
    (9, 7, 7, 1, 1),
    (10, 8, 8, 2, 1),
    (11, 8, 8, 4, 1),
    (12, 9, 10, 3, 2),
];
/// User 13, who is flexible.
pub const USER_13: Row = (13, 8, 13, 3, 2);
/// The slots in which the twelve run.
pub const SLOTS: std::ops::RangeInclusive<u64> = 2..=12;
/// Figure 4: who is on which virtual node in each of these slots, 0 for nobody. The text has two of its cells.
pub const FIGURE_4: [[u32; 5]; 11] = [
    [1, 2, 3, 4, 4],
    [1, 2, 3, 4, 4],
    [2, 3, 4, 4, 5],
    [3, 5, 6, 7, 7],
    [3, 6, 8, 8, 8],
    [8, 8, 8, 9, 0],
    [8, 8, 8, 10, 11],
    [8, 8, 8, 10, 11],
    [11, 12, 12, 0, 0],
    [11, 12, 12, 0, 0],
    [12, 12, 0, 0, 0],
];
/// The actual nodes in the same slots when a job that starts gets the lowest free ones. Here the permutations of the paper come to the
/// same.
pub const LATE: [[u32; 5]; 11] = [
    [1, 2, 3, 4, 4],
    [1, 2, 3, 4, 4],
    [5, 2, 3, 4, 4],
    [5, 6, 3, 7, 7],
    [8, 6, 3, 8, 8],
    [8, 9, 0, 8, 8],
    [8, 10, 11, 8, 8],
    [8, 10, 11, 8, 8],
    [12, 12, 11, 0, 0],
    [12, 12, 11, 0, 0],
    [12, 12, 0, 0, 0],
];

/// Jobs that run as in table I, in the order of its nodes, then user 6: from slot 1 (t) on, or in slot 2 (t+1) only.
pub const TABLE_1: [Row; 6] = [
    (3, 1, 1, 1, 1),
    (7, 1, 1, 2, 1),
    (4, 1, 1, 2, 1),
    (5, 1, 1, 1, 1),
    (8, 1, 1, 2, 1),
    (6, 2, 2, 1, 1),
];

/// Rows of our own for the case of section 2.A, on four nodes: users 1 and 2 are the text's, the others fill the nodes.
pub const SECTION_2A: [Row; 6] = [
    (1, 10, 10, 1, 1),
    (3, 10, 10, 2, 1),
    (4, 10, 10, 5, 2),
    (2, 10, 12, 3, 1),
    (5, 12, 12, 3, 1),
    (6, 15, 15, 1, 1),
];
/// The nodes of that case.
pub const NODES_2A: u16 = 4;
/// Who comes when user 1 has cancelled.
pub const USER_9: Row = (9, 13, 13, 2, 1);

/// The reservation that a row asks for.
#[must_use]
pub const fn request((_, earliest, latest, duration, nodes): Row) -> Request {
    Request {
        ready: Slot::new(earliest),
        duration: Span::new(duration),
        deadline: Slot::new(latest + duration as u64),
        pes: PeCount::new(nodes as u32),
    }
}

/// The job of a row, at its earliest start.
#[must_use]
pub const fn component((user, earliest, latest, duration, nodes): Row) -> Component {
    Component {
        user,
        earliest: earliest as usize,
        start: earliest as usize,
        latest: latest as usize,
        duration: duration as usize,
        nodes: nodes as u32,
    }
}

/// The virtual nodes after some rows.
///
/// # Panics
///
/// When one of them is not accepted.
#[must_use]
pub fn literally(nodes: u16, rows: &[Row]) -> VirtualNodes {
    let mut plan = VirtualNodes::new(nodes.into(), 32);
    for row in rows {
        assert!(plan.search_slot_free(&component(*row), true), "{row:?}");
    }
    plan
}

/// Flexible until it starts: what users of the paper are told, once, is the start.
pub const FLEXIBLE: Commitment = Commitment::Flexible {
    kind: Flexibility::Interval,
    freeze: Freeze::Never,
};

/// The times of figure 1 of a job that starts at `start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// `t_lsr`, the last start.
    pub latest: u64,
    /// `t_edi`, the earliest end.
    pub earliest_end: u64,
    /// The notification interval: from the earliest start to the last.
    pub notification: u64,
    /// `t_r1`, the hole to its left.
    pub left: u64,
    /// `t_r2`, the hole to its right.
    pub right: u64,
    /// `t_f`, the flexibility.
    pub flexibility: u64,
    /// f, the level of flexibility, in thousandths.
    pub level_per_mille: u64,
}

/// The formulas of figure 1; `None` when the window is too short for a job, or it does not start in it.
#[must_use]
pub fn times(request: &Request, start: Slot) -> Option<Times> {
    let latest = request.latest_start()?;
    let duration = u64::from(request.duration.get());
    let flexibility = request.deadline.get() - request.ready.get();
    Some(Times {
        latest: latest.get(),
        earliest_end: request.ready.get() + duration,
        notification: latest.get() - request.ready.get(),
        left: start.get().checked_sub(request.ready.get())?,
        right: latest.get().checked_sub(start.get())?,
        flexibility,
        level_per_mille: flexibility * 1_000 / duration,
    })
}

/// Makes a reservation, and shifts others for it.
///
/// # Errors
///
/// Why it is refused.
pub fn shift_in<R: Ring>(
    book: &mut Book<'_, R>,
    request: &Request,
    rules: &Shifting,
) -> Result<Booking, Error> {
    let mut entries = [UndoEntry::NONE; ENTRIES];
    // A set of each has one column at most in these books.
    let mut sets = [R::Part::default(); ENTRIES];
    book.shift_in(
        request,
        FLEXIBLE,
        rules,
        Workspace::new(&mut entries, &mut sets, &mut []),
    )
}

/// Makes the reservations of some rows.
///
/// # Panics
///
/// When one of them is not accepted.
pub fn booked<R: Ring>(
    book: &mut Book<'_, R>,
    rows: &[Row],
    rules: &Shifting,
) -> Vec<(u32, Handle)> {
    let mut book = |row: &Row| {
        let booking = shift_in(book, &request(*row), rules);
        (row.0, booking.expect("there is room").handle)
    };
    rows.iter().map(&mut book).collect()
}

/// Where the reservations of some users start.
///
/// # Panics
///
/// When the book does not have one of them.
#[must_use]
pub fn starts<R: Ring>(book: &Book<'_, R>, users: &[(u32, Handle)]) -> Vec<u64> {
    let of = |(_, handle): &(u32, Handle)| book.get(*handle).expect("it is booked");
    users
        .iter()
        .map(|user| of(user).window.start.get())
        .collect()
}

/// Entries of the undo log.
const ENTRIES: usize = 64;

/// Lets all of them run, and tells who is on which node in each slot.
///
/// # Panics
///
/// When more happens in a slot than there are reservations for.
pub fn run<R: Ring>(
    book: &mut Book<'_, R>,
    users: &[(u32, Handle)],
    slots: impl Iterator<Item = u64>,
) -> Vec<Vec<u32>> {
    let mut events = heapless::Vec::<Event, 64>::new();
    let nodes = book.pes().get() as usize;
    let mut nodes_at = |slot: u64| {
        assert_eq!(
            book.advance(Slot::new(slot), &mut events),
            Ok(Advanced::Done)
        );
        let mut on = vec![0; nodes];
        for (user, handle) in users {
            let running = book
                .get(*handle)
                .is_ok_and(|known| known.state == bookahead::State::Running);
            for pe in book
                .pes_of(*handle)
                .into_iter()
                .flatten()
                .filter(|_| running)
            {
                on[usize::from(pe.get())] = *user;
            }
        }
        on
    };
    slots.map(&mut nodes_at).collect()
}
