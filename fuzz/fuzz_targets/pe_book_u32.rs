//! Operations on a book with early binding in columns of 32 PEs, as on devices, against its twin.
#![no_main]

use bookahead::PeBook;
use bookahead_fuzz::{fold::Size, scene::Scene};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|scene: Scene| {
    match scene.shape % 3 {
        0 => scene.play(Size { pes: 32, slots: 64 }, PeBook::<u32, 1, 1, 4>::new),
        1 => scene.play(
            Size {
                pes: 40,
                slots: 128,
            },
            PeBook::<u32, 2, 2, 16>::new,
        ),
        _ => scene.play(Size { pes: 9, slots: 256 }, PeBook::<u32, 4, 1, 12>::new),
    }
});
