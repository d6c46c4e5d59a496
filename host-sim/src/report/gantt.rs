//! Gantt chart: jobs as rectangles over time and PEs.

use std::{collections::HashMap, ops::Range};

use maud::{Markup, PreEscaped, html};
use plotters::{
    prelude::{ChartBuilder, Text},
    style::{
        Color,
        text_anchor::{HPos, VPos},
    },
};

use super::{
    excerpt::{self, Excerpt, Piece},
    palette::INK,
    plot::{self, Area, DrawResult, LETTER},
    run::{Job, Reservation, Run},
    words::{grouped, plural, short, unit},
};
use crate::error::Result;

const WIDTH: u32 = 1040;
const HEIGHT: u32 = 540;

/// How long a job waits beyond its ready time, as style class and as words.
const WAITS: [(&str, &str); 3] = [
    ("soon", "starts in the slot it is ready for"),
    ("later", "waits for at most its own duration"),
    ("late", "waits longer"),
];

/// A job that reserved nothing, the same.
const QUEUED: (&str, &str) = ("queued", "best effort, without a reservation");

/// The axes of one chart.
struct Axes {
    from: f64,
    to: f64,
    /// Where the time axis has its zero, and what happened then.
    zero: f64,
    since: &'static str,
    pes: f64,
    /// Seconds per slot: a shorter wait is but rounding.
    slot: f64,
}

/// The chart of one run's jobs over an excerpt; nothing when it knows of no jobs.
pub(super) fn markup(run: &Run, excerpt: &Excerpt) -> Result<Option<Markup>> {
    let Some(jobs) = &run.jobs else {
        return Ok(None);
    };
    let (pieces, left_out) = excerpt::pieces(jobs, excerpt);
    let axes = axes(run, jobs, excerpt);
    let (drawing, pixels) = plot::svg((WIDTH, HEIGHT), |area| draw_axes(area, &axes))?;
    let asked: HashMap<&str, &Reservation> = run
        .reservations
        .iter()
        .flatten()
        .map(|reservation| (reservation.id.as_str(), reservation))
        .collect();
    // A tooltip is a child of its rectangle, which plotters cannot make: the rectangles are put into its axes here.
    let rectangles = html! {
        @for piece in &pieces {
            (rectangle(piece, asked.get(piece.job.id.as_str()).copied(), &axes, &pixels))
        }
    };
    let body = drawing.replace("</svg>", &format!("{}</svg>", rectangles.into_string()));
    Ok(Some(html! {
        figure.wide {
            figcaption { (run.label) ": " (span(excerpt, &axes)) }
            div.scroll tabindex="0" role="group" aria-label=(format!("Gantt chart of {}", run.label)) {
                div.gantt { (PreEscaped(body)) }
            }
            @if !asked.is_empty() {
                ul.legend { @for (class, words) in looks(jobs) {
                    li { span class=(format!("key {class}")) {} " " (words) }
                } }
            }
            p.note {
                (plural(pieces.len(), "rectangle")) ", one for each group of neighbouring PEs of a job."
                @if left_out > 0 { " The " (grouped(left_out)) " smallest of this excerpt are left out." }
                " Point at one with a mouse for its reservation."
            }
        }
    }))
}

/// The looks there are, as style class and as words.
fn looks(jobs: &[Job]) -> impl Iterator<Item = (&'static str, &'static str)> {
    let queued = jobs.iter().any(|job| job.best_effort);
    WAITS.into_iter().chain(queued.then_some(QUEUED))
}

fn axes(run: &Run, jobs: &[Job], excerpt: &Excerpt) -> Axes {
    let used = jobs.iter().flat_map(|job| &job.pes).map(|pes| pes.1).max();
    let stated = |name| {
        run.metrics
            .as_ref()
            .and_then(|metrics| metrics.number(name))
    };
    let zero = jobs.iter().map(|job| job.submitted).min_by(f64::total_cmp);
    Axes {
        from: excerpt.from,
        to: excerpt.to,
        zero: zero.unwrap_or(0.0),
        since: match jobs.iter().any(|job| job.best_effort) {
            true => "the first submission",
            false => "the first accepted request",
        },
        pes: (f64::from(used.unwrap_or(0)) + 1.0).max(stated("pes").unwrap_or(0.0)),
        slot: stated("slot_seconds").unwrap_or(1.0),
    }
}

fn span(excerpt: &Excerpt, axes: &Axes) -> String {
    let (unit, name) = unit(axes.to - axes.zero);
    let at = |time: f64| format!("{:.1}", (time - axes.zero) / unit);
    format!(
        "{} to {} {name} after {}, {}",
        at(excerpt.from),
        at(excerpt.to),
        axes.since,
        excerpt.chosen
    )
}

/// Draws the axes and returns the pixels they span.
fn draw_axes(area: &Area<'_>, axes: &Axes) -> DrawResult<(Range<i32>, Range<i32>)> {
    let (unit, name) = unit(axes.to - axes.zero);
    let [from, to] = [axes.from, axes.to].map(|t| (t - axes.zero) / unit);
    let left = short(axes.pes).len().max(4) as f64 * LETTER + 10.0;
    let mut chart = ChartBuilder::on(area)
        .margin_top(34)
        .margin_right(24)
        .margin_left(6)
        .x_label_area_size(56)
        .y_label_area_size(left as u32)
        .build_cartesian_2d(from..to, 0.0..axes.pes)?;
    chart
        .configure_mesh()
        .x_labels(9)
        .y_labels(7)
        .x_label_formatter(&|t| plot::with_step(*t, (to - from) / 9.0))
        .y_label_formatter(&|pe| short(*pe))
        .x_label_style(plot::text(HPos::Center, VPos::Top))
        .y_label_style(plot::text(HPos::Right, VPos::Center))
        .bold_line_style(INK.mix(0.12))
        .light_line_style(INK.mix(0.0))
        .axis_style(INK.mix(0.6))
        .draw()?;
    area.draw(&Text::new(
        "PE number",
        (6, 6),
        plot::text(HPos::Left, VPos::Top),
    ))?;
    let label = format!("time since {} ({name})", axes.since);
    let below = (WIDTH as i32 - 24, HEIGHT as i32 - 24);
    area.draw(&Text::new(label, below, plot::text(HPos::Right, VPos::Top)))?;
    Ok(chart.plotting_area().get_pixel_range())
}

fn rectangle(
    piece: &Piece,
    asked: Option<&Reservation>,
    axes: &Axes,
    (columns, rows): &(Range<i32>, Range<i32>),
) -> Markup {
    let per_second = f64::from(columns.end - columns.start) / (axes.to - axes.from);
    let per_pe = f64::from(rows.end - rows.start) / axes.pes;
    let x = f64::from(columns.start) + (piece.from - axes.from) * per_second;
    let y = f64::from(rows.end) - (f64::from(piece.pes.1) + 1.0) * per_pe;
    let wide = (piece.to - piece.from) * per_second;
    let high = (f64::from(piece.pes.1) - f64::from(piece.pes.0) + 1.0) * per_pe;
    // An outline would swallow what is hardly larger than itself.
    let edge = if wide.min(high) < 4.0 {
        "thin"
    } else {
        "edged"
    };
    html! {
        rect class=(format!("{} {edge}", class(piece.job, asked, axes.slot)))
            x=(format!("{x:.1}")) y=(format!("{y:.1}"))
            width=(format!("{:.1}", wide.max(0.5))) height=(format!("{:.1}", high.max(0.5)))
            { title { (tooltip(piece.job, asked)) } }
    }
}

fn class(job: &Job, asked: Option<&Reservation>, slot: f64) -> &'static str {
    match asked {
        _ if job.best_effort => QUEUED.0,
        Some(asked) => wait_class(asked, slot),
        None => WAITS[0].0,
    }
}

fn wait_class(asked: &Reservation, slot: f64) -> &'static str {
    let waited = (asked.slowdown.unwrap_or(1.0) - 1.0) * asked.duration;
    match waited {
        // Slowdowns have 6 decimals in the file.
        wait if wait < slot - 0.01 => WAITS[0].0,
        wait if wait <= asked.duration => WAITS[1].0,
        _ => WAITS[2].0,
    }
}

fn tooltip(job: &Job, asked: Option<&Reservation>) -> String {
    let pes: Vec<String> = job
        .pes
        .iter()
        .map(|&(first, last)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        })
        .collect();
    let ran = format!(
        "job {}: PEs {}, from {} to {}",
        job.id,
        pes.join(" "),
        short(job.start),
        short(job.finish)
    );
    match asked {
        _ if job.best_effort => format!(
            "{ran}\nbest effort, submitted at {}, waited for {}",
            short(job.submitted),
            short(job.start - job.submitted)
        ),
        None => ran,
        Some(asked) => format!(
            "{ran}\nasked at {} for {} PEs, {} s, ready {}, deadline {}\nslowdown {}",
            short(asked.arrival),
            short(asked.pes),
            short(asked.duration),
            short(asked.ready),
            short(asked.deadline),
            asked
                .slowdown
                .map_or("unknown".to_owned(), |s| format!("{s:.3}")),
        ),
    }
}
