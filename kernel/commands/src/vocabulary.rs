//! The words in which commands and replies are put, as far as the kernel has none.

use alloc::vec::Vec;

use bookahead::{
    Advanced, Alteration, Commitment, Error, EventKind, Explanation, Outage, PeCount, Placement,
    Request, Reservation, Rule, Slot, Ticket, Window,
};

/// How a book binds PEs, after its ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Late: only numbers are booked, PEs are assigned at the start.
    Counts,
    /// Late, of units that have no numbers: none are ever assigned.
    Units,
    /// Early: PEs are assigned when the reservation is made.
    Sets,
    /// Late, with rules.
    RuledCounts,
    /// Early, with rules.
    RuledSets,
}

impl Kind {
    /// The same without rules.
    #[must_use]
    pub const fn binding(self) -> Self {
        match self {
            Self::Counts | Self::Units | Self::RuledCounts => Self::Counts,
            Self::Sets | Self::RuledSets => Self::Sets,
        }
    }

    /// Whether there are rules.
    #[must_use]
    pub const fn has_rules(self) -> bool {
        matches!(self, Self::RuledCounts | Self::RuledSets)
    }
}

/// A reservation by the order of its acceptance, counted from 0.
pub type Number = u64;

/// An event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Happening {
    /// When.
    pub at: Slot,
    /// To which reservation; none for a request that is given up.
    pub whose: Option<Number>,
    /// What.
    pub kind: EventKind,
    /// The ticket of a job or a request that waited before.
    pub ticket: Option<Ticket>,
}

/// How far an advance came, and the events on the way.
pub type Progress = (Advanced, Vec<Happening>);

/// What a transaction did to one reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Moved {
    /// Which reservation.
    pub whose: Number,
    /// Where it was before the transaction, unless it was inserted.
    pub from: Option<Placement>,
    /// Where it is now, unless it was removed.
    pub to: Option<Placement>,
}

/// The reservations in the way of something, by start, ties by acceptance, and the rules.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InTheWay {
    /// The first eight.
    pub names: Vec<Number>,
    /// How many more there are.
    pub more: u32,
    /// The numbers of the rules.
    pub rules: Vec<Number>,
}

impl InTheWay {
    /// How many are named one by one.
    pub const LISTED: usize = 8;

    /// Nobody.
    #[must_use]
    pub const fn nobody() -> Self {
        Self {
            names: Vec::new(),
            more: 0,
            rules: Vec::new(),
        }
    }

    /// All of `names`, as far as they are listed.
    #[must_use]
    pub fn of(mut names: Vec<Number>) -> Self {
        let more = names.len().saturating_sub(Self::LISTED) as u32;
        names.truncate(Self::LISTED);
        Self {
            names,
            more,
            ..Self::nobody()
        }
    }
}

/// Why a request cannot start at one of its candidate starts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Obstruction {
    /// The candidate.
    pub start: Slot,
    /// How many PEs are lacking.
    pub lacking: PeCount,
    /// The first slot in the way.
    pub at: Slot,
    /// Who covers that slot.
    pub holders: InTheWay,
}

/// One call in a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// Takes a reservation's room out.
    Lift(Number),
    /// Places a lifted one.
    Place(Number, Placement),
    /// Places a lifted one on exactly these PEs from a slot on.
    PlaceExactly(Number, Slot, Vec<u16>),
    /// Places a lifted one at its earliest start from a slot on.
    PlaceFirstFit(Number, Slot),
    /// Books something new.
    Insert(Request, Slot, Commitment),
    /// Gives a reservation up.
    Remove(Number),
    /// Alters one.
    Alter(Number, Alteration),
    /// Splits one in two.
    Split(Number, Slot),
    /// Notes the state.
    Savepoint,
    /// Returns to the state noted by the savepoint that was made so many savepoints after the first one.
    RollbackTo(usize),
    /// Makes the moves of a plan.
    Apply(Vec<Moved>),
    /// Asks who is in the way.
    Conflict(Option<Number>, Placement),
    /// Asks who has one of these PEs.
    ConflictExactly(Option<Number>, Window, Vec<u16>),
    /// Asks which PEs a reservation has.
    PesOf(Number),
    /// Extends a running one up to a slot, whoever is in the way.
    ExtendByForce(Number, Slot),
    /// Takes PEs out of service.
    TakeOut(Outage, Gone),
    /// Sets the rule of a number, or drops it.
    SetRule(usize, Option<(Rule, Gone)>),
    /// Says what is not there at all.
    Resize(Option<Gone>),
}

/// What is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gone {
    /// So many PEs.
    Number(PeCount),
    /// These.
    These(Vec<u16>),
}

/// What a call in a transaction answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// That it is done.
    Done,
    /// Where the reservation was or is.
    At(Placement),
    /// When it starts.
    Starts(Slot),
    /// A new reservation.
    Made(Number),
    /// Who is in the way.
    Conflict(InTheWay),
    /// Its PEs.
    Pes(Vec<u16>),
    /// Where the reservation is, and who has left for it.
    Forced(Placement, Vec<Broken>),
    /// The parts of the outage, and who has left for it.
    Out(Vec<Number>, Vec<Broken>),
    /// Who has left for a rule.
    Ruled(Vec<Broken>),
}

/// A promise that is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// To whom.
    pub whose: Number,
    /// What was promised.
    pub request: Request,
    /// Where it was.
    pub place: Placement,
}

/// What a call in a transaction answers, or why it is refused.
pub type Answered = Result<Answer, Error>;

/// What came of reserving several at once, or of an alteration, and who is in the way if there is no room.
pub type Several<T> = (Result<T, Error>, InTheWay);

/// Why a request does not fit, and what is in the way at its candidate starts.
pub type Explained = (Explanation, Vec<Obstruction>);

/// What can be seen of the book from inside a transaction; nothing at all where an interface does not show it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    /// What has moved.
    pub moves: Vec<Moved>,
    /// Who covers any slot at all.
    pub covering: Vec<Number>,
    /// What is known of the reservations that lived before, then of those made since.
    pub known: Vec<Result<Reservation, Error>>,
    /// How much work is left.
    pub work_left: u64,
    /// How many entries of the workspace are in use.
    pub logged: usize,
}

/// How a transaction ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// It is committed.
    Commit,
    /// Its moves are listed, as far as the list has room, and it is rolled back.
    Plan(usize),
    /// It is dropped, and so rolled back.
    Drop,
}

/// What came of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What each call answered, and what could be seen afterwards.
    pub answers: Vec<(Answered, Sight)>,
    /// What its end answered: for a plan the moves that were listed, and how many were not.
    pub end: Result<(Vec<Moved>, u32), Error>,
}
