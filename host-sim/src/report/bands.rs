//! When jobs of a queue were likely to start, and how often that was right: a reliability plot, and its numbers.

use maud::{Markup, html};

use super::{
    line_drawing,
    line_plot::{LinePlot, LinePoint, Series},
    palette::Looks,
    run::Run,
    words::{grouped, time},
};
use crate::{error::Result, statistics::Limits};

/// The shares in a hundred for which metrics.json has them.
const SHARES: [&str; 4] = ["50", "80", "90", "95"];

/// A number of one share.
fn number(run: &Run, share: &str, name: &str) -> Option<f64> {
    let entry = format!("start_bands.{share}.{name}");
    run.metrics.as_ref()?.number(&entry)
}

/// Plot and table of a group's runs; nothing where no job was planned.
pub(super) fn markup(runs: &[Run], id: String) -> Result<Option<Markup>> {
    let told = |run: &&Run| number(run, SHARES[0], "kept_rate").is_some();
    let runs: Vec<&Run> = runs.iter().filter(told).collect();
    if runs.is_empty() {
        return Ok(None);
    }
    let plot = line_drawing::markup(&plot(&runs, id), &mut Looks::default())?;
    Ok(Some(html! {
        h3 { "When jobs of the queue were likely to start" }
        p {
            "As each job came, how long others had waited beside how long they were planned to wait says between which starts it would start, with the probability that is asked for. "
            "Where a line lies on that of what was said, this was right as often as it says."
        }
        (plot)
        div.scroll tabindex="0" role="group" aria-label="Likely starts" { table.runs {
            thead { tr { th { "run" } th.number { "said (%)" } th.number { "right (%)" } th.number { "jobs" } th.number { "median width" } } }
            @for run in &runs { tbody {
                @for (at, share) in SHARES.into_iter().enumerate() { tr {
                    @if at == 0 { th scope="rowgroup" rowspan=(SHARES.len()) { (run.label) } }
                    td.number { (share) }
                    td.number { (number(run, share, "kept_rate").map_or("–".to_owned(), |rate| format!("{:.1}", 100.0 * rate))) }
                    td.number { (number(run, share, "told").map_or("–".to_owned(), |jobs| grouped(jobs as usize))) }
                    td.number { (number(run, share, "median_width").map_or("–".to_owned(), time)) }
                } }
            } }
        } }
    }))
}

fn plot(runs: &[&Run], id: String) -> LinePlot {
    let line = |name: &str, right: &dyn Fn(&str) -> Option<f64>| {
        let points = SHARES.iter().filter_map(|share| {
            Some(LinePoint {
                x: share.parse().ok()?,
                x_text: String::new(),
                mean: right(share)?,
                ends: None,
            })
        });
        Series {
            name: name.to_owned(),
            points: points.collect(),
        }
    };
    let said = line("as said", &|share| share.parse().ok());
    let runs = runs.iter().map(|run| {
        line(&run.label, &|share| {
            Some(100.0 * number(run, share, "kept_rate")?)
        })
    });
    LinePlot {
        id,
        title: "How often bands of likely starts were right".to_owned(),
        x_label: "said to be right (%)".to_owned(),
        y_label: "right (%)".to_owned(),
        limits: Limits::PERCENT,
        series: runs.chain([said]).collect(),
    }
}
