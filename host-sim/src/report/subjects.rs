//! What sweeps over some subjects come to, for who does not know their keys: a table of the points of each, and figures.

use maud::{Markup, html};

use super::{
    bars::{self, Bar},
    palette::looks,
    sweep::{Axis, Measure, MeasuredPoint, Summary},
    words::{percent, short, three_decimals},
};
use crate::error::Result;

const PREFER: &str = "prefer";
const RELOCATE: &str = "relocate";

/// What a sweep may be about.
struct Subject {
    id: &'static str,
    heading: &'static str,
    /// The axis that it compares; a sweep that has no such axis, or none of the measures, is about something else.
    axis: &'static str,
    /// The measure without which it is about something else.
    needs: Option<&'static str>,
    words: &'static [Words],
    introduction: fn(&Summary) -> Markup,
}

const SUBJECTS: [Subject; 2] = [
    Subject {
        id: "preferences",
        heading: "Which free PEs a reservation gets",
        axis: PREFER,
        needs: None,
        words: &PLACES,
        introduction: about_preferences,
    },
    Subject {
        id: "outages",
        heading: "Whose promises outages break",
        axis: "strategy",
        needs: Some("promises_broken_rate"),
        words: &PROMISES,
        introduction: about_outages,
    },
];

/// More points than anybody reads in a table.
const MOST_ROWS: usize = 24;

/// A measure that has words.
struct Words {
    key: &'static str,
    name: &'static str,
    definition: &'static str,
    show: fn(f64) -> String,
    /// Whether the figure shows it.
    drawn: bool,
}

const PLACES: [Words; 8] = [
    Words {
        key: "acceptance_rate",
        name: "requests accepted",
        definition: "of all requests to reserve",
        show: percent,
        drawn: false,
    },
    Words {
        key: "accepted_work_rate",
        name: "work accepted",
        definition: "PEs times duration of the accepted requests, of what all requests asked for: a large job counts for more than a small one",
        show: percent,
        drawn: true,
    },
    Words {
        key: "utilization",
        name: "utilisation",
        definition: "of the PEs and the time from the first arrival to the last end, the share that was used",
        show: percent,
        drawn: false,
    },
    Words {
        key: "fragmentation",
        name: "free PEs out of reach",
        definition: "of the free GPUs (on a machine without GPUs, of its last kind of PEs), the share on nodes on which others are in use, over time: no \
                     job that needs all of a node can use them",
        show: percent,
        drawn: true,
    },
    Words {
        key: "stranded_pes",
        name: "how many these are",
        definition: "free PEs out of reach, on average over time",
        show: short,
        drawn: false,
    },
    Words {
        key: "blocks_per_job",
        name: "blocks per job",
        definition: "in how many blocks (racks) a job on several nodes lies, on average",
        show: three_decimals,
        drawn: false,
    },
    Words {
        key: "groups_per_job",
        name: "nodes per job",
        definition: "on how many nodes a job lies, on average",
        show: three_decimals,
        drawn: false,
    },
    Words {
        key: "relocated_for",
        name: "made room for",
        definition: "requests that were accepted because reservations that had not started took other PEs at their own starts",
        show: short,
        drawn: false,
    },
];

const PROMISES: [Words; 8] = [
    Words {
        key: "promises_broken_rate",
        name: "promises broken",
        definition: "of the accepted reservations, the share whose PEs left, without others in their window to take their place",
        show: percent,
        drawn: false,
    },
    Words {
        key: "promises_broken",
        name: "how many",
        definition: "the same as a number",
        show: short,
        drawn: false,
    },
    Words {
        key: "promises_broken_per_pe_hour",
        name: "per PE and hour away",
        definition: "the same for each hour that a PE was away",
        show: three_decimals,
        drawn: false,
    },
    Words {
        key: "promises_broken_running",
        name: "of these, running",
        definition: "jobs that ran on PEs that failed, which no other place would have saved then",
        show: short,
        drawn: false,
    },
    Words {
        key: "outage_replacements",
        name: "placed again",
        definition: "how often a reservation that had not started lost its PEs and was given others in its window",
        show: short,
        drawn: false,
    },
    Words {
        key: "outage_delay",
        name: "their delay in s",
        definition: "how much later these start than they were booked before, on average in seconds; most start when they were to",
        show: short,
        drawn: false,
    },
    Words {
        key: "inevitable_broken",
        name: "inevitable",
        definition: "at least so many had to be broken by any scheduler that had promised the same and knew all failures before: those that must run at some time and want more PEs than there are then",
        show: short,
        drawn: false,
    },
    Words {
        key: "acceptance_rate",
        name: "requests accepted",
        definition: "of all requests to reserve: who promises more has more to keep",
        show: percent,
        drawn: false,
    },
];

/// The sections about what a sweep compares.
pub(super) fn sections(summary: &Summary) -> Result<Markup> {
    let sections = SUBJECTS.iter().map(|subject| section(subject, summary));
    let sections: Vec<Markup> = sections.collect::<Result<_>>()?;
    Ok(html! { @for section in &sections { (section) } })
}

fn section(subject: &Subject, summary: &Summary) -> Result<Markup> {
    let axes: Vec<usize> = (0..summary.axes.len())
        .filter(|at| summary.axes[*at].values.len() > 1)
        .collect();
    let compares = axes.iter().any(|at| summary.axes[*at].name == subject.axis);
    let known: Vec<(&Words, &Measure)> = subject
        .words
        .iter()
        .filter_map(|words| {
            Some((
                words,
                summary.measures.iter().find(|one| one.name == words.key)?,
            ))
        })
        .collect();
    let is_told = |needed| known.iter().any(|(words, _)| words.key == needed);
    let compares = compares && subject.needs.is_none_or(is_told);
    let Some((_, first)) = known.first().filter(|_| compares) else {
        return Ok(html! {});
    };
    if first.points.len() > MOST_ROWS {
        return Ok(html! {});
    }
    let mut figures = Vec::new();
    for (words, measure) in known.iter().filter(|(words, _)| words.drawn) {
        figures.push(figure(words, measure, &axes, summary)?);
    }
    Ok(html! {
        section id=(subject.id) {
            h2 { (subject.heading) }
            ((subject.introduction)(summary))
            div.scroll tabindex="0" role="group" aria-label=(subject.heading) { table.runs {
                thead { tr {
                    @for at in &axes { th { (axis_name(&summary.axes[*at])) } }
                    @for (words, _) in &known { th.number { (words.name) } }
                } }
                tbody { @for (row, point) in first.points.iter().enumerate() { tr {
                    @for at in &axes { th scope="row" { (value(&summary.axes[*at], &point.at[*at])) } }
                    @for (words, measure) in &known { td.number { (measure.points.get(row).map_or("–".to_owned(), |point| estimate(words, point))) } }
                } } }
            } }
            @if summary.has_intervals() {
                p.note { "Means over " (first.points.first().map_or(0, |point| point.n)) " replications, ± half of their 95 % intervals." }
            }
            @if !figures.is_empty() { div.figures { @for figure in &figures { (figure) } } }
            details open { summary { "What these are" } dl.settings {
                @for (words, _) in &known { div { dt { (words.name) } dd { (words.definition) } } }
            } }
        }
    })
}

fn about_preferences(summary: &Summary) -> Markup {
    let mut axes = summary.axes.iter();
    let relocates = axes.any(|axis| axis.name == RELOCATE && axis.values.len() > 1);
    html! {
        p {
            "Every run decides requests of the same jobs, and a preference never decides when one starts. It says which of the PEs that are free a reservation gets: "
            b { "lowest" } ", those with the lowest numbers; " b { "pack" } ", those of the fullest nodes, so that others stay empty; "
            b { "spread" } ", those of the emptiest; " b { "compact" } ", those of as few racks as possible."
            @if relocates {
                " With relocation, reservations that have not started may take other PEs at their own starts, so that a request fits that would be refused."
            }
        }
    }
}

fn about_outages(_: &Summary) -> Markup {
    html! {
        p {
            "PEs leave and come back while requests are decided. Whoever was promised one of them and has not started gets others, at the same start if possible, else "
            "at the first start in the window that was asked for; where there is none, the promise is broken. What runs on a PE that fails is lost. All strategies meet the same outages."
        }
    }
}

/// Bars of one measure, a bar for each point.
fn figure(words: &Words, measure: &Measure, axes: &[usize], summary: &Summary) -> Result<Markup> {
    let name = |point: &MeasuredPoint| -> String {
        let values = axes.iter().map(|at| {
            let axis = &summary.axes[*at];
            let words = value(axis, &point.at[*at]);
            match axis.name.as_str() {
                // A longer label would not fit beside its number.
                RELOCATE if words == "without" => "no relocation".to_owned(),
                RELOCATE => format!("{words} relocation"),
                _ => words,
            }
        });
        values.collect::<Vec<_>>().join(", ")
    };
    let names: Vec<String> = measure.points.iter().map(name).collect();
    let prefer = summary.axes.iter().position(|axis| axis.name == PREFER);
    let looks = looks(
        prefer
            .into_iter()
            .flat_map(|at| summary.axes[at].values.iter().map(String::as_str)),
    );
    // One for each preference.
    let look = |point: &MeasuredPoint| {
        let at = prefer?;
        let values = summary.axes[at].values.iter();
        let known = values
            .zip(&looks)
            .find(|(value, _)| **value == point.at[at]);
        known.map(|(_, look)| *look)
    };
    let points = measure.points.iter().zip(names);
    let bars = points.filter_map(|(point, name)| {
        Some(Bar {
            name,
            value: point.mean?,
            words: estimate(words, point),
            look: look(point)?,
        })
    });
    let bars: Vec<Bar> = bars.collect();
    let plot = bars::markup(words.name, &bars, 0.0, 1.0)?;
    Ok(html! { figure { figcaption { (words.name) } (plot) } })
}

fn axis_name(axis: &Axis) -> &str {
    match axis.name.as_str() {
        PREFER => "preference",
        RELOCATE => "relocation",
        "deadline_factor" => "deadline factor",
        other => other,
    }
}

/// A value of an axis in words.
fn value(axis: &Axis, value: &str) -> String {
    match (axis.name.as_str(), value) {
        (RELOCATE, "true") => "with".to_owned(),
        (RELOCATE, _) => "without".to_owned(),
        (PREFER, value) => value.replace(':', ", by "),
        ("workload", value) => value
            .trim_end_matches(".gz")
            .trim_end_matches(".swf")
            .to_owned(),
        (_, value) => value.to_owned(),
    }
}

/// A mean with half its interval.
fn estimate(words: &Words, point: &MeasuredPoint) -> String {
    let Some(mean) = point.mean else {
        return "–".to_owned();
    };
    let mean = (words.show)(mean);
    match point.ci95 {
        None => mean,
        Some(half) => {
            let half = (words.show)(half);
            format!("{} ± {half}", mean.trim_end_matches(" %"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(measure: &str) -> Summary {
        let axis = |name: &str, values: &[&str]| Axis {
            name: name.to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        };
        let point = |prefer: &str, relocate: &str, mean: f64| MeasuredPoint {
            at: vec![prefer.to_owned(), relocate.to_owned(), "4".to_owned()],
            n: 3,
            mean: Some(mean),
            ci95: Some(0.01),
            ends: None,
        };
        Summary {
            axes: vec![
                axis("prefer", &["lowest", "compact:rack"]),
                axis("relocate", &["false", "true"]),
                axis("jobs", &["4"]),
            ],
            measures: vec![Measure {
                name: measure.to_owned(),
                points: vec![
                    point("lowest", "false", 0.5),
                    point("lowest", "true", 0.625),
                    point("compact:rack", "false", 0.25),
                    point("compact:rack", "true", 0.75),
                ],
            }],
            left_out: 0,
            is_replicated: true,
        }
    }

    #[test]
    fn preferences_are_compared_in_words() {
        let page = sections(&summary("fragmentation")).unwrap().into_string();
        for words in [
            "compact, by rack",
            "with relocation",
            "62.5 ± 1.0 %",
            "free PEs out of reach",
        ] {
            assert!(page.contains(words), "no {words} in {page}");
        }
        assert!(!page.contains("fragmentation") && !page.contains(">jobs<"));
    }

    #[test]
    fn other_sweeps_have_no_such_section() {
        let mut other = summary("fragmentation");
        other.axes[0].name = "policy".to_owned();
        assert_eq!(sections(&other).unwrap().into_string(), "");
        assert_eq!(
            sections(&summary("average_slowdown"))
                .unwrap()
                .into_string(),
            ""
        );
    }

    #[test]
    fn broken_promises_are_compared_in_words() {
        let mut outages = summary("promises_broken_rate");
        outages.axes[0].name = "strategy".to_owned();
        let page = sections(&outages).unwrap().into_string();
        for words in [
            "Whose promises outages break",
            "50.0 ± 1.0 %",
            "promises broken",
        ] {
            assert!(page.contains(words), "no {words} in {page}");
        }
        let mut other = summary("acceptance_rate");
        other.axes[0].name = "strategy".to_owned();
        assert_eq!(sections(&other).unwrap().into_string(), "");
    }
}
