//! operations.csv: every operation with its decision, and moves.csv: what they changed.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, de::Error};

use super::{Decision, Row, one_of};
use crate::operation::{Action, CELLS};

/// One operation; columns by name and in order. Cells behind the reason are what was asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Operation {
    pub(crate) job_id: u64,
    pub(crate) time: u64,
    #[serde(deserialize_with = "name")]
    pub(crate) op: Cow<'static, str>,
    pub(crate) target: u64,
    pub(crate) decision: Decision,
    pub(crate) reason: Cow<'static, str>,
    pub(crate) ready: Option<u64>,
    pub(crate) duration: Option<u64>,
    pub(crate) deadline: Option<u64>,
    pub(crate) pes: Option<u64>,
}

fn name<'de, D: Deserializer<'de>>(cell: D) -> Result<Cow<'static, str>, D::Error> {
    let name = Cow::<str>::deserialize(cell)?;
    match Action::NAMES.iter().find(|known| **known == name) {
        Some(known) => Ok(Cow::Borrowed(known)),
        None => Err(Error::custom(one_of(&Action::NAMES))),
    }
}

impl Operation {
    pub(crate) fn is_accepted(&self) -> bool {
        self.decision == Decision::Accepted
    }

    fn cells(&self) -> [Option<u64>; 4] {
        [self.ready, self.duration, self.deadline, self.pes]
    }

    /// Whether it lets a job go on, whoever is in the way.
    pub(crate) fn is_by_force(&self) -> bool {
        matches!(self.action(), Some(Action::ExtendByForce { .. }))
    }

    /// What is done.
    pub(crate) fn action(&self) -> Option<Action> {
        Action::from_cells(&self.op, self.cells().map(Option::unwrap_or_default))
    }
}

impl Row for Operation {
    const COLUMNS: &'static [&'static str] = &[
        "job_id", "time", "op", "target", "decision", "reason", "ready", "duration", "deadline",
        "pes",
    ];

    /// There is a number in each cell that the operation uses and in no other.
    fn check(&self) -> Result<(), (&'static str, String)> {
        let used = self.action().map_or([None; 4], Action::cells);
        for ((column, cell), used) in CELLS.into_iter().zip(self.cells()).zip(used) {
            match (cell, used) {
                (Some(_), None) => return Err((column, "an empty cell".to_owned())),
                (None, Some(_)) => return Err((column, "a whole number of 0 or more".to_owned())),
                _ => {}
            }
        }
        Ok(())
    }
}

/// What is booked: from when to when, and on how many processing elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Booking {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) pes: u64,
}

/// A booking that was changed or made; columns by name and in order. What a split makes has no old booking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Move {
    pub(crate) time: u64,
    pub(crate) job_id: u64,
    pub(crate) old_start: Option<u64>,
    pub(crate) new_start: u64,
    pub(crate) cause_job_id: Option<u64>,
    pub(crate) cause: Cow<'static, str>,
    pub(crate) old_end: Option<u64>,
    pub(crate) new_end: u64,
    pub(crate) old_pes: Option<u64>,
    pub(crate) new_pes: u64,
    // Where there are several sites.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) site: Option<u64>,
}

impl Move {
    /// What was booked before.
    pub(crate) fn before(&self) -> Option<Booking> {
        Some(Booking {
            start: self.old_start?,
            end: self.old_end?,
            pes: self.old_pes?,
        })
    }

    /// What is booked from then on.
    pub(crate) fn after(&self) -> Booking {
        Booking {
            start: self.new_start,
            end: self.new_end,
            pes: self.new_pes,
        }
    }
}

impl Row for Move {
    const COLUMNS: &'static [&'static str] = &[
        "time",
        "job_id",
        "old_start",
        "new_start",
        "cause_job_id",
        "cause",
        "old_end",
        "new_end",
        "old_pes",
        "new_pes",
    ];

    /// Of the old booking all is said, or nothing.
    fn check(&self) -> Result<(), (&'static str, String)> {
        let old = [
            ("old_start", self.old_start),
            ("old_end", self.old_end),
            ("old_pes", self.old_pes),
        ];
        let filled = old.iter().any(|(_, cell)| cell.is_some());
        match old.iter().find(|(_, cell)| filled && cell.is_none()) {
            Some((column, _)) => Err((column, "a whole number of 0 or more".to_owned())),
            None => Ok(()),
        }
    }
}
