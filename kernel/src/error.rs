//! The errors of calls: refusals of valid requests, and usage errors, which are defects of the caller.

use crate::named::codes;
use core::fmt;

/// The reason why a valid request was refused. Codes are permanent.
///
/// ```
/// use bookahead::Refusal;
/// assert_eq!(Refusal::NoRoom.code(), 5);
/// assert_eq!(Refusal::NoRoom.name(), "no-room");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[repr(u16)]
#[non_exhaustive]
pub enum Refusal {
    /// More processing elements than the machine has.
    TooWide = 1,
    /// The deadline comes before ready + duration.
    WindowTooShort = 2,
    /// The deadline lies beyond the end of the ring.
    BeyondHorizon = 3,
    /// The ready time has passed.
    ReadyInPast = 4,
    /// No start in the window leaves enough processing elements free throughout.
    NoRoom = 5,
    /// Every row of the ledger is taken.
    TableFull = 6,
    /// The run is longer than the whole ring.
    TooLong = 7,
    /// What was offered has been taken by another booking since.
    Overtaken = 8,
    /// The offer's time is over.
    OfferExpired = 9,
    /// The price is more than [`Money`](crate::Money) can say.
    PriceOverflow = 10,
    /// Every place of the queue is taken.
    QueueFull = 11,
    /// The log lent to the transaction is full.
    MoveLimit = 12,
    /// The work granted to the transaction is spent.
    WorkLimit = 13,
    /// The place lies outside the reservation's own window.
    OutsideWindow = 14,
    /// The price is more than the budget.
    OverBudget = 15,
    /// The probability that an overlay is kept is below the threshold at every start.
    TooRisky = 16,
    /// The scratch memory that was lent is too short for this request.
    ScratchTooShort = 17,
    /// The reservation covers a slot in which something is overlaid: others may wait for it, or it for others. Or what is out of service
    /// is in the way of an extension by force.
    Pinned = 18,
    /// Its class could not be served even if nothing else was booked: too few processing elements are eligible, or too few groups or blocks have
    /// enough of them.
    NotEligible = 19,
}

codes!(Refusal: u16 {
    TooWide => "too-wide",
    WindowTooShort => "window-too-short",
    BeyondHorizon => "beyond-horizon",
    ReadyInPast => "ready-in-past",
    NoRoom => "no-room",
    TableFull => "table-full",
    TooLong => "too-long",
    Overtaken => "overtaken",
    OfferExpired => "offer-expired",
    PriceOverflow => "price-overflow",
    QueueFull => "queue-full",
    MoveLimit => "move-limit",
    WorkLimit => "work-limit",
    OutsideWindow => "outside-window",
    OverBudget => "over-budget",
    TooRisky => "too-risky",
    ScratchTooShort => "scratch-too-short",
    Pinned => "pinned",
    NotEligible => "not-eligible",
});

/// A defect of the caller: the call is not valid with these arguments or in this state. Codes are permanent.
///
/// ```
/// use bookahead::UsageError;
/// assert_eq!(UsageError::StaleHandle.code(), 68);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[repr(u16)]
#[non_exhaustive]
pub enum UsageError {
    /// A run of no slots.
    ZeroDuration = 65,
    /// A run on no processing element.
    ZeroPes = 66,
    /// The handle was never given out by this book. One of another book that this book could have given out, by its row and generation, is not told from its own.
    UnknownHandle = 67,
    /// The reservation of this handle has ended.
    StaleHandle = 68,
    /// A booking has changed or the start has passed since the plan was made, or it is another book's.
    StalePlan = 69,
    /// Only a held reservation can be confirmed.
    NotHeld = 70,
    /// Only a running reservation can complete.
    NotRunning = 71,
    /// `now` never goes back.
    TimeWentBack = 72,
    /// The hold's time is over; its end is reported by the next advance.
    HoldExpired = 73,
    /// A job cannot complete after its booked end.
    AfterBookedEnd = 74,
    /// A hold or an offer of no slots would expire at once.
    ZeroHold = 75,
    /// `now` would come too near to the end of time, [`Slot::LAST_NOW`](crate::Slot::LAST_NOW).
    EndOfTime = 76,
    /// More than was offered.
    BeyondOffer = 77,
    /// This book cannot have made that offer.
    BadOffer = 78,
    /// No job with this ticket waits.
    UnknownTicket = 79,
    /// The operation is not for a reservation in this state.
    WrongState = 80,
    /// An extension has to be longer than what is booked, a shortening shorter, a widening wider, a narrowing narrower.
    WrongDirection = 81,
    /// Only a lifted reservation can be placed.
    NotLifted = 82,
    /// The reservation is lifted: it has to be placed first.
    AlreadyLifted = 83,
    /// A reservation is still lifted at the end of the transaction.
    StillLifted = 84,
    /// The transaction was rolled back to an earlier state than the savepoint's.
    BadSavepoint = 85,
    /// A move that says nothing about where the reservation was.
    BadMove = 86,
    /// The queue serves a book of another incarnation.
    ForeignQueue = 87,
    /// A series without an instance, or one whose instances would all begin at once.
    BadSeries = 88,
    /// The number of parts is wrong: there is none, or there are more than the list for their handles has room for; of several books, there is none, or there are more than [`Several`](crate::Several)
    /// takes.
    TooManyParts = 89,
    /// A mouldable request without a form.
    NoForms = 90,
    /// An overlay is pinned, so it cannot be flexible.
    FlexibleOverlay = 91,
    /// The class has been dropped, or is none of this book.
    StaleClass = 92,
    /// The class asks for groups, and the number of processing elements is not a multiple of what a group gives.
    NotWholeGroups = 93,
    /// Jobs wait in the queue, and its book was advanced without it.
    QueueLeftBehind = 94,
    /// A reservation of exactly these processing elements is neither flexible, nor gets another number of them, nor a start that is searched.
    ExactlyThese = 95,
    /// The set of processing elements is empty, of another size, or has one that the machine has not.
    BadPes = 96,
    /// A rule of no slots, a number that no rule has, or a book without rules.
    BadRule = 97,
    /// The queue plans its jobs, and has no schedule, or one of another size.
    NoSchedule = 98,
    /// Books that are decided together are at different instants, or cover different numbers of slots.
    BooksApart = 99,
    /// A part of a joint reservation was changed by itself.
    PartsApart = 100,
    /// A request to several books has not one need for each of them.
    BadNeeds = 101,
}

codes!(UsageError: u16 {
    ZeroDuration => "zero-duration",
    ZeroPes => "zero-pes",
    UnknownHandle => "unknown-handle",
    StaleHandle => "stale-handle",
    StalePlan => "stale-plan",
    NotHeld => "not-held",
    NotRunning => "not-running",
    TimeWentBack => "time-went-back",
    HoldExpired => "hold-expired",
    AfterBookedEnd => "after-booked-end",
    ZeroHold => "zero-hold",
    EndOfTime => "end-of-time",
    BeyondOffer => "beyond-offer",
    BadOffer => "bad-offer",
    UnknownTicket => "unknown-ticket",
    WrongState => "wrong-state",
    WrongDirection => "wrong-direction",
    NotLifted => "not-lifted",
    AlreadyLifted => "already-lifted",
    StillLifted => "still-lifted",
    BadSavepoint => "bad-savepoint",
    BadMove => "bad-move",
    ForeignQueue => "foreign-queue",
    BadSeries => "bad-series",
    TooManyParts => "too-many-parts",
    NoForms => "no-forms",
    FlexibleOverlay => "flexible-overlay",
    StaleClass => "stale-class",
    NotWholeGroups => "not-whole-groups",
    QueueLeftBehind => "queue-left-behind",
    ExactlyThese => "exactly-these",
    BadPes => "bad-pes",
    BadRule => "bad-rule",
    NoSchedule => "no-schedule",
    BooksApart => "books-apart",
    PartsApart => "parts-apart",
    BadNeeds => "bad-needs",
});

/// The reason why a call failed. In every case the book is bit for bit as it was before the call, except for scratch memory.
///
/// Its codes are unique among those of this type: other types of errors, of layouts, classes and snapshots, count from 1 as well.
///
/// ```
/// use bookahead::{Error, Refusal};
/// let error = Error::from(Refusal::TooWide);
/// assert_eq!((error.code(), error.name()), (1, "too-wide"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Error {
    /// An answer: the request is understood and cannot be met.
    Refused(Refusal),
    /// A defect of the caller: the call makes no sense here.
    Misused(UsageError),
}

impl Error {
    /// Returns the permanent number of the reason.
    #[must_use]
    pub const fn code(self) -> u16 {
        match self {
            Self::Refused(refusal) => refusal.code(),
            Self::Misused(misuse) => misuse.code(),
        }
    }

    /// Returns the permanent name of the reason.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Refused(refusal) => refusal.name(),
            Self::Misused(misuse) => misuse.name(),
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<UsageError> for Error {
    fn from(misuse: UsageError) -> Self {
        Self::Misused(misuse)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => write!(f, "refused: {}", refusal.name()),
            Self::Misused(misuse) => write!(f, "misuse: {}", misuse.name()),
        }
    }
}

impl core::error::Error for Error {}
