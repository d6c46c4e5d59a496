//! Markers of the points of a line: a shape for each look.

use plotters::{
    prelude::{Circle, Polygon},
    style::{Color, ShapeStyle},
};

use super::{
    palette::SeriesStyle,
    plot::{Area, DrawResult},
};

/// Draws the marker of a look around a pixel. Lines of a figure often coincide in pairs: the later markers are open or narrow,
/// so that the earlier ones show underneath.
pub(super) fn draw(look: SeriesStyle, area: &Area<'_>, at: (i32, i32)) -> DrawResult<()> {
    let filled = look.colour().filled();
    let outline = match look.marker() {
        0 => return area.draw(&Circle::new(at, 5, filled)),
        5 => {
            let ring = ShapeStyle::from(look.colour()).stroke_width(2);
            return area.draw(&Circle::new(at, 6, ring));
        }
        1 => SQUARE.to_vec(),
        2 => TRIANGLE.to_vec(),
        3 => open(&DIAMOND),
        4 => open(&LOW_TRIANGLE),
        _ => PLUS.to_vec(),
    };
    let moved: Vec<(i32, i32)> = outline.iter().map(|(x, y)| (at.0 + x, at.1 + y)).collect();
    area.draw(&Polygon::new(moved, filled))
}

const SQUARE: [(i32, i32); 4] = [(-5, -5), (5, -5), (5, 5), (-5, 5)];
const TRIANGLE: [(i32, i32); 3] = [(0, -6), (6, 5), (-6, 5)];
const DIAMOND: [(i32, i32); 4] = [(0, -8), (8, 0), (0, 8), (-8, 0)];
const LOW_TRIANGLE: [(i32, i32); 3] = [(0, 8), (9, -6), (-9, -6)];
const PLUS: [(i32, i32); 12] = [
    (-1, -7),
    (1, -7),
    (1, -1),
    (7, -1),
    (7, 1),
    (1, 1),
    (1, 7),
    (-1, 7),
    (-1, 1),
    (-7, 1),
    (-7, -1),
    (-1, -1),
];

/// A shape with a hole: out along the outline and back along a smaller one, which cancels the fill inside. A stroked
/// outline would get the dashes of its line.
fn open(outline: &[(i32, i32)]) -> Vec<(i32, i32)> {
    let inner = outline.iter().map(|&(x, y)| (x * 5 / 8, y * 5 / 8));
    let closed = outline.iter().copied().chain([outline[0]]);
    let mut back: Vec<(i32, i32)> = inner.collect();
    back.push(back[0]);
    closed.chain(back.into_iter().rev()).collect()
}
