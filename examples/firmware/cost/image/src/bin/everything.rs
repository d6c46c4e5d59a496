//! Every public function, on both rings with 32-bit columns: the calls of the image that shows that none can panic.
#![no_std]
#![no_main]

#[path = "../../../../../panic-free/src/books.rs"]
mod books;
#[path = "../../../../../panic-free/src/juggle.rs"]
mod juggle;
#[path = "../../../../../panic-free/src/mould.rs"]
mod mould;
#[path = "../../../../../panic-free/src/offers.rs"]
mod offers;
#[path = "../../../../../panic-free/src/queue.rs"]
mod queue;
#[path = "../../../../../panic-free/src/shift.rs"]
mod shift;
#[path = "../../../../../panic-free/src/transactions.rs"]
mod transactions;
#[path = "../../../../../panic-free/src/values.rs"]
mod values;

use bookahead::{
    Book,
    raw::{NativeScan, Ring},
};
// For the panic handler.
use bookahead_cost_image as _;

/// Features that are off by default are not weighed.
fn of_features<R: Ring>(_: &mut Book<'_, R>) {}

/// The same of those that only some books have.
fn of_kept<R: Ring>(_: Book<'_, R>) {}

/// Where the linker begins to look for what is needed.
#[unsafe(no_mangle)]
pub extern "C" fn _start() {
    values::time();
    values::requests();
    values::reasons();
    values::sizes();
    offers::values();
    mould::values();
    juggle::values();
    shift::values();
    queue::values();
    transactions::values();
    books::late::<u16, NativeScan>();
    books::early::<_, NativeScan>(0_u32);
    books::owned();
}

/// Says that a result is wanted and its value unknown.
#[inline(always)]
fn keep<T>(value: T) {
    let _ = core::hint::black_box(value);
}
