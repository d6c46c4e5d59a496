//! What is done to reservations after they were made, as files state it: seconds, not slots.

use crate::{outage::Notice, request::Demand};

/// What arrives: the rows of a request file, which say what is asked for and what is done to it later, and outages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The demands in order of arrival.
    pub demands: Vec<Demand>,
    /// The operations in order of arrival.
    pub operations: Vec<Operation>,
    /// What becomes known of outages, in that order.
    pub notices: Vec<Notice>,
}

impl Script {
    /// Whether every demand is a firm one and nothing is done to it later, so that nothing ever moves.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let held = |demand: &Demand| matches!(demand, Demand::Hold(_));
        self.operations.is_empty() && !self.demands.iter().any(held)
    }
}

impl From<Vec<Demand>> for Script {
    fn from(demands: Vec<Demand>) -> Self {
        Self {
            demands,
            ..Self::default()
        }
    }
}

/// One operation on a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Number of its row; the second part of a reservation that is split is known by it from then on.
    pub job_id: u64,
    /// When it is done (s).
    pub arrival: u64,
    /// The job that it is about.
    pub target: u64,
    /// What is done.
    pub action: Action,
    /// How many demands come before it in its file.
    pub after: usize,
}

/// What is done to a reservation; times in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A held reservation becomes a firm one.
    Confirm,
    /// It is given back; of a running job, what is left of it.
    Cancel,
    /// The running job ends, at this time or at once.
    Complete {
        /// When it is over, rounded up to a slot edge in the book.
        at: Option<u64>,
    },
    /// Its booking changes.
    Alter(Alter),
    /// The running job gets the time that it takes, whoever is in the way.
    ExtendByForce {
        /// The new length (s), rounded up to whole slots.
        duration: u64,
    },
    /// It becomes two reservations, one behind the other.
    Split {
        /// Where the second begins, rounded up to a slot edge.
        at: u64,
    },
}

/// How a booking changes; times in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alter {
    /// It starts at another time inside its window.
    Shift {
        /// The new start, rounded up to a slot edge.
        start: u64,
    },
    /// It gets more time.
    Extend {
        /// The new length, rounded up to whole slots.
        duration: u64,
    },
    /// It gets less time.
    Shorten {
        /// The new length, rounded up to whole slots.
        duration: u64,
    },
    /// It gets more processing elements.
    Widen {
        /// The new number.
        pes: u64,
    },
    /// It gets fewer processing elements.
    Narrow {
        /// The new number.
        pes: u64,
    },
    /// It may run in another window; it stays where it is if it fits there, or else takes the first start that does.
    ChangeWindow {
        /// The new earliest start, rounded up to a slot edge.
        ready: u64,
        /// The new latest end, rounded down to a slot edge.
        deadline: u64,
    },
}

/// The cells of a row that an operation may need.
pub const CELLS: [&str; 4] = ["ready", "duration", "deadline", "pes"];

impl Action {
    /// The names in files, in the order in which help texts list them.
    pub const NAMES: [&'static str; 11] = [
        "confirm",
        "cancel",
        "complete",
        "shift",
        "extend",
        "shorten",
        "widen",
        "narrow",
        "change-window",
        "split",
        "extend-by-force",
    ];

    /// The action of a name, with what its cells say; `None` for another name.
    ///
    /// ```
    /// use bookahead_sim::operation::{Action, Alter};
    /// let action = Action::from_cells("extend", [0, 90, 0, 0]).unwrap();
    /// assert_eq!(action, Action::Alter(Alter::Extend { duration: 90 }));
    /// assert_eq!((action.name(), action.cells()), ("extend", [None, Some(90), None, None]));
    /// assert_eq!(Action::from_cells("renew", [0; 4]), None);
    /// ```
    #[must_use]
    pub fn from_cells(name: &str, cells: [u64; 4]) -> Option<Self> {
        let [ready, duration, deadline, pes] = cells;
        Some(match name {
            "confirm" => Self::Confirm,
            "cancel" => Self::Cancel,
            "complete" => Self::Complete {
                at: (ready > 0).then_some(ready),
            },
            "shift" => Self::Alter(Alter::Shift { start: ready }),
            "extend" => Self::Alter(Alter::Extend { duration }),
            "shorten" => Self::Alter(Alter::Shorten { duration }),
            "widen" => Self::Alter(Alter::Widen { pes }),
            "narrow" => Self::Alter(Alter::Narrow { pes }),
            "change-window" => Self::Alter(Alter::ChangeWindow { ready, deadline }),
            "split" => Self::Split { at: ready },
            "extend-by-force" => Self::ExtendByForce { duration },
            _ => return None,
        })
    }

    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Cancel => "cancel",
            Self::Complete { .. } => "complete",
            Self::Alter(alter) => alter.name(),
            Self::Split { .. } => "split",
            Self::ExtendByForce { .. } => "extend-by-force",
        }
    }

    /// What it says in each of [`CELLS`]; nothing where it does not use the cell.
    #[must_use]
    pub const fn cells(self) -> [Option<u64>; 4] {
        match self {
            Self::Confirm | Self::Cancel => [None; 4],
            Self::Complete { at } => [at, None, None, None],
            Self::Alter(alter) => alter.cells(),
            Self::Split { at } => [Some(at), None, None, None],
            Self::ExtendByForce { duration } => [None, Some(duration), None, None],
        }
    }
}

impl Alter {
    const fn name(self) -> &'static str {
        match self {
            Self::Shift { .. } => "shift",
            Self::Extend { .. } => "extend",
            Self::Shorten { .. } => "shorten",
            Self::Widen { .. } => "widen",
            Self::Narrow { .. } => "narrow",
            Self::ChangeWindow { .. } => "change-window",
        }
    }

    const fn cells(self) -> [Option<u64>; 4] {
        match self {
            Self::Shift { start } => [Some(start), None, None, None],
            Self::Extend { duration } | Self::Shorten { duration } => {
                [None, Some(duration), None, None]
            }
            Self::Widen { pes } | Self::Narrow { pes } => [None, None, None, Some(pes)],
            Self::ChangeWindow { ready, deadline } => [Some(ready), None, Some(deadline), None],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Action;

    #[test]
    fn every_name_leads_to_its_action_and_back() {
        for name in Action::NAMES {
            let cells = [1, 2, 3, 4];
            let action = Action::from_cells(name, cells).unwrap();
            assert_eq!(action.name(), name);
            for (cell, stated) in action.cells().into_iter().zip(cells) {
                assert!(cell.is_none_or(|cell| cell == stated), "{action:?}");
            }
        }
    }
}
