//! Line plots with confidence bands.

use maud::{Markup, PreEscaped, html};
use plotters::{
    prelude::{ChartBuilder, ChartContext, LineSeries, PathElement, Polygon, SVGBackend, Text},
    style::{
        Color, ShapeStyle,
        text_anchor::{HPos, VPos},
    },
};

use super::{
    figure::{Figure, Series},
    palette::{INK, Look, looks},
    plot::{self, Area, DrawResult, LETTER, Ticks, WIDTH, fitting},
    words::short,
};
use crate::error::Result;

const HEIGHT: u32 = 400;

type Plane = plotters::prelude::Cartesian2d<
    plotters::coord::types::RangedCoordf64,
    plotters::coord::types::RangedCoordf64,
>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Plane>;

/// Where the axes begin and end.
struct Frame {
    x: (f64, f64),
    y: (f64, f64),
}

/// The plot, its legend underneath, and its numbers as a table to unfold.
pub(super) fn markup(figure: &Figure) -> Result<Markup> {
    let names = || figure.series.iter().map(|series| series.name.as_str());
    let looks = looks(names());
    let plot = match draw(figure, &looks)? {
        Some(svg) => html! { div.plot role="img" aria-label=(figure.title) { (PreEscaped(svg)) } },
        None => html! { p.absent { "No values." } },
    };
    let mut legend = Vec::new();
    for (name, look) in names().zip(&looks) {
        legend.push((swatch(*look)?, name));
    }
    Ok(html! {
        figure {
            figcaption { (figure.title) }
            (plot)
            @if legend.len() > 1 {
                ul.legend { @for (swatch, name) in &legend { li { (PreEscaped(swatch)) " " (name) } } }
            }
            (numbers(figure))
        }
    })
}

fn draw(figure: &Figure, looks: &[Look]) -> Result<Option<String>> {
    let Some(frame) = frame(figure) else {
        return Ok(None);
    };
    let (svg, ()) = plot::svg((WIDTH, HEIGHT), |area| draw_on(area, figure, looks, &frame))?;
    Ok(Some(svg))
}

fn frame(figure: &Figure) -> Option<Frame> {
    let ticks = figure.ticks();
    let (first, last) = (ticks.first()?.0, ticks.last()?.0);
    let (low, high) = figure.heights()?;
    Some(Frame {
        x: padded(first, last),
        y: padded(low, high),
    })
}

/// A little air on both sides; a single value gets an axis around it.
fn padded(low: f64, high: f64) -> (f64, f64) {
    let air = match high - low {
        width if width > 0.0 => 0.06 * width,
        _ => (0.05 * high.abs()).max(0.5),
    };
    (low - air, high + air)
}

fn draw_on(area: &Area<'_>, figure: &Figure, looks: &[Look], frame: &Frame) -> DrawResult<()> {
    let step = (frame.y.1 - frame.y.0) / 8.0;
    let letters = [frame.y.0, frame.y.1].map(|y| plot::with_step(y, step).len());
    let left = letters[0].max(letters[1]) as f64 * LETTER + 12.0;
    let values = figure.ticks();
    let pixels = f64::from(WIDTH) - left - 36.0;
    let ticks = Ticks::new(&values, frame.x, pixels);
    let mut chart = ChartBuilder::on(area)
        .margin_top(34)
        .margin_right(28)
        .margin_left(8)
        .x_label_area_size(ticks.height())
        .y_label_area_size(left as u32)
        .build_cartesian_2d(frame.x.0..frame.x.1, frame.y.0..frame.y.1)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .y_labels(8)
        .y_label_formatter(&|y| plot::with_step(*y, step))
        .y_label_style(plot::text(HPos::Right, VPos::Center))
        .bold_line_style(INK.mix(0.15))
        .light_line_style(INK.mix(0.0))
        .axis_style(INK.mix(0.6))
        .draw()?;
    label(area, figure)?;
    let bottom = chart.backend_coord(&(frame.x.0, frame.y.0)).1;
    ticks.draw(area, bottom, |x| chart.backend_coord(&(x, frame.y.0)).0)?;
    for (series, look) in figure.series.iter().zip(looks) {
        band(&mut chart, series, *look)?;
    }
    for (series, look) in figure.series.iter().zip(looks) {
        line(&mut chart, area, series, *look)?;
    }
    Ok(())
}

/// The y label lies on top of its axis: upright text takes no width from the plot and needs no turned head.
fn label(area: &Area<'_>, figure: &Figure) -> DrawResult<()> {
    let room = f64::from(WIDTH) - 16.0;
    let y_style = fitting(&figure.y_label, room, HPos::Left, VPos::Top);
    area.draw(&Text::new(figure.y_label.as_str(), (8, 6), y_style))?;
    let x_style = fitting(&figure.x_label, room, HPos::Right, VPos::Top);
    let below = (WIDTH as i32 - 28, HEIGHT as i32 - 24);
    area.draw(&Text::new(figure.x_label.as_str(), below, x_style))
}

fn band(chart: &mut Chart, series: &Series, look: Look) -> DrawResult<()> {
    let bounded = || series.points.iter().filter_map(|p| Some((p, p.ci95?)));
    let mut outline: Vec<(f64, f64)> = bounded().map(|(p, half)| (p.x, p.mean + half)).collect();
    let mut below: Vec<(f64, f64)> = bounded().map(|(p, half)| (p.x, p.mean - half)).collect();
    // A band over a single point has no area: draw the interval as a stroke.
    if outline.len() == 1 {
        outline.append(&mut below);
        let stroke = PathElement::new(outline, ShapeStyle::from(look.colour()).stroke_width(2));
        chart.draw_series([stroke])?;
        return Ok(());
    }
    outline.extend(below.into_iter().rev());
    chart.draw_series([Polygon::new(outline, look.colour().mix(0.13))])?;
    Ok(())
}

fn line(chart: &mut Chart, area: &Area<'_>, series: &Series, look: Look) -> DrawResult<()> {
    let points = || series.points.iter().map(|p| (p.x, p.mean));
    let stroke = ShapeStyle::from(look.colour()).stroke_width(2);
    chart.draw_series(LineSeries::new(points(), stroke))?;
    for point in points() {
        look.mark(area, chart.backend_coord(&point))?;
    }
    Ok(())
}

fn swatch(look: Look) -> Result<String> {
    let (svg, ()) = plot::svg((46, 18), |area| {
        let stroke = ShapeStyle::from(look.colour()).stroke_width(2);
        area.draw(&PathElement::new([(1, 9), (45, 9)], stroke))?;
        look.mark(area, (23, 9))
    })?;
    Ok(svg)
}

fn numbers(figure: &Figure) -> Markup {
    let ticks = figure.ticks();
    html! {
        details {
            summary { "Numbers" }
            div.scroll { table {
                thead { tr { th { "" } @for (x, words) in &ticks { th.number { @if words.is_empty() { (short(*x)) } @else { (words) } } } } }
                tbody { @for series in &figure.series { tr {
                    th scope="row" { (series.name) }
                    @for (x, _) in &ticks { td.number { (cell(series, *x)) } }
                } } }
            } }
        }
    }
}

fn cell(series: &Series, x: f64) -> String {
    match series.points.iter().find(|p| p.x == x) {
        None => "–".to_owned(),
        Some(point) => match point.ci95 {
            None => significant(point.mean),
            Some(half) => format!("{} ± {}", significant(point.mean), significant(half)),
        },
    }
}

fn significant(value: f64) -> String {
    let scale = value.abs().max(1e-9).log10().floor();
    plot::with_step(value, 10f64.powf(scale - 3.0).max(1e-4))
}
