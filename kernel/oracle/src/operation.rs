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

/// What happens between a plan and its commit.
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
