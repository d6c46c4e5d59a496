//! Operations on a book with late binding, against its twin.
#![no_main]

use bookahead::CountBook;
use bookahead_fuzz::{fold::Size, scene::Scene};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|scene: Scene| {
    match scene.shape % 3 {
        0 => scene.play(Size { pes: 4, slots: 64 }, CountBook::<1, 4, 4>::new),
        1 => scene.play(
            Size {
                pes: 33,
                slots: 128,
            },
            CountBook::<2, 33, 24>::new,
        ),
        _ => scene.play(Size { pes: 9, slots: 256 }, CountBook::<4, 9, 16>::new),
    }
});
