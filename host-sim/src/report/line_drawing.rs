//! Series plots with confidence bands.

use maud::{Markup, PreEscaped, html};
use plotters::{
    prelude::{
        ChartBuilder, ChartContext, LineSeries, PathElement, Polygon, Rectangle, SVGBackend,
    },
    style::{
        Color, ShapeStyle,
        text_anchor::{HPos, VPos},
    },
};
use serde_json::{Value, json};

use super::{
    bars::{self, Bar},
    line_plot::{LinePlot, LinePoint, Series},
    marker,
    palette::{INK, Looks, SeriesStyle},
    plot::{self, Area, DIGIT, DrawResult, Ticks, WIDTH},
    words::{fourth_digit, grouped, short, tidy},
};
use crate::{error::Result, statistics::Limits};

const HEIGHT: u32 = 350;

/// Points of a line that stand apart; closer ones have no markers, a thinner line and no table.
const APART: usize = 60;

type Plane = plotters::prelude::Cartesian2d<
    plotters::coord::types::RangedCoordf64,
    plotters::coord::types::RangedCoordf64,
>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Plane>;

/// The part of the room between two names that their points take.
const NAME_WIDTH: f64 = 0.6;

/// How dark a band is, and at most all together, which lie upon each other.
const SHADE: f64 = 0.13;
const SHADES: f64 = 0.6;

/// Where the axes begin and end.
struct PlotRange {
    x: (f64, f64),
    y: (f64, f64),
    /// How far the points of a series lie beside those of the one before: on an axis of names they would lie upon each other.
    apart: f64,
}

/// The plot between the names of its axes, its legend, and its numbers as a table to unfold.
pub(super) fn markup(figure: &LinePlot, looks: &mut Looks) -> Result<Markup> {
    drawn(figure, figure.heights(), looks)
}

/// The same with a y axis from the least to the greatest of these heights: small plots beside each other have the same.
pub(super) fn markup_within(figure: &LinePlot, heights: Option<(f64, f64)>) -> Result<Markup> {
    drawn(figure, heights, &mut Looks::default())
}

fn drawn(figure: &LinePlot, heights: Option<(f64, f64)>, looks: &mut Looks) -> Result<Markup> {
    let looks = looks.of(figure.series.iter().map(|series| series.name.as_str()));
    let bars = as_bars(figure, &looks);
    // The names of the axes may be long and wrap, which text in a drawing cannot.
    Ok(html! {
        figure {
            figcaption { (figure.title) }
            p.axis { (figure.y_label) }
            @if let Some(bars) = &bars { (bars_plot(figure, bars)?) }
            @else if !is_a_dot(figure) { (lines_plot(figure, &looks, heights)?) }
            (numbers(figure, bars.is_none() && is_a_dot(figure)))
        }
    })
}

fn bars_plot(figure: &LinePlot, bars: &[Bar]) -> Result<Markup> {
    let longest = bars.iter().map(|bar| bar.value).fold(1e-12, f64::max);
    let full = Some(figure.limits.most).filter(|most| most.is_finite());
    let plot = bars::markup(&figure.title, bars, 0.0, full.unwrap_or(longest))?;
    Ok(html! {
        (plot)
        p.axis.below { (figure.x_label) @for (_, words) in figure.ticks() { " " (words) } }
    })
}

fn lines_plot(
    figure: &LinePlot,
    looks: &[SeriesStyle],
    heights: Option<(f64, f64)>,
) -> Result<Markup> {
    let Some(range) = range(figure, heights) else {
        return Ok(html! { p.absent { "No values." } });
    };
    let (svg, placed) = plot::svg((WIDTH, HEIGHT), |area| draw(area, figure, looks, &range))?;
    let Limits { least, most } = figure.limits;
    let known = |limit: f64| Some(limit).filter(|limit| limit.is_finite());
    Ok(html! {
        // A single line is told apart from none, and dashes would be gaps where it jumps.
        div.plot.lines.solid[figure.series.len() == 1] role="img" aria-label=(figure.title) data-least=[known(least)] data-most=[known(most)] { (PreEscaped(svg)) (values(figure, &placed)) }
        p.axis.below { (figure.x_label) }
        @if figure.series.len() > 1 {
            ul.legend {
                @for (series, look) in figure.series.iter().zip(looks) {
                    li { (PreEscaped(swatch(*look, !figure.has_names())?)) " " (series.name) }
                }
            }
        }
    })
}

/// What can be done with a drawing, which `values.js` does.
pub(super) const VALUES: &str =
    "The values of a point appear where the mouse or a finger is, or by the arrow keys.";

/// Where the points of each series lie in the drawing.
type Placed = Vec<Vec<(i32, i32)>>;

/// The points of a drawing with their words, for `values.js`: each series with its name and its points.
fn values(figure: &LinePlot, placed: &Placed) -> Markup {
    let alone = figure.series.len() == 1;
    let series = figure.series.iter().zip(placed).map(|(series, placed)| {
        let points = series.points.iter().zip(placed).map(|(point, (x, y))| {
            let place = match point.x_text.as_str() {
                "" => short(point.x),
                text => tidy(text),
            };
            json!([x, y, place, words(point)])
        });
        // The only one is what the whole figure is about.
        let name = if alone { "" } else { &series.name };
        json!([name, points.collect::<Vec<_>>()])
    });
    let series = Value::from(series.collect::<Vec<_>>()).to_string();
    // No word of a file ends the element.
    let series = series.replace('<', "\\u003c");
    html! { script type="application/json" { (PreEscaped(series)) } }
}

/// Whether a single point is all that a line has. Its numbers say more than a drawing.
fn is_a_dot(figure: &LinePlot) -> bool {
    figure.ticks().len() == 1 && figure.series.iter().all(|series| series.points.len() <= 1)
}

/// Lines of one point each, all at the same place, as bars; nothing where bars cannot begin at nothing.
fn as_bars(figure: &LinePlot, looks: &[SeriesStyle]) -> Option<Vec<Bar>> {
    if !is_a_dot(figure) || figure.heights()?.0 < 0.0 {
        return None;
    }
    let bars = figure
        .series
        .iter()
        .zip(looks)
        .filter_map(|(series, look)| {
            let point = series.points.first()?;
            Some(Bar {
                name: series.name.clone(),
                value: point.mean,
                words: words(point),
                look: *look,
            })
        });
    Some(bars.collect())
}

fn range(figure: &LinePlot, heights: Option<(f64, f64)>) -> Option<PlotRange> {
    let ticks = figure.ticks();
    let (first, last) = (ticks.first()?.0, ticks.last()?.0);
    let (low, high) = heights?;
    let closest = ticks.windows(2).map(|pair| pair[1].0 - pair[0].0);
    let closest = closest.reduce(f64::min).unwrap_or(1.0);
    let (x, apart) = match figure.has_names() {
        true => (
            (first - 0.5 * closest, last + 0.5 * closest),
            NAME_WIDTH * closest / figure.series.len() as f64,
        ),
        false => (padded(first, last), 0.0),
    };
    // What lies outside the limits all the same is shown.
    let (least, most) = (figure.limits.least.min(low), figure.limits.most.max(high));
    let (from, to) = padded(low, high);
    Some(PlotRange {
        x,
        y: (from.max(least), to.min(most)),
        apart,
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

fn draw(
    area: &Area<'_>,
    figure: &LinePlot,
    looks: &[SeriesStyle],
    range: &PlotRange,
) -> DrawResult<Placed> {
    let step = (range.y.1 - range.y.0) / 8.0;
    let letters = [range.y.0, range.y.1].map(|y| plot::with_step(y, step).len());
    let left = letters[0].max(letters[1]) as f64 * DIGIT + 10.0;
    let values = figure.ticks();
    let pixels = f64::from(WIDTH) - left - 36.0;
    let ticks = Ticks::new(&values, range.x, pixels);
    let mut chart = ChartBuilder::on(area)
        .margin_top(10)
        .margin_right(28)
        .margin_left(8)
        .x_label_area_size(ticks.height())
        .y_label_area_size(left as u32)
        .build_cartesian_2d(range.x.0..range.x.1, range.y.0..range.y.1)?;
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
    let bottom = chart.backend_coord(&(range.x.0, range.y.0)).1;
    ticks.draw(area, bottom, |x| chart.backend_coord(&(x, range.y.0)).0)?;
    let place = |at: usize, point: &LinePoint| {
        let middle = (figure.series.len() - 1) as f64 / 2.0;
        chart.backend_coord(&(point.x + (at as f64 - middle) * range.apart, point.mean))
    };
    let series = figure.series.iter().enumerate();
    let placed =
        series.map(|(at, series)| series.points.iter().map(|point| place(at, point)).collect());
    let placed: Placed = placed.collect();
    let all = || figure.series.iter().zip(looks);
    if figure.has_names() {
        for ((series, look), placed) in all().zip(&placed) {
            dots(&chart, area, (series, placed), *look)?;
        }
        return Ok(placed);
    }
    let shade = SHADE.min(SHADES / figure.series.len() as f64);
    for (series, look) in all() {
        band(&mut chart, area, (series, shade), *look)?;
    }
    for ((series, look), placed) in all().zip(&placed) {
        line(&mut chart, area, (series, placed), *look)?;
    }
    Ok(placed)
}

/// Points beside their places with their intervals. There is nothing between two names, so that no line joins them.
fn dots(
    chart: &Chart,
    area: &Area<'_>,
    (series, placed): (&Series, &[(i32, i32)]),
    look: SeriesStyle,
) -> DrawResult<()> {
    for (point, at) in series.points.iter().zip(placed) {
        if let Some(ends) = point.ends {
            interval(chart, area, at.0, ends, look)?;
        }
        marker::draw(look, area, *at)?;
    }
    Ok(())
}

/// A stroke over an interval in a column. Not a line: it would have the dashes of its series, which may be longer.
fn interval(
    chart: &Chart,
    area: &Area<'_>,
    x: i32,
    ends: [f64; 2],
    look: SeriesStyle,
) -> DrawResult<()> {
    let [low, high] = ends.map(|end| chart.backend_coord(&(0.0, end)).1);
    let corners = [(x - 1, high), (x + 1, low)];
    area.draw(&Rectangle::new(corners, look.colour().mix(0.6).filled()))
}

/// The area of the intervals of a line.
fn band(
    chart: &mut Chart,
    area: &Area<'_>,
    (series, shade): (&Series, f64),
    look: SeriesStyle,
) -> DrawResult<()> {
    // Where a point has no interval, the band is interrupted.
    let parts = series
        .points
        .split(|point| point.ends.is_none())
        .map(|points| {
            let known = points.iter();
            known.filter_map(|point| Some((point.x, point.ends?)))
        });
    for part in parts.map(Iterator::collect::<Vec<_>>) {
        match part[..] {
            [] => {}
            // A band over a single point has no area.
            [(x, ends)] => interval(
                chart,
                area,
                chart.backend_coord(&(x, ends[0])).0,
                ends,
                look,
            )?,
            _ => {
                let above = part.iter().map(|(x, ends)| (*x, ends[1]));
                let below = part.iter().rev().map(|(x, ends)| (*x, ends[0]));
                let outline: Vec<(f64, f64)> = above.chain(below).collect();
                chart.draw_series([Polygon::new(outline, look.colour().mix(shade))])?;
            }
        }
    }
    Ok(())
}

fn line(
    chart: &mut Chart,
    area: &Area<'_>,
    (series, placed): (&Series, &[(i32, i32)]),
    look: SeriesStyle,
) -> DrawResult<()> {
    let points = series.points.iter().map(|p| (p.x, p.mean));
    let apart = series.points.len() <= APART;
    let stroke = ShapeStyle::from(look.colour()).stroke_width(if apart { 2 } else { 1 });
    chart.draw_series(LineSeries::new(points, stroke))?;
    for at in placed.iter().filter(|_| apart) {
        marker::draw(look, area, *at)?;
    }
    Ok(())
}

/// The marker of a series, on its line where it has one.
fn swatch(look: SeriesStyle, joined: bool) -> Result<String> {
    let (svg, ()) = plot::svg((46, 18), |area| {
        if joined {
            let stroke = ShapeStyle::from(look.colour()).stroke_width(2);
            area.draw(&PathElement::new([(1, 9), (45, 9)], stroke))?;
        }
        marker::draw(look, area, (23, 9))
    })?;
    Ok(svg)
}

fn numbers(figure: &LinePlot, open: bool) -> Markup {
    let ticks = figure.ticks();
    if ticks.len() > APART {
        return html! { p.note { (grouped(ticks.len())) " points, whose numbers are in figures.csv." } };
    }
    html! {
        details open[open] {
            summary { "Numbers" }
            div.scroll { table {
                thead { tr {
                    th { "" }
                    @for (x, words) in &ticks {
                        th.number { @if words.is_empty() { (short(*x)) } @else { (tidy(words)) } }
                    }
                } }
                tbody { @for series in &figure.series { tr {
                    th scope="row" { (series.name) }
                    @for (x, _) in &ticks { (cell(series, *x)) }
                } } }
            } }
        }
    }
}

fn cell(series: &Series, x: f64) -> Markup {
    let Some(point) = at(series, x) else {
        return html! { td.number { "–" } };
    };
    let (mean, interval) = point_words(point);
    html! { td.number { (mean) @if let Some(interval) = interval { div.soft { (interval) } } } }
}

fn words(point: &LinePoint) -> String {
    match point_words(point) {
        (mean, None) => mean,
        (mean, Some(interval)) => format!("{mean} ({interval})"),
    }
}

fn at(series: &Series, x: f64) -> Option<&LinePoint> {
    series.points.iter().find(|point| point.x == x)
}

/// The mean, and its interval where that is more than a point.
fn point_words(point: &LinePoint) -> (String, Option<String>) {
    let ends = point.ends.filter(|[low, high]| high > low);
    let half = ends.map_or(0.0, |[low, high]| (high - low) / 2.0);
    // Four significant digits of the mean or of half its interval, whichever is larger, and as many decimals for the rest.
    let step = fourth_digit(point.mean.abs().max(half));
    let number = |number| plot::with_step(number, step);
    let interval = ends.map(|[low, high]| format!("{} to {}", number(low), number(high)));
    (number(point.mean), interval)
}
