//! How long jobs of the queue without a deadline wait, by how many PEs they ask for: a mean over all of them hides that it is the wide ones that wait.

use maud::{Markup, html};

use super::{
    run::Run,
    words::{grouped, time},
};
use crate::files::Job;

/// Classes of widths: 1 PE, 2, up to 4, up to 8 and so on, the last of more than any machine has.
const CLASSES: usize = 17;

/// The jobs of a class.
#[derive(Clone, Copy, Default)]
struct Waits {
    ran: usize,
    never_ran: usize,
    /// Seconds of all that ran.
    sum: f64,
    longest: u64,
}

/// The jobs of each class.
#[derive(Default)]
pub(super) struct Widths([Waits; CLASSES]);

impl Widths {
    /// One more row of jobs.csv.
    pub(super) fn add(&mut self, job: &Job<'_>) {
        if !job.is_best_effort() || job.metadata.window().is_some() {
            return;
        }
        let class = class_of(job.requested_number_of_resources);
        let Some(waits) = self.0.get_mut(class) else {
            return;
        };
        match job.ran() {
            None => waits.never_ran += 1,
            Some([start, _]) => {
                let wait = start.saturating_sub(job.submission_time);
                waits.ran += 1;
                waits.sum += wait as f64;
                waits.longest = waits.longest.max(wait);
            }
        }
    }
}

fn class_of(pes: u64) -> usize {
    let up_to = pes.checked_next_power_of_two().unwrap_or(1 << 63);
    (up_to.trailing_zeros() as usize).min(CLASSES - 1)
}

/// The widths of a class in words.
fn name(class: usize) -> String {
    match class {
        0 => "1".to_owned(),
        1 => "2".to_owned(),
        _ => format!(
            "{} to {}",
            grouped((1 << (class - 1)) + 1),
            grouped(1 << class)
        ),
    }
}

/// The table of a group's runs; nothing where none of them has such a job.
pub(super) fn markup(runs: &[Run]) -> Option<Markup> {
    let known = runs
        .iter()
        .filter_map(|run| Some((run, &run.jobs.as_ref()?.widths.0)));
    let known: Vec<(&Run, &[Waits; CLASSES])> = known.collect();
    let some = |waits: &Waits| waits.ran + waits.never_ran > 0;
    let classes = (0..CLASSES).filter(|class| known.iter().any(|(_, waits)| some(&waits[*class])));
    let classes: Vec<usize> = classes.collect();
    if classes.is_empty() {
        return None;
    }
    let several = runs.len() > 1;
    let mean = |waits: &Waits| match waits.ran {
        0 => "–".to_owned(),
        ran => time(waits.sum / ran as f64),
    };
    let longest = |waits: &Waits| match waits.ran {
        0 => "–".to_owned(),
        _ => time(waits.longest as f64),
    };
    Some(html! {
        h3 { "How long queued jobs wait, by width" }
        p { "Those without a deadline: how long from their submission to their start." }
        div.scroll tabindex="0" role="group" aria-label="How long queued jobs wait, by width" { table.runs {
            thead { tr { th { "PEs" } @if several { th { "run" } } th.number { "ran" } th.number { "never ran" } th.number { "waited (mean)" } th.number { "waited (longest)" } } }
            @for class in classes { tbody {
                @for (at, (run, waits)) in known.iter().enumerate() { tr {
                    @if at == 0 { th scope="rowgroup" rowspan=(known.len()) { (name(class)) } }
                    @if several { td { (run.label) } }
                    td.number { (grouped(waits[class].ran)) }
                    td.number { (grouped(waits[class].never_ran)) }
                    td.number { (mean(&waits[class])) }
                    td.number { (longest(&waits[class])) }
                } }
            } }
        } }
    })
}

#[cfg(test)]
mod tests {
    use super::{CLASSES, class_of, name};

    #[test]
    fn each_width_is_in_the_class_that_says_so() {
        let named = |pes| name(class_of(pes));
        for (pes, expected) in [
            (1, "1"),
            (2, "2"),
            (3, "3 to 4"),
            (4, "3 to 4"),
            (33, "33 to 64"),
            (64, "33 to 64"),
            (65, "65 to 128"),
            (u16::MAX.into(), "32,769 to 65,536"),
        ] {
            assert_eq!(named(pes), expected, "{pes}");
        }
        assert_eq!(class_of(0), 0);
        assert_eq!(class_of(u64::MAX), CLASSES - 1);
    }
}
