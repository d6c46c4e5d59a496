//! Horizontal bars, each with its name and value written above it so that neither is ever cut.

use maud::{Markup, PreEscaped, html};
use plotters::{
    prelude::{PathElement, Rectangle, Text},
    style::{
        Color,
        text_anchor::{HPos, VPos},
    },
};

use super::{
    palette::{INK, SeriesStyle},
    plot::{self, Area, DrawResult, WIDTH},
};
use crate::error::Result;

const ROW: i32 = 46;
const MARGIN: i32 = 6;
const LONGEST_NAME: usize = 34;

/// One bar.
pub(super) struct Bar {
    pub(super) name: String,
    pub(super) value: f64,
    /// The value in words.
    pub(super) words: String,
    pub(super) look: SeriesStyle,
}

/// Bars that grow from `from` (their left edge) to at most `to`.
pub(super) fn markup(title: &str, bars: &[Bar], from: f64, to: f64) -> Result<Markup> {
    let height = (ROW * bars.len() as i32 + 2 * MARGIN) as u32;
    let (svg, ()) = plot::svg((WIDTH, height), |area| {
        for (row, bar) in bars.iter().enumerate() {
            let share = ((bar.value - from) / (to - from)).clamp(0.0, 1.0);
            draw(area, bar, MARGIN + ROW * row as i32, share)?;
        }
        let edge = [(MARGIN, MARGIN), (MARGIN, height as i32 - MARGIN)];
        area.draw(&PathElement::new(edge, INK.mix(0.6)))
    })?;
    Ok(html! { div.plot role="img" aria-label=(title) { (PreEscaped(svg)) } })
}

fn draw(area: &Area<'_>, bar: &Bar, top: i32, share: f64) -> DrawResult<()> {
    let right = WIDTH as i32 - MARGIN;
    let room = f64::from(right - MARGIN);
    let words = plot::text(HPos::Right, VPos::Top);
    let name = cut(&bar.name);
    area.draw(&Text::new(
        name,
        (MARGIN + 6, top + 2),
        plot::text(HPos::Left, VPos::Top),
    ))?;
    area.draw(&Text::new(bar.words.as_str(), (right, top + 2), words))?;
    let full = [(MARGIN, top + 24), (right, top + 38)];
    area.draw(&Rectangle::new(full, INK.mix(0.07).filled()))?;
    let end = MARGIN + (share * room).round() as i32;
    let filled = [(MARGIN, top + 24), (end, top + 38)];
    area.draw(&Rectangle::new(filled, bar.look.colour().filled()))
}

/// A name that leaves room for the value beside it.
fn cut(name: &str) -> String {
    if name.chars().count() <= LONGEST_NAME {
        return name.to_owned();
    }
    name.chars().take(LONGEST_NAME - 1).chain(['…']).collect()
}
