//! Operations on a book with early binding in columns of 512 PEs, as on hosts, against its twin.
#![no_main]

use bookahead_fuzz::scene::{Scene, Shape};
use bookahead_heap::{BoxedPeBook, HostColumn};
use libfuzzer_sys::fuzz_target;

const SHAPES: [Shape; 3] = [(70, 64, 8), (9, 192, 16), (600, 64, 12)];

fuzz_target!(|scene: Scene| scene.play(SHAPES, BoxedPeBook::<HostColumn>::new));
