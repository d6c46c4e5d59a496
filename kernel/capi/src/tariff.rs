//! What running a job costs.

use bookahead as kernel;
use kernel::{Money, PeCount, Span};

use crate::{
    Code,
    code::{Failure, answer},
    pointer::{Out, read},
};

/// A factor of 1 in a tariff, 2^32.
pub const BOOKAHEAD_FACTOR_ONE: u64 = 4_294_967_296;

/// What a unit of time on one PE costs, run as best effort or reserved. Money is in micro-units: $1.00 is 1,000,000.
/// `{0, BOOKAHEAD_FACTOR_ONE, 0}` is everything for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Tariff {
    /// The price of a unit of time, in micro-units.
    pub base: u64,
    /// How much dearer a reservation is: a fixed-point number of which the low 32 bits stand behind the point, at least
    /// `BOOKAHEAD_FACTOR_ONE`.
    pub factor: u64,
    /// How many units of time a slot has.
    pub slot_units: u32,
}

impl Tariff {
    /// As the kernel has it.
    #[inline(always)]
    pub(crate) fn to_kernel(self) -> Result<kernel::Tariff, Failure> {
        let factor = kernel::Factor::from_bits(self.factor);
        let tariff = kernel::Tariff::new(Money::new(self.base), factor, self.slot_units);
        tariff.ok_or(Code::TariffOutOfRange.into())
    }
}

/// Gives what one reserved slot on one PE costs: factor x base x slot_units, rounded to the nearest micro-unit, halves up. Nothing else is
/// rounded. O(1).
///
/// Answers TARIFF_OUT_OF_RANGE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_tariff_slot_rate(tariff: *const Tariff, rate: *mut u64) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let rate = Out::new(rate)?;
        rate.set(read(tariff)?.to_kernel()?.slot_rate().get());
        Ok(())
    })
}

/// Gives what it costs to reserve `pes` PEs for `slots` slots. O(1).
///
/// Answers TARIFF_OUT_OF_RANGE, PRICE_OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_tariff_reserved(
    tariff: *const Tariff,
    slots: u32,
    pes: u32,
    price: *mut u64,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let price = Out::new(price)?;
        let tariff = read(tariff)?.to_kernel()?;
        price.set(tariff.reserved(Span::new(slots), PeCount::new(pes))?.get());
        Ok(())
    })
}

/// Gives what it costs to run `pes` PEs for `units` units of time without a reservation. O(1).
///
/// Answers TARIFF_OUT_OF_RANGE, PRICE_OVERFLOW.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bookahead_tariff_best_effort(
    tariff: *const Tariff,
    units: u64,
    pes: u32,
    price: *mut u64,
) -> u32 {
    // SAFETY: by the contract of the crate.
    answer(|| unsafe {
        let price = Out::new(price)?;
        let tariff = read(tariff)?.to_kernel()?;
        price.set(tariff.best_effort(units, PeCount::new(pes))?.get());
        Ok(())
    })
}
