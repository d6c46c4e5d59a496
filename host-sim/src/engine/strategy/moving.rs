//! What the strategies that move reservations have in common: until when, how many, and how moves are made and noted.

use std::{fmt, str::FromStr};

use bookahead::{
    Book, Error as Denied, Freeze as KernelFreeze, Handle, SlotClock, Span, Transaction,
    raw::{Ring, SetPart},
};

use bookahead_heap::BoxedWorkspace;

use crate::engine::story::Cause;

/// Until when and how many reservations may be moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moving {
    /// When the starts of flexible reservations become fixed.
    pub freeze: Freeze,
    /// At most so many reservations move for one newcomer.
    pub move_limit: Option<u32>,
    /// At most so many slots are written and searched in each search for one newcomer.
    pub work_limit: Option<u64>,
}

impl Moving {
    /// Until they start, and without limits.
    pub const FREELY: Self = Self {
        freeze: Freeze::Never,
        move_limit: None,
        work_limit: None,
    };

    pub(super) fn max_moves(&self) -> u32 {
        self.move_limit.unwrap_or(u32::MAX)
    }

    pub(super) fn work(&self) -> u64 {
        self.work_limit.unwrap_or(u64::MAX)
    }
}

/// When the start of a flexible reservation becomes fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freeze {
    /// When it comes.
    Never,
    /// At acceptance.
    Acceptance,
    /// After so many thousandths of the time from acceptance to start.
    Share {
        /// The share in thousandths, 0 to 1000.
        per_mille: u16,
    },
    /// So long before the start.
    Lead {
        /// How long (s), rounded up to whole slots.
        seconds: u64,
    },
}

impl Freeze {
    pub(in crate::engine) fn in_slots(self, clock: SlotClock) -> KernelFreeze {
        match self {
            Self::Never => KernelFreeze::Never,
            Self::Acceptance => KernelFreeze::Acceptance,
            Self::Share { per_mille } => KernelFreeze::Share { per_mille },
            Self::Lead { seconds } => KernelFreeze::Lead {
                // Longer than any wait.
                lead: clock
                    .span_rounding_up(seconds)
                    .unwrap_or(Span::new(u32::MAX)),
            },
        }
    }
}

/// As in commands and files.
impl fmt::Display for Freeze {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Never => f.write_str("never"),
            Self::Acceptance => f.write_str("acceptance"),
            Self::Share { per_mille } => write!(f, "share:{}", f64::from(per_mille) / 1e3),
            Self::Lead { seconds } => write!(f, "lead:{seconds}"),
        }
    }
}

impl FromStr for Freeze {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let share = |share: &str| {
            let share: f64 = share.parse().ok()?;
            let per_mille = (share * 1e3).round();
            let exact = (share * 1e3 - per_mille).abs() < 1e-6;
            ((0.0..=1.0).contains(&share) && exact).then_some(Self::Share {
                per_mille: per_mille as u16,
            })
        };
        let parsed = match text.split_once(':') {
            None if text == "never" => Some(Self::Never),
            None if text == "acceptance" => Some(Self::Acceptance),
            Some(("share", text)) => share(text),
            Some(("lead", text)) => text.parse().ok().map(|seconds| Self::Lead { seconds }),
            _ => None,
        };
        parsed.ok_or(
            "expected never, acceptance, share:X with X from 0 to 1 in thousandths, or lead:S with whole seconds",
        )
    }
}

/// How many entries the workspace for a book with so many rows needs: two for each that is moved, and one for the newcomer.
pub(in crate::engine) const fn entries(rows: usize) -> usize {
    2 * rows + 1
}

/// Memory that the kernel borrows, and what moved in the last call.
pub(super) struct Lent<P: SetPart> {
    pub(super) workspace: BoxedWorkspace<P>,
    pub(super) moved: Vec<(Handle, Cause)>,
}

impl<P: SetPart> Lent<P> {
    /// Makes a change in one transaction, and notes what it moves.
    pub(super) fn transact<R: Ring<Part = P>, T>(
        &mut self,
        book: &mut Book<'_, R>,
        cause: Cause,
        work: u64,
        change: impl FnOnce(&mut Transaction<'_, '_, R>) -> Result<T, Denied>,
    ) -> Result<T, Denied> {
        let mut transaction = book.transaction(self.workspace.view(), work);
        let done = change(&mut transaction)?;
        let moved = moved(&transaction).map(|handle| (handle, cause));
        self.moved.extend(moved);
        transaction.commit()?;
        Ok(done)
    }
}

/// What a transaction moves in time; new reservations and other processing elements at the same time are no moves.
fn moved<R: Ring>(transaction: &Transaction<'_, '_, R>) -> impl Iterator<Item = Handle> {
    let moves = transaction.moves();
    moves
        .filter(|change| change.from.is_some() && change.from != change.to)
        .map(|change| change.handle)
}
