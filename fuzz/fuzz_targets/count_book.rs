//! Operations on a book with late binding, against its twin.
#![no_main]

use bookahead_fuzz::scene::{Scene, Shape};
use bookahead_heap::BoxedCountBook;
use libfuzzer_sys::fuzz_target;

const SHAPES: [Shape; 3] = [(4, 64, 4), (33, 128, 24), (9, 256, 16)];

fuzz_target!(|scene: Scene| scene.play(SHAPES, BoxedCountBook::new));
