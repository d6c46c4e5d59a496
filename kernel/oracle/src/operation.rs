//! The one alphabet of operations that unit, property, exhaustive and fuzz tests share.

/// What to ask for, relative to the current slot, so that random values are meaningful.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Ask {
    /// Ready so many slots from now; below zero is the past.
    pub lead: i16,
    /// Slots the run lasts.
    pub duration: u16,
    /// Slots between ready + duration and the deadline; below zero the window is too short.
    pub slack: i16,
    /// PEs.
    pub pes: u16,
    /// Which policy, modulo their number.
    pub policy: u8,
}

/// Which reservation to act on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum Pick {
    /// A live one, by acceptance, modulo their number; nothing happens when there is none.
    Live(u8),
    /// One that has ended, the latest first, modulo their number; nothing happens when there is none.
    Ended(u8),
}

/// What to do with a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum Verb {
    /// Turn a hold into a reservation.
    Confirm,
    /// Give it up.
    Cancel,
    /// End it so many slots from now; below zero means earlier than now.
    Complete(i16),
    /// End it at an absolute slot.
    CompleteAt(u64),
}

/// What to ask about elastically, relative to the current slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Inquiry {
    /// Ready so many slots from now; below zero is the past.
    pub lead: i16,
    /// Slots from ready to the deadline; below zero it comes first.
    pub length: i16,
    /// Slots the run lasts, if that matters.
    pub duration: Option<u16>,
    /// PEs, if they matter.
    pub pes: Option<u16>,
    /// Which search, modulo their number.
    pub search: u8,
    /// Which order, modulo their number.
    pub order: u8,
    /// How many slots the offers are good for.
    pub ttl: u8,
    /// Which tariff of a few, modulo their number.
    pub tariff: u8,
    /// How many offers fit into the list; 8 or more: all.
    pub room: u8,
}

/// What is taken of an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Taking {
    /// Which offer, modulo their number.
    pub nth: u8,
    /// So many slots fewer; below zero more.
    pub fewer_slots: i8,
    /// So many PEs fewer; below zero more.
    pub fewer_pes: i8,
    /// Take it as a hold of so many slots, or for good.
    pub ttl: Option<u8>,
}

/// What was done to an offer that is accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum Forgery {
    /// Nothing.
    Genuine,
    /// It speaks of a state of the book so many changes later.
    Version(u32),
    /// One of its six edges lies so many slots later; below zero earlier.
    Edge(u8, i8),
    /// It offers so many PEs more; below zero fewer.
    Pes(i16),
    /// It expires at an absolute slot.
    Expires(u64),
    /// All of it lies there.
    Elsewhere {
        /// Where it begins.
        start: u64,
        /// Where it ends.
        end: u64,
    },
}

/// A job to wait in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Submission {
    /// Slots it may run.
    pub estimate: u16,
    /// PEs.
    pub pes: u16,
}

/// What happens between a plan and its commit, or between an offer and its acceptance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum Disturbance {
    /// Nothing.
    Nothing,
    /// A call that is refused, and so leaves the plan good.
    Refused,
    /// Another plan, which reads only.
    Plan(Ask),
    /// Another reservation.
    Reserve(Ask),
    /// Something done to a reservation.
    Act(Pick, Verb),
    /// Time passes, with room for every event.
    Advance(u8),
    /// Time passes, waiting jobs start, with room for every event.
    AdvanceQueue(u8),
}

/// One call, or two that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum Operation {
    /// Book for good.
    Reserve(Ask),
    /// Book for `ttl` slots.
    Hold {
        /// What.
        ask: Ask,
        /// How long the hold lasts.
        ttl: u32,
    },
    /// Do something with a reservation.
    Act(Pick, Verb),
    /// Let time pass.
    Advance {
        /// How many slots.
        by: u16,
        /// How many events fit into the list; 8 or more: all.
        room: u8,
    },
    /// Plan, let something happen, commit.
    PlanCommit {
        /// What to plan.
        ask: Ask,
        /// Commit as a hold of so many slots, or for good.
        ttl: Option<u8>,
        /// What comes between.
        between: Disturbance,
    },
    /// Ask elastically.
    Query(Inquiry),
    /// Ask elastically, let something happen, accept an offer or what was made of it.
    QueryAccept {
        /// What to ask.
        inquiry: Inquiry,
        /// What to take.
        taking: Taking,
        /// What was done to the offer.
        forgery: Forgery,
        /// What comes between.
        between: Disturbance,
    },
    /// Let a job wait for free PEs.
    Submit(Submission),
    /// Take a job out of the queue.
    Withdraw(Pick),
    /// Let time pass and waiting jobs start.
    AdvanceQueue {
        /// How many slots.
        by: u16,
        /// How many events fit into the list; 8 or more: all.
        room: u8,
    },
    /// Book with absolute, mostly extreme values.
    ReserveAt {
        /// Ready slot.
        ready: u64,
        /// Slots the run lasts.
        duration: u32,
        /// Deadline slot.
        deadline: u64,
        /// PEs.
        pes: u16,
        /// Which policy, modulo their number.
        policy: u8,
    },
    /// Let time pass to an absolute slot.
    AdvanceTo {
        /// The slot.
        to: u64,
        /// How many events fit into the list; 8 or more: all.
        room: u8,
    },
}
