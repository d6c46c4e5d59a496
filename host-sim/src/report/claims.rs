//! The table of claims, filtered by verdict without a script.

use maud::{Markup, html};

use super::{
    folder::JudgedClaim,
    reproduction::kind,
    words::{plural, tidy},
};
use crate::files::{EvidenceRow, Verdict};

/// In the order of the page.
pub(super) const VERDICTS: [Verdict; 3] = [Verdict::Holds, Verdict::Fails, Verdict::Undecidable];

/// How many claims have a verdict.
pub(super) fn count(claims: &[JudgedClaim], verdict: Verdict) -> usize {
    let alike = claims.iter().filter(|claim| claim.row.verdict == verdict);
    alike.count()
}

/// Where the row of a claim is found in the page.
pub(super) fn anchor(id: &str) -> String {
    format!("claim-{id}")
}

/// The claims by paper, in the order of the file.
/// What has to be known of all of them, and stands elsewhere in the page, is not said again.
pub(super) fn section(claims: &[JudgedClaim], disclaimer: &str) -> Markup {
    html! {
        section id="claims" {
            h2 { "Claims" }
            p { "What the papers say, what was measured, and by which rule it was judged. Differences are taken replication by replication. What rises, falls or lies somewhere on average holds by its mean. A claim holds when all that its rule compares does." }
            // The buttons stand beside the table in the same parent: the style sheet hides rows by the one that is checked.
            div.filter {
                input type="radio" name="verdict" id="verdict-all" checked;
                label for="verdict-all" { "all " (claims.len()) }
                @for verdict in VERDICTS {
                    input type="radio" name="verdict" id=(format!("verdict-{}", verdict.name()));
                    label class=(verdict.name()) for=(format!("verdict-{}", verdict.name())) { (verdict.name()) " " (count(claims, verdict)) }
                }
                table.claims {
                    thead { tr { th { "claim" } th { "measured" } th { "verdict" } } }
                    @for claims in claims.chunk_by(|a, b| a.row.paper == b.row.paper) { (paper(claims, disclaimer)) }
                }
            }
        }
    }
}

fn paper(claims: &[JudgedClaim], disclaimer: &str) -> Markup {
    let name = claims.first().map_or("", |claim| claim.row.paper.as_str());
    html! {
        tbody {
            tr.paper { th colspan="3" scope="rowgroup" { (name) } }
            @for claim in claims { (row(claim, disclaimer)) }
        }
    }
}

fn row(judged: &JudgedClaim, disclaimer: &str) -> Markup {
    let JudgedClaim {
        row: claim,
        evidence,
    } = judged;
    let verdict = claim.verdict.name();
    let measured = tidy(&claim.measured);
    let note = claim.note.strip_suffix(disclaimer).unwrap_or(&claim.note);
    html! {
        tr id=(anchor(&claim.id)) class=(verdict) {
            th scope="row" {
                span.id { (claim.id) " " (kind(&claim.kind)) } " " (claim.claim)
                @if !claim.claimed.is_empty() { div.claimed { "claimed: " (tidy(&claim.claimed)) } }
            }
            td data-label="measured" {
                (folded(&measured))
                // A measured text may name its interval itself.
                @if !claim.ci95.is_empty() && !claim.measured.contains('±') { " ± " (tidy(&claim.ci95)) }
            }
            td data-label="verdict" { span class=(format!("verdict {verdict}")) { (verdict) } }
        }
        // A row of its own: beside the rest there is no room for the evidence.
        tr class=(format!("why {verdict}")) {
            td colspan="3" {
                // What holds needs no defence at first sight; what does not is open.
                details open[claim.verdict != Verdict::Holds] {
                    summary { "how it was judged" }
                    p { (tidy(note.trim_end())) }
                    @if !evidence.is_empty() {
                        details {
                            summary { "evidence, " (plural(evidence.len(), "row")) }
                            (rows(evidence))
                        }
                    }
                }
            }
        }
    }
}

/// Letters of a text that are shown at once, and those of a text that is shown whole.
const AT_ONCE: usize = 240;
const WHOLE: usize = 360;

/// A text whose end is folded where it is long.
fn folded(text: &str) -> Markup {
    let cut = text.char_indices().nth(AT_ONCE).map(|(at, _)| at);
    let end = cut.and_then(|cut| Some(text[..cut].rfind([',', ';'])? + 1));
    match end.filter(|_| text.chars().count() > WHOLE) {
        None => html! { (text) },
        Some(end) => html! { (text[..end]) details { summary { "more" } (text[end..]) } },
    }
}

/// Rows of evidence shown for a claim; evidence.csv has all.
const SHOWN: usize = 12;

/// What speaks against the claim first, then what is open, then the rest.
fn rows(rows: &[EvidenceRow]) -> Markup {
    let rank = |row: &&EvidenceRow| match row.verdict {
        Some(Verdict::Fails) => 0,
        Some(Verdict::Undecidable) => 1,
        _ => 2,
    };
    let mut sorted: Vec<&EvidenceRow> = rows.iter().collect();
    sorted.sort_by_key(rank);
    html! {
        table.evidence {
            thead { tr { th { "what" } th { "where" } th { "value" } th { "± 95 %" } th { "says" } } }
            @for row in sorted.iter().take(SHOWN) {
                tr {
                    th scope="row" { (tidy(&row.what)) }
                    td data-label="where" { (tidy(&row.place)) }
                    td data-label="value" { (tidy(&row.value)) }
                    td data-label="± 95 %" { (tidy(&row.ci95)) }
                    td data-label="says" { (row.verdict.map_or("", Verdict::name)) }
                }
            }
        }
        @if rows.len() > SHOWN { p { (rows.len() - SHOWN) " more rows in evidence.csv" } }
    }
}
