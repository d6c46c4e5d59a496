//! ARM's MPS2 boards, and any Cortex-M: SysTick is part of the core.

use cortex_m::peripheral::{Peripherals, syst::SystClkSource};
use cortex_m_rt::{entry, exception};

use crate::tick;

/// 0.1 ms at the 25 MHz of this board. A device would take seconds for a slot; this one is not to be waited for.
const CYCLES_PER_SLOT: u32 = 2_500;

#[entry]
fn main() -> ! {
    if let Some(mut core) = Peripherals::take() {
        core.SYST.set_clock_source(SystClkSource::Core);
        core.SYST.set_reload(CYCLES_PER_SLOT - 1);
        core.SYST.clear_current();
        core.SYST.enable_interrupt();
        core.SYST.enable_counter();
    }
    crate::run()
}

#[exception]
fn SysTick() {
    tick::count();
}
