//! Gantt chart: jobs as rectangles over time and PEs.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    ops::Range,
};

use maud::{Markup, PreEscaped, html};
use plotters::{
    prelude::{ChartBuilder, Text},
    style::{
        Color,
        text_anchor::{HPos, VPos},
    },
};

use super::{
    away,
    excerpt::{Drawn, Excerpt, Piece},
    jobs::{Job, Jobs},
    palette::INK,
    plot::{self, Area, DrawResult, LETTER},
    run::{Run, number},
    words::{grouped, plural, short, three_decimals, tidy, unit},
};
use crate::{
    engine::Cause,
    error::Result,
    files::{Move, Reservation},
    layout::Layout,
    outage::Breaker,
};

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

/// Where a reservation that was moved had been promised, the same.
const BEFORE: (&str, &str) = (
    "before",
    "where one that was moved since had been promised, on the PEs that it ran on",
);

/// Moves listed below a chart.
const LISTED: usize = 60;

/// Requests of a run by number: those of which its chart speaks.
type Asked = HashMap<u64, Reservation>;

/// The axes of one chart.
struct Axes {
    from: f64,
    to: f64,
    /// Where the time axis has its zero, and what happened then.
    zero: f64,
    since: &'static str,
    pes: f64,
    /// On a machine with a layout: how many PEs a node has, and how many nodes the blocks of each level.
    nodes: Option<(f64, Vec<f64>)>,
    /// Seconds per slot: a shorter wait is but rounding.
    slot: f64,
}

/// The chart of one run over an excerpt; `jobs` is what all of its jobs come to.
pub(super) fn markup(run: &Run, jobs: &Jobs, drawn: &Drawn) -> Result<Markup> {
    let Drawn {
        excerpt,
        pieces,
        left_out,
    } = drawn;
    let axes = axes(run, jobs, excerpt);
    let (drawing, pixels) = plot::svg((WIDTH, HEIGHT), |area| draw_axes(area, &axes))?;
    let shown: HashSet<u64> = pieces.iter().map(|piece| piece.job.id).collect();
    let made = run.moves.iter().flat_map(|moves| &moves.made);
    let moved: Vec<&Move> = made.filter(|row| shown.contains(&row.job_id)).collect();
    let causes = moved.iter().filter_map(|row| row.cause_job_id);
    let wanted: BTreeSet<u64> = shown.iter().copied().chain(causes).collect();
    // The requests of the jobs that are drawn, and those for which they were moved.
    let asked = run.requests_of(&wanted)?;
    // A tooltip is a child of its rectangle, which plotters cannot make: the rectangles are put into its axes here.
    let moves = |piece: &Piece| {
        let moves = run.moves.as_ref();
        moves.map_or(Vec::new(), |moves| moves.of(piece.job.id))
    };
    let left = away::parts(run, excerpt);
    let rectangles = html! {
        @for (words, times, rows) in away::drawn(run, &left, excerpt) {
            (outage(&words, place(rows, times, &axes, &pixels)))
        }
        @for piece in pieces {
            (rectangle(piece, (&asked, &moves(piece)), &axes, &pixels))
        }
        // Above all rectangles, which would hide them.
        (blocks(&axes, &pixels))
        @for piece in pieces { (before(piece, &moves(piece), &axes, &pixels)) }
    };
    let body = drawing.replace("</svg>", &format!("{}</svg>", rectangles.into_string()));
    Ok(html! {
        figure.wide {
            figcaption { (run.label) ": " (span(excerpt, &axes)) }
            div.scroll tabindex="0" role="group" aria-label=(format!("Gantt chart of {}", run.label)) {
                div.gantt { (PreEscaped(body)) }
            }
            @if run.requests.as_ref().is_some_and(|requests| requests.count > 0) {
                ul.legend { @for (class, words) in looks(jobs) {
                    li { span class=(format!("key {class}")) {} " " (words) }
                }
                @if !left.is_empty() || !run.rules.is_empty() { li { span class=(format!("key {}", away::LOOK.0)) {} " " (away::LOOK.1) } }
                @if !moved.is_empty() { li { span class=(format!("key {}", BEFORE.0)) {} " " (BEFORE.1) } }
                }
            }
            p.note {
                (plural(pieces.len(), "rectangle")) ", one for each group of neighbouring PEs of a job."
                @if let Some(layout) = &run.layout { (drawn_by_node(layout)) }
                @if *left_out > 0 { " The " (grouped(*left_out)) " smallest of this excerpt are left out." }
                " Point at one with a mouse for its reservation."
            }
            @if !left.is_empty() { (away::table(&left)) }
            @if !run.rules.is_empty() { (away::rules(run)) }
            @if !moved.is_empty() { (moves_table(&moved, &asked)) }
        }
    })
}

/// How the PEs of a machine with a layout are drawn.
fn drawn_by_node(layout: &Layout) -> String {
    let kinds = layout.kinds.iter();
    let kinds: Vec<String> = kinds
        .map(|kind| format!("{} {}", kind.per_group, kind.name))
        .collect();
    let levels = layout.levels.iter().map(|level| level.name.as_str());
    let levels: Vec<&str> = levels.collect();
    let lines = match levels.is_empty() {
        true => String::new(),
        false => format!(
            " Lines part the blocks of the level {}.",
            levels.join(", then ")
        ),
    };
    format!(
        " PEs are drawn node by node, from the bottom of a node {}.{lines}",
        kinds.join(", then ")
    )
}

/// Why reservations of the chart were moved, and from where to where.
fn moves_table(moved: &[&Move], asked: &Asked) -> Markup {
    let listed = moved.len().min(LISTED);
    html! {
        details {
            summary { "Why reservations of this excerpt were moved" }
            div.scroll tabindex="0" role="group" aria-label="Moves" { table.runs {
                thead { tr {
                    @for name in ["at", "job", "from", "to", "why"] { th { (name) } }
                } }
                tbody { @for row in moved.iter().take(listed) { tr {
                    td { (short(number(row.time))) }
                    td { (row.job_id) }
                    td { (row.before().map_or("–".to_owned(), |old| tidy(&format!("{}–{}", old.start, old.end)))) }
                    td { (short(number(row.new_start))) "–" (short(number(row.new_end))) }
                    td { (why(row, asked)) }
                } } }
            } }
            @if moved.len() > listed { p.note { "The first " (grouped(listed)) " of " (grouped(moved.len())) " moves." } }
        }
    }
}

/// Who was the cause of a move. A shift may be an operation's, whose row is no request.
fn why(row: &Move, asked: &Asked) -> String {
    let job = row
        .cause_job_id
        .map_or(String::new(), |job| job.to_string());
    let requests = row.cause_job_id.is_some_and(|job| asked.contains_key(&job));
    let arrives = [Cause::Juggle, Cause::Shift].map(Cause::name);
    match &*row.cause {
        cause if arrives.contains(&cause) && requests => {
            format!("makes room for job {job}, which arrives")
        }
        cause if cause == Cause::Relocate.name() => {
            format!("takes other PEs, so that job {job} fits, which arrives")
        }
        cause
            if [Cause::Replan, Cause::PullForward]
                .map(Cause::name)
                .contains(&cause) =>
        {
            format!("job {job} has given something back")
        }
        cause if cause == Cause::Outage.name() => format!("outage {job} takes PEs that it had"),
        cause if cause == Cause::Rule.name() => {
            format!("rule {job} of the file takes PEs that it had")
        }
        cause if cause == Cause::Overrun.name() && job == row.job_id.to_string() => {
            "takes longer than was booked".to_owned()
        }
        cause if cause == Cause::Overrun.name() => format!("job {job} takes longer"),
        operation => format!("{operation}, row {job}"),
    }
}

/// The looks there are, as style class and as words.
fn looks(jobs: &Jobs) -> impl Iterator<Item = (&'static str, &'static str)> {
    WAITS.into_iter().chain(jobs.queued.then_some(QUEUED))
}

fn axes(run: &Run, jobs: &Jobs, excerpt: &Excerpt) -> Axes {
    let stated = |name| {
        run.metrics
            .as_ref()
            .and_then(|metrics| metrics.number(name))
    };
    Axes {
        from: excerpt.from,
        to: excerpt.to,
        zero: jobs.submitted.unwrap_or(0.0),
        since: match jobs.queued {
            true => "the first submission",
            false => "the first accepted request",
        },
        pes: match &run.layout {
            Some(layout) => f64::from(layout.numbers()),
            None => (f64::from(jobs.last_row) + 1.0).max(stated("pes").unwrap_or(0.0)),
        },
        nodes: run.layout.as_ref().map(|layout| {
            let levels = layout.levels.iter();
            let levels = levels.map(|level| f64::from(level.groups));
            (f64::from(layout.per_group()), levels.collect())
        }),
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
    // Of a machine with a layout, nodes are numbered, and their PEs lie between two numbers.
    let per_row = axes.nodes.as_ref().map_or(1.0, |(per_node, _)| *per_node);
    let rows = axes.pes / per_row;
    let left = short(rows).len().max(4) as f64 * LETTER + 10.0;
    let mut chart = ChartBuilder::on(area)
        .margin_top(34)
        .margin_right(24)
        .margin_left(6)
        .x_label_area_size(56)
        .y_label_area_size(left as u32)
        .build_cartesian_2d(from..to, 0.0..rows)?;
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
    let rows = if axes.nodes.is_some() {
        "node"
    } else {
        "PE number"
    };
    area.draw(&Text::new(rows, (6, 6), plot::text(HPos::Left, VPos::Top)))?;
    let label = format!("time since {} ({name})", axes.since);
    let below = (WIDTH as i32 - 24, HEIGHT as i32 - 24);
    area.draw(&Text::new(label, below, plot::text(HPos::Right, VPos::Top)))?;
    Ok(chart.plotting_area().get_pixel_range())
}

/// The pixels that the axes span.
type Pixels = (Range<i32>, Range<i32>);

/// Left, top, width and height of what the PEs of these rows do from one time to another.
fn place(
    (first, last): (u32, u32),
    [from, to]: [f64; 2],
    axes: &Axes,
    (columns, rows): &Pixels,
) -> [f64; 4] {
    let per_second = f64::from(columns.end - columns.start) / (axes.to - axes.from);
    let per_pe = f64::from(rows.end - rows.start) / axes.pes;
    [
        f64::from(columns.start) + (from - axes.from) * per_second,
        f64::from(rows.end) - (f64::from(last) + 1.0) * per_pe,
        (to - from) * per_second,
        (f64::from(last) - f64::from(first) + 1.0) * per_pe,
    ]
}

/// Lines between blocks of nodes, stronger ones between those of larger levels.
fn blocks(axes: &Axes, (columns, rows): &Pixels) -> Markup {
    let Some((per_node, levels)) = &axes.nodes else {
        return html! {};
    };
    let per_pe = f64::from(rows.end - rows.start) / axes.pes;
    let edges = levels.iter().zip(1..).flat_map(|(nodes, width)| {
        let pes = nodes * per_node;
        let edges = (1..).map(move |block| f64::from(block) * pes);
        let edges = edges.take_while(|edge| *edge < axes.pes);
        edges.map(move |edge| (f64::from(rows.end) - edge * per_pe, width))
    });
    html! {
        @for (y, width) in edges {
            line stroke="#222222" stroke-dasharray="6 3" stroke-width=(width) x1=(columns.start) x2=(columns.end)
                y1=(format!("{y:.1}")) y2=(format!("{y:.1}")) {}
        }
    }
}

/// Where a piece that was moved had been promised, with a line from there to where it ran.
fn before(piece: &Piece, moves: &[&Move], axes: &Axes, pixels: &Pixels) -> Markup {
    let promised = moves.first().and_then(|row| row.before());
    let Some(promised) = promised.filter(|promised| number(promised.start) != piece.job.start)
    else {
        return html! {};
    };
    let inside = |time: u64| number(time).clamp(axes.from, axes.to);
    let window = [inside(promised.start), inside(promised.end)];
    let [x, y, wide, high] = place(piece.rows, window, axes, pixels);
    let [to, ..] = place(piece.rows, [piece.from; 2], axes, pixels);
    html! {
        line class="before" x1=(format!("{x:.1}")) x2=(format!("{to:.1}"))
            y1=(format!("{:.1}", y + high / 2.0)) y2=(format!("{:.1}", y + high / 2.0)) {}
        @if wide > 0.0 {
            rect class="before" x=(format!("{x:.1}")) y=(format!("{y:.1}"))
                width=(format!("{wide:.1}")) height=(format!("{:.1}", high.max(0.5))) {}
        }
    }
}

fn rectangle(
    piece: &Piece,
    (asked, moves): (&Asked, &[&Move]),
    axes: &Axes,
    pixels: &Pixels,
) -> Markup {
    let [x, y, wide, high] = place(piece.rows, [piece.from, piece.to], axes, pixels);
    let reservation = asked.get(&piece.job.id);
    // An outline would swallow what is hardly larger than itself.
    let edge = if wide.min(high) < 4.0 {
        "thin"
    } else {
        "edged"
    };
    html! {
        rect class=(format!("{} {edge}", class(&piece.job, reservation, axes.slot)))
            x=(format!("{x:.1}")) y=(format!("{y:.1}"))
            width=(format!("{:.1}", wide.max(0.5))) height=(format!("{:.1}", high.max(0.5)))
            { title { (tooltip(&piece.job, reservation)) (moved(moves, asked)) } }
    }
}

/// Processing elements that are away.
fn outage(words: &str, [x, y, wide, high]: [f64; 4]) -> Markup {
    html! {
        rect class=(format!("{} thin", away::LOOK.0)) x=(format!("{x:.1}")) y=(format!("{y:.1}"))
            width=(format!("{:.1}", wide.max(0.5))) height=(format!("{:.1}", high.max(0.5)))
            { title { (words) } }
    }
}

/// What happened to a reservation after its acceptance.
fn moved(moves: &[&Move], asked: &Asked) -> String {
    let one = |row: &&Move| {
        let from = row.old_start.map_or(String::new(), |start| {
            format!(" from {}", short(number(start)))
        });
        format!(
            "\nat {}:{from} to {}, {}",
            short(number(row.time)),
            short(number(row.new_start)),
            why(row, asked)
        )
    };
    moves.iter().map(one).collect()
}

fn class(job: &Job, asked: Option<&Reservation>, slot: f64) -> &'static str {
    match asked {
        _ if job.best_effort => QUEUED.0,
        Some(asked) => wait_class(asked, slot),
        None => WAITS[0].0,
    }
}

fn wait_class(asked: &Reservation, slot: f64) -> &'static str {
    let duration = number(asked.duration);
    let slowdown = asked.slowdown.map_or(1.0, |slowdown| slowdown.0);
    match (slowdown - 1.0) * duration {
        // Slowdowns have 6 decimals in the file.
        wait if wait < slot - 0.01 => WAITS[0].0,
        wait if wait <= duration => WAITS[1].0,
        _ => WAITS[2].0,
    }
}

fn tooltip(job: &Job, asked: Option<&Reservation>) -> String {
    let nodes = job.groups.as_ref();
    let nodes = nodes.map_or(String::new(), |groups| format!(" of the nodes {groups}"));
    let ran = format!(
        "job {}: PEs {}{nodes}, from {} to {}",
        job.id,
        job.pes,
        short(job.start),
        short(job.finish)
    );
    let broken = job.broken.map_or(String::new(), |(by, at)| match by {
        Breaker::Outage(id) => format!("\nstopped by outage {id} at {}", short(number(at))),
        Breaker::Overrun(id) => format!("\nstopped by job {id} at {}", short(number(at))),
        Breaker::Rule(name) => format!("\nstopped by rule {name} at {}", short(number(at))),
    });
    let ran = ran + &broken;
    match asked {
        _ if job.best_effort => format!(
            "{ran}\nbest effort, submitted at {}, waited for {}",
            short(job.submitted),
            short(job.start - job.submitted)
        ),
        None => ran,
        Some(asked) => format!(
            "{ran}\nasked at {} for {} PEs, {} s, ready {}, deadline {}\nslowdown {}",
            short(number(asked.arrival)),
            short(number(asked.pes)),
            short(number(asked.duration)),
            short(number(asked.ready)),
            short(number(asked.deadline)),
            asked
                .slowdown
                .map_or("unknown".to_owned(), |slowdown| three_decimals(slowdown.0)),
        ),
    }
}
