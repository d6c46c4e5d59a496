//! The table of claims, filtered by verdict without a script.

use maud::{Markup, html};

use super::load::Claim;

const VERDICTS: [&str; 3] = ["holds", "fails", "undecidable"];

/// How many claims have a verdict.
pub(super) fn count(claims: &[Claim], verdict: &str) -> usize {
    claims.iter().filter(|c| c.verdict == verdict).count()
}

/// The claims by paper, in the order of the file.
pub(super) fn section(claims: &[Claim]) -> Markup {
    html! {
        section id="claims" {
            h2 { "Claims" }
            p { "What the papers say, what was measured, and whether it holds. The note says by which rule, and where a claim fails what is known about why." }
            // The buttons stand beside the table in the same parent: the style sheet hides rows by the one that is checked.
            div.filter {
                input type="radio" name="verdict" id="verdict-all" checked;
                label for="verdict-all" { "all " (claims.len()) }
                @for verdict in VERDICTS {
                    input type="radio" name="verdict" id=(format!("verdict-{verdict}"));
                    label class=(verdict) for=(format!("verdict-{verdict}")) { (verdict) " " (count(claims, verdict)) }
                }
                table.claims {
                    thead { tr { th { "claim" } th { "measured" } th { "verdict" } th { "note" } } }
                    @for claims in claims.chunk_by(|a, b| a.paper == b.paper) { (paper(claims)) }
                }
            }
        }
    }
}

fn paper(claims: &[Claim]) -> Markup {
    let name = claims.first().map_or("", |claim| claim.paper.as_str());
    html! {
        tbody {
            tr.paper { th colspan="4" scope="rowgroup" { (name) } }
            @for claim in claims { (row(claim)) }
        }
    }
}

fn row(claim: &Claim) -> Markup {
    html! {
        tr class=(claim.verdict) {
            td {
                span.id { (claim.id) " " (claim.kind) } " " (claim.claim)
                @if !claim.claimed.is_empty() { div.claimed { "claimed: " (claim.claimed) } }
            }
            td data-label="measured" {
                (claim.measured)
                // A measured text may name its interval itself.
                @if !claim.ci95.is_empty() && !claim.measured.contains('±') { " ± " (claim.ci95) }
            }
            td { span class=(format!("verdict {}", claim.verdict)) { (claim.verdict) } }
            td {
                // What holds needs no defence at first sight; what does not is open.
                details open[claim.verdict != "holds"] { summary { "why" } (claim.note) }
            }
        }
    }
}
