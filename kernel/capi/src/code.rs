//! What functions answer.

use core::ffi::CStr;

use bookahead::{Error, Refusal, UsageError, Violation};

/// What functions answer, with permanent numbers: 1..63 refusals, 65..127 misuses, 129..191 violations, 193..255 what only a C call can get wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[non_exhaustive]
pub enum Code {
    /// Done.
    Ok = 0,
    /// Refused: more PEs than the machine has.
    TooWide = 1,
    /// Refused: the deadline comes before ready + duration.
    WindowTooShort = 2,
    /// Refused: the deadline lies beyond the end of the ring.
    BeyondHorizon = 3,
    /// Refused: the ready time has passed.
    ReadyInPast = 4,
    /// Refused: no start in the window leaves enough PEs free throughout.
    NoRoom = 5,
    /// Refused: every row of the ledger is taken.
    TableFull = 6,
    /// Refused: the run is longer than the whole ring.
    TooLong = 7,
    /// Refused: what was offered has been taken by another booking since.
    Overtaken = 8,
    /// Refused: the offer's time is over.
    OfferExpired = 9,
    /// Refused: the price is more than 64 bits can say.
    PriceOverflow = 10,
    /// Refused: every place of the queue is taken.
    QueueFull = 11,
    /// Refused: the workspace is full.
    MoveLimit = 12,
    /// Refused: the work that was granted is spent.
    WorkLimit = 13,
    /// Refused: the place lies outside the reservation's own window.
    OutsideWindow = 14,
    /// Refused: the price is more than the budget.
    OverBudget = 15,
    /// Refused: the probability that an overlay is kept is below the threshold at every start.
    TooRisky = 16,
    /// Refused: the scratch memory that was lent is too short for this request.
    ScratchTooShort = 17,
    /// Refused: the reservation covers a slot in which something is overlaid, or what is out of service is in the way of an extension by force.
    Pinned = 18,
    /// Refused: its class could not be served even if nothing else was booked.
    NotEligible = 19,
    /// UsageError: a run of no slots.
    ZeroDuration = 65,
    /// UsageError: a run on no PE.
    ZeroPes = 66,
    /// UsageError: the handle was never given out by this book.
    UnknownHandle = 67,
    /// UsageError: the reservation of this handle has ended.
    StaleHandle = 68,
    /// UsageError: a booking has changed or the start has passed since the plan was made, or it is another book's, or was never made.
    StalePlan = 69,
    /// UsageError: only a held reservation can be confirmed.
    NotHeld = 70,
    /// UsageError: only a running reservation can complete.
    NotRunning = 71,
    /// UsageError: `now` never goes back.
    TimeWentBack = 72,
    /// UsageError: the hold's time is over; its end is reported by the next advance.
    HoldExpired = 73,
    /// UsageError: a job cannot complete after its booked end.
    AfterBookedEnd = 74,
    /// UsageError: a hold or an offer of no slots would expire at once.
    ZeroHold = 75,
    /// UsageError: `now` would come too near to the end of time.
    EndOfTime = 76,
    /// UsageError: more than was offered.
    BeyondOffer = 77,
    /// UsageError: this book cannot have made that offer.
    BadOffer = 78,
    /// UsageError: no job with this ticket waits.
    UnknownTicket = 79,
    /// UsageError: the operation is not for a reservation in this state.
    WrongState = 80,
    /// UsageError: an extension has to be longer than what is booked, a shortening shorter, a widening wider, a narrowing narrower.
    WrongDirection = 81,
    /// UsageError: only a lifted reservation can be placed.
    NotLifted = 82,
    /// UsageError: the reservation is lifted; it has to be placed first.
    AlreadyLifted = 83,
    /// UsageError: a reservation is still lifted at the end of the transaction.
    StillLifted = 84,
    /// UsageError: no savepoint of that number, or the transaction was rolled back to an earlier state than the savepoint's.
    BadSavepoint = 85,
    /// UsageError: a move that says nothing about where the reservation was.
    BadMove = 86,
    /// UsageError: the queue serves a book of another incarnation.
    ForeignQueue = 87,
    /// UsageError: a series without an instance, or one whose instances would all begin at once.
    BadSeries = 88,
    /// UsageError: no part, or more reservations than the list for their handles has room for.
    TooManyParts = 89,
    /// UsageError: a mouldable request without a form.
    NoForms = 90,
    /// UsageError: an overlay is pinned, so it cannot be flexible.
    FlexibleOverlay = 91,
    /// UsageError: the class has been dropped, or is none of this book.
    StaleClass = 92,
    /// UsageError: the number of PEs is not a multiple of what a group gives.
    NotWholeGroups = 93,
    /// UsageError: jobs wait in the queue, and its book was advanced without it.
    QueueLeftBehind = 94,
    /// UsageError: a reservation of exactly these PEs is neither flexible, nor gets another number of them, nor a start that is searched.
    ExactlyThese = 95,
    /// UsageError: the set of PEs is empty, of another size, or has one that the machine has not.
    BadPes = 96,
    /// UsageError: a rule of no slots, a number that no rule has, or a book without rules.
    BadRule = 97,
    /// UsageError: the queue plans its jobs, and has no schedule.
    NoSchedule = 98,
    /// UsageError: books that are decided together are at different instants, or cover different numbers of slots.
    BooksApart = 99,
    /// UsageError: a part of a joint reservation was changed by itself.
    PartsApart = 100,
    /// UsageError: a request to several books has not one need for each of them.
    BadNeeds = 101,
    /// Violation: a slot is not what the reservations that cover it add up to.
    Occupancy = 129,
    /// Violation: more is busy than the machine has.
    TooManyBusy = 130,
    /// Violation: a reservation does not hold the PEs it should.
    Binding = 131,
    /// Violation: a summary is not what the slots say.
    Summary = 132,
    /// Violation: a change or release bit is not what the slots say.
    Edge = 133,
    /// Violation: a reservation lies outside what was asked.
    Window = 134,
    /// Violation: the rows of the ledger do not add up.
    Rows = 135,
    /// Violation: the lists by start are not in order.
    List = 136,
    /// Violation: the timers are not in order.
    Timer = 137,
    /// Violation: the queue of waiting jobs is not in order.
    Queue = 138,
    /// Violation: what is overlaid is not what the rows say.
    Overlay = 139,
    /// Violation: a reservation holds PEs that do not serve its class.
    Class = 140,
    /// A pointer is null.
    NullPointer = 193,
    /// A pointer is not aligned as its type demands, a book's memory to `BOOKAHEAD_ALIGNMENT`.
    Misaligned = 194,
    /// The memory is shorter than the book or the queue.
    TooShort = 195,
    /// The memory holds no book, or one of another version of the library.
    NotABook = 196,
    /// No number of `bookahead_binding`, or a book of a binding that the call is not for.
    UnknownBinding = 197,
    /// No number or name of `bookahead_policy`.
    UnknownPolicy = 198,
    /// A book of no PE or slot, of more than 65,535 PEs, 2,147,483,647 units or 4,294,967,294 reservations, a queue of more than as many jobs, or anything that is larger
    /// than memory can be.
    SizeOutOfRange = 199,
    /// The window is empty or not covered by the ring.
    OutsideRing = 200,
    /// Nothing is due: the book is empty.
    NothingDue = 201,
    /// Slots of no length, or a time that the other unit cannot express, such as one before the epoch.
    TimeOutOfRange = 202,
    /// The memory holds no queue, or one of another version of the library.
    NotAQueue = 203,
    /// No number or name of `bookahead_discipline`.
    UnknownDiscipline = 204,
    /// No number or name of `bookahead_search`.
    UnknownSearch = 205,
    /// No number or name of `bookahead_offer_order` or of `bookahead_order`.
    UnknownOrder = 206,
    /// A factor below 1, or a price of a slot that is more than 64 bits can say.
    TariffOutOfRange = 207,
    /// The first job of the queue has no start within the horizon, or no job waits.
    NoShadow = 208,
    /// No number or name of `bookahead_alteration_kind`.
    UnknownAlteration = 209,
    /// No number of `bookahead_step_kind`.
    UnknownStep = 210,
    /// No number of `bookahead_ending`.
    UnknownEnding = 211,
    /// No number or name of `bookahead_form_choice`.
    UnknownChoice = 212,
    /// No number or name of `bookahead_flexibility`.
    UnknownFlexibility = 213,
    /// No number or name of `bookahead_freeze_rule`.
    UnknownFreeze = 214,
    /// No number of `bookahead_admission`, `bookahead_after_failure`, `bookahead_sides` or `bookahead_behind`.
    UnknownRule = 215,
    /// The book has no layer for overlays.
    NoOverlays = 216,
    /// No number of `bookahead_commitment_kind`, or FLEXIBLE where that cannot be.
    UnknownCommitment = 217,
    /// The memory holds a book made by a library for processors of another number of bits.
    OtherProcessor = 218,
    /// The book is not on a machine with a layout.
    NoLayout = 219,
    /// The layout does not add up: `bookahead_layout_check` says why.
    BadLayout = 220,
    /// The class is impossible on the machine, or there is no room for it: `bookahead_class_add` says why.
    BadClass = 221,
    /// No number of `bookahead_outage_kind`.
    UnknownOutage = 222,
    /// Something has been booked in the book that is to become another, or time has passed.
    NotNew = 223,
    /// The bytes do not begin as a snapshot or a record does.
    NoSnapshot = 224,
    /// The bytes were written in a format that is not known here.
    UnknownVersion = 225,
    /// The bytes are those of a book of another kind, of another size, or of more reservations than there is memory for.
    OtherBook = 226,
    /// The record follows on another state than the one the book is in.
    NotNext = 227,
    /// The book keeps no journal.
    NoJournal = 228,
    /// The book has changed while its journal was not kept.
    Missed = 229,
    /// A byte of the snapshot is not what was written.
    WrongSum = 230,
    /// The bytes end before the snapshot or the record does.
    Incomplete = 231,
    /// No number of `bookahead_meeting`.
    UnknownMeeting = 232,
    /// Two of several books, their ties or their periods lie in the same memory.
    Overlapping = 233,
    /// A period does not end later than the one before it, is not over yet, or is not there, as in a library built without quota.
    BadPeriods = 234,
}

/// What a function could not do, on its way out.
pub(crate) struct Failure(u32);

impl Failure {
    pub(crate) const fn code(&self) -> u32 {
        self.0
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(u32::from(error.code()))
    }
}

impl From<Violation> for Failure {
    fn from(violation: Violation) -> Self {
        Self(u32::from(violation.code()))
    }
}

impl From<Code> for Failure {
    fn from(code: Code) -> Self {
        Self(code as u32)
    }
}

/// The number that a function answers.
#[inline(always)]
pub(crate) fn answer(call: impl FnOnce() -> Result<(), Failure>) -> u32 {
    match call() {
        Ok(()) => Code::Ok as u32,
        Err(Failure(code)) => code,
    }
}

/// The value of that number, or `unknown`.
#[inline(always)]
pub(crate) fn known<T>(
    code: u32,
    from_code: fn(u8) -> Option<T>,
    unknown: Code,
) -> Result<T, Failure> {
    let value = u8::try_from(code).ok().and_then(from_code);
    value.ok_or(unknown.into())
}

/// A name of the kernel as C reads text.
macro_rules! c_text {
    ($name:expr) => {{
        const NAME: &str = $name;
        const TEXT: [u8; NAME.len() + 1] = crate::code::terminated(NAME);
        const {
            match core::ffi::CStr::from_bytes_with_nul(&TEXT) {
                Ok(text) => text,
                Err(_) => panic!("a name contains no zero"),
            }
        }
    }};
}
pub(crate) use c_text;

/// The bytes of `name` and a zero; called by the compiler only.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
pub(crate) const fn terminated<const LENGTH: usize>(name: &str) -> [u8; LENGTH] {
    let mut text = [0; LENGTH];
    let mut at = 0;
    while at < name.len() {
        text[at] = name.as_bytes()[at];
        at += 1;
    }
    text
}

/// The names of codes. Those that the kernel has too must be the kernel's, all of them, with the same numbers.
macro_rules! names {
    ($(kernel $reason:ident { $($of_kernel:ident,)* })* own { $($code:ident = $name:literal,)* }) => {
        $(const _: () = {
            $(assert!(Code::$of_kernel as u32 == $reason::$of_kernel.code() as u32);)*
            assert!([$(Code::$of_kernel),*].len() == $reason::ALL.len());
        };)*

        /// The permanent name of the code of that number.
        pub(crate) const fn name(code: u32) -> Option<&'static CStr> {
            $($(if code == Code::$of_kernel as u32 {
                return Some(c_text!($reason::$of_kernel.name()));
            })*)*
            $(if code == Code::$code as u32 {
                return Some(c_text!($name));
            })*
            None
        }
    };
}

names! {
    kernel Refusal {
        TooWide, WindowTooShort, BeyondHorizon, ReadyInPast, NoRoom, TableFull, TooLong, Overtaken, OfferExpired, PriceOverflow,
        QueueFull, MoveLimit, WorkLimit, OutsideWindow, OverBudget, TooRisky,
        ScratchTooShort, Pinned, NotEligible,
    }
    kernel UsageError {
        ZeroDuration, ZeroPes, UnknownHandle, StaleHandle, StalePlan, NotHeld, NotRunning, TimeWentBack, HoldExpired,
        AfterBookedEnd, ZeroHold, EndOfTime, BeyondOffer, BadOffer, UnknownTicket, WrongState, WrongDirection,
        NotLifted, AlreadyLifted, StillLifted, BadSavepoint, BadMove, ForeignQueue, BadSeries, TooManyParts,
        NoForms, FlexibleOverlay, StaleClass, NotWholeGroups, QueueLeftBehind, ExactlyThese, BadPes, BadRule,
        NoSchedule, BooksApart, PartsApart, BadNeeds,
    }
    kernel Violation { Occupancy, TooManyBusy, Binding, Summary, Edge, Window, Rows, List, Timer, Queue, Overlay, Class, }
    own {
        Ok = "ok",
        NullPointer = "null-pointer",
        Misaligned = "misaligned",
        TooShort = "too-short",
        NotABook = "not-a-book",
        UnknownBinding = "unknown-binding",
        UnknownPolicy = "unknown-policy",
        SizeOutOfRange = "size-out-of-range",
        OutsideRing = "outside-ring",
        NothingDue = "nothing-due",
        TimeOutOfRange = "time-out-of-range",
        NotAQueue = "not-a-queue",
        UnknownDiscipline = "unknown-discipline",
        UnknownSearch = "unknown-search",
        UnknownOrder = "unknown-order",
        TariffOutOfRange = "tariff-out-of-range",
        NoShadow = "no-shadow",
        UnknownAlteration = "unknown-alteration",
        UnknownStep = "unknown-step",
        UnknownEnding = "unknown-ending",
        UnknownChoice = "unknown-choice",
        UnknownFlexibility = "unknown-flexibility",
        UnknownFreeze = "unknown-freeze",
        UnknownRule = "unknown-rule",
        NoOverlays = "no-overlays",
        UnknownCommitment = "unknown-commitment",
        OtherProcessor = "other-processor",
        NoLayout = "no-layout",
        BadLayout = "bad-layout",
        BadClass = "bad-class",
        UnknownOutage = "unknown-outage",
        NotNew = "not-new",
        NoSnapshot = "no-snapshot",
        UnknownVersion = "unknown-version",
        OtherBook = "other-book",
        NotNext = "not-next",
        NoJournal = "no-journal",
        Missed = "missed",
        WrongSum = "wrong-sum",
        Incomplete = "incomplete",
        UnknownMeeting = "unknown-meeting",
        Overlapping = "overlapping",
        BadPeriods = "bad-periods",
    }
}
