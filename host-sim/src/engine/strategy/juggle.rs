//! Flexible reservations are placed anew in an order, so that a newcomer fits.

use std::collections::HashMap;

use bookahead::{
    Admission as When, AfterFailure, Alternative, Book, Booking, Commitment, Error as Denied,
    Handle, Juggling, Order as KernelOrder, Refusal, Request, Sides, Slot, Suggesting, Tariff,
    raw::Ring,
};

use super::{
    admission::Ask,
    moving::{Lent, Moving},
};
use crate::{
    engine::story::Cause,
    saved::{Saved, saves},
};

/// How accepted reservations are arranged anew.
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
    /// By how much earlier a start may be suggested to a flexible request that is refused, in percent of its duration.
    pub suggest_max: Option<u32>,
    /// Whether reservations are also arranged anew when something ends early or is cancelled.
    pub replan: bool,
}

impl Default for Juggle {
    /// The earliest deadline first, when first fit finds no room; without suggestions.
    fn default() -> Self {
        Self {
            order: Order::EarliestDeadline,
            admission: When::PlainFirst,
            after_failure: AfterFailure::Retry,
            suggest_max: None,
            replan: false,
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

impl Juggle {
    /// Whether prices decide about the order.
    pub(in crate::engine) fn is_by_revenue(self) -> bool {
        self.order == Order::Revenue
    }

    /// For a newcomer of this price, where the others cost what `of` says.
    fn rules<'r>(
        &self,
        moving: &Moving,
        price: u64,
        of: &'r dyn Fn(Handle) -> u64,
        earliest: Slot,
    ) -> Juggling<'r> {
        Juggling {
            admission: self.admission,
            after_failure: self.after_failure,
            earliest,
            max_moves: moving.max_moves(),
            work: moving.work(),
            ..Juggling::by(self.order.rank(price, of))
        }
    }
}

/// Juggling, and what it needs to know and to borrow.
pub(super) struct Juggler {
    settings: Juggle,
    moving: Moving,
    tariff: Tariff,
    /// What live reservations cost, where the order asks for it.
    prices: HashMap<Handle, u64>,
}

impl Saved for Juggler {
    saves!(prices);
}

impl Juggler {
    pub(super) fn new(settings: Juggle, moving: Moving, tariff: Tariff) -> Self {
        Self {
            settings,
            moving,
            tariff,
            prices: HashMap::new(),
        }
    }

    /// Books by juggling, and in a suggested window where that fails.
    pub(super) fn book<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        ask: &Ask,
        lent: &mut Lent<R::Part>,
    ) -> Result<Booking, Denied> {
        let price = self.price(&ask.request)?;
        let of = |handle: Handle| self.prices.get(&handle).copied().unwrap_or(0);
        let rules = self.settings.rules(&self.moving, price, &of, ask.earliest);
        let booked = juggle(book, ask, &rules, lent);
        match (booked, ask.commitment, self.settings.suggest_max) {
            (Err(Denied::Refused(Refusal::NoRoom)), Commitment::Flexible { .. }, Some(most)) => {
                let request = suggestion(book, ask, &rules, most, lent)?;
                juggle(book, &Ask { request, ..*ask }, &rules, lent)
            }
            _ => booked,
        }
    }

    /// Keeps what a new reservation costs, if that decides about others later.
    pub(super) fn note(&mut self, handle: Handle, request: &Request) -> Result<(), Denied> {
        if self.settings.is_by_revenue() {
            self.prices.insert(handle, self.price(request)?);
        }
        Ok(())
    }

    fn price(&self, request: &Request) -> Result<u64, Denied> {
        Ok(self.tariff.reserved(request.duration, request.pes)?.get())
    }

    /// Moves reservations now that something has become free.
    pub(super) fn replan<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        earliest: Slot,
        lent: &mut Lent<R::Part>,
    ) {
        if !self.settings.replan {
            return;
        }
        let of = |handle: Handle| self.prices.get(&handle).copied().unwrap_or(0);
        let rules = self.settings.rules(&self.moving, 0, &of, earliest);
        // Where a limit stops it, everything stays where it is.
        let _ = lent.transact(book, Cause::Replan, rules.work, |transaction| {
            transaction.replan(&rules)
        });
    }
}

fn juggle<R: Ring>(
    book: &mut Book<'_, R>,
    ask: &Ask,
    rules: &Juggling<'_>,
    lent: &mut Lent<R::Part>,
) -> Result<Booking, Denied> {
    lent.transact(book, Cause::Juggle, rules.work, |transaction| {
        transaction.juggle(ask.asked(), ask.commitment, rules)
    })
}

/// The best window before the one that was asked for.
fn suggestion<R: Ring>(
    book: &mut Book<'_, R>,
    ask: &Ask,
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
    let workspace = lent.workspace.view();
    let searched = book.alternatives(
        ask.asked(),
        ask.commitment,
        rules,
        &wanted,
        workspace,
        &mut found,
    )?;
    let nothing = searched.limit.unwrap_or(Refusal::NoRoom);
    Ok(found.first().ok_or(nothing)?.request)
}
