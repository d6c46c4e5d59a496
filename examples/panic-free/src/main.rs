//! Links only when nothing in the kernel can panic.
//!
//! The panic handler calls a function that nobody defines. The linker drops the handler when no path leads to it, and
//! fails otherwise. So a successful link of this image, which calls every public function of the kernel, shows
//! that the optimiser has found each panic path dead - whatever the arguments, and whatever the lengths of the arrays:
//! all of them, and the books themselves, pass through [`black_box`], so that nothing is known about them.
//!
//! Books are searched as on devices and as on hosts; which PEs or how wide counts are does not depend on that, so each kind of book is here once in each way,
//! with what goes with it: narrow columns and counts on devices, wide ones on hosts.
//!
//! The image is meant to be linked, not run.
//!
//! Completeness: functions are called by their paths (`Book::plan(..)`, never `book.plan(..)`), and
//! `.ci/panic-free-coverage` compares the list of the kernel's public functions with the paths in this file.
#![no_std]
#![no_main]

mod across;
mod books;
mod journal;
mod juggle;
mod mould;
mod offers;
mod overlay;
mod overruns;
mod placement;
mod queue;
mod risk;
mod rules;
mod several;
mod shift;

mod transactions;
mod values;
mod waiting;

use core::hint::black_box;

use bookahead::{
    Book,
    raw::{BulkScan, NativeScan, Ring},
};
use journal::every_operation as of_kept;

/// What books and queues do that are built with features.
fn of_features<R: Ring>(book: &mut Book<'_, R>) {
    overruns::every_operation(book);
    rules::every_operation(book);
    waiting::every_operation(book);
}

unsafe extern "C" {
    /// Defined nowhere; its name is what the linker complains about.
    fn a_kernel_function_can_panic() -> !;
}

#[panic_handler]
fn panic(_info: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: never reached, since an image with a path to it does not link.
    unsafe { a_kernel_function_can_panic() }
}

/// Where the linker begins to look for what is needed.
#[unsafe(no_mangle)]
pub extern "C" fn _start() -> ! {
    loop {
        values::time();
        if cfg!(feature = "planted") {
            planted();
            continue;
        }
        values::requests();
        values::reasons();
        values::sizes();
        offers::values();
        mould::values();
        journal::values();
        juggle::values();
        queue::values();
        waiting::values();
        waiting::late();
        waiting::early::<_, NativeScan>(0_u32);
        waiting::early::<_, BulkScan>([0_u64; 8]);
        transactions::values();
        shift::values();
        risk::every_operation();
        overlay::every_operation();
        placement::every_operation::<_, NativeScan>(0_u32);
        placement::every_operation::<_, BulkScan>([0_u64; 8]);
        placement::owned();
        across::every_operation();
        several::every_operation();
        books::late::<u16, NativeScan>();
        books::late::<u32, BulkScan>();
        books::early::<_, NativeScan>(0_u32);
        books::early::<_, BulkScan>([0_u64; 8]);
        books::owned();
        rules::late();
        rules::early::<u32>();
        rules::early::<[u64; 8]>();
    }
}

/// Says that a result is wanted and its value unknown.
#[inline(always)]
fn keep<T>(value: T) {
    let _ = black_box(value);
}

/// An access whose bounds nobody has checked. Alone with little else, since one path is enough, and to link everything takes a minute.
fn planted() {
    let slots: &[u8] = black_box(&[1, 2, 3]);
    keep(slots[black_box(1)]);
}
