//! Operations on a book with late binding, with overlays or without, against its twin.
#![no_main]

use bookahead::{CountBook, OverlayBook};
use bookahead_fuzz::{fold::Size, scene::Scene};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|scene: Scene| {
    match scene.shape % 4 {
        0 => scene.play(Size { pes: 4, slots: 64 }, CountBook::<1, 4, 4>::new),
        1 => scene.play(
            Size {
                pes: 33,
                slots: 128,
            },
            CountBook::<2, 33, 24>::new,
        ),
        2 => scene.play(Size { pes: 9, slots: 128 }, OverlayBook::<2, 9, 16>::new),
        _ => scene.play(Size { pes: 9, slots: 256 }, CountBook::<4, 9, 16>::new),
    }
});
