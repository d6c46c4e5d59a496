//! What the images share: the calls of a reservation's whole life, of offers, of a queue, of a transaction, of juggling, of shifting, of overlays and of
//! mouldable requests, and a panic handler.
//!
//! An image is linked and weighed, never run. What it needs comes through the argument of its entry, so nothing is known about it when it is
//! compiled. Everything the driver does beside calling the kernel is weighed too, so it does next to nothing: each call stands in a
//! function of its own that passes pointers on.
#![no_std]

mod juggling;
mod life;
mod moulding;
mod moving;
mod offers;
#[cfg(feature = "overlays")]
mod overlaying;
mod several;
mod shifting;
mod waiting;

pub use juggling::{Juggler, juggling, suggesting};
pub use life::{Desk, life};
pub use moulding::{Foundry, moulding};
pub use moving::{Removal, altering, moving};
pub use offers::{Counter, elastic};
#[cfg(feature = "overlays")]
pub use overlaying::{Gamble, overlaying};
pub use several::{Party, several};
pub use shifting::{Shifter, shifting};
pub use waiting::{QueueCalls, waiting};

unsafe extern "C" {
    /// Defined nowhere; its name is what the linker complains about when the kernel can panic.
    fn a_kernel_function_can_panic() -> !;
}

#[panic_handler]
fn panic(_info: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: never reached, since an image with a path to it does not link.
    unsafe { a_kernel_function_can_panic() }
}
