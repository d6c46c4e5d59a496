//! What all drawings share: the canvas, text sizes, ticks.

use std::{fmt::Display, io};

use plotters::{
    coord::Shift,
    drawing::DrawingAreaErrorKind,
    prelude::{DrawingArea, IntoDrawingArea, PathElement, SVGBackend, Text},
    style::{
        Color, IntoFont, TextStyle,
        text_anchor::{HPos, Pos, VPos},
    },
};

use super::{
    palette::INK,
    words::{grouped, tidy},
};
use crate::error::{Error, Result};

/// Width of a drawing: small enough that its text is readable on a phone, where it is shown at two thirds of its size.
pub(super) const WIDTH: u32 = 560;

/// Type size in pixels; plotters' unit is larger by its own factor of 1.24.
const TEXT: f64 = 17.0 * 1.24;

/// Mean width of a letter, generously: on a phone the style sheet makes them larger by a sixth.
pub(super) const LETTER: f64 = 10.4;

/// Width of a digit, likewise.
pub(super) const DIGIT: f64 = 12.8;

/// The most ticks that are named one by one.
const MOST_TICKS: usize = 12;

/// The most rows of words under an axis. Numbers have two: those between can be told.
const MOST_ROWS: usize = 6;

/// What drawing on a canvas gives.
pub(super) type DrawResult<T> = std::result::Result<T, DrawingAreaErrorKind<io::Error>>;

/// A canvas or part of one, in pixels.
pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Draws on a new canvas and returns the SVG with what the drawing returned.
pub(super) fn svg<T>(
    size: (u32, u32),
    draw: impl FnOnce(&Area<'_>) -> DrawResult<T>,
) -> Result<(String, T)> {
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
    let drawn = draw(&area).map_err(internal)?;
    area.present().map_err(internal)?;
    drop(area);
    Ok((text, drawn))
}

fn internal(error: impl Display) -> Error {
    Error::Internal(format!("drawing failed: {error}"))
}

/// The text style of everything in a drawing.
pub(super) fn text(horizontal: HPos, vertical: VPos) -> TextStyle<'static> {
    ("sans-serif", TEXT)
        .into_font()
        .color(&INK)
        .pos(Pos::new(horizontal, vertical))
}

/// Ticks of an x axis, laid out in a few rows; where even those are too narrow some ticks stay without text.
pub(super) struct Ticks {
    ticks: Vec<(f64, String)>,
    rows: usize,
    every: usize,
}

impl Ticks {
    /// Lays the named ticks out over an axis of `pixels` for the values `from` to `to`; where they are very many or
    /// have no names it takes round numbers instead.
    pub(super) fn new(named: &[(f64, &str)], (from, to): (f64, f64), pixels: f64) -> Self {
        let plain = named.len() > MOST_TICKS || named.iter().any(|tick| tick.1.is_empty());
        let ticks = match plain {
            true => round_numbers(from, to),
            false => named.iter().map(|t| (t.0, tidy(t.1))).collect(),
        };
        let closest = ticks
            .windows(2)
            .map(|pair| pair[1].0 - pair[0].0)
            .fold(to - from, f64::min);
        let letters = ticks.iter().map(|t| t.1.chars().count()).max().unwrap_or(0);
        let room = closest / (to - from) * pixels;
        let share = (((letters + 1) as f64 * LETTER) / room).ceil() as usize;
        let words = ticks.iter().any(|tick| tick.1.parse::<f64>().is_err());
        let most = if words { MOST_ROWS } else { 2 };
        Self {
            ticks,
            rows: share.clamp(1, most),
            every: share.div_ceil(most).max(1),
        }
    }

    /// Pixels the ticks need.
    pub(super) fn height(&self) -> u32 {
        14 + 20 * self.rows as u32
    }

    /// Draws them under the axis at height `y`; `pixel` maps a value to its column.
    pub(super) fn draw(
        &self,
        area: &Area<'_>,
        y: i32,
        pixel: impl Fn(f64) -> i32,
    ) -> DrawResult<()> {
        for (at, (value, words)) in self.ticks.iter().enumerate() {
            let x = pixel(*value);
            area.draw(&PathElement::new([(x, y), (x, y + 5)], INK.mix(0.6)))?;
            if at % self.every == 0 {
                let row = at / self.every % self.rows;
                let top = y + 9 + 20 * row as i32;
                // Words at an end of the axis stay inside the drawing.
                let (half, width) = (words.chars().count() as f64 * LETTER / 2.0, WIDTH as i32);
                let (x, side) = match half as i32 {
                    half if x < half => (2, HPos::Left),
                    half if x > width - half => (width - 2, HPos::Right),
                    _ => (x, HPos::Center),
                };
                area.draw(&Text::new(words.as_str(), (x, top), text(side, VPos::Top)))?;
            }
        }
        Ok(())
    }
}

fn round_numbers(from: f64, to: f64) -> Vec<(f64, String)> {
    let wanted = (to - from) / 7.0;
    let power = 10f64.powf(wanted.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|digit| digit * power)
        .into_iter()
        .find(|step| *step >= wanted)
        .unwrap_or(wanted);
    let numbers = (from / step).ceil() as i64..=(to / step).floor() as i64;
    numbers
        .map(|number| number as f64 * step)
        .map(|value| (value, with_step(value, step)))
        .collect()
}

/// A number with as many decimals as a step of this size needs; the thousands of a large one are set apart.
pub(super) fn with_step(value: f64, step: f64) -> String {
    let decimals = (-step.log10()).ceil().clamp(0.0, 6.0) as usize;
    // What rounds to nothing has no sign.
    let text = tidy(&format!("{value:.decimals$}"));
    match text.parse::<i64>() {
        Ok(whole) if whole.unsigned_abs() >= 10_000 => {
            let sign = if whole < 0 { "-" } else { "" };
            format!("{sign}{}", grouped(whole.unsigned_abs() as usize))
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::{Ticks, with_step};

    #[test]
    fn every_word_of_an_axis_is_there_and_numbers_may_have_gaps() {
        let words = (0..7).map(|at| (f64::from(at), "pe-duration-worst-fit"));
        let words = Ticks::new(&words.collect::<Vec<_>>(), (0.0, 6.0), 450.0);
        assert_eq!((words.rows, words.every), (4, 1));
        let numbers = (0..7).map(|at| (f64::from(at), "1000000000000000000000"));
        let numbers = Ticks::new(&numbers.collect::<Vec<_>>(), (0.0, 6.0), 450.0);
        assert_eq!((numbers.rows, numbers.every), (2, 2));
    }

    #[test]
    fn large_numbers_are_grouped_and_small_ones_have_the_decimals_of_the_step() {
        let texts = [
            with_step(240_000_000.0, 2e7),
            with_step(-15_000.0, 5e3),
            with_step(1_979.0, 1.0),
            with_step(0.25, 0.05),
            with_step(-1e-9, 0.2),
        ];
        assert_eq!(texts, ["240,000,000", "-15,000", "1979", "0.25", "0.0"]);
    }
}
