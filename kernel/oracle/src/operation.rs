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
    /// One that the present transaction has lifted, by acceptance, modulo their number; nothing happens when there is none.
    Lifted(u8),
    /// One that was never made.
    Never,
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
    /// Fix its start.
    Freeze,
}

/// As what a newcomer is booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum Terms {
    /// For good, and nobody else moves it.
    Strict,
    /// As a hold of so many slots.
    Held(u8),
    /// It may be moved until its start is fixed.
    Flexible {
        /// Whether it has a deadline only.
        deadline: bool,
        /// When its start is fixed.
        thaw: Thaw,
    },
}

/// When the start of a flexible reservation is fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum Thaw {
    /// Not before it starts.
    Never,
    /// At once.
    Acceptance,
    /// After so many 50ths of its wait; 20 are all of it.
    Share(u8),
    /// So many slots before it starts.
    Lead(u8),
}

/// How to shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Shift {
    /// Whether to the left, too.
    pub both: bool,
    /// How deep, modulo 3: deeper takes the oracle too long.
    pub depth: u8,
    /// No reservation slides to less than so many slots from now.
    pub earliest: u8,
    /// How many may slide, if that is limited.
    pub moves: Option<u8>,
    /// How much work may be done, if that is limited.
    pub work: Option<u16>,
    /// How many entries the undo log has; 255: enough.
    pub log: u8,
    /// Whether one call does it all, or a transaction is committed, or only planned: modulo 3.
    pub end: u8,
}

/// On what terms to overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Stake {
    /// The least probability in hundredths, modulo 101.
    pub percent: u8,
    /// How much less time jobs take than they book, modulo 8.
    pub speed: u8,
    /// Whether it has to finish, too.
    pub completion: bool,
    /// For good or as a hold of so many slots.
    pub ttl: Option<u8>,
    /// How many predecessors fit into the list, below 4; with 4 the table is too short by one.
    pub list: u8,
}

/// How to juggle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Juggle {
    /// In which order, modulo their number.
    pub order: u8,
    /// The seed of a shuffle.
    pub seed: u8,
    /// Also where the newcomer fits as things are.
    pub always: bool,
    /// Once more after another reservation lost its room.
    pub retry: bool,
    /// No waiting reservation starts earlier than so many slots from now.
    pub earliest: u8,
    /// How many may move, if that is limited.
    pub moves: Option<u8>,
    /// How much work may be done, if that is limited.
    pub work: Option<u16>,
    /// How many entries the undo log has; 255: enough.
    pub log: u8,
    /// How many elements the list of waiting reservations has; 255: enough.
    pub list: u8,
    /// Whether one call does it all, or a transaction is committed, or only planned: modulo 3.
    pub end: u8,
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
    /// It speaks of a book whose incarnation is so much higher.
    Incarnation(u8),
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
    /// A reservation is altered.
    Alter(Pick, Change),
    /// Book and queue are given this incarnation.
    Restore(u8),
}

/// What to change about a reservation, relative to what it is, so that values of the wrong sign ask for the wrong direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum Change {
    /// So many slots later; below zero earlier.
    Shift(i16),
    /// So many slots longer.
    Extend(i16),
    /// So many slots shorter.
    Shorten(i16),
    /// On so many PEs more.
    Widen(i16),
    /// On so many PEs fewer.
    Narrow(i16),
    /// Another window.
    Window {
        /// Ready so many slots from now; below zero is the past.
        lead: i16,
        /// Slots between ready + duration and the deadline; below zero the window is too short.
        slack: i16,
    },
    /// The window that it has already.
    SameWindow,
}

/// Another placement, relative to the present one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Hop {
    /// It starts so many slots later; below zero earlier.
    pub by: i16,
    /// It lasts so many slots longer; below zero shorter.
    pub longer: i16,
    /// It takes so many PEs more; below zero fewer.
    pub wider: i16,
}

/// Where to place a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum Spot {
    /// Relative to where it was.
    Near(Hop),
    /// As it is, from where another one starts or started.
    Of(Pick),
}

/// One step of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum Step {
    /// Take a reservation's room out.
    Lift(Pick),
    /// Place a lifted one.
    Place(Pick, Spot),
    /// Place a lifted one at its earliest start from so many slots from now on.
    FirstFit(Pick, i16),
    /// Book something new.
    Insert {
        /// What.
        ask: Ask,
        /// It starts so many slots after it is ready.
        after: i8,
        /// As a hold of so many slots, or for good.
        ttl: Option<u8>,
    },
    /// Give one up.
    Remove(Pick),
    /// Alter one.
    Alter(Pick, Change),
    /// Split one so many slots behind its start.
    Split(Pick, i16),
    /// Note the state.
    Savepoint,
    /// Return to a noted state: to that of one of the savepoints so far, modulo their number, valid or not.
    RollbackTo(u8),
    /// Make the moves of the latest plan.
    Apply,
    /// Ask who is in the way of another placement, of a certain reservation or of nobody's.
    Conflict(Option<Pick>, Hop),
}

/// How a transaction ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum Finish {
    /// It is committed.
    Commit,
    /// Its moves are listed, as far as a list of this length holds them (8 or more: all), and it is rolled back.
    Plan(u8),
    /// It is planned, something happens, and another transaction applies the plan and is committed.
    PlanApply(Disturbance),
    /// It is dropped.
    Drop,
}

/// How many steps a transaction of the tests has at most.
pub const STEPS: usize = 12;

/// A transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Script {
    /// Its steps.
    pub steps: [Step; STEPS],
    /// How many of them count, modulo one more than their number.
    pub length: u8,
    /// How many entries its undo log has.
    pub log: u8,
    /// How much work it may do, if that is limited.
    pub work: Option<u16>,
    /// How it ends.
    pub finish: Finish,
}

impl Script {
    /// The steps that count.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps[..usize::from(self.length) % (STEPS + 1)]
    }

    /// A transaction of these steps, with a long log and without a limit of work.
    ///
    /// # Panics
    ///
    /// When there are too many.
    #[must_use]
    pub fn of(steps: &[Step], finish: Finish) -> Self {
        let mut all = [Step::Savepoint; STEPS];
        all[..steps.len()].copy_from_slice(steps);
        Self {
            steps: all,
            length: steps.len() as u8,
            log: u8::MAX,
            work: None,
            finish,
        }
    }
}

/// One of several reservations that start together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Share {
    /// It starts so many slots after the others.
    pub offset: u8,
    /// Slots it lasts.
    pub duration: u16,
    /// PEs.
    pub pes: u16,
}

/// How many forms a mouldable request of the tests has at most.
pub const FORMS: usize = 4;

/// What a mouldable request can run as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub enum Shapes {
    /// One of a table: PEs, and slots on so many; so many of them count, modulo one more than their number.
    Table([(u16, u16); FORMS], u8),
    /// What a malleable requirement translates into, the narrowest forms.
    Malleable {
        /// PE-slots.
        work: u16,
        /// The fewest PEs.
        least: u16,
        /// The most PEs.
        most: u16,
    },
}

/// A mouldable request, relative to the current slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Moulding {
    /// Ready so many slots from now; below zero is the past.
    pub lead: i16,
    /// Slots from ready to the deadline; below zero it comes first.
    pub length: i16,
    /// What it can run as.
    pub shapes: Shapes,
    /// Which policy, modulo their number.
    pub policy: u8,
    /// Which choice among the forms, modulo their number.
    pub choice: u8,
    /// Which tariff of a few, modulo their number.
    pub tariff: u8,
    /// The discount for a slack as long as the duration, and the greatest one, in 256ths of the price.
    pub discount: [u8; 2],
    /// As much as so many PE-slots cost without a discount, if the budget is limited.
    pub budget: Option<u8>,
}

/// How many reservations the tests make or cancel together at most.
pub const SHARES: usize = 4;

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
    /// Plan one of several forms, let something happen, commit.
    Mould {
        /// What to plan.
        moulding: Moulding,
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
    /// Book, and move others for it.
    Juggle {
        /// What.
        ask: Ask,
        /// As what.
        terms: Terms,
        /// How.
        how: Juggle,
    },
    /// Book, and let others slide aside for it.
    Shift {
        /// What.
        ask: Ask,
        /// As what.
        terms: Terms,
        /// How.
        how: Shift,
    },
    /// Arrange the waiting reservations anew.
    Replan(Juggle),
    /// Book on top of others, in a book with a layer for that.
    Overlay {
        /// What.
        ask: Ask,
        /// On what terms.
        stake: Stake,
    },
    /// Ask for other windows.
    Alternatives {
        /// What.
        ask: Ask,
        /// As what.
        terms: Terms,
        /// How.
        how: Juggle,
        /// On which sides, modulo 3.
        sides: u8,
        /// At most so many hundredths of the duration away; 255: however far.
        percent: u8,
        /// Whether later windows begin where a reservation ends, and not at its deadline.
        end: bool,
        /// How many fit into the list; 8 or more: all.
        room: u8,
    },
    /// Alter a reservation.
    Alter {
        /// Which.
        pick: Pick,
        /// What about it.
        change: Change,
        /// How many entries the undo log has.
        log: u8,
    },
    /// Split a reservation.
    Split {
        /// Which.
        pick: Pick,
        /// So many slots behind its start.
        after: i16,
        /// How many entries the undo log has.
        log: u8,
    },
    /// Change several things or none.
    Transaction(Script),
    /// Reserve the same again and again.
    Series {
        /// What.
        ask: Ask,
        /// For good or as holds of so many slots.
        ttl: Option<u8>,
        /// How many slots lie between two of them.
        period: u8,
        /// How many there are, modulo 16.
        count: u8,
        /// Those that are left out, by number.
        without: [u8; 2],
        /// How many entries the undo log has.
        log: u8,
        /// How many handles fit into the list; 8 or more: all.
        room: u8,
    },
    /// Give up several at once.
    CancelAll {
        /// Which.
        picks: [Pick; SHARES],
        /// How many of them count, modulo one more than their number.
        length: u8,
    },
    /// Reserve several that start together.
    Together {
        /// Ready so many slots from now; below zero is the past.
        lead: i16,
        /// Slots from ready to the deadline; below zero it comes first.
        length: i16,
        /// The parts.
        parts: [Share; SHARES],
        /// How many of them count, modulo one more than their number.
        count: u8,
        /// For good or as holds of so many slots.
        ttl: Option<u8>,
        /// How many entries the undo log has.
        log: u8,
        /// How many handles fit into the list; 8 or more: all.
        room: u8,
    },
    /// Ask why something does not fit.
    Explain {
        /// What.
        ask: Ask,
        /// How many obstacles fit into the list; 8 or more: all.
        room: u8,
    },
    /// Ask who covers a window.
    Covering {
        /// It begins so many slots from now; below zero in the past.
        lead: i16,
        /// It has so many slots; below zero it ends before it begins.
        length: i16,
    },
    /// Let time pass, told of one event after another.
    Next {
        /// How many slots.
        by: u16,
        /// How many events are asked for at most.
        most: u8,
    },
    /// The same, and waiting jobs start.
    NextOfQueue {
        /// How many slots.
        by: u16,
        /// How many events are asked for at most.
        most: u8,
    },
    /// Give the book an incarnation, use the queue that does not know of it yet, and give it to the queue.
    Restore(u8),
}
