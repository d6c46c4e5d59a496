//! Operations on a book with early binding in columns of 32 PEs, as on devices, against its twin.
#![no_main]

use bookahead_fuzz::scene::{Scene, Shape};
use bookahead_heap::BoxedPeBook;
use libfuzzer_sys::fuzz_target;

const SHAPES: [Shape; 3] = [(32, 64, 4), (40, 128, 16), (9, 256, 12)];

fuzz_target!(|scene: Scene| scene.play(SHAPES, BoxedPeBook::<u32>::new));
