//! Operations on a book with late binding and overlays, against its twin.
#![no_main]

use bookahead_fuzz::scene::{Scene, Shape};
use bookahead_heap::BoxedOverlayBook;
use libfuzzer_sys::fuzz_target;

const SHAPES: [Shape; 3] = [(4, 64, 4), (9, 128, 16), (33, 128, 24)];

fuzz_target!(|scene: Scene| scene.play(SHAPES, BoxedOverlayBook::new));
