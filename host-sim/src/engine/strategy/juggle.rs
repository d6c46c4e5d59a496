//! Flexible reservations are juggled until they start.

use std::{collections::HashMap, fmt, str::FromStr};

use bookahead::{
    Admission as When, AfterFailure, Alternative, Book, Booking, Commitment, Error as Denied,
    Flexibility, Freeze as KernelFreeze, Handle, Juggling, Movable, Order as KernelOrder, Refusal,
    Request, Sides, Slot, SlotClock, Span, Suggesting, Tariff, Transaction, raw::Ring,
};

use super::{Admission, Ask};
use crate::engine::undo::Undo;

/// How accepted reservations are arranged anew, and until when.
///
/// Source: `netto`, section 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Juggle {
    /// In which order reservations are placed.
    pub order: Order,
    /// Whether a newcomer that fits as things are moves others.
    pub admission: When,
    /// What happens when a newcomer is in the way of a reservation that was accepted before.
    pub after_failure: AfterFailure,
    /// When the starts of flexible reservations become fixed.
    pub freeze: Freeze,
    /// By how much earlier a start may be suggested to a flexible request that is refused, in percent of its duration.
    pub suggest_max: Option<u32>,
    /// Whether reservations are also arranged anew when something ends early or is cancelled.
    pub replan: bool,
    /// At most so many reservations move for one newcomer.
    pub move_limit: Option<u32>,
    /// At most so many slots are written and searched for one newcomer.
    pub work_limit: Option<u64>,
}

impl Default for Juggle {
    /// The earliest deadline first, when first fit finds no room; without limits, suggestions and fixed starts.
    fn default() -> Self {
        Self {
            order: Order::EarliestDeadline,
            admission: When::PlainFirst,
            after_failure: AfterFailure::Retry,
            freeze: Freeze::Never,
            suggest_max: None,
            replan: false,
            move_limit: None,
            work_limit: None,
        }
    }
}

/// In which order reservations are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The earliest deadline first.
    EarliestDeadline,
    /// What can be moved the least first.
    LeastFlexible,
    /// The largest duration times processing elements first.
    BiggestFirst,
    /// In order of acceptance, so that nothing moves.
    Fifo,
    /// In an order that only the seed and the acceptance decide.
    Shuffle {
        /// The seed.
        seed: u64,
    },
    /// What costs most first.
    Revenue,
}

impl Order {
    /// All of them; those with a seed with this one.
    #[must_use]
    pub const fn all(seed: u64) -> [Self; 6] {
        [
            Self::EarliestDeadline,
            Self::LeastFlexible,
            Self::BiggestFirst,
            Self::Fifo,
            Self::Shuffle { seed },
            Self::Revenue,
        ]
    }

    /// The name in commands and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.rank(0, &|_| 0).name()
    }

    /// What the kernel is told, with the price of the newcomer and those of the others.
    fn rank(self, newcomer: u64, of: &dyn Fn(Handle) -> u64) -> KernelOrder<'_> {
        match self {
            Self::EarliestDeadline => KernelOrder::EarliestDeadline,
            Self::LeastFlexible => KernelOrder::LeastFlexible,
            Self::BiggestFirst => KernelOrder::BiggestFirst,
            Self::Fifo => KernelOrder::Fifo,
            Self::Shuffle { seed } => KernelOrder::Shuffle { seed },
            Self::Revenue => KernelOrder::Revenue { newcomer, of },
        }
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
    fn in_slots(self, clock: SlotClock) -> KernelFreeze {
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

/// Admits by juggling, and by suggestions where that fails.
pub(super) struct Juggler<P> {
    settings: Juggle,
    freeze: KernelFreeze,
    tariff: Tariff,
    lent: Lent<P>,
    /// What live reservations cost, where the order asks for it.
    prices: HashMap<Handle, u64>,
}

/// Memory that the kernel borrows, and what moved in the last call.
struct Lent<P> {
    undo: Undo<P>,
    waiting: Vec<Movable>,
    moved: Vec<Handle>,
}

impl<P: Clone + Default> Juggler<P> {
    /// For a book with so many rows, and sets of so many columns.
    pub(super) fn new(
        settings: Juggle,
        clock: SlotClock,
        tariff: Tariff,
        [rows, columns]: [usize; 2],
    ) -> Self {
        Self {
            settings,
            freeze: settings.freeze.in_slots(clock),
            tariff,
            lent: Lent {
                undo: Undo::new(columns, entries(rows)),
                waiting: vec![Movable::NONE; rows],
                moved: Vec::new(),
            },
            prices: HashMap::new(),
        }
    }

    fn commitment(&self, ask: &Ask) -> Commitment {
        match ask.commitment {
            Commitment::Confirmed if ask.flexible => Commitment::Flexible {
                // What is ready as it arrives has a deadline only.
                kind: match ask.request.ready <= ask.earliest {
                    true => Flexibility::Deadline,
                    false => Flexibility::Interval,
                },
                freeze: self.freeze,
            },
            other => other,
        }
    }
}

impl Juggle {
    /// For a newcomer of this price, where the others cost what `of` says.
    fn rules<'r>(&self, price: u64, of: &'r dyn Fn(Handle) -> u64, earliest: Slot) -> Juggling<'r> {
        Juggling {
            admission: self.admission,
            after_failure: self.after_failure,
            earliest,
            max_moves: self.move_limit.unwrap_or(u32::MAX),
            work: self.work_limit.unwrap_or(u64::MAX),
            ..Juggling::by(self.order.rank(price, of))
        }
    }
}

/// How many entries the log of a book with so many rows needs: two for each that is moved, and one for the newcomer.
pub(in crate::engine) const fn entries(rows: usize) -> usize {
    2 * rows + 1
}

/// Books by juggling, and notes what moves.
fn juggle<R: Ring>(
    book: &mut Book<'_, R>,
    (request, commitment): (&Request, Commitment),
    rules: &Juggling<'_>,
    lent: &mut Lent<R::Part>,
) -> Result<Booking, Denied> {
    let mut transaction = book.transaction(lent.undo.log(), rules.work);
    let booking = transaction.juggle(request, commitment, rules, &mut lent.waiting)?;
    lent.moved.extend(moved(&transaction));
    transaction.commit()?;
    Ok(booking)
}

/// The best window before the one that was asked for.
fn suggestion<R: Ring>(
    book: &mut Book<'_, R>,
    (request, commitment): (&Request, Commitment),
    rules: &Juggling<'_>,
    max_percent: u32,
    lent: &mut Lent<R::Part>,
) -> Result<Request, Denied> {
    let wanted = Suggesting {
        sides: Sides::Before,
        max_percent,
        ..Suggesting::ALL
    };
    let mut found = heapless::Vec::<Alternative, 1>::new();
    let (log, waiting) = (lent.undo.log(), &mut lent.waiting);
    book.alternatives(
        request, commitment, rules, &wanted, log, waiting, &mut found,
    )?;
    Ok(found.first().ok_or(Refusal::NoRoom)?.request)
}

/// What a transaction moves in time; new reservations and other processing elements at the same time are no moves.
fn moved<R: Ring>(transaction: &Transaction<'_, '_, R>) -> impl Iterator<Item = Handle> {
    let moves = transaction.moves();
    moves
        .filter(|change| change.from.is_some() && change.from != change.to)
        .map(|change| change.handle)
}

impl<R: Ring> Admission<R> for Juggler<R::Part> {
    fn admit(&mut self, book: &mut Book<'_, R>, ask: &Ask) -> Result<Booking, Denied> {
        self.lent.moved.clear();
        let (request, commitment) = (&ask.request, self.commitment(ask));
        let price = self.tariff.reserved(request.duration, request.pes)?.get();
        let of = |handle: Handle| self.prices.get(&handle).copied().unwrap_or(0);
        let rules = self.settings.rules(price, &of, ask.earliest);
        let lent = &mut self.lent;
        let mut booked = juggle(book, (request, commitment), &rules, lent);
        if let (Err(Denied::Refused(Refusal::NoRoom)), Commitment::Flexible { .. }, Some(most)) =
            (booked, commitment, self.settings.suggest_max)
        {
            let instead = suggestion(book, (request, commitment), &rules, most, lent)?;
            booked = juggle(book, (&instead, commitment), &rules, lent);
        }
        let booking = booked?;
        if self.settings.order == Order::Revenue {
            self.prices.insert(booking.handle, price);
        }
        Ok(booking)
    }

    fn replan(&mut self, book: &mut Book<'_, R>, earliest: Slot) {
        let lent = &mut self.lent;
        lent.moved.clear();
        if !self.settings.replan {
            return;
        }
        let of = |handle: Handle| self.prices.get(&handle).copied().unwrap_or(0);
        let rules = self.settings.rules(0, &of, earliest);
        let mut transaction = book.transaction(lent.undo.log(), rules.work);
        // Where a limit stops it, everything stays where it is.
        if transaction.replan(&rules, &mut lent.waiting).is_ok() {
            lent.moved.extend(moved(&transaction));
            let _ = transaction.commit();
        }
    }

    fn moved(&self) -> &[Handle] {
        &self.lent.moved
    }
}
