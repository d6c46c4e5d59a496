//! What a sweep comes to, as a table on the terminal: a line for each point, a column for each measure.

use std::{
    collections::HashMap,
    io::{self, Write},
};

use crate::report::{
    sweep::{Axis, Measure, MeasuredPoint, Summary},
    sweep_layout::Layout,
    words::{estimate, plural},
};

/// Points that are shown.
const MOST: usize = 60;
/// Letters of a line; measures that would make it longer go into a table of their own.
const WIDE: usize = 110;

/// A column, its name first.
type Column = Vec<String>;

/// Writes the points under a heading, which says what their means are of, those beneath each other that differ only in what the sweep compares.
pub(super) fn print(
    heading: &str,
    summary: &Summary,
    file: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let axes = &summary.axes;
    let Some(first) = summary.measures.first() else {
        return Ok(());
    };
    let order = order(axes);
    let mut points: Vec<&MeasuredPoint> = first.points.iter().collect();
    points.sort_by_cached_key(|point| {
        let places = order.iter().map(|at| place(&axes[*at], &point.at[*at]));
        places.collect::<Vec<_>>()
    });
    let all = points.len() + summary.left_out;
    points.truncate(MOST);
    let values = |at: &usize| {
        let values = points.iter().map(|point| point.at[*at].clone());
        [axes[*at].name.clone()].into_iter().chain(values).collect()
    };
    let left: Vec<Column> = order.iter().map(values).collect();
    let right = summary
        .measures
        .iter()
        .map(|measure| measured(measure, &points));
    match summary.has_intervals() {
        true => writeln!(out, "{heading}, ± half of their 95 % intervals:")?,
        false => writeln!(out, "{heading}:")?,
    }
    let indent: usize = left.iter().map(|column| width(column) + 2).sum();
    for columns in side_by_side(right.collect(), WIDE.saturating_sub(indent)) {
        for row in 0..=points.len() {
            let mut line = String::new();
            for column in &left {
                line += &format!("{:1$}  ", column[row], width(column));
            }
            for column in &columns {
                line += &format!("{:>1$}  ", column[row], width(column));
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        writeln!(out)?;
    }
    match all - points.len() {
        0 => Ok(()),
        more => writeln!(
            out,
            "and {}, which are in {file}",
            plural(more, "more point")
        ),
    }
}

/// The axes with more than one value, what is compared last.
fn order(axes: &[Axis]) -> Vec<usize> {
    let compared = Layout::of(axes).compared;
    let open = (0..axes.len()).filter(|at| axes[*at].values.len() > 1);
    let others = open.filter(|at| Some(*at) != compared);
    others.chain(compared).collect()
}

fn place(axis: &Axis, value: &str) -> usize {
    let known = axis.values.iter().position(|known| known == value);
    known.unwrap_or(axis.values.len())
}

/// What a measure comes to at these points; a dash where it has no value.
fn measured(measure: &Measure, points: &[&MeasuredPoint]) -> Column {
    let known = measure.points.iter().map(|point| (&point.at, point));
    let known: HashMap<&Vec<String>, &MeasuredPoint> = known.collect();
    let cells = points.iter().map(|point| {
        let point = known.get(&point.at);
        let mean = point.and_then(|point| Some(estimate(point.mean?, point.ci95)));
        mean.unwrap_or_else(|| "–".to_owned())
    });
    [measure.name.clone()].into_iter().chain(cells).collect()
}

fn width(column: &Column) -> usize {
    let widths = column.iter().map(|cell| cell.chars().count());
    widths.max().unwrap_or(0)
}

/// Columns in groups that are so wide at most, or have one column.
fn side_by_side(columns: Vec<Column>, wide: usize) -> Vec<Vec<Column>> {
    let mut groups: Vec<Vec<Column>> = Vec::new();
    let mut used = 0;
    for column in columns {
        let more = width(&column) + 2;
        match groups.last_mut() {
            Some(group) if used + more <= wide => group.push(column),
            _ => {
                groups.push(vec![column]);
                used = 0;
            }
        }
        used += more;
    }
    groups
}
