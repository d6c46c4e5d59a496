//! The sections about one group of runs.

use maud::{Markup, html};

use super::{
    bands, breakdown, compare, excerpt, gantt,
    group::Group,
    line_drawing,
    palette::Looks,
    refusals, rounding,
    run::Run,
    sentences, shares, waiting, widths,
    words::{Setting, grouped, plural},
};
use crate::error::Result;

/// Runs drawn together in one plot; more lines than looks could not be told apart.
const TOGETHER: usize = 14;

/// Schedules drawn; each may have hundreds of rectangles.
const SCHEDULES: usize = 8;

/// What the page says about a group beside its runs.
pub(super) struct Place {
    /// Which group it is, from 1.
    pub(super) number: usize,
    /// How many there are.
    pub(super) of: usize,
    /// Whether the runs are but samples of a reproduction.
    pub(super) samples: bool,
}

/// All of them.
pub(super) fn markup(group: &Group, place: &Place) -> Result<Markup> {
    let runs = &group.runs;
    let drawn = &runs[..runs.len().min(TOGETHER)];
    Ok(html! {
        (comparison(group, drawn, place)?)
        (acceptance(runs, drawn, place)?)
        (schedules(runs, place)?)
    })
}

impl Place {
    /// The name of a section of the first group, or of this one.
    fn id(&self, section: &str) -> String {
        match self.number {
            1 => section.to_owned(),
            number => format!("{section}-{number}"),
        }
    }
}

fn comparison(group: &Group, drawn: &[Run], place: &Place) -> Result<Markup> {
    let runs = &group.runs;
    if runs.iter().all(|run| run.metrics.is_none()) {
        return Ok(html! {});
    }
    let plots = match runs.len() {
        1 => html! {},
        _ => compare::plots(drawn)?,
    };
    Ok(html! {
        section id=(place.id("runs")) {
            h2 { (heading(runs, place)) }
            @if place.of > 1 {
                p { strong { "On " (group.conditions()) "." } " " (sentences::decided(runs)) }
            }
            @if let Some(advice) = rounding_advice(runs) { p.missing { (advice) } }
            (compare::table(runs))
            @if compare::books_again(runs) {
                p.note { "More than 100 % of the machine was booked, since what is given back, as by jobs that end early, is booked again." }
            }
            @if runs.len() > drawn.len() {
                p.note { "The plots show the first " (drawn.len()) " of " (grouped(runs.len())) " runs." }
            }
            (plots)
            @if let Some(waiting) = waiting::markup(runs) {
                (waiting)
                details open[place.of == 1] { summary { "What these are" } (waiting::definitions()) }
            }
            @if let Some(widths) = widths::markup(runs) { (widths) }
            @if let Some(shares) = shares::markup(runs) { (shares) }
            @if let Some(bands) = bands::markup(drawn, place.id("likely"))? { (bands) }
        }
    })
}

fn heading(runs: &[Run], place: &Place) -> String {
    match (runs, place) {
        ([run], Place { samples: true, .. }) => format!("Sample run: {}", run.label),
        ([run], Place { of: 2.., .. }) => {
            format!("Run {} of {}: {}", place.number, place.of, run.label)
        }
        ([_], _) => "The run".to_owned(),
        (runs, Place { of: 2.., .. }) => format!(
            "Group {} of {}: {}",
            place.number,
            place.of,
            plural(runs.len(), "run")
        ),
        _ => "Runs compared".to_owned(),
    }
}

/// What to do where slots refuse many requests.
fn rounding_advice(runs: &[Run]) -> Option<String> {
    let metrics = || runs.iter().filter_map(|run| run.metrics.as_ref());
    let lost = metrics().filter_map(|metrics| metrics.count("lost_to_rounding"));
    let size = metrics().find_map(|metrics| {
        let size = ["slots", "slot_seconds"].map(|name| metrics.number(name));
        Some([size[0]? as u32, size[1]? as u32])
    });
    // All runs have the same requests.
    let mut known = runs.iter().filter_map(|run| run.requests.as_ref());
    let losses = known.find_map(|requests| requests.losses.as_ref());
    rounding::advice(lost.max()?, losses?, size?, Setting::Option)
}

fn acceptance(runs: &[Run], drawn: &[Run], place: &Place) -> Result<Markup> {
    let mut plots = Vec::new();
    for plot in breakdown::plots(drawn) {
        plots.push(line_drawing::markup(&plot, &mut Looks::default())?);
    }
    Ok(html! {
        @if !plots.is_empty() {
            section id=(place.id("acceptance")) {
                h2 { "What is accepted" }
                div.figures {
                    @for plot in &plots { (plot) }
                    // A narrow table fills the gap that an odd number of plots leaves.
                    @if runs.len() == 1 { (refusals::of_requests(runs)) }
                }
                @if runs.len() > 1 { (refusals::of_requests(runs)) }
                (refusals::of_operations(runs))
            }
        }
    })
}

/// One excerpt for all runs, so that they can be compared; chosen by the run that accepts most.
fn schedules(runs: &[Run], place: &Place) -> Result<Markup> {
    let first = compare::most_accepting(runs)
        .filter(|run| run.jobs.is_some())
        .or_else(|| runs.iter().find(|run| run.jobs.is_some()));
    let chosen = first.and_then(|run| {
        let jobs = run.jobs.as_ref()?;
        Some((run, jobs, jobs.excerpt.as_ref()?))
    });
    let Some((first, jobs, excerpt)) = chosen else {
        return Ok(html! {});
    };
    let drawn = excerpt::shortened(first.jobs_of(jobs, excerpt)?, excerpt)?;
    let open = gantt::markup(first, jobs, &drawn)?;
    let others = runs.iter().filter(|run| !std::ptr::eq(*run, first));
    let mut folded = Vec::new();
    for run in others.take(SCHEDULES - 1) {
        if let Some(jobs) = &run.jobs {
            let drawn = excerpt::pieces(run.jobs_of(jobs, &drawn.excerpt)?, &drawn.excerpt)?;
            folded.push((&run.label, gantt::markup(run, jobs, &drawn)?));
        }
    }
    Ok(html! {
        section id=(place.id("schedule")) {
            h2 { "An excerpt of the schedule" }
            (open)
            @if !folded.is_empty() { p { "The same excerpt in other runs:" } }
            @for (label, chart) in &folded { details { summary { (label) } (chart) } }
        }
    })
}
