//! Prices alone: a tariff, and what is to be paid by it.
#![no_std]
#![no_main]

use bookahead::{Error, Factor, Money, PeCount, Span, Tariff};
// For the panic handler.
use bookahead_cost_image as _;

/// What the calls take and where their answers go.
pub struct Bill {
    base: Money,
    factor: Factor,
    slot_units: u32,
    tariff: Option<Tariff>,
    slots: Span,
    units: u64,
    pes: PeCount,
    price: [Result<Money, Error>; 2],
}

/// Where the linker begins to look for what is needed.
#[unsafe(no_mangle)]
pub extern "C" fn _start(bill: &mut Bill) {
    bill.tariff = Tariff::new(bill.base, bill.factor, bill.slot_units);
    if let Some(tariff) = bill.tariff {
        bill.price = [
            tariff.reserved(bill.slots, bill.pes),
            tariff.best_effort(bill.units, bill.pes),
        ];
    }
}
