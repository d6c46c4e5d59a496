//! The table of claims, filtered by verdict without a script.

use maud::{Markup, html};

use super::folder::{ClaimRow, Evidence};

const VERDICTS: [&str; 3] = ["holds", "fails", "undecidable"];

/// How many claims have a verdict.
pub(super) fn count(claims: &[ClaimRow], verdict: &str) -> usize {
    claims.iter().filter(|c| c.verdict == verdict).count()
}

/// The claims by paper, in the order of the file.
pub(super) fn section(claims: &[ClaimRow]) -> Markup {
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

fn paper(claims: &[ClaimRow]) -> Markup {
    let name = claims.first().map_or("", |claim| claim.paper.as_str());
    html! {
        tbody {
            tr.paper { th colspan="4" scope="rowgroup" { (name) } }
            @for claim in claims { (row(claim)) }
        }
    }
}

fn row(claim: &ClaimRow) -> Markup {
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
                details open[claim.verdict != "holds"] {
                    summary { "why" }
                    (claim.note)
                    @if !claim.evidence.is_empty() { (evidence(&claim.evidence)) }
                }
            }
        }
    }
}

/// Rows of evidence shown for a claim; evidence.csv has all.
const SHOWN: usize = 12;

/// What speaks against the claim first, then what is open, then the rest.
fn evidence(rows: &[Evidence]) -> Markup {
    let rank = |row: &&Evidence| match row.verdict {
        "fails" => 0,
        "undecidable" => 1,
        _ => 2,
    };
    let mut sorted: Vec<&Evidence> = rows.iter().collect();
    sorted.sort_by_key(rank);
    html! {
        table.evidence {
            thead { tr { th { "what" } th { "where" } th { "value" } th { "± 95 %" } th { "says" } } }
            @for row in sorted.iter().take(SHOWN) {
                tr { td { (row.what) } td { (row.place) } td { (row.value) } td { (row.ci95) } td { (row.verdict) } }
            }
        }
        @if rows.len() > SHOWN { p { (rows.len() - SHOWN) " more rows in evidence.csv" } }
    }
}
