//! Series plots with confidence bands.

use maud::{Markup, PreEscaped, html};
use plotters::{
    prelude::{ChartBuilder, ChartContext, LineSeries, PathElement, Polygon, SVGBackend},
    style::{
        Color, ShapeStyle,
        text_anchor::{HPos, VPos},
    },
};

use super::{
    bars::{self, Bar},
    line_plot::{LinePlot, Series},
    marker,
    palette::{INK, Look, looks},
    plot::{self, Area, DIGIT, DrawResult, Ticks, WIDTH},
    words::{estimate, grouped, short},
};
use crate::error::Result;

const HEIGHT: u32 = 350;

/// Points of a line that stand apart; closer ones have no markers, a thinner line and no table.
const APART: usize = 60;

type Plane = plotters::prelude::Cartesian2d<
    plotters::coord::types::RangedCoordf64,
    plotters::coord::types::RangedCoordf64,
>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Plane>;

/// Where the axes begin and end.
struct PlotRange {
    x: (f64, f64),
    y: (f64, f64),
}

/// The plot between the names of its axes, its legend, and its numbers as a table to unfold.
pub(super) fn markup(figure: &LinePlot) -> Result<Markup> {
    markup_within(figure, figure.heights())
}

/// The same with a y axis from the least to the greatest of these heights: small plots beside each other have the same.
pub(super) fn markup_within(figure: &LinePlot, heights: Option<(f64, f64)>) -> Result<Markup> {
    let looks = looks(figure.series.iter().map(|series| series.name.as_str()));
    // The names of the axes may be long and wrap, which text in a drawing cannot.
    Ok(html! {
        figure {
            figcaption { (figure.title) }
            p.axis { (figure.y_label) }
            @if let Some(bars) = as_bars(figure, &looks) { (bars_plot(figure, &bars)?) }
            @else { (lines_plot(figure, &looks, heights)?) }
            (numbers(figure))
        }
    })
}

fn bars_plot(figure: &LinePlot, bars: &[Bar]) -> Result<Markup> {
    let longest = bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
    let plot = bars::markup(&figure.title, bars, 0.0, longest.max(1e-12))?;
    Ok(html! {
        (plot)
        p.axis.below { (figure.x_label) @for (_, words) in figure.ticks() { " " (words) } }
    })
}

fn lines_plot(figure: &LinePlot, looks: &[Look], heights: Option<(f64, f64)>) -> Result<Markup> {
    let Some(range) = range(figure, heights) else {
        return Ok(html! { p.absent { "No values." } });
    };
    let (svg, ()) = plot::svg((WIDTH, HEIGHT), |area| draw(area, figure, looks, &range))?;
    Ok(html! {
        div.plot.lines role="img" aria-label=(figure.title) { (PreEscaped(svg)) }
        p.axis.below { (figure.x_label) }
        @if figure.series.len() > 1 {
            ul.legend {
                @for (series, look) in figure.series.iter().zip(looks) {
                    li { (PreEscaped(swatch(*look)?)) " " (series.name) }
                }
            }
        }
    })
}

/// Lines of one point each, all at the same place, say more as bars.
fn as_bars(figure: &LinePlot, looks: &[Look]) -> Option<Vec<Bar>> {
    let [(x, _)] = figure.ticks()[..] else {
        return None;
    };
    let negative = figure.heights()?.0 < 0.0;
    let points = || figure.series.iter().flat_map(|series| &series.points);
    if negative || points().count() > figure.series.len() {
        return None;
    }
    let bars = figure
        .series
        .iter()
        .zip(looks)
        .filter_map(|(series, look)| {
            Some(Bar {
                name: series.name.clone(),
                value: series.points.first()?.mean,
                words: cell(series, x),
                look: *look,
            })
        });
    Some(bars.collect())
}

fn range(figure: &LinePlot, heights: Option<(f64, f64)>) -> Option<PlotRange> {
    let ticks = figure.ticks();
    let (first, last) = (ticks.first()?.0, ticks.last()?.0);
    let (low, high) = heights?;
    Some(PlotRange {
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

fn draw(area: &Area<'_>, figure: &LinePlot, looks: &[Look], range: &PlotRange) -> DrawResult<()> {
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
    for (series, look) in figure.series.iter().zip(looks) {
        band(&mut chart, series, *look)?;
    }
    for (series, look) in figure.series.iter().zip(looks) {
        line(&mut chart, area, series, *look)?;
    }
    Ok(())
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
    let apart = series.points.len() <= APART;
    let stroke = ShapeStyle::from(look.colour()).stroke_width(if apart { 2 } else { 1 });
    chart.draw_series(LineSeries::new(points(), stroke))?;
    for point in points().filter(|_| apart) {
        marker::draw(look, area, chart.backend_coord(&point))?;
    }
    Ok(())
}

fn swatch(look: Look) -> Result<String> {
    let (svg, ()) = plot::svg((46, 18), |area| {
        let stroke = ShapeStyle::from(look.colour()).stroke_width(2);
        area.draw(&PathElement::new([(1, 9), (45, 9)], stroke))?;
        marker::draw(look, area, (23, 9))
    })?;
    Ok(svg)
}

fn numbers(figure: &LinePlot) -> Markup {
    let ticks = figure.ticks();
    if ticks.len() > APART {
        return html! { p.note { (grouped(ticks.len())) " points, whose numbers are in figures.csv." } };
    }
    html! {
        details {
            summary { "Numbers" }
            div.scroll { table {
                thead { tr {
                    th { "" }
                    @for (x, words) in &ticks {
                        th.number { @if words.is_empty() { (short(*x)) } @else { (words) } }
                    }
                } }
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
        Some(point) => estimate(point.mean, point.ci95),
    }
}
