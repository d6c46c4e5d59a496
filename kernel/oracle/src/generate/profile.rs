//! How hard a book is used, and for what: tables of weights.

/// How a book is used.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// The longest usual run.
    pub duration: u16,
    /// The widest usual request.
    pub width: u16,
    /// How far time usually passes at once.
    pub step: u16,
    /// What happens, how often.
    pub topics: &'static [(u16, Topic)],
}

/// What a command is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// One of several.
    Of(&'static [(u16, Topic)]),
    /// A reservation that is confirmed at once.
    Reserve,
    /// One that is held.
    Hold,
    /// One that others may move.
    Flexible,
    /// A hold is confirmed.
    Confirm,
    /// A reservation is given up.
    Cancel,
    /// A running one ends.
    Complete,
    /// A start is fixed.
    Freeze,
    /// A plan.
    Plan,
    /// A plan of one of several forms.
    Mould,
    /// A plan is committed.
    Commit,
    /// A request of values that no sensible caller sends.
    Extreme,
    /// An elastic query.
    Offers,
    /// An offer is taken, or a forged one; a query where there is none.
    Accept,
    /// The search for a start.
    Find,
    /// What is read of a book.
    Read,
    /// Why a request does not fit.
    Explain,
    /// An alteration.
    Alter,
    /// A reservation is split.
    Split,
    /// A transaction.
    Transact,
    /// One that applies what another planned.
    Apply,
    /// A rule comes, changes or goes, in books that have some.
    Rule,
    /// A series.
    Series,
    /// Parts that start together.
    Together,
    /// Several are given up.
    CancelAll,
    /// Others are juggled for a newcomer.
    Juggle,
    /// They are arranged anew.
    Replan,
    /// Other windows for a newcomer.
    Alternatives,
    /// Others are shifted aside for a newcomer.
    ShiftIn,
    /// A reservation on top of others.
    Overlay,
    /// Time passes.
    Advance,
    /// So much that little is left of what was booked.
    AdvanceFar,
    /// To a slot from which on hardly anything can be booked.
    EndOfTime,
    /// To the next event.
    Next,
    /// Time passes, and waiting jobs start.
    AdvanceQueue,
    /// So much that little is left of what was booked.
    AdvanceQueueFar,
    /// To the next event, starts of waiting jobs among them.
    NextOfQueue,
    /// Time passes, and whoever may be moved starts earlier.
    AdvancePulling,
    /// So much that little is left of what was booked.
    AdvancePullingFar,
    /// A job is submitted.
    Submit,
    /// One is withdrawn, or a request that waits.
    Withdraw,
    /// A job that runs may be preempted.
    MakePreemptible,
    /// A reservation for which jobs make room.
    ReservePreempting,
    /// A request begins to wait.
    Wait,
    /// It gets another key.
    SetKey,
    /// The book becomes another one, whose queue is refused from then on.
    SetIncarnation,
    /// The queue becomes that of the book.
    SetQueueIncarnation,
}

/// What owners do with what they have.
const OWNERS: &[(u16, Topic)] = &[
    (6, Topic::Confirm),
    (6, Topic::Cancel),
    (7, Topic::Complete),
    (2, Topic::Freeze),
];

/// The same of those who run what they have booked.
const RUNNING: &[(u16, Topic)] = &[
    (3, Topic::Confirm),
    (4, Topic::Cancel),
    (4, Topic::Complete),
    (2, Topic::Freeze),
];

const QUEUE: &[(u16, Topic)] = &[
    (16, Topic::Submit),
    (4, Topic::Wait),
    (1, Topic::MakePreemptible),
    (1, Topic::ReservePreempting),
    (1, Topic::SetKey),
    (1, Topic::Withdraw),
    (9, Topic::AdvanceQueue),
    (3, Topic::AdvancePulling),
];

/// What concerns reservations that are there already, or several at once.
const CHANGING: &[(u16, Topic)] = &[
    (16, Topic::Alter),
    (4, Topic::Split),
    (24, Topic::Transact),
    (5, Topic::Series),
    (2, Topic::CancelAll),
    (5, Topic::Together),
    (5, Topic::Explain),
    (2, Topic::Read),
    (12, Topic::Next),
    (12, Topic::NextOfQueue),
    (1, Topic::SetIncarnation),
];

/// Juggling, with whatever belongs to it.
pub const JUGGLING: &[(u16, Topic)] = &[
    (12, Topic::Juggle),
    (2, Topic::Replan),
    (1, Topic::Alternatives),
];

/// Newcomers for which others are shifted aside.
pub const SHIFTING: &[(u16, Topic)] = &[(1, Topic::ShiftIn)];

/// All that happens as long as time lasts, but for jumps.
const LASTING: &[(u16, Topic)] = &[
    (18, Topic::Reserve),
    (10, Topic::Hold),
    (1, Topic::Flexible),
    (14, Topic::Of(OWNERS)),
    (14, Topic::Advance),
    (6, Topic::Plan),
    (10, Topic::Mould),
    (20, Topic::Offers),
    (24, Topic::Of(QUEUE)),
    (50, Topic::Of(CHANGING)),
    (1, Topic::Find),
    (6, Topic::Of(JUGGLING)),
    (6, Topic::ShiftIn),
    (6, Topic::Overlay),
    (1, Topic::Extreme),
];

/// All that happens.
pub const EVERYTHING: &[(u16, Topic)] = &[
    (180, Topic::Of(LASTING)),
    (3, Topic::AdvanceFar),
    (1, Topic::AdvanceQueueFar),
    (1, Topic::EndOfTime),
];

/// A long life of a book that is always full: time does not pass far too often, and does not end.
pub const CROWDED: &[(u16, Topic)] = &[(960, Topic::Of(LASTING)), (1, Topic::AdvanceFar)];

/// The same where most reservations are flexible, so that they move between all else that happens.
pub const FLEXIBLE: &[(u16, Topic)] = &[
    (3, Topic::Of(CROWDED)),
    (1, Topic::Of(JUGGLING)),
    (4, Topic::ShiftIn),
];

/// A life of flexible reservations that are juggled.
pub const JUGGLED: &[(u16, Topic)] = &[
    (14, Topic::Of(JUGGLING)),
    (4, Topic::Of(RUNNING)),
    (6, Topic::Advance),
];

/// A life of flexible reservations that are shifted.
pub const SHIFTED: &[(u16, Topic)] = &[
    (14, Topic::ShiftIn),
    (4, Topic::Of(RUNNING)),
    (6, Topic::Advance),
];

/// Reservations on top of others, early ends, time, and now and then anything else.
pub const OVERLAID: &[(u16, Topic)] = &[
    (6, Topic::Overlay),
    (
        4,
        Topic::Of(&[
            (2, Topic::Confirm),
            (1, Topic::Cancel),
            (4, Topic::Complete),
        ]),
    ),
    (7, Topic::Advance),
    (3, Topic::Of(CROWDED)),
    (4, Topic::Of(FLEXIBLE)),
];

/// Rules that come, change and go, and now and then anything else.
pub const RULED: &[(u16, Topic)] = &[
    (1, Topic::Rule),
    (3, Topic::Reserve),
    (1, Topic::Hold),
    (3, Topic::Advance),
    (6, Topic::Of(CROWDED)),
    (2, Topic::Of(FLEXIBLE)),
];

/// A queue that is never empty for long, beside reservations.
pub const QUEUEING: &[(u16, Topic)] = &[
    (8, Topic::Submit),
    (3, Topic::Reserve),
    (1, Topic::Hold),
    (1, Topic::Alter),
    (1, Topic::Complete),
    (1, Topic::Cancel),
    (1, Topic::Withdraw),
    (6, Topic::AdvanceQueue),
];

/// Requests that wait for room, jobs beside them, and whatever makes room.
pub const WAITING: &[(u16, Topic)] = &[
    (6, Topic::Wait),
    (1, Topic::SetKey),
    (1, Topic::Withdraw),
    (4, Topic::Reserve),
    (2, Topic::Hold),
    (1, Topic::Flexible),
    (2, Topic::Submit),
    (1, Topic::Overlay),
    (2, Topic::Of(OWNERS)),
    (1, Topic::Of(CHANGING)),
    (6, Topic::AdvanceQueue),
    (2, Topic::AdvanceQueueFar),
    (2, Topic::NextOfQueue),
];

/// Flexible reservations that start earlier where room appears, with requests and jobs that wait beside them.
pub const PULLED: &[(u16, Topic)] = &[
    (6, Topic::Flexible),
    (2, Topic::Of(WAITING)),
    (4, Topic::Of(OWNERS)),
    (1, Topic::ShiftIn),
    (5, Topic::AdvancePulling),
    (2, Topic::AdvancePullingFar),
];

/// Jobs that make room for reservations, which come and go.
pub const PREEMPTED: &[(u16, Topic)] = &[
    (8, Topic::Submit),
    (6, Topic::MakePreemptible),
    (3, Topic::ReservePreempting),
    (1, Topic::Of(OWNERS)),
    (1, Topic::Of(WAITING)),
    (1, Topic::Of(CHANGING)),
    (1, Topic::AdvancePulling),
    (12, Topic::AdvanceQueue),
    (1, Topic::NextOfQueue),
];
