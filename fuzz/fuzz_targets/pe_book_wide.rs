//! Operations on a book with early binding in columns of 512 PEs, as on hosts, against its twin.
#![no_main]

use bookahead::PeBook;
use bookahead_fuzz::{fold::Size, scene::Scene};
use libfuzzer_sys::fuzz_target;

type Wide = [u64; 8];

fuzz_target!(|scene: Scene| {
    match scene.shape % 3 {
        0 => scene.play(Size { pes: 70, slots: 64 }, PeBook::<Wide, 1, 1, 8>::new),
        1 => scene.play(Size { pes: 9, slots: 192 }, PeBook::<Wide, 3, 1, 16>::new),
        _ => scene.play(
            Size {
                pes: 600,
                slots: 64,
            },
            PeBook::<Wide, 1, 2, 12>::new,
        ),
    }
});
