//! What a reservation that is made promises.

use bookahead as kernel;
use kernel::Span;

use crate::{
    Code,
    code::{Failure, known},
    pointer::read,
};

/// The kinds of promises. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum CommitmentKind {
    /// A firm reservation with a strict start: only its owner moves it.
    Confirmed = 0,
    /// A hold: it is given up unless it is confirmed before `ttl` slots are over, or by its start if that is sooner.
    Held = 1,
    /// A firm reservation that juggling and shifting may move inside its own window until its start is fixed.
    Flexible = 2,
}

/// By which of its times a flexible reservation may be moved. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Flexibility {
    /// It runs at any time between its ready time and its deadline; its flexibility counts from its planned start.
    Interval = 0,
    /// It is over by its deadline, and could run at once; its flexibility counts from `now`.
    Deadline = 1,
}

/// When the start of a flexible reservation becomes fixed; worked out anew whenever it is moved. Numbers are permanent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum FreezeRule {
    /// Not before it starts.
    Never = 0,
    /// When it is accepted.
    Acceptance = 1,
    /// When a share of the time from its acceptance to its start has passed, rounded up to a slot: so many thousandths.
    Share = 2,
    /// So many slots before its start.
    Lead = 3,
}

/// What a reservation promises. Every call that makes one takes a pointer to such a value; without one (NULL), and where all of it is zero, the
/// reservation is CONFIRMED. What the kind does not mention is not looked at.
///
/// A call answers UNKNOWN_COMMITMENT, UNKNOWN_FLEXIBILITY or UNKNOWN_FREEZE for a number that is none, and ZERO_HOLD for a hold of no slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Commitment {
    /// One of `bookahead_commitment_kind`.
    pub kind: u32,
    /// For HELD: for how many slots.
    pub ttl: u32,
    /// For FLEXIBLE: one of `bookahead_flexibility`.
    pub flexibility: u32,
    /// For FLEXIBLE: one of `bookahead_freeze_rule`.
    pub freeze: u32,
    /// For FLEXIBLE: the thousandths of SHARE, the slots of LEAD.
    pub freeze_after: u32,
}

impl Commitment {
    const CONFIRMED: Self = Self {
        kind: CommitmentKind::Confirmed as u32,
        ttl: 0,
        flexibility: 0,
        freeze: 0,
        freeze_after: 0,
    };

    /// The commitment behind `pointer`, which may be null.
    ///
    /// # Safety
    ///
    /// As [`read`].
    #[inline(always)]
    pub(crate) unsafe fn read(pointer: *const Self) -> Result<Self, Failure> {
        if pointer.is_null() {
            return Ok(Self::CONFIRMED);
        }
        // SAFETY: passed on.
        unsafe { read(pointer) }
    }

    pub(crate) fn to_kernel(self) -> Result<kernel::Commitment, Failure> {
        match self.terms()? {
            kernel::Commitment::Held { ttl: Span::ZERO } => Err(Code::ZeroHold.into()),
            terms => Ok(terms),
        }
    }

    /// The same for calls that say something else of a request before a hold of no slots.
    pub(crate) fn terms(self) -> Result<kernel::Commitment, Failure> {
        const CONFIRMED: u32 = CommitmentKind::Confirmed as u32;
        const HELD: u32 = CommitmentKind::Held as u32;
        const FLEXIBLE: u32 = CommitmentKind::Flexible as u32;
        match self.kind {
            CONFIRMED => Ok(kernel::Commitment::Confirmed),
            HELD => Ok(kernel::Commitment::Held {
                ttl: Span::new(self.ttl),
            }),
            FLEXIBLE => Ok(kernel::Commitment::Flexible {
                kind: known(
                    self.flexibility,
                    kernel::Flexibility::from_code,
                    Code::UnknownFlexibility,
                )?,
                freeze: self.freeze()?,
            }),
            _ => Err(Code::UnknownCommitment.into()),
        }
    }

    #[cfg(feature = "plan")]
    fn flexible(kind: kernel::Flexibility, freeze: kernel::Freeze) -> Self {
        let freeze_after = match freeze {
            kernel::Freeze::Never | kernel::Freeze::Acceptance => 0,
            kernel::Freeze::Share { per_mille } => per_mille.into(),
            kernel::Freeze::Lead { lead } => lead.get(),
        };
        Self {
            kind: CommitmentKind::Flexible as u32,
            ttl: 0,
            flexibility: kind.code().into(),
            freeze: freeze.code().into(),
            freeze_after,
        }
    }

    fn freeze(self) -> Result<kernel::Freeze, Failure> {
        const NEVER: u32 = FreezeRule::Never as u32;
        const ACCEPTANCE: u32 = FreezeRule::Acceptance as u32;
        const SHARE: u32 = FreezeRule::Share as u32;
        const LEAD: u32 = FreezeRule::Lead as u32;
        Ok(match self.freeze {
            NEVER => kernel::Freeze::Never,
            ACCEPTANCE => kernel::Freeze::Acceptance,
            SHARE => kernel::Freeze::Share {
                per_mille: u16::try_from(self.freeze_after).unwrap_or(u16::MAX),
            },
            LEAD => kernel::Freeze::Lead {
                lead: Span::new(self.freeze_after),
            },
            _ => return Err(Code::UnknownFreeze.into()),
        })
    }
}

#[cfg(feature = "plan")]
impl From<kernel::Commitment> for Commitment {
    fn from(commitment: kernel::Commitment) -> Self {
        match commitment {
            kernel::Commitment::Confirmed => Self::CONFIRMED,
            kernel::Commitment::Held { ttl } => Self {
                kind: CommitmentKind::Held as u32,
                ttl: ttl.get(),
                ..Self::CONFIRMED
            },
            kernel::Commitment::Flexible { kind, freeze } => Self::flexible(kind, freeze),
        }
    }
}
